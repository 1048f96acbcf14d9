"""Runs the trials of a learner written in Python: python -m okbench.leaderboard.rerun SPEC --source FILE --object NAME.

A separate program, so that it can run in a sandbox.
"""

import argparse
import importlib.util
import sys
import tomllib

from ..api import running
from .running import TIER


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("spec")
    for name in ("--source", "--object", "--name", "--out"):
        parser.add_argument(name, required=True)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    # The name of the module is part of the learner's identity, so it does not depend on the folder.
    of = importlib.util.spec_from_file_location("entry_learner", options.source)
    module = sys.modules["entry_learner"] = importlib.util.module_from_spec(of)
    of.loader.exec_module(module)
    with open(options.spec, "rb") as file:
        spec = tomllib.load(file)
    trials = running.run(
        spec,
        tier=TIER,
        out=options.out,
        only=options.only,
        progress=False,
        learners={options.name: getattr(module, options.object)},
    )
    failed = trials[trials["status"] != "ok"]
    if options.only == "" and len(failed):
        sys.exit(failed["status"].iloc[0])


if __name__ == "__main__":
    main()
