"""References of figure 3 of svmd-2006 in a folder of their own, and git."""

import json
import subprocess

from conftest import ROOT

FIG3 = ROOT / "experiments" / "svmd-2006" / "fig3.toml"
NORMA, SVMD = "svmd-2006/fig3/norma/r0", "svmd-2006/fig3/svmd/r0"


class Reference:
    """References of figure 3, and the spec that they are checked with."""

    def __init__(self, okbench, folder):
        self.okbench, self.folder, self.spec = okbench, folder / "ref", folder / "fig3.toml"
        self.file, self.history = self.folder / "svmd-2006" / "fig3.json", self.folder / "history.jsonl"
        self.set(0.95)
        self.update("--reason", "first", check=0)

    def set(self, value):
        text = FIG3.read_text()
        assert text.count("mu = 1\ntrace_decay = 0.95") == 1
        self.spec.write_text(text.replace("mu = 1\ntrace_decay = 0.95", f"mu = 1\ntrace_decay = {value}"))

    def check(self, *options, check=None):
        return self.okbench("check", self.spec, "--reference", self.folder, *options, check=check)

    def update(self, *options, check=None):
        return self.check("--update", *options, check=check)

    def lines(self):
        return [json.loads(line) for line in self.history.read_text().splitlines()]

    def bytes(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def git(folder, *words):
    name = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True, text=True).stdout
