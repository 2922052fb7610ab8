"""Knowledge precision: words of the reply looked up in its passages, refusals left out."""

import pytest
from judged import found

from turnwise.conversations import LLMTestCase, Score, Skipped
from turnwise.engine.metrics import KnowledgePrecisionMetric
from turnwise.engine.metrics.deterministic.knowledge_precision import NOTHING_CLAIMED

PASSAGES = ["The tower opens at 10 and closes at 17.", "Children under six enter free."]


async def judged(reply: str, passages: list[str] | None = PASSAGES) -> Score:
    case = LLMTestCase(input="When?", actual_output=reply, retrieval_context=passages)
    outcome = await found(KnowledgePrecisionMetric(), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("It opens at 10.", 1),
        ("The tower opens at 11.", 2 / 3),
        ("Bring an umbrella.", 0),
        ("Children enter free. Dogs pay.", 3 / 5),
    ],
)
async def test_the_score_is_the_share_of_content_words_that_the_passages_hold(reply, score):
    assert (await judged(reply)).score == pytest.approx(score)


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, I do not have any information about dogs.",
        "The documents do not mention dogs.",
        "Unfortunately, I couldn't find that.",
        "…",
    ],
)
async def test_a_reply_that_claims_nothing_is_neither_carried_nor_made_up(reply):
    outcome = await judged(reply)
    assert outcome.score == NOTHING_CLAIMED
    assert outcome.reason == "The reply claims nothing."


async def test_what_goes_beside_a_refusal_counts():
    outcome = await judged("The passages do not say who built it. It was built by Brunel.")
    assert outcome.score == 0
    assert outcome.reason == "0 of 2 content words stand in the passages. Not there: Brunel, built."


async def test_a_negation_that_is_a_claim_is_looked_up():
    assert (await judged("Dogs are not allowed.")).score == 0


async def test_every_sentence_has_a_verdict_that_names_what_is_missing():
    first, second = (await judged("The tower opens at 10. Dogs pay 3 coins in Lisbon.")).verdicts
    assert (first.turn, first.passed, first.reason) == (2, True, "")
    assert (second.passed, second.about) == (False, "Dogs pay 3 coins in Lisbon.")
    assert second.reason == "Not in the passages: Dogs, 3, Lisbon, pay, coins."


async def test_with_no_passage_found_every_claim_is_made_up_and_no_refusal_is():
    assert (await judged("It opens at 10.", [])).score == 0
    assert (await judged("I have no information on that.", [])).score == NOTHING_CLAIMED


async def test_without_passages_it_does_not_apply():
    case = LLMTestCase(input="When?", actual_output="At ten.")
    assert isinstance(await found(KnowledgePrecisionMetric(), case, None), Skipped)
