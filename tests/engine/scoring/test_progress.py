"""A run is told as people tell it: what came of it, how fast it goes, and how long it will take."""

from __future__ import annotations

import pytest
from set_clock import Clock

from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.engine.scoring.progress import ENOUGH_FOR_RATE, Rate, Tally, duration
from turnwise.engine.scoring.scoring import Scored

PASSED = Score(metric="m", reason="", score=0.9, threshold=0.5)
BELOW = Score(metric="m", reason="", score=0.1, threshold=0.5)


def test_outcomes_are_counted_apart() -> None:
    tally = Tally(expected=4)
    for outcome in (
        PASSED,
        BELOW,
        Failure(metric="m", reason="away"),
        Skipped(metric="m", reason="no judge"),
    ):
        tally = tally.with_outcome(Scored(1, outcome, kept=False))
    assert (tally.done, tally.passed, tally.below, tally.failed, tally.skipped) == (4, 1, 1, 1, 1)
    assert tally.not_passed == 2
    assert tally.summary() == "1 passed, 1 below threshold, 1 could not be judged, 1 skipped."


def test_what_was_judged_before_is_told_and_costs_nothing() -> None:
    paid = Score(metric="m", reason="", score=0.9, threshold=0.5, cost=0.25)
    tally = Tally(expected=2)
    for kept in (False, True):
        tally = tally.with_outcome(Scored(1, paid, kept=kept))
    assert tally.summary() == "2 passed, 0 below threshold, 1 of them judged before; $0.2500."


def test_more_outcomes_than_expected_never_pass_a_hundred_per_cent() -> None:
    tally = Tally(expected=1)
    for _ in range(3):
        tally = tally.with_outcome(Scored(1, Skipped(metric="m", reason=""), kept=False))
    assert tally.expected == 3


def test_the_pace_says_what_is_known() -> None:
    assert Tally(expected=9).pace() == ""
    assert Tally(expected=9, seconds=12).pace() == "12 s"
    assert Tally(expected=1204, done=412, rate=2.1).pace() == "2.1/s · 6 min left"
    assert Tally(expected=9, done=4, rate=0.05).pace() == "3.0/min · 2 min left"


def test_the_time_that_is_gone_and_the_time_left_are_told_apart_from_the_rate() -> None:
    tally = Tally(expected=1204, done=412, rate=2.1, seconds=196)
    assert (tally.time_gone, tally.time_left) == ("3 min so far", "6 min left")
    assert (Tally(expected=9).time_gone, Tally(expected=9, done=2, rate=0.1).time_left) == ("", "")


def test_the_line_says_how_far_it_is() -> None:
    assert Tally(expected=9).line() == "scoring 0 of 9"
    assert Tally(expected=1204, done=412, rate=2.1, failed=1).line() == (
        "scoring 412 of 1,204 · 2.1/s · 6 min left · 1 not judged"
    )


def test_the_rate_counts_only_what_is_judged_now() -> None:
    clock = Clock()
    rate, tally = Rate(clock), Tally(expected=10)
    clock.now = 2.0
    for kept in (True, True, False, False):
        tally = tally.counted(Scored(1, PASSED, kept=kept), rate)
    assert (tally.rate, tally.seconds) == (1.0, 2.0)


def test_the_rate_follows_a_run_that_slows_down() -> None:
    clock = Clock()
    rate = Rate(clock)
    for _ in range(10 * ENOUGH_FOR_RATE):
        clock.now += 0.25
        rate.count()
    assert rate.per_second == pytest.approx(4, rel=0.2)
    for _ in range(4 * ENOUGH_FOR_RATE):
        clock.now += 5
        rate.count()
    assert rate.per_second == pytest.approx(0.2, rel=0.2)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (5940, "99 min"), (7800, "2 h 10 min")]
)
def test_durations_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words
