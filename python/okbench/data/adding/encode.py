"""Files with categories and missing values, and data sets of OpenML, as CSV files of numbers."""

import csv
import hashlib
import io

import numpy as np

from .csv_file import Survey, sniff
from .table import LABEL_NAMES, MISSING, AddError, Wanted, check_names, number, shown

OPENML = "openml:"
MAX_CATEGORIES = 100  # a column of text with more different values is left out


class Encoded:
    """A source whose content is a CSV file of numbers, with the label first. It has the interface of Source."""

    def __init__(self, source, label, frame, labels):
        self.label = label
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([label, *frame.columns])
        writer.writerows([label, *row] for label, row in zip(labels, frame.to_numpy().tolist()))
        self.name, self.path, self.sha256 = source.name, source.path, source.sha256
        self.content = text.getvalue().encode()

    def tables(self, wanted):
        """As Source.tables()."""
        from .csv_file import read_csv

        table = read_csv(self.name, self.content, Wanted("first", True, wanted.like))
        table.label_description = f"column {shown(self.label)}"
        return {"train": table}


def frame_of(source, wanted):
    """(data frame of the features, labels as text, name of the label) of a CSV file. Raises AddError.

    Columns without names are called column1, column2, ... A missing label is an error.
    """
    import pandas as pd

    source.check_text()
    delimiter = sniff(source.name, source.content)
    survey = Survey(source.name, source.content, delimiter)
    header = survey.has_header(wanted)
    names = [field.strip() for field in survey.first] if header else None
    if header:
        check_names(source.name, survey.line, names)
    names = names or [f"column{number}" for number in range(1, len(survey.first) + 1)]
    try:
        frame = pd.read_csv(
            io.StringIO(source.content.decode("utf-8-sig")),
            sep=delimiter,
            header=0 if header else None,
            names=names,
            index_col=False,
            na_values=list(MISSING),
            skipinitialspace=True,
            low_memory=False,  # else a long column may have numbers in one part and texts in another
        )
    except (ValueError, csv.Error) as error:
        raise AddError(f"{source.name}: {str(error).splitlines()[0]}") from None
    label = label_of(source.name, wanted.label, frame)
    return frame.drop(columns=label), labels_of(source.name, frame[label]), label


def label_of(file, wanted, frame):
    """The name of the label column. Raises AddError if it is unknown or not clear."""
    from ...tables import is_number

    names = list(frame.columns)
    if wanted in ("first", "last"):
        return names[0 if wanted == "first" else -1]
    if wanted is not None:
        if wanted not in names:
            few = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise AddError(f"{file}: has no column {shown(wanted)}; the columns are {few}")
        return wanted
    named = [name for name in names if name.lower() in LABEL_NAMES]
    words = [name for name in names if not is_number(frame[name])]
    if not named and len(words) > 1:
        raise AddError(f"{file}: choose the label by --label; columns of text are {', '.join(words[:10])}")
    return (named or words or names)[-1]


def labels_of(name, labels):
    if labels.isna().any():
        raise AddError(f"{name}: row {int(labels.isna().to_numpy().argmax()) + 1}: the label is missing")
    return [str(label) for label in labels]


def left_out(frame, wanted):
    """[{column, left_out: reason}] of the columns that are no features. Raises AddError for an unknown name."""
    from ...tables import is_number

    unknown = [name for name in wanted if name not in frame.columns]
    if unknown:
        raise AddError(f"--drop: there is no column {shown(unknown[0])}")
    found = []
    for name in frame.columns:
        if name in wanted:
            found.append({"column": name, "left_out": "as requested"})
        elif not is_number(frame[name]) and frame[name].nunique() > MAX_CATEGORIES:
            found.append({"column": name, "left_out": f"text with {frame[name].nunique()} different values"})
    return found


def standardised(labels, name):
    """(real targets with mean 0 and deviation 1 as text, {column, mean, deviation})."""
    from ...tables import Standardization

    try:
        values = np.array([number(label) for label in labels])
    except ValueError as error:
        text = str(error).rpartition(": ")[2].strip("'")
        raise AddError(f"the label {shown(text)} is not a number; real targets need numbers") from None
    scaled = Standardization(values, name=name)
    of_label = {"column": name, "mean": scaled.mean, "deviation": scaled.deviation}
    return [repr(value) for value in scaled(values).tolist()], of_label


def encoded(source, test_source, options):
    """(source, test source or None, columns) with numbers in place of categories and missing values. Raises AddError.

    The training file determines categories, scales and the values for missing numbers.
    """
    from ...tables import TableEncoder

    wanted = Wanted(options.label, options.header)
    frame, labels, label = source.frame() if hasattr(source, "frame") else frame_of(source, wanted)
    scaled = options.scale == "standard"
    if scaled and test_source and options.kind == "real":
        raise AddError("--scale: real targets cannot be scaled with --test-file")
    columns = left_out(frame, options.drop)
    unused = [one["column"] for one in columns]
    encoder = TableEncoder(options.missing or "error", scale="standard" if scaled else None)
    sources = []
    try:
        encoder.fit(frame.drop(columns=unused))
        if scaled and options.kind == "real":
            labels, of_label = standardised(labels, label)
            columns.append(of_label)
        for one in (source, test_source):
            if one is None:
                sources.append(None)
                continue
            rows, texts = (frame, labels) if one is source else frame_of(one, Wanted(label, options.header))[:2]
            numbers = encoder.transform(rows.drop(columns=unused))
            table = type(frame)(numbers, columns=encoder.get_feature_names_out())
            sources.append(Encoded(one, label, table, texts))
    except (KeyError, ValueError) as error:
        raise AddError(f"{source.name}: {error.args[0]}") from None
    return (*sources, columns + encoder.columns_)


class OpenMl:
    """A data set of OpenML, fetched by scikit-learn. Raises AddError."""

    def __init__(self, word):
        import pathlib

        from sklearn.datasets import fetch_openml

        number = word.removeprefix(OPENML)
        if not number.isdecimal():
            raise AddError(f"{word}: must be openml:ID with the number of a data set")
        try:
            found = fetch_openml(data_id=int(number), as_frame=True, parser="auto")
        except Exception as error:  # whatever the network or the parser raises
            raise AddError(f"{word}: cannot be fetched: {str(error).splitlines()[0]}") from None
        self.name, self.path = word, pathlib.Path(word)
        self.data, self.target = found.data, found.target
        self.label = getattr(found.target, "name", None) or "label"
        self.sha256 = hashlib.sha256(self.data.assign(**{"": self.target}).to_json().encode()).hexdigest()

    def frame(self):
        """(data frame of the features, labels as text, name of the label)."""
        if self.target is None:
            raise AddError(f"{self.name}: has no target column")
        return self.data, labels_of(self.name, self.target), self.label
