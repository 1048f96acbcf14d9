"""Packed results: many trials per file, and the same numbers as one file per trial."""

import hashlib
import io
import json
import shutil
import signal
import sqlite3
import subprocess

import h5py
import numpy as np
import pandas as pd
import pytest
import h5py_reader
from conftest import tuned_spec

import okbench as package
from okbench.results import plans, read_experiment, read_trace

SPEC = tuned_spec("test/packed")
CLOCKS = ["wall_seconds", "cpu_seconds", "kernel_share", "learner_peak_bytes"]


@pytest.fixture
def both(okbench, tmp_path):
    """The same trials with a file each in "alone", and in a segment in "packed"."""
    (tmp_path / "s.toml").write_text(SPEC)
    okbench("run", "s.toml", "--out", "alone", check=0)
    okbench("run", "s.toml", "--out", "packed", "--pack", check=0)
    return tmp_path


def folder(place, name):
    return place / name / "test" / "packed"


def without_clocks(rows):
    return [{key: value for key, value in row.items() if key not in CLOCKS} for row in rows]


def test_packed_results_have_the_same_numbers(okbench, summary, both):
    assert len(list(folder(both, "alone").glob("*.h5"))) == 8
    assert [path.name[:8] for path in folder(both, "packed").glob("*.h5")] == ["segment-"]
    assert (folder(both, "alone") / "plan.json").read_text() == (folder(both, "packed") / "plan.json").read_text()
    okbench("compare", "alone", "packed", check=0)
    assert without_clocks(summary("alone")) == without_clocks(summary("packed"))
    for options in (("--mean",), ("--best",), ("--mean", "--target", "0.5"), ("--folds",)):
        means = [
            json.loads(okbench("summary", name, "--json", *options, check=0).stdout) for name in ("alone", "packed")
        ]
        kind = "trials" if options == ("--folds",) else "means"
        # Rows in a segment may come in another order.
        assert sorted(map(str, without_clocks(means[0][kind]))) == sorted(map(str, without_clocks(means[1][kind])))
    okbench("verify", "packed", check=0)


def test_frames_and_traces_read_segments(both):
    alone, packed = (package.load(both / name) for name in ("alone", "packed"))
    unlike = ["trace", "seconds", "kernel_share", "cpu_seconds", "learner_peak_bytes", "file"]
    pd.testing.assert_frame_equal(alone.drop(columns=unlike), packed.drop(columns=unlike))
    pd.testing.assert_frame_equal(
        alone["trace"][0].frame().drop(columns="seconds"), packed["trace"][0].frame().drop(columns="seconds")
    )
    trial = read_experiment(both / "packed", "test/packed").trials[0]
    assert trial.has_result and read_trace(trial.path).digest == trial.trace.digest


def test_tables_and_crates_read_segments(okbench, both):
    okbench("export", "packed", "--to", "x.sqlite", check=0)
    with sqlite3.connect(both / "x.sqlite") as database:
        assert database.execute("SELECT COUNT(*) FROM trials WHERE status = 'ok'").fetchone() == (4,)
    okbench("export", "crate", "packed", check=0)
    graph = json.loads((both / "packed" / "ro-crate-metadata.json").read_text())["@graph"]
    actions = [entity for entity in graph if entity["@type"] == "CreateAction" and "/packed/" in entity["@id"]]
    assert len(actions) == 8 and all("segment-" in action["result"]["@id"] for action in actions)
    okbench("plot", "packed", "--best", "--out", "figure.png", check=0)
    assert (both / "figure.png").stat().st_size > 1000


def test_a_trace_of_a_segment_is_a_trace_file(okbench, both):
    (path,) = folder(both, "packed").glob("*.h5")
    with h5py.File(path) as segment:
        names = [name.decode() for name in segment["file"][:]]
        content = segment["trace"][: segment["trace_end"][0]].tobytes()
    assert names == h5py_reader.packed(path.parent)
    with h5py.File(io.BytesIO(content)) as trace:
        assert trace.attrs["trial_id"].decode() in names[0]
    shown = okbench("summary", "--trace", path.parent / names[0], check=0).stdout
    assert "kernel_requested" in shown
    (both / names[0]).write_bytes(content)
    assert okbench("summary", "--trace", names[0], check=0).stdout.split("\n")[1:] == shown.split("\n")[1:]


def test_packed_results_are_resumed_and_replaced(okbench, both):
    again = okbench("run", "s.toml", "--out", "packed", "--pack", check=0)
    assert "8 trials: 8 already have results, 0 to run" in again.stderr
    # A run without --pack finds them, too, and its own results replace them.
    assert "0 to run" in okbench("run", "s.toml", "--out", "packed", check=0).stderr
    okbench("run", "s.toml", "--out", "packed", "--force", check=0)
    assert len(list(folder(both, "packed").glob("*.h5"))) == 9
    okbench("run", "s.toml", "--out", "packed", "--force", "--pack", check=0)
    assert all(path.name.startswith("segment-") for path in folder(both, "packed").glob("*.h5"))
    okbench("compare", "alone", "packed", check=0)


