"""Contextual recall, contextual relevancy and hallucination: shares over passages, and their empty cases."""

import pytest
from judged import asked_about, found, gives, judge_at
from judged_metrics import exchange

from turnwise.conversations import LLMTestCase, RetrievedContext, Score, Skipped
from turnwise.engine.metrics import (
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    HallucinationMetric,
)


async def judged(server, metric, *steps, **fields):
    server.script(*steps)
    async with judge_at(server) as judge:
        return await found(metric, exchange().model_copy(update=fields), judge)


@pytest.mark.parametrize(
    ("metric", "fields", "value", "reason"),
    [
        (ContextualRecallMetric, {"retrieval_context": []}, 0.0, "No passage was retrieved."),
        (ContextualRecallMetric, {"expected_output": "…"}, 0.0, "The expected output states nothing."),
        (ContextualRelevancyMetric, {"retrieval_context": []}, 0.0, "No passage was retrieved."),
        (ContextualRelevancyMetric, {"retrieval_context": ["…"]}, 0.0, "No passage was retrieved."),
        (HallucinationMetric, {"context": []}, 1.0, "There is no context to judge."),
    ],
)
async def test_where_there_is_nothing_to_judge_nothing_is_asked(judge_server, metric, fields, value, reason):
    outcome = await judged(judge_server, metric(), **fields)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.reason) == (value, reason)
    assert judge_server.requests == []


@pytest.mark.parametrize(
    ("metric", "field"),
    [
        (ContextualRecallMetric, "retrieval_context"),
        (ContextualRecallMetric, "expected_output"),
        (ContextualRelevancyMetric, "retrieval_context"),
        (HallucinationMetric, "context"),
    ],
)
async def test_a_case_without_the_field_is_skipped(judge_server, metric, field):
    outcome = await judged(judge_server, metric(), **{field: None})
    assert isinstance(outcome, Skipped)
    assert outcome.reason == f"the case has no {field}"


async def test_recall_asks_about_the_sentences_of_the_expected_output(judge_server):
    passages = ["Open from nine.", RetrievedContext(context="Closed after six.", source="web")]
    outcome = await judged(
        judge_server,
        ContextualRecallMetric(),
        gives("statement", {1: "yes", 2: "no"}),
        expected_output="It opens at nine. Parking is free.",
        retrieval_context=passages,
    )
    assert outcome.score == 0.5
    assert outcome.reason == "1 of 2 expected statements is missing in the passages (turn 2): reason 2"
    text = judge_server.requests[0].text
    for shown in ("passage 2] Closed after six.", "statement 2] Parking is free."):
        assert shown in text


async def test_relevancy_counts_the_sentences_of_all_passages(judge_server):
    outcome = await judged(
        judge_server,
        ContextualRelevancyMetric(),
        gives("statement", {1: "yes", 2: "no", 3: "no"}),
        retrieval_context=["It opens at nine. The walls are blue.", "Cats sleep."],
    )
    assert outcome.score == pytest.approx(1 / 3)
    assert [verdict.about for verdict in outcome.verdicts] == [
        "It opens at nine.",
        "The walls are blue.",
        "Cats sleep.",
    ]


async def test_relevancy_of_very_long_passages_is_asked_in_parts(judge_server):
    judge_server.default = lambda request: gives("statement", dict.fromkeys(asked_about(request), "yes"))
    long = [" ".join(f"Word {number} stands here." for number in range(40)) for _ in range(5)]
    outcome = await judged(judge_server, ContextualRelevancyMetric(), retrieval_context=long)
    assert outcome.score == 1
    assert [len(asked_about(request)) for request in judge_server.requests] == [150, 50]


async def test_hallucination_is_the_share_of_contexts_that_are_not_contradicted(judge_server):
    case = LLMTestCase(input="When?", actual_output="At ten.", context=["Open from nine.", "Dogs may come."])
    judge_server.script(gives("passage", {1: "no", 2: "yes"}))
    async with judge_at(judge_server) as judge:
        outcome = await found(HallucinationMetric(threshold=0.7), case, judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.passed) == (0.5, False)
    assert outcome.reason == "1 of 2 contexts is contradicted (turn 2): reason 1"


@pytest.mark.parametrize(
    ("metric", "noun"),
    [
        (ContextualPrecisionMetric, "passage"),
        (ContextualRecallMetric, "statement"),
        (ContextualRelevancyMetric, "statement"),
    ],
)
async def test_what_was_retrieved_can_be_judged_before_there_is_a_reply(judge_server, metric, noun):
    step = gives(noun, {1: "yes", 2: "yes", 3: "yes"})
    outcome = await judged(judge_server, metric(), step, actual_output=None)
    assert isinstance(outcome, Score)
    assert outcome.score == 1
    assert {verdict.turn for verdict in outcome.verdicts} == {None}
    assert "[" not in outcome.reason
