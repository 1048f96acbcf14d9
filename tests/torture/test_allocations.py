"""Allocations that fail, one after the other: of every verb that writes results, and of one that reads them."""

import pytest
import verbs


def each_verb(*samples):
    tried = zip((verbs.Run, verbs.Merge, verbs.Update, verbs.Plan, verbs.Summary), samples)
    return pytest.mark.parametrize(("verb", "sample"), tried, ids=lambda value: getattr(value, "name", ""))


@each_verb(20, 20, 10, 8, 20)
def test_a_failed_allocation_is_told_and_leaves_nothing_false(torture_house, verb, sample):
    torture_house.torture(verb(torture_house), sample, ("malloc",))


@each_verb(4, 4, 2, 2, 4)
def test_so_is_the_first_of_each_place_in_the_program(torture_house, verb, sample):
    verb = verb(torture_house)
    # Some places allocate in some runs alone.
    torture_house.try_all(verb, torture_house.allocations_of(verb, sample), 0.5)
