"""Ranks all learners on one file: imports it, writes a spec with every decision, and runs the spec."""

import argparse
import pathlib
import re
import tomllib
from shlex import quote

import numpy as np

from .. import child, home
from ..data import add as adding
from ..data.adding.catalog import Catalog, columns_of
from ..data.adding.arff_file import is_sparse, read_arff
from ..data.adding.csv_file import read_csv
from ..data.adding.encode import RISING
from ..data.adding.source import Source
from ..data.adding.store import remove
from ..data.adding.table import AddError
from ..errors import RequestError, nearest
from ..reading import read_toml
from ..rows import squared_median_distance
from ..results import streams
from ..writing import write_text
from .single import BASELINES

MAX_CLASSES = 30  # numeric labels with more different values are real targets
SAMPLE = 1000  # rows whose distances give the kernel width
BUDGETS = [64, 256, 1024]
# Measures of predictions beside the error.
MEASURES = {"binary": ["auc", "balanced-accuracy", "kappa"], "multiclass": ["balanced-accuracy", "kappa"]}
MEASURES["real"] = ["mae", "r2"]


def name_of(file):
    """A data set name made of the file name."""
    stem = pathlib.Path(file).name.partition(".")[0]
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem).strip("-") or "data"


def is_table(file):
    """Whether a file is CSV, dense ARFF, Parquet or Arrow, by its name or else its content. Raises AddError."""
    source = Source(file)
    if source.is_arrow():
        return True
    if not source.is_text():
        return False
    return source.reader() is read_csv or source.reader() is read_arff and not is_sparse(source.content)


def named(options):
    """(name of the data set, whether it is of the same file from an earlier run). Raises AddError, RequestError."""
    folder, name = home.data_folder(), options.name or name_of(options.results)
    own = str(pathlib.Path(folder, "catalog.toml"))
    taken = name in adding.RESERVED or any(name in read_toml(path) for path in home.catalog_paths() if path != own)
    if taken and not options.name:
        name += "-file"
    absolute = str(pathlib.Path(options.results).absolute())
    known = Catalog(folder).entries.get(name)
    same_file = isinstance(known, dict) and known.get("source", {}).get("file") == absolute
    if known is not None and not same_file:
        raise RequestError(f"a data set '{name}' exists already; choose another name with --name")
    return name, same_file


def imported(options, name, same_file):
    """(lines to print, catalog entry): adds the file as a data set. Raises AddError."""
    folder, text = home.data_folder(), is_table(options.results)
    if options.lags and options.order != "file":
        raise RequestError("--lags: the rows must keep their order: add --order file")
    for option in ("drop", "categories", "missing_marks", "header", "lags"):
        if getattr(options, option) not in ([], None) and not text:
            raise RequestError(f"--{option.replace('_', '-')}: is for CSV and ARFF files")
    request = {
        "file": options.results,
        "name": name,
        "label": options.label,
        "header": options.header if text else None,
        "test": None,
        "test_file": None,
        "seed": 0,
        "kind": "real" if options.regression else None,
        "positive": options.positive,
        "missing": options.missing if text else None,
        "scale": scale(options) if text else None,
        "scale_on": scale_on(options) if text else None,
        "drop": options.drop,
        "categories": options.categories,
        "missing_marks": options.missing_marks,
        "lags": options.lags if options.regression else None,
        "delay": None,
        "embedding": None,
        "horizon": None,
        "target": None,
        "change_points": None,
        "folder": folder,
        "replace": same_file,
    }

    def add(**changes):
        return adding.add(argparse.Namespace(**request | changes)), Catalog(folder).entries[name]

    if options.classification:
        try:
            lines, entry = add(kind="binary")
        except AddError:
            lines, entry = add(kind="multiclass")
    else:
        lines, entry = add()
    numbers = entry["kind"] == "multiclass" and "class_names" not in entry and len(entry["labels"]) > MAX_CLASSES
    if not options.classification and (numbers or entry["kind"] == "real" and not options.regression):
        lines, entry = add(kind="real", lags=options.lags, replace=True)  # scales the targets, too
        lines.append(f"note      labels are fractions or over {MAX_CLASSES} numbers, so this is regression")
    if options.lags and entry["kind"] != "real":
        raise RequestError("--lags: the label has classes; --regression treats it as a number")
    if options.order == "file" and any(adding.GROUPED in line for line in lines):
        raise RequestError(
            f"{options.results}: {adding.GROUPED}, so the first tenth, which chooses parameters, is not like the rest:"
            " omit --order file"
        )
    if not text and scale(options):
        lines.append("note      columns of this format are not scaled")
    if options.order != "file" and any(RISING in line for line in lines):
        lines.append("note      rows are ranked in random orders; --order file keeps that of the file")
    return [line for line in lines if not line.startswith("use")], entry


def scale(options):
    """How columns of numbers are scaled; None: they keep their values. A lagged target may leave its first range."""
    if options.scale == "none":
        return None
    return options.scale or ("standard" if options.lags else "clipped")


def scale_on(options):
    """The rows that give means, deviations and the kernel width: those that a stream has shown first, or `--scale-on`.

    With a random order a random tenth, because the first rows of the file may have one class.
    """
    return options.scale_on or ("first-tenth" if options.order == "file" else "random-tenth")


def columns(name):
    """What was done with the columns of an added data set: dicts, see TableEncoder.columns_."""
    folder = home.data_folder()
    return columns_of(folder, Catalog(folder).entries[name])


