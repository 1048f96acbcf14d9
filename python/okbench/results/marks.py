"""What titles say of data that are not those of the named set."""

SYNTHETIC = "generated synthetic data"
ON_SYNTHETIC = f"the results are of {SYNTHETIC}; okbench data missing lists the missing files"


def data_marks(traces):
    """The marks of the data of traces (Trace.data_mark), each once, as text; empty if all have the named data."""
    return "; ".join(dict.fromkeys(trace.data_mark for trace in traces if trace.data_mark))


def bracketed(mark):
    """The mark as the end of a line of output; empty if there is none."""
    return f" [{'SYNTHETIC DATA' if mark == SYNTHETIC else mark}]" if mark else ""


def data_title(name, traces):
    """The name of a data set with the mark of its traces; the title of the replacement, which contains both names."""
    mark = data_marks(traces)
    return marked(name, mark) if mark == SYNTHETIC else mark or name


def marked(title, mark):
    """A title with a mark in brackets, if there is one."""
    return f"{title} ({mark})" if mark else title
