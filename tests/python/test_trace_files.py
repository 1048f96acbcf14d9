"""Trace files and plans: changed content is reported, and never counts as a result."""

import fcntl
import json
import os

import numpy as np
import pytest
from fake_results import id_of, plan_file, spec_text, trace_file, write_results

from okbench.errors import NotRun, TraceFileError
from okbench.traces import Results, read_experiment, read_trace


def refused(path, cause):
    with pytest.raises(TraceFileError) as raised:
        read_trace(path)
    text = str(raised.value)
    assert text.startswith(f"{path}: ") and cause in text and "\n" not in text


@pytest.mark.parametrize("written", (1, 2))
def test_both_formats_are_read_and_checked(tmp_path, written):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file(written))
    trace = read_trace(path)
    assert trace["loss"].tolist() == [0.5, 0.25, 0.125] and trace.checkpoints["test_error"].tolist() == [0.25]
    assert trace.trial_id == id_of(spec_text(0)) and trace.spec["repetition"] == 0
    assert list(trace.tables) == ["trace", "checkpoints"]


def test_every_changed_byte_of_format_2_is_noticed(tmp_path):
    path, data = tmp_path / "t.h5", trace_file(2)
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
    with pytest.raises(TraceFileError):
        read_trace(path)
    path.write_bytes(b"okbench-trace 3\n" + data[16:])
    refused(path, "unknown format 3; okbench reads 1 and 2")


def test_nothing_is_parsed_before_the_digest_fits(tmp_path, monkeypatch):
    from okbench.traces import files as trace_files

    data = trace_file(2)
    monkeypatch.setattr(trace_files.h5py, "File", lambda *arguments: pytest.fail("HDF5 saw damaged bytes"))
    (tmp_path / "t.h5").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    refused(tmp_path / "t.h5", "its bytes do not match its digest")


@pytest.mark.parametrize("error", (OverflowError("too large\nto convert"), SystemError("s"), AssertionError("a")))
def test_whatever_h5py_raises_names_the_file(tmp_path, monkeypatch, error):
    from okbench.traces import files as trace_files

    def fail(*arguments):
        raise error

    (tmp_path / "t.h5").write_bytes(trace_file(2))
    monkeypatch.setattr(trace_files.h5py, "File", fail)
    refused(tmp_path / "t.h5", "not a valid trace file: " + " ".join(str(error).split()))


def change_column(file):
    file["trace"]["loss"][1] = 7.0


def change_summary(file):
    file.attrs["summary"] = np.bytes_('{"test_error": 0.125}')


@pytest.mark.parametrize(
    "written, change, cause",
    [
        (1, change_column, "its columns do not match their digest"),
        (2, change_column, "its columns do not match their digest"),
        (2, change_summary, "its spec and summary do not match their digest"),
        (1, lambda file: file["trace"].attrs.modify("columns", np.bytes_("loss,step")), "its columns do not match"),
        (1, lambda file: file.attrs.modify("format", np.int64(3)), "unknown format 3"),
        (1, lambda file: file.attrs.modify("format", np.int64(2)), "does not match the file's first bytes"),
        (2, lambda file: file.attrs.modify("format", np.int64(1)), "does not match the file's first bytes"),
        (1, lambda file: file.attrs.__delitem__("spec"), "not a valid trace file"),
        (1, lambda file: file["trace"]["loss"].attrs.__delitem__("deterministic"), "not a valid trace file"),
        (1, lambda file: file["trace"].__delitem__("loss"), "not a valid trace file"),
        (1, lambda file: file.attrs.modify("spec", np.bytes_("{")), "not a valid trace file"),
        (1, lambda file: file.attrs.modify("spec", np.bytes_("[]")), "must be objects"),
    ],
)
def test_content_that_does_not_fit_its_digests(tmp_path, written, change, cause):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file(written, change=change))
    refused(path, cause)


