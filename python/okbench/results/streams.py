"""Measures of streams by name, computed from the recorded predictions of a trace (`[trace] predictions = true`).

Every measure is over the steps 1..t, or over the last `window` of them, at chosen steps. A score 0 of a binary learner
is a wrong prediction; the class of several scores is the arg max, ties to the lowest. Sources: Zliobaite, Bifet, Read,
Pfahringer and Holmes 2015 (kappas), Brzezinski and Stefanowski 2017 (AUC), Hand and Till 2001 (AUC of several classes).
"""

import collections.abc
import dataclasses
import functools
import inspect
import os
import re

import numpy as np

from ..errors import ClaimError, NotRun, cause_of, nearest
from ..reading import load_scripts

POINTS = 500  # default number of steps at which a measure is computed


@dataclasses.dataclass
class Stream:
    """Labels and predictions of a stream of n steps.

    classes: sorted labels. label, predicted: indices into `classes`, shape (n,); predicted is -1 for no class.
    For kind "one-class" with several classes, predicted is True for normal rows and False for flagged rows.
    scores: shape (n, outputs). For real targets, `target` and `scores` only.
    kind: what the scores are: "margins", "log-odds", "softmax", "one-class" or "real".
    """

    scores: np.ndarray
    target: np.ndarray | None = None
    classes: np.ndarray | None = None
    label: np.ndarray | None = None
    predicted: np.ndarray | None = None
    kind: str = "margins"

    def __len__(self):
        return len(self.scores)

    @property
    def class_count(self):
        """Number of classes; 0 for real targets."""
        return 0 if self.classes is None else len(self.classes)


def stream_of(trace):
    """The recorded Stream of a trace. Raises NotRun without recorded predictions."""
    if "predictions" not in trace.tables:
        raise NotRun(f"{trace.name} has no recorded predictions; run it with [trace] predictions = true")
    table = trace.tables["predictions"]
    scores = np.column_stack([values for name, values in table.items() if name.startswith("score_")])
    known = {name: table[name] for name in ("label", "predicted", "target") if name in table}
    return make_stream(scores, **known, kind=trace.summary.get("scores", "margins"))


def make_stream(scores, label=None, target=None, predicted=None, kind="margins"):
    """A Stream of scores, shape (n, outputs), and labels (-1 and 1, or classes from 0) or real targets, shape (n,).

    predicted: predicted labels, shape (n,), 0 for no binary label; default: the sign or the arg max of the scores.
    kind: as in Stream; "real" with a target.
    """
    scores = np.asarray(scores, dtype=float)
    if target is not None:
        return Stream(scores, np.asarray(target, dtype=float), kind="real")
    label = np.asarray(label)
    if kind == "one-class" and np.any(np.abs(label) != 1):  # a detector on several classes flags examples
        classes = np.unique(label)
        return Stream(scores, None, classes, np.searchsorted(classes, label), np.asarray(predicted) > 0, kind)
    if scores.shape[1] == 1:
        sign = np.sign(scores[:, 0]) if predicted is None else np.asarray(predicted)
        places = np.select([sign > 0, sign < 0], [1, 0], -1)
        return Stream(scores, None, np.array([-1, 1]), (label > 0).astype(int), places, kind)
    places = scores.argmax(axis=1) if predicted is None else np.asarray(predicted)
    return Stream(scores, None, np.arange(scores.shape[1]), label.astype(int), places, kind)


def one_hot(places, count):
    return np.asarray(places)[:, None] == np.arange(count)


def majority(stream):
    """Places of the most frequent label before each step, ties to the lowest; -1 at the first step."""
    counts = np.cumsum(one_hot(stream.label, len(stream.classes)), axis=0)
    return np.concatenate([[-1], counts[:-1].argmax(axis=1)])


def last_label(stream):
    """Places of the label before each step; -1 at the first step."""
    return np.concatenate([[-1], stream.label[:-1]])


@dataclasses.dataclass(frozen=True)
class StreamMeasure:
    """A measure of predictions: one of the program's, or a function of the user."""

    name: str
    title: str
    percent: bool = False  # whether figures show it in percent
    larger: bool = False  # whether larger values are better
    function: collections.abc.Callable | None = None  # of labels and scores; None: the program's measure

    def unfit(self, stream):
        """Why the measure cannot be computed from a stream; empty if it can."""
        return "" if self.function else native().unfit(self.name, stream.kind, stream.class_count)

    def values(self, stream, window, at):
        """Values after the steps `at`, which increase, over the last `window` steps, or over all if it is None."""
        if self.function:
            return self.of_function(stream, [(0 if window is None else max(step - window, 0), step) for step in at])
        none = np.empty(0)
        return native().measured(
            *(self.name, window or 0, stream.kind, stream.class_count, stream.scores),
            *(none if array is None else array for array in (stream.target, stream.label, stream.predicted)),
            at,
        )

    def of_function(self, stream, spans):
        """Values of the function on the rows of each [first, end)."""
        labels = stream.classes[stream.label] if stream.target is None else stream.target
        scores = stream.scores[:, 0] if stream.scores.shape[1] == 1 else stream.scores
        try:
            return np.array([float(self.function(labels[a:b], scores[a:b])) for a, b in spans])
        except Exception as error:  # a user's function can raise anything
            raise ClaimError(f"measure {self.title}: {cause_of(error)}") from error


