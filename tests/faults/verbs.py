"""A small experiment whose results are known, the verbs that make or read them, and what each promises under faults."""

import concurrent.futures
import errno
import gzip
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import h5py_reader
from conftest import ROOT, tuned_spec


# "full": tries every call of every kind. A number: at most so many per kind, spread over the run. Else a small sample.
ASKED = os.environ.get("OKBENCH_FAULTS", "")
FULL = ASKED == "full" or ASKED.isdigit()
MAX_CALLS = int(ASKED) if ASKED.isdigit() else 10**9
FOR_GOOD = 10**9
# What the system may answer.
ERRORS = {
    "read": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO, errno.EDQUOT),
    "pwrite": (errno.ENOSPC, errno.EIO),
    "fsync": (errno.EIO, errno.ENOSPC),
    "close": (errno.EIO, errno.EDQUOT),
    "rename": (errno.EACCES, errno.ENOSPC),
    "open": (errno.EACCES, errno.EMFILE, errno.ENOMEM),
    "mkdir": (errno.ENOSPC, errno.EROFS),
    "unlink": (errno.EACCES, errno.EIO),
    "flock": (errno.ENOLCK,),
    "fork": (errno.EAGAIN, errno.ENOMEM),
    "thread": (errno.EAGAIN,),
}
FILES = ("read", "write", "fsync", "close", "rename", "open", "mkdir", "unlink")
# Not a part of a download, which the next one takes over.
TEMPORARY = re.compile(r"\.tmp-|\.rows\.part-|\.new$|okbench-check-|^tmp\w{8}$")
REPORTED = re.compile(r"^\[\d+/\d+\] ([^:]+): (?!FAILED|stopped)", re.M)
KINDS = ("memory", "write", "data", "cross-validation", "internal")


def files_below(folder):
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def is_whole(path):
    """Whether a trace has the digest that its first block tells."""
    content = path.read_bytes()
    start = content.find(b"\n") + 1
    return content[start : start + 64].decode("latin-1") == hashlib.sha256(content[512:]).hexdigest()


class Verb:
    """A command that runs in its own folder, `place`. `failure` matches the last line of a verdict without error."""

    calls = (*FILES, "fork", "thread")
    failure = None
    left_by = ("unlink",)  # what cannot remove its files when these fail
    below = False  # only calls on files of the place fail

    def __init__(self, runner):
        self.runner = runner

    def prepare(self, place):
        """Puts what the command needs."""

    def lost(self, place, printed):
        """Problems in the files of a run that was cut off after printing `printed`, as a list of texts."""
        return []

    def wrong(self, place, done):
        """Problems in the files after a run with a fault, as a list of texts. `done`: the finished process."""
        return self.lost(place, done.stdout)

    def complete(self, place, done):
        """Whether all is there and right after a run that ended with 0."""
        raise NotImplementedError


class Run(Verb):
    failure = r"\d+ of \d+ trials failed; their records end in \.failed\.json(, but \d+ could not be written)?"
    name = "run"

    def words(self, place):
        return [self.runner.binary, "run", self.runner.spec, "--out", place / "r", "--jobs", "2", "--verbose"]

    def lost(self, place, printed):
        """Damaged traces, and trials that were reported as finished but have no result."""
        folder = place / "r" / "test" / "faults"
        wrong = [f"{path.name} is not whole" for path in folder.glob("*.h5") if not is_whole(path)]
        for name in REPORTED.findall(printed):
            if not self.is_stored(folder, self.runner.files[name]):
                wrong.append(f"{name} was reported, and is not there")
        return wrong

    def is_stored(self, folder, name):
        return (folder / name).is_file()

    def wrong(self, place, done):
        folder = place / "r" / "test" / "faults"
        wrong = self.lost(place, done.stderr)
        for path in folder.glob("*.failed.json"):
            kind = json.loads(path.read_text())["kind"]
            if kind not in KINDS:
                wrong.append(f"{path.name} is {kind}")
        return wrong

    def complete(self, place, done):
        return self.runner.equal(place / "r")


class Pack(Run):
    """A run that stores its results in segments."""

    name = "pack"

    def words(self, place):
        return [*super().words(place), "--pack"]

    def is_stored(self, folder, name):
        return name in h5py_reader.packed(folder)


