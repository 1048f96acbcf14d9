"""The report page over a quick run, and a real browser to open it in."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="session")
def page(binary, tmp_path_factory):
    """The page over a quick run of all specs on generated data."""
    folder = tmp_path_factory.mktemp("report")
    specs = sorted(path for path in (ROOT / "experiments").glob("*/*.toml") if path.name != "claims.toml")
    subprocess.run(
        [binary, "run", *specs, "--tier", "quick", "--quiet", "--out", folder / "r"],
        check=True,
        env={"OKBENCH_CACHE": str(folder / "none"), "PATH": "/usr/bin:/bin"},
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "okplots.report",
            "--experiments",
            ROOT / "experiments",
            "--results",
            folder / "r",
            "--out",
            folder / "index.html",
        ],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": f"{ROOT}/plots:{ROOT}/python", "PATH": "/usr/bin:/bin", "HOME": "/tmp"},
    )
    assert done.returncode == 0, done.stderr
    return folder / "index.html"


@pytest.fixture(scope="session")
def browser():
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1300,1000",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=webdriver.chrome.service.Service("/usr/bin/chromedriver"), options=options)
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, page):
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.get(page.as_uri())
    return browser