def native():
    """The compiled module. Imported on first use, because figures and claims without measures do not need it."""
    from ..native import module

    return module


def of_function(function):
    """A measure that calls function(labels, scores) on the rows of each window.

    labels: shape (n,), -1 and 1, classes from 0, or real targets. scores: shape (n,), or (n, classes).
    """
    name = getattr(function, "__name__", "mine")
    return StreamMeasure(name, name.replace("_", " "), function=function)


@functools.cache
def built_in():
    """{name: StreamMeasure} of the program."""
    return {measure["name"]: StreamMeasure(**measure) for measure in native().prediction_measures()}


def needs_targets(name):
    """Whether a name is that of a measure of the program for real targets."""
    return name in built_in() and not native().unfit(name, "real", 0)


def measures():
    """{name: StreamMeasure}: the built-in ones, and the public functions of the files in OKBENCH_MEASURES.

    A function `mine(labels, scores)` is the measure "mine". OKBENCH_MEASURES names folders, separated by colons.
    Raises ScriptError for a file that cannot be imported, ClaimError for a name that is taken.
    """
    known = dict(built_in())
    for script in load_scripts(os.environ.get("OKBENCH_MEASURES", "").split(":")):
        for name, value in vars(script).items():
            if not inspect.isfunction(value) or value.__module__ != script.__name__ or name.startswith("_"):
                continue
            public = name.replace("_", "-")
            if public in known:
                raise ClaimError(f"{script.__file__}: a measure '{public}' exists; choose another name")
            known[public] = of_function(value)
    return known


def find(name):
    """The StreamMeasure of this name, or of a function. Raises ClaimError."""
    if callable(name):
        return of_function(name)
    known = measures()
    if name not in known:
        raise ClaimError(f"unknown measure '{name}'{nearest(name, known)}")
    return known[name]


def parse(text):
    """(name, window or None) of NAME or NAME@WINDOW. Raises ClaimError."""
    name, _, window = text.partition("@")
    find(name)
    if "@" in text and not re.fullmatch(r"[1-9]\d{0,8}", window):
        raise ClaimError(f"'{text}': the window must be a number of steps >= 1, as in {name}@1000")
    return name, int(window) if window else None


def measured(stream, name, window=None, at=None):
    """(steps, values) of a measure of a Stream.

    `window`: number of last steps; None: all so far. `at`: steps 1..n in increasing order; default: POINTS of them,
    evenly spaced, with the last. `name` may be a function of labels and scores. Raises ClaimError for an unknown
    measure, or one that does not fit the stream.
    """
    if window is not None and window < 1:
        raise ClaimError(f"the window must be a number of steps >= 1, not {window}")
    measure = find(name)
    if lacking := measure.unfit(stream):
        raise ClaimError(lacking)
    if at is None:
        at = np.unique(np.linspace(1, len(stream), min(POINTS, len(stream))).round().astype(int))
    at = np.asarray(at, dtype=int)
    if not len(at) or at.min() < 1 or at.max() > len(stream):
        raise ClaimError(f"steps must be between 1 and {len(stream)}")
    return at, measure.values(stream, window, at)


def value_of(trace, text):
    """The last value of a measure NAME or NAME@WINDOW: from the summary, or from recorded predictions.

    Raises ClaimError and NotRun.
    """
    name, window = parse(text)
    if text in trace.summary.get("measures", {}):
        value = trace.summary["measures"][text]
        return float("nan") if value is None else value
    return last(stream_of(trace), name, window)


def last(stream, name, window=None):
    """A measure at the end of a Stream."""
    return float(measured(stream, name, window, [len(stream)])[1][0])


def as_scores(places, classes):
    """Scores that predict these places in `classes`; -1 predicts no class."""
    if len(classes) == 2 and classes[0] == -1:
        return np.select([places == 1, places == 0], [1.0, -1.0], 0.0)[:, None]
    return one_hot(places, len(classes)).astype(float)


def baselines(stream):
    """{name: Stream} of predictions without learning: the most frequent and the last label, or the mean and the last
    target so far. The first prediction is wrong, or 0."""
    if stream.target is None:
        predictions = {"majority class": majority(stream), "last label": last_label(stream)}
        labels = stream.classes[stream.label]
        return {
            name: dataclasses.replace(make_stream(as_scores(places, stream.classes), labels), predicted=places)
            for name, places in predictions.items()
        }
    before = np.concatenate([[0.0], stream.target[:-1]])
    mean = np.concatenate([[0.0], np.cumsum(stream.target)[:-1] / np.arange(1, len(stream))])
    return {
        name: make_stream(values[:, None], target=stream.target)
        for name, values in (("running mean", mean), ("last value", before))
    }
