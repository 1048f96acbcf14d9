"""TableEncoder: turns tables with categories and missing values into numbers, as `okbench data add` does."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted

MISSING = ("error", "mean", "median")


class TableEncoder(TransformerMixin, BaseEstimator):
    """Encodes columns of text as one-hot features, and fills missing numbers in.

    Parameters
    ----------
    missing : {'error', 'mean', 'median'}, default='error'
        'error': a missing number raises ValueError. 'mean', 'median': replace it by that value of its column in `fit`.
        A missing category becomes the category "missing".
    categories : 'auto' or list of str, default='auto'
        Columns that are categories. 'auto': all columns that are not numbers.
    scale : {None, 'standard'}, default=None
        'standard': scale each column of numbers to mean 0 and standard deviation 1 over the rows of `fit`.

    Attributes
    ----------
    columns_ : list of dict
        One entry per column: its name `column`; for categories, `categories` in sorted order; for numbers, `missing`
        and `fill` if values were replaced, and `mean` and `deviation` if scaled.

    Examples
    --------
    >>> import okbench, pandas
    >>> X = pandas.DataFrame({"size": [1.0, None, 3.0], "colour": ["red", "blue", "red"]})
    >>> okbench.tables.TableEncoder(missing="mean").fit_transform(X)
    array([[1., 0., 1.],
           [2., 1., 0.],
           [3., 0., 1.]])
    """

    def __init__(self, missing="error", categories="auto", scale=None):
        self.missing = missing
        self.categories = categories
        self.scale = scale

    def fit(self, X, y=None):
        """Takes categories and values for missing numbers from X, a data frame or an array. Raises ValueError."""
        if self.missing not in MISSING:
            raise ValueError(f"missing: must be one of {', '.join(MISSING)}, not {self.missing!r}")
        if self.scale not in (None, "standard"):
            raise ValueError(f"scale: must be None or 'standard', not {self.scale!r}")
        X = self._frame(X)
        if isinstance(self.categories, str):
            nominal = [name for name in X.columns if not is_number(X[name])]
        else:
            nominal = list(self.categories)
            unknown = [name for name in nominal if name not in X.columns]
            if unknown:
                raise ValueError(f"categories: there is no column {unknown[0]!r}")
        numbers = [name for name in X.columns if name not in nominal]
        self.encoder_ = ColumnTransformer(
            [
                ("numbers", NumberColumns(self.missing, self.scale), numbers),
                ("categories", OneHotEncoder(handle_unknown="ignore", sparse_output=False), nominal),
            ],
            sparse_threshold=0,
        )
        self.names_, self._nominal = list(X.columns), nominal
        self._require_complete(X, numbers)
        self.encoder_.fit(self._texts(X))
        known = dict(zip(nominal, self.encoder_.named_transformers_["categories"].categories_)) if nominal else {}
        fitted = self.encoder_.named_transformers_["numbers"].columns_ if numbers else {}
        self.columns_ = []
        for name in X.columns:
            one = {"column": str(name)}
            if name in known:
                one["categories"] = [str(value) for value in known[name]]
            elif self.missing != "error" and X[name].isna().any():
                one |= {"missing": self.missing, "fill": fitted[name].fill}
            if name in fitted and self.scale:
                one |= {"mean": fitted[name].mean, "deviation": fitted[name].deviation}
            self.columns_.append(one)
        return self

    def transform(self, X):
        """Numbers, shape (rows, features): the columns of numbers first, then one feature per category.

        A category that `fit` has not seen gives zeros. Raises ValueError for other columns than those of `fit`, and for
        a missing number with missing="error".
        """
        check_is_fitted(self, "encoder_")
        X = self._frame(X)
        if list(X.columns) != self.names_:
            raise ValueError(f"the columns are {list(X.columns)}; fit had {self.names_}")
        self._require_complete(X, [name for name in self.names_ if name not in self._nominal])
        return np.asarray(self.encoder_.transform(self._texts(X)), dtype=float)

    def get_feature_names_out(self, input_features=None):
        """Names of the features: a column, or "column=category"."""
        check_is_fitted(self, "encoder_")
        numbers = [one["column"] for one in self.columns_ if "categories" not in one]
        return np.array(
            numbers + [f"{one['column']}={value}" for one in self.columns_ for value in one.get("categories", ())],
            dtype=object,
        )

    @staticmethod
    def _frame(X):
        import pandas as pd

        return X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X, dtype=object)).infer_objects()

    def _texts(self, X):
        """X with categories as text; a missing one is "missing"."""
        X = X.copy()
        for name in self._nominal:
            X[name] = X[name].astype(object).where(X[name].notna(), "missing").astype(str)
        return X

    def _require_complete(self, X, numbers):
        for name in numbers if self.missing == "error" else ():
            wrong = np.flatnonzero(X[name].isna())
            if len(wrong):
                raise ValueError(f"column {name!r}: row {wrong[0]} has no value; set missing to 'mean' or 'median'")


class Standardization:
    """Maps values to mean 0 and standard deviation 1: z = (x - mean) / deviation over the values it was made from.

    Subtracts one of the values before anything else, and works in a unit near the largest difference. So a column
    10^18 + i keeps its differences, and squares neither overflow nor vanish. Attributes: `mean`, `deviation` (1 for
    equal values), `fill`: mean or median of the values.
    """

    def __init__(self, values, missing="mean", name="values"):
        """`values`: one-dimensional, NaN if missing. Raises ValueError for infinite values, and for a range beyond
        1.8e308."""
        values = np.asarray(values, dtype=float)
        known = values[~np.isnan(values)]
        if not np.isfinite(known).all():
            raise ValueError(f"column {name!r}: row {np.flatnonzero(np.isinf(values))[0]} is infinite")
        self._start = known[0] if len(known) else 0.0
        with np.errstate(over="ignore"):
            differences = known - self._start
        if not np.isfinite(differences).all():
            raise ValueError(f"column {name!r}: the range of its values is beyond 1.8e308")
        largest = np.abs(differences).max(initial=0)
        self._unit = float(np.ldexp(1.0, int(np.frexp(largest)[1]) - 1)) if largest else 1.0
        inner = differences / self._unit
        self._mean = float(inner.mean()) if len(inner) else 0.0
        self._deviation = float(np.sqrt(np.mean((inner - self._mean) ** 2))) if largest else 1.0
        middle = np.median(inner) if missing == "median" and len(inner) else self._mean
        self.mean = float(self._start + self._unit * self._mean)
        self.fill = float(self._start + self._unit * middle)
        self.deviation = self._unit * self._deviation

    def __call__(self, values):
        """The standardised values. Infinite values stay infinite."""
        with np.errstate(over="ignore"):
            return ((np.asarray(values, dtype=float) - self._start) / self._unit - self._mean) / self._deviation


class NumberColumns(TransformerMixin, BaseEstimator):
    """Fills missing numbers and, with scale="standard", standardises. `columns_`: {name: Standardization}."""

    def __init__(self, missing="error", scale=None):
        self.missing = missing
        self.scale = scale

    def fit(self, X, y=None):
        self.columns_ = {name: Standardization(X[name], self.missing, str(name)) for name in X.columns}
        return self

    def transform(self, X):
        columns = []
        for name, one in self.columns_.items():
            values = np.asarray(X[name], dtype=float)
            values = np.where(np.isnan(values), one.fill, values)
            columns.append(one(values) if self.scale else values)
        return np.column_stack(columns) if columns else np.zeros((len(X), 0))

    def get_feature_names_out(self, input_features=None):
        return np.array([str(name) for name in self.columns_], dtype=object)


def is_number(column):
    """Whether a column holds numbers. A column without any value counts as numbers."""
    import pandas as pd

    return bool(pd.api.types.is_numeric_dtype(column)) or bool(column.isna().all())
