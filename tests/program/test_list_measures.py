"""`okbench help measures` names every column and summary value of the reference traces that a measure writes."""

import json
import re

import pytest
from conftest import ROOT

# What the recorder and the protocols write themselves.
TRACE = {"step", "example", "examples"}
CHECKPOINTS = {"step", "examples", "kernel_evaluation", "support_vectors", "kernel_requested", "kernel_computed"}
NOT_IN_THE_REFERENCES = {"test_rmse"}  # no quick trial tests a regression
SUMMARY = {"examples", "support_vectors", "kernel_evaluations", "tuned", "oracle_calls", "feature_evaluations"}


@pytest.fixture
def listed(okbench):
    """{table: regular expressions of the listed names}; capitals stand for a number."""
    patterns = {}
    for row in json.loads(okbench("help", "measures", "--json", check=0).stdout):
        if row["table"] != "[measures]":
            name = re.sub(r"^(test_)?NAME$", r"\1[a-z0-9-]+(@\\d+)?", row["name"].split("/")[0])
            patterns.setdefault(row["table"], set()).add(re.sub(r"_N$", r"_\\d+", name))
    return patterns


def trials():
    for path in (ROOT / "results" / "reference").glob("*/*.json"):
        yield from json.loads(path.read_text())["trials"].values()


def columns(trial, table):
    return trial["tables"][table]["columns"].split(", ") if table in trial["tables"] else []


def unlisted(names, expressions):
    return {name for name in names if not any(re.fullmatch(pattern, name) for pattern in expressions)}


def test_every_written_column_is_listed(listed):
    for trial in trials():
        trace = columns(trial, "trace")
        counts = set(trace[: trace.index("support_vectors")])
        assert not unlisted(counts - TRACE, listed["trace"])
        assert not unlisted(set(columns(trial, "checkpoints")) - CHECKPOINTS, listed["checkpoints"])
        assert not unlisted(set(trial["summary"]) - SUMMARY, listed["summary"])


def test_every_listed_measure_is_written(listed):
    names_by_table = {table: set() for table in listed}
    for trial in trials():
        for table in trial["tables"]:
            names_by_table.setdefault(table, set()).update(columns(trial, table))
        names_by_table["summary"] |= set(trial["summary"])
    for table, expressions in listed.items():
        written = {
            pattern for pattern in expressions if any(re.fullmatch(pattern, name) for name in names_by_table[table])
        }
        assert not expressions - written - NOT_IN_THE_REFERENCES, table


def test_columns_of_learners_are_in_the_page_of_traces(listed):
    page = (ROOT / "docs" / "reference" / "traces.md").read_text(encoding="utf-8")
    for trial in trials():
        assert not {name for name in unlisted(columns(trial, "trace"), listed["trace"]) if f"`{name}`" not in page}
