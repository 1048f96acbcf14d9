"""The reproduction report: one self-contained web page over a result folder.

usage: python -m okplots.report --experiments experiments --results results/default --out results/report/index.html

On top stands which of the papers' claims hold; then, paper by paper, every figure and table with what the paper shows,
what was found, and the traces it was drawn from; then all claims, folded by paper; experiments that no claims file is
about; and what every learner cost in kernel evaluations.
"""

import argparse
import base64
import fnmatch
import io
import json
import pathlib
import sys
import tomllib

import jinja2

from okbench import claims
from okbench.errors import ClaimError, NotRun, TraceFileError
from okbench.results import Results

from . import __main__ as drawing
from . import costs, figures, own, style, web_figures  # noqa: F401  (figures registers the figures)
from .registry import FIGURES, TABLES

WEB = pathlib.Path(__file__).resolve().parent / "web"
CHART_LIBRARY = WEB.parent.parent / "node_modules" / "uplot"
VERDICTS = (claims.REPRODUCED, claims.NOT_REPRODUCED, claims.NOT_RUN)


def about(path):
    """The paper's own text, and its figures, of a claims file; raises ClaimError."""
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
            raise ClaimError(f"{path}: a figure needs name, shows and a list of claims, and nothing else: {figure}")
    return content["about"], content.get("figures", [])


def spec_files(folders):
    """Where each experiment's spec lies, as the command line names it: of the first folder, okbench's own, below
    experiments/."""
    files = {}
    for folder in folders:
        for path in sorted(folder.glob("*/*.toml")):
            if path.name == "claims.toml":
                continue
            name = tomllib.loads(path.read_text(encoding="utf-8")).get("experiment")
            files[name] = f"experiments/{path.parent.name}/{path.name}" if folder == folders[0] else str(path)
    return files


# Figures and tables.


def provenance(found, specs):
    """What the traces of these experiments say of themselves, and the command that makes them anew."""
    every = [trace for experiment in found for trace in experiment.traces]
    commits = sorted(
        {
            f"{trace.provenance['git_commit'][:12]}{' with local changes' if trace.provenance['git_dirty'] else ''}"
            for trace in every
        }
    )
    machines = sorted({trace.provenance["cpu"] for trace in every})
    compilers = sorted({f"{trace.provenance['compiler']}, kernels for {trace.provenance['target']}" for trace in every})
    digests = sorted({(trace.data_set, trace.spec["data"]["digest"]) for trace in every})
    times = sorted(trace.provenance["start_time"] for trace in every)
    files = " ".join(specs.get(experiment.name, experiment.name) for experiment in found)
    return {
        "commits": commits,
        "machines": machines,
        "compilers": compilers,
        "digests": digests,
        "traces": len(every),
        "first": times[0],
        "last": times[-1],
        "seconds": sum(trace.provenance["wall_seconds"] for trace in every),
        "command": f"okbench run {files} --tier {found[0].tier}",
    }


def picture(figure):
    """An image and the size that it has on a page before it is loaded."""
    width, height = (round(150 * inches) for inches in figure.get_size_inches())
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=150)
    style.plt.close(figure)
    source = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    return {"source": source, "width": width, "height": height}


def item(entry, results, judged, specs, registered=None):
    """One figure or table of a paper, or why it is not there; `registered`: experiments and function of one's own."""
    name = entry["name"]
    mine = [one for one in judged if any(fnmatch.fnmatchcase(one.claim.id, pattern) for pattern in entry["claims"])]
    out = {"name": name, "id": name.replace("/", "-"), "shows": entry["shows"], "claims": mine, "counts": counted(mine)}
    registered = registered or FIGURES.get(name) or TABLES.get(name)
    if registered is None:
        raise ClaimError(f"there is no figure or table '{name}'")
    try:
        found = drawing.find(results, registered[0])
        content = drawing.drawn(registered[1], found)
    except NotRun as reason:
        return out | {"missing": str(reason)}
    out["provenance"] = provenance(found, specs)
    if name in TABLES:
        header, rows, title, stand_in = content
        return out | {"title": title, "header": header, "rows": rows, "stand_in": stand_in}
    figure, title, caption, stand_in = content
    panels = web_figures.panels(figure)
    style.finish(figure, title, caption, stand_in)
    return out | {"title": title, "caption": caption, "stand_in": stand_in, "panels": panels, "image": picture(figure)}


