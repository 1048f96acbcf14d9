"""The streams: rows of the catalogue in their order, and generated rows of River."""

import pathlib
import tomllib
from typing import NamedTuple

import numpy as np

# Names on the page, with the data set; agrawal is made by River.
CLASSES = {
    "electricity": "electricity",
    "weather": "weather",
    "INSECTS": "insects-gradual",
    "outdoor": "outdoor",
    "keystroke": "keystroke",
    "phishing": "phishing",
    "rialto": "rialto",
    "SEA": "sea",
    "hyperplane": "hyperplane",
    "random RBF": "random-rbf",
    "sine": "sine-recurring",
    "LED": "led",
    "agrawal": None,
}
TARGETS = {"bike-sharing": "bike-sharing", "cal_housing": "cal_housing", "kin40k": "kin40k"}
FIRST = 10  # a tenth of the rows scales the columns and chooses the settings
AFTER = 1000  # rows after a change whose error the page shows
CATALOG = pathlib.Path(__file__).resolve().parents[2] / "datasets" / "catalog.toml"


class Stream(NamedTuple):
    """X: rows x columns. y: labels 0, 1, ..., or targets. changes: rows, from 0, at which a new concept begins.

    Columns and targets have mean 0 and deviation 1 in the first tenth. Values of columns are clipped, as
    `okbench league FILE` does. Columns of zeros and ones stay as they are.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    classes: int  # 0: real targets
    changes: tuple = ()

    @property
    def tuned_on(self):
        """Number of rows that choose the settings."""
        return max(1, len(self.y) // FIRST)


def load(name, rows):
    """The first `rows` rows of a stream. Raises okbench.errors.OkbenchError without its files."""
    from okbench.scaling import LIMIT

    X, y = agrawal(rows) if name == "agrawal" else of_catalogue(CLASSES.get(name) or TARGETS[name], rows)
    real = name in TARGETS
    first = slice(max(1, len(y) // FIRST))
    numbers = ~np.isin(X, (0, 1)).all(axis=0)
    X[:, numbers] = standard(X[:, numbers], X[first][:, numbers]).clip(-LIMIT, LIMIT)
    if real:
        return Stream(name, X, standard(y[:, None], y[first, None])[:, 0], 0)
    names, y = np.unique(y, return_inverse=True)
    return Stream(name, X, y, len(names), changes(CLASSES[name], len(y)))


def changes(name, rows):
    """Rows at which the catalogue's generator changes, if all AFTER rows behind them are among the first `rows`."""
    catalog = tomllib.loads(CATALOG.read_text(encoding="utf-8"))
    drift = catalog.get(name, {}).get("generator", {}).get("drift", {})
    return tuple(change for change in drift.get("changes", ()) if change + AFTER <= rows)


def standard(values, first):
    """Columns divided by the deviation in the first rows. A column that is constant there is only centred.

    The mean of equal values may be rounded, so that their deviation is not exactly 0.
    """
    constant = (first == first[0]).all(axis=0)
    means = np.where(constant, first[0], first.mean(axis=0))
    return (values - means) / np.where(constant, 1, first.std(axis=0))


def of_catalogue(name, rows):
    import okbench

    X, y = okbench.load_data(name, rows=rows, dtype="float64")
    X = X.toarray() if hasattr(X, "toarray") else X
    return X[:rows], np.asarray(y[:rows])


def agrawal(rows):
    """Loan applications (Agrawal, Imielinski and Swami, IEEE TKDE 5, 1993), function 2. Categories are one-hot."""
    from river.datasets.synth import Agrawal

    table = [(x, y) for x, y in Agrawal(classification_function=1, seed=1).take(rows)]
    columns = []
    for name in table[0][0]:
        values = np.array([x[name] for x, _ in table], dtype=float)
        if name in ("elevel", "car", "zipcode"):
            columns += [values == category for category in np.unique(values)]
        else:
            columns.append(values)
    return np.column_stack(columns).astype(float), np.array([y for _, y in table])
