"""Run an entry of the leaderboard and pack it with its results.

FOLDER has entry.toml and the source of one learner. The command builds the learner, runs every trial that has no
result, and writes FOLDER/specs, FOLDER/results, FOLDER/bundle.json and the bundle NAME.tar.xz.
"""

import pathlib
import shlex
import tempfile

from ..leaderboard import bundle, entry, running, verify
from ..leaderboard.sandbox import Sandbox

EXAMPLE = "okbench board submit league/examples/pa-budget --sign ~/.ssh/id_ed25519"


def add_options(parser):
    parser.add_argument("folder", type=pathlib.Path, help="folder with entry.toml")
    parser.add_argument("--out", help="bundle to write (default: NAME.tar.xz)")
    parser.add_argument("--sign", metavar="KEY", help="sign the bundle with this SSH key")


def run(options):
    submission = entry.read(options.folder)
    submission.folder = submission.folder.resolve()
    running.write_specs(submission, submission.folder / "specs")
    print(f"running   {len(entry.SETS)} data sets", flush=True)
    with tempfile.TemporaryDirectory(prefix="okbench-") as work:
        box = Sandbox(work, trust=True)  # one's own code
        running.write_inputs(submission, box)
        running.run(submission, box, running.build(submission, box), submission.folder / "results")
    path, trials = bundle.pack(submission, options.out)
    print(f"bundle    {path}: {trials} trials, {path.stat().st_size / 1e3:.0f} KB")
    if options.sign:
        print(f"signature {verify.sign(path, options.sign)}")
    print(f"next      okbench board verify {shlex.quote(str(path))}")
