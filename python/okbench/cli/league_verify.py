"""Verify a bundle of the leaderboard: rerun a sample of its trials and compare bits.

The learner is built and run in a sandbox (bubblewrap): without network, with read-only files, and with limits of time
and memory.
"""

import pathlib
import tempfile

from ..leaderboard.verify import verify

EXAMPLE = "okbench league verify pa-budget.tar.xz --sample 0.2"


def add_options(parser):
    parser.add_argument("bundle", type=pathlib.Path, help="bundle, made by okbench league submit")
    parser.add_argument("--sample", type=float, default=0.1, help="share of the trials to rerun (default: %(default)s)")
    parser.add_argument("--seed", help="text that determines the sample (default: the digest of the bundle)")
    parser.add_argument("--signers", help="file of allowed signers, as ssh-keygen reads it")
    parser.add_argument("--trust", action="store_true", help="run the code of the bundle without a sandbox")


def run(options):
    with tempfile.TemporaryDirectory(prefix="okbench-") as work:
        found = verify(options.bundle, options.sample, options.seed, options.trust, options.signers, work)
        entry = found.entry
        print(f"entry     {entry.name}: {entry.title}, by {entry.author} ({entry.language})")
        print(f"signed    {'by ' + found.signer if found.signer else 'not checked'}")
        print(f"verified  {found.rerun} of {found.trials} trials rerun, equal bit for bit")
