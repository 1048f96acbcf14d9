"""The best learner of `okbench league FILE` as Python code."""

import collections
import json

from .. import home
from ..data.adding.catalog import Catalog
from ..data.adding.csv_file import DELIMITERS
from ..league import own_data


def model(league, name):
    """The best learner of a data set as an expression, of those with an estimator; None without one."""
    league = league.on_real_targets if name in league.regression else league
    entries = [entry for learner in league.learners if (entry := league.best(name, learner))]
    expressions = (of_entry(entry) for entry in sorted(entries, key=lambda candidate: candidate.rank_by))
    return next((expression for expression in expressions if expression is not None), None)


def of_entry(entry):
    """A learner of the league at one budget as an expression; None if it has no estimator.

    Its tuned parameters are those that most orders chose.
    """
    from .. import estimators
    from ..estimators.registry import learners, python_name

    trace, real = entry.runs[0].trace, entry.runs[0].real
    about = learners().get(trace.spec["learner"])
    estimator = getattr(estimators, about["estimator"]["name"] + "Regressor" * real, None) if about else None
    if estimator is None:
        return None
    chosen = [json.dumps(run.trace.parameters, sort_keys=True) for run in entry.runs]
    parameters = json.loads(collections.Counter(chosen).most_common(1)[0][0])
    known = estimator().get_params()
    values = {python_name(key): value for key, value in parameters.items()}
    hedge = trace.spec.get("hedge", {}).get("axes", {})
    gamma = values.pop("kernel.gamma", trace.spec["kernel"].get("gamma"))
    if "kernel.gamma" in hedge:
        gamma = 1.0
    kernel = {"gamma": gamma} if gamma else {"kernel": "poly", "degree": 1, "gamma": 1.0, "coef0": 1.0}
    values = {**kernel, **values} | ({"standardize": False} if real else {})
    values = {key: value for key, value in values.items() if key in known and known[key] != value and value is not None}
    expression = f"okbench.{estimator.__name__}({words(values)})"
    return hedged(expression, trace.spec["hedge"]) if hedge else expression


def words(values):
    return ", ".join(f"{key}={value!r}" for key, value in values.items())


def hedged(expression, hedge):
    """Hedged over the axes of a spec, around an expression with gamma = 1."""
    from ..estimators.registry import python_name

    axes = dict(hedge["axes"])
    values = {"widths": axes.pop("kernel.gamma", [1.0])}
    if axes:
        values["param_grid"] = {python_name(name): axis for name, axis in axes.items()}
    values |= {"beta": hedge["beta"], "discounts": hedge["discounts"]}
    return f"okbench.Hedged({expression}, {words(values)})"


def delimiter_of(options):
    """The delimiter with which pandas.read_csv reads the file as the import did; None if it needs other arguments."""
    if not str(options.results).endswith((".csv", ".tsv")) or options.label is None or options.header is False:
        return None
    if options.categories or options.missing_marks:
        return None
    with open(options.results, encoding="utf-8", errors="replace") as file:
        header = file.readline()
    fits = (mark for mark in DELIMITERS if options.label in (name.strip().strip('"') for name in header.split(mark)))
    return next(fits, None)


def reads_alike(options, delimiter, left_out, entry):
    """Whether pandas, as the code calls it, reads the features and classes of this entry of the catalog."""
    import pandas as pd

    from ..tables import TableEncoder

    try:
        table = pd.read_csv(options.results, sep=delimiter)
        features = TableEncoder(options.missing or "error").fit_transform(table.drop(columns=left_out)).shape[1]
        classes = table[options.label].nunique()
    except (KeyError, ValueError):
        return False
    same = entry["kind"] == "real" or classes == len(entry["labels"])
    return same and features + (options.lags or 0) == entry["features"]


def of_winner(league, name, options, columns):
    """Lines of code that evaluate the best learner on a CSV file, in the order of its rows; [] if it has no estimator.
    For other files, the learner alone.

    options: those of `okbench league FILE`. columns: what was done with each column (own_data.columns).
    """
    expression = model(league, name)
    if expression is None:
        return []
    label = options.label
    left = [label, *(column["column"] for column in columns if "left_out" in column)]
    delimiter = delimiter_of(options)
    if delimiter is None or not reads_alike(options, delimiter, left, Catalog(home.data_folder()).entries[name]):
        return [
            "import okbench",
            f"model = {expression}",
            "# for rows that are encoded as the lines above say; see okbench.tables.TableEncoder",
        ]
    choices = {"missing": options.missing, "scale": own_data.scale(options)}
    chosen = own_data.scale_on(options)
    if chosen != "all":
        choices["scale_rows"] = "seen"
    chosen_words = ", ".join(
        f"{key}={value if key == 'scale_rows' else repr(value)}" for key, value in choices.items() if value
    )
    scaled = next((column for column in columns if column["column"] == label), None)
    y = f"table[{label!r}]"
    lags = [f"table[{f'{label} lag {lag}'!r}] = {y}.shift({lag})" for lag in range(1, (options.lags or 0) + 1)]
    if scaled:
        y = f"({y} - {scaled['mean']!r}) / {scaled['deviation']!r}"
    return [
        "import okbench, pandas",
        f"table = pandas.read_csv({str(options.results)!r}{'' if delimiter == ',' else f', sep={delimiter!r}'})",
        *lags,
        *([f"seen = okbench.tables.tenth(len(table){', 0' * (chosen == 'random-tenth')})"] if chosen != "all" else []),
        f"encoder = okbench.tables.TableEncoder({chosen_words})",
        f'X = encoder.fit_transform(table.drop(columns={left!r})).astype("float32")',
        f"y = {y}" + (f"  # a prediction p means {scaled['mean']:g} + {scaled['deviation']:g} p" if scaled else ""),
        f"model = {expression}",
        f"print(okbench.prequential(model, (X, y), {'mse' if name in league.regression else 'error'!r}).frame)",
    ]
