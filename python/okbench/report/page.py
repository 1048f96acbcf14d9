"""The report of a result folder: web pages, and figures as files beside them.

The first page counts the verdicts by paper. Each paper has a page with its figures, tables and claims, and so have the
experiments without claims, the league (league_page.py) and the explorer of all trials.
"""

import fnmatch

from .. import claims
from ..errors import CONTENT_ERRORS, ClaimError, ContentError, NotRun, RequestError, cause_of
from ..native import module as _native
from ..plotting import draw as drawing
from ..plotting.registry import FIGURES, TABLES
from ..reading import files_like, read_toml
from ..results import Results
from ..writing import write_bytes, write_text
from . import experiments_without_claims, explorer, league_page
from .provenances import provenance
from .web_pages import as_script, drawn_item, library, render, table_item


def about(path):
    """(table `about`, list of figures) of a claims file. Raises ClaimError."""
    content, _ = claims.contents(path)
    if "about" not in content:
        raise ClaimError(f"{path}: about.title is missing")
    if not isinstance(content.get("figures", []), list):
        raise ClaimError(f"{path}: figures must be a list of tables")
    for figure in content.get("figures", []):
        good = (
            isinstance(figure, dict)
            and sorted(figure) == ["claims", "name", "shows"]
            and isinstance(figure["claims"], list)
        )
        if not good:
            raise ClaimError(f"{path}: a figure must have exactly name, shows and a list of claims: {figure}")
    return content["about"], content.get("figures", [])


def spec_files(folders):
    """{experiment: path of its spec as on the command line}. The first folder is okbench's experiments/.

    Raises ClaimError.
    """
    files = {}
    for folder in folders:
        for path in files_like(folder, "*", "*.toml"):
            if path.name == "claims.toml":
                continue
            name = read_toml(path).get("experiment")
            if not isinstance(name, str):
                raise ClaimError(f"{path}: not a spec: the key `experiment` is missing")
            files[name] = f"experiments/{path.parent.name}/{path.name}" if folder == folders[0] else str(path)
    return files


# Figures and tables.


def item(entry, results, judged, specs, files, registered=None, replaced=None):
    """The page entry of a figure or table, or the reason why it is missing. Raises ClaimError.

    `files`: {path: content}, which gets the image.

    `registered`: (experiments, function) in place of the registered ones. `replaced`: results on replacing data, drawn
    if the papers' data cannot be.
    """
    name = entry["name"]
    mine = [
        judgement
        for judgement in judged
        if any(fnmatch.fnmatchcase(judgement.claim.id, pattern) for pattern in entry["claims"])
    ]
    out = {
        "name": name,
        "id": name.replace("/", "-"),
        "shows": entry["shows"],
        "claims": mine,
        "counts": claims.tally(mine),
    }
    registered = registered or FIGURES.get(name) or TABLES.get(name)
    if registered is None:
        raise ClaimError(f"unknown figure or table '{name}'")
    for source in filter(None, (results, replaced)):
        try:
            experiments = drawing.find(source, registered[0])
            content = drawing.drawn(registered[1], experiments)
            break
        except NotRun as reason:
            out.setdefault("missing", str(reason))
    else:
        return out
    out.pop("missing", None)
    out["provenance"] = provenance(experiments, specs)
    return out | (table_item(content) if name in TABLES else drawn_item(content, out["id"], files))


# The pages.


def without_claims(results, papers, specs, files):
    """Sections for the folders without a claims file: folder name and page entries, without those of other figures."""
    sections = []
    shown = {name for experiments, _ in (FIGURES | TABLES).values() for name in experiments}
    for folder, experiments in experiments_without_claims.names(results, papers).items():
        items = []
        for name in experiments:
            if name in shown:
                continue
            registered = [name], experiments_without_claims.draw
            entry = experiments_without_claims.entry(results.read(name))
            items.append(item(entry, results, [], specs, files, registered))
        if items:
            sections.append({"name": folder, "items": items})
    return sections


def judged_papers(folders, results, specs, replaced, files):
    """One dictionary for each claims file: what page.html and paper.html show. Papers first, then other programs."""
    checked, papers = claims.Specs(*folders), []
    for path in claims.claims_files(folders).values():
        paper = claims.read(path, checked)
        text, entries = about(path)
        verdicts = [claims.judge(claim, results) for claim in paper.claims]
        others = {claim.id: claims.generalise(claim, replaced) for claim in paper.claims} if replaced else {}
        papers.append(
            {
                "name": paper.name,
                "programs": False,
                **text,
                "address": claims.address(text),
                "claims": verdicts,
                "counts": claims.tally(claims.statements(verdicts)),
                "questions": claims.tally(claims.questions(verdicts)),
                "generalised": others,
                "replaced": claims.tally(others.values(), claims.REPLACED_VERDICTS),
                "items": [item(entry, results, verdicts, specs, files, replaced=replaced) for entry in entries],
            }
        )
    return sorted(papers, key=lambda paper: paper["programs"])


