"""Repetition: replies that say something new, counted without a judge."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import found
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import RepetitionMetric
from turnwise.engine.metrics.deterministic.repetition import is_stuck, likeness, runs, text_words

MENU = "We have lemon cake, plum cake and apple pie today."
HOURS = "The shop opens at nine and closes at six every day."


async def judged(case: ConversationalTestCase, **settings) -> Score:
    outcome = await found(RepetitionMetric(**settings), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("replies", "value", "pairs"),
    [
        ([MENU, HOURS], 1.0, None),
        ([MENU, MENU], 0.5, [[2, 4]]),
        ([MENU, MENU.upper(), f"{MENU}!"], 1 / 3, [[2, 4], [2, 6]]),
        ([MENU, HOURS, MENU, HOURS], 0.5, [[2, 6], [4, 8]]),
        (["You're welcome!", "You're welcome!"], 1.0, None),
        ([MENU, MENU.replace("today", "this morning")], 1.0, None),
    ],
)
async def test_a_reply_said_again_counts_against_the_score(replies, value, pairs):
    outcome = await judged(said(*(text for reply in replies for text in ("?", reply))))
    assert outcome.score == pytest.approx(value)
    assert outcome.details.get("pairs") == pairs


async def test_the_reason_names_the_turns_and_how_often(judge_server):
    outcome = await judged(said("a", MENU, "b", MENU, "c", MENU))
    assert outcome.reason == "2 of 3 replies say nothing new (turns 4, 6): says turn 2 again"
    assert outcome.details["most_often"] == 3


async def test_how_like_and_how_long_are_settings():
    near = said("a", MENU, "b", MENU.replace("today", "this morning"))
    assert (await judged(near, likeness=0.5)).score == 0.5
    short = said("a", "You're welcome!", "b", "You're welcome!")
    assert (await judged(short, least_words=1)).score == 0.5
    for wrong in (0, 1.1):
        with pytest.raises(SettingError, match="likeness"):
            RepetitionMetric(likeness=wrong)


async def test_a_reply_that_goes_round_in_circles_is_stuck():
    outcome = await judged(said("a", "and then we go on " * 20))
    assert outcome.score == 0
    assert outcome.reason == "The only reply says nothing new (turn 2): repeats itself"
    assert (await judged(said("a", f"{MENU} {HOURS} {MENU}"))).score == 1


@pytest.mark.parametrize("case", [said("a", "😀"), said("a", "日本語の返事です。")])
async def test_nothing_said_again_is_1(case):
    assert (await judged(case)).score == 1


@pytest.mark.parametrize("case", [said("a"), said("a", "")])
async def test_where_the_chatbot_says_nothing_there_is_nothing_to_judge(case):
    skipped = await found(RepetitionMetric(), case, None)
    assert isinstance(skipped, Skipped)
    assert skipped.reason == "there is no reply in words"


async def test_scripts_without_spaces_are_compared_too():
    assert (
        await judged(said("a", "今日はレモンケーキがあります。", "b", "今日はレモンケーキがあります！"))
    ).score == 0.5


words = st.lists(st.sampled_from("abcdef"), max_size=40)


@given(words, words)
def test_likeness_is_the_same_both_ways_and_1_for_equals(first, second):
    one, other = Counter(runs(first, 3)), Counter(runs(second, 3))
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, one) == (1 if first else 0)


@given(st.text(max_size=200))
def test_any_text_has_words_and_can_be_looked_at(text):
    assert is_stuck(text_words(text)) in (True, False)


async def test_half_of_the_replies_are_enough_as_it_says_of_itself():
    half, fewer = [MENU, MENU], [MENU, MENU, MENU]
    outcomes = [
        await judged(said(*(text for reply in replies for text in ("?", reply)))) for replies in (half, fewer)
    ]
    assert [outcome.passed for outcome in outcomes] == [True, False]
    assert "half of the replies or more say something new" in (RepetitionMetric.__doc__ or "")
