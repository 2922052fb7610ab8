"""A judge's call in words, or why there was none."""

from __future__ import annotations

from turnwise.conversations.store import ScoreRow
from turnwise.tui.review.call_words import without_call


def row(metric: str, judge: str = "") -> ScoreRow:
    return ScoreRow(
        id=1,
        session_id=1,
        metric=metric,
        outcome="score",
        score=1.0,
        threshold=None,
        passed=True,
        reason="",
        exchange=None,
        created_at=0.0,
        judge=judge,
        version=1,
        run_id=1,
    )


def test_a_whole_test_says_where_the_calls_of_its_checks_are() -> None:
    assert without_call(row("test")).startswith("It sums up the checks of the test")
    assert without_call(row("contains")).startswith("No judge was asked: this is a check")
