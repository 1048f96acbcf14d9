"""Pages of what the program lists: learners, losses, kernels, data sets, formats, keys of specs, commands."""

import collections
import json
import pathlib
import re

from rst import anchored, code, escape, label, literal, page, short_lines, table, title, toctree


def value(one):
    """A default in the syntax of specs."""
    return "" if one is None else literal(json.dumps(one))


def top_comment(path):
    """The comment at the top of a header; None if the file does not exist."""
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next((n for n, line in enumerate(lines) if line.startswith("//")), None)
    if start is None:
        return None
    comment = []
    for line in lines[start:]:
        if not line.startswith("//"):
            break
        comment.append(line[2:].removeprefix(" "))
    return "\n".join(comment)


def parameter_rows(learner):
    for one in learner["parameters"]:
        symbol = one["symbol"] if one["symbol"] not in ("", one["name"]) else ""
        unit = f", in {escape(one['unit'])}" if one["unit"] else ""
        yield [
            anchored(f"parameter-{learner['name']}-{slug(one['name'])}", literal(one["name"])),
            escape(symbol),
            value(one["default"]),
            escape(one["allowed"]) + unit,
            escape(one["description"]),
        ]


def example(learner):
    lines = [f"[learners.{learner['name']}]", f'learner = "{learner["name"]}"']
    return "\n".join(lines + [f"{one['name']} = {json.dumps(one['default'])}" for one in learner["parameters"]])


def learner_page(learner, root, experiments):
    folder = learner["name"].replace("-", "_")
    methods, boxes = root / "learners" / "methods" / folder, root / "boxes" / "learners" / f"{folder}.h"
    # A baseline has no header.
    places = [methods / f"{folder}.h", methods / "learner.cpp", boxes]
    place = next(path for path in places if path.is_file())
    part = "boxes" if place == boxes else "learners/methods"
    comment = top_comment(place)
    users = [f":ref:`{path} <experiment-{slug(path)}>`" for path in experiments]
    facts = [
        ["paper", escape(learner["paper"])],
        ["protocol", escape(f"{learner['protocol']}, with labels {', '.join(learner['labels'])}")],
        ["revision", f"{learner['revision']}, part of every trial's id"],
    ]
    facts += [["declared in", f":doc:`{part} </cpp/{pathlib.PurePosixPath(part).name}>`"]] if comment else []
    return page(
        label(f"learner-{learner['name']}"),
        title(learner["name"]),
        escape(learner["title"]) + "\n",
        code(learner["update"]),
        table(None, facts, [15, 85], "facts"),
        *([title("Method", "-"), code(comment)] if comment else []),
        title("Parameters", "-"),
        (
            table(
                ["parameter", "symbol", "default", "allowed", "description"],
                parameter_rows(learner),
                [16, 11, 15, 24, 34],
                "parameters",
            )
            if learner["parameters"]
            else "None.\n"
        ),
        title("In a spec", "-"),
        "With all defaults:\n",
        code(example(learner), "toml"),
        *([title("Experiments", "-"), f"{', '.join(users)}.\n"] if users else []),
    )


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def learner_pages(program, specs):
    """The pages of reference/learners: an index, and one per learner. `specs` are those of papers.read_specs()."""
    learners = program.rows("learners")
    pages = {}
    for one in learners:
        users = [name for name, spec in specs if one["name"] in spec["methods"].values()]
        pages[one["name"]] = learner_page(one, program.root, users)
    groups = collections.defaultdict(list)
    for one in learners:
        groups[one["protocol"]].append(one)
    body = []
    for protocol, members in groups.items():
        rows = [[f":doc:`{one['name']}`", escape(one["title"]), escape(one["paper"])] for one in members]
        body += [title(protocol.capitalize(), "-"), table(["learner", "title", "paper"], rows, [18, 52, 30])]
    intro = (
        "The output of ``okbench help learners``, grouped by protocol "
        "(:doc:`/docs/reference/specs` describes the protocols).\n"
    )
    pages["index"] = page(title("Learners"), intro, *body, toctree(sorted(pages)))
    return pages


def losses(program):
    parts = [title("Losses"), "The output of ``okbench help losses``. :doc:`/cpp/losses` declares them.\n"]
    for one in program.rows("losses"):
        words = [f"Labels: {one['labels']}.", f"{one['paper']}."]
        if one["parameter"] != "none":
            words.insert(1, f"The learner's parameter {one['parameter']} is rho or epsilon of the equation.")
        parts += [
            label(f"loss-{one['name']}"),
            title(one["name"], "-"),
            code(one["equation"]),
            escape(" ".join(words)) + "\n",
        ]
    return page(*parts)


