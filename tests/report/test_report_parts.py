"""The report without a browser: what charts keep of long series, and texts that it cannot use."""

import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

from okbench.results import Results, Trace
from okplots import costs, report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_thinning_keeps_spikes_and_ends():
    x = np.arange(1.0, 50001)
    y = np.zeros(50000)
    y[[7, 31234]] = (5, -5)
    for log in (False, True):
        kept_x, kept_y = report.web_figures.thinned(x, y, log)
        assert len(kept_x) <= report.web_figures.POINTS and kept_x[0] == 1 and kept_x[-1] == 50000
        assert kept_y.max() == 5 and kept_y.min() == -5 and np.all(np.diff(kept_x) > 0)


def test_bad_texts_are_one_clear_line(tmp_path, capsys):
    paper = tmp_path / "experiments" / "p"
    paper.mkdir(parents=True)
    (tmp_path / "r").mkdir()
    head = 'format = 1\npaper = "p"\n'
    for content, cause in (
        (head, "about.title is missing"),
        (
            head + '[about]\ntitle="t"\nauthors="a"\nvenue="v"\ntext="x"\n[[figures]]\nname="p/f"\n',
            "needs name, shows and a list of claims",
        ),
        (
            head
            + '[about]\ntitle="t"\nauthors="a"\nvenue="v"\ntext="x"\n[[figures]]\nname="p/f"\nshows="s"\nclaims=[]\n',
            "no figure or table 'p/f'",
        ),
    ):
        (paper / "claims.toml").write_text(content)
        with pytest.raises(SystemExit) as stopped:
            report.main(
                [
                    "--experiments",
                    str(tmp_path / "experiments"),
                    "--results",
                    str(tmp_path / "r"),
                    "--out",
                    str(tmp_path / "o.html"),
                ]
            )
        assert cause in str(stopped.value) and "\n" not in str(stopped.value)
        assert not (tmp_path / "o.html").exists()


@pytest.fixture(scope="module")
def smoke(binary, tmp_path_factory):
    """Two seeds of several learners."""
    folder = tmp_path_factory.mktemp("smoke") / "r"
    subprocess.run(
        [binary, "run", ROOT / "experiments" / "smoke" / "online-svm.toml", "--quiet", "--out", folder],
        check=True,
        env={"OKBENCH_CACHE": str(folder.parent / "none"), "PATH": "/usr/bin:/bin"},
    )
    return folder


def rows_of(folder):
    return {(row["learner"], row["grid"]): row for row in costs.rows(Results(folder))}


def test_costs_are_no_means_over_fewer_seeds(smoke, tmp_path):
    whole = rows_of(smoke)
    assert len(whole) > 3 and all(row["seeds"] == 2 and row["missing"] == [] for row in whole.values())
    copy = shutil.copytree(smoke, tmp_path / "r")
    trials = json.loads((copy / "smoke/online-svm/plan.json").read_text())["trials"]
    one, other = [next(t for t in trials if (t["learner_key"], t["repetition"]) == pair) for pair in KEYS]
    (copy / "smoke/online-svm" / one["file"]).unlink()
    record = (copy / "smoke/online-svm" / other["file"]).with_suffix(".failed.json")
    record.write_text('{"kind": "diverged"}')
    rows = rows_of(copy)
    assert rows.keys() == whole.keys()
    for trial, cause in ((one, f"no result of {one['name']}"), (other, f"{other['name']} failed: diverged")):
        row = rows.pop((trial["label"], trial["grid_point"]))
        assert row["seeds"] == "1 of 2" and row["missing"] == [cause] and "error" not in row and "requested" not in row
    for key, row in rows.items():
        assert row["seeds"] == 2 and row["error"] == whole[key]["error"] and row["requested"] == whole[key]["requested"]
    html, _ = report.build(ROOT / "experiments", copy)
    assert f"no mean: no result of {one['name']}<" in html and f"no mean: {other['name']} failed: diverged<" in html
    assert html.count("no mean: ") == 2 and html.count(">1 of 2<") == 2


KEYS = (("norma", 0), ("svmd-nu", 1))


def test_the_report_says_what_was_run_otherwise(smoke, tmp_path):
    copy = shutil.copytree(smoke, tmp_path / "r")
    assert "Not as the specs say" not in report.build(ROOT / "experiments", copy)[0]
    plan_file = copy / "smoke/online-svm/plan.json"
    plan = json.loads(plan_file.read_text())
    plan_file.write_text(json.dumps({**plan, "overrides": ["data.rows=600", "trace.dense=<b>"]}))
    html, _ = report.build(ROOT / "experiments", copy)
    said = "smoke/online-svm, run with --set data.rows=600 --set trace.dense=&lt;b&gt;"
    assert "Not as the specs say" in html and said in html
    assert html.count("run with --set data.rows=600") > 3  # beside the costs, too


def test_the_report_is_made_of_odd_traces(bone, tmp_path, monkeypatch):
    html, told = report.build(ROOT / "experiments", bone.folder)
    assert told.startswith("0 reproduced, 0 not reproduced") and "needs the default tier" in html
    monkeypatch.setattr(Trace, "stand_in", False)
    html, told = report.build(ROOT / "experiments", bone.as_default(tmp_path / "r"))
    assert " not run" in told and html.count("<article") > 15
