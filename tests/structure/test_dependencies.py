"""The figure of rooms and arrows in CONTRIBUTING.md against every include and import."""

import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LONGEST_FILE = 400  # lines, tests aside
LONGEST_LINE = {".h": 110, ".cpp": 110, ".py": 120}
INCLUDE = re.compile(r'^#include "([\w/.-]+)"', re.M)
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+\(?([\w ,\n]+)|import\s+([\w.]+))", re.M)


def read_figure(text):
    """(rooms, arrows): names of nodes with the paths they stand for, and which may use which directly."""
    figure = re.search(r"```mermaid\n(.*?)```", text, re.S)[1]
    rooms = dict(re.findall(r'(\w+)\["([^"]+)"\]', figure))
    arrows = {name: set() for name in rooms}
    for line in figure.splitlines():
        if "-->" in line:
            start, end = (re.match(r"\s*(\w+)", part)[1] for part in line.split("-->"))
            arrows[start].add(end)
    return rooms, arrows


def reachable(arrows):
    """Each room with the rooms that its arrows lead to, over others, too."""
    ways = {}

    def walk(room, above):
        assert room not in above, f"the figure has a circle through {room}"
        if room not in ways:
            ways[room] = {room}.union(*(walk(below, [*above, room]) for below in arrows[room]))
        return ways[room]

    for room in arrows:
        walk(room, [])
    return ways


class House:
    """The figure, and where files belong in it."""

    def __init__(self, rooms, arrows):
        self.ways = reachable(arrows)
        self.paths = {path: name for name, path in rooms.items() if "METHOD" not in path}

    def room(self, path):
        """The room of a path and, of a method, its folder; None outside the figure."""
        parts = pathlib.PurePosixPath(path).parts
        for length in range(len(parts), 0, -1):
            prefix = "/".join(parts[:length])
            if prefix in self.paths:
                return self.paths[prefix], None
        return ("method", parts[1]) if parts[0] == "learners" and len(parts) > 2 else None

    def forbids(self, user, used):
        """Whether one file may not use the other."""
        one, two = self.room(user), self.room(used)
        if one is None or two is None:
            return one is not None and one[0] != "plots" and used.startswith(("learners", "datasets", "harness"))
        if one[0] == two[0] == "method":
            return one != two
        if "/internal/" in used and one[0] != "kernels":
            return True
        return two[0] not in self.ways[one[0]]


def sources():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    files = [name for name in listed.stdout.split("\n") if (ROOT / name).is_file()]
    assert files, listed.stderr
    return [name for name in files if pathlib.PurePosixPath(name).suffix in (".h", ".cpp", ".py", ".js")]


def python_uses(name, text):
    """Files of python/ and plots/ that a module imports."""
    folder = pathlib.PurePosixPath(name).parent
    for start, names, whole in IMPORT.findall(text):
        module = start or whole
        dots = len(module) - len(module.lstrip("."))
        if dots:
            base = folder
            for _ in range(dots - 1):
                base = base.parent
        elif module.split(".")[0] in ("okbench", "okplots"):
            base = pathlib.PurePosixPath("python" if module.startswith("okbench") else "plots")
        else:
            continue
        path = base.joinpath(*module.strip(".").split(".")) if module.strip(".") else base
        for one in re.findall(r"\w+", names) or [""]:
            # A name may be a module of its own.
            deeper = path / one if one else path
            is_module = (ROOT / deeper).is_dir() or (ROOT / f"{deeper}.py").is_file()
            yield f"{deeper if is_module else path}.py"


def uses(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    return python_uses(name, text) if name.endswith(".py") else INCLUDE.findall(text)


@pytest.fixture(scope="module")
def house():
    return House(*read_figure((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))


def test_no_file_goes_against_the_figure(house):
    against = [
        f"{name} uses {used}"
        for name in sources()
        if not name.startswith("tests/")
        for used in uses(name)
        if used != "harness/system/build_info.h" and house.forbids(name, used)
    ]
    assert not against, "\n".join(against)


def test_every_folder_of_code_is_in_the_figure(house):
    code = ("learners/", "datasets/", "harness/", "python/", "plots/", "bench/")
    outside = [
        name for name in sources() if name.startswith(code) and name.endswith((".h", ".cpp")) and not house.room(name)
    ]
    assert not outside
    empty = [path for path in house.paths if not (ROOT / path).exists()]
    assert not empty, "the figure names what is not there"


def test_the_test_can_fail(house):
    for user, used in (
        ("learners/core/a.h", "learners/kernels/engine.h"),
        ("learners/methods/norma/a.h", "learners/methods/svmd/svmd.h"),
        ("learners/bases/a.h", "learners/kernels/internal/ops.h"),
        ("datasets/a.h", "learners/api/learner.h"),
        ("harness/plan/a.h", "harness/store/a.h"),
        ("harness/store/a.h", "harness/cost/a.h"),
        ("python/okbench/results/a.py", "python/okbench/plotting/style.py"),
        ("python/okbench/results/a.py", "python/okbench/claims/files.py"),
        ("python/okbench/claims/a.py", "python/okbench/crate/files.py"),
        ("plots/okplots/a.py", "python/okbench/crate/files.py"),
    ):
        assert house.forbids(user, used), f"{user} may use {used}"
    for user, used in (
        ("learners/methods/norma/a.h", "learners/core/math.h"),
        ("harness/run/a.cpp", "learners/api/learner.h"),
        ("plots/okplots/a.py", "python/okbench/results/traces.py"),
        ("python/okbench/crate/a.py", "python/okbench/results/plans.py"),
    ):
        assert not house.forbids(user, used), f"{user} may not use {used}"
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