# The page.


def library(name):
    path = CHART_LIBRARY / "dist" / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def tight(text):
    """Numbers and their units on one line."""
    return text.replace(" %", "\u00a0%").replace(" ± ", "\u00a0±\u00a0")


def counted(judged):
    return {verdict: sum(one.verdict == verdict for one in judged) for verdict in VERDICTS}


def told(counts):
    """ "5 reproduced, 2 not reproduced", what there is none of left out."""
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number) or "none"


def without_claims(results, papers, specs):
    """The experiments of folders that have no claims file: (folder, its items)."""
    sections = []
    for folder, experiments in own.names(results, papers).items():
        items = []
        for name in experiments:
            registered = [name], own.draw
            items.append(item(own.entry(results.read(name)), results, [], specs, registered))
        sections.append({"name": folder, "items": items})
    return sections


def count(value):
    """A count for reading: 3 432 459, or 1.05e12 beyond a billion."""
    return f"{value:,.0f}".replace(",", "\u202f") if value < 1e9 else f"{value:.2e}"


def build(folders, results):
    """The page's HTML and what to tell the user; `folders` of papers. Raises ClaimError and TraceFileError."""
    evaluated = Results(results)
    specs, checked = spec_files(folders), claims.Specs(*folders)
    papers, judged = [], []
    for path in claims.claims_files(folders).values():
        paper = claims.read(path, checked)
        text, entries = about(path)
        verdicts = [claims.judge(claim, evaluated) for claim in paper.claims]
        judged += verdicts
        papers.append(
            {
                "name": paper.name,
                **text,
                "address": claims.address(text),
                "claims": verdicts,
                "counts": counted(verdicts),
                "items": [item(entry, evaluated, verdicts, specs) for entry in entries],
            }
        )
    others = without_claims(evaluated, {paper["name"] for paper in papers}, specs)
    rows = costs.rows(evaluated)
    overridden = [one for _, one in sorted(evaluated.experiments.items()) if one and one.overridden]
    tiers = sorted({experiment.tier for experiment in evaluated.experiments.values() if experiment})
    charts = {one["id"]: one["panels"] for part in papers + others for one in part["items"] if one.get("panels")}
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(WEB),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"count": count, "told": told, "tight": tight}
    environment.globals["claims"] = claims
    chart_script = library("uPlot.iife.min.js")
    html = environment.get_template("page.html").render(
        papers=papers,
        others=others,
        judged=judged,
        verdicts=VERDICTS,
        tiers=tiers,
        overridden=overridden,
        costs=rows,
        cost_counts=costs.COUNTS,
        counts=counted(judged),
        surprises=[one for one in judged if one.surprising],
        style=library("uPlot.min.css") + (WEB / "report.css").read_text(encoding="utf-8"),
        chart_script=chart_script,
        script="".join((WEB / name).read_text(encoding="utf-8") for name in ("report.js", "charts.js")),
        # No text of a label may end the script, or begin one.
        charts=json.dumps(web_figures.packed(charts), separators=(",", ":")).replace("<", "\\u003c"),
    )
    return html, f"{claims.counts(judged)}" + (
        "" if chart_script else "; figures cannot be inspected, as uPlot is not installed (npm ci in plots/)"
    )


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="okplots.report", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--experiments", type=pathlib.Path, required=True, action="append", help="folder of papers; may be repeated"
    )
    parser.add_argument("--results", type=pathlib.Path, required=True, help="result folder")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the page to write")
    options = parser.parse_args(arguments)
    if not options.results.is_dir():
        sys.exit(f"okplots: {options.results}: no such result folder; make experiments fills one")
    if not list(options.experiments[0].glob("*/claims.toml")):
        sys.exit(f"okplots: {options.experiments[0]}: no claims there")
    try:
        html, told = build(options.experiments, options.results)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        temporary = options.out.with_suffix(".tmp")
        temporary.write_text(html, encoding="utf-8")
        temporary.replace(options.out)
    except (ClaimError, TraceFileError, OSError, tomllib.TOMLDecodeError) as error:
        sys.exit(f"okplots: {error}")
    print(f"{options.out}: {told} ({len(html) / 1e6:.1f} MB)")


if __name__ == "__main__":
    main()
