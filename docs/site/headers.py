"""Pages of the C++ headers: the top comment of each file, then its declarations (by breathe)."""

import collections
import pathlib
import re

from catalog import top_comment
from rst import code, escape, literal, page, table, title, toctree


def described(root):
    """The folders with headers in the order of architecture.md, with their descriptions there."""
    text = (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(base|boxes|learners/\w+)/(?:NAME/)?` \| (.*) \|$", text, re.M))


def pages(root):
    """The pages of cpp: an index, and one per folder."""
    files = collections.defaultdict(list)
    for folder in ("base", "learners", "boxes/learners"):
        for path in sorted((root / folder).rglob("*.h")):
            if "internal" not in path.parts:
                parts = path.relative_to(root).parts
                files["/".join(parts[:2]) if folder == "learners" else parts[0]].append(path)
    words = described(root)
    folders = [folder for folder in words if folder in files]
    folders += sorted(set(files) - set(folders))
    names = [pathlib.PurePosixPath(folder).name for folder in folders]
    page_texts = {
        name: folder_page(root, folder, files[folder], words.get(folder, "")) for name, folder in zip(names, folders)
    }
    rows = [[f":doc:`{folder} <{name}>`", escape(words.get(folder, ""))] for name, folder in zip(names, folders)]
    page_texts["index"] = page(
        title("The C++ library"),
        "Use ``find_package(okbench)`` and link ``okbench::learners``. The library only computes: it uses no files,\n"
        "clocks, threads or output. :doc:`/docs/howto/add-a-learner` has an example. All names are in\n"
        "``namespace okbench``; each method has a nested namespace.\n",
        table(["folder", "content"], rows, [28, 72]),
        toctree(names),
    )
    return page_texts


def folder_page(root, folder, paths, words):
    parts = [title(folder)]
    parts += [escape(words[0].upper() + words[1:]) + ".\n"] if words else []
    for path in paths:
        file = path.relative_to(root).as_posix()
        parts += [title(file.removeprefix(f"{folder}/"), "-"), f"{literal(f'#include <{file}>')}\n"]
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
