"""The report without a browser: what charts keep of long series, and texts that it cannot use."""

import json
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from pages import some_papers

from okbench.results import Results, Trace
from okbench.plotting import progress
from okbench.report import page as report
from okbench.report import web_figures  # noqa: E402
from okbench.plotting import style  # noqa: E402
from okbench.report import experiments_without_claims  # noqa: E402
from okbench.cli import call  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def test_thinning_keeps_spikes_and_ends():
    x = np.arange(1.0, 50001)
    y = np.zeros(50000)
    y[[7, 31234]] = (5, -5)
    for log in (False, True):
        kept = web_figures.places(x, y, log)
        kept_x, kept_y = x[kept], y[kept]
        assert len(kept_x) <= web_figures.POINTS and kept_x[0] == 1 and kept_x[-1] == 50000
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
            "must have exactly name, shows and a list of claims",
        ),
        (
            head
            + '[about]\ntitle="t"\nauthors="a"\nvenue="v"\ntext="x"\n[[figures]]\nname="p/f"\nshows="s"\nclaims=[]\n',
            "unknown figure or table 'p/f'",
        ),
    ):
        (paper / "claims.toml").write_text(content)
        folders = ["--experiments", str(tmp_path / "experiments"), "--results", str(tmp_path / "r")]
        assert call("report", [*folders, "--out", str(tmp_path / "o.html")]) != 0
        error = capsys.readouterr().err
        assert cause in error and error.count("\n") == 1
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


def test_there_are_no_means_over_fewer_seeds(smoke, tmp_path):
    copy = shutil.copytree(smoke, tmp_path / "r")
    trials = json.loads((copy / "smoke/online-svm/plan.json").read_text())["trials"]
    lost_trial, other = [next(t for t in trials if (t["learner_key"], t["repetition"]) == pair) for pair in KEYS]
    (copy / "smoke/online-svm" / lost_trial["file"]).unlink()
    record = (copy / "smoke/online-svm" / other["file"]).with_suffix(".failed.json")
    failure = {"kind": "diverged", "message": "m", "name": other["name"], "trial_id": other["id"], "parameters": {}}
    failure |= {"experiment": "smoke/online-svm", "learner": "svmd", "data_set": "usps", "synthetic": True}
    failure |= {name: other[name] for name in ("learner_key", "grid_point", "repetition")}
    record.write_text(json.dumps(failure))
    html = report.trials_page(Results(copy), "index.html")
    for cause in (f"no mean: {lost_trial['name']}: missing", f"no mean: {other['name']}: failed: diverged"):
        assert html.count(f'"{cause}"') == 1
    assert html.count('"no mean: ') == 2


KEYS = (("norma", 0), ("svmd-nu", 1))


def test_the_report_lists_other_settings(smoke, tmp_path):
    copy = shutil.copytree(smoke, tmp_path / "r")
    assert "Overridden settings" not in report.build([ROOT / "experiments"], copy)[0]["index.html"]
    plan_file = copy / "smoke/online-svm/plan.json"
    plan = json.loads(plan_file.read_text())
    plan_file.write_text(json.dumps({**plan, "overrides": ["data.synthetic_rows=600", "trace.record_all_until=<b>"]}))
    html = report.build([ROOT / "experiments"], copy)[0]["index.html"]
    said = "smoke/online-svm, run with --set data.synthetic_rows=600 --set trace.record_all_until=&lt;b&gt;"
    assert "Overridden settings" in html and said in html


def test_the_report_accepts_incomplete_traces(minimal_results, tmp_path, monkeypatch):
    pages, _, output = report.build(*some_papers(minimal_results.folder, tmp_path, "norma-2001"))
    html = pages["norma-2001.html"]
    assert output.startswith("of 0 statements judged") and "needs the default tier" in html
    monkeypatch.setattr(Trace, "synthetic", False)
    pages, _, output = report.build([ROOT / "experiments"], minimal_results.as_default_tier(tmp_path / "r"))
    html = "".join(pages.values())
    assert " not run" in output and html.count("<article") > 15


