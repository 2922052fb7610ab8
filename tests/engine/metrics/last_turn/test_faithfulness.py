"""Faithfulness: the share of a reply's claims that its passages do not speak against."""

import pytest
from judged import found, gives, judge_at

from turnwise.conversations import LLMTestCase, RetrievedContext, Score, Skipped
from turnwise.engine.metrics import FaithfulnessMetric

CASE = LLMTestCase(
    input="When?",
    actual_output="We open at nine. We close at five. Parking is free. May I help?",
    retrieval_context=["Open from nine.", RetrievedContext(context="Closed after six.", source="web")],
)
WORDS = {1: "yes", 2: "no", 3: "borderline", 4: "none"}


@pytest.mark.parametrize(
    ("settings", "words", "value"),
    [
        ({}, WORDS, 2 / 3),
        ({"penalize_ambiguous_claims": True}, WORDS, 1 / 3),
        ({}, dict.fromkeys(range(1, 5), "none"), 1.0),
        ({}, dict.fromkeys(range(1, 5), "no"), 0.0),
        ({}, dict.fromkeys(range(1, 5), "idk"), 1.0),
        ({"penalize_ambiguous_claims": True}, dict.fromkeys(range(1, 5), "idk"), 0.0),
    ],
)
async def test_silence_passes_unless_it_is_penalised_and_no_claim_does_not_count(
    judge_server, settings, words, value
):
    judge_server.script(gives("statement", words))
    async with judge_at(judge_server) as judge:
        outcome = await found(FaithfulnessMetric(**settings), CASE, judge)
    assert isinstance(outcome, Score)
    assert outcome.score == pytest.approx(value)


async def test_the_passages_are_fenced_by_the_mark_of_the_conversation(judge_server):
    async with judge_at(judge_server) as judge:
        await found(FaithfulnessMetric(), CASE, judge)
    text = judge_server.requests[0].text
    mark = text.split(" the conversation begins")[0].rsplit(" ", 1)[-1]
    assert f"[{mark} passage 1] Open from nine." in text
    assert f"[{mark} passage 2] Closed after six." in text
    assert f"[{mark} statement 3] Parking is free." in text


@pytest.mark.parametrize("passages", [None, []])
async def test_without_passages_it_is_skipped(judge_server, passages):
    case = CASE.model_copy(update={"retrieval_context": passages})
    async with judge_at(judge_server) as judge:
        outcome = await found(FaithfulnessMetric(), case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no retrieval_context"
