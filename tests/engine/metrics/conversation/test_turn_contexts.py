"""Turn faithfulness and turn contextual precision, recall and relevancy: means over sliding windows."""

import pytest
from judge_server import Request, says
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import (
    TurnContextualPrecisionMetric,
    TurnContextualRecallMetric,
    TurnContextualRelevancyMetric,
    TurnFaithfulnessMetric,
)

ALL = (
    TurnFaithfulnessMetric,
    TurnContextualPrecisionMetric,
    TurnContextualRecallMetric,
    TurnContextualRelevancyMetric,
)


def case(*passages: list[str] | None, reply: str = "One. Two.", **fields) -> ConversationalTestCase:
    """Return a conversation with an exchange for each list of passages."""
    turns: list[dict[str, object]] = []
    for given in passages:
        turns += [{"role": "user", "content": "a"}, {"role": "assistant", "content": reply}]
        if given is not None:
            turns[-1]["retrieval_context"] = given
    return ConversationalTestCase(turns=turns, **{"expected_outcome": "Known. Done.", **fields})


async def judged(server, metric, conversation, *steps, **settings) -> Score:
    server.script(*steps)
    async with judge_at(server, **settings) as judge:
        outcome = await found(metric, conversation, judge)
    assert isinstance(outcome, Score)
    return outcome


def words(noun: str, *given: str):
    return gives(noun, dict(enumerate(given, start=1)))


@pytest.mark.parametrize(
    ("window", "value"), [(10, (1 / 2 + 1 / 4 + 3 / 6) / 3), (2, (1 / 2 + 1 / 4 + 2 / 4) / 3), (1, 1.5 / 3)]
)
async def test_faithfulness_is_the_mean_share_of_claims_over_windows(judge_server, window, value):
    step = words("statement", "yes", "no", "no", "no", "yes", "yes")
    metric = TurnFaithfulnessMetric(window_size=window)
    outcome = await judged(judge_server, metric, case(["p"], ["q"], ["r"]), step)
    assert outcome.score == pytest.approx(value)
    assert outcome.details["share"] == 0.5
    assert len(judge_server.requests) == 1
    assert [verdict.turn for verdict in outcome.verdicts] == [2, 2, 4, 4, 6, 6]


@pytest.mark.parametrize(("penalize", "value"), [(False, 1.0), (True, 0.5)])
async def test_silent_passages_count_for_a_claim_unless_told_otherwise(judge_server, penalize, value):
    metric = TurnFaithfulnessMetric(penalize_ambiguous_claims=penalize)
    outcome = await judged(judge_server, metric, case(["p"]), words("statement", "yes", "idk"))
    assert outcome.score == value


async def test_a_claim_is_held_against_the_passages_that_were_at_hand_by_then(judge_server):
    judge_server.default = lambda request: gives("statement", dict.fromkeys(asked_about(request), "yes"))
    conversation = case(None, ["p"], None, None, reply="One.")
    narrow = TurnFaithfulnessMetric(window_size=2)
    outcome = await judged(judge_server, narrow, conversation)
    assert [verdict.turn for verdict in outcome.verdicts] == [4, 6]
    wide = await judged(judge_server, TurnFaithfulnessMetric(), conversation)
    assert [verdict.turn for verdict in wide.verdicts] == [4, 6, 8]
    assert "back to 1 exchange before" in judge_server.requests[0].text
    assert "(turn 4) p" in judge_server.requests[0].text


async def test_a_small_judge_sees_the_passages_of_the_window(judge_server):
    asked = []

    def one(request: Request):
        asked.append(request.body["messages"][-1]["content"])
        return says({"reason": "r", "verdict": "yes"})

    judge_server.default = one
    metric = TurnFaithfulnessMetric(window_size=1)
    await judged(judge_server, metric, case(["p"], ["q"], reply="One."), items_per_question=1)
    assert sorted(text.split("\n")[0] for text in asked) == ["Passage: p", "Passage: q"]


@pytest.mark.parametrize(
    ("given", "value"),
    [
        (("yes", "no", "no", "yes"), (1 + (1 + 2 / 4) / 2) / 2),
        (("no", "yes", "yes", "yes"), (1 / 2 + (1 / 2 + 2 / 3 + 3 / 4) / 3) / 2),
        (("no", "no", "no", "no"), 0.0),
        (("yes", "yes", "yes", "yes"), 1.0),
    ],
)
async def test_precision_is_the_mean_average_precision_over_windows(judge_server, given, value):
    outcome = await judged(
        judge_server, TurnContextualPrecisionMetric(), case(["p", "q"], ["r", "s"]), words("passage", *given)
    )
    assert outcome.score == pytest.approx(value)
    assert "Known. Done." in judge_server.requests[0].text


