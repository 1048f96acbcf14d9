"""Verify a bundle of the leaderboard: rerun a sample of its trials and compare them.

The learner is built and run in a sandbox (bubblewrap): without network or the user's files, and with limits of time and
memory for each command.
"""

import pathlib
import tempfile

from ..leaderboard.verify import verify

EXAMPLE = "okbench board verify pa-budget.tar.xz --sample 0.2"


def add_options(parser):
    parser.add_argument("bundle", type=pathlib.Path, help="bundle, made by okbench board submit")
    parser.add_argument(
        "--sample", type=float, default=0.1, help="share of the trials to rerun, at least one per data set"
    )
    parser.add_argument("--seed", help="text that determines the sample (default: drawn)")
    parser.add_argument("--signers", help="file of allowed signers, as ssh-keygen reads it")
    parser.add_argument("--trust", action="store_true", help="run the code of the bundle without a sandbox")


def run(options):
    with tempfile.TemporaryDirectory(prefix="okbench-") as work:
        verification = verify(options.bundle, options.sample, options.seed, options.trust, options.signers, work)
        entry = verification.entry
        print(f"entry     {entry.name}: {entry.title}, by {entry.author} ({entry.language})")
        print(f"signed    {verification.signer}")
        equal = "equal up to rounding" if verification.rounding else "equal bit for bit"
        print(f"verified  {verification.rerun} of {verification.trials} trials rerun, {equal}")
        if verification.rounding:
            print(f"differs   {verification.rounding}")
