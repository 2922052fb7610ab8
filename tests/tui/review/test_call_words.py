"""A judge's call in words, or why there was none."""

from __future__ import annotations

from dataclasses import replace

from turnwise.conversations.store import ScoreRow
from turnwise.conversations.store.rows import VerdictRow
from turnwise.engine.metrics.registry import metric_class
from turnwise.tui.review.call_words import question_of, without_call


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


def test_yes_and_no_come_with_the_question_that_they_answer() -> None:
    version = metric_class("knowledge_retention").version
    verdicts = (VerdictRow(2, True, "no", ""), VerdictRow(4, False, "yes", "It asks again."))
    asked = replace(row("knowledge_retention", "judge"), version=version, verdicts=verdicts)
    assert question_of(asked) == "Does the reply forget what the user said before?"
    assert question_of(replace(asked, verdicts=(VerdictRow(4, False, "3 of 4", ""),))) == ""


def test_no_question_is_named_that_may_be_another_one() -> None:
    kind = metric_class("knowledge_retention")
    verdicts = (VerdictRow(2, True, "no", ""),)
    asked = replace(row(kind.key, "judge"), version=kind.version, verdicts=verdicts)
    assert question_of(replace(asked, version=kind.version - 1)) == ""
    assert question_of(replace(asked, came_from="scores.json")) == ""
    assert question_of(replace(asked, metric="my own metric")) == ""