def charts(items):
    return {entry["id"]: entry["panels"] for entry in items if entry.get("panels")}


def build(folders, results, index="index.html"):
    """({file name: HTML}, {path: image}, message) of the report, whose first page is `index`.

    folders: folders of papers with claims. results: a result folder or Results. Raises ClaimError and TraceFileError.
    """
    evaluated = results if isinstance(results, Results) else Results(results)
    specs, files = spec_files(folders), {}
    replaced = claims.replaced_results(evaluated)
    papers = judged_papers(folders, evaluated, specs, replaced, files)
    judged = [judgement for paper in papers for judgement in paper["claims"]]
    others = without_claims(evaluated, {paper["name"] for paper in papers}, specs, files)
    common = {"index": index, "outcomes": claims.OUTCOMES, "papers": papers, "others": others}
    pages = {
        index: render(
            "page.html",
            {},
            **common,
            judged=judged,
            replaced_verdicts=claims.REPLACED_VERDICTS if replaced else (),
            tiers=sorted({experiment.tier for experiment in evaluated.experiments.values() if experiment}),
            overridden=[
                experiment
                for _, experiment in sorted(evaluated.experiments.items())
                if experiment and experiment.overridden
            ],
            surprises=[judgement for judgement in judged if judgement.surprising],
            league=league_page.field(evaluated) is not None,
        )
    }
    for paper in papers:
        pages[f"{paper['name']}.html"] = render("paper.html", charts(paper["items"]), **common, paper=paper)
    if others:
        drawn = [entry for part in others for entry in part["items"]]
        pages["other.html"] = render("other.html", charts(drawn), **common)
    without = "" if library("uplot/dist/uPlot.iife.min.js") else WITHOUT_CHARTS
    return pages, files, claims.summed(judged) + without


WITHOUT_CHARTS = "; without interactive charts: uPlot is missing (run npm ci in python/okbench/report/web)"


def trials_page(results, index):
    """The HTML of trials.html: the explorer of all experiments. `index`: file name of the report."""
    plans = files_like(results.folder, "*", "*", "plan.json")
    experiments = [results.read(f"{plan.parent.parent.name}/{plan.parent.name}") for plan in plans]
    data = explorer.content(experiments)
    planned = sum(len(_native.plan(results.folder, experiment.name, searches=True)[1]) for experiment in experiments)
    return render(
        "trials.html",
        {},
        ("report.js", "charts.js", "explorer.js"),
        tables=True,
        explorer=as_script(data),
        constant=data["constant"],
        count=len(data["trials"]),
        left_out=planned - len(data["trials"]),
        experiments=len(experiments),
        index=index,
    )


def write(folders, results, out):
    """Writes the report of a result folder to `out`, and the league's pages and trials.html beside it.

    folders: folders of papers with claims. Returns the lines to print. Raises OkbenchError and OSError.
    """
    if not results.is_dir():
        raise RequestError(f"{results}: no such result folder; run make experiments first")
    if not files_like(folders[0], "*", "claims.toml"):
        raise RequestError(f"{folders[0]}: has no claims.toml in its subfolders")
    try:
        read = Results(results)
        pages, files, summary = build(folders, read, out.name)
        beside = league_page.pages(read, spec_files(folders), out.name, files)
        trials = trials_page(read, out.name)
    except CONTENT_ERRORS as error:
        raise ContentError(f"{results}: the traces lack values that the report needs ({cause_of(error)})") from error
    for name, content in files.items():
        write_bytes(out.parent / name, content, folders=True)
    # The first page is last, because it links to the others.
    first = pages.pop(out.name)
    for name, page in (beside | {"trials.html": trials} | pages | {out.name: first}).items():
        write_text(out.with_name(name), page, folders=True)
    lines = [f"{out}: {summary}", f"{len(pages)} pages of papers beside it ({size(pages.values())})"]
    if beside:
        lines.append(f"{out.with_name('league.html')}: the league, with {len(beside) - 1} pages of learners")
    lines.append(f"{out.with_name('trials.html')}: every trial ({size([trials])})")
    return [*lines, f"{out.parent / 'figures'}: {len(files)} images ({size(files.values())})"]


def size(contents):
    return f"{sum(map(len, contents)) / 1e6:.1f} MB"
