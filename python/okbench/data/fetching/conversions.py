"""Converts data of packages to the text formats that the program reads: CSV and LIBSVM."""

import collections
import gzip
import io
import re

import numpy as np

IDX_HEADER = {"images": 16, "labels": 8}  # bytes before the pixels, or labels, of an IDX file
MAX_NUMBERS = 12  # numbers of a column that are categories; more are divided by quintiles
DECIMALS = 1000  # pixels are rounded to multiples of 1 / DECIMALS


def csv_of(frame, label="", positive=(), scale=None, drop=()):
    """The rows of a data frame as CSV without a header, the column `label` first, or the columns in their order.

    Integers have no point. Missing values are empty. `positive`: labels of class 1; the others become -1. `scale`:
    [low, high] of the values, which are mapped to [-1, 1]. `drop`: columns to leave out.
    """

    def text(value, name):
        if positive and name == label:
            return "1" if value in positive else "-1"
        if scale and name != label and value is not None:
            value = round(2 * (value - scale[0]) / (scale[1] - scale[0]) - 1, 6)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return "" if value is None else str(value)

    names = sorted((name for name in frame if name not in drop), key=lambda name: name != label)
    lines = zip(*([text(value, name) for value in frame[name]] for name in names))
    return "".join(",".join(line) + "\n" for line in lines).encode()


def frame_of_arff(content):
    """The columns of an ARFF file with numbers and nominal values, as those of a data frame."""
    from scipy.io import arff

    rows, about = arff.loadarff(io.StringIO(content.decode()))
    texts = {name for name, kind in zip(about.names(), about.types()) if kind == "nominal"}
    return {name: [value.decode() if name in texts else float(value) for value in rows[name]] for name in about.names()}


def words_of(content, vocabulary, count):
    """An ARFF file of texts with a class 0 or 1 as LIBSVM text: a feature is 1 if the text has the word.

    The words are the `count` that are in most texts of the file `vocabulary`, ties in the order of the alphabet, apart
    from those in more than half of the texts.
    """

    def texts_of(file):
        for text, label in re.findall(r"^'((?:[^'\\]|\\.)*)' *,([01])$", file.decode("latin-1"), re.MULTILINE):
            yield {*re.findall("[a-z]+", text.replace("\\n", " ").lower())}, label

    texts = [words for words, _ in texts_of(vocabulary)]
    counts = collections.Counter(word for words in texts for word in words)
    known = sorted((-number, word) for word, number in counts.items() if 2 * number <= len(texts))[:count]
    features = {word: i + 1 for i, (_, word) in enumerate(known)}
    lines = []
    for words, label in texts_of(content):
        ones = sorted(features[word] for word in words & features.keys())
        lines.append(" ".join(["1" if label == "1" else "-1", *(f"{feature}:1" for feature in ones)]))
    return ("\n".join(lines) + "\n").encode()


def statlog_of(frame, label, codes, rows):
    """Rows of a data frame of integers as UCI's Statlog files: separated by blanks, the label's number in `codes` last.

    `rows`: [first, end) of the rows. Labels count from 1.
    """
    columns = [values[slice(*rows)] for name, values in frame.items() if name != label]
    labels = [codes.index(value) + 1 for value in frame[label][slice(*rows)]]
    return "".join(" ".join(f"{value:.0f}" for value in row) + "\n" for row in zip(*columns, labels)).encode()


def categories(values):
    """The category of each value of a column as text, or None: a text, a number, or the interval of a number if there
    are more than MAX_NUMBERS numbers. The quintiles of the column, without repetitions, divide the intervals."""
    numbers = {value for value in values if not isinstance(value, (str, type(None)))}
    if len(numbers) <= MAX_NUMBERS:
        return [None if value is None else str(value) for value in values]
    cuts = np.unique(
        np.quantile([value for value in values if value is not None], (0.2, 0.4, 0.6, 0.8), method="lower")
    )
    return [None if value is None else f"{np.searchsorted(cuts, value)}" for value in values]


def indicators_of(frame, label, positive, train=True, test_every=4):
    """A part of a data frame as LIBSVM text with a feature for each category of each column, as Platt made a9a and w8a.

    A feature is 1 if the row has the category. The most common category of a column has no feature, and neither has a
    missing value. Features are numbered by column, then by category in the order of their texts. The test part is
    every `test_every`-th row. `positive`: as in csv_of().
    """
    columns = {name: categories(values) for name, values in frame.items() if name != label}
    features = {}
    for name, values in columns.items():
        counts = collections.Counter(value for value in values if value is not None)
        for value in sorted(counts.keys() - {max(sorted(counts), key=counts.get)}):
            features[name, value] = len(features) + 1
    lines = []
    for i, target in enumerate(frame[label]):
        if (i % test_every < test_every - 1) == train:
            ones = [features.get((name, values[i])) for name, values in columns.items()]
            lines.append(
                " ".join(["1" if target in positive else "-1", *(f"{feature}:1" for feature in ones if feature)])
            )
    return ("\n".join(lines) + "\n").encode()


def resized(pixels, side):
    """Means of the square areas of images (n x s x s, integers of 0 to 255) that `side` x `side` pixels cover.

    Maps 0 to -1 and 255 to 1, and returns the values times DECIMALS, rounded half up, as integers (n x side^2).
    """
    before = pixels.shape[1]
    fine = np.lcm(before, side)  # each old and each new pixel is a square of whole fine pixels
    large = pixels.astype(np.int64).repeat(fine // before, axis=1).repeat(fine // before, axis=2)
    width = fine // side
    sums = large.reshape(len(pixels), side, width, side, width).sum(axis=(2, 4))
    most = 255 * width * width
    return ((2 * DECIMALS * sums + most // 2) // most - DECIMALS).reshape(len(pixels), -1)


def images_of(images, labels, rows, side):
    """The first `rows` images of two IDX files as CSV, label first, resized to `side` x `side` pixels in [-1, 1]."""
    images, labels = (
        np.frombuffer(gzip.decompress(content)[IDX_HEADER[kind] :], dtype=np.uint8)
        for kind, content in (("images", images), ("labels", labels))
    )
    before = round((images.size / labels.size) ** 0.5)
    values = resized(images.reshape(-1, before, before)[:rows], side)
    texts = {value: f"{value / DECIMALS:g}" for value in range(-DECIMALS, DECIMALS + 1)}
    lines = (",".join([str(label), *map(texts.get, row)]) for label, row in zip(labels, values.tolist()))
    return ("\n".join(lines) + "\n").encode()
