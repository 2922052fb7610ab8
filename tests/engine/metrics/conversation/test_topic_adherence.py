"""Topic adherence: topics answered and other matters declined, over exchanges that ask for something."""

import pytest
from judge_server import Request, says
from judged import found, gives, judge_at
from stored import said

from turnwise.conversations import Score
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import TopicAdherenceMetric
from turnwise.engine.metrics.registry import make_metric

CASE = said("a", "b", "c", "d", "e", "f", "g", "h", "left alone")


async def judged(server, words: list[str]) -> Score:
    server.script(gives("turn", dict(zip((2, 4, 6, 8), words, strict=True))))
    async with judge_at(server) as judge:
        outcome = await found(TopicAdherenceMetric(relevant_topics=["bags"]), CASE, judge)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["answered", "declined", "answered", "declined"], 1.0),
        (["answered", "declined", "strayed", "withheld"], 0.5),
        (["strayed", "withheld", "strayed", "withheld"], 0.0),
        (["answered", "none", "strayed", "none"], 0.5),
        (["none", "none", "none", "none"], 0.0),
    ],
)
async def test_the_score_is_what_kept_to_the_topics(judge_server, words, value):
    outcome = await judged(judge_server, words)
    assert outcome.score == value
    assert len(judge_server.requests) == 1


async def test_a_user_that_nobody_answered_scores_nothing_and_nobody_is_asked(judge_server):
    async with judge_at(judge_server) as judge:
        outcome = await found(TopicAdherenceMetric(relevant_topics="bags"), said("a"), judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.reason) == (0.0, "There is no exchange to judge.")
    assert judge_server.requests == []


@pytest.mark.parametrize(
    ("about", "taken", "word", "calls"),
    [
        ("yes", "yes", "answered", 2),
        ("yes", "no", "withheld", 2),
        ("no", "yes", "strayed", 2),
        ("no", "no", "declined", 2),
        ("none", "", "none", 1),
    ],
)
async def test_a_small_judge_is_asked_two_narrow_questions(judge_server, about, taken, word, calls):
    def one(request: Request):
        topics = "Topics: bags; coats" in request.body["messages"][-1]["content"]
        return says({"reason": "r", "verdict": about if topics else taken})

    judge_server.default = one
    async with judge_at(judge_server, items_per_question=1) as judge:
        metric = TopicAdherenceMetric(relevant_topics=["bags", "coats"])
        outcome = await found(metric, said("a", "b"), judge)
    assert isinstance(outcome, Score)
    assert [verdict.word for verdict in outcome.verdicts] == [word]
    assert len(judge_server.requests) == calls


def test_topics_are_needed_and_may_be_typed():
    assert make_metric("topic_adherence:bags, lost property").relevant_topics == ["bags", "lost property"]
    for given in ([], "", [" "]):
        with pytest.raises(SettingError, match="needs relevant_topics"):
            TopicAdherenceMetric(relevant_topics=given)
    one, other = (TopicAdherenceMetric(relevant_topics=[topic]) for topic in ("bags", "coats"))
    assert one.fingerprint != other.fingerprint
