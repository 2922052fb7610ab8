"""Contextual precision: the average precision of a ranking of passages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import found, gives, judge_at
from judged_metrics import exchange

from turnwise.conversations import Score, Skipped, Verdict
from turnwise.engine.metrics import ContextualPrecisionMetric
from turnwise.engine.metrics.last_turn.contextual_precision import average_precision


def ranked(*useful: bool) -> list[Verdict]:
    return [Verdict(turn=2, passed=passed, word="w") for passed in useful]


@pytest.mark.parametrize(
    ("useful", "value"),
    [
        ((), 0.0),
        ((False, False), 0.0),
        ((True, False, False), 1.0),
        ((False, True), 0.5),
        ((True, False, True), (1 + 2 / 3) / 2),
        ((False, False, True), 1 / 3),
        ((True, True), 1.0),
    ],
)
def test_it_is_the_mean_precision_at_the_ranks_of_useful_passages(useful, value):
    assert average_precision(ranked(*useful)) == pytest.approx(value)


@given(st.lists(st.booleans(), max_size=12))
def test_it_stays_between_0_and_1_and_is_1_only_where_all_useful_ones_stand_first(useful):
    value = average_precision(ranked(*useful))
    assert 0 <= value <= 1
    assert (value == 1) == (bool(useful) and useful[0] and useful == sorted(useful, reverse=True))


async def test_the_judge_sees_the_expected_answer_and_the_passages_in_their_order(judge_server):
    judge_server.script(gives("passage", {1: "no", 2: "yes", 3: "no"}))
    async with judge_at(judge_server) as judge:
        outcome = await found(ContextualPrecisionMetric(), exchange(), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 0.5
    assert outcome.reason == "2 of 3 passages do not help to answer (turn 2): reason 1"
    text = judge_server.requests[0].text
    assert "expected answer 1] Hopefully The first" in text
    assert text.index("passage 1] The first") < text.index("passage 3] The third")


async def test_without_passages_it_is_0_and_asks_nothing(judge_server):
    case = exchange().model_copy(update={"retrieval_context": []})
    async with judge_at(judge_server) as judge:
        outcome = await found(ContextualPrecisionMetric(), case, judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, judge_server.requests) == (0, [])


@pytest.mark.parametrize("field", ["expected_output", "retrieval_context"])
async def test_what_says_nothing_of_passages_or_of_the_answer_hoped_for_is_skipped(judge_server, field):
    case = exchange().model_copy(update={field: None})
    async with judge_at(judge_server) as judge:
        outcome = await found(ContextualPrecisionMetric(), case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == f"the case has no {field}"
