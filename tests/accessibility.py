"""What axe-core finds on a page in a browser."""

import pytest

from okbench.report import web_pages


def unfold(driver):
    driver.execute_script("for (const fold of document.querySelectorAll('details')) fold.open = true")


def problems(driver, theme="light"):
    """What axe-core finds on the page, with all folds open: [(rule, elements)]. Skips without axe-core."""
    axe = web_pages.library("axe-core/axe.min.js")
    if not axe:
        pytest.skip("axe-core is not installed: run npm ci in python/okbench/report/web")
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    unfold(driver)
    driver.execute_script(axe)
    return driver.execute_async_script(
        "const done = arguments[0]; axe.run().then((found) => "
        "done(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 90))])))"
    )