@pytest.mark.parametrize(
    ("given", "value"), [(("yes", "no", "no"), (1 / 2 + 1 / 3) / 2), (("no", "no", "yes"), (0 + 1 / 3) / 2)]
)
async def test_relevancy_is_the_mean_share_of_passages_over_windows(judge_server, given, value):
    outcome = await judged(
        judge_server, TurnContextualRelevancyMetric(), case(["p", "q"], ["r"]), words("passage", *given)
    )
    assert outcome.score == pytest.approx(value)


@pytest.mark.parametrize("kind", [TurnContextualPrecisionMetric, TurnContextualRelevancyMetric])
async def test_a_window_without_passages_counts_1(judge_server, kind):
    outcome = await judged(judge_server, kind(), case(None, ["p"]), words("passage", "no"))
    assert outcome.score == 0.5


def carried(*passages: list[object]):
    return says(
        {f"statement_{n}": {"reason": f"reason {n}", "passages": one} for n, one in enumerate(passages, 1)}
    )


@pytest.mark.parametrize(
    ("first", "second", "window", "value"),
    [
        ([1], [2], 10, (1 / 2 + 1 + 1) / 3),
        ([1], [2], 1, (1 / 2 + 1 / 2 + 1) / 3),
        ([], [], 10, (0 + 0 + 0) / 3),
        ([1, 2], [1], 10, 1.0),
        ([99], ["2"], 10, (0 + 1 / 2 + 1 / 2) / 3),
    ],
)
async def test_recall_is_the_mean_share_of_the_outcome_over_windows(
    judge_server, first, second, window, value
):
    metric = TurnContextualRecallMetric(window_size=window)
    outcome = await judged(judge_server, metric, case(["p"], ["q"], None), carried(first, second))
    # The third exchange brings no passage: alone in its window it counts 1.
    assert outcome.score == pytest.approx(value)
    assert len(judge_server.requests) == 1


async def test_recall_ties_a_statement_to_the_turn_of_its_first_passage(judge_server):
    outcome = await judged(
        judge_server, TurnContextualRecallMetric(), case(["p"], ["q"]), carried([2, 99], [])
    )
    assert [(one.turn, one.word, one.about) for one in outcome.verdicts] == [
        (4, "yes", "Known."),
        (None, "no", "Done."),
    ]
    assert outcome.reason == "1 of 2 statements stands in no passage: reason 2"


async def test_a_small_judge_is_asked_of_each_exchange_that_has_passages(judge_server):
    def one(request: Request):
        last = request.body["messages"][-1]["content"]
        return says({"reason": "r", "verdict": "yes" if "Passage: q" in last else "no"})

    judge_server.default = one
    outcome = await judged(
        judge_server, TurnContextualRecallMetric(), case(["p"], ["q"], None), items_per_question=1
    )
    assert outcome.score == pytest.approx((0 + 1 + 1) / 3)
    assert len(judge_server.requests) == 4


@pytest.mark.parametrize("kind", ALL)
async def test_without_passages_it_is_skipped_and_the_window_is_checked(kind):
    outcome = await found(kind(), said("a", "b", expected_outcome="Done."), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no retrieval_context"
    with pytest.raises(SettingError, match="window_size is at least 1"):
        kind(window_size=0)
    assert kind(window_size=3).fingerprint != kind().fingerprint


@pytest.mark.parametrize("kind", [TurnContextualPrecisionMetric, TurnContextualRecallMetric])
async def test_without_a_hoped_for_outcome_it_is_skipped(kind):
    outcome = await found(kind(), case(["p"], expected_outcome=None), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no expected_outcome"


@pytest.mark.parametrize("kind", ALL)
async def test_passages_that_no_exchange_holds_score_1_and_nobody_is_asked(judge_server, kind):
    turns = [{"role": "assistant", "content": "Hello.", "retrieval_context": ["p"]}]
    outcome = await judged(
        judge_server, kind(), ConversationalTestCase(turns=turns, expected_outcome="Done.")
    )
    assert outcome.score == 1
    assert judge_server.requests == []
