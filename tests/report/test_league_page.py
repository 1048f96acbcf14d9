"""The league's pages in a real browser: opened from disk, chosen, sorted, read on a phone."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402
from accessibility import unfold  # noqa: E402
from pages import find, narrow, need_charts, press, visible, wait_for  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "python"), str(ROOT / "tests" / "python" / "league")]
from league_files import run, whole_league, write  # noqa: E402

from okbench.league import of, standings  # noqa: E402
from okbench.results import Results  # noqa: E402
from okbench.report import league_page  # noqa: E402
from okbench.cli import call  # noqa: E402

SIDEWAYS = "return document.documentElement.scrollWidth - window.innerWidth"
LEARNERS = ("bpa-s", "fogd", "ogd", "rbp")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    return write(tmp_path_factory.mktemp("league") / "r", whole_league())


@pytest.fixture(scope="module")
def folder(results, binary):
    """The report over a league alone, as its command writes it."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "okbench", "report", "--experiments", ROOT / "experiments", "--results", results),
            *("--out", results.parent / "html" / "index.html"),
        ],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/python", "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
    )
    assert done.returncode == 0, done.stderr
    assert "league.html: the league, with 4 pages of learners\n" in done.stdout
    return results.parent / "html"


@pytest.fixture
def league(browser, folder):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get((folder / "league.html").as_uri())
    return browser


def cells(browser, learner):
    row = find(browser, f"#standings-table tr[data-learner='{learner}']")
    return [cell.text for cell in row.find_elements(By.TAG_NAME, "td")]


def order(browser):
    return [row.get_attribute("data-learner") for row in visible(browser, "#standings-table tbody tr")]


def test_one_page_for_all_sets_and_one_a_set(folder):
    papers = [f"{path.parent.name}.html" for path in (ROOT / "experiments").glob("*/claims.toml")]
    assert sorted(path.name for path in folder.iterdir() if path.name not in papers) == [
        "figures",
        "index.html",
        *(f"league-{learner}.html" for learner in LEARNERS),
        "league.html",
        "trials.html",
    ]
    texts = {path.name: path.read_text() for path in folder.glob("*.html")}
    assert texts["index.html"].count('href="league.html"') == 1
    for text in texts.values():
        links = re.findall(r"""(?:src|href)=["'](?!data:|\#|https:)([^"'#]+)""", text)
        assert all((folder / link).is_file() for link in links)


