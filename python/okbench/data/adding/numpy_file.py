"""Reads NumPy files: .npy (a matrix with one label per row) and .npz (X and y, or x_train, y_train, x_test, y_test)."""

import io
import zipfile

import numpy as np
from .. import unpacking

from .table import INFINITE, NO_LABEL, AddError, Table, choose_label, plain, shown

ZIP = b"PK\x03\x04"
MAX_ARRAYS = 100  # maximum number of arrays in an archive


def check_archive(file, content):
    """Raises AddError if an archive has too many arrays or exceeds the decompression limit.

    Raises other exceptions if the content is not an archive.
    """
    members = zipfile.ZipFile(io.BytesIO(content.read())).infolist()
    if not any(member.filename.endswith(".npy") for member in members):
        what = "spreadsheet; save the sheet as CSV" if members and "[Content" in members[0].filename else "ZIP archive"
        raise AddError(f"{file}: is a {what}" + ("; unpack it" if what == "ZIP archive" else ""))
    if len(members) > MAX_ARRAYS:
        raise AddError(f"{file}: has {len(members)} arrays, more than {MAX_ARRAYS}")
    # zipfile never returns more bytes of a member than its header declares.
    most = unpacking.most_of(content.size)
    if sum(member.file_size for member in members) > most:
        raise AddError(f"{file}: {unpacking.too_large(most)}")


def load(file, content):
    """An array, or {name: array} of an archive. Raises AddError."""
    try:
        if content.startswith(ZIP):
            check_archive(file, content)
        loaded = np.load(io.BytesIO(content.read()), allow_pickle=False)
        return loaded if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}
    except AddError:
        raise
    except Exception as error:  # NumPy does not document the exceptions for damaged files
        if "allow_pickle" in str(error) or "pickled" in str(error):
            raise AddError(
                f"{file}: contains Python objects or is not a NumPy file; only numeric arrays are supported"
            ) from None
        raise AddError(f"{file}: is damaged or not a NumPy file") from None


def is_numeric(values):
    return values.dtype.kind in "buif"


def matrix(file, values):
    """Rows as finite float64 values. Flattens rows with several dimensions, such as images. Raises AddError."""
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
    """Labels as texts. Raises AddError."""
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise AddError(f"{file}: y must have one label per row; its shape is {labels.shape}")
    if labels.dtype.kind in "iu":
        texts = list(map(str, labels.tolist()))
    elif is_numeric(labels):
        texts = [plain(value) for value in labels.astype(np.float64).tolist()]
    elif labels.dtype.kind == "U":
        # Lone surrogates cannot be written as UTF-8.
        texts = [text.encode(errors="replace").decode().strip() for text in labels.tolist()]
    else:
        raise AddError(f"{file}: has labels of type {labels.dtype}; they must be numbers or text")
    for row, text in enumerate(texts):
        if text.lower() in NO_LABEL or text.lower().lstrip("+-") in INFINITE:
            raise AddError(f"{file}: row {row + 1}: the label is missing or not finite ({shown(text)})")
    return texts


def read_npy(file, content, wanted):
    """Reads a matrix whose first or last column is the label. Raises AddError."""
    values = load(file, content)
    if isinstance(values, dict):
        raise AddError(f"{file}: is not a single array")
    if values.ndim != 2:
        raise AddError(f"{file}: must be a matrix with a label in each row; its shape is {values.shape}")
    rows = matrix(file, values)
    label, why = choose_label(file, wanted, rows.shape[1], None, ())
    return Table(
        file=file,
        source=f"a NumPy matrix of type {values.dtype}",
        labels=[plain(value) for value in rows[:, label].tolist()],
        label_description=f"column {label + 1}, {why}",
        values=np.delete(rows, label, axis=1),
        features=rows.shape[1] - 1,
        label_column=label,
    )


def read_npz(file, content, wanted):
    """{"train": table} from X and y, or {"train": table, "test": table} from x_train, y_train, x_test and y_test.

    Raises AddError.
    """
    if wanted.label is not None:
        raise AddError(f"{file}: --label does not apply to .npz files; the labels are the array y")
    arrays = {}
    for name, values in load(file, content).items():
        if name.lower() in arrays:
            raise AddError(f"{file}: has two arrays {name.lower()!r}, in upper and lower case")
        arrays[name.lower()] = values
    if {"format", "shape"} <= set(arrays):
        raise AddError(f"{file}: is a SciPy sparse matrix, which has no labels; save rows and labels as LIBSVM text")
    names = {"train": ("x_train", "y_train"), "test": ("x_test", "y_test")}
    if {"x", "y"} <= set(arrays):
        names["train"] = ("x", "y")
        if not set(names["test"]) <= set(arrays):
            del names["test"]
    elif not set(names["train"] + names["test"]) <= set(arrays):
        raise AddError(
            f"{file}: has the arrays {', '.join(map(shown, sorted(arrays)[:10])) or '(none)'}; expected X and y,"
            " or x_train, y_train, x_test and y_test"
        )
    tables = {}
    for part, (x, y) in names.items():
        rows, labels = matrix(f"{file}: {x}", arrays[x]), label_texts(f"{file}: {y}", arrays[y])
        if len(rows) != len(labels):
            raise AddError(f"{file}: {x} has {len(rows)} rows, {y} has {len(labels)} labels")
        shape = f" of {' x '.join(map(str, arrays[x].shape[1:]))}, flattened" if arrays[x].ndim > 2 else ""
        tables[part] = Table(
            file=f"{file}: {x}",
            source=f"NumPy arrays {x} and {y} of type {arrays[x].dtype}" + (f"; rows{shape}" if shape else ""),
            labels=labels,
            label_description=f"the array {y}",
            values=rows,
            features=rows.shape[1],
        )
    return tables
