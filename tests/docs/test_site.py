"""The site that make docs builds: whole, without warnings or dead links, and in no need of a network."""

import html
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

import pytest
from accessibility import problems

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "docs" / "site"
NEEDED = ("sphinx", "myst_parser", "breathe", "furo", "pandas", "sphinx_gallery")
MISSING = [name for name in NEEDED if importlib.util.find_spec(name) is None]
MISSING += [] if shutil.which("doxygen") else ["doxygen"]
needs_sphinx = pytest.mark.skipif(bool(MISSING), reason=f"missing: {', '.join(MISSING)}; run tools/setup.sh docs")
sys.path.insert(0, str(SITE))


class Site:
    def __init__(self, folder, said, listed):
        self.folder, self.said, self.listed = folder, said, listed

    def page(self, name):
        return (self.folder / f"{name}.html").read_text(encoding="utf-8")

    def text(self, name):
        """Of the page's article the words alone."""
        article = re.search(r"<article.*?</article>", self.page(name), re.S)[0]
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", article)).split())


@pytest.fixture(scope="module")
def site(binary, tmp_path_factory):
    out = tmp_path_factory.mktemp("docs")
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{SITE}"}
    words = [sys.executable, SITE / "build.py", "--okbench", binary, "--out", out]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr

    def listed(what):
        return json.loads(subprocess.run([binary, "help", what, "--json"], capture_output=True, check=True).stdout)

    return Site(out / "html", done.stdout + done.stderr, listed)


def squeezed(text):
    """Without blanks: markup may stand between any two characters."""
    return re.sub(r"\s", "", text)


@needs_sphinx
def test_it_is_built_without_warnings(site):
    assert "WARNING" not in site.said and "ERROR" not in site.said
    assert site.said.splitlines()[-1].endswith("html/index.html")


@needs_sphinx
def test_every_document_is_a_page_that_the_index_leads_to(site):
    index = site.page("index")
    for path in [ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")]:
        name = path.relative_to(ROOT).with_suffix("").as_posix()
        heading = re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.M)[1]
        assert squeezed(heading) in squeezed(site.text(name))
        assert f'href="{name}.html"' in index
    for figure in (ROOT / "docs").glob("*.png"):
        assert (site.folder / "_images" / figure.name).is_file()
    assert "Which learner wins?" in site.text("index"), "the front page is the README"
    assert len(list((site.folder / "gallery").glob("plot_*.html"))) >= 8
    assert len(list((site.folder / "_images").glob("sphx_glr_plot_*.png"))) >= 16
    assert "graph TD" in site.page("CONTRIBUTING")


@needs_sphinx
def test_every_learner_has_a_page_with_all_its_parameters(site):
    index = site.page("reference/learners/index")
    for learner in site.listed("learners"):
        name = learner["name"]
        assert f'href="{name}.html"' in index
        text = squeezed(site.text(f"reference/learners/{name}"))
        for part in ("title", "paper", "update"):
            assert squeezed(learner[part]) in text, (name, part)
        page = site.page(f"reference/learners/{name}")
        for parameter in learner["parameters"]:
            assert f'id="parameter-{name}-{parameter["name"].lower().replace("_", "-")}"' in page
            row = "".join(
                (
                    parameter["allowed"],
                    f", in {parameter['unit']}" if parameter["unit"] else "",
                    parameter["description"],
                )
            )
            assert squeezed(row) in text, (name, parameter["name"])
            assert squeezed(f"{parameter['name']} = {json.dumps(parameter['default'])}") in text
        # The equations are the method's own comment.
        folder = name.replace("-", "_")
        if learner["title"].startswith("Baseline: "):
            continue
        header = ROOT / "learners" / "methods" / folder / f"{folder}.h"
        if not header.is_file():
            header = ROOT / "boxes" / "learners" / f"{folder}.h"
        comment = re.search(r"^// (.*)$", header.read_text(encoding="utf-8"), re.M)[1]
        assert squeezed(comment) in text


@needs_sphinx
def test_pages_have_all_items_that_the_program_lists(site):
    for what, page, name, parts in (
        ("losses", "losses", "name", ("equation", "paper")),
        ("kernels", "kernels", "name", ("equation",)),
        ("datasets", "datasets", "name", ("title", "terms")),
        ("formats", "formats", "name", ("title",)),
        ("experiments", "experiments", "experiment", ("title",)),
        ("keys", "keys", "name", ("allowed", "description")),
        ("measures", "measures", "name", ("meaning",)),
    ):
        text = squeezed(site.text(f"reference/{page}"))
        for row in site.listed(what):
            for part in (name, *parts):
                assert squeezed(row[part]) in text, (what, row[name], part)
    keys = site.page("reference/keys")
    for row in site.listed("keys"):
        anchor = re.sub(r"[^a-z0-9]+", "-", row["key"].lower()) + (f"-{row['kernel']}" if row["kernel"] else "")
        assert f'id="key-{anchor}"' in keys


