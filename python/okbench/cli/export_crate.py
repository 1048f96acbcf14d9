"""Describe a result folder for archives, as an RO-Crate.

It writes ro-crate-metadata.json (RO-Crate 1.1, Process Run Crate 0.5), which lists every file, program, data set and
trial.
"""

from .. import crate, home
from ..errors import CONTENT_ERRORS, ContentError, cause_of
from . import add_experiments_option

EXAMPLE = 'okbench export crate results/default --agent "Ada Lovelace <https://orcid.org/0000-0000-0000-0000>"'


def add_options(parser):
    parser.add_argument("results", nargs="?", default="results/default", help="result folder")
    add_experiments_option(parser)
    parser.add_argument("--catalog", action="append", help="catalog of data sets; may be repeated")
    parser.add_argument("--license", default=crate.Options.license, help="licence: an SPDX name or a URL")
    parser.add_argument("--agent", default="", help='who ran the trials: "NAME" or "NAME <https://orcid.org/...>"')


def run(options):
    settings = crate.Options(
        options.catalog or home.catalog_paths(),
        options.experiments or home.experiment_folders(),
        options.license,
        options.agent,
    )
    try:
        content, counts = crate.make(options.results, settings)
    except CONTENT_ERRORS as error:
        raise ContentError(
            f"{options.results}: its traces cannot be described in a crate ({cause_of(error)})"
        ) from error
    path = crate.write(options.results, content)
    trials = ", ".join(f"{counts[kind]} {kind}" for kind in ("completed", "failed", "not run"))
    print(f"{path}: trials: {trials}; {counts['files']} files of {counts['bytes'] / 1e6:.1f} MB")
