"""Judges claims about behaviour on real data that replace those of the papers."""

import dataclasses
import pathlib

from ..results import Results
from .judging import DOES_NOT_HOLD, HOLDS, NOT_RUN, verdict
from .files import NOT_REPRODUCED, REPRODUCED

NOT_ABOUT_BEHAVIOUR = "not about behaviour"
REPLACED_VERDICTS = (HOLDS, DOES_NOT_HOLD, NOT_RUN, NOT_ABOUT_BEHAVIOUR)
SUFFIX = "-replaced-data"  # of the folder that `okbench run --replace` writes by default


class ReplacedResults(Results):
    """Results on replacing data. An experiment without them is taken from `named`, the results of the papers' data."""

    def __init__(self, folder, named):
        super().__init__(folder)
        self.named = named
        self.used = {}  # titles of the replacing data sets of the traces that were found

    def read(self, name):
        experiment = super().read(name)
        if experiment is None or not any(trial.has_result for trial in experiment.trials):
            self.experiments[name] = experiment = self.named.read(name)
        return experiment

    def check_data(self, experiment):
        """Accepts replaced data."""

    def find(self, trial):
        traces = super().find(trial)
        self.used |= {trace.replacement: None for trace in traces if trace.replacement}
        return traces


@dataclasses.dataclass
class Generalised:
    """What a claim says on replacing data."""

    claim: object
    verdict: str  # one of REPLACED_VERDICTS
    values: list = dataclasses.field(default_factory=list)
    reason: str = ""
    data: tuple = ()  # titles of the replacing data sets

    @property
    def outcome(self):
        return self.verdict


def replaced_results(named):
    """The ReplacedResults beside Results of the papers' data; None if there is no such folder."""
    folder = pathlib.Path(f"{named.folder}{SUFFIX}")
    return ReplacedResults(folder, named) if folder.is_dir() else None


def generalise(claim, results):
    """Judges a claim on ReplacedResults. Raises ClaimError as judge() does."""
    if not claim.generalises:
        return Generalised(claim, NOT_ABOUT_BEHAVIOUR)
    if claim.blocked_by:
        return Generalised(claim, NOT_RUN, reason=claim.blocked_by)
    results.used = {}
    judged = verdict(claim, results)
    if judged.verdict == NOT_RUN:
        return Generalised(claim, NOT_RUN, judged.values, judged.reason)
    if not results.used:
        return Generalised(claim, NOT_RUN, judged.values, "nothing replaces its data")
    outcome = {REPRODUCED: HOLDS, NOT_REPRODUCED: DOES_NOT_HOLD}[judged.verdict]
    return Generalised(claim, outcome, judged.values, judged.reason, tuple(results.used))
