"""Claims, specs, plans, ranges and traces that nobody would write: one line each, and the documented status."""

import json
import random
import re

import h5py
import numpy as np
import pytest
from fake_results import FakeResults, plan_file, trace_file, write_results

from conftest import put, reseal
from okbench import claims
from okbench.claims import power
from okbench.cli import call
from okbench.errors import LONGEST, ClaimError, NotRun, TraceFileError, one_line
from okbench.reading import read_toml
from okbench.measures import Parser
from okbench.results import Results, read_experiment, read_trace
from okbench.results.plans import kind_of_failure, read_failure
from okbench.plotting import plot
from okbench.report import page as report

HEAD = 'format = 1\npaper = "p"\n[numbers.a]\nb = [1, 0.5]\n'
CLAIM = {
    "id": "c",
    "where": "w",
    "statement": "s",
    "value": ["test_error(p/e/l[margin=1])", "max(1, (2 + paper(a.b)) / 3)"],
    "expect": "all within 2 deviations",
    "paper": ["a.b", "a.b"],
    "tolerance": "t",
    "note": "n",
    "tried": [{"what": "w", "value": [1, 2.5]}],
}
SPEC = """format = 2
experiment = "p/e"
[data]
name = "a8a"
[kernel]
name = "rbf"
gamma = 1
[learners.l]
learner = "norma"
margin = 1
"""


def claim(**changes):
    """Text of a claims file with one claim; JSON's lists, texts and numbers are TOML's."""
    lines = [f"{key} = {json.dumps(value)}" for key, value in {**CLAIM, **changes}.items() if key != "tried"]
    return HEAD + "[[claims]]\n" + "\n".join(lines) + "\n"


@pytest.fixture
def judged(tmp_path, capsys):
    """(status, standard error) of the verb on a claims file."""
    paper = tmp_path / "experiments" / "p"
    paper.mkdir(parents=True)
    (paper / "e.toml").write_text(SPEC)
    write_results(tmp_path / "r")

    def run(text):
        (paper / "claims.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
        status = call(
            "claims", ["--experiments", str(tmp_path / "experiments"), "--results", str(tmp_path / "r"), "--json"]
        )
        return status, capsys.readouterr().err

    return run


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a = " + "[" * 3000, "claims.toml: nested too deeply"),
        ("a = " + "{a=" * 2000, "claims.toml: nested too deeply"),
        ("a = " + "9" * 5000, "claims.toml: Exceeds the limit"),
        (b"\xff", "claims.toml: 'utf-8' codec can't decode"),
        (claim(value=["(" * 40 + "1" + ")" * 40, "1"]), "is nested too deeply"),
        (claim(value=["-" * 40 + "1", "1"]), "is nested too deeply"),
        (claim(value=["max(" * 40 + "1" + ")" * 40, "1"]), "is nested too deeply"),
        (claim(value=["(" * 3000 + "1" + ")" * 3000, "1"]), "has 6001 characters; at most 1000"),
        (claim(value=["+".join("1" * 3000), "1"]), "has 5999 characters; at most 1000"),
        (claim(value=["test_error(p/e/l[x=\n\u001b[31m1])", "1"]), "claims.toml: claim 'c': '"),
        (claim(value=[f"test_error({'x' * 400}/l)", "1"]), "no spec of x"),
        (claim(id="x" * 5000, value="("), "claim 'xxx"),
        (claim(id="a\nb\u0007", value="("), "claim 'a b?': '(': syntax error at"),
        (claim(paper=[1, 2]).replace("[1, 2]", "[inf, 2]"), "paper has inf"),
        (claim(paper=[1, 2]).replace("[1, 2]", f"[{'9' * 400}, 2]"), "paper has 999"),
        (claim().replace("[1, 0.5]", "[nan, 0.5]"), "numbers.a.b must be a number"),
        (claim(expect="all within [0, 1e999]"), "must be [LOW, HIGH]"),
        (claim(expect="all within [" * 400), "must be [LOW, HIGH]"),
    ],
)
def test_claims_that_nobody_would_write(judged, text, cause):
    status, error = judged(text)
    assert status == 2 and error.startswith("okbench: ") and error.count("\n") == 1 and cause in error
    assert error[:-1].isprintable() and len(error) < LONGEST + 20


