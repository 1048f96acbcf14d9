"""Verify all bundles of the leaderboard and write its page.

`okbench board submit` packs an entry, and `okbench board verify` verifies one.
"""

import pathlib
import tempfile

EXAMPLE = "okbench board league/entries --out leaderboard.html"


def add_options(parser):
    parser.add_argument("entries", nargs="?", type=pathlib.Path, default="league/entries", help="folder of bundles")
    parser.add_argument(
        "--out", type=pathlib.Path, default="results/leaderboard/index.html", help="page (default: %(default)s)"
    )
    parser.add_argument("--sample", type=float, default=0.1, help="share of the trials to rerun (default: %(default)s)")
    parser.add_argument("--signers", help="file of allowed signers, as ssh-keygen reads it")
    parser.add_argument("--trust", action="store_true", help="run the code of the bundles without a sandbox")


def run(options):
    from ..leaderboard import board

    with tempfile.TemporaryDirectory(prefix="okbench-") as work:
        lines = board.write(options.entries, options.out, work, options.sample, options.trust, options.signers)
    print("\n".join(lines))
