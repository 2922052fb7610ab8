"""Checks on the words of a reply: 0 or 1, without a judge."""

import pytest
from judged import found
from stored import said

from turnwise.conversations import LLMTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import ContainsMetric, ExactMatchMetric, PatternMatchMetric, RegexMetric


async def value(metric, reply: str, expected: str | None = None) -> float:
    outcome = await found(metric, LLMTestCase(input="i", actual_output=reply, expected_output=expected), None)
    assert isinstance(outcome, Score)
    assert outcome.threshold == 1.0
    assert outcome.passed is (outcome.score == 1.0)
    return outcome.score


@pytest.mark.parametrize(
    ("reply", "expected", "score"),
    [(" yes\n", "yes", 1), ("yes", "Yes", 0), ("yes.", "yes", 0), ("", "", 1), ("", "  ", 1), ("a", "", 0)],
)
async def test_an_exact_match_is_to_the_letter_but_for_blanks_around(reply, expected, score):
    assert await value(ExactMatchMetric(), reply, expected) == score


async def test_without_an_expected_output_an_exact_match_is_skipped():
    outcome = await found(ExactMatchMetric(), LLMTestCase(input="i", actual_output="a"), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no expected_output"


@pytest.mark.parametrize(
    ("settings", "reply", "score"),
    [
        ({"text": "refund"}, "A refund is due.", 1),
        ({"text": "refund"}, "A Refund is due.", 0),
        ({"text": "REFUND", "ignore_case": True}, "A refund is due.", 1),
        ({"text": "STRASSE", "ignore_case": True}, "Straße", 1),
    ],
)
async def test_a_text_is_contained(settings, reply, score):
    assert await value(ContainsMetric(**settings), reply) == score


@pytest.mark.parametrize(
    ("settings", "reply", "score"),
    [
        ({"pattern": r"[A-Z]{2}\d{4}"}, "Flight AB1234.", 1),
        ({"pattern": r"[A-Z]{2}\d{4}"}, "Flight 1234.", 0),
        ({"pattern": r"[A-Z]{2}\d{4}", "full_match": True}, "Flight AB1234.", 0),
        ({"pattern": r"[A-Z]{2}\d{4}", "full_match": True}, "AB1234", 1),
    ],
)
async def test_a_pattern_matches(settings, reply, score):
    assert await value(RegexMetric(**settings), reply) == score


async def test_the_last_reply_of_a_conversation_is_checked_and_named():
    outcome = await found(ContainsMetric(text="bag"), said("a", "bag", "c", "none here"), None)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.exchange) == (0.0, 2)
    assert outcome.reason == '"bag" is not in the reply.'
    assert [(verdict.turn, verdict.passed) for verdict in outcome.verdicts] == [(4, False)]


@pytest.mark.parametrize("metric", [ContainsMetric(text="x"), RegexMetric(pattern="x"), ExactMatchMetric()])
async def test_a_user_without_an_answer_is_skipped(metric):
    outcome = await found(metric, said("a"), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the chatbot never answered"


def test_a_check_that_looks_for_nothing_is_refused():
    with pytest.raises(SettingError, match="needs the text") as caught:
        ContainsMetric()
    assert caught.value.next_step == "For example: ContainsMetric(text='refund')"
    with pytest.raises(SettingError, match="needs a pattern"):
        RegexMetric()
    with pytest.raises(SettingError, match="not a regular expression") as broken:
        RegexMetric(pattern="(")
    assert broken.value.detail.startswith("(: ")


@pytest.mark.parametrize(
    ("pattern", "ignore_case", "reply", "score"),
    [
        ("yes|no", False, " yes\n", 1),
        ("yes|no", False, "yes!", 0),
        ("yes|no", False, "Yes", 0),
        ("yes|no", True, "Yes", 1),
        (r"\d+ items?", False, "12 items", 1),
        (r"\d+ items?", False, "There are 12 items", 0),
        ("a.b", False, "a\nb", 0),
    ],
)
async def test_a_pattern_matches_all_of_the_reply(pattern, ignore_case, reply, score):
    assert await value(PatternMatchMetric(pattern=pattern, ignore_case=ignore_case), reply) == score


@pytest.mark.parametrize("pattern", ["", "("])
def test_what_is_no_pattern_is_told(pattern):
    with pytest.raises(SettingError, match="pattern_match"):
        PatternMatchMetric(pattern=pattern)