class Merge(Run):
    failure = r"\d+ of 8 planned trials have a valid result; .*"
    name = "merge"

    def words(self, place):
        return [self.runner.binary, "verify", self.runner.expected, "--out", place / "r"]

    def lost(self, place, printed):
        wrong = super().lost(place, "")
        if "8 copied" in printed and len(list(place.rglob("*.h5"))) < 8:
            wrong.append("results were reported as copied, and are not there")
        return wrong


class Update(Verb):
    """A reference that has one trial less than the plan is renewed."""

    failure = Run.failure
    left_by = ("unlink", "open")  # its folder is opened to be removed
    name = "check --update"

    def __init__(self, runner):
        super().__init__(runner)
        runner.run_without_faults(self.words(runner.folder))
        self.path = runner.folder / "ref" / "test" / "faults.json"
        self.new = json.loads(self.path.read_text())
        self.old = json.loads(self.path.read_text())
        self.old["trials"].pop("test/faults/plain/r0")

    def words(self, place):
        reference = ("--reference", place / "ref", "--update", "--reason", "tried")
        return [self.runner.binary, "check", self.runner.spec, *reference, "--jobs", "2"]

    def prepare(self, place):
        (place / "ref" / "test").mkdir(parents=True)
        (place / "ref" / "test" / "faults.json").write_text(json.dumps(self.old))

    def lost(self, place, printed):
        content = json.loads((place / "ref" / "test" / "faults.json").read_text())
        good = [self.new] if "reference updated" in printed else [self.old, self.new]
        return [] if content in good else ["the reference is not the one that was reported"]

    def complete(self, place, done):
        return json.loads((place / "ref" / "test" / "faults.json").read_text()) == self.new


class Plan(Verb):
    name = "plan --write"

    def words(self, place):
        return [self.runner.binary, "plan", self.runner.spec, "--write", "--out", place / "r"]

    def lost(self, place, printed):
        path = place / "r" / "test" / "faults" / "plan.json"
        return [] if not path.exists() or path.read_text() == self.runner.plan else ["the plan is another"]

    def complete(self, place, done):
        return (place / "r" / "test" / "faults" / "plan.json").exists() and not self.lost(place, "")


class Verify(Verb):
    calls = ("read", "close", "open", "fork", "thread")
    failure = r".*\.h5: .*"
    name = "verify"

    def words(self, place):
        return [self.runner.binary, "verify", self.runner.expected]

    def __init__(self, runner):
        super().__init__(runner)
        self.whole = runner.run_without_faults(self.words(runner.folder)).stdout

    def complete(self, place, done):
        return done.stdout == self.whole


class Python(Verb):
    """A Python program. Only calls on files below `place` fail, not those of the interpreter."""

    calls = FILES
    below = True

    def complete(self, place, done):
        return self.products(place) == self.expected

    def products(self, place):
        """Content of what is made, by name."""
        folder = place / self.out
        names = [path for path in files_below(folder) if not re.search(rf"{TEMPORARY.pattern}|\.part-", path.name)]
        return {str(path.relative_to(folder)): path.read_bytes() for path in names}

    def wrong(self, place, done):
        return [f"{name} is not as without faults" for name, _ in self.products(place).items() - self.expected.items()]


class Fetch(Python):
    name = "data fetch"
    left_by = ("unlink", "close")  # pooch leaves an empty file where that cannot be closed
    out = "cache"
    failure = r"okbench: .*synthetic fallback.*"

    def __init__(self, runner, address, content):
        super().__init__(runner)
        digest = hashlib.sha256(content).hexdigest()
        self.expected = {"toy/toy.txt": content}
        self.catalog = runner.folder / "fetched.toml"
        file = f"{{name='toy/toy.txt', urls=['{address}'], file_sha256='{digest}'}}"
        self.catalog.write_text(f"[toy]\n[toy.train]\nfiles=[{file}]\n")

    def words(self, place):
        return [sys.executable, "-B", "-m", "okbench", "data", "fetch", "--catalog", self.catalog]


