"""Figures of real traces: every figure is drawn, tells its data, and comes out the same twice."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from conftest import QUICK

from okbench.claims import numbers
from okbench.errors import NotRun
from okbench.results import Results, read_experiment

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPECS = sorted((ROOT / "experiments" / "svmd-2006").glob("fig*.toml"))


def draw(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "okbench", "report", "figures", "--results", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/python", "HOME": "/tmp", "PATH": "/usr/bin:/bin", **environment},
    )


@pytest.fixture(scope="module")
def svmd_results(binary, tmp_path_factory):
    folder = tmp_path_factory.mktemp("svmd")
    subprocess.run(
        [binary, "run", *SPECS, *QUICK[:2], "--quiet", "--out", folder / "r"],
        check=True,
        env={"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"},
    )
    return folder / "r"


@pytest.fixture
def results(svmd_results, tmp_path):
    return shutil.copytree(svmd_results, tmp_path / "r")


def test_every_figure_in_three_formats_with_a_caption(results):
    done = draw(results)
    assert done.returncode == 0, done.stderr
    for name in ("fig3", "fig4", "fig6", "fig7", "fig8"):
        base = results / "figures" / "svmd-2006" / name
        for kind in (".pdf", ".svg", ".png"):
            assert base.with_suffix(kind).stat().st_size > 10000
        caption = base.with_suffix(".txt").read_text()
        assert "synthetic fallback" in caption and "η0" in caption
        assert "ernel evaluations" in caption or name == "fig8"
        svg = base.with_suffix(".svg").read_text()
        assert (
            "synthetic fallback" in svg
            and "step size" in svg
            and ("examples" if name == "fig8" else "iterations") in svg
        )
    assert done.stdout.count("[SYNTHETIC DATA]") == 7  # with figure 5, which has no curves, and the collapse


@pytest.fixture
def budget_results(okbench, tmp_path):
    specs = sorted((ROOT / "experiments" / "budget-2003").glob("*.toml"))
    okbench("run", *specs, "--tier", "quick", "--quiet", "--out", "r", check=0)
    return tmp_path / "r"


def test_nine_panels_and_a_table(budget_results):
    done = draw(budget_results)
    assert done.returncode == 0, done.stderr
    svg = (budget_results / "figures" / "budget-2003" / "fig4.svg").read_text()
    for text in ("MNIST", "USPS", "letter", "online margin errors", "test error", "support patterns", "Adaptive"):
        assert text in svg
    table = budget_results / "figures" / "budget-2003" / "table1"
    assert "26 (26)" in table.with_suffix(".md").read_text()
    assert "26 (26)" in table.with_suffix(".csv").read_text()
    assert r"\toprule" in table.with_suffix(".tex").read_text()


def home_with(folder, paper, change):
    """A home whose claims file of a paper has its numbers changed, and nothing else."""
    numbers = tomllib.loads((ROOT / "experiments" / paper / "claims.toml").read_text())["numbers"]

    def lines(name, table):
        plain = {key: entry for key, entry in table.items() if not isinstance(entry, dict)}
        yield f"[{name}]\n" + "".join(f"{key} = {change(entry)}\n" for key, entry in plain.items())
        for key in table.keys() - plain.keys():
            yield from lines(f"{name}.{key}", table[key])

    (folder / "experiments" / paper).mkdir(parents=True)
    text = f'format = 1\npaper = "{paper}"\n' + "".join(lines("numbers", numbers))
    (folder / "experiments" / paper / "claims.toml").write_text(text)
    (folder / "plots").symlink_to(ROOT / "plots")
    return str(folder)


def twice(entry):
    return [2 * number for number in entry] if isinstance(entry, list) else 2 * entry


def printed_numbers(folder):
    """What stands in brackets in the rows of each table: the papers' numbers."""
    return {path.name: re.findall(r"\(([-\d][^)]*)\)", path.read_text()) for path in sorted(folder.glob("table*.csv"))}