OWN = """format = 2
experiment = "mine/first"
title = "A first try"
repetitions = 2
[data]
name = "usps"
synthetic = true
synthetic_rows = 200
order = "permutation"
[kernel]
name = "rbf"
sigma = 8
[learners.svmd]
learner = "svmd"
loss = "multiclass-hinge"
[learners.norma]
learner = "norma"
loss = "multiclass-hinge"
"""
ABOUT = """format = 1
paper = "mine"
about = { title = "Mine", authors = "I", venue = "here", text = "A try." }
figures = [{ name = "norma-2001/nu", shows = "It falls.", claims = [] }]
"""


def section(html, name):
    return html.split(f'<section id="{name}">', 1)[1].split("</section>", 1)[0]


def test_own_experiments_are_listed_apart_from_papers(binary, tmp_path):
    folder = tmp_path / "experiments" / "mine"
    folder.mkdir(parents=True)
    (folder / "first.toml").write_text(OWN)
    subprocess.run(
        [binary, "run", folder / "first.toml", "--quiet", "--out", tmp_path / "r"],
        check=True,
        env={"OKBENCH_CACHE": str(tmp_path / "none"), "PATH": "/usr/bin:/bin"},
    )
    pages, images, _ = report.build([tmp_path / "experiments"], tmp_path / "r")
    part = section(pages["other.html"], "mine")
    assert "What &#39;mine&#39; shows" in part and "the paper" not in part.lower()
    assert "A first try. 4 trials of 2 learners, without claims." in part
    assert "okbench run experiments/mine/first.toml" in part
    assert part.count("<article") == 1 and 'class="inspect"' in part and list(images) == ["figures/mine-first.png"]
    # A claims file without claims, too, speaks of no paper.
    (folder / "claims.toml").write_text(ABOUT)
    html = report.build([tmp_path / "experiments"], tmp_path / "r")[0]["mine.html"]
    assert "What &#39;mine&#39; shows" in html and "What the paper shows" not in html
    assert "no result of norma-2001/fig1" in html


def test_own_experiments_with_a_missing_seed_are_not_drawn(smoke, tmp_path):
    copy = shutil.copytree(smoke, tmp_path / "r")
    next((copy / "smoke/online-svm").glob("*.h5")).unlink()
    part = section(report.build([ROOT / "experiments"], copy)[0]["other.html"], "smoke")
    assert "Not drawn: no result of" in part and "What &#39;smoke&#39; shows" in part


def test_own_experiments_have_one_curve_a_learner(smoke):
    experiment = Results(smoke).read("smoke/online-svm")
    panel = web_figures.panels(experiments_without_claims.draw(experiment)[0])[0]
    assert len(panel["series"]) == len({(trial.label, trial.grid_point) for trial in experiment.trials})
    assert [axis["label"] for axis in panel["axes"]][:2] == ["steps", "examples"] and len(panel["axes"]) == 4
    ends = [curve["y"][-1] for curve in panel["series"]]
    assert ends == sorted(ends) and all(0 < end < 100 for end in ends)


def test_progress_of_a_curve(smoke):
    trace = Results(smoke).read("smoke/online-svm").by_learner("norma")[0]
    figure, axes = style.plt.subplots()
    (line,) = progress.mark(axes.plot(trace["step"], trace["mistakes"]), [trace])
    columns = progress.of_line(line)
    assert list(columns) == list(progress.KINDS)
    assert np.array_equal(columns["examples"], trace["step"])  # a stream's
    assert columns["kernel evaluations requested"][-1] == trace.summary["kernel_evaluations"]["requested"]
    (short,) = progress.mark(axes.plot([1, 2], [1, 2]), [trace])
    assert progress.of_line(short) == {}  # other points than the trace's
    style.plt.close(figure)


def test_lists_of_numbers_are_written_once():
    series = {"label": "a", "x": [1, 2], "y": [3, 4], "along": {"steps": [1, 2]}}
    packed = web_figures.packed({"f": [{"title": "t", "series": [series, series]}]})
    assert packed["lists"] == [[1, 2], [3, 4]]
    assert packed["figures"]["f"][0]["series"][1] == {"label": "a", "x": 0, "y": 1, "along": {"steps": 0}}
