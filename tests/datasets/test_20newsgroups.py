"""20 Newsgroups and ImageCLEF 2007 as okbench reads them, against an independent reading in Python.

Only where OKBENCH_MIRROR has the files.
"""

import bz2
import collections
import math
import os
import pathlib
import re
import tarfile

import h5py
import numpy as np
import pytest

MIRROR = pathlib.Path(os.environ.get("OKBENCH_TEST_MIRROR", "/nonexistent"))
ARCHIVE = MIRROR / "20newsgroups" / "20news-bydate.tar.xz"
IMAGES = MIRROR / "imageclef07" / "image_clef_train.arff.bz2"
TRAIN = [480, 584, 591, 590, 578, 593, 585, 594, 598, 597, 600, 595, 591, 594, 593, 599, 546, 564, 465, 377]
TEST = [319, 389, 394, 392, 385, 395, 390, 396, 398, 397, 399, 396, 393, 396, 394, 398, 364, 376, 310, 251]
QUOTED = re.compile(rb"writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>")

SPEC = """format = 2
experiment = "test/read"
precision = "float64"
[data]
name = "{name}"
{more}
max_examples = 40
order = "permutation"
[kernel]
name = "linear"
[trace]
outliers = 5
[learners.a]
learner = "norma"
loss = "multiclass-hinge"
buffer = 16
"""


def body(message):
    return message.partition(b"\n\n")[2]


def stripped(message):
    """The body without footer and quotations, line by line."""
    lines = body(message).strip().split(b"\n")
    rules = [n for n, line in enumerate(lines) if not line.strip().strip(b"-")]
    if rules and rules[-1] > 0:
        lines = lines[: rules[-1]]
    return b"\n".join(line for line in lines if not QUOTED.search(line))


def subject_and_body(message):
    header = message.partition(b"\n\n")[0]
    subject = re.search(rb"^subject:(.*(?:\n[ \t].*)*)", header, re.I | re.M)
    return subject[1] + b"\n" + body(message)


EXTENTS = {"headers": lambda message: message, "subject-body": subject_and_body, "body": body, "stripped": stripped}
# Words of the training part.
WORDS = {"headers": 89038, "subject-body": 86171, "body": 85828, "stripped": 72942}


@pytest.fixture(scope="module")
def messages():
    """The training part's messages, ordered by group and name, and its counts by group; those of the test part."""
    if not ARCHIVE.exists():
        pytest.skip("OKBENCH_MIRROR has no 20newsgroups/20news-bydate.tar.xz")
    contents, counts = {}, {"train": collections.Counter(), "test": collections.Counter()}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if member.isfile():
                folder, group, name = member.name.split("/")
                part = folder.removeprefix("20news-bydate-")
                counts[part][group] += 1
                if part == "train":
                    contents[group, name.encode()] = archive.extractfile(member).read()
    return [contents[key] for key in sorted(contents)], [[counts[p][g] for g in sorted(counts[p])] for p in counts]


@pytest.fixture
def listed(okbench, tmp_path):
    """Runs a learner that lists rows; returns the features and {row: values}."""

    def run(name, *more):
        (tmp_path / "s.toml").write_text(SPEC.format(name=name, more="\n".join(more)))
        okbench("run", "s.toml", "--out", "r", env={"OKBENCH_MIRROR": str(MIRROR)}, check=0)
        (path,) = (tmp_path / "r").glob("test/read/*.h5")
        with h5py.File(path) as file:
            rows = file["listed/example"][:]
            labels = file["listed/label"][:]
            values = file["listed_rows/value"][:].reshape(len(rows), -1)
        path.unlink()
        return values.shape[1], dict(zip(rows, values)), dict(zip(rows, labels))

    return run


def test_documents_of_each_group(messages):
    assert messages[1] == [TRAIN, TEST]


@pytest.mark.parametrize("extent", EXTENTS)
def test_words_and_their_weights(messages, listed, extent):
    counts = [collections.Counter(re.findall(rb"[a-z]+", EXTENTS[extent](m).lower())) for m in messages[0]]
    with_word = collections.Counter(word for count in counts for word in count)
    vocabulary = sorted(with_word)
    assert len(vocabulary) == WORDS[extent]
    places = {word: place for place, word in enumerate(vocabulary)}
    for weights in ("counts", "tf-idf"):
        features, rows, labels = listed("20newsgroups", f'text = "{extent}"', f'term_weights = "{weights}"')
        assert features == len(vocabulary) and len(rows) >= 5
        for row, values in rows.items():
            expected = np.zeros(features)
            for word, tf in counts[row].items():
                idf = math.log(len(counts) / with_word[word])
                expected[places[word]] = tf if weights == "counts" else (1 + math.log(tf)) * idf
            assert np.abs(values - expected).max() < 1e-6
            assert np.cumsum(TRAIN).searchsorted(row, side="right") == labels[row]


def test_images(listed):
    if not IMAGES.exists():
        pytest.skip(f"OKBENCH_MIRROR has no {IMAGES.name}")
    text = bz2.decompress(IMAGES.read_bytes()).decode()
    lines = [line for line in text.split("@DATA")[1].split("\r\n") if line]
    nodes = re.search(r"hierarchical (\S+)", text)[1].split(",")
    leaves = sorted(node for node in nodes if not any(other.startswith(node + "/") for other in nodes))
    assert (len(lines), len(nodes), len(leaves)) == (10000, 96, 63)
    features, rows, labels = listed("imageclef07", 'tree = "full"')
    assert features == 80
    for row, values in rows.items():
        *numbers, path = lines[row].split(",")
        assert list(values) == [float(number) for number in numbers]
        assert leaves[labels[row]] == path.split("@")[-1]
