"""Times are told as people say them."""

from __future__ import annotations

import time

import pytest

from turnwise.tui.parts.words import ago, exact_moment, moment

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "just now"), (600, "10 min ago"), (3 * 3600, "3 h ago"), (2 * 86400, "2 d ago")],
)
def test_recent_times_are_relative(seconds: float, words: str) -> None:
    assert ago(NOW - seconds, NOW) == words


def test_old_times_are_dates() -> None:
    assert ago(NOW - 40 * 86400, NOW) == "05 Oct"
    assert ago(NOW - 800 * 86400, NOW) == "Sep 2021"


def test_a_moment_is_said_as_days_are_elsewhere() -> None:
    then = time.mktime((2026, 5, 25, 9, 10, 32, 0, 0, -1))
    assert moment(then) == "25 May 2026 09:10"
    assert exact_moment(then, then + 180) == "3 min ago (25 May 2026 09:10:32)"
    assert exact_moment(then, then + 40 * 86_400) == "25 May 2026 09:10:32"