def check_that_printed_numbers_are_read(results, home, paper):
    """Draws twice, the second time with every number of the paper doubled: all of them must change."""
    first = printed_numbers(results / "figures" / paper)
    done = draw(results, "--only", f"{paper}/table*", OKBENCH_HOME=home_with(home, paper, twice))
    assert done.returncode == 0, done.stderr
    second = printed_numbers(results / "figures" / paper)
    assert first.keys() == second.keys()
    for name in first:
        assert len(first[name]) == len(second[name]) >= 12
        assert not any(original == two for original, two in zip(first[name], second[name])), name


def test_numbers_of_the_paper_are_read_from_its_claims(budget_results, tmp_path):
    assert draw(budget_results, "--only", "*/table*").returncode == 0
    check_that_printed_numbers_are_read(budget_results, tmp_path / "home", "budget-2003")
    assert "26 (52)" in (budget_results / "figures" / "budget-2003" / "table1.md").read_text()
    claims = tmp_path / "home" / "experiments" / "budget-2003" / "claims.toml"
    claims.write_text(claims.read_text().replace("letter", "leter"))
    done = draw(budget_results, "--only", "*/table*", OKBENCH_HOME=str(tmp_path / "home"))
    assert done.returncode == 1
    assert (
        done.stderr
        == "okbench: table budget-2003/table1: there is no number 'table1.letter': table1 has mnist, leter, usps-esl\n"
    )


def test_events_of_figure_7_are_read_from_the_claims(results, tmp_path, monkeypatch):
    from svmd_2006 import figure_7

    experiments = [read_experiment(results, f"svmd-2006/fig7-{side}") for side in ("left", "right")]
    last = experiments[0].traces[0].summary["examples"]

    def events():
        panel = figure_7(*experiments)[0].axes[0]
        return [line.get_xdata()[0] for line in panel.get_lines() if line.get_linestyle() == ":"]

    known = numbers("svmd-2006").value("fig7-left.events")
    assert events() == [event for event in known if event < last] and len(events()) >= 5
    monkeypatch.setenv("OKBENCH_HOME", home_with(tmp_path / "home", "svmd-2006", lambda entry: [3, 7, 50]))
    assert events() == [3, 7, 50]


def test_the_same_traces_give_the_same_picture(results):
    draw(results, "--only", "*/fig3")
    path = results / "figures" / "svmd-2006" / "fig3.svg"
    first = path.read_bytes()
    draw(results, "--only", "*/fig3")
    assert path.read_bytes() == first


def test_curves_have_the_values_of_the_traces(results):
    from svmd_2006 import figure_3

    experiment = read_experiment(results, "svmd-2006/fig3")
    figure, *_ = figure_3(experiment)
    lines = figure.axes[0].get_lines()
    assert len(lines) == 3
    ends = sorted(line.get_ydata()[-1] for line in lines)
    assert ends == pytest.approx(sorted(100 * trace.summary["error_rate"] for trace in experiment.traces))
    assert {line.get_linestyle() for line in lines} == {"-", "--", ":"} or len(
        {str(line._dash_pattern) for line in lines}
    ) == 3


def test_no_legend_covers_a_curve(results):
    from okbench.plotting import legends, scripts, style
    from okbench.plotting.draw import find
    from okbench.plotting.registry import FIGURES

    scripts.load()
    drawn = 0
    for name, (needed, make) in FIGURES.items():
        try:
            figure, title, caption, synthetic = make(*find(Results(results), needed))
        except NotRun:
            continue
        style.finish(figure, title, caption, synthetic)
        assert not legends.hidden(figure), name
        style.plt.close(figure)
        drawn += 1
    assert drawn >= 3


def test_missing_and_damaged_traces_are_reported(results):
    trace = next((results / "svmd-2006" / "fig3").glob("*.h5"))
    content = trace.read_bytes()
    trace.unlink()
    assert "fig3: not made, no result of svmd-2006/fig3/" in draw(results, "--only", "*/fig3").stdout
    trace.write_bytes(content[:3000])
    done = draw(results)
    assert done.returncode == 1 and trace.name in done.stderr and done.stderr.count("\n") == 1
    trace.write_bytes(content)
    trace.with_suffix(".failed.json").write_text('{"kind": "timeout"}')
    output = draw(results, "--only", "*/fig3").stdout
    assert re.search(r"fig3: not made, svmd-2006/fig3/[\w-]+/r0 failed: timeout\n", output)
    trace.with_suffix(".failed.json").unlink()
    assert "no such result folder" in draw(results / "none").stderr


