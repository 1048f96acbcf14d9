"""The explorer in a real browser, on the page of `okbench league FILE` and beside the report."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("selenium")
from conftest import once  # noqa: E402
from accessibility import problems  # noqa: E402
from pages import contents, find, narrow, need_charts, press, wait_for  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "tests" / "python" / "league")]
from league_files import falling, run, write  # noqa: E402

from okbench.report import explorer, web_pages  # noqa: E402
from okbench.results import Results  # noqa: E402

TABLES = "tabulator-tables/dist/js/tabulator.min.js"


def make(binary, folder):
    """A league on two clusters of points, three orders."""
    folder.mkdir()
    random = np.random.RandomState(0)
    kinds = random.randint(2, size=400)
    rows = random.normal(size=(400, 2)) + 1.5 * kinds[:, None]
    text = "".join(f"{a:.4f},{b:.4f},{'ab'[kind]}\n" for (a, b), kind in zip(rows, kinds))
    (folder / "points.csv").write_text("x,y,kind\n" + text)
    done = subprocess.run(
        [binary, "league", "points.csv", "--label", "kind", "--budget", "16,64"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "OKBENCH_PYTHON": sys.executable,
            "OKBENCH_DATA": str(folder),
        },
    )
    assert done.returncode == 0, done.stderr
    assert "page      results/points/index.html" in done.stdout


@pytest.fixture(scope="module")
def points(tmp_path_factory, binary):
    return once(tmp_path_factory, "points", lambda folder: make(binary, folder)) / "results/points/index.html"


@pytest.fixture
def shown(browser, points):
    need_charts()
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.get_log("browser")
    browser.get_log("performance")
    return lambda choices="": load(browser, points.as_uri() + choices)


def load(browser, address):
    browser.get("about:blank")  # an address that differs in its fragment alone is not loaded anew
    browser.get(address)
    wait_for(browser, lambda: "chart shows" in find(browser, "#explorer-status").text)
    return browser


def rows(browser, field="label"):
    return browser.execute_script("return okbenchExplorer.table().getData('active').map(e => e[arguments[0]])", field)


def test_it_loads_no_files_and_logs_no_errors(shown):
    browser = shown()
    assert [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    requests = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = {
        request["params"]["request"]["url"] for request in requests if request["method"] == "Network.requestWillBeSent"
    }
    assert urls and all(url.startswith(("file:", "data:", "blob:", "about:")) for url in urls)


def test_a_row_keeps_the_focus_when_the_table_is_drawn_again(shown):
    browser = shown()
    row = find(browser, "#explorer-table .tabulator-row:nth-child(3)")
    browser.execute_script("arguments[0].focus()", row)
    for whole in (False, True):
        browser.execute_script("okbenchExplorer.table().redraw(arguments[0])", whole)
        assert browser.switch_to.active_element == row
    row.send_keys(" ")
    wait_for(browser, lambda: "the 1 selected" in find(browser, "#explorer-status").text)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(shown, theme):
    assert problems(shown(), theme) == []


def test_rows_and_titles_are_used_by_keyboard(shown):
    browser = shown()
    row = find(browser, "#explorer-table .tabulator-row")
    row.send_keys(" ")
    wait_for(browser, lambda: "the 1 selected" in find(browser, "#explorer-status").text)
    row.send_keys(Keys.ENTER)
    wait_for(browser, lambda: "the first" in find(browser, "#explorer-status").text)
    find(browser, "[aria-label='sort by requested']").send_keys(Keys.ENTER)
    requested = rows(browser, "requested")
    assert requested == sorted(requested)
    assert find(browser, "[aria-label='filter learner']").tag_name == "input"


def test_the_page_of_one_data_set(shown, points):
    browser = shown()
    assert find(browser, "h1").text == "The league on points.csv"
    assert "has the best error" in find(browser, ".lead").text
    table = contents(browser, "#ranking-table tbody th")
    assert len(table) == 25 and sum("baseline" in heading for heading in table) == 4
    errors = [float(cell) for cell in browser.execute_script(CELLS, "#ranking-table tbody td:nth-child(3)")]
    assert errors == sorted(errors)
    assert "okbench run results/points/points.toml" in points.read_text()


CELLS = "return [...document.querySelectorAll(arguments[0])].map(e => e.dataset.value)"


def test_it_sorts_filters_and_groups(shown):
    browser = shown()
    errors = rows(browser, "error_rate")
    assert errors == sorted(errors)  # the default
    browser.execute_script("okbenchExplorer.table().setSort('requested', 'desc')")
    requested = rows(browser, "requested")
    assert requested == sorted(requested, reverse=True)
    browser.execute_script("okbenchExplorer.table().setHeaderFilterValue('error_rate', '<20%')")
    wait_for(browser, lambda: "f.error_rate" in browser.current_url)
    assert 0 < len(rows(browser)) < len(errors) and max(rows(browser, "error_rate")) < 0.2
    browser.execute_script("okbenchExplorer.table().setHeaderFilterValue('label', 'bsgd')")
    wait_for(browser, lambda: all("BSGD" in label for label in rows(browser)))
    Select(find(browser, "#explorer-group")).select_by_visible_text("learner")
    wait_for(browser, lambda: len(contents(browser, "#explorer-table .tabulator-group")) == 3)


def test_the_address_restores_the_view(shown):
    browser = shown("#rows=trials&y=auc&x=examples&log=&sort=seed%3Adesc&f.label=norma&group=budget")
    assert {*rows(browser)} == {"NORMA"} and rows(browser, "seed")[0] == 9
    assert find(browser, "#explorer-rows").get_attribute("value") == "trials"
    chart = "const {axis, xlog, panel} = okbenchExplorer.chart(); return [axis.label, xlog, panel.y]"
    assert browser.execute_script(chart) == ["examples", False, "area under the ROC curve"]
    address = browser.current_url
    again = load(browser, address)
    assert again.current_url == address and {*rows(again)} == {"NORMA"}


def test_selected_rows_are_drawn(shown):
    browser = shown()
    labels = "return okbenchExplorer.chart().panel.series.map(e => e.label)"
    assert len(browser.execute_script(labels)) == 10  # the first ten
    browser.execute_script("okbenchExplorer.table().getRows('active')[11].select()")
    wait_for(browser, lambda: len(browser.execute_script(labels)) == 1)
    assert "selected=" in browser.current_url and "the 1 selected" in find(browser, "#explorer-status").text
    assert browser.execute_script(labels)[0].startswith(rows(browser)[11])
    browser = load(browser, browser.current_url)
    assert len(browser.execute_script(labels)) == 1
    press(browser, find(browser, "#explorer-clear"))
    wait_for(browser, lambda: len(browser.execute_script(labels)) == 10)


def test_the_curve_of_a_mean_is_the_mean_of_its_curves(shown):
    browser = shown("#x=examples&log=")
    drawn = browser.execute_script("return okbenchExplorer.chart().panel.series[0].y")
    data = json.loads(browser.execute_script("return document.getElementById('explorer-data').textContent"))
    row = browser.execute_script("return okbenchExplorer.chosen()[0]")
    curves = [data["lists"][data["curves"][trial]["error"][-1]] for trial in data["members"][row]]
    assert len(curves) == 10 and drawn == pytest.approx(np.mean(curves, axis=0))
    place = [field["name"] for field in data["fields"]].index("error_rate")
    assert drawn[-1] == pytest.approx(100 * data["means"][row][place], rel=1e-3)


def test_one_point_per_row_with_any_axes(shown):
    browser = shown("#chart=points&px=seconds&py=kappa")
    panel = browser.execute_script("const {x, y, series} = okbenchExplorer.chart().panel; return [x, y, series.length]")
    assert panel[:2] == ["seconds", "kappa"] and panel[2] > 3
    Select(find(browser, "#explorer-px")).select_by_value("support_vectors")
    assert browser.execute_script("return okbenchExplorer.chart().panel.x") == "support vectors"
    assert "px=support_vectors" in browser.current_url


def test_tables_for_papers(shown):
    browser = shown("#f.label=norma")
    latex = browser.execute_script("return okbenchExplorer.latex()")
    lines = latex.splitlines()
    assert lines[0].startswith("\\begin{tabular}{l") and lines[1] == "\\toprule" and lines[-1] == "\\end{tabular}"
    assert len(lines) == 6 + len(rows(browser)) and "NORMA & " in latex and "\\%" in latex
    table = browser.execute_script("return okbenchExplorer.cells(true)")
    assert table[0][0] == "learner" and [line[0] for line in table[1:]] == rows(browser)


def test_a_phone_scrolls_down_only(shown):
    browser = shown()
    narrow(browser, 390)
    wait_for(browser, lambda: "chart shows" in find(browser, "#explorer-status").text)
    assert browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth") <= 0
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def content_of(folder, name, trials):
    """The explorer of an experiment, whose results are written to the folder."""
    return explorer.content([Results(write(folder, trials)).read(name)])


def test_a_thousand_trials_are_below_three_megabytes(tmp_path):
    trials = []
    for number in range(1000):
        random = np.random.RandomState(number)
        rates, costs = random.rand(200), np.cumsum(random.randint(1, 1000, 200))
        trials.append(run("own/many", f"learner{number // 5}", number % 5, falling(rates), costs, {"budget": 16}))
    data = content_of(tmp_path, "own/many", trials)
    assert (
        len(data["trials"]) == 1000
        and len(data["means"]) == 200
        and all(len(members) == 5 for members in data["members"])
    )
    assert len(web_pages.as_script(data)) + len(web_pages.library(TABLES)) < 2.8e6
    assert min(len(data["lists"][curve["error"][-1]]) for curve in data["curves"]) > 20


def test_rows_of_means(tmp_path):
    """Two learners; one has a failed trial. Of tuned values all are named."""
    seeds = [
        run("own/x", "a", seed, [5, 10 + 10 * seed], [100, 200], {}, tuned={"chosen": {"eta": 2.0**seed}})
        for seed in range(3)
    ]
    failed = run("own/x", "b", 0, [1], [1], {}, failure="diverged")
    data = content_of(tmp_path, "own/x", [*seeds, failed])
    names = [field["name"] for field in data["fields"]]
    assert names[:4] == ["label", "method", "kernel", "status"]
    assert names[names.index("seed") :][:5] == ["seed", "seeds", "error_rate", "error_rate low", "error_rate high"]
    first, second = (dict(zip(names, row)) for row in data["means"])
    assert (first["seeds"], first["error_rate"], first["param_eta"]) == (3, 0.1, "1, 2, 4")
    assert first["error_rate low"] == 0.05 and first["error_rate high"] == 0.15 and first["seed"] is None
    assert "no mean: " in second["status"] and second["error_rate"] is None
    assert ["experiment", "own/x"] in data["constant"]


def test_every_trial_is_beside_the_report(opened, browser):
    need_charts()
    trials = pathlib.Path(opened.current_url.removeprefix("file://")).with_name("trials.html")
    assert trials.is_file() and 'href="trials.html"' in opened.page_source
    load(browser, trials.as_uri())
    # The page opens on one experiment, whose name is no column.
    first = Select(find(browser, "#explorer-experiment")).first_selected_option.text
    shown_first = {*rows(browser, "experiment")}
    assert len(shown_first) == 1 and first.startswith(shown_first.pop())
    assert "without" in find(browser, ".lead").text
    load(browser, trials.as_uri() + "#f.experiment=svmd-2006&group=experiment")
    experiments = rows(browser, "experiment")
    assert len(experiments) > 20 and all("svmd-2006" in experiment for experiment in experiments)
    assert find(browser, "#explorer-chart canvas").is_displayed()
