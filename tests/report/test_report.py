"""The report page in a real browser: opened from disk, without a network, through its own controls."""

import base64
import csv
import fnmatch
import io
import json
import pathlib
import re

import pytest

selenium = pytest.importorskip("selenium")
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402
from accessibility import problems  # noqa: E402
from pages import (  # noqa: E402
    contents,
    find,
    go_to,
    inspect,
    inspect_all,
    need_charts,
    press,
    some_papers,
    visible,
    wait_for,
)

from okbench import claims  # noqa: E402
from okbench.report import page as report  # noqa: E402
from okbench.report import web_figures  # noqa: E402
from okbench.report import web_pages  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FILES = sorted((ROOT / "experiments").glob("*/claims.toml"))


PAPERS = [path.parent.name for path in FILES]


def test_it_opens_from_disk_without_other_files(opened, page):
    pages = [page, *(page.with_name(f"{name}.html") for name in [*PAPERS, "other"])]
    for page_file in pages:
        opened.get(page_file.as_uri())
        assert [entry for entry in opened.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")] == []
        text = page_file.read_text()
        assert "url(" not in text.split("</style>")[0].replace("url(data:", "")
        # Links to the papers are there to be followed, not loaded. Other files lie beside the page.
        own = re.sub(r'<a rel="external" href="[^"]+">', "", text)
        for target in re.findall(r"""(?:src|href)=["'](?!data:|\#)([^"'#]+)""", own):
            assert (page.parent / target).is_file(), target
    requests = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    urls = {
        request["params"]["request"]["url"] for request in requests if request["method"] == "Network.requestWillBeSent"
    }
    assert all(url.startswith(("file:", "data:", "blob:")) for url in urls)
    links = [re.findall(r'<a rel="external" href="(https://[^"]+)">', page_file.read_text()) for page_file in pages]
    assert sorted(sum(links, [])) == sorted(filter(None, (claims.address(report.about(path)[0]) for path in FILES)))


def test_every_claim_and_every_figure_is_on_it(opened):
    drawn = set()
    for path in FILES:
        go_to(opened, path.parent.name)
        mine = claims.read(path).claims
        assert len(opened.find_elements(By.CSS_SELECTOR, "#claims tbody tr")) == len(mine)
        _, entries = report.about(path)
        for entry in entries:
            assert find(opened, f"#{entry['name'].replace('/', '-')} h3").text
        # Every claim is next to a figure or table.
        patterns = [pattern for entry in entries for pattern in entry["claims"]]
        assert [
            claim.id for claim in mine if not any(fnmatch.fnmatchcase(claim.id, pattern) for pattern in patterns)
        ] == []
        used = [pattern for pattern in patterns if not any(fnmatch.fnmatchcase(claim.id, pattern) for claim in mine)]
        assert used == []
        assert opened.find_elements(By.CSS_SELECTOR, ".missing") == []
        lead = find(opened, ".lead").text
        stated = sum(claim.kind == "statement" for claim in mine)
        assert lead.startswith(f"Of 0 statements judged, 0 hold; {stated} were not run")
        drawn |= {entry["name"] for entry in entries}
    assert set(report.FIGURES) | set(report.TABLES) == drawn


def test_the_first_page_counts_the_claims_of_each_paper(opened):
    order = sorted(FILES, key=lambda path: path.parent.name == "baselines")  # papers before documentation of programs
    rows = contents(opened, ".overview tbody tr", "innerText")
    assert [row.split("\n")[0] for row in rows[: len(order)]] == [report.about(path)[0]["title"] for path in order]
    counts = contents(opened, ".overview tbody tr td:nth-child(5)")
    read = {
        kind: [sum(claim.kind == kind for claim in claims.read(path).claims) for path in order]
        for kind in ("statement", "question")
    }
    assert list(map(int, counts)) == read["statement"] + [number for number in read["question"] if number]
    assert " ".join(contents(opened, ".overview .key")[0].split()) == " ".join(claims.OUTCOMES)
    for link in contents(opened, ".overview a", "href"):
        assert link.rsplit("/", 1)[1].removesuffix(".html") in PAPERS


def test_filters_and_sorting(opened):
    go_to(opened, "norma-2001")
    rows = len(visible(opened, "#claims tbody tr"))
    Select(find(opened, "#by-verdict")).select_by_visible_text("holds")
    assert visible(opened, "#claims tbody tr") == [] and find(opened, "#shown").text == f"0 of {rows} shown"
    Select(find(opened, "#by-verdict")).select_by_visible_text("not run")
    assert {row.get_attribute("data-verdict") for row in visible(opened, "#claims tbody tr")} == {"not run"}
    Select(find(opened, "#by-verdict")).select_by_visible_text("all")
    find(opened, "#by-text").send_keys("theorem")
    assert 0 < len(visible(opened, "#claims tbody tr")) < rows
    head = find(opened, "#claims thead th:nth-child(2)")
    press(opened, head.find_element(By.TAG_NAME, "button"))
    assert head.get_attribute("aria-sort") == "ascending"
    places = visible(opened, "#claims tbody td:nth-child(2)")
    texts = [place.text for place in places]
    assert len(texts) > 1 and texts == sorted(texts, key=str.lower)
    press(opened, head.find_element(By.TAG_NAME, "button"))
    assert head.get_attribute("aria-sort") == "descending"


def test_hovering_and_arrow_keys_read_values(opened):
    chart = inspect(go_to(opened, "svmd-2006"), "svmd-2006-fig3")[0]
    plot = chart.find_element(By.CSS_SELECTOR, ".plot")
    readout = chart.find_element(By.CSS_SELECTOR, ".readout")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", plot)
    ActionChains(opened).move_to_element(plot.find_element(By.CSS_SELECTOR, ".u-over")).perform()
    wait_for(opened, lambda: "SVMD" in readout.text)
    assert re.search(r"iterations \d+ — .*SVMD, λ = 0\.95[^:]*: [\d.]+", readout.text)
    opened.execute_script("arguments[0].focus()", plot)
    plot.send_keys(Keys.ARROW_RIGHT)
    first = readout.text
    assert first.startswith("iterations 1 —")
    plot.send_keys(Keys.PAGE_DOWN)
    assert readout.text != first and readout.get_attribute("role") == "status"


def test_series_hide_scales_change_and_zoom_resets(opened):
    chart = inspect(go_to(opened, "svmd-2006"), "svmd-2006-fig4")[0]
    state = (
        "return (c => [c.u.scales.x.min, c.u.scales.x.max, c.u.scales.x.distr, c.u.scales.y.distr, "
        "c.u.series.map(s => s.show)])(okbenchReport.charts['svmd-2006-fig4'][0])"
    )
    low, high, xdistr, ydistr, shown = opened.execute_script(state)
    assert (xdistr, ydistr) == (3, 1) and all(shown)
    box = chart.find_elements(By.CSS_SELECTOR, ".series input")[1]
    press(opened, box)
    assert opened.execute_script(state)[4].count(False) == 1
    box.send_keys(Keys.SPACE)  # by keyboard, too
    assert all(opened.execute_script(state)[4])
    scales = chart.find_elements(By.CSS_SELECTOR, ".controls select[aria-label]")
    Select(scales[0]).select_by_value("linear")
    Select(scales[1]).select_by_value("log")
    assert opened.execute_script(state)[2:4] == [1, 3]
    whole = opened.execute_script(state)[:2]
    over = chart.find_element(By.CSS_SELECTOR, ".u-over")
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", over)
    ActionChains(opened).move_to_element_with_offset(over, -100, 0).click_and_hold().move_by_offset(
        150, 0
    ).release().perform()
    zoomed = opened.execute_script(state)[:2]
    assert whole[0] < zoomed[0] < zoomed[1] < whole[1]
    press(opened, chart.find_element(By.CSS_SELECTOR, "button[aria-label='Reset zoom']"))
    assert opened.execute_script(state)[:2] == whole
    press(opened, chart.find_element(By.CSS_SELECTOR, "button[aria-label='Zoom in']"))
    closer = opened.execute_script(state)[:2]
    assert closer[1] - closer[0] == pytest.approx((whole[1] - whole[0]) / 2)
    press(opened, chart.find_element(By.CSS_SELECTOR, "button[aria-label='Move right']"))
    assert opened.execute_script(state)[0] > closer[0]


def test_every_chart_draws_without_an_error(opened):
    opened.get_log("browser")
    drawn = []
    for name in PAPERS:
        inspect_all(go_to(opened, name))
        drawn += opened.execute_script(
            "return Object.values(okbenchReport.charts).flat().filter(c => !c.panel.path).map(c => [c.u.width, "
            "c.u.height, c.u.data.length, c.panel.y, c.panel.x])"
        )
    assert len(drawn) > 25 and all(width > 100 and series > 1 and y and x for width, _, series, y, x in drawn)
    assert [entry for entry in opened.get_log("browser") if entry["level"] == "SEVERE"] == []


def chart_script(html):
    """What the page's script has to draw, in JSON."""
    return html.split('id="charts">', 1)[1].split("</script>", 1)[0]


def test_every_series_has_the_name_that_the_figure_gives_it(page):
    names = []
    for paper in PAPERS:
        charts = json.loads(chart_script(page.with_name(f"{paper}.html").read_text()))
        panels = [panel for figure in charts["figures"].values() for panel in figure]
        names += [series["label"] for panel in panels for series in panel["series"]]
        for panel in panels:
            for series in panel["series"]:
                x = charts["lists"][series["x"]]
                if series["kind"] != "points" and not panel["path"]:
                    # Six digits may tie.
                    assert all(a < b for a, b in zip(x, x[1:])) or len(x) > 700
    assert len(names) > 100 and "series" not in names and not any(name.startswith("_") for name in names)


def test_a_value_is_read_where_its_series_has_one(opened):
    inspect(go_to(opened, "budget-2003"), "budget-2003-fig4")
    texts = opened.execute_script(
        """
      const chart = okbenchReport.charts['budget-2003-fig4'][0], out = [];
      chart.u.data[0].forEach((x, i) => { chart.read(i); out.push([x, chart.readout.textContent]); });
      return [out, chart.panel.series.map(s => [s.label, s.kind, s.x])];"""
    )
    for x, text in texts[0]:
        for label, kind, own in texts[1]:
            inside = x in own if kind == "points" else own[0] <= x <= own[-1]
            assert (f"{label}: " in text) == inside


def test_texts_cannot_end_or_begin_a_script(page, tmp_path, monkeypatch):
    monkeypatch.setattr(
        web_figures, "panels", lambda figure: [{"title": "<!--<script>", "y": "</script>", "series": []}]
    )
    pages, _, _ = report.build(*some_papers(page.parent / "r", tmp_path, "norma-2001"))
    data = chart_script(pages["norma-2001.html"])
    assert "<" not in data and json.loads(data)


def test_curves_that_turn_back_are_not_drawn_as_others(opened):
    need_charts()
    press(go_to(opened, "sfd-2013"), find(opened, "#sfd-2013-fig5-4 .inspect"))
    turning = opened.execute_script(
        "return okbenchReport.charts['sfd-2013-fig5-4'].map(c => [c.panel.path, Boolean(c.u)])"
    )
    assert all(path != drawn for path, drawn in turning)


SAVE = """
  window.saved = [];
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return make(blob); };
  HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };"""


def test_downloads_have_the_shown_values(opened):
    go_to(opened, "norma-2001").execute_script(SAVE)
    chart = inspect(opened, "norma-2001-theorems-margin")[0]
    hidden = chart.find_element(By.CSS_SELECTOR, ".series label")
    name = hidden.text.strip()
    press(opened, hidden.find_element(By.TAG_NAME, "input"))
    press(opened, [button for button in chart.find_elements(By.TAG_NAME, "button") if button.text == "Download CSV"][0])
    wait_for(opened, lambda: opened.execute_script("return window.saved.length") == 1)
    rows = list(csv.reader(io.StringIO(opened.execute_script("return window.saved[0]"))))
    assert rows[0] == ["series", "examples t", "cumulative risk"] and len(rows) > 100
    assert name not in {row[0] for row in rows[1:]} and len({row[0] for row in rows[1:]}) >= 2
    assert all(float(row[1]) >= 0 for row in rows[1:])
    assert opened.execute_script("return window.savedName") == "norma-2001-theorems-margin-1.csv"
    go_to(opened, "sfd-2013").execute_script(SAVE)
    press(opened, find(opened, "#sfd-2013-table5-1 .table-csv"))
    wait_for(opened, lambda: opened.execute_script("return window.saved.length") == 1)
    table = list(csv.reader(io.StringIO(opened.execute_script("return window.saved[0]"))))
    assert table[0][0] == "data set" and len(table) == 5


def test_it_fits_a_phone(opened):
    opened.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    )
    opened.refresh()
    assert opened.execute_script("return document.documentElement.scrollWidth") <= 390
    chart = inspect(go_to(opened, "linear-2010"), "linear-2010-curves")[0]
    assert chart.find_element(By.CSS_SELECTOR, "canvas").size["width"] <= 390
    assert opened.execute_script("return document.documentElement.scrollWidth") <= 390