def test_expressions_within_the_depth_limit_are_evaluated():
    results = FakeResults()
    for text, value in (("(" * 20 + "1" + ")" * 20, 1), ("-" * 20 + "1", 1), ("+".join("1" * 500), 500)):
        assert Parser(text).tree().evaluate(results, None) == value


def test_mutated_claims_are_read_or_refused(tmp_path):
    draw, specs, results = random.Random(3), claims.Specs(tmp_path), FakeResults()
    specs.experiments = {"p/e": {"l": {"margin": [1], "data": ["a8a"]}}}
    marks = [*"[]{}()\"'=,.\n#-+*/\\", "1e999", "nan", "-1", "true", "paper(", "max(", "within ", "all ", "é", "\x00"]
    path, refused = tmp_path / "claims.toml", 0
    for _ in range(600):
        text = claim()
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice(marks) + text[at + draw.choice((0, 1, 9)) :]
        path.write_text(text, encoding="utf-8")
        try:
            paper = claims.read(path, specs)
            json.dumps([claims.as_json(claims.judge(mutant, results)) for mutant in paper.claims], allow_nan=False)
        except ClaimError as error:
            assert str(error).isprintable()
            refused += 1
    assert 300 < refused < 600


def test_messages_are_one_line():
    for kind in (ClaimError, TraceFileError, NotRun):
        assert str(kind("a\nb\u2028c\x1b\ud800")) == "a b c??"
    assert len(one_line("x" * 5000)) == LONGEST + 5


# Specs, ranges and catalogs.


@pytest.mark.parametrize("text", ["a = " + "[" * 3000, "experiment = 1", "experiment = []", "[", "a = 1"])
def test_specs_that_are_none(tmp_path, text):
    (tmp_path / "p").mkdir()
    path = tmp_path / "p" / "e.toml"
    path.write_text(text)
    for read in (
        lambda: claims.Specs(tmp_path).known(),
        lambda: report.spec_files([tmp_path]),
        lambda: plot.experiments_of(path, "none"),
    ):
        with pytest.raises(ClaimError, match=re.escape(str(path))):
            read()


def test_a_name_that_is_too_long_is_one_line(tmp_path):
    with pytest.raises(ClaimError, match="File name too long"):
        read_toml(tmp_path / ("x" * 300))
    with pytest.raises(TraceFileError, match="is not an experiment inside"):
        read_experiment(tmp_path, "x" * 300)


@pytest.mark.parametrize(
    "text", ["[" * 5000, "[]", '{"format": 1, "ranges": {"a": [1]}}', '{"format": 1, "ranges": 1}']
)
def test_ranges_that_are_none(tmp_path, text):
    (tmp_path / "ranges.json").write_text(text)
    with pytest.raises(ClaimError, match="ranges.json: not a valid ranges file"):
        power.read_ranges(tmp_path)


# Plans and records of failures.


@pytest.mark.parametrize(
    "change",
    [
        {"trials": None},
        {"trials": {"a": 1}},
        {"title": "\ud800"},
        {"title": "a\nb"},
        {"tier": []},
        {"overrides": 1},
        {"format": {}},
        {"experiment": 1},
        {"trials": [{**plan_file()["trials"][0], "file": "x" * 300}]},
        {"trials": [{**plan_file()["trials"][0], "repetition": 1e999}]},
        {"trials": [{**plan_file()["trials"][0], "needs": 1}]},
    ],
)
def test_plans_that_are_none(tmp_path, change):
    home = write_results(tmp_path / "r", plan=plan_file(**change))
    with pytest.raises(TraceFileError) as raised:
        read_experiment(tmp_path / "r", "p/e")
    assert str(raised.value).startswith(f"{home / 'plan.json'}: ") and str(raised.value).isprintable()
    (home / "plan.json").write_text("[" * 100000)
    with pytest.raises(TraceFileError, match="not a valid plan"):
        read_experiment(tmp_path / "r", "p/e")