def test_results_of_other_settings_are_not_drawn(results):
    path = results / "svmd-2006" / "fig7-left" / "plan.json"
    plan = json.loads(path.read_text())
    path.write_text(json.dumps({**plan, "overrides": ["data.max_examples=700"], "spec": ""}))
    done = draw(results, "--only", "*/fig[37]")
    assert done.returncode == 0, done.stderr
    assert "fig7: not made, svmd-2006/fig7-left was run with --set data.max_examples=700\n" in done.stdout
    assert not (results / "figures" / "svmd-2006" / "fig7.svg").exists()
    assert (results / "figures" / "svmd-2006" / "fig3.svg").exists()


def test_figures_of_odd_traces_are_drawn_or_not_made(minimal_results, tmp_path):
    # The report draws all of them (tests/report/test_report_parts.py); here in three formats.
    done = draw(minimal_results.as_default_tier(tmp_path / "r"), "--only", "svmd-2006/*")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) > 5 and all(" not made, " in line or " (also ." in line for line in lines)


def test_the_thesis_figures_and_tables(okbench, tmp_path):
    okbench("run", *sorted((ROOT / "experiments" / "sfd-2013").glob("[tf]*.toml")), *QUICK, "--quiet", check=0)
    done = draw(tmp_path / "r")
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "r" / "figures" / "sfd-2013"
    for name in ("fig5-1", "fig5-2"):
        svg = folder.joinpath(name + ".svg").read_text()
        for text in (
            "training hinge loss",
            "nonzero loss",
            "test error",
            "iteration t",
            "generated synthetic data",
        ):
            assert text in svg
        assert "theorem 3" in folder.joinpath(name + ".txt").read_text()
    for name, axis in (("fig5-3", "examples processed"), ("fig5-4", "support vectors")):
        svg = folder.joinpath(name + ".svg").read_text()
        for text in (axis, "IJCNN (generated synthetic data)", "SampledCuts", "Pegasos2"):
            assert text in svg
    for number in range(1, 5):
        for kind in (".md", ".csv", ".tex"):
            assert "synthetic data" in folder.joinpath(f"table5-{number}{kind}").read_text()
    rows = folder.joinpath("table5-4.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 4
    assert "(1.786e+10)" in rows[1] and "requested" in rows[1] and "computed" in rows[2]
    check_that_printed_numbers_are_read(tmp_path / "r", tmp_path / "home", "sfd-2013")


@pytest.fixture
def norma_results(okbench, tmp_path):
    specs = sorted((ROOT / "experiments" / "norma-2001").glob("*.toml")) + sorted(
        (ROOT / "experiments" / "linear-2010").glob("*.toml")
    )
    okbench("run", *[spec for spec in specs if spec.name != "claims.toml"], *QUICK, "--quiet", check=0)
    return tmp_path / "r"


def test_figures_of_norma_and_the_linear_svm(norma_results):
    done = draw(norma_results)
    assert done.returncode == 0, done.stderr
    texts = {
        "norma-2001/fig1": "worst of the test patterns",
        "norma-2001/nu": "margin errors so far",
        "norma-2001/theorems-usps": "cumulative risk",
        "norma-2001/theorems-margin": "known margin",
        "norma-2001/regression": "heavy-tailed noise",
        "norma-2001/regression-fit": "outside the tube",
        "linear-2010/curves": "objective",
    }
    for name, text in texts.items():
        base = norma_results / "figures" / name
        assert text in base.with_suffix(".svg").read_text(), name
        # Generated sets are data sets of their own; synthetic fallbacks say so.
        generated = name in ("norma-2001/theorems-margin", "norma-2001/regression", "norma-2001/regression-fit")
        assert ("generated synthetic data" in base.with_suffix(".svg").read_text()) != generated, name
