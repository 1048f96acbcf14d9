"""Estimates the probability that a claim holds by chance.

Draws every measure in a claim at random from its plausible range and judges the claim on the drawn values. A claim that
more than MAX_SHARE of the draws pass is weak evidence. The plausible range is the range of the measure over all trials
of the paper on the same data (other learners, parameters and seeds). `okbench claims --ranges` computes the ranges from
results and writes them to ranges.json next to the claims. A claim whose measures have no such range (a theorem's ratio,
a p-value) states its range in `plausible`.
"""

import json
import math
import pathlib
import random

from ..errors import CONTENT_ERRORS, ClaimError, NotRun
from ..reading import files_like
from ..measures.expressions import Call, Number, Operation, Parser
from ..results.names import trial_name
from ..writing import write_text

DRAWS = 4000  # random draws per claim
MAX_SHARE = 0.2  # largest acceptable share of draws that pass


def path_of(folder):
    return pathlib.Path(folder) / "ranges.json"


def read_ranges(folder):
    """{text of call: (low, high)} from ranges.json in a folder; {} if there is no file. Raises ClaimError."""
    path = path_of(folder)
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != 1:
            raise ValueError(f"unknown format {content['format']!r}; okbench reads 1")
        return {call: (float(low), float(high)) for call, (low, high) in content["ranges"].items()}
    except (OSError, *CONTENT_ERRORS) as error:
        raise ClaimError(f"{path}: not a valid ranges file: {error}") from error


def text_of(tree):
    """Canonical text of a tree; equal for equal calls."""
    if isinstance(tree, Number):
        return f"{tree.value:g}"
    if isinstance(tree, Operation):
        return f"({text_of(tree.left)} {tree.mark} {text_of(tree.right)})"
    if isinstance(tree, list):
        return "[" + ", ".join(map(text_of, tree)) + "]"
    return tree if isinstance(tree, str) else f"{tree.name}({', '.join(map(text_of, tree.arguments))})"


def measured(tree):
    """The outermost calls of a tree that measure trials."""
    if isinstance(tree, Call) and any(kind is not None and kind.trial for kind in tree.kinds):
        yield tree
        return
    for part in tree.parts():
        yield from measured(part)


def siblings(results, text):
    """Names of all single trials with results on the same data, in all experiments of the trial's paper."""
    name = trial_name(text)
    data = name.axes.get("data")
    paper = name.experiment.split("/")[0]
    if data is None:
        own = [trial for trial in results.experiment(name.experiment).trials if trial.fits(name) and trial.has_result]
        data = own[0].data_set if own else None
    for folder in files_like(results.folder / paper, "*", "plan.json"):
        experiment = results.read(f"{paper}/{folder.parent.name}")
        for trial in experiment.trials:
            if not trial.has_result or trial.data_set != data or trial.trace.synthetic:
                continue
            axes = {key: value for key, value in trial.axes.items() if value is not None}
            pairs = ",".join(
                f"{key}={str(value).lower() if isinstance(value, bool) else value}"
                for key, value in axes.items()
                if key in ("data", "batch", "repetition") or key in trial.grid_point
            )
            yield f"{experiment.name}/{trial.learner_key}[{pairs}]"


def range_of(results, call):
    """(low, high) of a call over the siblings of its first trial; None if fewer than three values differ."""
    place = next(i for i, kind in enumerate(call.kinds) if kind is not None and kind.trial)
    kind, name = call.kinds[place], call.name
    if kind.trial != "{}":
        return None
    # least and most have the range of the measure that they take the extreme of.
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
        except (ClaimError, NotRun, *CONTENT_ERRORS):
            continue
        if math.isfinite(value):
            values.add(value)
    return (min(values), max(values)) if len(values) >= 3 else None


