"""What tests do with the page in a browser, and what makes pages of some papers."""

import shutil

import pytest
from conftest import ROOT
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from okbench.plotting import scripts
from okbench.report import page as report

scripts.load()  # registers the figures


def some_papers(results, folder, *names):
    """(folders of experiments, results) of some papers alone, for report.build: each figure takes a second."""
    for below, whole in (("experiments", ROOT / "experiments"), ("some", results)):
        for name in names:
            shutil.copytree(whole / name, folder / below / name)
    return [folder / "experiments"], folder / "some"


def go_to(driver, name):
    """Opens another page of the report: the name of a paper, "index", "other", "trials"."""
    driver.get(f"{driver.current_url.rsplit('/', 1)[0]}/{name}.html")
    return driver


def need_charts():
    if not report.library("uplot/dist/uPlot.iife.min.js"):
        pytest.skip("uPlot is not installed: run npm ci in python/okbench/report/web")


def find(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def visible(driver, selector):
    # What lies in a fold is laid out, and not shown.
    return driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())", selector
    )


def contents(driver, selector, what="textContent"):
    """A property of all elements at once: each question to a browser takes its time."""
    return driver.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map(e => e[arguments[1]])", selector, what
    )


def inspect_all(driver):
    need_charts()
    driver.execute_script("for (const button of document.querySelectorAll('.inspect')) button.click()")
    assert {*contents(driver, ".inspect", "ariaExpanded")} == {"true"}


def press(driver, element):
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
    element.click()


def wait_for(driver, condition):
    """Waits until the browser has done what was asked: long, because a busy machine is not an error."""
    WebDriverWait(driver, 60).until(lambda d: condition())


def inspect(driver, figure):
    need_charts()
    press(driver, find(driver, f"#{figure} .inspect"))
    wait_for(driver, lambda: find(driver, f"#inspect-{figure} canvas").is_displayed())
    return driver.find_elements(By.CSS_SELECTOR, f"#inspect-{figure} .chart")


def narrow(driver, width):
    """As wide as a phone, or as any window; the page is loaded anew."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.refresh()
