"""Latency, reply length and conversation length: thresholds on what replies and conversations take."""

import pytest
from judged import found
from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import ConversationLengthMetric, LatencyMetric, ReplyLengthMetric
from turnwise.engine.metrics.subject import Subject


def timed(*milliseconds: float | None) -> ConversationalTestCase:
    turns = []
    for given in milliseconds:
        turns += [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
        if given is not None:
            turns[-1]["latency_ms"] = given
    return ConversationalTestCase(turns=turns)


async def scored(metric, case) -> Score:
    outcome = await found(metric, case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("times", "value"),
    [((900, 10_000), 1.0), ((900, 10_001), 0.5), ((20_000,), 0.0), ((900, None), 1.0), ((0,), 1.0)],
)
async def test_the_score_is_the_share_in_time(times, value):
    assert (await scored(LatencyMetric(), timed(*times))).score == value


async def test_the_slowest_is_named():
    outcome = await scored(LatencyMetric(max_seconds=2), timed(1000, 2500, 1500))
    assert outcome.reason == "1 of 3 replies takes longer than 2 s (turn 4): took 2.5 s"
    assert outcome.details == {"median_seconds": 1.5, "slowest_seconds": 2.5, "slowest_turn": 4}


async def test_the_time_of_a_test_case_is_that_of_its_reply():
    case = ConversationalTestCase(turns=[LLMTestCase(input="a", actual_output="b", completion_time=12.0)])
    assert (await scored(LatencyMetric(), case)).score == 0


@pytest.mark.parametrize("case", [timed(None), timed(-5), said("a")])
async def test_without_a_known_time_it_is_skipped(case):
    outcome = await found(LatencyMetric(), case, None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "no reply says how long it took"


def test_another_time_is_another_case():
    reads = LatencyMetric().reads
    one, same, other = (Subject.of(timed(time)) for time in (1, 1, 2))
    assert one.reads(reads) == same.reads(reads) != other.reads(reads)


@pytest.mark.parametrize(
    ("settings", "value"),
    [({}, 1.0), ({"max_words": 3}, 0.5), ({"min_words": 2}, 0.5), ({"min_words": 2, "max_words": 3}, 0.0)],
)
async def test_the_score_is_the_share_of_replies_of_that_length(settings, value):
    case = said("a", "one", "b", "one two three four", "c", " ")
    assert (await scored(ReplyLengthMetric(**settings), case)).score == value


async def test_lengths_and_their_growth_are_told():
    outcome = await scored(ReplyLengthMetric(max_words=3), said("a", "one", "b", "1 2 3", "c", "1 2 3 4 5"))
    assert outcome.reason == "1 of 3 replies has not 1 to 3 words (turn 6): 5 words, 2 too many"
    assert outcome.details == {"median_words": 3, "growth": 2.0}
    short = await scored(ReplyLengthMetric(min_words=2), said("a", "one"))
    assert short.verdicts[0].reason == "1 words, 1 too few"


@pytest.mark.parametrize(
    ("metric", "case", "told"),
    [
        (ReplyLengthMetric(), said("a"), "there is no reply in words"),
        (ConversationLengthMetric(), said(" "), "there is no turn in words"),
    ],
)
async def test_where_nothing_is_said_that_has_a_length_it_is_skipped(metric, case, told):
    outcome = await found(metric, case, None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == told


@pytest.mark.parametrize(
    ("turns", "value", "told"),
    [
        (1, 1.0, "The conversation has 1 turn."),
        (4, 1.0, "The conversation has 4 turns."),
        (5, 0.8, "The conversation has 5 turns, 1 more than 4."),
        (16, 0.25, "The conversation has 16 turns, 12 more than 4."),
    ],
)
async def test_turns_beyond_what_is_allowed_lower_the_score(turns, value, told):
    case = said(*(str(number) for number in range(turns)))
    outcome = await scored(ConversationLengthMetric(max_turns=4), case)
    assert (outcome.score, outcome.reason) == (value, told)


async def test_turns_without_words_take_no_length():
    assert (await scored(ConversationLengthMetric(max_turns=1), said("a", " "))).score == 1


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (LatencyMetric, {"max_seconds": 0}),
        (LatencyMetric, {"max_seconds": float("nan")}),
        (ReplyLengthMetric, {"min_words": 9, "max_words": 8}),
        (ReplyLengthMetric, {"min_words": -1}),
        (ConversationLengthMetric, {"max_turns": 0}),
    ],
)
def test_limits_that_mean_nothing_are_refused(kind, settings):
    with pytest.raises(SettingError):
        kind(**settings)
