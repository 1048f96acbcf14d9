"""The report's layout and charts in a real browser: widths, folds, dashes, units and axes."""

import pytest

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402
from accessibility import unfold  # noqa: E402
from pages import contents, find, go_to, inspect, inspect_all, narrow, press  # noqa: E402

from okbench.report import web_figures  # noqa: E402

# Tables that are wider than what they stand in, where that does not scroll itself: they are cut.
CUT = """
  return [...document.querySelectorAll('table')].filter(table => table.offsetParent).map(table => {
    const box = table.parentElement, overflow = getComputedStyle(box).overflowX;
    const wide = table.scrollWidth > box.clientWidth;
    return [table.id || table.className, wide && overflow !== 'auto', wide]; })"""
SIDEWAYS = "return document.documentElement.scrollWidth - window.innerWidth"


@pytest.mark.parametrize("name", ["index", "sfd-2013", "svmd-2006", "baselines", "trials", "league"])
@pytest.mark.parametrize("width", [390, 800, 1400])
def test_no_text_is_cut_and_no_page_scrolls_sideways(opened, name, width):
    go_to(opened, name)
    narrow(opened, width)
    assert opened.execute_script(SIDEWAYS) <= 0
    unfold(opened)
    assert opened.execute_script(SIDEWAYS) <= 0
    tables = opened.execute_script(CUT)
    assert [name for name, cut, _ in tables if cut] == []
    # Nor does any have to be scrolled, except for the errors of the league on many data sets.
    assert name == "league" or [table for table, _, wide in tables if wide] == []
    outside = opened.execute_script(
        "return [...document.querySelectorAll('td, th, p, li, summary, h2, h3, img')].filter(e => e.offsetParent && "
        "!(arguments[0] && e.closest('.scroll')) && "
        "e.getBoundingClientRect().right > window.innerWidth + 1).map(e => e.outerHTML.slice(0, 80))",
        name == "league",
    )
    assert outside == []


def test_figures_come_before_claims(opened):
    go_to(opened, "svmd-2006")
    places = opened.execute_script(
        "return [...document.querySelectorAll('main > section')].map(s => [s.id, s.querySelector('article') !== null])"
    )
    assert places == [["figures", True], ["claims", False]]


def test_a_link_to_a_figure_or_claims_works(opened):
    go_to(opened, "svmd-2006")
    press(opened, find(opened, ".lead a[href='#claims']"))
    assert opened.execute_script("return document.querySelector('#claims').getBoundingClientRect().top") < 300


def test_claims_are_cards_on_a_phone_and_can_be_sorted(opened):
    go_to(opened, "svmd-2006")
    narrow(opened, 390)
    cell = find(opened, "#claims td[data-label='must be']")
    assert opened.execute_script("return getComputedStyle(arguments[0], '::before').content", cell) == '"must be: "'
    head = find(opened, "#claims thead th:nth-child(2)")
    press(opened, head.find_element(By.TAG_NAME, "button"))
    assert head.get_attribute("aria-sort") == "ascending"


def test_error_rates_of_claims_are_in_percent(opened):
    bounds = {}
    for name in ("budget-2003", "sfd-2013", "svmd-2006"):
        unfold(go_to(opened, name))
        values = contents(opened, "#claims tbody tr code.value")
        said = contents(opened, "#claims tbody tr [data-label='must be']", "innerText")
        bounds |= {value: bound.replace("\u00a0", " ") for value, bound in zip(values, said, strict=True)}
    mira = next(said for value, said in bounds.items() if value.startswith("mistakes(budget-2003/fig4-usps/mira)"))
    assert mira == "within [[245, 285], [3100, 3400], [4.4, 5.1] %]"
    rates = [said for value, said in bounds.items() if value.startswith("test_error(") and "/ " not in value]
    assert len(rates) > 20
    quotient = [said for value, said in bounds.items() if ") / test_error(" in value and value.count("test_error") == 2]
    assert quotient and not any("%" in said for said in quotient)


