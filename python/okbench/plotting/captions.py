"""Builds captions from the provenance and specs in traces."""

DATA_NAMES = {
    "usps": "USPS (smoothed)",
    "usps-esl": "USPS (original pixels)",
    "mnist": "MNIST",
    "letter": "letter",
    "ijcnn1": "IJCNN (ijcnn1)",
    "a8a": "Adult (a8a)",
    "a9a": "Adult (a9a)",
    "w8a": "Web (w8a)",
    "timit": "TIMIT",
    "margin": "generated set with margin 0.1",
    "20newsgroups": "20 Newsgroups",
    "imageclef07": "ImageCLEF 2007",
    "enron": "Enron",
}

ORDERS = {
    "file": "in file order",
    "permutation": "in random order",
    "counting": "as the counting sequence",
    "uniform": "in mini-batches drawn without replacement",
}

SYMBOLS = {
    "eta0": "η0",
    "mu": "μ",
    "lambda": "λ",
    "trace_decay": "λ",
    "tau": "τ",
    "nu": "ν",
    "c": "c",
    "schedule_c": "c",
    "buffer": "buffer",
    "margin": "ε0",
}


def series_label(trace):
    """The label of a series in mathematical notation."""
    label = trace.label
    for word in ("lambda", "tau", "mu", "nu"):
        label = label.replace(f"{word} =", f"{SYMBOLS[word]} =")
    return label


def number(value):
    """A number as short text, e.g. 3.43e6, 0.05, 512."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e6:
        value = int(value)
    if isinstance(value, int) and abs(value) < 100000:
        return str(value)
    text = f"{value:.3g}"
    return text.replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def data_text(trace):
    """Data set, part, order and number of examples, as text."""
    data = trace.spec["data"]
    name = DATA_NAMES.get(data["name"], data["name"])
    part = "train and test part" if data["part"] == "all" else f"{data['part']} part"
    examples = f"{trace.summary['examples']} examples"
    if trace.synthetic:
        name = f"synthetic fallback for {name}"
    elif trace.replacement:
        name = trace.replacement
    order = ORDERS.get(data["order"], f"in {data['order']} order")
    if data["order"] == "uniform" and "batch" not in data:
        order = "drawn independently"
    return f"{name}, {part}, {examples} {order}"


def parameter_text(trace, names):
    """The named parameters with the papers' symbols, as text. Leaves out parameters that the learner does not have."""
    values = trace.spec["parameters"]
    if values.get("nu") == 0:  # fixed margin: nu is unused, and ρ0 is the margin itself
        names = [name for name in names if name != "nu"]
        return ", ".join(
            f"{'margin' if name == 'margin' else SYMBOLS.get(name, name)} = {number(values[name])}"
            for name in names
            if name in values
        )
    return ", ".join(f"{SYMBOLS.get(name, name)} = {number(values[name])}" for name in names if name in values)


def evaluations_text(traces, name=series_label):
    """Kernel evaluations requested (and computed) by each trace, as text. `name(trace)` labels a trace."""
    parts = []
    for trace in traces:
        counts = trace.summary["kernel_evaluations"]
        parts.append(f"{name(trace)}: {number(counts['requested'])} ({number(counts['computed'])})")
    return "Kernel evaluations requested (computed): " + "; ".join(parts) + "."


def caption(traces, parameters, note="", name=series_label):
    """The caption of a figure. `parameters`: names of parameters to show, equal in all traces. `note`: further text."""
    first = traces[0]
    text = f"Data: {data_text(first)}. Kernel: {first.provenance['kernel']}. "
    shared = parameter_text(first, parameters)
    if shared:
        text += f"{shared}. "
    if note:
        text += note + " "
    return text + evaluations_text(traces, name)