def test_it_opens_from_disk_without_other_files(league):
    assert [entry for entry in league.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
    requests = [json.loads(entry["message"])["message"] for entry in league.get_log("performance")]
    urls = {
        request["params"]["request"]["url"] for request in requests if request["method"] == "Network.requestWillBeSent"
    }
    assert urls and all(url.startswith(("file:", "data:", "blob:")) for url in urls)


def test_the_table_has_the_values_of_the_package(league, results):
    rows = standings(of(Results(results)))
    assert order(league) == [row["learner"] for row in rows] == ["ogd", "bpa-s", "fogd", "rbp"]
    for row in rows:
        texts = cells(league, row["learner"])
        assert texts[:3] == [f"{row['mean_rank']:.2f}", f"{row['sets']} of 4", f"{100 * row['share']:.0f} %"]
        assert texts[-1] == f"{100 * row['error']:.2f} %"
        assert (texts[3] == "–") == (row["share"] < 0.5)
    assert "4 learners on 4 data sets (tier default)" in find(league, ".lead").text
    output = find(league, "#notes").text
    assert "rbp has no result on letter, usps: it is ranked last there." in output and "failed: diverged" in output
    assert "as the test requires" in find(league, "#tests").text


def test_kinds_of_cost_and_budgets_can_be_chosen(league):
    before = {learner: cells(league, learner) for learner in LEARNERS}
    Select(find(league, "#by-cost")).select_by_value("requested")
    after = {learner: cells(league, learner) for learner in LEARNERS}
    # Only bpa-s is tuned; ranks, memory and errors are no costs.
    assert [learner for learner in LEARNERS if before[learner] != after[learner]] == ["bpa-s"]
    assert [a == b for a, b in zip(before["bpa-s"], after["bpa-s"])] == [
        True,
        True,
        True,
        False,
        False,
        True,
        True,
        True,
    ]
    Select(find(league, "#by-budget")).select_by_value("64")
    assert order(league) == ["bpa-s", "rbp"]
    assert find(league, "#chosen").text == "2 of 4 learners; kernel values and features requested; at most 64"
    Select(find(league, "#by-budget")).select_by_value("any")
    assert order(league) == ["ogd", "bpa-s", "fogd", "rbp"]


def test_it_sorts_by_every_column(league):
    head = league.find_elements(By.CSS_SELECTOR, "#standings-table thead th")[6]
    assert head.text == "coefficients"
    press(league, head.find_element(By.TAG_NAME, "button"))
    values = [
        float(cell.get_attribute("data-value"))
        for cell in league.find_elements(By.CSS_SELECTOR, "#standings-table tbody td:nth-child(7)")
    ]
    assert values == sorted(values) and values[0] < values[-1]
    # Who reaches fewer than half of the targets has no median, and comes last.
    press(
        league,
        league.find_elements(By.CSS_SELECTOR, "#standings-table thead th")[4].find_element(By.TAG_NAME, "button"),
    )
    assert order(league)[-1] == "rbp" and cells(league, "rbp")[3] == "–"


def test_the_curves_are_those_of_the_choice(league):
    need_charts()
    state = (
        "return (c => [c.panel.x, c.u.series.slice(1).map(s => s.label), c.u.scales.x.distr, "
        "c.panel.series.map(s => s.y.at(-1))])(okbenchReport.charts[arguments[0]][0])"
    )
    x, labels, scale, ends = league.execute_script(state, "curves-tuning-any")
    assert x == "kernel values and features requested, with tuning" and scale == 3
    assert sorted(set(labels)) == list(LEARNERS) and len(labels) == 8  # and the crosses
    assert max(ends) == 1
    Select(find(league, "#by-cost")).select_by_value("memory")
    Select(find(league, "#by-budget")).select_by_value("256")
    x, labels, _, _ = league.execute_script(state, "curves-memory-256")
    assert x == "coefficients (vectors or features × outputs)" and set(labels) == {"bpa-s", "fogd", "rbp"}
    shown = [figure.get_attribute("data-figure") for figure in visible(league, "#curves [data-figure]")]
    assert shown == ["curves-memory-256"]
    assert find(league, "#curves [data-figure='curves-memory-256'] .u-wrap canvas").size["width"] > 600
    league.get_log("browser")
    for button in league.find_elements(By.CSS_SELECTOR, ".inspect"):
        press(league, button)
    drawn = league.execute_script("return Object.values(okbenchReport.charts).flat().filter(c => c.u).length")
    assert drawn >= 9 and [entry for entry in league.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_figures_and_tables_are_on_it(league):
    titles = [heading.text for heading in league.find_elements(By.CSS_SELECTOR, "article h3")]
    assert titles == [
        "The league: kernel evaluations to reach a target error",
        "The league: coefficients to reach a target error",
        "The league: seconds to reach a target error",
        "The league: error against budget",
        "The league: mean ranks",
        "The league's regression, by mean squared error: best of each learner's budgets, cost with tuning",
        "The league's regression: kernel evaluations to reach a target error",
        "The league's regression: mean ranks",
        "The league's regression: error against evaluations",
        "The league's regression: tracking a function that changes",
        "The league: real targets",
    ]
    assert league.find_elements(By.CSS_SELECTOR, ".missing") == []
    assert "okbench run" in league.execute_script("return document.querySelector('.provenance code').textContent")


@pytest.mark.parametrize("width", [390, 800, 1400])
@pytest.mark.parametrize("name", ["league.html", "league-bpa-s.html"])
def test_nothing_scrolls_sideways(league, folder, name, width):
    league.get((folder / name).as_uri())
    narrow(league, width)
    unfold(league)
    assert league.execute_script(SIDEWAYS) <= 0
    outside = league.execute_script(
        "return [...document.querySelectorAll('td, th, p, li, h2, h3, img, select, canvas')].filter(e => "
        "e.offsetParent && e.getBoundingClientRect().right > window.innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []
    if width == 390 and name == "league.html":
        cell = find(league, "#standings-table td[data-label='mean rank']")
        assert (
            league.execute_script("return getComputedStyle(arguments[0], '::before').content", cell) == '"mean rank: "'
        )


def test_links_lead_to_a_learner_and_back(league, binary):
    press(league, find(league, "#standings-table tr[data-learner='ogd'] a"))
    wait_for(league, lambda: league.title == "okbench: ogd in the league")
    text = find(league, "#method").text
    assert "NORMA" in text and 'learner = "norma"' in text and "norma-2001" in text
    listed = json.loads(subprocess.run([binary, "help", "learners", "--json"], capture_output=True).stdout)
    norma = next(learner for learner in listed if learner["name"] == "norma")
    assert find(league, "#method .update").text == norma["update"]
    assert len(league.find_elements(By.CSS_SELECTOR, "#method tbody tr")) > 5
    sets = find(league, "#sets").text
    assert "Lowest error on a9a, letter, usps, w8a." in sets and "1 of 4" in sets and "8 of 8" in sets
    press(league, find(league, "nav a[href='league-bpa-s.html']"))
    wait_for(league, lambda: league.title == "okbench: bpa-s in the league")
    assert "has no entry for" in find(league, "#method").text  # made up for the test
    assert "C = 0.5 (1), 1 (1), 1.5 (1)" in find(league, "#tuned").text
    assert "No result on usps." in find(league, "#sets").text and "(1×)" in find(league, "#sets").text
    press(league, find(league, "nav a[href='league.html']"))
    wait_for(league, lambda: league.title == "okbench: the league of online kernel learners")
    press(league, find(league, "nav a[href='index.html']"))
    wait_for(league, lambda: league.title == "okbench: which claims hold?")
    press(league, find(league, "nav a[href='league.html']"))


def test_the_papers_report_leaves_the_league_out(folder):
    text = (folder / "index.html").read_text()
    assert "league/a9a" not in text and '<section id="league">' not in text


def test_no_league_no_pages_and_no_link(tmp_path, capsys):
    (tmp_path / "r").mkdir()
    arguments = ["--experiments", str(ROOT / "experiments"), "--results", str(tmp_path / "r")]
    call("report", [*arguments, "--out", str(tmp_path / "html" / "index.html")])
    pages = [f"{path.parent.name}.html" for path in (ROOT / "experiments").glob("*/claims.toml")]
    names = sorted(path.name for path in (tmp_path / "html").iterdir())
    assert names == sorted([*pages, "index.html", "trials.html"])
    assert "league.html" not in (tmp_path / "html" / "index.html").read_text()
    assert "the league" not in capsys.readouterr().out


def pages_of(tmp_path, trials):
    return league_page.pages(Results(write(tmp_path / "r", trials)), {}, "index.html", {})


def test_pages_of_streams_that_are_too_short(tmp_path):
    short = [run("league/a9a", key, 0, [10, 20 + n], [100, 200], {"budget": 8}) for n, key in enumerate("ab")]
    files = pages_of(tmp_path, short)
    assert list(files) == ["league.html", "league-a.html", "league-b.html"]
    assert "a9a has no running error" in files["league.html"] and 'id="curves"' not in files["league.html"]
    assert "Not drawn: no data set of the league has a running error." in files["league.html"]
    page = files["league-a.html"].replace("\u00a0", " ")
    assert "10.00 %, one order" in page and "0 of 0" in page


def test_pages_with_real_targets_only(tmp_path):
    files = pages_of(tmp_path, [trial for trial in whole_league(2, 12) if trial.name.startswith("league/waves")])
    assert list(files) == ["league.html", "league-fogd.html", "league-ogd.html"]
    assert 'id="standings"' not in files["league.html"] and "The league: real targets" in files["league.html"]
    assert (
        "The league: real targets" in files["league-ogd.html"] and "Results by data set" not in files["league-ogd.html"]
    )