def width_of(name, scale_on):
    """(gamma, reason): 1 / (2 m^2) with the median distance m of a seeded sample of the rows `scale_on`."""
    from ..datasets import load
    from ..scaling import tenth

    X, _ = load(name)
    count = X.shape[0]
    seen = np.arange(count) if scale_on == "all" else tenth(count, 0 if scale_on == "random-tenth" else None)
    chosen = seen[np.sort(np.random.RandomState(0).permutation(len(seen))[:SAMPLE])]
    square = squared_median_distance(X[chosen])
    gamma = float(f"{1 / (2 * square):.4g}") if square > 0 else 1.0
    texts = {"all": f"all {count}", "first-tenth": f"the first {len(seen)}", "random-tenth": f"{len(seen)} random"}
    sample = f"{len(chosen)} of " if len(chosen) < len(seen) else ""
    return gamma, f"1 / (2 m^2), m = {square**0.5:.4g}: the median distance of {sample}{texts[scale_on]} rows"


def quoted(text):
    import tomli_w

    return tomli_w.dumps({"x": text}).strip().removeprefix("x = ")


def recorded_every(rows):
    """Steps between two recorded ones: about a hundredth of the rows, and a divisor of 1000, the window of errors."""
    return max(divisor for divisor in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100) if divisor <= max(1, rows // 100))


def measures_of(options, kind):
    """(names of measures, window or None) for the spec, with the measure of the ranking. Raises RequestError."""
    names, window = list(MEASURES[kind]), None
    if options.measure:
        if kind == "real":
            raise RequestError("--measure: regression is ranked by rmse")
        name, window = streams.parse(options.measure)
        names += [name] if name not in names else []
    return names, window


def spec_text(options, name, entry, out):
    """The spec as TOML with a comment on each decision."""
    rows, kind = entry["train"]["rows"], entry["kind"]
    if options.gamma in (None, "median"):
        gamma, why = width_of(name, scale_on(options))
    else:
        gamma, why = options.gamma, "--gamma"
    budgets = options.budget or BUDGETS
    # Some learners cost more per step, so their largest budget is smaller (experiments/league/learners/).
    lists = {"budget": budgets, "features": budgets}
    second_order = options.budget or budgets[:1]
    if kind == "real":
        lists["window"] = second_order
    else:
        lists |= {"expensive": options.budget or budgets[:-1], "second_order": second_order}
    if options.gamma is not None:
        lists |= {"width": [1], "rbf_width": [1], "hedged": [1]}
    search = "" if options.gamma is None else '[cross_validation]\nsearch = "grid"\n'
    measures, window = measures_of(options, kind)
    by_seed = options.order == "permutation"
    return f"""# The league on {ascii(pathlib.Path(options.results).name)}, written by `okbench league`.
#   okbench run {quote(str(out / f"{name}.toml"))} --out {quote(str(out))}     runs the missing trials
#   okbench data show {name}     shows how the file was imported
format = 2
experiment = "league/{name}"
title = {quoted(f"The league on {pathlib.Path(options.results).name}")}
repetitions = {10 if by_seed else 1}   # orders of the rows
learners = "learners.toml"

[data]
name = "{name}"
order = "{options.order}"
test = "none"   # every row is predicted before it is learned

[kernel]
name = "rbf"
gamma = {gamma}   # {why}

[measures]
names = {quoted(measures)}
{f"window = {window}" if window else ""}

[trace]
record_all_until = 0
per_decade = 1
every = {recorded_every(rows)}

[lists]
{entries(lists)}
{search}
[tiers.quick]
repetitions = 1
"data.max_examples" = {min(1000, rows)}

[tiers.paper]
repetitions = {30 if by_seed else 1}
"""


def learners_text(text, chosen):
    """The league's file of learners, a line each, without those that are neither `chosen` nor baselines.

    Raises RequestError for an unknown name.
    """
    if not chosen:
        return text
    known = tomllib.loads(text)["learners"]
    for name in chosen:
        if name not in known:
            raise RequestError(f"--learners: no learner '{name}' for these labels{nearest(name, known)}")
    left_out = known.keys() - {*chosen, *BASELINES}
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if line.partition(" = {")[0] not in left_out)


def entries(values):
    """Lines `KEY = VALUE` of a table."""
    return "".join(f"{key} = {value}\n" for key, value in values.items())


def as_word(path):
    """A path as a word of a command line, where a dash begins an option."""
    return f"./{path}" if str(path).startswith("-") else str(path)


def run(spec, options):
    """Runs the spec in a child process. Returns its exit status."""
    words = [home.program(), "run", as_word(spec), "--tier", options.tier, "--out", as_word(spec.parent)]
    if options.jobs:
        words += ["--jobs", str(options.jobs)]
    if options.timeout:
        words += ["--timeout", str(options.timeout)]
    return child.run(words)


def prepared(options):
    """(spec file, result folder, lines to print): imports the file and writes the spec. Raises AddError, WriteError."""
    if options.regression and options.classification:
        raise AddError("choose --regression or --classification")
    name, same_file = named(options)
    try:
        lines, entry = imported(options, name, same_file)
        out = options.out or pathlib.Path("results") / name
        field = "regression" if entry["kind"] == "real" else "online"
        learners = pathlib.Path(home.home_folder(), "experiments", "league", "learners", f"{field}.toml")
        spec = out / f"{name}.toml"
        chosen = learners_text(learners.read_text(encoding="utf-8"), options.learners)
        text = spec_text(options, name, entry, out)
        if spec.exists() and spec.read_text(encoding="utf-8") != text:
            edited = spec.with_name(f"{spec.name}.old")
            spec.replace(edited)
            lines.append(f"note      the spec differs from that of this command; the old one is {edited} now")
        write_text(spec, text, folders=True)
        write_text(out / "learners.toml", chosen)
        return spec, out, lines
    except BaseException:
        if not same_file and name in Catalog(home.data_folder()).entries:
            remove(home.data_folder(), name)
        raise
