"""Pages of what the program lists: learners, losses, kernels, data sets, formats, keys of specs, commands."""

import collections
import json
import pathlib
import re

from rst import anchored, code, escape, label, literal, page, short_lines, table, title, toctree


def value(default):
    """A default in the syntax of specs."""
    return "" if default is None else literal(json.dumps(default))


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
    for parameter in learner["parameters"]:
        symbol = parameter["symbol"] if parameter["symbol"] not in ("", parameter["name"]) else ""
        unit = f", in {escape(parameter['unit'])}" if parameter["unit"] else ""
        yield [
            anchored(f"parameter-{learner['name']}-{slug(parameter['name'])}", literal(parameter["name"])),
            escape(symbol),
            value(parameter["default"]),
            escape(parameter["allowed"]) + unit,
            escape(parameter["description"]),
        ]


def example(learner):
    lines = [f"[learners.{learner['name']}]", f'learner = "{learner["name"]}"']
    return "\n".join(
        lines + [f"{parameter['name']} = {json.dumps(parameter['default'])}" for parameter in learner["parameters"]]
    )


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
    for learner in learners:
        users = [name for name, spec in specs if learner["name"] in spec["methods"].values()]
        pages[learner["name"]] = learner_page(learner, program.root, users)
    groups = collections.defaultdict(list)
    for learner in learners:
        groups[learner["protocol"]].append(learner)
    body = []
    for protocol, members in groups.items():
        rows = [
            [f":doc:`{learner['name']}`", escape(learner["title"]), escape(learner["paper"])] for learner in members
        ]
        body += [title(protocol.capitalize(), "-"), table(["learner", "title", "paper"], rows, [18, 52, 30])]
    intro = (
        "The output of ``okbench help learners``, grouped by protocol "
        "(:doc:`/docs/reference/specs` describes the protocols).\n"
    )
    pages["index"] = page(title("Learners"), intro, *body, toctree(sorted(pages)))
    return pages


def losses(program):
    parts = [title("Losses"), "The output of ``okbench help losses``. :doc:`/cpp/losses` declares them.\n"]
    for loss in program.rows("losses"):
        words = [f"Labels: {loss['labels']}.", f"{loss['paper']}."]
        if loss["parameter"] != "none":
            words.insert(1, f"The learner's parameter {loss['parameter']} is rho or epsilon of the equation.")
        parts += [
            label(f"loss-{loss['name']}"),
            title(loss["name"], "-"),
            code(loss["equation"]),
            escape(" ".join(words)) + "\n",
        ]
    return page(*parts)


def key_table(rows, anchor=lambda spec_key, text: text):
    return table(
        ["key", "default", "allowed", "description"],
        [
            [
                anchor(spec_key, literal(spec_key["name"])),
                "required" if spec_key["required"] else value(spec_key["default"]),
                escape(spec_key["allowed"]),
                escape(spec_key["description"]) + (" *(tiers)*" if spec_key["tier"] else ""),
            ]
            for spec_key in rows
        ],
        [18, 14, 30, 38],
        "parameters",
    )


def key_anchor(spec_key, text):
    return anchored(
        "-".join(["key", slug(spec_key["key"]), *([spec_key["kernel"]] if spec_key["kernel"] else [])]), text
    )


def kernels(program):
    parts = [title("Kernels"), "The output of ``okbench help kernels``: the table ``[kernel]`` of a spec.\n"]
    for kernel in program.rows("kernels"):
        parts += [label(f"kernel-{kernel['name']}"), title(kernel["name"], "-"), code(kernel["equation"])]
        parts += [key_table(kernel["keys"])] if kernel["keys"] else ["No keys.\n"]
    return page(*parts)


def keys(program):
    """Every key of a spec, from the tables of its reader."""
    tables = collections.defaultdict(list)
    for spec_key in program.rows("keys"):
        tables[spec_key["table"], spec_key["kernel"]].append(spec_key)
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
    for data_set in program.rows("datasets"):
        size = ", ".join(f"{part} {data_set['rows'][part]}" for part in ("train", "test") if part in data_set["rows"])
        tree = data_set["tree"]
        kind = "generated" if data_set["generated"] else f"synthetic fallback: {data_set['synthetic'] or 'none'}"
        features = "words" if data_set["features"] is None else data_set["features"] or "of boxes"
        classes = data_set["classes"] or ("boxes" if data_set["features"] == 0 else "real targets")
        rows.append(
            [
                literal(data_set["name"]),
                escape(data_set["title"]),
                escape(size),
                str(features),
                f"{classes}" + (f", tree of {tree['nodes']} nodes" if tree else ""),
                escape(kind),
            ]
        )
        terms.append([literal(data_set["name"]), escape(data_set["terms"])])
    return page(
        *parts,
        table(["name", "title", "rows", "features", "classes", "without the files"], rows, [14, 30, 16, 10, 12, 18]),
        title("Terms of use", "-"),
        table(["name", "terms"], terms, [18, 82]),
    )


def formats(program):
    rows = [
        [
            literal(file_format["name"]),
            escape(file_format["title"]),
            str(file_format["files"]),
            ", ".join(
                words
                for key, words in (
                    ("real_targets", "real targets"),
                    ("shared_files", "parts may share files"),
                    ("documents", "documents"),
                )
                if file_format[key]
            ),
        ]
        for file_format in program.rows("formats")
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
