"""NumPy's .npy (a matrix, a label in each row) and .npz (arrays X and y, or those of both parts)."""

import io
import zipfile

import numpy as np
from .. import unpacking

from .table import INFINITE, NO_LABEL, AddError, Table, choose_label, plain, shown

ZIP = b"PK\x03\x04"
MOST_ARRAYS = 100  # of an archive


def check_archive(file, content):
    """AddError for an archive of too many arrays, or of arrays that unpack to more than the limit; raises others for
    what is none."""
    members = zipfile.ZipFile(io.BytesIO(content)).infolist()
    if len(members) > MOST_ARRAYS:
        raise AddError(f"{file}: has {len(members)} arrays, more than {MOST_ARRAYS}")
    # No member gives more than it says here.
    most = unpacking.most_of(len(content))
    if sum(member.file_size for member in members) > most:
        raise AddError(f"{file}: {unpacking.too_large(most)}")


def load(file, content):
    """An array, or the arrays of an archive by name."""
    try:
        if content.startswith(ZIP):
            check_archive(file, content)
        loaded = np.load(io.BytesIO(content), allow_pickle=False)
        return loaded if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}
    except AddError:
        raise
    except Exception as error:  # what a damaged file raises is not documented
        if "allow_pickle" in str(error) or "pickled" in str(error):
            raise AddError(
                f"{file}: holds Python objects or is no NumPy file; only arrays of numbers are read"
            ) from None
        raise AddError(f"{file}: is no NumPy file, or damaged") from None


def is_numeric(values):
    return values.dtype.kind in "buif"


def matrix(file, values):
    """Finite float64 rows; rows of more dimensions, such as images, become flat."""
    if not is_numeric(values):
        raise AddError(f"{file}: has values of type {values.dtype}; features must be numbers")
    if values.ndim < 2:
        raise AddError(f"{file}: the rows must be a matrix, not of {values.ndim} dimension{'s'[:values.ndim != 1]}")
    if 0 in values.shape:
        raise AddError(f"{file}: has no rows or no columns")
    rows = np.ascontiguousarray(values.reshape(len(values), -1), dtype=np.float64)
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        row, column = bad[0]
        cause = "the value is missing (nan)" if np.isnan(rows[row, column]) else "the value is not finite"
        raise AddError(f"{file}: row {row + 1}, column {column + 1}: {cause}")
    return rows


def label_texts(file, labels):
    """Labels as a text file would write them."""
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise AddError(f"{file}: y must have one label a row, not the shape {labels.shape}")
    if is_numeric(labels):
        texts = [plain(value) for value in labels.astype(np.float64).tolist()]
    elif labels.dtype.kind == "U":
        # Lone surrogates are no text that could be written.
        texts = [text.encode(errors="replace").decode().strip() for text in labels.tolist()]
    else:
        raise AddError(f"{file}: has labels of type {labels.dtype}; they must be numbers or text")
    for row, text in enumerate(texts):
        if text.lower() in NO_LABEL or text.lower().lstrip("+-") in INFINITE:
            raise AddError(f"{file}: row {row + 1}: the label is missing or not finite ({shown(text)})")
    return texts


def read_npy(file, content, wanted):
    """The table of a matrix whose first or last column is the label."""
    values = load(file, content)
    if isinstance(values, dict):
        raise AddError(f"{file}: is no single array")
    if values.ndim != 2:
        raise AddError(f"{file}: must be a matrix with a label in each row; its shape is {values.shape}")
    rows = matrix(file, values)
    label, why = choose_label(file, wanted, rows.shape[1], None, ())
    return Table(
        file=file,
        source=f"a NumPy matrix of type {values.dtype}",
        labels=[plain(value) for value in rows[:, label].tolist()],
        label_said=f"column {label + 1}, {why}",
        values=np.delete(rows, label, axis=1),
        features=rows.shape[1] - 1,
        label_column=label,
    )


def read_npz(file, content, wanted):
    """{"train": table} of X and y; with "test" of x_train, y_train, x_test and y_test."""
    if wanted.label is not None:
        raise AddError(f"{file}: --label is not for .npz files; the labels are the array y")
    arrays = {name.lower(): values for name, values in load(file, content).items()}
    if {"format", "shape"} <= set(arrays):
        raise AddError(f"{file}: is a sparse matrix of scipy, which has no labels; save rows and labels as LIBSVM text")
    names = {"train": ("x_train", "y_train"), "test": ("x_test", "y_test")}
    if {"x", "y"} <= set(arrays):
        names = {"train": ("x", "y")}
    elif not set(names["train"] + names["test"]) <= set(arrays):
        raise AddError(
            f"{file}: has the arrays {', '.join(map(shown, sorted(arrays)[:10])) or '(none)'}; needed are X and y,"
            " or x_train, y_train, x_test and y_test"
        )
    tables = {}
    for part, (x, y) in names.items():
        rows, labels = matrix(f"{file}: {x}", arrays[x]), label_texts(f"{file}: {y}", arrays[y])
        if len(rows) != len(labels):
            raise AddError(f"{file}: {x} has {len(rows)} rows, {y} has {len(labels)} labels")
        shape = f" of {' x '.join(map(str, arrays[x].shape[1:]))}, made flat" if arrays[x].ndim > 2 else ""
        tables[part] = Table(
            file=f"{file}: {x}",
            source=f"NumPy arrays {x} and {y} of type {arrays[x].dtype}" + (f"; rows{shape}" if shape else ""),
            labels=labels,
            label_said=f"the array {y}",
            values=rows,
            features=rows.shape[1],
        )
    return tables
