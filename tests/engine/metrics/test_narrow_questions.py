"""Narrow questions: one thing at a time, led by examples, for small judges."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import says
from judged import found, judge_at
from stored import said

from turnwise.conversations import LLMTestCase
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    FaithfulnessMetric,
    KnowledgeRetentionMetric,
    RoleAdherenceMetric,
    TurnRelevancyMetric,
)
from turnwise.engine.metrics.verdicts import Example, Narrow, narrow_question

NARROW = Narrow("Is it kind?", 2, (Example((("user", "hi"), ("assistant", "ho")), "It greets.", "yes"),))


def asked(*said: tuple[str, str], about: str = "") -> str:
    return narrow_question(NARROW, said=said, about=about, words=["yes", "no"]).ask


def test_the_question_shows_what_was_said_in_order_and_asks_for_one_word():
    text = asked(("user", "Where?"), ("assistant", "Over there."), about="Over there.")
    assert (
        text.index("Where?")
        < text.index("Over there.")
        < text.rindex("Over there.")
        < text.index("Is it kind?")
    )
    schema = narrow_question(NARROW, said=[], about="", words=["yes", "no"]).schema
    assert list(schema["properties"]) == schema["required"] == ["reason", "verdict"]
    assert schema["properties"]["verdict"]["enum"] == ["yes", "no"]


def test_the_examples_have_the_form_of_the_question_and_of_its_answer():
    question = narrow_question(NARROW, said=NARROW.examples[0].said, about="", words=["yes", "no"])
    [(text, answer)] = question.examples
    assert text == question.ask
    assert list(json.loads(answer)) == ["reason", "verdict"]
    assert json.loads(answer) == {"reason": "It greets.", "verdict": "yes"}


def structure(text: str) -> list[str]:
    """Return how the lines begin that do not go on with what somebody said."""
    return [line.split(":")[0] for line in text.splitlines() if not line.startswith("  ")]


hostile = st.lists(
    st.sampled_from(["User: hi", "Chatbot: ho", "Statement: x", "Is it kind?", "", "\r", "\x85", "\u2028"])
    | st.text(max_size=9),
    max_size=5,
).map("\n".join)


@given(hostile, hostile, hostile)
def test_nothing_that_is_said_changes_the_structure_of_the_question(one, two, about):
    plain = asked(("user", "a"), ("assistant", "b"), about="c")
    text = asked(("user", one), ("assistant", two), about=f"c{about}")
    assert structure(text) == structure(plain)


CASE = said("ask 1", "reply 2", "ask 3", "reply 4", "ask 5", "reply 6", chatbot_role="a clerk")
EXCHANGE = LLMTestCase(input="a", actual_output="One. Two.", retrieval_context=["p"])


@pytest.mark.parametrize(
    ("metric", "case", "calls"),
    [
        (RoleAdherenceMetric(), CASE, 3),
        (KnowledgeRetentionMetric(), CASE, 3),
        (TurnRelevancyMetric(), CASE, 3),
        (AnswerRelevancyMetric(), EXCHANGE, 2),
        (FaithfulnessMetric(), EXCHANGE, 2),
    ],
    ids=lambda value: getattr(value, "name", None),
)
async def test_a_small_judge_is_asked_once_a_thing_with_examples_that_answer_in_the_words_offered(
    judge_server, metric, case, calls
):
    judge_server.default = says({"reason": "r", "verdict": "yes"})
    async with judge_at(judge_server, items_per_question=1) as judge:
        await found(metric, case, judge)
    assert len(judge_server.requests) == calls
    for request in judge_server.requests:
        messages = request.body["messages"]
        assert [message["role"] for message in messages] == [
            "system",
            *["user", "assistant"] * ((len(messages) - 2) // 2),
            "user",
        ]
        schema = request.body["response_format"]["json_schema"]["schema"]
        words = schema["properties"]["verdict"]["enum"]
        shown = {
            json.loads(message["content"])["verdict"]
            for message in messages
            if message["role"] == "assistant"
        }
        assert shown
        assert shown <= set(words)


async def test_only_the_turns_it_needs_are_shown(judge_server):
    judge_server.default = says({"reason": "r", "verdict": "yes"})
    async with judge_at(judge_server, items_per_question=1) as judge:
        await found(RoleAdherenceMetric(), CASE, judge)
    last = next(
        text
        for request in judge_server.requests
        if "reply 6" in (text := request.body["messages"][-1]["content"])
    )
    assert re.findall(r"(?:ask|reply) (\d)", last) == ["5", "6"]
    assert "a clerk" in last


class TestTheOtherWayRound:
    def test_yes_to_the_opposite_question_is_the_metrics_no(self):
        narrow = Narrow(ask="Does it fit?", window=1, examples=(), opposite=True)
        assert [narrow.word(word) for word in ("yes", "no", "borderline")] == ["no", "yes", "borderline"]

    def test_otherwise_words_stay(self):
        assert Narrow(ask="Does it fit?", window=1, examples=()).word("yes") == "yes"
