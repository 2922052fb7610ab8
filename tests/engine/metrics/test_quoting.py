"""Quoting: a failed verdict rests on words that stand in the turn, whatever a judge writes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import Request, says
from judged import asked_about, found, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, Score, Verdict
from turnwise.conversations.results import Quote
from turnwise.conversations.turns import Turn
from turnwise.engine.judge.transcripts import render_transcript
from turnwise.engine.metrics import (
    ContradictionMetric,
    FaithfulnessMetric,
    GoalAccuracyMetric,
    RoleAdherenceMetric,
)
from turnwise.engine.metrics.quoting import NumberedSentences, beginnings

CASE = said(
    "Hi. Who are you?",
    "Hello! I am Ada. I only speak of tea.",
    "And you?",
    "Good day. Buy shares of the mill now. Shall I do it?",
    chatbot_role="a tea shop",
)


def quotes_of(outcome: Any) -> list[Quote | None]:
    assert isinstance(outcome, Score)
    return [verdict.quote for verdict in outcome.verdicts if verdict.passed is False]


class TestNumbers:
    def test_they_go_through_the_conversation_and_stand_before_each_sentence(self):
        sentences = NumberedSentences.of(CASE.turns)
        text = render_transcript(CASE.turns, mark="m", sentences=sentences.starts).text
        assert "[s1] Hi. [s2] Who are you?" in text
        assert "[s7] Good day. [s8] Buy shares of the mill now. [s9] Shall I do it?" in text

    def test_what_is_said_later_changes_none(self):
        before, after = NumberedSentences.of(CASE.turns[:2]), NumberedSentences.of(CASE.turns)
        assert before.by_number.items() <= after.by_number.items()

    def test_a_number_that_somebody_wrote_is_no_number(self):
        turns = [Turn(role="user", content="[s2] I wrote that. [S1] And that.")]
        text = render_transcript(turns, mark="m", sentences=NumberedSentences.of(turns).starts).text
        assert re.findall(r"\[s\d+\]", text, re.IGNORECASE) == ["[s1]", "[s2]"]

    def test_a_schema_lists_the_numbers_of_the_turn_alone(self):
        assert NumberedSentences.of(CASE.turns).schema(4) == {"type": "integer", "enum": [0, 7, 8, 9]}

    def test_of_a_very_long_conversation_the_schema_stays_short(self):
        sentences = NumberedSentences.of([Turn(role="user", content="One. Two. Three.")] * 200)
        assert sentences.schema(2) == {"type": "integer", "minimum": 0, "maximum": 6}
        assert sentences.named(2, 2) is None

    @given(st.lists(st.text(alphabet="aB .!?\n-*`[s1]😀", max_size=50), max_size=5))
    def test_every_sentence_stands_in_its_turn_letter_by_letter(self, texts):
        turns = [Turn(role="assistant", content=text) for text in texts]
        for quote in NumberedSentences.of(turns).by_number.values():
            assert texts[quote.turn - 1][quote.start : quote.end] == quote.text != ""


def names(*sentences: Any):
    """Answer that every turn fails, and name these sentences for them in order."""

    def step(request: Request):
        numbers = asked_about(request)
        return says(
            {
                f"turn_{number}": {"reason": "r", "verdict": "no", "sentence": sentence}
                for number, sentence in zip(numbers, sentences, strict=False)
            }
        )

    return step


class TestNamed:
    async def judged(self, judge_server, *sentences: Any) -> list[Quote | None]:
        judge_server.default = names(*sentences)
        async with judge_at(judge_server) as judge:
            return quotes_of(await found(RoleAdherenceMetric(), CASE, judge))

    async def test_the_sentence_becomes_the_quote_of_the_failed_verdict(self, judge_server):
        assert await self.judged(judge_server, 4, 8) == [
            Quote(turn=2, start=7, end=16, text="I am Ada."),
            Quote(turn=4, start=10, end=37, text="Buy shares of the mill now."),
        ]
        assert len(judge_server.requests) == 1

    @pytest.mark.parametrize("odd", [0, 1, 3, 99, -1, "Buy shares", None, [8], 8.0, True])
    async def test_what_is_no_sentence_of_the_turn_is_no_quote(self, judge_server, odd):
        assert await self.judged(judge_server, 4, odd) == [
            Quote(turn=2, start=7, end=16, text="I am Ada."),
            None,
        ]

    async def test_a_turn_of_one_sentence_rests_on_it(self, judge_server):
        judge_server.default = names(0, 0)
        case = said("a", "I am Pi.", "b", "Yes. No.", chatbot_role="r")
        async with judge_at(judge_server) as judge:
            outcome = await found(RoleAdherenceMetric(), case, judge)
        assert quotes_of(outcome) == [Quote(turn=2, start=0, end=8, text="I am Pi."), None]

    @given(st.lists(st.integers(-3, 12) | st.text(max_size=4) | st.none(), min_size=2, max_size=2))
    def test_whatever_is_named_a_quote_is_verbatim(self, given_numbers):
        sentences = NumberedSentences.of(CASE.turns)
        for turn, number in zip((2, 4), given_numbers, strict=True):
            quote = sentences.named(number, turn)
            content = CASE.turns[turn - 1].content
            assert quote is None or content[quote.start : quote.end] == quote.text


async def test_what_passes_needs_no_quote(judge_server):
    entry = {"reason": "r", "verdict": "yes", "sentence": 4}
    judge_server.default = says({"turn_2": entry, "turn_4": entry})
    async with judge_at(judge_server) as judge:
        outcome = await found(RoleAdherenceMetric(), CASE, judge)
    assert isinstance(outcome, Score)
    assert [verdict.quote for verdict in outcome.verdicts] == [None, None]


async def test_a_verdict_on_a_statement_rests_on_the_statement_without_asking(judge_server):
    judge_server.default = says(
        {"statement_1": {"reason": "r", "verdict": "yes"}, "statement_2": {"reason": "r", "verdict": "no"}}
    )
    case = LLMTestCase(input="a", actual_output="One holds.\n- Two is wrong.", retrieval_context=["p"])
    async with judge_at(judge_server) as judge:
        outcome = await found(FaithfulnessMetric(), case, judge)
    assert quotes_of(outcome) == [Quote(turn=2, start=13, end=26, text="Two is wrong.")]
    assert "[s" not in judge_server.requests[0].text


async def test_a_contradiction_rests_on_the_later_sentence(judge_server):
    judge_server.default = says(
        {"turn_4": {"reason": "r", "earlier_turn": 2, "verdict": "yes", "sentence": 8}}
    )
    async with judge_at(judge_server) as judge:
        outcome = await found(ContradictionMetric(), CASE, judge)
    assert [quote.text for quote in quotes_of(outcome) if quote] == ["Buy shares of the mill now."]


async def test_a_low_grade_rests_on_a_sentence_and_a_high_one_on_none(judge_server):
    judge_server.default = says(
        {
            "turn_2": {"reason": "r", "goal": 4, "plan": 1, "sentence": 4},
            "turn_4": {"reason": "r", "goal": 4, "plan": 4, "sentence": 8},
        }
    )
    async with judge_at(judge_server) as judge:
        outcome = await found(GoalAccuracyMetric(), CASE, judge)
    assert isinstance(outcome, Score)
    quoted = {(verdict.turn, verdict.about): verdict.quote for verdict in outcome.verdicts}
    assert quoted == {
        (2, "goal"): None,
        (2, "plan"): Quote(turn=2, start=7, end=16, text="I am Ada."),
        (4, "goal"): None,
        (4, "plan"): None,
    }


class TestSmallJudge:
    async def test_it_may_write_only_how_a_sentence_of_the_turn_begins(self, judge_server):
        judge_server.default = says({"reason": "r", "verdict": "no", "quote": "Buy shares of the mill now."})
        async with judge_at(judge_server, items_per_question=1) as judge:
            outcome = await found(RoleAdherenceMetric(), CASE, judge)
        offered = [
            request.body["response_format"]["json_schema"]["schema"]["properties"]["quote"]["enum"]
            for request in judge_server.requests
        ]
        assert ["", "Good day.", "Buy shares of the mill now.", "Shall I do it?"] in offered
        assert [quote.text if quote else None for quote in quotes_of(outcome)] == [
            None,
            "Buy shares of the mill now.",
        ]

    def test_sentences_that_begin_alike_are_one(self):
        content = f"{'so ' * 30}one. {'so ' * 30}two. No."
        assert [quote.start for quote in beginnings(content.replace("so so", "So so"), 1).values()] == [
            0,
            190,
        ]


class TestPlaces:
    QUOTE = Quote(turn=1, start=4, end=7, text="tea")

    @pytest.mark.parametrize(
        ("content", "place"),
        [("The tea", (4, 7)), ("The tea, tea", (4, 7)), ("A cup of tea", (9, 12)), ("Coffee", None)],
    )
    def test_words_are_found_where_they_stood_else_where_they_stand_now(self, content, place):
        assert self.QUOTE.place_in(content) == place


def test_a_verdict_has_no_quote_unless_one_is_given():
    assert Verdict(turn=1, passed=False, word="no").quote is None
    assert isinstance(CASE, ConversationalTestCase)
