"""Answer relevancy: the share of a reply's statements that have to do with the question."""

import pytest
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, Score, Skipped
from turnwise.engine.metrics import AnswerRelevancyMetric

REPLY = "It is in Oslo. Thanks for asking! I like trains."


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ({1: "yes", 2: "borderline", 3: "no"}, 2 / 3),
        ({1: "yes", 2: "idk", 3: "yes"}, 1.0),
        ({1: "no", 2: "no", 3: "no"}, 0.0),
    ],
)
async def test_borderline_statements_count_as_relevant(judge_server, words, value):
    judge_server.script(gives("statement", words))
    async with judge_at(judge_server) as judge:
        outcome = await found(AnswerRelevancyMetric(), said("x", "y", "Where is my bag?", REPLY), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == pytest.approx(value)
    assert outcome.exchange == 2
    assert [(verdict.turn, verdict.about) for verdict in outcome.verdicts] == [
        (4, "It is in Oslo."),
        (4, "Thanks for asking!"),
        (4, "I like trains."),
    ]
    [request] = judge_server.requests
    assert asked_about(request) == [1, 2, 3]
    assert "turn 3" in request.text


async def test_statements_are_tied_to_the_turn_they_stand_in(judge_server):
    turns = [("user", "a"), ("assistant", "One. Two."), ("assistant", "Three.")]
    case = ConversationalTestCase(turns=[{"role": role, "content": content} for role, content in turns])
    judge_server.script(gives("statement", {1: "yes", 2: "no", 3: "no"}))
    async with judge_at(judge_server) as judge:
        outcome = await found(AnswerRelevancyMetric(), case, judge)
    assert isinstance(outcome, Score)
    assert [verdict.turn for verdict in outcome.verdicts] == [2, 2, 3]
    assert outcome.reason == "2 of 3 statements lead away from the question (turns 2, 3): reason 2"


async def test_the_judge_sees_nothing_that_came_after_the_exchange(judge_server):
    async with judge_at(judge_server) as judge:
        await found(AnswerRelevancyMetric(), said("first", "reply", "later", "end"), judge, exchange=1)
    assert "reply" in judge_server.requests[0].text
    assert "later" not in judge_server.requests[0].text


async def test_a_single_exchange_is_judged_like_the_last_of_a_conversation(judge_server):
    judge_server.script(gives("statement", {1: "yes"}))
    async with judge_at(judge_server) as judge:
        outcome = await found(AnswerRelevancyMetric(), LLMTestCase(input="a", actual_output="b"), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 1


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (LLMTestCase(input="a"), "the chatbot never answered"),
        (LLMTestCase(input="a", actual_output=""), "the case has no actual_output"),
        (LLMTestCase(input="", actual_output="b"), "the case has no input"),
    ],
)
async def test_what_has_no_question_or_no_answer_is_skipped(judge_server, case, reason):
    async with judge_at(judge_server) as judge:
        outcome = await found(AnswerRelevancyMetric(), case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == reason
    assert judge_server.requests == []


async def test_a_reply_without_statements_scores_one(judge_server):
    async with judge_at(judge_server) as judge:
        outcome = await found(AnswerRelevancyMetric(), said("a", "…!"), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 1
    assert judge_server.requests == []
