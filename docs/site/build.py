"""Builds the site: build.py --okbench BINARY --out FOLDER writes FOLDER/html, using only files of the repository.
Needs python/ and docs/site/ in PYTHONPATH.

Documents are staged as they are; pages of what the program lists, of headers and of the Python package are generated
beside them. A warning of doxygen or Sphinx, or a dead link, is an error.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap

import catalog
import headers
import links
import papers
import program
import python_api

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def stage(source, okbench):
    """Writes all pages below `source`, under the paths that links use."""
    shutil.rmtree(source, ignore_errors=True)
    project = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CITATION.cff")]
    for path in [*project, *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").glob("*.png")]:
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    shutil.copyfile(HERE / "index.rst", source / "index.rst")
    specs = papers.read_specs(okbench)
    pages = {
        "reference/keys": catalog.keys(okbench),
        "reference/losses": catalog.losses(okbench),
        "reference/kernels": catalog.kernels(okbench),
        "reference/datasets": catalog.data_sets(okbench),
        "reference/formats": catalog.formats(okbench),
        "reference/commands": catalog.commands(okbench),
        "reference/experiments": papers.experiments(okbench, specs),
        "reference/measures": papers.measures(okbench),
        **{f"reference/learners/{name}": text for name, text in catalog.learner_pages(okbench, specs).items()},
        **{f"cpp/{name}": text for name, text in headers.pages(ROOT).items()},
        **{f"python/{name}": text for name, text in python_api.pages().items()},
    }
    for name, text in pages.items():
        path = source / f"{name}.rst"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def doxygen(folder):
    """The declarations of headers as XML. Warnings are errors."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = (HERE / "Doxyfile").read_text(encoding="utf-8") + f"OUTPUT_DIRECTORY = {folder}\n"
    done = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True, cwd=ROOT)
    if done.returncode or done.stderr.strip():
        raise SystemExit(f"docs: doxygen: {done.stderr.strip()}")
    for path in (folder / "xml").glob("*.xml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"<verbatim>(.*?)</verbatim>", without_slashes, text, flags=re.S), encoding="utf-8")
    return folder / "xml"


def without_slashes(match):
    """The lines of an equation, without the comment marks that doxygen keeps."""
    lines = [re.sub(r"^\s*///", "", line).rstrip() for line in match[1].splitlines()]
    return "<verbatim>" + textwrap.dedent("\n".join(lines)).strip("\n") + "</verbatim>"


def sphinx(source, html, xml, quiet):
    # Examples run in their folder, so they run in a copy.
    gallery = source.parent / "gallery"
    shutil.rmtree(gallery, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "gallery", gallery)
    shutil.rmtree(html, ignore_errors=True)
    options = [
        "-W",
        "-E",  # Breathe cannot merge declarations with those of an earlier build
        "--keep-going",
        "-n",
        "-b",
        "html",
        "-j",
        "auto",
        "-d",
        str(source.parent / "doctrees"),
        "-c",
        str(HERE),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *options, *(["-q"] if quiet else []), str(source), str(html)],
        env={
            **os.environ,
            "OKBENCH_DOXYGEN": str(xml),
            "OKBENCH_GALLERY": str(gallery),
            "MPLBACKEND": "Agg",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    if done.returncode:
        raise SystemExit("docs: Sphinx failed or warned; its messages are above")


# What the theme's pages lack for screen readers and keyboards: captions of the navigation have a level, the two side
# bars have names, labels that only a mouse uses are hidden, wide tables and code can be scrolled by keys, and the
# page of the search has a heading.
ACCESSIBLE = {
    'role="heading"': 'role="heading" aria-level="2"',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Site">',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    '<label class="overlay': '<label aria-hidden="true" class="overlay',
    '<label class="toc-overlay-icon': '<label aria-hidden="true" class="toc-overlay-icon',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    "<pre>": '<pre tabindex="0">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
}


def make_whole(html):
    """Copies a style sheet and a script into the site, and makes its pages accessible.

    Debian's theme imports the style sheet by a web server's path, and the script as a module, which browsers do not
    load from disk.
    """
    scripts = html / "_static" / "scripts"
    for path in scripts.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        for line, beside in re.findall(r"^(import \w+ from \"\./([\w.-]+)\";)$", text, re.M):
            text = text.replace(line, (scripts / beside).read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    for path in (html / "_static" / "styles").glob("*.css"):
        text = path.read_text(encoding="utf-8")
        for there in re.findall(r"@import url\((/javascript/[^)]+)\)", text):
            beside = path.with_name(pathlib.Path(there).name)
            shutil.copyfile(f"/usr/share{there}", beside)
            text = text.replace(there, beside.name)
        path.write_text(text, encoding="utf-8")
    for path in html.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for before, now in ACCESSIBLE.items():
            text = text.replace(before, now)
        path.write_text(text, encoding="utf-8")


def add_report(folder, html):
    """Copies the pages of the latest report into the site and links them on the front page, if there are any."""
    pages = [folder / name for name in ("index.html", "league.html") if (folder / name).is_file()]
    if not pages:
        return
    shutil.copytree(folder, html / "report")
    names = {"index.html": "the latest report", "league.html": "the league"}
    entries = ", ".join(f'<a href="report/{page.name}">{names[page.name]}</a>' for page in pages)
    front = html / "index.html"
    # Below the first paragraph, so that it is seen without scrolling.
    head, article, text = front.read_text(encoding="utf-8").partition("<article")
    text = text.replace("</p>", f"</p>\n<p>Results on this machine: {entries}.</p>", 1)
    front.write_text(head + article + text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Builds the documentation as a site that opens from disk.")
    parser.add_argument("--okbench", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--report", default="results/report", type=pathlib.Path, help="folder of the report to include")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="folder; the site is its html/")
    options = parser.parse_args()
    out = options.out.resolve()
    stage(out / "source", program.Program(options.okbench.resolve(), ROOT))
    sphinx(out / "source", out / "html", doxygen(out / "doxygen"), quiet=True)
    make_whole(out / "html")
    add_report(options.report, out / "html")
    dead = links.dead_links(out / "html")
    if dead:
        raise SystemExit("\n".join(f"docs: {line}" for line in dead))
    print(f"docs: {out / 'html' / 'index.html'}")


if __name__ == "__main__":
    main()
