"""The report's layout and charts in a real browser: widths, folds, dashes, units and axes."""

import pytest

pytest.importorskip("selenium")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import Select  # noqa: E402
from pages import contents, find, inspect, inspect_all, narrow, press, unfold, visible  # noqa: E402

from okbench.report import web_figures  # noqa: E402

# Tables that are wider than what they stand in, where that does not scroll itself: they are cut.
CUT = """
  return [...document.querySelectorAll('table')].filter(table => table.offsetParent).map(table => {
    const box = table.parentElement, overflow = getComputedStyle(box).overflowX;
    const wide = table.scrollWidth > box.clientWidth;
    return [table.id || table.className, wide && overflow !== 'auto', wide]; })"""
SIDEWAYS = "return document.documentElement.scrollWidth - window.innerWidth"


@pytest.mark.parametrize("width", [390, 800, 1400])
def test_nothing_is_cut_and_nothing_scrolls_sideways(opened, width):
    narrow(opened, width)
    folded = opened.execute_script("return document.documentElement.scrollHeight")
    assert opened.execute_script(SIDEWAYS) <= 0
    unfold(opened)
    assert opened.execute_script(SIDEWAYS) <= 0
    assert opened.execute_script("return document.documentElement.scrollHeight") > 3 * folded
    tables = opened.execute_script(CUT)
    assert len(tables) > 10 and [name for name, cut, _ in tables if cut] == []
    assert [name for name, _, wide in tables if wide] == []  # nor does any have to be scrolled
    outside = opened.execute_script(
        "return [...document.querySelectorAll('td, th, p, li, summary, h2, h3, img')].filter(e => e.offsetParent && "
        "e.getBoundingClientRect().right > window.innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert outside == []


def test_figures_come_first_and_claims_are_folded_by_paper(opened):
    places = opened.execute_script(
        "return [...document.querySelectorAll('main > section')].map(s => [s.id, s.querySelector('article') !== null])"
    )
    names = [name for name, _ in places]
    papers = [one.get_attribute("id").removeprefix("claims-") for one in papers_of(opened)]
    assert names[: len(papers)] == papers and names[len(papers)] == "claims" and len(papers) == 6
    assert all(drawn for name, drawn in places if name in papers)
    assert visible(opened, "#claims tbody tr") == []
    folds = opened.execute_script(
        "return [...document.querySelectorAll('#claims details.paper')].map(fold => [fold.open, "
        "fold.querySelector('summary').innerText, "
        "[...fold.querySelectorAll('tbody tr')].map(row => row.dataset.verdict)])"
    )
    for unfolded, said, verdicts in folds:
        assert not unfolded and verdicts
        for verdict in ("reproduced", "not reproduced", "not run"):
            assert f"{verdicts.count(verdict)} {verdict}" in said
    press(opened, papers_of(opened)[0].find_element(By.TAG_NAME, "summary"))
    assert (
        len(visible(opened, "#claims tbody tr")) == len(papers_of(opened)[0].find_elements(By.CSS_SELECTOR, "tr")) - 1
    )


def papers_of(opened):
    return opened.find_elements(By.CSS_SELECTOR, "#claims details.paper")


def test_a_link_to_a_fold_opens_it(opened):
    press(opened, find(opened, "#svmd-2006 a[href='#claims-svmd-2006']"))
    assert find(opened, "#claims-svmd-2006").get_attribute("open") is not None
    assert len(visible(opened, "#claims tbody tr")) > 10


def test_claims_are_cards_on_a_phone_and_can_be_sorted(opened):
    narrow(opened, 390)
    unfold(opened)
    cell = find(opened, "#claims td[data-label='must be']")
    assert opened.execute_script("return getComputedStyle(arguments[0], '::before').content", cell) == '"must be: "'
    head = find(opened, "#claims-svmd-2006 thead th:nth-child(2)")
    press(opened, head.find_element(By.TAG_NAME, "button"))
    assert head.get_attribute("aria-sort") == "ascending"


def test_error_rates_of_claims_are_in_percent(opened):
    unfold(opened)
    values = contents(opened, "#claims tbody tr code:first-of-type")
    said = contents(opened, "#claims tbody tr [data-label='must be']", "innerText")
    bounds = {value: one.replace("\u00a0", " ") for value, one in zip(values, said, strict=True)}
    mira = next(said for value, said in bounds.items() if value.startswith("mistakes(budget-2003/fig4-usps/mira)"))
    assert mira == "within [[245, 285], [3100, 3400], [4.4, 5.1] %]"
    rates = [said for value, said in bounds.items() if value.startswith("test_error(") and "/ " not in value]
    assert len(rates) > 20
    quotient = [said for value, said in bounds.items() if ") / test_error(" in value and value.count("test_error") == 2]
    assert quotient and not any("%" in said for said in quotient)


def test_series_of_a_chart_differ_without_colour(opened):
    inspect_all(opened)
    looks = opened.execute_script(
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
    chart = inspect(opened, "svmd-2006-fig3")[0]
    select = Select(find(chart, ".x-axis"))
    kernel = ["kernel evaluations requested", "kernel evaluations computed"]
    assert [one.text for one in select.options] == ["iterations", "examples", *kernel]
    assert select.first_selected_option.text == "iterations"
    _, label, steps, _ = opened.execute_script(STATE, "svmd-2006-fig3", 0)
    assert label == "iterations"
    for name in ("examples", *kernel):
        select.select_by_visible_text(name)
        drawn, label, places, series = opened.execute_script(STATE, "svmd-2006-fig3", 0)
        assert drawn and label == name and len(places) > 20
        assert all(x < y for x, y in zip(places, places[1:]))
        for one in series:
            assert len(one) > 10 and all(x < y for x, y in zip(one, one[1:]))
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


def test_every_chart_can_be_drawn_against_each_of_its_axes(opened):
    inspect_all(opened)
    opened.get_log("browser")
    tried = opened.execute_script(
        """const tried = [];
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
    )
    assert len(tried) > 60 and {text for _, text, *_ in tried} >= {"steps", "examples", "kernel evaluations requested"}
    assert [one for one in tried if one[1] != one[2] or one[3] < 1 or not one[4] or one[5] < 1] == []
    assert [entry for entry in opened.get_log("browser") if entry["level"] == "SEVERE"] == []
    # Linear learners have no kernel; caches and overlaps are no progress.
    assert not any(name == "linear-2010-curves" and "kernel" in text for name, text, *_ in tried)
    assert not any(name.startswith("budget-2003") for name, *_ in tried)