class Add(Python):
    """A data set of one's own takes the place of another of its name."""

    name = "data add"
    calls = (*Python.calls, "flock")

    def __init__(self, runner):
        super().__init__(runner)
        self.files = [runner.folder / "old.csv", runner.folder / "new.csv"]
        for path, target in zip(self.files, (3, 7)):
            path.write_text("x,y,c\n" + "".join(f"{i}.5,{i % 3},{i % target}\n" for i in range(400)))
        first = runner.place("added")
        self.prepare(first)
        self.old = self.rows(first)
        runner.run_without_faults(self.words(first), first)
        self.new = self.rows(first)
        assert self.old != self.new

    def command(self, place, file):
        options = ["--name", "mine", "--folder", place / "data", "--label", "c", "--kind", "real", "--replace"]
        return [sys.executable, "-B", "-m", "okbench", "data", "add", file, *options]

    def prepare(self, place):
        self.runner.run_without_faults(self.command(place, self.files[0]), place)

    def words(self, place):
        return self.command(place, self.files[1])

    def rows(self, place):
        """The digest that the catalog has of the rows; None where they have another."""
        (file,) = tomllib.loads((place / "data" / "catalog.toml").read_text())["mine"]["train"]["files"]
        content = gzip.decompress((place / "data" / file["name"]).read_bytes())
        return file["sha256"] if hashlib.sha256(content).hexdigest() == file["sha256"] else None

    def complete(self, place, done):
        return self.rows(place) == self.new

    def wrong(self, place, done):
        return [] if self.rows(place) in (self.old, self.new) else ["the rows are not those of the catalog"]


class Draw(Python):
    """One figure of the results of one spec."""

    name = "figures"
    out = "figures"

    def __init__(self, runner):
        super().__init__(runner)
        spec = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
        self.results = runner.folder / "drawn"
        runner.run_without_faults([runner.binary, "run", spec, "--tier", "quick", "--quiet", "--out", self.results])
        first = runner.folder / "first"
        first.mkdir()
        self.prepare(first)
        runner.run_without_faults(self.words(first), first)
        self.expected = self.products(first)
        assert self.expected

    def prepare(self, place):
        shutil.copytree(self.results / "svmd-2006", place / "svmd-2006")

    def words(self, place):
        return [
            sys.executable,
            "-P",
            "-B",
            "-m",
            "okbench",
            "report",
            "figures",
            "--results",
            place,
            "--only",
            "svmd-2006/fig3",
        ]


class Report(Draw):
    name = "report"
    out = "page"
    failure = r"report: .*"

    def words(self, place):
        program = [sys.executable, "-P", "-B", "-m", "okbench", "report"]
        folders = ["--experiments", ROOT / "experiments", "--results", place]
        return [*program, *folders, "--out", place / "page" / "index.html"]


