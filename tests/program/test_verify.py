"""Results that are not those of the present spec, seeds that are missing, and results that occur twice."""

import hashlib
import json
import shutil

import h5py
import numpy as np
import pytest
from conftest import QUICK, reseal

from okbench import errors
from okbench.results import Results, read_trace

SPEC = """format = 2
experiment = "test/verify"
repetitions = 3
[data]
name = "a8a"
synthetic_rows = 200
order = "uniform"
[kernel]
name = "rbf"
gamma = 0.05
[learners.norma]
learner = "norma"
c = 0.1
[learners.svmd]
learner = "svmd"
"""


@pytest.fixture
def folder(okbench, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the plan names the spec relative to this folder
    (tmp_path / "s.toml").write_text(SPEC)
    okbench("run", "s.toml", *QUICK, "--quiet", check=0)
    return tmp_path / "r" / "test" / "verify"


def means(okbench, *arguments):
    done = okbench("summary", *arguments, "--mean", "--json")
    return done, {mean["key"]: mean for mean in json.loads(done.stdout)["means"]}


def test_a_changed_spec_is_named_and_its_results_are_not_used(okbench, folder, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("c = 0.1", "c = 0.5"))
    done, rows = means(okbench, "r")
    assert done.returncode == 1 and "test/verify/norma/r0 (c = 0.1, now 0.5)" in done.stderr
    assert rows["norma"]["stale"] == 3 and rows["norma"]["error_rate"] is None
    assert rows["svmd"]["stale"] == 0 and rows["svmd"]["seeds"] == 3
    assert okbench("verify", "r").returncode == 1 and okbench("verify", "r", "--plans").returncode == 1
    with pytest.raises(errors.NotRun, match=r"norma/r0 is stale \(c = 0.1, now 0.5\); run it again"):
        results = Results(tmp_path / "r")
        results.tier = "quick"
        results.find("test/verify/norma")


ROWS = "".join(f"{1 if i % 3 else -1} 1:{i % 7} 2:1\n" for i in range(200))


def test_stale_results_are_named_with_other_data_at_hand(okbench, folder, tmp_path, monkeypatch):
    """The results are of synthetic rows. Then the real rows are found, and c is another one."""
    (tmp_path / "own.toml").write_text(
        "[a8a]\ntitle='a8a'\nformat='libsvm'\nfeatures=123\nrange=[0.0,6.0]\nlabels=['-1','1']\nkind='binary'\n"
        "terms=''\nsynthetic={generator='sparse-binary', active=14}\n"
        "[a8a.train]\nrows=200\nfiles=[{name='a8a', urls=[], sha256=''}]\n"
    )
    env = {"OKBENCH_CATALOG": str(tmp_path / "own.toml")}
    okbench("run", "s.toml", *QUICK, "--quiet", env=env, check=0)
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "a8a").write_text(ROWS)
    real = {**env, "OKBENCH_MIRROR": str(tmp_path / "mirror")}
    # Other data alone are no reason.
    assert okbench("verify", "r", env=real, check=0).stdout == "6 of 6 trials have a valid result\n"
    (tmp_path / "s.toml").write_text(SPEC.replace("c = 0.1", "c = 0.5"))
    done = okbench("verify", "r", env=real, check=1)
    assert done.stdout == "3 of 6 trials have a valid result\n" and "norma/r0 (c = 0.1, now 0.5)" in done.stderr
    assert okbench("summary", "r", env=real, check=1).stderr.count("c = 0.1, now 0.5") == 3
    for name, value in real.items():
        monkeypatch.setenv(name, value)
    stale = Results(tmp_path / "r").read("test/verify")
    assert [trial.stale for trial in stale.trials if trial.learner_key == "norma"] == ["c = 0.1, now 0.5"] * 3


