#!/usr/bin/python3
"""Digests of every quick-tier trial on generated data: the reference that tests compare with.

usage: reference.py OKBENCH_PROGRAM [--update]

Without --update it compares with results/reference/quick-stand-in.json and exits 1 on a difference; with it the file is
written anew, which is how a deliberate change of a trace is accepted.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "results" / "reference" / "quick-stand-in.json"


def digests(program):
    """Trace digests by trial name, from a run without any data files."""
    specs = sorted(path for path in (ROOT / "experiments").glob("*/*.toml") if path.name != "claims.toml")
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("OKBENCH_")}
        environment["OKBENCH_CACHE"] = f"{folder}/no-data"
        subprocess.run([program, "run", *specs, "--tier", "quick", "--quiet", "--out", f"{folder}/results"], check=True,
                       env=environment)
        found = {}
        for plan in pathlib.Path(folder, "results").rglob("plan.json"):
            for trial in json.loads(plan.read_text())["trials"]:
                with h5py.File(plan.parent / trial["file"], "r") as file:
                    digest = file.attrs["trace_digest"]
                found[trial["name"]] = digest.decode() if isinstance(digest, bytes) else str(digest)
    return dict(sorted(found.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    now = digests(options.program)
    if options.update:
        REFERENCE.parent.mkdir(parents=True, exist_ok=True)
        REFERENCE.write_text(json.dumps(now, indent=1) + "\n")
        print(f"{len(now)} digests written to {REFERENCE.relative_to(ROOT)}")
        return 0
    before = json.loads(REFERENCE.read_text())
    changed = [name for name in sorted(before.keys() | now.keys()) if before.get(name) != now.get(name)]
    for name in changed:
        print(f"{name}: {before.get(name, 'absent')[:16]} in the reference, {now.get(name, 'absent')[:16]} now")
    if changed:
        print("if this change is meant: make reference")
        return 1
    print(f"{len(now)} digests equal the reference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
