"""Trace files and plans: changed content is reported, and never counts as a result."""

import fcntl
import json
import os

import h5py_reader
import numpy as np
import pytest
from fake_results import id_of, plan_file, spec_text, trace_file, write_results

from okbench.errors import NotRun, TraceFileError
from okbench.results import Results, read_experiment, read_trace


def refused(path, cause):
    with pytest.raises(TraceFileError) as raised:
        read_trace(path)
    text = str(raised.value)
    assert text.startswith(f"{path}: ") and cause in text and "\n" not in text


def test_a_trace_is_read_as_h5py_reads_it(tmp_path):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file())
    trace, content = read_trace(path), h5py_reader.read(path)
    assert list(trace.tables) == list(content["tables"]) == ["trace", "checkpoints"]
    for name, columns in content["tables"].items():
        for column, values in columns.items():
            assert trace.tables[name][column].dtype == values.dtype
            assert trace.tables[name][column].tolist() == values.tolist()
    for name in ("spec", "summary", "provenance", "trial_id", "digest"):
        assert getattr(trace, name) == content[name]


def test_every_changed_byte_is_noticed(tmp_path):
    path, data = tmp_path / "t.h5", trace_file()
    for place in [*range(100), *range(512, len(data), 97), len(data) - 1]:
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(TraceFileError):
            read_trace(path)
    path.write_bytes(data[:600] + bytes([data[600] ^ 1]) + data[601:])
    refused(path, "its bytes do not match its digest")
    for length in (0, 10, 81, 511, 512, 2000, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(TraceFileError):
            read_trace(path)
    path.write_bytes(data[512:])  # without its user block
    refused(path, "it does not start with the magic number")
    path.write_bytes(b"okbench-trace 3\n" + data[16:])
    refused(path, "it does not start with the magic number")


def change_column(file):
    file["trace"]["loss"][1] = 7.0


def change_summary(file):
    file.attrs["summary"] = np.bytes_('{"test_error": 0.125}')


@pytest.mark.parametrize(
    "change, cause",
    [
        (change_column, "its digest does not match its columns"),
        (change_summary, "its digest does not match its spec, summary and id"),
        (lambda file: file["trace"].attrs.modify("columns", np.bytes_("loss,step")), "does not match its columns"),
        (lambda file: file.attrs.modify("format", np.int64(3)), "format 3, expected 2"),
        (lambda file: file.attrs.__delitem__("spec"), "not a valid trace file"),
        (lambda file: file["trace"]["loss"].attrs.__delitem__("deterministic"), "not a valid trace file"),
        (lambda file: file["trace"].__delitem__("loss"), "not a valid trace file"),
    ],
)
def test_content_that_does_not_fit_its_digests(tmp_path, change, cause):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file(change))
    refused(path, cause)


def test_a_column_that_is_not_deterministic_may_differ(tmp_path):
    path = tmp_path / "t.h5"

    def change(file):
        file["trace"]["kernel_computed"][0] = 9

    path.write_bytes(trace_file(change))
    assert read_trace(path)["kernel_computed"][0] == 9


def test_locks_of_others_do_not_matter(tmp_path):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file())
    with open(path, "rb+") as locked_file:
        fcntl.flock(locked_file, fcntl.LOCK_EX)
        assert read_trace(path)["step"][0] == 1


def test_a_failure_beside_a_trace_counts(tmp_path):
    folder = write_results(tmp_path)
    assert len(read_experiment(tmp_path, "p/e").traces) == 2
    (folder / "l-r1.failed.json").write_text('{"kind": "diverged", "message": "m"}')
    experiment = read_experiment(tmp_path, "p/e")
    assert len(experiment.traces) == 1 and experiment.missing == ["p/e/l[margin=1]/r1 failed: diverged"]
    (folder / "l-r1.failed.json").write_text("{")
    assert read_experiment(tmp_path, "p/e").missing == ["p/e/l[margin=1]/r1 failed: its record cannot be read"]
    with pytest.raises(NotRun, match="r1 failed"):
        Results(tmp_path).find("p/e/l")