def test_a_plan_that_lacks_trials_of_the_spec_is_incomplete(okbench, folder, tmp_path):
    """One more seed, and one more learner."""
    more = SPEC.replace("repetitions = 3", "repetitions = 4") + '[learners.more]\nlearner = "perceptron"\n'
    (tmp_path / "s.toml").write_text(more)
    names = [f"test/verify/{name}" for name in ("norma/r3", "svmd/r3", "more/r0", "more/r1", "more/r2", "more/r3")]
    done = okbench("verify", "r", check=1)
    assert done.stdout == "6 of 12 trials have a valid result\n"
    assert "not in the plan; run the spec again" in done.stderr
    plans = okbench("verify", "r", "--plans", "--json", check=1)
    assert sorted(json.loads(plans.stdout)["unplanned"]) == sorted(names)
    done, rows = means(okbench, "r")
    assert done.returncode == 1 and rows["norma"]["missing"] == 1 and rows["norma"]["error_rate"] is None
    results = Results(tmp_path / "r")
    results.tier = "quick"
    assert sorted(reason.split(" ")[0] for reason in results.read("test/verify").missing) == sorted(names)
    with pytest.raises(errors.NotRun, match="the present spec has more trials of test/verify/norma; run it again"):
        results.find("test/verify/norma")
    okbench("run", "s.toml", *QUICK, "--quiet", check=0)
    assert okbench("verify", "r", check=0).stdout == "12 of 12 trials have a valid result\n"


def test_an_invalid_plan_is_named_without_its_spec(okbench, folder, tmp_path):
    (tmp_path / "s.toml").unlink()
    assert okbench("verify", "r", "--plans", check=0).stdout == ""
    plan = folder / "plan.json"
    text = plan.read_text()
    without_id, without_end = text.replace('"id":', '"no":', 1), text.replace("\n]}", "")
    for broken in (without_id, text[:-20], text + "x\n", text + "]}\n", without_end):
        plan.write_text(broken)
        done = okbench("verify", "r", "--plans", check=1)
        assert "not a valid plan; okbench run rewrites it" in done.stderr and len(done.stderr.splitlines()) == 1


def test_two_keys_with_equal_parameters_are_two_learners(okbench, tmp_path):
    spec = """format = 2
experiment = "test/twins"
title = "twins"
repetitions = 2
[data]
name = "margin"
synthetic_rows = 100
order = "permutation"
[kernel]
name = "linear"
[learners.a]
learner = "perceptron"
[learners.b]
learner = "perceptron"
"""
    (tmp_path / "twins.toml").write_text(spec)
    out = tmp_path / "r"
    okbench("run", tmp_path / "twins.toml", "--out", out, "--quiet", check=0)
    assert "4 of 4 trials have a valid result" in okbench("verify", out, check=0).stdout
    rows = json.loads(okbench("summary", out, "--json", check=0).stdout)["trials"]
    assert sorted((row["key"], row["seed"]) for row in rows) == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]


def test_a_trial_that_a_plan_lists_twice_is_an_error(okbench, folder):
    plan = folder / "plan.json"
    content = json.loads(plan.read_text())
    content["trials"].append(content["trials"][0])
    plan.write_text(json.dumps(content))
    for words in (("verify", "r"), ("summary", "r"), ("export", "r", "--to", "-"), ("plot", "r")):
        done = okbench(*words)
        assert done.returncode == 1 and "lists a trial twice; okbench run rewrites it" in done.stderr, words


def test_changed_provenance_is_noticed(okbench, folder):
    path = next(folder.glob("norma-r0*.h5"))
    image = path.read_bytes()
    with h5py.File(path, "r+") as file:
        text = file.attrs["provenance"].decode().replace('"synthetic":true', '"synthetic":false')
        file.attrs["provenance"] = np.bytes_(text)
    body = path.read_bytes()[512:]
    # The digest of the bytes is made anew, that of the provenance is not.
    path.write_bytes(
        (b"okbench-trace 2\n" + hashlib.sha256(body).hexdigest().encode() + b"\n").ljust(512, b"\0") + body
    )
    assert "its digest does not match its provenance" in okbench("summary", "--trace", path, check=1).stderr
    with pytest.raises(errors.TraceFileError, match="its digest does not match its provenance"):
        read_trace(path)
    path.write_bytes(image)
    okbench("summary", "--trace", path, check=0)


def test_an_error_rate_that_is_not_mistakes_over_examples_is_noticed(okbench, folder):
    path = next(folder.glob("norma-r0*.h5"))

    def change(file):
        summary = json.loads(file.attrs["summary"])
        file.attrs["summary"] = np.bytes_(json.dumps({**summary, "error_rate": summary["error_rate"] / 2}))

    reseal(path, change)
    assert "its summary (error_rate) is not mistakes / examples" in okbench("summary", "r", check=1).stderr
    with pytest.raises(errors.TraceFileError, match="error_rate"):
        read_trace(path)


