"""Files with categories and missing values, and data sets of OpenML, as CSV files of numbers."""

import hashlib
import itertools

import numpy as np

from .arff_file import ArffTexts, read_arff
from .arrow_file import ArrowTexts
from .split import divided
from .spooled import release
from .table import BLOCK, LABEL_NAMES, AddError, Builder, Table, Wanted, end_of, number, shown
from .text_columns import (
    Texts,
    categories_of,
    is_numeric,
    marks_of,
    number_or_none,
    numbers_of,
    row_numbers,
)

OPENML = "openml:"
MAX_CATEGORIES = 100  # a column of text with more different values is left out
RISING = ", in rising order"
FEWEST_ROWS = 1024  # that are encoded together


class Encoded:
    """A table of numbers made of a frame, with the interface of Source."""

    def __init__(self, source, frame, encoder, labels):
        self.name, self.path, self.sha256 = source.name, source.path, source.sha256
        builder = Builder(source.name)
        for label, line in zip(labels, frame.lines):
            builder.label(label, line, frame.label)
        names = encoder.get_feature_names_out()
        step = max(FEWEST_ROWS, BLOCK // len(names))
        for start in range(0, len(frame.data), step):
            builder.values.extend(encoder.transform(frame.data.iloc[start : start + step]).ravel())
            for column in frame.mapped:
                release(column)
        self.table = builder.table(
            len(names),
            False,
            source=frame.description,
            label_description=f"column {shown(frame.label)}",
            nominal=frame.nominal,
            names=[frame.label, *names],
            label_column=0,
        )

    def tables(self, _):
        """As Source.tables()."""
        return {"train": self.table}


class Frame:
    """The features of a file as a data frame, its labels as text, and the name of the label.

    `mapped`: the columns that are in temporary files.
    """

    def __init__(self, texts, label, kinds, options):
        import pandas as pd

        self.lines, self.description = texts.lines, texts.description()
        self.labels, self.label = texts.labels(label), texts.names[label]
        self.nominal = texts.types is not None and texts.types[label] == "nominal"
        columns = {}
        for at, numeric in kinds.items():
            if numeric:
                missing = "error" if texts.names[at] == options.delay else options.missing or "error"
                columns[at] = numbers_of(texts, at, missing)
            else:
                columns[at] = categories_of(texts, at)
        names = [texts.names[at] for at in kinds]
        for lag in range(1, (options.lags or 0) + 1):
            # A stream has shown the label of row t - lag when row t comes. The first rows miss it.
            earlier = [number_or_none(label) for label in self.labels[:-lag]]
            columns[f"lag {lag}"] = np.array([np.nan] * lag + earlier, dtype=float)[: len(self.labels)]
            names.append(f"{self.label} lag {lag}")
        # By position, because several columns may have no name. Columns in temporary files stay there.
        self.mapped = [values for values in columns.values() if isinstance(values, np.memmap)]
        self.data = pd.DataFrame(columns, index=range(len(texts.lines)), copy=not self.mapped)
        self.data.columns = names


def texts_of(source, wanted, options, train=None):
    """The columns of a CSV, ARFF, Parquet or Arrow file as text. Raises AddError for other formats."""
    arff = source.is_text() and source.reader() is read_arff
    kind = ArrowTexts if source.is_arrow() else ArffTexts if arff else Texts
    if train is not None and type(train) is not kind:
        raise AddError(f"{source.name}: must have the format of {train.file}")
    if kind is Texts:
        return Texts(source, wanted, marks_of(options.missing_marks), train)
    if options.header is not None or options.missing_marks:
        raise AddError(f"{source.name}: its header and missing values are declared; omit --header and --missing-marks")
    return kind(source, train)


def few(names, most=10):
    return ", ".join(map(str, names[:most])) + (", ..." if len(names) > most else "")


def check_known(file, options, names):
    """Raises AddError for a column of --drop or --categories that is not among `names`."""
    for option, wanted in (("--drop", options.drop), ("--categories", options.categories)):
        for name in wanted:
            if name not in names:
                more = f"; repeat {option} for each column" if "," in name else ""
                raise AddError(
                    f"{file}: {option}: there is no column {shown(name)}; the columns are {few(names)}{more}"
                )


def label_of(texts, wanted, words):
    """The position of the label column. `words`: positions of columns of text. Raises AddError if it is not clear."""
    names = texts.names
    if wanted in ("first", "last"):
        return end_of(texts.file, wanted, names if texts.header else [None] * len(names))
    if wanted is not None:
        if wanted not in names or not texts.header:
            raise AddError(f"{texts.file}: has no column {shown(wanted)}; the columns are {few(names)}")
        return names.index(wanted)
    named = [at for at, name in enumerate(names) if name.lower() in LABEL_NAMES]
    if not named and len(words) > 1:
        raise AddError(
            f"{texts.file}: choose the label by --label; columns of text are {few([names[at] for at in words])}"
        )
    return (named or words or [len(names) - 1])[-1]


def rises(texts):
    """Whether each text is behind the one before, as dates such as 2024-05-01 are."""
    return all(before < text for before, text in itertools.pairwise(texts))


def decided(texts, options):
    """(position of the label, {position: whether it has numbers} of the features, columns that are left out).

    Raises AddError for unknown names and for columns whose text contradicts itself.
    """
    check_known(texts.file, options, texts.names)
    numbering = row_numbers(texts)
    words = [
        at
        for at, column in enumerate(texts.columns)
        if texts.names[at] not in options.drop
        and (texts.types is None or texts.types[at] == "nominal")
        and any(not texts.missing(text) and number_or_none(text) is None for text in column)
    ]
    label = label_of(texts, options.label, words)
    kinds, unused = {}, []
    for at, name in enumerate(texts.names):
        if at == label:
            continue
        why = None
        if name in options.drop:
            why = "as requested"
        elif at < numbering and name not in options.categories:
            why = "it counts the rows"
        else:
            numeric = name not in options.categories and is_numeric(texts, at)
            different = 0 if numeric else len(set(texts.columns[at]))
            if name in options.categories:
                pass
            elif different > MAX_CATEGORIES or texts.types is None and different == len(texts.lines) > 2:
                why = f"text with {different} different values" + RISING * rises(texts.columns[at])
        if why is None:
            kinds[at] = numeric
        else:
            unused.append({"column": name, "left_out": why})
    if not kinds:
        reasons = "; ".join(f"{shown(column['column'])}: {column['left_out']}" for column in unused[:3])
        raise AddError(f"{texts.file}: every column but the label is left out ({reasons})")
    return label, kinds, unused


def standardised(labels, name, rows):
    """(real targets with mean 0 and deviation 1 over `rows` as text, {column, mean, deviation})."""
    from ...scaling import Standardization

    try:
        values = np.array([number(label) for label in labels])
    except ValueError as error:
        text = str(error).rpartition(": ")[2].strip("'")
        raise AddError(f"the label {shown(text)} is not a number; real targets need numbers") from None
    scaled = Standardization(values, name=name, rows=rows)
    of_label = {"column": name, "mean": scaled.mean, "deviation": scaled.deviation}
    return [repr(value) for value in scaled(values).tolist()], of_label


def encoded(source, test_source, options):
    """(source, test source or None, columns, lines to print, rows that give means and deviations, as text).

    Numbers replace categories and missing values. The training rows determine kinds of columns, categories, scales and
    the values for missing numbers. Raises AddError.
    """
    from ...tables import TableEncoder

    if options.scale and options.delay:
        raise AddError("--scale: the column of --delay would be scaled, too; scale the file before")
    if options.scale and test_source and options.kind == "real":
        raise AddError("--scale: real targets cannot be scaled with --test-file")
    if isinstance(source, OpenMl):
        train, unused = source.frame(options), source.unused
    else:
        texts = texts_of(source, Wanted(options.label, options.header), options)
        label, kinds, unused = decided(texts, options)
        train = Frame(texts, label, kinds, options)
    test = None
    if test_source:
        if isinstance(source, OpenMl):
            raise AddError("--test-file: is not for a data set of OpenML; use --test")
        like = Wanted(options.label, options.header, header_of=texts)
        test = Frame(texts_of(test_source, like, options, texts), label, kinds, options)
    rows, scaled_by = fitted(source.name, train, options)
    encoder = TableEncoder(options.missing or "error", scale=options.scale, scale_rows=rows)
    columns, notes = list(unused), []
    try:
        if options.test:
            encoder.set_params(scale_rows=None).fit(train.data.iloc[rows])
        else:
            encoder.fit(train.data)
        labels = train.labels
        if options.scale and options.kind == "real":
            labels, of_label = standardised(labels, train.label, rows)
            columns.append(of_label)
        sources = [Encoded(source, train, encoder, labels)]
        sources.append(None if test is None else Encoded(test_source, test, encoder, test.labels))
    except (KeyError, ValueError) as error:
        raise AddError(f"{source.name}: {error.args[0]}") from None
    notes += [
        f"note      {name}: whole numbers that rise; if they are identifiers, use --drop {name}"
        for at, name in enumerate(train.data.columns)
        if at in encoder.scales_ and counts_up(train.data.iloc[:, at].to_numpy(dtype=float, na_value=np.nan))
    ]
    if test is not None or options.test:
        notes += unseen(encoder, (test or train).data)
    return (*sources, columns + encoder.columns_, notes, scaled_by)


def counts_up(values):
    """Whether at least three values are whole numbers, each larger than the one before."""
    return len(values) > 2 and bool(np.all(values[1:] > values[:-1])) and bool(np.all(values == np.rint(values)))


def fitted(name, frame, options):
    """(positions of the rows that give means, medians and deviations, these rows as text). Raises AddError."""
    from ...scaling import tenth

    count = len(frame.labels)
    if options.test:
        table = Table(name, "", frame.labels, "", np.zeros((count, 0)), 0, frame.lines, nominal=frame.nominal)
        return divided(table, options)[2], "the training part"
    if options.scale_on in (None, "all"):
        return np.arange(count), "the training file" if options.test_file else f"all {count} rows"
    first = options.scale_on == "first-tenth"
    rows = tenth(count, None if first else 0)
    return rows, f"the first {len(rows)} rows" if first else f"{len(rows)} random rows"


def unseen(encoder, data):
    """Lines about categories of test rows that the training rows lack. `data`: frame with the test rows."""
    from ...tables import category

    lines = []
    for at, column in enumerate(encoder.columns_):
        if "categories" in column:
            texts = [category(value) for value in data.iloc[:, at].tolist()]
            new = sorted({text for text in texts if text not in column["categories"]})
            if new:
                rows = sum(text in new for text in texts)
                few = ", ".join(map(shown, new[:5])) + (", ..." if len(new) > 5 else "")
                lines.append(f"note      {column['column']}: {rows} test rows have categories without a feature: {few}")
    return lines


class OpenMl:
    """A data set of OpenML, fetched by scikit-learn, with the interface of Frame. Raises AddError."""

    mapped = ()

    def __init__(self, word):
        import pathlib

        from pandas.api.types import is_numeric_dtype
        from sklearn.datasets import fetch_openml

        number = word.removeprefix(OPENML)
        if not number.isdecimal():
            raise AddError(f"{word}: must be openml:ID with the number of a data set")
        try:
            bunch = fetch_openml(data_id=int(number), as_frame=True, parser="auto")
        except Exception as error:  # whatever the network or the parser raises
            raise AddError(f"{word}: cannot be fetched: {str(error).splitlines()[0]}") from None
        self.name, self.path = word, pathlib.Path(word)
        if bunch.target is None or getattr(bunch.target, "ndim", 1) != 1:
            raise AddError(f"{word}: needs exactly one target column")
        self.data, self.label, self.unused = bunch.data, bunch.target.name or "label", []
        self.lines, self.description = range(1, len(bunch.data) + 1), "a table of OpenML"
        self.nominal = not is_numeric_dtype(bunch.target)
        if bunch.target.isna().any():
            row = int(bunch.target.isna().to_numpy().argmax()) + 1
            raise AddError(f"{word}: row {row}: the label is missing; remove the row")
        self.labels = [str(label) for label in bunch.target]
        self.sha256 = hashlib.sha256(self.data.assign(**{"": bunch.target}).to_json().encode()).hexdigest()

    def frame(self, options):
        """The features, of which columns of text with many values are left out. Raises AddError."""
        from ...tables import is_number

        if options.label not in (None, self.label):
            raise AddError(f"--label {shown(options.label)}: the label of {self.name} is {shown(self.label)}")
        if options.header is not None:
            raise AddError("--header: is for CSV files")
        if options.lags:
            raise AddError("--lags: is for files")
        check_known(self.name, options, list(self.data.columns))
        self.unused = [{"column": name, "left_out": "as requested"} for name in options.drop]
        data = self.data.drop(columns=options.drop)
        data = data.astype({name: str for name in options.categories})
        for at, name in enumerate(data.columns):
            if not is_number(data.dtypes.iloc[at], data, at) and data[name].nunique() > MAX_CATEGORIES:
                why = f"text with {data[name].nunique()} different values"
                self.unused.append({"column": name, "left_out": why})
        self.data = data.drop(columns=[column["column"] for column in self.unused if column["column"] in data.columns])
        return self
