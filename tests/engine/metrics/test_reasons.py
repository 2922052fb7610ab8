"""Reasons: one sentence that says how many, which and why, and names only turns that were judged."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import Verdict
from turnwise.engine.metrics.reasons import turns_named, turns_reason


def verdict(turn: int | None, passed: bool | None, reason: str = "") -> Verdict:
    return Verdict(turn=turn, passed=passed, word="w", reason=reason)


def reason(*verdicts: Verdict, noun: str = "reply") -> str:
    return turns_reason(verdicts, good="stay in role", bad="break role", noun=noun)


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        ([], "There is no reply to judge."),
        ([verdict(2, None)], "There is no reply to judge."),
        ([verdict(2, True)], "The only reply stays in role."),
        ([verdict(2, True), verdict(4, True)], "All 2 replies stay in role."),
        ([verdict(2, False)], "1 of 1 replies breaks role (turn 2)."),
        (
            [verdict(2, True), verdict(4, False, "It sells shoes."), verdict(6, False, "Again.")],
            "2 of 3 replies break role (turns 4, 6): It sells shoes.",
        ),
        ([verdict(None, False, "Left open."), verdict(2, True)], "1 of 2 replies breaks role: Left open."),
        ([verdict(4, False), verdict(4, False)], "2 of 2 replies break role (turn 4)."),
    ],
)
def test_a_reason_reads(verdicts, text):
    assert reason(*verdicts) == text


def test_nouns_and_verbs_bend():
    assert turns_reason([verdict(2, True)], good="are dealt with", bad="x", noun="request") == (
        "The only request is dealt with."
    )
    assert turns_reason([verdict(2, True)] * 2, good="stand there", bad="x", noun="claim") == (
        "All 2 claims stand there."
    )
    assert turns_reason([verdict(2, False)], good="x", bad="switch sides") == (
        "1 of 1 replies switches sides (turn 2)."
    )


def test_many_turns_are_named_by_the_first_six():
    assert turns_named([4]) == "turn 4"
    assert turns_named(range(1, 10)) == "turns 1, 2, 3, 4, 5, 6 and 3 more"


@given(st.lists(st.tuples(st.integers(1, 99), st.booleans())))
def test_only_turns_that_failed_are_named(pairs):
    text = reason(*[verdict(turn, passed) for turn, passed in pairs])
    inside = re.search(r"\((.*)\)", text)
    named = {int(number) for number in re.findall(r"\d+", inside[1].split(" and ")[0])} if inside else set()
    assert named <= {turn for turn, passed in pairs if not passed}
