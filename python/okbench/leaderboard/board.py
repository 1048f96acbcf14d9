"""The page of the leaderboard: ranks and curves of all verified bundles, who made them, and how much was verified."""

import datetime
import pathlib

from .. import league
from ..errors import CONTENT_ERRORS, RequestError, cause_of
from ..league import conclusions
from ..report import explorer
from ..report.league_figures import shown
from ..report.web_pages import as_script, render
from ..writing import write_text
from . import bundle as bundles
from .bundle import BundleError
from .verify import CannotRerun, verify


def checked(folder, work, sample, trust, signers):
    """({bundle path: Verified}, [(file name, reason)]) of all bundles of a folder. Raises RequestError."""
    paths = sorted(pathlib.Path(folder).glob("*.tar.xz"))
    if not paths:
        raise RequestError(f"{folder}: no bundles (*.tar.xz) here; okbench board submit makes one")
    good, refused = {}, []
    for path in paths:
        place = pathlib.Path(work) / path.name
        place.mkdir()
        try:
            verification = verify(path, sample, None, trust, signers, place)
            # A value that stops the page is found while only this bundle is on it.
            content({path: verification})
            good[path] = verification
        except CannotRerun:  # its message may quote other people's code
            refused.append((path.name, "cannot be built or run"))
        except BundleError as error:
            refused.append((path.name, str(error).removeprefix(f"{path}: ")))
        except CONTENT_ERRORS as error:
            refused.append((path.name, f"has a value that the page cannot show ({cause_of(error)})"))
    return good, refused


def cost(value, entry):
    """A cost as text. What a Python learner computes itself is not counted."""
    return "not counted" if entry.language == "Python" and value == 0 else shown(value)


def rows_of(good, ranking):
    """Rows of the table, best mean rank first."""
    by_name = {verification.entry.name: (path, verification) for path, verification in good.items()}
    rows = []
    for row in ranking["learners"]:
        # Further grid axes follow in brackets.
        path, verification = by_name[row["learner"].partition("[")[0]]
        traces = [trace for experiment in verification.experiments for trace in experiment.traces]
        rows.append(
            row
            | {
                "title": verification.entry.title,
                "author": verification.entry.author,
                "signer": verification.signer,
                "language": verification.entry.language,
                "verified": f"{verification.rerun} of {verification.trials}",
                "blas": verification.entry.blas,
                "date": max(trace.provenance["start_time"] for trace in traces)[:10],
                "version": verification.version,
                "file": path.name,
                "sha256": bundles.digest(path),
                "shown": {key: cost(row[key], verification.entry) for key in ("median_cost", "memory", "seconds")},
            }
        )
    return rows


def content(good):
    """(ranking, rows of the table, explorer of the trials) of verified bundles."""
    experiments = [experiment for verification in good.values() for experiment in verification.experiments]
    ranking = league.as_json(league.League(experiments))
    return ranking, rows_of(good, ranking), explorer.content(experiments, ("error_rate",))


def write(folder, out, work, sample=0.1, trust=False, signers=None):
    """Verifies all bundles of a folder and writes the page. Returns lines to print. Raises OkbenchError."""
    good, refused = checked(folder, work, sample, trust, signers)
    if not good:
        raise BundleError(f"{folder}: no bundle was verified ({refused[0][0]}: {refused[0][1]})")
    ranking, rows, data = content(good)
    html = render(
        "leaderboard.html",
        {},
        ("report.js", "charts.js", "explorer.js"),
        tables=True,
        rows=rows,
        refused=refused,
        sets=sorted(ranking["targets"]),
        conclusions=conclusions.over_sets(ranking),
        date=datetime.date.today().isoformat(),
        explorer=as_script(data),
        constant=data["constant"],
    )
    write_text(out, html, folders=True)
    lines = [f"{row['mean_rank']:.2f}  {row['learner']} ({row['verified']} trials rerun)" for row in rows]
    return [*lines, *(f"refused  {name}: {why}" for name, why in refused), f"{out} ({len(html) / 1e6:.1f} MB)"]
