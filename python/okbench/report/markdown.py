"""The results as Markdown: verdicts per paper, values of claims not reproduced, and the rankings of the league."""

import textwrap

from .. import claims, league
from ..league import conclusions
from ..claims.output import joined
from ..errors import NotRun, RequestError
from ..reading import files_like
from ..results import Results

WIDTH = 100
MAX_VALUES = 3  # of a claim; `okbench claims` prints all
MAX_SENTENCES = 2  # on a ranking; `okbench league` prints all


def count(number):
    return f"{number:,.0f}" if number < 1e9 else f"{number:.2e}"


def wrapped(prose):
    return textwrap.wrap(prose, WIDTH, break_on_hyphens=False, break_long_words=False)


def table(head, rows):
    """Lines of a table. A colon before a column's name aligns numbers to the right."""
    lines = ["| " + " | ".join(name.lstrip(":") for name in head) + " |"]
    lines.append("|" + "|".join("---:" if name.startswith(":") else "---" for name in head) + "|")
    return lines + ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows] + [""]


def tier_of(results):
    tiers = sorted({experiment.tier for experiment in results.experiments.values() if experiment})
    return ", ".join(tiers) or "no"


def outcome_table(papers, judged, outcomes=claims.OUTCOMES):
    """Counts of outcomes: a row per paper, and the total."""
    rows = []
    for name in [*papers, "all"]:
        mine = [judgement for judgement in judged if name in ("all", judgement.claim.paper)]
        rows.append([name, *claims.tally(mine, outcomes).values()])
    return table(["paper", *(f":{outcome}" for outcome in outcomes)], rows)


def replaced_lines(results, papers):
    """The verdicts on replacing data; empty if there are none."""
    replaced = claims.replaced_results(results)
    if replaced is None:
        return []
    judgements = [claims.generalise(claim, replaced) for paper in papers for claim in paper.claims]
    titles = sorted({title for judgement in judgements for title in judgement.data})
    said = f"Claims about behaviour on real data in place of the papers': {'; '.join(titles)}."
    names = [paper.name for paper in papers]
    return [
        "### On replacing data",
        "",
        *wrapped(said),
        "",
        *outcome_table(names, judgements, claims.REPLACED_VERDICTS),
    ]


def shortened(values, expressions):
    """The first values as text."""
    text = joined(values[:MAX_VALUES], expressions[:MAX_VALUES])
    return text + (", ..." if len(values) > MAX_VALUES else "")


def paper_text(claim):
    value = claim.paper_value
    if not isinstance(value, list):
        return claims.shown_paper(claim)
    return shortened(value, claim.value if len(claim.value) == len(value) else [0.0] * len(value))


def claim_lines(judged):
    """Lists of the claims that are not reproduced: statements of the paper, and questions of ours."""
    failing = [judgement for judgement in judged if judgement.verdict == claims.NOT_REPRODUCED]
    said = claims.statements(failing)
    lines = []
    for title, some in (
        ("Do not hold:", [judgement for judgement in said if not judgement.claim.undecided]),
        ("Cannot be decided:", [judgement for judgement in said if judgement.claim.undecided]),
        ("Our questions whose answer is no:", claims.questions(failing)),
    ):
        if some:
            lines += [title, "", *listed(some)]
    return lines


def listed(judged):
    """A list of claims."""
    lines = []
    for judgement in judged:
        paper = "" if judgement.claim.paper_value is None else f"paper {paper_text(judgement.claim)}"
        values = f"ours {shortened(judgement.values, judgement.claim.value)}"
        said = "; ".join(filter(None, (values, paper, claims.direction(judgement), judgement.claim.undecided)))
        statement = judgement.claim.statement
        text = f"- {statement[0].upper()}{statement[1:]} (`{judgement.claim.id}`): {said}"
        lines += textwrap.wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)
    return [*lines, ""]


def league_lines(results):
    """The rankings of the league: with any budget, with at most 64 support vectors, and on real targets."""
    try:
        current_league = league.read(results)
    except NotRun:
        return []
    lines, real = [], None
    for title, choice in (("League, best budget of each learner", {}), ("League, at most 64", {"at_most": 64})):
        ranking = league.as_json(current_league, "tuning", **choice)
        if not ranking["learners"]:
            continue
        said = " ".join(f"{sentence}." for sentence in conclusions.over_sets(ranking)[:MAX_SENTENCES])
        lines += [f"### {title}", "", *ranking_table(ranking["learners"], conclusions.leading(ranking))]
        lines += [*wrapped(said), *([""] if said else [])]
        real = real or ranking["real"]
    if real:
        lines += [f"### League on {len(real['targets'])} data sets with real targets", ""]
        lines += ranking_table(real["learners"], conclusions.leading(real))
    return lines


def ranking_table(learners, leading):
    """Lines of a ranking. A star marks the learners `leading`."""
    errors = any("error" in row for row in learners)
    rows = [
        [
            row["learner"],
            f"{row['mean_rank']:.2f}" + (" ★" if row["learner"] in leading else ""),
            f"{100 * row['share']:.0f} %",
            "-" if row["median_cost"] is None else f"{row['median_cost']:.3g}",
            count(row["memory"]),
            *([f"{100 * row['error']:.2f} %"] if errors else []),
        ]
        for row in learners
    ]
    head = ["learner", ":rank", ":targets reached", ":median cost", ":coefficients", *([":error"] if errors else [])]
    return table(head, rows)


def text(folders, places):
    """The text of the page. folders: folders of papers; places: result folders. Raises OkbenchError."""
    for place in places:
        if not place.is_dir():
            raise RequestError(f"{place}: no such result folder")
    command = f"okbench report --markdown {' '.join(map(str, places))}"
    intro = (
        f"`{command}` wrote this page. *Value* is what the claim's expression gives on the traces. `okbench claims` "
        "prints all claims, with the bounds, the reasons and the causes that were tried. ★: not significantly worse "
        "than the best mean rank (Nemenyi)."
    )
    lines = ["# Results", "", *wrapped(intro), ""]
    papers = claims.read_papers(folders)
    names = [paper.name for _, paper in papers]
    for place in places:
        results = Results(place)
        judged = [claims.judge(claim, results) for _, paper in papers for claim in paper.claims]
        tier = tier_of(results)
        lines += [f"## Tier{'s' * (',' in tier)}: {tier}", ""]
        plans = [plan.parent for plan in files_like(results.folder, "*", "*", "plan.json") if plan.parts[-3] in names]
        experiments = [results.read(f"{folder.parent.name}/{folder.name}") for folder in plans]
        synthetic = sorted({trace.data_set for of in experiments for trace in of.traces if trace.synthetic})
        if synthetic:
            lines += [*wrapped(f"Synthetic data: {', '.join(synthetic)}."), ""]
        lines += outcome_table(names, claims.statements(judged))
        if asked := claims.questions(judged):
            asking = [name for name in names if any(question.paper == name for question in asked)]
            lines += ["Our own questions about the papers:", "", *outcome_table(asking, asked)]
        for _, paper in papers:
            mine = claim_lines([judgement for judgement in judged if judgement.paper == paper.name])
            if mine:
                lines += [f"### {paper.name}: not reproduced", "", *mine]
        lines += replaced_lines(results, [paper for _, paper in papers]) + league_lines(results)
    return "\n".join(lines).rstrip() + "\n"
