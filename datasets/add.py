#!/usr/bin/python3
"""Adds a data set of your own to okbench's data folder, under a name that specs may use.

FILE is CSV (commas, semicolons or tabs), LIBSVM text, ARFF, or NumPy's .npy or .npz; text may be packed by gzip, bzip2
or xz. Features must be numbers and none may be missing; labels may be numbers or words. The set is written below the
folder as NAME/train.csv.gz (.libsvm.gz when it is sparse) and told in the folder's catalog.toml. The whole file is
held in memory.
"""

import argparse
import os
import pathlib
import re
import signal
import sys
import tomllib

import numpy as np

import ending
from adding.catalogue import Catalogue
from adding.classes import Classes
from adding.source import Source
from adding.split import split
from adding.store import store
from adding.table import AddError, Wanted, shown

RESERVED = ("rows", "words")  # folders of the program's own in a cache


class Parser(argparse.ArgumentParser):
    """Its errors are one line, too."""

    def error(self, message):
        raise AddError(f"{message} (see --help)")


def share(text):
    """A share of the rows, for argparse."""
    value = float(text)
    if not 0 < value < 1:
        raise ValueError(text)
    return value


def seed(text):
    """A seed of RandomState, for argparse."""
    value = int(text)
    if not 0 <= value < 2**32:
        raise ValueError(text)
    return value


def read_options(words):
    parser = Parser(
        prog="add.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--name", required=True, help="of the set: letters, digits, _ and -")
    parser.add_argument("--folder", required=True, metavar="DATA_FOLDER", help="made when it is not there")
    parser.add_argument(
        "--label",
        metavar="first|last|NAME",
        help="the label's column; default: the last that is not numeric, else one named label, class, target or y,"
        " else the last",
    )
    header = parser.add_mutually_exclusive_group()
    header.add_argument("--header", action="store_true", default=None, help="the first row of a CSV file has names")
    header.add_argument("--no-header", action="store_false", dest="header", help="it is a row; default: as it looks")
    test = parser.add_mutually_exclusive_group()
    test.add_argument("--test", type=share, metavar="SHARE", help="of the rows, e.g. 0.2, drawn to be the test part")
    test.add_argument("--test-file", metavar="FILE", help="with the same columns: the test part")
    parser.add_argument("--seed", type=seed, default=0, help="of the draw; default: 0")
    parser.add_argument(
        "--kind",
        choices=("binary", "multiclass", "real"),
        help="default: binary for two labels, multiclass for up to 1000 that are integers or words, else real",
    )
    parser.add_argument("--replace", action="store_true", help="a set of this name that is there already")
    return parser.parse_args(words)