def test_a_damaged_segment_is_named_and_its_trials_run_again(okbench, both):
    (path,) = folder(both, "packed").glob("*.h5")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    shown = okbench("verify", "packed", check=1)
    assert f"{path.name}: not a valid segment: its bytes do not match its digest; delete it" in shown.stderr
    assert "8 of 8 planned trials without a result" in shown.stderr and shown.stderr.count("\n") == 2
    assert "not a valid segment" in okbench("summary", "packed", check=1).stderr
    again = okbench("run", "s.toml", "--out", "packed", "--pack", check=0)
    assert f"{path.name}: not a valid segment" in again.stderr and "8 to run" in again.stderr
    path.unlink()
    okbench("compare", "alone", "packed", check=0)


def test_a_summary_row_that_differs_from_its_trace_is_found(okbench, both):
    (path,) = folder(both, "packed").glob("*.h5")
    with h5py.File(path, "r+") as segment:
        rows = segment["row"][:].tobytes()
        at = rows.index(b'"support_vectors":') + len(b'"support_vectors":')
        forged = rows[:at] + (b"9" if rows[at : at + 1] != b"9" else b"8") + rows[at + 1 :]
        segment["row"][:] = np.frombuffer(forged, np.uint8)
    content = path.read_bytes()
    path.write_bytes(b"okbench-segment 1\n" + hashlib.sha256(content[512:]).hexdigest().encode() + b"\n")
    path.write_bytes(path.read_bytes().ljust(512, b"\0") + content[512:])
    shown = okbench("verify", "packed", check=1)
    assert "its summary row does not match its trace" in shown.stderr
    assert "7 of 8 trials have a valid result" in shown.stdout


def test_segments_are_merged(okbench, both):
    plan = json.loads((folder(both, "alone") / "plan.json").read_text())["trials"]
    ids = [trial["id"] for trial in plan if trial["fold"] is not None]
    words = [word for trial_id in ids for word in ("--trial", trial_id)]
    okbench("run", "s.toml", "--out", "one", "--pack", *words, check=0)
    shutil.copytree(both / "one", both / "two")
    okbench("run", "s.toml", "--out", "two", "--pack", check=0)
    assert len(list(folder(both, "two").glob("*.h5"))) == 2
    done = okbench("verify", "one", "two", "--out", "joined", check=0)
    assert "8 of 8 planned trials have a valid result; 8 copied, 0 missing, 0 contradicting" in done.stdout
    assert {path.name for path in folder(both, "joined").glob("*.h5")} == {
        path.name for path in folder(both, "two").glob("*.h5")
    }
    okbench("compare", "alone", "joined", check=0)
    # The same trials in other segments: the results agree, and one of each is kept.
    done = okbench("verify", "joined", "packed", "alone", "--out", "all", check=0)
    assert "8 of 8 planned trials have a valid result; 8 copied" in done.stdout
    okbench("compare", "alone", "all", check=0)


def test_an_interrupted_run_keeps_reported_trials(binary, environment, okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("repetitions = 2", "repetitions = 400"))
    command = [binary, "run", "s.toml", "--out", "r", "--pack", "--verbose", "--jobs", "2"]
    running = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    lines = []
    for line in running.stderr:
        lines += [line] if line.startswith("[") else []
        if len(lines) == 20:
            running.send_signal(signal.SIGINT)
    assert running.wait() == 130
    stored = h5py_reader.packed(folder(tmp_path, "r"))
    reported = [line for line in lines if "interrupted" not in line]
    assert len(stored) >= len(reported) >= 20
    okbench("run", "s.toml", "--out", "r", "--pack", check=0)
    okbench("verify", "r", check=0)


def test_a_figure_of_many_trials_reads_the_first_seeds(okbench, tmp_path, monkeypatch):
    (tmp_path / "s.toml").write_text(SPEC.replace("repetitions = 2", "repetitions = 5"))
    okbench("run", "s.toml", "--out", "r", "--pack", check=0)

    def drawn():
        figure = package.plot(tmp_path / "r")
        return " ".join(" ".join(artist.get_text() for artist in figure.texts).split())

    assert "Means over 5 seeds" in drawn() and "Only the first" not in drawn()
    monkeypatch.setattr("okbench.plotting.plot.MAX_TRACES", 9)  # of 10
    read = []
    monkeypatch.setattr("okbench.results.plans.read_trace", lambda path: read.append(path) or read_trace(path))
    text = drawn()
    assert "Means over 4 seeds" in text and "Only the first 4 of 5 seeds." in text
    assert len(read) == 8
    monkeypatch.setattr("okbench.plotting.plot.MAX_TRACES", 3)
    text = drawn()
    assert "Means over 2 seeds" in text and "Only the first 2 of 5 seeds." in text


def test_some_trials_of_each_curve_are_read(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("repetitions = 2", "repetitions = 5"))
    okbench("run", "s.toml", "--out", "r", "--pack", check=0)
    name = "test/packed"
    whole = plans.read_experiment(tmp_path / "r", name)
    some = plans.read_experiment(tmp_path / "r", name, most=2)
    assert [trial.name for trial in some.trials] == [trial.name for trial in whole.trials if trial.repetition < 2]
    assert set(some.planned.values()) == {5} and not whole.planned
    assert some.planned.keys() == {(trial.learner_key, trial.grid_point) for trial in whole.trials}
    # A plan of another layout has the same trials.
    file = folder(tmp_path, "r") / "plan.json"
    file.write_text(json.dumps(json.loads(file.read_text())))
    again = plans.read_experiment(tmp_path / "r", name, most=2)
    assert [trial.name for trial in again.trials] == [trial.name for trial in some.trials]
