"""Commits that touched the references, read by git: what moved in each, trial by trial.

Files are read as blobs by one `git cat-file --batch`; a trial is a line of them, and only lines that differ are parsed.
"""

import dataclasses
import datetime
import json
import subprocess

from . import NoRepository, Step
from .entries import NAME

NOTHING = "0" * 40


@dataclasses.dataclass
class Commit:
    digest: str
    date: str
    subject: str
    files: list = dataclasses.field(default_factory=list)  # (blob before, blob after, path)


def git(folder, *words, data=None):
    """What git writes; raises NoRepository."""
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], input=data, capture_output=True)
    except OSError as error:
        raise NoRepository(f"git cannot be run ({error.strerror}): commits are not told") from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["failed"]
        raise NoRepository(f"{folder}: git: {told[0]}: commits are not told")
    return done.stdout


def commits(folder):
    """Those that touched the folder, the oldest first; merges are told by what they merge. Raises NoRepository."""
    words = ("log", "--reverse", "--no-merges", "--topo-order", "--raw", "--no-abbrev", "--no-renames", "--relative")
    text = git(folder, "-c", "core.quotePath=off", *words, "--format=%x00%H%x00%ct%x00%s", "--", ".")
    found = []
    parts = text.decode("utf-8", "replace").split("\0")[1:]
    for digest, seconds, rest in zip(parts[::3], parts[1::3], parts[2::3]):
        subject, *lines = rest.splitlines()
        date = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc)
        found.append(Commit(digest, date.strftime("%Y-%m-%dT%H:%M:%SZ"), subject))
        for line in lines:
            if line.startswith(":"):
                words, path = line.split("\t", 1)
                before, after = words.split()[2:4]
                found[-1].files.append((before, after, path))
    return found


def blobs(folder, names):
    """Their bytes by name. Raises NoRepository."""
    names = sorted(set(names) - {NOTHING})
    data = git(folder, "cat-file", "--batch", data="".join(f"{name}\n" for name in names).encode("ascii"))
    content, at = {NOTHING: b""}, 0
    for name in names:
        end = data.index(b"\n", at)
        head = data[at:end].split()
        if len(head) != 3:
            raise NoRepository(f"{folder}: git has no {name}: commits are not told")
        size = int(head[2])
        content[name] = data[end + 1 : end + 1 + size]
        at = end + 2 + size
    return content


def flat(value, prefix=""):
    """Numbers of a nested table by their path, as the program writes it: kernel_evaluations/requested."""
    if not isinstance(value, (dict, list)) or not value:
        return {prefix: value}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return {
        name: one
        for key, inner in pairs
        for name, one in flat(inner, f"{prefix}/{key}" if prefix else str(key)).items()
    }


def trials(lines):
    """References by trial name, of lines of a reference file."""
    found = {}
    for line in lines:
        text = line.decode("utf-8", "replace").rstrip().rstrip(",")
        if text.startswith('"'):
            found.update(json.loads(f"{{{text}}}"))
    return found


def change_of(name, before, after):
    """A change as the history file tells it; None where only tables moved."""
    known = after or before
    then, now = flat((before or {}).get("summary", {})), flat((after or {}).get("summary", {}))
    change = {
        "trial": name,
        "state": "changed" if before and after else "new" if after else "missing",
        "learner": known.get("learner"),
        "digest": [one and one.get("digest", "")[:16] for one in (before, after)],
    }
    revisions = [one and one.get("revisions") for one in (before, after)]
    if revisions[0] != revisions[1]:
        change["revisions"] = revisions
    change["summary"] = {
        key: [then.get(key), now.get(key)]
        for key in {**now, **then}
        if key and (key in then, then.get(key)) != (key in now, now.get(key))
    }
    moved = change["summary"] or "revisions" in change or change["digest"][0] != change["digest"][1]
    return change if moved else None


def told_by(before, after):
    """Trials of which a commit adds a line to the history file."""
    had = set(before.splitlines())
    told = set()
    for line in after.splitlines():
        if line not in had:
            try:
                told.add(json.loads(line).get("trial"))
            except (ValueError, AttributeError):
                continue  # a damaged line of an older commit tells nothing
    return told


def steps_of(folder):
    """A step a commit with changes that no entry tells which the commit adds. Raises NoRepository."""
    found = commits(folder)
    if not found:
        return []
    content = blobs(folder, (name for commit in found for file in commit.files for name in file[:2]))
    out = []
    for commit in found:
        told, changes = set(), []
        for before, after, path in commit.files:
            if path == NAME:
                told |= told_by(content[before], content[after])
            elif path.endswith(".json"):
                changes += changes_of(content[before], content[after])
        changes = [change for change in changes if change["trial"] not in told]
        if changes:
            out.append(Step(commit.date, commit.digest, False, "git", commit.subject, changes))
    return out


def changes_of(before, after):
    """What moved between two texts of a reference file; nothing where one is none."""
    old, new = ({line.rstrip(b",") for line in text.splitlines()} for text in (before, after))
    try:
        then, now = trials(old - new), trials(new - old)
    except ValueError:
        return []
    names = sorted({*then, *now})
    return [change for name in names if (change := change_of(name, then.get(name), now.get(name)))]
