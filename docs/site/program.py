"""Runs the program for its lists and help texts."""

import json
import os
import subprocess


class Program:
    def __init__(self, binary, root):
        self.binary, self.root = str(binary), root
        # Without data and user-defined data sets, lists are the same on every machine.
        self.env = {"PATH": os.environ.get("PATH", ""), "OKBENCH_HOME": str(root), "OKBENCH_CACHE": "/nonexistent"}

    def run(self, *arguments):
        done = subprocess.run(
            ["okbench", *arguments], executable=self.binary, capture_output=True, text=True, env=self.env
        )
        if done.returncode:
            raise SystemExit(f"docs: okbench {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def rows(self, what):
        return json.loads(self.run("help", what, "--json"))
