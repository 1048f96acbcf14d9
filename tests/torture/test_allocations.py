"""Allocations that fail, one after the other: of every verb that writes results, and of one that reads them."""

import pytest
import verbs


@pytest.mark.parametrize(
    ("verb", "sample"),
    [(verbs.Run, 20), (verbs.Merge, 20), (verbs.Update, 10), (verbs.Plan, 8), (verbs.Summary, 20)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_failed_allocation_is_told_and_leaves_nothing_false(torture_house, verb, sample):
    torture_house.torture(verb(torture_house), sample, ("malloc",))
