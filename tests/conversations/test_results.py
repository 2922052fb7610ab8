"""Outcomes: a score passes or not; a failure and a skip are neither."""

from turnwise.conversations import Failure, Score, Skipped
from turnwise.conversations.results import outcome_passed, outcome_word


def score(value: float, threshold: float = 0.5) -> Score:
    return Score(metric="m", reason="r", score=value, threshold=threshold)


def test_a_score_passes_at_or_above_its_threshold():
    assert score(0.5).passed
    assert score(1.0, 1.0).passed
    assert not score(0.49).passed


def test_only_a_score_passes_or_does_not():
    assert outcome_passed(score(0.2)) is False
    assert outcome_passed(Failure(metric="m", reason="r")) is None
    assert outcome_passed(Skipped(metric="m", reason="r")) is None


def test_every_outcome_has_its_word():
    outcomes = (score(1), Failure(metric="m", reason="r"), Skipped(metric="m", reason="r"))
    assert [outcome_word(outcome) for outcome in outcomes] == ["score", "failure", "skipped"]