A4 = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}


def test_it_prints_pictures_and_no_controls(opened):
    inspect(go_to(opened, "svmd-2006"), "svmd-2006-fig3")
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert visible(opened, ".inspect, .filters, .charts, nav") == []
    pictures = visible(opened, "figure img")
    assert len(pictures) > 5
    for name in PAPERS:
        go_to(opened, name)
        pdf = base64.b64decode(opened.execute_cdp_cmd("Page.printToPDF", A4)["data"])
        assert len(pdf) > 30000 and pdf.count(b"/Type /Page\n") <= 40


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(opened, theme):
    for name in ("index", "svmd-2006", "baselines", "other", "trials", "league", "league-passive-aggressive"):
        assert problems(go_to(opened, name), theme) == [], name


def test_names_texts_and_contrast(opened):
    go_to(opened, "svmd-2006")
    assert all(len(text) > 40 for text in contents(opened, "img", "alt"))
    names = opened.execute_script(
        """
      return [...document.querySelectorAll('button, select, input, [role=region], [role=img], a')]
        .map(e => [e.outerHTML.slice(0, 80), (e.getAttribute('aria-label') || e.textContent ||
          (e.labels && e.labels[0] && e.labels[0].textContent) || '').trim()])"""
    )
    assert [html for html, name in names if not name] == []
    levels = opened.execute_script(
        "return [...document.querySelectorAll('h1,h2,h3,h4')].map(e => Number(e.tagName[1]))"
    )
    assert levels[0] == 1 and all(b <= a + 1 for a, b in zip(levels, levels[1:]))
    ratios = opened.execute_script(
        """
      // On results of the quick tier no verdict is this one.
      document.querySelector('.verdict').insertAdjacentHTML('afterend', '<span class="verdict reproduced">✓</span>');
      const channel = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
      const light = (c) => {
        const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
        return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
      const back = (e) => {
        for (; e; e = e.parentElement) {
          const c = getComputedStyle(e).backgroundColor;
          if (!/, 0\\)$/.test(c) && c !== 'transparent') return c;
        }
        return 'rgb(255, 255, 255)'; };
      const texts = ['.verdict.reproduced', '.verdict.not-run', '.small', '.source', 'a', 'button', 'thead th',
        '.synthetic', 'p'];
      return texts.map((s) => {
        const e = document.querySelector(s);
        const [a, b] = [light(getComputedStyle(e).color), light(back(e))].sort((x, y) => y - x);
        return [s, (a + 0.05) / (b + 0.05)]; });"""
    )
    assert [pair for pair in ratios if pair[1] < 4.5] == []
    # Everything that can be used can be reached and seen by keyboard.
    find(opened, "body").send_keys(Keys.TAB)
    assert opened.execute_script("return document.activeElement.className") == "skip"


def test_the_page_works_without_the_chart_library(page, tmp_path, monkeypatch):
    if report.library("uplot/dist/uPlot.iife.min.js"):
        assert 'class="inspect"' in page.with_name("svmd-2006.html").read_text()
    monkeypatch.setattr(web_pages, "MODULES", tmp_path)
    papers = ("svmd-2006", "budget-2003", "norma-2001", "linear-2010")
    pages, images, output = report.build(*some_papers(page.parent / "r", tmp_path, *papers))
    assert "without interactive charts" in output
    html = "".join(pages.values())
    assert 'class="inspect"' not in html and html.count("<figure>") == len(images) > 10