@pytest.mark.parametrize("text", ["[" * 100000, "[]", "{", '{"kind": "\\ud800"}', '{"kind": ["a"]}', "\udcff", ""])
def test_records_that_are_none(tmp_path, text):
    (tmp_path / "a.failed.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert kind_of_failure(read_failure(tmp_path / "a.failed.json")) == "its record cannot be read"


# Traces whose digests fit.


def without(name):
    def change(file):
        del file[name]

    return change


def with_column(values):
    def change(file):
        del file["trace/step"]
        file["trace"].create_dataset("step", data=values)

    return change


def with_link(link):
    def change(file):
        del file["trace/step"]
        file["trace/step"] = link

    return change


def with_external_storage(file):
    """A column whose values HDF5 would read from another file of this machine."""
    del file["trace/step"]
    file["trace"].create_dataset("step", shape=(3,), dtype="i8", external=[("/etc/passwd", 0, 24)])
    file["trace/step"].attrs["deterministic"] = np.int64(1)


def with_virtual_values(file):
    """A column that is mapped from another data set."""
    del file["trace/step"]
    layout = h5py.VirtualLayout(shape=(3,), dtype="i8")
    layout[:] = h5py.VirtualSource("other.h5", "step", shape=(3,))
    file["trace"].create_virtual_dataset("step", layout)
    file["trace/step"].attrs["deterministic"] = np.int64(1)


@pytest.mark.parametrize(
    "change",
    [
        without("trace"),
        without("trace/step"),
        with_column(np.zeros(3, "f4")),
        with_column(np.zeros((3, 2))),
        with_column(np.zeros(7)),
        with_column(np.array([b"a"] * 3)),
        with_column(1.5),
        lambda file: put(file, "tables", "trace,none"),
        lambda file: put(file["trace"], "columns", "step,none"),
        lambda file: put(file, "spec", "[" * 5000),
        lambda file: put(file, "summary", "[]"),
        lambda file: put(file, "spec", "{"),
    ],
)
def test_traces_of_other_shapes_are_refused(tmp_path, change):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file())
    reseal(path, change)
    with pytest.raises(TraceFileError) as raised:
        read_trace(path)
    assert str(raised.value).startswith(f"{path}: ") and str(raised.value).isprintable()


@pytest.mark.parametrize(
    "change",
    [
        with_link(h5py.SoftLink("/trace/loss")),
        with_link(h5py.ExternalLink("other.h5", "/trace/step")),
        with_external_storage,
        with_virtual_values,
        lambda file: put(file["trace"], "columns", "step,../trace/loss"),
    ],
)
def test_columns_are_read_from_the_trace_only(okbench, tmp_path, change):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file())
    reseal(path, change)
    with pytest.raises(TraceFileError, match="is a link|is missing|stored outside the file"):
        read_trace(path)
    shown = okbench("summary", "--trace", path, check=1)
    assert shown.stderr.startswith(f"okbench: {path}: ") and shown.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["format", "spec", "summary", "provenance", "trial_id", "tables", "content_digest"])
@pytest.mark.parametrize("value", [None, np.arange(3), np.array([b"ab"] * 3), h5py.Empty("f8"), b"\xff\xfe"])
def test_attributes_of_other_types_are_refused(tmp_path, name, value):
    def change(file):
        del file.attrs[name]
        if value is not None:
            file.attrs[name] = np.bytes_(value) if isinstance(value, bytes) else value

    path = tmp_path / "t.h5"
    path.write_bytes(trace_file(change=change))
    with pytest.raises(TraceFileError) as raised:
        read_trace(path)
    assert str(raised.value).isprintable()


def test_commands_on_incomplete_traces_are_one_line(tmp_path, capsys):
    write_results(tmp_path / "r")
    assert Results(tmp_path / "r").find("p/e/l")
    assert call("export_crate", [str(tmp_path / "r")]) == 1
    assert call("plot", [str(tmp_path / "r"), "--x", "steps", "--y", "step", "--out", str(tmp_path / "p.png")]) == 1
    output = capsys.readouterr().err.splitlines()
    assert len(output) == 2 and all("cannot be" in line for line in output), output
