"""A judge's call in words: what was sent, what came back, or why there was none."""

from __future__ import annotations

from turnwise.conversations.store import ScoreRow
from turnwise.tui.review.call_words import messages_of, without_call


def test_a_part_that_is_no_text_is_named() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:..."}}
    request = {"messages": [{"role": "system", "content": "Be fair."}, {"content": ["x"][:0]}]}
    assert list(messages_of(request)) == [("system", "Be fair."), ("user", "")]
    mixed = {"messages": [{"role": "user", "content": [{"type": "text", "text": "Look:"}, picture]}]}
    assert list(messages_of(mixed)) == [("user", "Look:\n(image_url)")]
    assert list(messages_of({})) == []


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
