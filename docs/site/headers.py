"""Pages of the C++ headers of learners/: what each file says about itself, then what it declares (by breathe)."""

import collections
import re

from catalog import top_comment
from rst import code, escape, literal, page, table, title, toctree


def rooms(root):
    """Folders that methods share, in CONTRIBUTING.md's order, with what it says of them."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    below = re.search(r"^learners/ .*?\n(.*?)^datasets/", text, re.S | re.M)[1]
    listed = re.findall(r"^  (\w+)/ +(.*(?:\n {6,}.*)*)", below, re.M)
    shared = [(name, words) for name, words in listed if not (root / "learners" / name / "learner.cpp").is_file()]
    return {name: " ".join(words.split()) for name, words in shared}


def pages(root):
    """The folder cpp: an index, and a page a folder of learners/."""
    files = collections.defaultdict(list)
    for path in sorted((root / "learners").rglob("*.h")):
        if "internal" not in path.parts:
            files[path.relative_to(root).parts[1]].append(path)
    named = rooms(root)
    shared = [name for name in named if name in files]
    methods = sorted(set(files) - set(shared))
    made = {name: folder_page(root, name, files[name], named.get(name, "")) for name in files}
    rows = [[f":doc:`learners/{name} <{name}>`", escape(named[name])] for name in shared]
    listed = ", ".join(f":doc:`{name}`" for name in methods)
    made["index"] = page(
        title("The C++ library"),
        "``find_package(okbench)`` and link ``okbench::learners``: pure computation, no files, clocks, threads or\n"
        "printing. :doc:`/docs/adding-a-learner` uses it. All names are in ``namespace okbench``.\n",
        table(["folder", "what is there"], rows, [28, 72]),
        title("Methods", "-"),
        f"One folder a method, in a namespace of its name: {listed}.\n",
        toctree([*shared, *methods]),
    )
    return made


def folder_page(root, name, paths, words):
    parts = [title(f"learners/{name}")]
    parts += [escape(words[0].upper() + words[1:]) + ".\n"] if words else []
    for path in paths:
        file = path.relative_to(root).as_posix()
        parts += [title(file.removeprefix(f"learners/{name}/"), "-"), f"{literal(f'#include <{file}>')}\n"]
        comment = top_comment(path)
        parts += [code(comment)] if comment else []
        parts += [f".. doxygenfile:: {file}\n   :sections: {SECTIONS}\n"]
    return page(*parts)


KINDS = ("type", "attrib", "func", "static-attrib", "static-func")
SECTIONS = " ".join(
    ["innernamespace", "innerclass", "briefdescription", "detaileddescription", "enum", "typedef", "var", "func"]
    + [f"{access}-{kind}" for access in ("public", "protected") for kind in KINDS]
    + ["user-defined"]
)