def check_name(name, folder, replace):
    """AddError when the set cannot have this name; before a large file is read."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name):
        raise AddError(f"--name {shown(name)}: must be of letters, digits, _ and -")
    with open(pathlib.Path(__file__).with_name("catalog.toml"), "rb") as file:
        if name in RESERVED or name in tomllib.load(file):
            raise AddError(f"--name {name}: okbench uses it itself; choose another one")
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise AddError(f"--folder {shown(folder, 1000)}: is no folder")
    Catalogue(folder).check(name, replace)


def check_same_columns(train, test):
    """AddError when the test rows cannot be of the same set."""
    if train.sparse != test.sparse:
        raise AddError(f"{test.file}: must be {'sparse' if train.sparse else 'dense'} like {train.file}")
    if not (train.sparse and train.names is None) and train.features != test.features:
        raise AddError(f"{test.file}: has {test.features} features, {train.file} has {train.features}")


def read_parts(options, source, test_source):
    """(training table, test table or None) of the files."""
    tables = source.tables(Wanted(options.label, options.header))
    train, test = tables["train"], tables.get("test")
    if test is not None and (test_source or options.test):
        raise AddError(f"{source.name}: has a test part of its own; leave out --test and --test-file")
    if test_source:
        more = test_source.tables(Wanted(options.label, options.header, like=train))
        if "test" in more:
            raise AddError(f"{test_source.name}: has two parts; give one file with both, or two with one each")
        test = more["train"]
    if test is not None:
        check_same_columns(train, test)
        train.features = test.features = max(train.features, test.features)
    if train.features == 0:
        raise AddError(f"{train.file}: has no features")
    return train, test


def wide(low, high):
    """The range of the catalogue, which must not be empty."""
    if low == high:
        high = low + 1 if low + 1 > low else float(np.nextafter(low, np.inf))
    return [low, high]


def add(options):
    """Reads, checks and writes; returns the lines to print."""
    check_name(options.name, options.folder, options.replace)
    source = Source(options.file)
    test_source = Source(options.test_file) if options.test_file else None
    train, test = read_parts(options, source, test_source)
    classes = Classes(train, options.kind)
    targets = classes.of(train)
    rows, how = np.arange(len(train)), ""
    parts = {"train": (train, rows, targets)}
    if options.test:
        by_class = classes.kind != "real"
        rows, held = split(source.name, targets, options.test, options.seed, by_class)
        parts = {"train": (train, rows, targets[rows]), "test": (train, held, targets[held])}
        how = f" (drawn: a share of {options.test:g}{' of each class' if by_class else ''}, seed {options.seed})"
    elif test is not None:
        parts["test"] = (test, np.arange(len(test)), classes.of(test))
        how = f" ({test.file})"

    extents = [table.extent() for table in (train, test) if table is not None]
    low, high = wide(min(low for low, _ in extents), max(high for _, high in extents))
    file = os.fsencode(source.path.name).decode(errors="replace")
    entry = {
        "title": f"{options.name}, from {file}",
        "format": "libsvm" if train.sparse else "csv",
        "features": train.features,
        "range": [low, high],
    }
    if all(table.whole() for table in (train, test) if table is not None):
        entry["whole"] = 1
    if classes.labels:
        entry["labels"] = classes.labels
    if classes.names:
        entry["class_names"] = classes.names
    by_class = classes.stand_together(parts["train"][2])
    entry |= {"kind": classes.kind, "terms": f"added from {file}"} | ({"by_class": True} if by_class else {})
    entry["source"] = {"file": absolute(source), "sha256": source.sha256}
    if test_source:
        entry["source"] |= {"test_file": absolute(test_source), "test_sha256": test_source.sha256}
    written = {part: (table, at, classes.written(labels)) for part, (table, at, labels) in parts.items()}
    paths = store(options.folder, options.name, written, entry, options.replace)

    every = np.concatenate([labels for _, _, labels in parts.values()])
    lines = [
        f"added     {options.name}: {len(every)} rows, {train.features} features, {classes.kind}",
        f"read as   {train.source}",
        f"label     {train.label_said}",
        f"{'targets' if classes.kind == 'real' else 'classes':<9} {classes.counts(every)}",
        f"range     {low:g} to {high:g}",
        "parts     " + ", ".join(f"{part} {len(at)} rows" for part, (_, at, _) in parts.items()) + how,
    ]
    if by_class:
        lines.append('note      the rows of a class stand together: use order = "permutation"')
    lines += [f"written   {shown(str(path), 1000)[1:-1]}" for path in paths]
    lines.append(f'use       name = "{options.name}" in [data] of a spec')
    return lines


def absolute(source):
    """Where a file lies, as text that TOML can hold."""
    return os.fsencode(os.path.abspath(source.path)).decode(errors="replace")


def main(words=None):
    """The exit status: 0, or 2 after one line of why not."""
    try:
        lines = add(read_options(words))
    except AddError as error:
        message = str(error)
    except OSError as error:
        message = f"{error.filename or 'the data set'}: cannot be written: {error.strerror}"
    except MemoryError:
        message = "the data set does not fit into memory"
    else:
        print("\n".join(lines))
        return 0
    print(f"okbench: {' '.join(message.split())}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    ending.run(main, "okbench")