@needs_sphinx
def test_every_public_header_and_its_classes_are_there(site):
    headers = [path for path in (ROOT / "learners").rglob("*.h") if "internal" not in path.parts]
    assert len(headers) > 60
    for path in headers:
        file = path.relative_to(ROOT).as_posix()
        text = squeezed(site.text(f"cpp/{path.relative_to(ROOT).parts[1]}"))
        assert squeezed(f"#include <{file}>") in text
        for kind, name in re.findall(r"^(class|struct) (\w+)(?: final)?(?: :.*)? \{$", path.read_text(), re.M):
            assert kind + name in text, (file, name)


@needs_sphinx
def test_the_python_package_is_there(site):
    for page, names in (
        (
            "python/index",
            ("okbench.results.table.load", "okbench.results.table.to_xarray", "okbench.results.Trace.frame"),
        ),
        ("python/results", ("okbench.results.Results", "okbench.errors.ClaimError")),
        ("python/claims", ("okbench.claims.judge", "okbench.claims.Paper")),
        ("python/league", ("okbench.league.read", "okbench.league.curve")),
    ):
        for name in names:
            assert f'id="{name}"' in site.page(page)
    assert "cost_to_reach" in site.text("reference/measures")


@needs_sphinx
def test_links_and_anchors_exist_and_pages_load_local_files_only(site):
    import links

    assert not links.dead_links(site.folder)


def test_the_check_of_links_can_fail(tmp_path):
    import links

    (tmp_path / "styles.css").write_text('@import url("//fonts.example/a.css"); a { background: url(gone.png) }')
    (tmp_path / "b.html").write_text('<p id="there">')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#there"></a><a href="https://example.org/elsewhere"></a><img src="data:image/png;base64,AA">'
        '<a href="c.html"></a><a href="b.html#gone"></a><a href="#gone"></a><img src="x.png">'
        '<script src="https://cdn.example/x.js"></script><link href="//fonts.example/x.css">'
    )
    assert links.dead_links(tmp_path) == [
        "a.html: loads https://cdn.example/x.js over the network",
        "a.html: loads //fonts.example/x.css over the network",
        "a.html: c.html leads to no file",
        "a.html: b.html#gone leads to no anchor",
        "a.html: #gone leads to no anchor",
        "a.html: x.png leads to no file",
        "styles.css: //fonts.example/a.css is not beside it",
        "styles.css: gone.png is not beside it",
    ]


def test_names_of_a_part_that_is_not_built_are_left_out():
    import python_api

    class Package(types.ModuleType):
        __all__ = ["Norma", "fit", "Svmd", "load"]

        def __getattr__(self, name):
            raise ImportError("the native part is not built")

    package = Package("okbench")
    assert python_api.own_names(package) == []
    package.Norma = type("Norma", (), {})
    package.fit = lambda: None
    package.load = lambda: None
    assert python_api.own_names(package)[1:] == [".. autoclass:: okbench.Norma\n", ".. autofunction:: okbench.fit\n"]


@needs_sphinx
@pytest.mark.filterwarnings("ignore:'cgi' is deprecated")
def test_docstrings_are_plain_text():
    import docstrings

    assert docstrings.plain("c/2 ||f||^2, *more, `a | b` and coef_") == r"c/2 \|\|f\|\|^2, \*more, `a | b` and coef\_"
    assert docstrings.plain("coef_ : array") == "coef_ : array"
    lines = ["Online SVM.", "", "Parameters", "----------", "nu : float, default 0.5", "    share of ||f||"]
    docstrings.read(None, "class", "okbench.NORMA", None, None, lines)
    assert ":param nu:" in "\n".join(lines)[:60] and r"\|\|f\|\|" in "\n".join(lines)


@needs_sphinx
def test_search_works_from_disk(site, browser):
    browser.get((site.folder / "search.html").as_uri() + "?q=truncation_error")
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    def of_norma(page):
        links = page.find_elements(By.CSS_SELECTOR, "ul.search li a")
        return any("reference/learners/norma.html" in link.get_attribute("href") for link in links)

    # The page adds one result after another.
    WebDriverWait(browser, 60).until(of_norma)
    assert not [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


@needs_sphinx
def test_pages_are_accessible(site, browser):
    found = {}
    for page, width in (("index", 1280), ("index", 400), ("reference/learners/norma", 400), ("search", 400)):
        browser.set_window_size(width, 900)
        browser.get((site.folder / f"{page}.html").as_uri())
        found[page, width] = problems(browser)
    # Other tests use this browser, too.
    browser.set_window_size(1300, 1000)
    browser.get_log("browser")
    assert not any(found.values()), found
