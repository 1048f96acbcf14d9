"""Pages of the experiments with their claims, and of the functions in claims."""

import collections
import inspect
import tomllib

from catalog import slug
from rst import anchored, escape, literal, page, prose, table, title


def read_specs(program):
    """(experiment, its title and methods by learner) for all experiments."""
    from okbench import _native

    specs = _native.axes([experiment["spec"] for experiment in program.rows("experiments")])
    return [(spec["experiment"], spec) for spec in specs]


def mentions(claim, experiment):
    """Whether a claim is judged on trials of the experiment."""
    values = claim.get("value", "")
    return f"{experiment}/" in " ".join([values] if isinstance(values, str) else values)


def experiments(program, specs):
    papers = collections.defaultdict(list)
    for name, spec in specs:
        papers[name.split("/")[0]].append((name, spec))
    parts = [
        title("Experiments"),
        "The output of ``okbench help experiments``, by paper, with the number of claims on each experiment "
        "(``okbench claims``).\n",
    ]
    for paper, members in papers.items():
        path = program.root / "experiments" / paper / "claims.toml"
        known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        claims, about = known.get("claims", []), known.get("about", {})
        parts += [title(paper, "-")]
        if about:
            parts += [f"*{escape(about['title'])}* by {escape(about['authors'])}. {escape(about['venue'])}.\n"]
            parts += [escape(about["text"]) + f" {len(claims)} claims.\n"]
        rows = [
            [
                anchored(f"experiment-{slug(name)}", literal(name)),
                escape(spec.get("title", "")),
                ", ".join(
                    f":doc:`{learner} </reference/learners/{learner}>`"
                    for learner in dict.fromkeys(spec["methods"].values())
                ),
                str(sum(mentions(claim, name) for claim in claims) or ""),
            ]
            for name, spec in members
        ]
        parts += [table(["experiment", "title", "learners", "claims"], rows, [26, 40, 26, 8])]
    return page(*parts)


def measures(program):
    """What the measures of a trial record, and the functions of claims."""
    from okbench.measures import FUNCTIONS
    from okbench.measures.registry import KINDS, TRIAL

    rows = []
    for name, function in sorted(FUNCTIONS.items()):
        kinds, repeated = KINDS.get(name, ((), None))
        arguments = [kind.what for kind in kinds] + ([f"{repeated.what} ..."] if repeated else [])
        if not arguments:
            arguments = list(inspect.signature(function).parameters)[1:]
        text = " ".join((inspect.getdoc(function) or "").split())
        if not text and arguments == [TRIAL.what]:
            text = "The trial's value of this name."
        rows.append([literal(name), escape(", ".join(arguments)), prose(text)])
    recorded = [
        [literal(row["name"]), literal(row["table"]), escape(row["measure"]), escape(row["meaning"])]
        for row in program.rows("measures")
    ]
    return page(
        title("Measures"),
        title("What a trial records", "-"),
        "The output of ``okbench help measures``: columns of a trace (:doc:`/docs/reference/traces`), and values of\n"
        "its summary.\n",
        table(["name", "table", "measure", "meaning"], recorded, [22, 14, 16, 48]),
        title("Functions of claims", "-"),
        "The functions that expressions in ``claims.toml`` may call (:doc:`/docs/reference/claims`), from the\n"
        "registry of the package. Each returns the mean over repetitions, unless its description differs.\n",
        table(["function", "arguments", "description"], rows, [22, 24, 54]),
    )
