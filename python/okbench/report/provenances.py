"""Provenance of figures, for the report's pages."""


def provenance(experiments, specs):
    """Provenance of the traces of these experiments, and the command that reproduces them."""
    every = [trace for experiment in experiments for trace in experiment.traces]
    commits = sorted(
        {
            f"{trace.provenance['git_commit'][:12]}{' with local changes' if trace.provenance['git_dirty'] else ''}"
            for trace in every
        }
    )
    machines = sorted({trace.provenance["cpu"] for trace in every})
    compilers = sorted({f"{trace.provenance['compiler']}, kernels for {trace.provenance['target']}" for trace in every})
    digests = sorted({(trace.data_set, trace.spec["data"]["digest"]) for trace in every})
    times = sorted(trace.provenance["start_time"] for trace in every)
    overrides = "".join(
        f" --set '{override}'"
        for override in dict.fromkeys(assignment for run in experiments for assignment in run.overrides)
    )
    files = " ".join(specs.get(experiment.name, experiment.name) for experiment in experiments)
    return {
        "commits": commits,
        "machines": machines,
        "compilers": compilers,
        "digests": digests,
        "traces": len(every),
        "first": times[0],
        "last": times[-1],
        "seconds": sum(trace.provenance["wall_seconds"] for trace in every),
        "command": f"okbench run {files} --tier {experiments[0].tier}{overrides}",
    }
