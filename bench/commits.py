"""Builds the programs of another commit of this repository, in a git worktree."""

import pathlib
import shutil
import subprocess

from timing import Unusable, quiet_environment

ROOT = pathlib.Path(__file__).resolve().parent.parent


def git(*words, folder=ROOT):
    """What git prints. Raises Unusable."""
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True)
    if done.returncode:
        reason = " ".join(done.stderr.split()) or "failed"
        raise Unusable(f"git {words[0]}: {reason}")
    return done.stdout.strip()


def commit_of(base):
    """The full hash of the commit BASE. Raises Unusable."""
    try:
        return git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base}^{{commit}}")
    except (Unusable, OSError) as error:
        raise Unusable(f"BASE={base}: no such commit here") from error


def date_of(commit):
    """The committer date of a commit, ISO 8601, UTC."""
    return git("show", "-s", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd", commit)


def check_out(commit, tree):
    """Creates a worktree of the commit, or switches an existing one, so that the build is incremental."""
    if (tree / ".git").exists():
        try:
            git("checkout", "--quiet", "--force", "--detach", commit, folder=tree)
            return
        except Unusable:  # stale: the repository does not know this worktree
            shutil.rmtree(tree)
    git("worktree", "add", "--quiet", "--force", "--detach", str(tree), commit)


def build(tree, python, jobs):
    """Builds the program and the benchmarks of a worktree. Returns their folder. Raises Unusable."""
    folder, log = tree / "build" / "release", tree.with_suffix(".log")
    commands = (
        ["cmake", "--preset", "release", "-S", tree, "-B", folder, f"-DOKBENCH_PYTHON={python}"],
        ["cmake", "--build", folder, "--target", "okbench_bench", "okbench_program", *(["-j", jobs] if jobs else [])],
    )
    with open(log, "w", encoding="utf-8") as out:
        for command in commands:
            done = subprocess.run(list(map(str, command)), cwd=tree, stdout=out, stderr=out, env=quiet_environment())
            if done.returncode:
                raise Unusable(f"the base does not build; see {log}")
    return folder
