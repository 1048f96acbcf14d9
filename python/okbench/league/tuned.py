"""Values that searches have chosen for the learners of the league."""

import collections


def ranges(trace):
    """{tuned parameter: its values, ascending} of a trace; {} without a search."""
    tuned = trace.spec.get("tuned", {})
    if "axes" in tuned:
        return {name: sorted(values) for name, values in tuned["axes"].items()}
    candidates = tuned.get("candidates", [])
    return {
        name: sorted({candidate[name] for candidate in candidates}) for name in (candidates[0] if candidates else {})
    }


def is_end(trace, name, value):
    """Whether a value is the smallest or largest that was tried, so a better one may lie beyond it.

    The kernel <x, x'> + 1, which has gamma 0, is the limit of wide RBF kernels.
    """
    values = ranges(trace).get(name, ())
    return len(values) > 1 and value in (values[0], values[-1]) and not (name == "kernel.gamma" and value == 0)


def ends(entry):
    """{tuned parameter: value} for the values at an end of the range that most orders of an entry have chosen."""
    end_values = {}
    chosen = [run.trace.summary.get("tuned", {}).get("chosen", {}) for run in entry.runs]
    for name in chosen[0]:
        value, orders = collections.Counter(choice[name] for choice in chosen).most_common(1)[0]
        if 2 * orders > len(chosen) and is_end(entry.runs[0].trace, name, value):
            end_values[name] = value
    return end_values