def ranges_of(claims, results):
    """{text of call: [low, high]} for the measures of claims whose range the results determine."""
    ranges = {}
    for claim in claims:
        if claim.blocked_by or claim.plausible:
            continue
        for text in claim.value:
            for call in measured(Parser(text).tree()):
                key = text_of(call)
                if key in ranges:
                    continue
                results.tier = None
                span = range_of(results, call)
                if span:
                    ranges[key] = [float(f"{end:.6g}") for end in span]
    return ranges


def named(claims):
    """Texts of the calls that need a range: those of claims that are run and have no `plausible`."""
    return {
        text_of(call)
        for claim in claims
        if not claim.blocked_by and not claim.plausible
        for text in claim.value
        for call in measured(Parser(text).tree())
    }


def write_ranges(folder, claims, new_ranges):
    """Updates ranges.json with `new_ranges`, a line each. Keeps other ranges, and drops those that no claim uses."""
    ranges = {call: list(span) for call, span in read_ranges(folder).items()}
    wanted = named(claims)
    ranges = {call: span for call, span in {**ranges, **new_ranges}.items() if call in wanted}
    lines = ",\n".join(f"{json.dumps(call)}: {json.dumps(span)}" for call, span in sorted(ranges.items()))
    write_text(path_of(folder), f'{{"format": 1, "ranges": {{\n{lines}\n}}}}\n')


def drawing(tree, ranges, generator, numbers):
    """A function that evaluates a tree with random values. Its argument has those drawn so far, {text of call: value}.

    It draws each measure once from its range, and adds it there.
    """
    if isinstance(tree, Number):
        return lambda drawn: tree.value
    if isinstance(tree, Operation):
        left, right = (drawing(part, ranges, generator, numbers) for part in tree.parts())
        return lambda drawn: Operation(tree.mark, Number(left(drawn)), Number(right(drawn))).evaluate(None, None)
    if any(kind is not None and kind.trial for kind in tree.kinds):
        key = text_of(tree)

        def value(drawn):
            if key not in drawn:
                drawn[key] = draw(ranges[key], generator)
            return drawn[key]

        return value
    arguments = [
        argument if isinstance(argument, (str, list)) else drawing(argument, ranges, generator, numbers)
        for argument in tree.arguments
    ]

    def result(drawn):
        values = [argument(drawn) if callable(argument) else argument for argument in arguments]
        values = [Number(value) if isinstance(value, float) else value for value in values]
        return Call(tree.name, values, tree.kinds).evaluate(None, numbers)

    return result


def draw(span, generator):
    """Draws a number from [low, high]: log-uniform if high / low > 10 and both are positive, else uniform."""
    low, high = span
    if low > 0 and high / low > 10:
        return math.exp(generator.uniform(math.log(low), math.log(high)))
    return generator.uniform(low, high)


def chance(claim, ranges):
    """Share of draws, in 0..1, on which a claim holds. Raises ClaimError if a measure has no range."""
    if claim.expect.kind == "equal":
        return 0.0  # two random real numbers are never equal
    trees = [Parser(text).tree() for text in claim.value]
    if claim.plausible is None:
        missing = [text_of(call) for tree in trees for call in measured(tree) if text_of(call) not in ranges]
        if missing:
            raise ClaimError(f"{missing[0]} has no range: run okbench claims --ranges, or add 'plausible'")
    generator = random.Random(claim.id)
    functions = [] if claim.plausible else [drawing(tree, ranges, generator, claim.numbers) for tree in trees]
    passed = 0
    for _ in range(DRAWS):
        drawn = {}
        try:
            values = [draw(span, generator) for span in claim.plausible or ()]
            values += [function(drawn) for function in functions]
        except ZeroDivisionError:
            continue
        passed += claim.expect.holds(values)
    return passed / DRAWS


def known_chance(claim, ranges):
    """chance(), or None if the claim is not run or a measure has no range."""
    if claim.blocked_by:
        return None
    try:
        return chance(claim, ranges)
    except ClaimError:
        return None