def test_series_of_a_chart_differ_without_colour(opened):
    looks = []
    for name in ("budget-2003", "norma-2001", "sfd-2013", "svmd-2006", "baselines"):
        inspect_all(go_to(opened, name))
        looks += opened.execute_script(
            """return Object.values(okbenchReport.charts).flat().filter(c => c.u).map(c =>
          c.panel.series.map((s, i) =>
            [s.label, s.kind === 'points' ? 'mark ' + s.mark : 'dash ' + c.u.series[i + 1].dash]))"""
        )
    assert len(looks) > 25
    for series in looks:
        by_label = dict(map(tuple, series))
        assert all(by_label[label] == look for label, look in series)  # pieces of one series look alike
        assert len(set(by_label.values())) == len(by_label), series


def test_dashes_differ_from_one_another():
    patterns = {tuple(dash) for dash in web_figures.DASHES}
    assert len(patterns) == len(web_figures.DASHES) and all(len(dash) % 2 == 0 for dash in patterns)
    # A pattern that repeats within itself would look like its shorter half.
    assert not any(dash[: len(dash) // 2] == dash[len(dash) // 2 :] for dash in patterns)


STATE = """return (c => [c.plot.querySelector('canvas') !== null, c.u.axes[0].label, c.u.data[0],
  c.points.map(p => p[0])])(okbenchReport.charts[arguments[0]][arguments[1]])"""


def test_the_x_axis_is_chosen(opened):
    chart = inspect(go_to(opened, "svmd-2006"), "svmd-2006-fig3")[0]
    select = Select(find(chart, ".x-axis"))
    kernel = ["kernel evaluations requested", "kernel evaluations computed"]
    assert [option.text for option in select.options] == ["iterations", "examples", *kernel]
    assert select.first_selected_option.text == "iterations"
    _, label, steps, _ = opened.execute_script(STATE, "svmd-2006-fig3", 0)
    assert label == "iterations"
    for name in ("examples", *kernel):
        select.select_by_visible_text(name)
        drawn, label, places, series = opened.execute_script(STATE, "svmd-2006-fig3", 0)
        assert drawn and label == name and len(places) > 20
        assert all(x < y for x, y in zip(places, places[1:]))
        for positions in series:
            assert len(positions) > 10 and all(x < y for x, y in zip(positions, positions[1:]))
        if name == "examples":
            assert places == steps
        else:
            assert places[-1] > 10 * steps[-1]
    plot = find(chart, ".plot")
    assert "kernel evaluations computed" in plot.get_attribute("aria-label")
    opened.execute_script("okbenchReport.charts['svmd-2006-fig3'][0].read(12)")
    assert find(chart, ".readout").text.startswith("kernel evaluations computed ")
    select.select_by_visible_text("iterations")
    assert opened.execute_script(STATE, "svmd-2006-fig3", 0)[2] == steps


TRY_AXES = """const tried = [];
        for (const [name, charts] of Object.entries(okbenchReport.charts)) charts.forEach((chart, place) => {
          const select = document.querySelectorAll(`#inspect-${name} .chart`)[place].querySelector('.x-axis');
          for (const option of select ? select.options : []) {
            select.value = option.value;
            select.dispatchEvent(new Event('change'));
            const x = chart.u.data[0];
            tried.push([name, option.text, chart.u.axes[0].label, x.length, x.every((v, i) => !i || v > x[i - 1]),
              chart.points.filter(p => p[0].length).length]);
          }
        });
        return tried;"""


def test_every_chart_can_be_drawn_against_each_of_its_axes(opened):
    opened.get_log("browser")
    tried = []
    for name in ("budget-2003", "linear-2010", "norma-2001", "sfd-2013", "svmd-2006"):
        inspect_all(go_to(opened, name))
        tried += opened.execute_script(TRY_AXES)
    assert len(tried) > 60 and {text for _, text, *_ in tried} >= {"steps", "examples", "kernel evaluations requested"}
    assert [
        attempt for attempt in tried if attempt[1] != attempt[2] or attempt[3] < 1 or not attempt[4] or attempt[5] < 1
    ] == []
    assert [entry for entry in opened.get_log("browser") if entry["level"] == "SEVERE"] == []
    # Linear learners have no kernel; caches and overlaps are no progress.
    assert not any(name == "linear-2010-curves" and "kernel" in text for name, text, *_ in tried)
    assert not any(name.startswith("budget-2003") for name, *_ in tried)
