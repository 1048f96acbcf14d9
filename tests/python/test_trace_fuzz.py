"""Damaged trace files: none is accepted with other content.

OKBENCH_FUZZ=full makes about 70000 attempts per file. OKBENCH_FUZZ_TRACES names a folder with more traces to damage.
"""

import collections
import faulthandler
import hashlib
import itertools
import os
import pathlib
import random
import signal

import pytest
from fake_results import trace_file

from okbench.errors import TraceFileError
from okbench.results import read_trace

FULL = os.environ.get("OKBENCH_FUZZ") == "full"
MAX_SECONDS = 60  # for one file
ENDINGS = {"s": "the same content", "c": "other content", "r": "refused", "e": "another error"}


def files():
    """Bytes of traces by name: a small one, and those that the environment names."""
    traces = {"sample.h5": trace_file()}
    if more := os.environ.get("OKBENCH_FUZZ_TRACES"):
        traces.update((path.name, path.read_bytes()) for path in sorted(pathlib.Path(more).rglob("*.h5")))
    return traces


def damaged(data, flips, cuts, overwrites):
    """Copies with a bit flipped, an end cut off, or a span of random length written over."""
    draw = random.Random(7)
    for _ in range(flips):
        place = draw.randrange(len(data))
        yield data[:place] + bytes([data[place] ^ (1 << draw.randrange(8))]) + data[place + 1 :]
    for _ in range(cuts):
        yield data[: draw.randrange(len(data))]
    for _ in range(overwrites):
        place = draw.randrange(len(data))
        span = draw.randbytes(min(1 + draw.randrange(64), len(data) - place))
        if data[place : place + len(span)] != span:
            yield data[:place] + span + data[place + len(span) :]


def tries(flips, cuts, overwrites):
    return (60000, 1500, 8000) if FULL else (flips, cuts, overwrites)


def content(path):
    """What the digests cover, to compare."""
    trace = read_trace(path)
    tables = {
        table: {name: values.tobytes() for name, values in columns.items() if name != "kernel_computed"}
        for table, columns in trace.tables.items()
    }
    return trace.trial_id, trace.spec, trace.summary, tables


@pytest.mark.parametrize(("name", "data"), files().items(), ids=list(files()))
def test_no_changed_byte_is_read_as_a_trace(tmp_path, name, data):
    path, refused, total = tmp_path / "t.h5", 0, 0
    for changed in damaged(data, *tries(1000, 100, 100)):
        path.write_bytes(changed)
        total += 1
        with pytest.raises(TraceFileError):
            read_trace(path)
        refused += 1
    print(f"{name}: {len(data)} bytes, {refused} of {total} refused")


def read_all(images, path, whole, results):
    """Reads images under digests that fit, and writes a byte for how each ends."""
    faulthandler.disable()
    for image in images:
        signal.alarm(MAX_SECONDS)
        block = b"okbench-trace 2\n" + hashlib.sha256(image).hexdigest().encode() + b"\n"
        path.write_bytes(block.ljust(512, b"\0") + image)
        try:
            ending = b"s" if content(path) == whole else b"c"
        except TraceFileError:
            ending = b"r"
        except BaseException:
            ending = b"e"
        os.write(results, ending)


def endings(make_images, path, whole):
    """How often reading ends in which way: in a process of its own, and another after each crash."""
    counts, done, status = collections.Counter(), 0, None
    while status != 0:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            read_all(itertools.islice(make_images(), done, None), path, whole, writing)
            os._exit(0)
        os.close(writing)
        with open(reading, "rb") as results:
            output = results.read()
        counts.update(ENDINGS[ending] for ending in output.decode())
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        done += len(output)
        if status != 0:
            counts[f"signal {-status}"] += 1
            done += 1
    return counts


@pytest.mark.parametrize(("name", "data"), files().items(), ids=list(files()))
def test_damaged_bytes_under_the_right_digest_are_no_other_content(tmp_path, name, data):
    path = tmp_path / "t.h5"
    path.write_bytes(data)
    how_often = tries(200, 20, 60)
    counts = endings(lambda: damaged(data[512:], *how_often), path, content(path))
    print(f"{name}: {dict(counts)}")
    # A forged file may end HDF5, and Python with it: it is never a result.
    assert not counts["other content"] and not counts["another error"]