def key_table(rows, anchor=lambda one, text: text):
    return table(
        ["key", "default", "allowed", "description"],
        [
            [
                anchor(one, literal(one["name"])),
                "required" if one["required"] else value(one["default"]),
                escape(one["allowed"]),
                escape(one["description"]) + (" *(tiers)*" if one["tier"] else ""),
            ]
            for one in rows
        ],
        [18, 14, 30, 38],
        "parameters",
    )


def key_anchor(one, text):
    return anchored("-".join(["key", slug(one["key"]), *([one["kernel"]] if one["kernel"] else [])]), text)


def kernels(program):
    parts = [title("Kernels"), "The output of ``okbench help kernels``: the table ``[kernel]`` of a spec.\n"]
    for one in program.rows("kernels"):
        parts += [label(f"kernel-{one['name']}"), title(one["name"], "-"), code(one["equation"])]
        parts += [key_table(one["keys"])] if one["keys"] else ["No keys.\n"]
    return page(*parts)


def keys(program):
    """Every key of a spec, from the tables of its reader."""
    tables = collections.defaultdict(list)
    for one in program.rows("keys"):
        tables[one["table"], one["kernel"]].append(one)
    parts = [
        title("Keys of a spec"),
        "The output of ``okbench help keys``, from the tables that read and check specs. :doc:`/docs/reference/specs`\n"
        "explains the keys. Names in capitals are placeholders: ``KEY`` is the name of a learner in a spec,\n"
        "``PARAMETER`` one of its :doc:`parameters </reference/learners/index>`. A table ``[tiers.TIER]`` may change\n"
        "keys marked *(tiers)*.\n",
    ]
    for (path, kernel), rows in tables.items():
        name = f"[{path}]" if path else "The whole spec"
        parts += [
            label("-".join(["keys", slug(path) or "spec", *([kernel] if kernel else [])])),
            title(name + (f" of {kernel}" if kernel else ""), "-"),
            key_table(rows, key_anchor),
        ]
    return page(*parts)


def data_sets(program):
    parts = [
        title("Data sets"),
        "The output of ``okbench help datasets``. ``okbench data show NAME`` prints files and trees. "
        ":doc:`/docs/howto/add-a-data-set` explains how to add a data set.\n",
    ]
    rows, terms = [], []
    for one in program.rows("datasets"):
        size = ", ".join(f"{part} {one['rows'][part]}" for part in ("train", "test") if part in one["rows"])
        tree = one["tree"]
        kind = "generated" if one["generated"] else f"synthetic fallback: {one['synthetic'] or 'none'}"
        features = "words" if one["features"] is None else one["features"] or "of boxes"
        classes = one["classes"] or ("boxes" if one["features"] == 0 else "real targets")
        rows.append(
            [
                literal(one["name"]),
                escape(one["title"]),
                escape(size),
                str(features),
                f"{classes}" + (f", tree of {tree['nodes']} nodes" if tree else ""),
                escape(kind),
            ]
        )
        terms.append([literal(one["name"]), escape(one["terms"])])
    return page(
        *parts,
        table(["name", "title", "rows", "features", "classes", "without the files"], rows, [14, 30, 16, 10, 12, 18]),
        title("Terms of use", "-"),
        table(["name", "terms"], terms, [18, 82]),
    )


def formats(program):
    rows = [
        [
            literal(one["name"]),
            escape(one["title"]),
            str(one["files"]),
            ", ".join(
                words
                for key, words in (
                    ("real_targets", "real targets"),
                    ("shared_files", "parts may share files"),
                    ("documents", "documents"),
                )
                if one[key]
            ),
        ]
        for one in program.rows("formats")
    ]
    return page(
        title("Formats of data files"),
        "The output of ``okbench help formats``. :doc:`/docs/howto/add-a-data-set` shows how a catalog uses them.\n",
        table(["format", "title", "files per part", "supports"], rows, [18, 46, 10, 26]),
    )


def verbs_of(text):
    """The verbs in a help text."""
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  ([a-z-]+) ", listed[1], re.M) if listed else []


def commands(program):
    whole = program.run("--help")
    ending = whole[whole.index("\nExample:") :]
    parts = [title("Commands"), code(short_lines(whole))]
    for verb in verbs_of(whole):
        text = program.run(verb, "--help")
        parts += [label(f"command-{verb}"), title(f"okbench {verb}", "-"), code(short_lines(text.removesuffix(ending)))]
        for below in verbs_of(text):
            inner = program.run(verb, below, "--help").removesuffix(ending)
            parts += [title(f"okbench {verb} {below}", "~"), code(short_lines(inner))]
    statuses = [
        ["0", "success"],
        ["1", "failure or mismatch: a trial failed, a bit differs, a verdict is not the recorded one"],
        ["2", "invalid request: unknown option, invalid spec, unreadable file"],
        ["130", "interrupted"],
    ]
    parts += [title("Exit statuses", "-"), table(["status", "meaning"], statuses, [10, 90])]
    parts += [title("Environment variables", "-"), code(program.run("help", "environment"))]
    return page(*parts)
