"""Files with categories and missing values, and data sets of OpenML, as CSV files of numbers."""

import csv
import hashlib
import io

from .table import MISSING, AddError

OPENML = "openml:"


class Encoded:
    """A source whose content is a CSV file of numbers, with the label first. It has the interface of Source."""

    def __init__(self, source, label, frame, labels):
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([label, *frame.columns])
        writer.writerows([label, *row] for label, row in zip(labels, frame.to_numpy().tolist()))
        self.name, self.path, self.sha256 = source.name, source.path, source.sha256
        self.content = text.getvalue().encode()

    def tables(self, wanted):
        """As Source.tables()."""
        from .csv_file import read_csv
        from .table import Wanted

        return {"train": read_csv(self.name, self.content, Wanted("first", True, wanted.like))}


def frame_of(source, label):
    """(data frame of the features, labels as text) of a CSV file with a header. Raises AddError."""
    import pandas as pd

    source.check_text()
    try:
        text = source.content.decode("utf-8-sig")
        frame = pd.read_csv(
            io.StringIO(text), sep=None, engine="python", na_values=list(MISSING), skipinitialspace=True
        )
    except (ValueError, csv.Error) as error:
        raise AddError(f"{source.name}: {str(error).splitlines()[0]}") from None
    if label is None or label in ("first", "last"):
        raise AddError("--missing: name the column of the label by --label NAME")
    if label not in frame.columns:
        raise AddError(f"{source.name}: has no column '{label}'")
    return frame.drop(columns=label), labels_of(source.name, frame[label])


def labels_of(name, labels):
    if labels.isna().any():
        raise AddError(f"{name}: row {int(labels.isna().to_numpy().argmax()) + 1}: the label is missing")
    return [str(label) for label in labels]


def encoded(source, test_source, options):
    """(source, test source or None, columns) with numbers in place of categories and missing values. Raises AddError.

    The training file determines the categories and the values for missing numbers.
    """
    from ...tables import TableEncoder

    label = source.label if hasattr(source, "label") else options.label
    frame, labels = source.frame() if hasattr(source, "frame") else frame_of(source, options.label)
    encoder = TableEncoder(options.missing or "error")
    sources = []
    try:
        encoder.fit(frame)
        for one in (source, test_source):
            if one is None:
                sources.append(None)
                continue
            rows, texts = (frame, labels) if one is source else frame_of(one, options.label)
            numbers = encoder.transform(rows)
            table = type(frame)(numbers, columns=encoder.get_feature_names_out())
            sources.append(Encoded(one, label, table, texts))
    except ValueError as error:
        raise AddError(f"{source.name}: {error}") from None
    return (*sources, encoder.columns_)


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
        """(data frame of the features, labels as text)."""
        if self.target is None:
            raise AddError(f"{self.name}: has no target column")
        return self.data, labels_of(self.name, self.target)