def test_stale_results_can_be_accepted_and_are_marked(okbench, folder, tmp_path, monkeypatch, capsys):
    (tmp_path / "s.toml").write_text(SPEC.replace("gamma = 0.05", "gamma = 0.5"))
    done, rows = means(okbench, "r", "--stale")
    assert done.returncode == 0 and rows["norma"]["stale"] == rows["norma"]["seeds"] == 3
    assert "3 (3 stale)" in okbench("summary", "r", "--mean", "--stale", check=0).stdout
    monkeypatch.setenv("OKBENCH_STALE", "1")
    assert len(Results(tmp_path / "r").read("test/verify").traces) == 6
    assert "accepts 6 stale results" in capsys.readouterr().err


def test_a_mean_lacks_no_seed(okbench, folder):
    next(folder.glob("norma-r1-*.h5")).unlink()
    done, rows = means(okbench, "r")
    assert done.returncode == 1 and "1 of 6 planned trials without a result: test/verify/norma/r1" in done.stderr
    assert rows["norma"]["seeds"] == 2 and rows["norma"]["missing"] == 1 and rows["norma"]["error_rate"] is None
    assert rows["svmd"]["error_rate"]["deviation"] is not None
    # Single rows are right without it.
    assert okbench("summary", "r").returncode == 0


def test_a_trial_counts_once(okbench, folder, tmp_path):
    _, once = means(okbench, "r")
    shutil.copytree(tmp_path / "r", tmp_path / "copy")
    assert means(okbench, "r", "r", "copy")[1] == once
    for seed in (1, 2):
        shutil.copy(next(folder.glob("svmd-r0-*.h5")), next((tmp_path / "copy").rglob(f"svmd-r{seed}-*.h5")))
    done, rows = means(okbench, "copy")
    assert done.returncode == 1 and done.stderr.count("belongs to trial") == 2
    assert rows["svmd"]["seeds"] == 1 and rows["svmd"]["error_rate"] is None


def test_trials_of_other_settings_are_not_pooled(okbench, folder, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("c = 0.1", "c = 0.5"))
    okbench("run", "s.toml", "--tier", "quick", "--out", "other", "--quiet", check=0)
    listed = json.loads(okbench("summary", "r", "other", "--mean", "--json", "--stale").stdout)["means"]
    assert sorted((mean["key"], mean["seeds"]) for mean in listed) == [("norma", 3), ("norma", 3), ("svmd", 3)]


def test_equal_numbers_have_no_deviation(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("repetitions = 3", "repetitions = 10"))
    okbench("run", "s.toml", *QUICK, "--quiet", check=0)
    for row in means(okbench, "r")[1].values():
        requested = row["kernel_evaluations"]["requested"]
        assert requested["deviation"] == 0 or requested["deviation"] > 1e-6


def test_the_best_of_incomplete_points_is_no_success(okbench, tmp_path):
    (tmp_path / "s.toml").write_text(SPEC.replace("c = 0.1", "grid = { c = [0.1, 0.5] }"))
    okbench("run", "s.toml", *QUICK, "--quiet", check=0)
    assert "(best of 2)" in okbench("summary", "r", "--best", check=0).stdout
    folder = tmp_path / "r" / "test" / "verify"
    trials = json.loads((folder / "plan.json").read_text())["trials"]
    (file,) = [trial["file"] for trial in trials if trial["name"] == "test/verify/norma[c=0.5]/r0"]
    (folder / file).unlink()
    done = okbench("summary", "r", "--best", "--json")
    (best,) = [mean for mean in json.loads(done.stdout)["means"] if mean["key"] == "norma"]
    assert done.returncode == 1 and best["points"] == 1 and best["complete"] and "norma[c=0.5]/r0" in done.stderr


@pytest.mark.parametrize("verb", ["verify", "summary"])
def test_a_trace_that_is_a_link_out_of_its_folder_is_refused(folder, okbench, tmp_path, verb):
    trace = sorted(folder.glob("*.h5"))[0]
    trace.rename(tmp_path / "elsewhere.h5")
    trace.symlink_to(tmp_path / "elsewhere.h5")
    error = okbench(verb, "r", check=1 if verb == "verify" else None).stderr
    assert f"'{trace.name}' leads out of its folder through a symbolic link" in error
