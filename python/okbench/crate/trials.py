"""The trials of a crate: one action per trial, with its program, inputs and result."""

import datetime
import json
import math
import shlex

from ..errors import TraceFileError
from ..results import failure_record, read_failure
from .data_sets import add_data_set
from .graph import reference, short_digest

BUILD = ("git_commit", "git_dirty", "compiler", "compiler_flags")
MACHINE = ("cpu", "target")
SCHEMA_ORG = "http://schema.org/"


def add_program(graph, provenance):
    """Adds the program of a provenance and returns a reference. Different builds are different programs."""
    name, _, version = provenance.get("program", "okbench").partition(" ")
    commit = provenance.get("git_commit", "unknown")
    if version and commit != "unknown":
        # Python version format: 0.1.0+0123456789ab.modified.
        version += f"+{commit[:12]}{'.modified' if provenance.get('git_dirty') else ''}"
    build = {key: provenance.get(key) for key in ("program", "libraries", *BUILD)}
    return graph.add(
        f"#okbench-{short_digest(build)}" if version else "#okbench",
        "SoftwareApplication",
        name=name,
        description="Benchmark suite and experiment runner for online kernel learners",
        softwareVersion=version,
        softwareRequirements=build["libraries"],
        additionalProperty=graph.properties(provenance, BUILD),
    )


def moment(text, seconds=0.0):
    """A provenance time plus `seconds`, as ISO 8601 with milliseconds and time zone (default: UTC).

    The profile's checkers accept no other form with a time of day. Rounds up to milliseconds. Raises ValueError.
    """
    start = datetime.datetime.fromisoformat(text)
    start = start.replace(tzinfo=start.tzinfo or datetime.timezone.utc)
    return (start + datetime.timedelta(milliseconds=math.ceil(1000 * seconds))).isoformat(timespec="milliseconds")


def times(provenance):
    """Start and end time of a trial; {} if its trace does not record them."""
    if "start_time" not in provenance:
        return {}
    lasted = sum(provenance.get(f"{part}_seconds") or 0 for part in ("load", "wall", "test"))
    return {"startTime": moment(provenance["start_time"]), "endTime": moment(provenance["start_time"], lasted)}


def command(experiment, trial):
    """Command line that reruns a trial."""
    code = trial.trace.provenance.get("learner_code", {}) if trial.trace else {}
    plugin = ["--plugin", code["name"]] if code.get("kind") == "plugin" else []
    words = ["okbench", *plugin, "run", experiment.spec or experiment.name, "--tier", experiment.tier]
    for override in experiment.overrides:
        words += ["--set", override]
    return shlex.join([*words, "--trial", trial.id])


def settings(trace):
    """Text of a trial's parameters, including those chosen by cross validation, and its kernel."""
    values = ", ".join(f"{name} = {json.dumps(value)}" for name, value in sorted(trace.parameters.items()))
    return f"{trace.spec['learner']}: {values}; kernel: {trace.provenance.get('kernel', '?')}"


def add_trial(graph, catalog, experiment, trial, place, inputs, agent):
    """Adds the action of a trial. Returns (reference, path of the result, properties of the result), or None if the
    trial has not run.

    `place` converts a path to an @id. `inputs`: references to the input files. Raises TraceFileError.
    """
    record = failure_record(trial.path)
    if not (trial.failure or trial.trace):
        return None
    try:
        outcome = failed(graph, catalog, trial, record) if trial.failure else completed(graph, catalog, trial)
    except (ValueError, TypeError, OverflowError, LookupError, AttributeError) as error:
        result_file = record if trial.failure else trial.path
        raise TraceFileError(f"{result_file}: its provenance cannot be read: {' '.join(str(error).split())}") from error
    path, what, data, properties = outcome
    identifier = "#" + place(trial.path.with_suffix(""))
    description = command(experiment, trial) + (f" ({settings(trial.trace)})" if trial.trace else "")
    action = graph.add(
        identifier,
        "CreateAction",
        name=trial.name,
        description=description,
        agent=agent,
        **what,
        object=[*inputs, *data],
        result=reference(place(path)),
    )
    return action, path, properties


def completed(graph, catalog, trial):
    """(path of the result, properties of the action, data sets, properties of the result) of a completed trial."""
    trace = trial.trace
    provenance, spec = trace.provenance, trace.spec["data"]
    data = add_data_set(graph, catalog, spec["name"], spec, trace.synthetic, provenance.get("data_files", {}))
    what = {
        "instrument": add_program(graph, provenance),
        **times(provenance),
        "actionStatus": f"{SCHEMA_ORG}CompletedActionStatus",
        "additionalProperty": graph.properties(provenance, MACHINE),
    }
    properties = {
        "name": f"Trace of {trial.name}",
        "description": f"Trial {trial.id}; digest of the deterministic columns: {trace.digest}",
    }
    return trial.stored_in, what, [data], properties


def failed(graph, catalog, trial, record):
    """Like completed(), for a failed trial, whose result is its failure record."""
    content = read_failure(record)
    provenance = content.get("provenance", {})
    name = content.get("data_set") or trial.data_set
    data = [add_data_set(graph, catalog, name, {}, bool(content.get("synthetic")), {})] if name else []
    message = content.get("message")
    what = {
        "instrument": add_program(graph, provenance),
        "endTime": moment(content["time"]) if "time" in content else None,
        "actionStatus": f"{SCHEMA_ORG}FailedActionStatus",
        "error": f"{trial.failure}: {message}" if message else trial.failure,
        "additionalProperty": graph.properties(provenance, MACHINE),
    }
    return record, what, data, {"name": f"Failure of {trial.name}"}
