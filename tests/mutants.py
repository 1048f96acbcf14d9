"""Mutation test (make mutants): changes one operator or constant of the C++ sources at a time.

Works in a copy of the last commit below build/mutants. A mutant is killed by the C++ tests, by `okbench check`, or by
the tests of the program (tests/program that are not slow), in this order. A mutant that does not compile is drawn
again. Prints a line a mutant, with the changed line, and the share that was killed. A survivor needs a look: it is
equivalent, or a test is missing.
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
from subprocess import PIPE, STDOUT

ROOT = pathlib.Path(__file__).resolve().parents[1]
SECONDS = 1800  # of one step; a mutant may never end
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


def drawn(copy, folders, seed):
    """Yields (path, text before, text after, line number, line after) without end, each site with equal probability."""
    files = [path for folder in folders for path in sorted((copy / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    everything = [(path, site) for path, text in texts.items() for site in sites(text)]
    random.Random(seed).shuffle(everything)
    for path, (start, end, new) in everything:
        text = texts[path]
        after = text[:start] + new + text[end:]
        number = text.count("\n", 0, start)
        yield path, text, after, number + 1, after.splitlines()[number].strip()


class Steps:
    """The commands that may kill a mutant of the copy."""

    def __init__(self, copy, jobs):
        self.copy, self.build = copy, copy / "build" / "release"
        self.jobs, self.output = str(jobs), b""
        self.kills = {
            "C++ tests": ["ctest", "--test-dir", self.build, "--stop-on-failure", "-j", self.jobs],
            "check": [self.build / "okbench", "check"],
            "program": [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", self.jobs]
            + ["--dist", "loadfile", "-m", "not slow", "tests/program"],
        }

    def call(self, words):
        try:
            words = [*map(str, words)]
            done = subprocess.run(words, cwd=self.copy, stdout=PIPE, stderr=STDOUT, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            self.output = error.stdout or b""
            return False
        self.output = done.stdout
        return done.returncode == 0

    def configure(self):
        return self.call(["cmake", "--preset", "release"])

    def compiles(self):
        targets = ["--target", "all", "okbench_tests"]
        return self.call(["cmake", "--build", self.build, "--parallel", self.jobs, *targets])

    def killer(self):
        """The name of the first step that fails; None for a survivor."""
        return next((name for name, words in self.kills.items() if not self.call(words)), None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="mutants (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folders", nargs="*", default=["learners", "harness", "base"])
    options = parser.parse_args()
    copy = ROOT / "build" / "mutants"
    subprocess.run(["rm", "-rf", copy], check=True)
    subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, copy], check=True)
    steps = Steps(copy, options.jobs)
    killer = steps.killer() if steps.configure() and steps.compiles() else "build"
    if killer:
        sys.stdout.buffer.write(steps.output)
        raise SystemExit(f"the copy without a mutation fails: {killer}, see above")
    killed = tried = 0
    for path, before, after, number, line in drawn(copy, options.folders, options.seed):
        if tried == options.count:
            break
        path.write_text(after, encoding="utf-8")
        try:
            if not steps.compiles():
                continue
            tried += 1
            killer = steps.killer()
        finally:
            path.write_text(before, encoding="utf-8")
        killed += killer is not None
        print(f"{killer or 'SURVIVED':<9}  {path.relative_to(copy)}:{number}: {line}", flush=True)
    print(f"{killed} of {tried} mutants were killed")


if __name__ == "__main__":
    main()
