"""Differences of paired shares: as published, and honest where there is little to go by."""

from math import isnan

import pytest

from turnwise.engine.people.statistics.paired_shares import PairedCounts, paired_interval


def test_the_interval_is_the_published_one() -> None:
    # Newcombe (1998), table II: 36 both, 12 the one only, 2 the other only, of 50.
    assert paired_interval(PairedCounts(36, 2, 12, 0)) == pytest.approx((0.0569, 0.3404), abs=1e-4)
    assert paired_interval(PairedCounts(36, 12, 2, 0)) == pytest.approx((-0.3404, -0.0569), abs=1e-4)


def test_a_few_pairs_that_do_not_differ_leave_much_open() -> None:
    low, high = paired_interval(PairedCounts(both=4))
    assert low == pytest.approx(-high)
    assert high > 0.4


def test_it_stays_within_what_can_be() -> None:
    for counts in (PairedCounts(first_only=9), PairedCounts(second_only=9), PairedCounts(1, 0, 0, 1)):
        low, high = paired_interval(counts)
        assert -1 <= low <= high <= 1


def test_of_nothing_there_is_none() -> None:
    assert all(map(isnan, paired_interval(PairedCounts())))
