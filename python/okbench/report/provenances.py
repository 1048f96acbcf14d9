"""Provenance of figures, for the report's pages."""


def provenance(found, specs):
    """Provenance of the traces of these experiments, and the command that reproduces them."""
    every = [trace for experiment in found for trace in experiment.traces]
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
    overrides = "".join(f" --set '{one}'" for one in dict.fromkeys(one for run in found for one in run.overrides))
    files = " ".join(specs.get(experiment.name, experiment.name) for experiment in found)
    return {
        "commits": commits,
        "machines": machines,
        "compilers": compilers,
        "digests": digests,
        "traces": len(every),
        "first": times[0],
        "last": times[-1],
        "seconds": sum(trace.provenance["wall_seconds"] for trace in every),
        "command": f"okbench run {files} --tier {found[0].tier}{overrides}",
    }
