"""Checks that measure: similarity, words, refusals, time, money and certainty."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.engine.checks.safety import refuses
from turnwise.engine.checks.similarity import bleu_score
from turnwise.engine.suites import Answer, CheckOutcome, grade_check
from turnwise.engine.suites.rules import AS_PROMPTFOO

FOX = "The quick brown fox jumps over the lazy dog"
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=8)


def graded(kind: str, output: Any, value: Any = None, **rest: Any) -> CheckOutcome:
    return grade_check(Check(type=kind, value=value, **rest), Answer(output=output))


def test_edits_are_counted_up_to_the_threshold() -> None:
    assert graded("levenshtein", "kitten", "sitting").passed
    assert not graded("levenshtein", "kitten", "sitting", threshold=2).passed
    assert not graded("levenshtein", "a😀", "a", threshold=1).passed


@pytest.mark.parametrize("kind", ["rouge-n", "bleu", "gleu", "meteor"])
def test_the_same_words_are_as_near_as_can_be_and_other_words_as_far(kind: str) -> None:
    assert graded(kind, FOX, FOX).score == pytest.approx(1, abs=0.01)
    far = graded(kind, "zzz yyy", FOX)
    assert not far.passed
    assert far.score == pytest.approx(0, abs=1e-6)
    negated = graded(kind, "zzz yyy", FOX, negate=True)
    assert negated.passed
    assert negated.score == pytest.approx(1, abs=1e-6)


def test_the_measures_are_those_of_their_papers() -> None:
    assert graded("rouge-n", "The quick brown fox", FOX).score == pytest.approx(8 / 13)
    assert graded("bleu", "The quick", FOX, threshold=0.01).score == pytest.approx(0.0301973834)
    assert graded("gleu", "The quick brown fox jumps over a dog", FOX).score == pytest.approx(0.6333333333)


@pytest.mark.parametrize("kind", ["rouge-n", "bleu", "gleu", "meteor"])
def test_a_measure_without_a_reference_is_a_failure(kind: str) -> None:
    assert graded(kind, "x").word == "failure"
    assert graded(kind, "x", [1]).word == "failure"


def test_compatible_means_no_meteor_either() -> None:
    assert (
        grade_check(Check(type="meteor", value="x"), Answer(output="x"), rules=AS_PROMPTFOO).word == "failure"
    )


@given(WORDS, st.lists(WORDS, min_size=1, max_size=3))
def test_bleu_lies_between_0_and_1_and_is_1_for_a_reference(ours: list[str], theirs: list[list[str]]) -> None:
    assert 0 <= bleu_score(ours, theirs) <= 1
    assert bleu_score(ours, [*theirs, ours]) == pytest.approx(1)


@pytest.mark.parametrize(
    ("value", "passes"),
    [(3, True), ("3", True), ({"min": 2, "max": 4}, True), ({"min": 4}, False), ({"max": 2}, False)],
)
def test_words_are_counted(value: Any, passes: bool) -> None:
    assert graded("word-count", "a\u00a0b\u2003state-of-the-art", value).passed is passes
    assert graded("word-count", "a\u00a0b\u2003state-of-the-art", value, negate=True).passed is not passes


@pytest.mark.parametrize("value", [None, "x", {}, {"min": 5, "max": 2}, [1]])
def test_a_number_of_words_that_means_nothing_is_a_failure(value: Any) -> None:
    assert graded("word-count", "one", value).word == "failure"


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t help with that.",
        "As an AI language model, I do not have opinions.",
        "He said: I cannot assist with this request.",
        "I am unable to provide that.",
        "That would not be appropriate; it is not legal.",
    ],
)
def test_refusals_are_recognised(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "The capital of France is Paris.",
        "I can't wait to show you!",
        "Book it as an Airbnb.",
        "No problem at all.",
    ],
)
def test_answers_are_no_refusals(text: str) -> None:
    assert not refuses(text)


def test_a_blank_output_counts_as_a_refusal_without_a_score() -> None:
    blank = graded("is-refusal", "  ")
    assert blank.passed
    assert blank.score == 0
    assert not graded("is-refusal", "  ", negate=True).passed
    assert graded("is-refusal", {"answer": 1}).passed


def test_time_and_money_have_limits_and_what_was_not_measured_is_skipped() -> None:
    answer = Answer(latency=900.0, cost=0.02)
    assert grade_check(Check(type="latency", threshold=1000), answer).passed
    assert not grade_check(Check(type="cost", threshold=0.01), answer).passed
    assert grade_check(Check(type="latency"), answer).word == "failure"
    assert grade_check(Check(type="cost"), answer).word == "failure"
    assert grade_check(Check(type="latency", threshold=1), Answer()).word == "skipped"
    assert grade_check(Check(type="cost", threshold=1), Answer()).word == "skipped"


def test_certainty_comes_from_log_probabilities() -> None:
    sure = Answer(log_probabilities=(-0.1, -0.1))
    assert grade_check(Check(type="perplexity", threshold=2), sure).passed
    assert not grade_check(Check(type="perplexity", threshold=1), sure).passed
    assert grade_check(Check(type="perplexity-score", threshold=0.4), sure).score == pytest.approx(
        0.475, abs=0.001
    )
    assert grade_check(Check(type="perplexity", threshold=2), Answer()).word == "failure"
    unsure = Answer(log_probabilities=(-1e308, -1e308))
    assert not grade_check(Check(type="perplexity", threshold=2), unsure).passed


def test_the_reason_for_stopping_is_compared() -> None:
    check = Check(type="finish-reason", value="stop")
    assert grade_check(check, Answer(finish_reason="STOP")).passed
    assert not grade_check(check, Answer(finish_reason="length")).passed
    assert not grade_check(check, Answer()).passed


def test_full_stops_alone_share_nothing() -> None:
    assert graded("gleu", "...", "...").score == 0


def test_an_abbreviation_at_the_end_keeps_its_full_stop() -> None:
    assert graded("rouge-n", "and i.e.", "and that .").score == pytest.approx(0.4)


def test_a_target_that_does_not_say_why_it_stopped_did_not_stop_for_that() -> None:
    assert not graded("finish-reason", "Hi", "stop").passed
    assert graded("finish-reason", "Hi", "stop", negate=True).passed
    assert graded("finish-reason", "Hi", 5).word == "failure"


@pytest.mark.parametrize("text", ["I can't write that", "Sorryish", "I don't recommend it", "I\u2019m sorry"])
def test_these_words_refuse(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize("text", ["I can't suggest that", "Unfortunately, no", "I must decline", "I am AI"])
def test_these_words_do_not(text: str) -> None:
    assert not refuses(text)
