"""Mutation test (make mutants): changes one operator or constant of the C++ sources at a time.

Works in copies of the last commit below build/mutants, one for each job. A mutant is killed by the C++ tests, by
`okbench check`, or by the tests of the program (tests/program that are not slow), in this order. A mutant that does
not compile is drawn again. Prints a line a mutant, with the changed line, and the share that was killed. A survivor
needs a look: it is equivalent, or a test is missing.
"""

import argparse
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 600  # of one step; a mutant may never end
OPERATORS = {" + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " < ": " <= ", " <= ": " < ", " > ": " >= "}
OPERATORS |= {" >= ": " > ", " == ": " != ", " != ": " == ", " && ": " || ", " || ": " && ", "true": "false"}
OPERATORS |= {"false": "true", " += ": " -= ", " -= ": " += "}
NUMBER = re.compile(r"(?<![\w.\"'])(\d+)(?![\w.\"'])")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def sites(text):
    """(start, end, replacement) of each operator and integer outside comments, texts, assertions and declarations."""
    mutations, place = [], 0
    for line in text.splitlines(keepends=True):
        code = STRING.sub(lambda match: " " * len(match[0]), line.partition("//")[0])
        if not code.lstrip().startswith(("#", "template", "using", "static_assert", "namespace")):
            for before, after in OPERATORS.items():
                mutations += [
                    (place + match.start(), place + match.end(), after)
                    for match in re.finditer(re.escape(before), code)
                ]
            mutations += [
                (place + match.start(), place + match.end(), str(int(match[0]) + 1)) for match in NUMBER.finditer(code)
            ]
        place += len(line)
    return mutations


def drawn(root, folders, seed):
    """All mutants in random order, each (path below the root, number of the line, text of the file, the line)."""
    files = [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    everything = [(path, site) for path, text in texts.items() for site in sites(text)]
    random.Random(seed).shuffle(everything)
    for path, (start, end, new) in everything:
        text = texts[path][:start] + new + texts[path][end:]
        number = text.count("\n", 0, start)
        yield path.relative_to(root), number + 1, text, text.splitlines()[number].strip()


class Copy:
    """A copy of the last commit, and the commands that may kill a mutant of it. Each command uses one core."""

    def __init__(self, folder):
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, folder], check=True)
        self.folder, self.build, self.output = folder, folder / "build" / "release", b""
        pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-m", "not slow"]
        self.steps = {
            "C++ tests": [self.build / "tests" / "okbench_tests", "--abort"],
            "check": [self.build / "okbench", "check"],
            "program": [*pytest, "tests/program"],
        }

    def call(self, *words, seconds=SECONDS):
        """Whether the command ends with status 0 in time. If not, no process of it is left."""
        with subprocess.Popen(
            [*map(str, words)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as process:
            try:
                self.output = process.communicate(timeout=seconds)[0]
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return False
        return process.returncode == 0

    def compiles(self, jobs=1, seconds=SECONDS):
        words = ["cmake", "--build", self.build, "--parallel", jobs, "--target", "all", "okbench_tests"]
        return self.call(*words, seconds=seconds)

    def killer(self):
        """The name of the first step that fails; None for a survivor."""
        return next((name for name, words in self.steps.items() if not self.call(*words)), None)

    def builds(self, jobs):
        # A mutant of one source compiles that source, not the unit of its folder.
        configured = self.call("cmake", "--preset", "release", "-D", "CMAKE_UNITY_BUILD=OFF")
        return configured and self.compiles(jobs, seconds=None)

    def judge(self, path, text):
        """What kills the mutant: "compiler", the name of a step, or None."""
        before = (self.folder / path).read_text(encoding="utf-8")
        (self.folder / path).write_text(text, encoding="utf-8")
        try:
            return self.killer() if self.compiles() else "compiler"
        finally:
            (self.folder / path).write_text(before, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--jobs", type=int, default=2, help="mutants at a time, each with one core (default: %(default)s)"
    )
    parser.add_argument("folders", nargs="*", default=["learners", "harness", "base"])
    options = parser.parse_args()
    root = ROOT / "build" / "mutants"
    subprocess.run(["rm", "-rf", root], check=True)
    copies = [Copy(root / str(job)) for job in range(options.jobs)]
    mutants = drawn(copies[0].folder, options.folders, options.seed)
    lock, killers, running = threading.Lock(), [], set()

    def work(copy):
        while True:
            with lock:
                if len(killers) + len(running) == options.count:
                    return
                path, number, text, line = next(mutants)
                running.add(copy)
            killer = copy.judge(path, text)
            with lock:
                running.remove(copy)
                if killer != "compiler":
                    killers.append(killer)
                    print(f"{killer or 'SURVIVED':<9}  {path}:{number}: {line}", flush=True)

    built = all(copy.builds(options.jobs) for copy in copies)  # ccache has what the first one compiled
    killer = copies[0].killer() if built else "build"
    if killer:
        sys.stdout.buffer.write(copies[0].output)
        raise SystemExit(f"the copy without a mutation fails: {killer}, see above")
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work, copies))
    print(f"{sum(killer is not None for killer in killers)} of {len(killers)} mutants were killed")


if __name__ == "__main__":
    main()
