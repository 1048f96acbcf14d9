"""TableEncoder: turns tables with categories and missing values into numbers, as `okbench data add` does."""

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.validation import check_is_fitted

from .scaling import SCALES, Standardization, tenth

__all__ = ["TableEncoder", "tenth"]
MISSING = ("error", "mean", "median")


class TableEncoder(TransformerMixin, BaseEstimator):
    """Encodes columns of text as one-hot features, and fills missing numbers in.

    Parameters
    ----------
    missing : {'error', 'mean', 'median'}, default='error'
        'error': a missing number raises ValueError. 'mean', 'median': replace it by that value of its column in `fit`.
        A missing category becomes the category "missing".
    categories : 'auto' or list of column names, default='auto'
        Columns that are categories. 'auto': all columns that are not numbers. Categories are texts without blanks
        around them; the number 1.0 is the category "1".
    scale : {None, 'standard', 'clipped'}, default=None
        'standard': scale each column of numbers to mean 0 and standard deviation 1 over the rows of `fit`.
        'clipped': the same; then values above 3 become 3, and values below -3 become -3. A column of a stream may
        leave the range of the first rows, and then it alone would decide every distance.
    scale_rows : None or array of int, default=None
        Positions of the rows of `fit` that give means, medians and deviations. None: all rows. See `tenth`.

    Attributes
    ----------
    columns_ : list of dict
        One entry per column: its name `column`; for categories, `categories` in sorted order; for numbers, `missing`
        and `fill` if values were replaced; `mean` and `deviation` if scaled; `constant` (True) if the rows that scale
        it have one value; `clipped`, the number of values of `fit` that were clipped, if there are any.

    Examples
    --------
    >>> import okbench, pandas
    >>> X = pandas.DataFrame({"size": [1.0, None, 3.0], "colour": ["red", "blue", "red"]})
    >>> okbench.tables.TableEncoder(missing="mean").fit_transform(X)
    array([[1., 0., 1.],
           [2., 1., 0.],
           [3., 0., 1.]])
    """

    def __init__(self, missing="error", categories="auto", scale=None, scale_rows=None):
        self.missing = missing
        self.categories = categories
        self.scale = scale
        self.scale_rows = scale_rows

    def fit(self, X, y=None):
        """Takes categories and values for missing numbers from X, a data frame or an array. Raises ValueError."""
        if self.missing not in MISSING:
            raise ValueError(f"missing: must be one of {', '.join(MISSING)}, not {self.missing!r}")
        if self.scale not in (None, *SCALES):
            raise ValueError(f"scale: must be None, {' or '.join(map(repr, SCALES))}, not {self.scale!r}")
        X = self._frame(X)
        names = list(X.columns)
        if isinstance(self.categories, str):
            chosen = [at for at, kind in enumerate(X.dtypes) if not is_number(kind, X, at)]
        else:
            unknown = [name for name in self.categories if name not in names]
            if unknown:
                raise ValueError(f"categories: there is no column {unknown[0]!r}")
            chosen = [at for at, name in enumerate(names) if name in self.categories]
        # Columns are known by position: names may be numbers, or occur twice.
        self.names_, self._nominal = names, chosen
        nominal = set(chosen)
        self._numbers = [at for at in range(len(names)) if at not in nominal]
        self.scales_, with_holes, clipped = {}, set(), {}
        for at in self._numbers:
            values = self._values(X, at)
            scale = Standardization(values, self.missing, str(names[at]), self.scale_rows, self.scale == "clipped")
            self.scales_[at], clipped[at] = scale, scale.clipped(values)
            if np.isnan(values).any():
                with_holes.add(at)
        self.encoder_ = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        known = {}
        if chosen:
            self.encoder_.fit(self._texts(X))
            known = dict(zip(chosen, self.encoder_.categories_))
        self.columns_ = []
        for at, name in enumerate(names):
            column = {"column": str(name)}
            if at in known:
                column["categories"] = [str(value) for value in known[at]]
            elif at in with_holes:
                column |= {"missing": self.missing, "fill": self.scales_[at].fill}
            if at in self.scales_ and self.scale:
                column |= {"mean": self.scales_[at].mean, "deviation": self.scales_[at].deviation}
                column |= {"constant": True} if self.scales_[at].constant else {}
                column |= {"clipped": clipped[at]} if clipped[at] else {}
            self.columns_.append(column)
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
        numbers = np.empty((len(X), len(self._numbers)))
        for place, (at, scale) in enumerate(self.scales_.items()):
            column = self._values(X, at)
            column[np.isnan(column)] = scale.fill
            numbers[:, place] = scale(column) if self.scale else column
        return np.hstack([numbers, self.encoder_.transform(self._texts(X))]) if self._nominal else numbers

    def get_feature_names_out(self, input_features=None):
        """Names of the features: a column, or "column=category"."""
        check_is_fitted(self, "encoder_")
        numbers = [column["column"] for column in self.columns_ if "categories" not in column]
        return np.array(
            numbers
            + [f"{column['column']}={value}" for column in self.columns_ for value in column.get("categories", ())],
            dtype=object,
        )

    @staticmethod
    def _frame(X):
        import pandas as pd

        return X if isinstance(X, pd.DataFrame) else pd.DataFrame(np.asarray(X, dtype=object)).infer_objects()

    def _texts(self, X):
        """The categories as texts, shape (rows, columns of categories)."""
        columns = [[category(value) for value in X.iloc[:, at].tolist()] for at in self._nominal]
        return np.array(columns, dtype=object).T.reshape(len(X), len(columns))

    def _values(self, X, at):
        """A column of numbers as a new float64 array, NaN where one is missing. Raises ValueError."""
        values = X.iloc[:, at].to_numpy(dtype=float, na_value=np.nan, copy=True)
        if self.missing == "error" and np.isnan(values).any():
            row = X.index[int(np.isnan(values).argmax())]
            raise ValueError(f"column {self.names_[at]!r}: row {row} has no value; set missing to 'mean' or 'median'")
        return values


def category(value):
    """The text of a category: without blanks around it, whole numbers without ".0", and "missing" if it is missing."""
    import pandas as pd

    if value is None or value is pd.NA or value is pd.NaT or isinstance(value, float) and value != value:
        return "missing"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def is_number(kind, X, at):
    """Whether column `at` of a frame, of this dtype, holds numbers. A column without any value counts as numbers."""
    import pandas as pd

    return bool(pd.api.types.is_numeric_dtype(kind)) or bool(X.iloc[:, at].isna().all())