def test_axes_come_from_the_plan(tmp_path):
    folder = write_results(tmp_path)
    (folder / "l-r1.h5").unlink()
    results = Results(tmp_path)
    with pytest.raises(NotRun, match=r"no result of p/e/l\[margin=1\]/r1"):
        results.find("p/e/l[margin=1]")
    with pytest.raises(NotRun, match=r"no result of p/e/l\[margin=2\]$"):
        results.find("p/e/l[margin=2]")
    assert len(results.find("p/e/l[repetition=0]")) == 1


BAD_TRIALS = ("../l.h5", "/etc/passwd", "a/../../l.h5", "l\n.h5", "l\x1b.h5", "", None, 3)


@pytest.mark.parametrize("name", BAD_TRIALS)
def test_names_in_a_plan_stay_inside_its_folder(tmp_path, name):
    plan = plan_file()
    plan["trials"][0]["file"] = name
    write_results(tmp_path, plan=plan)
    with pytest.raises(TraceFileError) as raised:
        read_experiment(tmp_path, "p/e")
    assert "p/e/plan.json: " in str(raised.value) and "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_links_out_of_the_folder_are_refused(tmp_path):
    folder = write_results(tmp_path / "r")
    (tmp_path / "elsewhere.h5").write_bytes((folder / "l-r0.h5").read_bytes())
    (folder / "l-r0.h5").unlink()
    os.symlink(tmp_path / "elsewhere.h5", folder / "l-r0.h5")
    with pytest.raises(TraceFileError, match="leads out of its folder"):
        read_experiment(tmp_path / "r", "p/e")
    os.symlink(folder, tmp_path / "r" / "p" / "linked")
    with pytest.raises(TraceFileError, match="leads out of its folder"):
        read_experiment(tmp_path / "r", "p/linked")
    os.symlink(tmp_path, tmp_path / "r" / "p" / "out")
    for name in ("p/out", "../r/p/e", "/tmp", "p/e\n"):
        with pytest.raises(TraceFileError, match="is not an experiment inside"):
            read_experiment(tmp_path / "r", name)
    os.symlink(tmp_path / "r", tmp_path / "link")  # the result folder itself may be one
    (folder / "l-r0.h5").unlink()
    assert len(read_experiment(tmp_path / "link", "p/e").traces) == 1


@pytest.mark.parametrize(
    "changes, cause",
    [
        ({"experiment": "p/../../e"}, "belongs to the experiment"),
        ({"experiment": "p/e\n"}, "belongs to the experiment"),
        ({"format": 3}, "okbench reads 2"),
        ({"tier": "huge"}, "unknown tier 'huge'"),
        ({"title": "a\nb"}, "must be one line of text"),
        ({"overrides": ["data.max_examples=1\n"]}, "must be one line of text"),
        ({"overrides": "data.max_examples=1"}, "must be a list"),
        ({"trials": None}, "not a valid plan; okbench run rewrites it"),
        ({"trials": [3]}, "not a valid plan; okbench run rewrites it"),
    ],
)
def test_bad_plans_are_one_line(tmp_path, changes, cause):
    write_results(tmp_path, plan=plan_file(**changes))
    with pytest.raises(TraceFileError) as raised:
        read_experiment(tmp_path, "p/e")
    assert cause in str(raised.value) and "\n" not in str(raised.value)


def test_a_trace_of_another_trial_is_no_result(tmp_path):
    folder = write_results(tmp_path)
    (folder / "l-r1.h5").write_bytes((folder / "l-r0.h5").read_bytes())
    with pytest.raises(TraceFileError, match=f"belongs to trial {id_of(spec_text(0))}, the plan says"):
        read_experiment(tmp_path, "p/e").traces  # noqa: B018, reads them


def test_a_plan_without_axes_is_refused(tmp_path):
    plan = plan_file()
    del plan["trials"][0]["axes"]
    folder = write_results(tmp_path, plan=plan)
    with pytest.raises(TraceFileError, match="not a valid plan"):
        read_experiment(tmp_path, "p/e")
    assert json.loads((folder / "plan.json").read_text())["format"] == 2


def test_a_name_that_is_not_utf_8_is_named(tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/\xff.h5")
    with pytest.raises(TraceFileError, match="no such trace file"):
        read_trace(path)