def test_a_column_that_is_not_deterministic_may_differ(tmp_path):
    path = tmp_path / "t.h5"

    def change(file):
        file["trace"]["kernel_computed"][0] = 9

    path.write_bytes(trace_file(2, change=change))
    assert read_trace(path)["kernel_computed"][0] == 9


def test_locks_of_others_do_not_matter(tmp_path):
    path = tmp_path / "t.h5"
    path.write_bytes(trace_file(2))
    with open(path, "rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert read_trace(path)["step"][0] == 1


@pytest.mark.parametrize("written", (1, 2))
def test_a_failure_beside_a_trace_counts(tmp_path, written):
    folder = write_results(tmp_path, written)
    assert len(read_experiment(tmp_path, "p/e").traces) == 2
    (folder / "l-r1.failed.json").write_text('{"kind": "diverged", "message": "m"}')
    experiment = read_experiment(tmp_path, "p/e")
    assert len(experiment.traces) == 1 and experiment.missing == ["p/e/l[x=1]/r1 failed: diverged"]
    (folder / "l-r1.failed.json").write_text("{")
    assert read_experiment(tmp_path, "p/e").missing == ["p/e/l[x=1]/r1 failed: its record cannot be read"]
    with pytest.raises(NotRun, match="r1 failed"):
        Results(tmp_path).find("p/e/l")


def test_axes_come_from_the_plan_or_else_from_the_traces(tmp_path):
    for written in (1, 2):
        folder = write_results(tmp_path / str(written), written)
        (folder / "l-r1.h5").unlink()
        results = Results(tmp_path / str(written))
        with pytest.raises(NotRun, match=r"no result of p/e/l\[x=1\]/r1"):
            results.find("p/e/l[x=1]")
        with pytest.raises(NotRun, match=r"no result of p/e/l\[x=2\]$" if written == 2 else "r1"):
            results.find("p/e/l[x=2]")
        if written == 2:
            assert len(results.find("p/e/l[repetition=0]")) == 1


BAD_TRIALS = ("../l.h5", "/etc/passwd", "a/../../l.h5", "l\n.h5", "l\x1b.h5", "", None, 3)


@pytest.mark.parametrize("name", BAD_TRIALS)
def test_names_in_a_plan_stay_inside_its_folder(tmp_path, name):
    plan = plan_file()
    plan["trials"][0]["file"] = name
    write_results(tmp_path, plan=plan)
    with pytest.raises(TraceFileError) as raised:
        read_experiment(tmp_path, "p/e")
    assert "plan.json: not a valid plan" in str(raised.value) and "\n" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_links_out_of_the_folder_are_refused(tmp_path):
    folder = write_results(tmp_path / "r")
    (tmp_path / "elsewhere.h5").write_bytes((folder / "l-r0.h5").read_bytes())
    (folder / "l-r0.h5").unlink()
    os.symlink(tmp_path / "elsewhere.h5", folder / "l-r0.h5")
    with pytest.raises(TraceFileError, match="is not a file inside"):
        read_experiment(tmp_path / "r", "p/e")
    os.symlink(folder, tmp_path / "r" / "p" / "linked")
    with pytest.raises(TraceFileError, match="belongs to the experiment 'p/e'"):
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
        ({"format": 3}, "okbench reads 1 and 2"),
        ({"tier": "huge"}, "unknown tier 'huge'"),
        ({"title": "a\nb"}, "must be one line of text"),
        ({"overrides": ["data.limit=1\n"]}, "must be one line of text"),
        ({"overrides": "data.limit=1"}, "must be a list"),
        ({"trials": None}, "TypeError"),
        ({"trials": [3]}, "AttributeError"),
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
        read_experiment(tmp_path, "p/e")


def test_axes_are_needed_in_format_2(tmp_path):
    plan = plan_file()
    del plan["trials"][0]["axes"]
    folder = write_results(tmp_path, plan=plan)
    with pytest.raises(TraceFileError, match="axes"):
        read_experiment(tmp_path, "p/e")
    assert json.loads((folder / "plan.json").read_text())["format"] == 2
