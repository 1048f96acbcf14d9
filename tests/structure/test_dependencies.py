"""The dependency graph in CONTRIBUTING.md against every include and import."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST_FILE = 400  # lines, tests aside
LONGEST_LINE = {".h": 110, ".cpp": 110, ".py": 120}
ENTRY_POINTS = ("python/okbench/__init__.py", "python/okbench/__main__.py")  # import everything on demand
INCLUDE = re.compile(r'^#include "([\w/.-]+)"', re.M)
IMPORT = re.compile(r"^[ \t]*(?:from\s+([\w.]+)\s+import\s+(\([\w ,\n]+\)|[\w ,]+)|import\s+([\w.]+))", re.M)


def read_graph(text):
    """(folders, arrows, direct): nodes with their paths, their arrows, and their dotted arrows."""
    figure = re.search(r"```mermaid\n(.*?)```", text, re.S)[1]
    folders = dict(re.findall(r'(\w+)\["([^"]+)"\]', figure))
    arrows, direct = ({name: set() for name in folders} for _ in range(2))
    for line in figure.splitlines():
        for mark, edges in (("-->", arrows), ("-.->", direct)):
            if f" {mark} " in line:
                start, end = (re.match(r"\s*(\w+)", part)[1] for part in line.split(f" {mark} "))
                edges[start].add(end)
    return folders, arrows, direct


def reachable(arrows):
    """Each node with all nodes that it reaches."""
    ways = {}

    def walk(node, above):
        assert node not in above, f"the graph has a circle through {node}"
        if node not in ways:
            ways[node] = {node}.union(*(walk(below, [*above, node]) for below in arrows[node]))
        return ways[node]

    for node in arrows:
        walk(node, [])
    return ways


class Graph:
    """The graph, and the node of every file."""

    def __init__(self, folders, arrows, direct):
        self.ways, self.direct = reachable(arrows), direct
        self.paths = {path: name for name, path in folders.items() if "METHOD" not in path}

    def node(self, path):
        """(node, method or None) of a path; None outside the graph."""
        parts = pathlib.PurePosixPath(path).parts
        for length in range(len(parts), 0, -1):
            prefix = "/".join(parts[:length])
            if prefix in self.paths:
                return self.paths[prefix], None
        return ("method", parts[2]) if parts[:2] == ("learners", "methods") and len(parts) > 3 else None

    def forbids(self, user, used):
        """Whether one file may not use the other."""
        user_node, two = self.node(user), self.node(used)
        if user_node is None or two is None:
            return user_node is not None and used.startswith(("base", "learners", "boxes", "datasets", "harness"))
        if user_node[0] == two[0] == "method":
            return user_node != two
        if "/internal/" in used and user_node[0] != "kernels":
            return True
        return two[0] not in self.ways[user_node[0]] | self.direct[user_node[0]]


def sources():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    files = [name for name in listed.stdout.split("\n") if (ROOT / name).is_file()]
    assert files, listed.stderr
    return [name for name in files if pathlib.PurePosixPath(name).suffix in (".h", ".cpp", ".py", ".js")]


def python_uses(name, text):
    """Files of python/ that a module imports."""
    folder = pathlib.PurePosixPath(name).parent
    for start, names, whole in IMPORT.findall(text):
        module = start or whole
        dots = len(module) - len(module.lstrip("."))
        if dots:
            base = folder
            for _ in range(dots - 1):
                base = base.parent
        elif module.split(".")[0] == "okbench":
            base = pathlib.PurePosixPath("python")
        else:
            continue
        path = base.joinpath(*module.strip(".").split(".")) if module.strip(".") else base
        for imported_name in re.findall(r"\w+", names) or [""]:
            # A name may be a module of its own.
            deeper = path / imported_name if imported_name else path
            is_module = (ROOT / deeper).is_dir() or (ROOT / f"{deeper}.py").is_file()
            import_path = deeper if is_module else path
            yield f"{import_path}/__init__.py" if (ROOT / import_path).is_dir() else f"{import_path}.py"


def uses(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return python_uses(name, text) if name.endswith(".py") else INCLUDE.findall(text)


@pytest.fixture(scope="module")
def graph():
    return Graph(*read_graph((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))


def test_every_file_follows_the_graph(graph):
    against = [
        f"{name} uses {used}"
        for name in sources()
        if not name.startswith(("tests/", *ENTRY_POINTS))
        for used in uses(name)
        if used != "harness/system/build_info.h" and graph.forbids(name, used)
    ]
    assert not against, "\n".join(against)


def test_every_directory_of_code_is_in_the_graph(graph):
    code = ("base/", "learners/", "boxes/", "datasets/", "harness/", "python/", "plots/")
    outside = [
        name
        for name in sources()
        if name.startswith(code)
        and name.endswith((".h", ".cpp"))
        and name != "harness/main.cpp"
        and not graph.node(name)
    ]
    assert not outside
    empty = [path for path in graph.paths if not (ROOT / path).exists()]
    assert not empty, "the graph names a missing path"


def test_the_test_can_fail(graph):
    for user, used in (
        ("learners/core/a.h", "learners/kernels/engine.h"),
        ("learners/methods/norma/a.h", "learners/methods/svmd/svmd.h"),
        ("learners/bases/a.h", "learners/kernels/internal/ops.h"),
        ("datasets/rows/a.h", "learners/methods/norma/norma.h"),
        ("harness/system/a.h", "datasets/catalog/catalog.h"),
        ("learners/bases/a.h", "boxes/learners/box_engine.h"),
        ("harness/plan/a.h", "harness/results/a.h"),
        ("harness/results/a.h", "harness/cost/a.h"),
        ("base/a.h", "learners/core/math.h"),
        ("python/okbench/results/a.py", "python/okbench/plotting/style.py"),
        ("python/okbench/results/a.py", "python/okbench/claims/files.py"),
        ("python/okbench/claims/a.py", "python/okbench/crate/files.py"),
        ("python/okbench/plotting/a.py", "python/okbench/report/page.py"),
    ):
        assert graph.forbids(user, used), f"{user} may use {used}"
    for user, used in (
        ("learners/methods/norma/a.h", "learners/core/math.h"),
        ("harness/run/a.cpp", "learners/api/learner.h"),
        ("plots/a.py", "python/okbench/results/trace.py"),
        ("python/okbench/crate/a.py", "python/okbench/results/plans.py"),
    ):
        assert not graph.forbids(user, used), f"{user} may not use {used}"
    with pytest.raises(AssertionError, match="circle"):
        reachable({"a": {"b"}, "b": {"a"}})


def test_files_and_lines_are_short():
    long = []
    for name in sources():
        lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
        if len(lines) > LONGEST_FILE and not name.startswith("tests/"):
            long.append(f"{name} has {len(lines)} lines")
        limit = LONGEST_LINE.get(pathlib.PurePosixPath(name).suffix)
        long += [
            f"{name}:{n}: {len(line)} characters" for n, line in enumerate(lines, 1) if limit and len(line) > limit
        ]
    assert not long, "\n".join(long)
