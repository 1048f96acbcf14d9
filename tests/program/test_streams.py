"""Streams that are made as they are shown: the bits of a stream in memory, in constant memory."""

import os
import subprocess

import pytest

from okbench.traces import read_trace

SPEC = """format = 2
experiment = "streams/margin"
[data]
name = "margin"
order = "file"
rows = 70000
[kernel]
name = "rbf"
gamma = 1
[learners.norma]
learner = "norma"
c = 0.001
buffer = 20
[learners.mira]
learner = "perceptron"
beta = 0.1
cache = "fixed"
size = 20
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "stream.toml"
    path.write_text(SPEC)
    return path


def traces(folder):
    return {path.name.split("-")[0]: read_trace(path) for path in folder.rglob("*.h5")}


def test_chunks_give_the_bits_of_the_whole(okbench, spec, tmp_path):
    okbench("run", spec, "--out", tmp_path / "chunks", "--quiet", check=0)
    # Lists of single examples need the whole stream in memory.
    spec.write_text(SPEC + "[trace]\noutliers = 1\n")
    okbench("run", spec, "--out", tmp_path / "whole", "--quiet", "--only", "*norma*", check=0)
    chunks, whole = traces(tmp_path / "chunks"), traces(tmp_path / "whole")
    assert set(chunks) == {"norma", "mira"} and set(whole) == {"norma"}
    one, other = (frames["norma"].tables["trace"] for frames in (chunks, whole))
    assert one["example"][-1] == 69999 and one["step"][-1] == 70000
    for name in set(one) - {"seconds", "kernel_computed"}:
        assert (one[name] == other[name]).all(), name
    facts = [trace.summary for trace in (chunks["norma"], whole["norma"])]
    for key in ("examples", "mistakes", "error_rate", "mean_loss", "support_vectors"):
        assert facts[0][key] == facts[1][key]
    assert chunks["norma"].provenance["data_shape"]["train"] == 70000


def peak(binary, environment, spec, rows, out):
    """KiB at most that a run holds in memory."""
    command = [binary, "run", spec, "--set", f"data.rows={rows}", "--out", out, "--quiet", "--jobs", "1"]
    process = subprocess.Popen([str(word) for word in command], env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0
    return usage.ru_maxrss


def test_memory_does_not_grow_with_the_stream(binary, environment, sanitized, spec, tmp_path):
    if sanitized:
        pytest.skip("the sanitizer keeps freed memory")
    short, long = (peak(binary, environment, spec, rows, tmp_path / str(rows)) for rows in (140_000, 420_000))
    # 280 000 more rows would be 22 MB.
    assert long - short < 4096
