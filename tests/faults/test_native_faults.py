"""Calls of the system that fail, one after the other, while the program runs, merges, plans, checks and verifies."""

import pytest
import verbs


@pytest.mark.parametrize(
    ("verb", "sample"),
    [(verbs.Run, 6), (verbs.Pack, 3), (verbs.Merge, 4), (verbs.Update, 3), (verbs.Plan, 2), (verbs.Verify, 4)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_failed_call_is_reported_and_leaves_no_wrong_state(fault_runner, verb, sample):
    fault_runner.try_faults(verb(fault_runner), sample)