class FaultRunner:
    """The experiment with its data, its results, and what runs commands on copies of it."""

    def __init__(self, binary, environment, faults, toy, folder):
        self.binary, self.faults, self.folder = pathlib.Path(binary).resolve(), faults, folder
        rows = ["".join(f"{(-1) ** i} 1:{i * 7 % 60 / 60:.3f} 2:{i * 11 % 60 / 60:.3f}\n" for i in range(60))] * 2
        self.environment = {**environment, **toy(*rows), "PYTHONPATH": f"{ROOT}/python", "NO_PROXY": "*"}
        spec = tuned_spec("test/faults").replace('"a8a"', '"toy"').replace("synthetic_rows = 300\n", "")
        self.spec = folder / "s.toml"
        self.spec.write_text(spec.replace("gamma = 0.05", "gamma = 1"))
        self.expected = folder / "expected"
        self.run_without_faults([self.binary, "run", self.spec, "--quiet", "--out", self.expected])
        self.plan = (self.expected / "test" / "faults" / "plan.json").read_text()
        self.files = {trial["name"]: trial["file"] for trial in json.loads(self.plan)["trials"]}

    def start(self, words, place, more=()):
        """The process of a command that has its temporary files and its cache in the place; `more` environment."""
        (place / "tmp").mkdir(exist_ok=True)
        own = {"TMPDIR": str(place / "tmp"), "OKBENCH_CACHE": str(place / "cache"), **dict(more)}
        return subprocess.Popen(
            [*map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            errors="replace",
            env={**self.environment, **own},
            cwd=place,
            start_new_session=True,
        )

    def call(self, words, place, more=()):
        """The same once it is over."""
        process = self.start(words, place, more)
        try:
            out, error = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, error = process.communicate()
            error += "\nstill running after 120 s"
        return subprocess.CompletedProcess(words, process.returncode, out, error)

    def run_without_faults(self, words, place=None):
        """The same without faults, which has to end well."""
        done = self.call(words, place or self.folder)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def equal(self, results):
        return self.call([self.binary, "compare", self.expected, results], self.folder).returncode == 0

    def place(self, name):
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        return place

    def wrong_after(self, verb, place):
        """Problems of a run without faults in a folder that an interrupted or failed run has left."""
        done = self.call(verb.words(place), place)
        if done.returncode != 0 or not verb.complete(place, done):
            return [f"run again: status {done.returncode}: {done.stdout}{done.stderr}"]
        return [f"run again: {path.name} is left" for path in leftovers(place / "r")]

    def fault(self, verb, call, at, run, number):
        """Runs a verb with a fault: (whether that was met, what is wrong)."""
        name = f"{call}-{at}-{'once' if run == 1 else 'on'}-{errno.errorcode[number]}"
        place, counters = self.place(name), self.folder / f"{name}.counters"
        verb.prepare(place)
        how = {"call": call, "at": at, "run": run, "errno": number, **({"below": place} if verb.below else {})}
        done = self.call(verb.words(place), place, self.faults.environment(counters, **how))
        met = self.faults.counted(counters)[call] >= at
        wrong = judged(verb, call, place, done)
        wrong += self.wrong_after(verb, place)
        counters.unlink()
        if not wrong:
            shutil.rmtree(place)
        return met, [f"{verb.name}, {name}: {problem}" for problem in wrong]

    def counts(self, verb):
        """Calls of a run without faults."""
        place, counters = self.place("counted"), self.folder / "counters"
        verb.prepare(place)
        how = {"below": place} if verb.below else {}
        done = self.call(verb.words(place), place, self.faults.environment(counters, **how))
        assert done.returncode == 0, done.stdout + done.stderr
        return self.faults.counted(counters)

    def faults_of(self, verb, calls, sample):
        """(call, at, run, number) of all faults of these calls, or of some `sample` a call."""
        counts = self.counts(verb)
        for call in calls:
            places = evenly(counts[call], MAX_CALLS if FULL else sample, len(verb.name + call))
            yield from of_places(call, places)

    def try_faults(self, verb, sample, calls=None):
        """Tries a verb's faults, and asserts that nothing is wrong."""
        self.try_all(verb, self.faults_of(verb, calls or verb.calls, sample))

    def try_all(self, verb, tried, met_at_least=0.9):
        """The same of these faults, two at a time."""
        tried = list(tried)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            outcomes = list(pool.map(lambda fault: self.fault(verb, *fault), tried))
        met = sum(met for met, _ in outcomes)
        print(f"\n{verb.name}: {len(tried)} faults, {met} of them met")
        wrong = [problem for _, wrong in outcomes for problem in wrong]
        assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:50])
        assert met > met_at_least * len(tried)


def evenly(every, most, shift):
    """At most `most` numbers, evenly spaced from 1 to `every`. `shift` moves them."""
    if every <= most:
        return range(1, every + 1)
    return sorted({1 + (i * every + shift * every // 37) // most % every for i in range(most)})


def of_places(call, places):
    """Yields (call, at, run, errno). Full test: every errno, failing once or from `at` on. Sample: one per place."""
    kinds = list(itertools.product((1, FOR_GOOD), ERRORS[call]))
    for i, at in enumerate(places):
        yield from ((call, at, *kind) for kind in (kinds if FULL else [kinds[i % len(kinds)]]))


def leftovers(folder):
    return [path for path in folder.rglob("*") if TEMPORARY.search(path.name)]


def judged(verb, call, place, done):
    """What a run with a fault did against its promises."""
    wrong = []
    if done.returncode not in (0, 1, 2):
        wrong.append(f"ended with {done.returncode}: {done.stderr[-2000:]}")
    if "Traceback" in done.stderr or "terminate called" in done.stderr or "still running" in done.stderr:
        wrong.append(done.stderr[-3000:])
    lines = done.stderr.splitlines()
    last = lines[-1] if lines else ""
    program = "okbench: "
    if done.returncode > 0 and not last.startswith(program):
        ends = [last, (done.stdout.splitlines() or [""])[-1]]
        if verb.failure is None or not any(re.fullmatch(verb.failure, end) for end in ends):
            wrong.append(f"status {done.returncode} without a word: {done.stdout}{done.stderr}")
    wrong += verb.wrong(place, done)
    if done.returncode == 0 and not verb.complete(place, done):
        wrong.append(f"status 0, and it is not complete: {done.stderr}")
    if call not in verb.left_by:
        wrong += [f"{path.relative_to(place)} is left" for path in leftovers(place)]
    return wrong
