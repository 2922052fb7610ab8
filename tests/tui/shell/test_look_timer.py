"""How long one looks at a queue: while it is in front, and of a pause no more than one reads in."""

from __future__ import annotations

import pytest
from set_clock import Clock

from turnwise.tui.shell.look_timer import LONGEST_PAUSE, LookTimer


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


@pytest.fixture
def timer(clock: Clock) -> LookTimer:
    return LookTimer(clock)


def test_it_counts_while_a_queue_is_in_front(timer: LookTimer, clock: Clock) -> None:
    clock.now += 50
    timer.look(1)
    clock.now += 7
    timer.look_away()
    clock.now += 30
    timer.heard()
    timer.look(1)
    clock.now += 3
    assert timer.take() == 10
    assert timer.take() == 0


def test_of_a_pause_counts_what_one_reads_in_and_of_another_window_nothing(
    timer: LookTimer, clock: Clock
) -> None:
    timer.look(1)
    for pause in (5, 3 * LONGEST_PAUSE):
        clock.now += pause
        timer.heard()
    assert timer.take() == 5 + LONGEST_PAUSE
    clock.now += 2
    timer.heard()
    clock.now += 40
    timer.came_back()
    clock.now += 4
    assert timer.take() == 6


def test_another_queue_begins_anew(timer: LookTimer, clock: Clock) -> None:
    timer.look(1)
    clock.now += 9
    timer.look(2)
    clock.now += 4
    assert timer.take() == 4
