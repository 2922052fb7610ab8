"""Times are told as people say them."""

from __future__ import annotations

import pytest

from turnwise.tui.parts.words import ago

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
