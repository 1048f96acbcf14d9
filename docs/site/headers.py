"""Pages of the C++ headers of learners/: the top comment of each file, then its declarations (by breathe)."""

import collections
import re

from catalog import top_comment
from rst import code, escape, literal, page, table, title, toctree


def directories(root):
    """The folders of learners/ in the order of architecture.md, with their descriptions there."""
    text = (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `learners/(\w+)/(?:NAME/)?` \| (.*) \|$", text, re.M))


def pages(root):
    """The pages of cpp: an index, and one per folder of learners/."""
    files = collections.defaultdict(list)
    for path in sorted((root / "learners").rglob("*.h")):
        if "internal" not in path.parts:
            files[path.relative_to(root).parts[1]].append(path)
    named = directories(root)
    names = [name for name in named if name in files]
    names += sorted(set(files) - set(names))
    made = {name: folder_page(root, name, files[name], named.get(name, "")) for name in files}
    rows = [[f":doc:`learners/{name} <{name}>`", escape(named.get(name, ""))] for name in names]
    made["index"] = page(
        title("The C++ library"),
        "Use ``find_package(okbench)`` and link ``okbench::learners``. The library only computes: it uses no files,\n"
        "clocks, threads or output. :doc:`/docs/howto/add-a-learner` has an example. All names are in\n"
        "``namespace okbench``; each method has a nested namespace.\n",
        table(["folder", "content"], rows, [28, 72]),
        toctree(names),
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
