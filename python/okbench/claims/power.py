"""Whether claims can fail: how many would hold by chance.

Every measure that a claim names is drawn at random from its plausible range, which is the range that the measure
itself has over all trials of the paper on the same data (other learners, parameters and seeds), and the claim is
judged on what comes out. A claim that random numbers pass more than once in five times says little. The ranges lie in
ranges.json beside the claims, written by `okbench claims --ranges` from results; a claim whose measures have no such
range (a theorem's quotient, a p-value) states its own, `plausible`.
"""

import json
import math
import pathlib
import random

from ..errors import ODD_CONTENT, ClaimError, NotRun
from ..reading import files_like
from ..measures.expressions import Call, Number, Operation, Parser
from ..traces.names import trial_name
from ..writing import write_text

DRAWS = 4000
MOST = 0.2  # of the draws may pass


def path_of(folder):
    return pathlib.Path(folder) / "ranges.json"


def read_ranges(folder):
    """{call: [low, high]} of the paper in a folder; empty when there is no file. Raises ClaimError."""
    path = path_of(folder)
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != 1:
            raise ValueError(f"its format is {content['format']!r}, okbench reads 1")
        return {call: (float(low), float(high)) for call, (low, high) in content["ranges"].items()}
    except (OSError, *ODD_CONTENT) as error:
        raise ClaimError(f"{path}: not a file of ranges: {error}") from error


def text_of(tree):
    """A call as text, the same for the same call."""
    if isinstance(tree, Number):
        return f"{tree.value:g}"
    if isinstance(tree, Operation):
        return f"({text_of(tree.left)} {tree.mark} {text_of(tree.right)})"
    if isinstance(tree, list):
        return "[" + ", ".join(map(text_of, tree)) + "]"
    return tree if isinstance(tree, str) else f"{tree.name}({', '.join(map(text_of, tree.arguments))})"


def measured(tree):
    """The calls of a tree that measure trials, none inside another."""
    if isinstance(tree, Call) and any(kind is not None and kind.trial for kind in tree.kinds):
        yield tree
        return
    for part in tree.parts():
        yield from measured(part)


def siblings(results, text):
    """Names of single trials on the same data, in all experiments of the paper that have been run."""
    name = trial_name(text)
    data = name.axes.get("data")
    paper = name.experiment.split("/")[0]
    if data is None:
        own = [one for one in results.experiment(name.experiment).trials if one.fits(name) and one.trace]
        data = own[0].trace.data_set if own else None
    for folder in files_like(results.folder / paper, "*", "plan.json"):
        experiment = results.read(f"{paper}/{folder.parent.name}")
        for one in experiment.trials:
            if one.trace is None or one.trace.synthetic or one.trace.data_set != data:
                continue
            axes = {key: value for key, value in one.trace.planned_axes.items() if value is not None}
            pairs = ",".join(
                f"{key}={str(value).lower() if isinstance(value, bool) else value}"
                for key, value in axes.items()
                if key in ("data", "batch", "repetition") or key in one.grid_point
            )
            yield f"{experiment.name}/{one.learner_key}[{pairs}]"


def range_of(results, call):
    """(low, high) of a call over the siblings of its first trial, or None when fewer than three differ."""
    place = next(i for i, kind in enumerate(call.kinds) if kind is not None and kind.trial)
    kind, name = call.kinds[place], call.name
    if kind.trial != "{}":
        return None
    # The extremes over a grid lie where the measure itself lies.
    over_grid = name in ("least", "most")
    values = set()
    try:
        alike = list(siblings(results, call.arguments[place]))
    except NotRun:
        return None
    for sibling in alike:
        arguments = [*call.arguments[:place], sibling, *call.arguments[place + 1 :]]
        tree = Call(arguments[0], [sibling], [kind]) if over_grid else Call(name, arguments, call.kinds)
        try:
            value = float(tree.evaluate(results, None))
        except (ClaimError, NotRun, *ODD_CONTENT):
            continue
        if math.isfinite(value):
            values.add(value)
    return (min(values), max(values)) if len(values) >= 3 else None


def ranges_of(claims, results):
    """The ranges of all measures of these claims that results tell: {call: [low, high]}."""
    found = {}
    for claim in claims:
        if claim.blocked_by or claim.plausible:
            continue
        for text in claim.value:
            for call in measured(Parser(text).tree()):
                key = text_of(call)
                if key in found:
                    continue
                results.tier = None
                span = range_of(results, call)
                if span:
                    found[key] = [float(f"{end:.6g}") for end in span]
    return found


def named(claims):
    """The calls that need a range: of claims that are run and do not state their own."""
    return {
        text_of(call)
        for claim in claims
        if not claim.blocked_by and not claim.plausible
        for text in claim.value
        for call in measured(Parser(text).tree())
    }


def write_ranges(folder, claims, found):
    """Keeps what these results do not tell, and drops what no claim names any more."""
    ranges = {call: list(span) for call, span in read_ranges(folder).items()}
    wanted = named(claims)
    ranges = {call: span for call, span in {**ranges, **found}.items() if call in wanted}
    write_text(path_of(folder), json.dumps({"format": 1, "ranges": ranges}, indent=1, sort_keys=True) + "\n")


class Drawn:
    """Stands for results in an expression: every measure is a number drawn from its range, the same in a claim."""

    def __init__(self, ranges, generator):
        self.ranges, self.generator, self.values = ranges, generator, {}

    def value(self, tree, numbers):
        if isinstance(tree, Number):
            return tree.value
        if isinstance(tree, Operation):
            left, right = self.value(tree.left, numbers), self.value(tree.right, numbers)
            return Operation(tree.mark, Number(left), Number(right)).evaluate(None, None)
        if not any(kind is not None and kind.trial for kind in tree.kinds):
            arguments = [
                self.value(one, numbers) if not isinstance(one, (str, list)) else one for one in tree.arguments
            ]
            return Call(
                tree.name, [Number(one) if isinstance(one, float) else one for one in arguments], tree.kinds
            ).evaluate(None, numbers)
        key = text_of(tree)
        if key not in self.values:
            self.values[key] = draw(self.ranges[key], self.generator)
        return self.values[key]


def draw(span, generator):
    """A number between two: of those of one sign that lie orders of magnitude apart any order is as likely."""
    low, high = span
    if low > 0 and high / low > 10:
        return math.exp(generator.uniform(math.log(low), math.log(high)))
    return generator.uniform(low, high)


def chance(claim, ranges):
    """The share of draws that a claim holds on. Raises ClaimError where a measure has no range."""
    if claim.expect.kind == "equal":
        return 0.0  # of real numbers none is another
    trees = [Parser(text).tree() for text in claim.value]
    if claim.plausible is None:
        missing = [text_of(call) for tree in trees for call in measured(tree) if text_of(call) not in ranges]
        if missing:
            raise ClaimError(f"{missing[0]} has no range: run okbench claims --ranges, or state 'plausible'")
    generator = random.Random(claim.id)
    passed = 0
    for _ in range(DRAWS):
        drawn = Drawn(ranges, generator)
        try:
            values = (
                [draw(span, generator) for span in claim.plausible]
                if claim.plausible
                else [drawn.value(tree, claim.numbers) for tree in trees]
            )
        except ZeroDivisionError:
            continue
        passed += claim.expect.holds(values)
    return passed / DRAWS


def known_chance(claim, ranges):
    """The same, or None for a claim that is not run, or whose measures have no range yet."""
    if claim.blocked_by:
        return None
    try:
        return chance(claim, ranges)
    except ClaimError:
        return None
