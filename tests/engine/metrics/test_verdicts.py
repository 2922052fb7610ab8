"""Verdicts: one for each thing asked about, whatever the judge makes of the form, and what they make."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import Request, says
from judged import asked_about, found, gives, judge_at, verdicts
from stored import said

from turnwise.conversations import Failure, Score, Verdict
from turnwise.engine.metrics import RoleAdherenceMetric
from turnwise.engine.metrics.verdicts import share_finding, share_passed, turns_named, turns_reason

CASE = said("ask 1", "reply 2", "ask 3", "reply 4", "ask 5", "reply 6", chatbot_role="a clerk")
"""Replies are the turns 2, 4 and 6."""


async def judged(server, *steps, **settings) -> Score | Failure:
    server.script(*steps)
    async with judge_at(server, **settings) as judge:
        outcome = await found(RoleAdherenceMetric(), CASE, judge)
    assert isinstance(outcome, Score | Failure)
    return outcome


async def words(server, *steps, **settings) -> dict[int | None, str]:
    outcome = await judged(server, *steps, **settings)
    assert isinstance(outcome, Score)
    return {verdict.turn: verdict.word for verdict in outcome.verdicts}


ALL = {2: "yes", 4: "no", 6: "yes"}


class TestAsking:
    async def test_one_question_asks_about_all(self, judge_server):
        assert await words(judge_server, gives("turn", ALL)) == ALL
        [request] = judge_server.requests
        assert asked_about(request) == [2, 4, 6]
        schema = request.body["response_format"]["json_schema"]["schema"]
        assert schema["required"] == ["turn_2", "turn_4", "turn_6"]
        assert list(schema["properties"]["turn_2"]["properties"]) == ["reason", "verdict", "sentence"]

    async def test_only_what_is_missing_is_asked_again(self, judge_server):
        outcome = await judged(judge_server, gives("turn", {2: "yes", 6: "yes"}), gives("turn", {4: "no"}))
        assert [(verdict.turn, verdict.word) for verdict in outcome.verdicts] == list(ALL.items())
        assert [asked_about(request) for request in judge_server.requests] == [[2, 4, 6], [4]]
        assert outcome.details["asked_again"] == [4]
        assert len(outcome.calls) == 2

    async def test_what_stays_missing_is_left_out_of_the_score_and_told(self, judge_server):
        # A reply of no use is asked for once more by the judge itself.
        outcome = await judged(judge_server, gives("turn", {2: "yes", 6: "no"}), says({}), says({}))
        assert outcome.score == 0.5
        assert outcome.details["missing"] == [4]
        assert len(judge_server.requests) == 3

    async def test_without_a_single_verdict_it_is_asked_once_more_and_then_a_failure(self, judge_server):
        outcome = await judged(judge_server, says({}), says({}))
        assert isinstance(outcome, Failure)
        assert outcome.kind == "malformed"
        assert "nothing in it answers the question" in outcome.reason
        assert len(judge_server.requests) == len(outcome.calls) == 2

    async def test_a_small_judge_is_asked_about_one_thing_at_a_time(self, judge_server):
        asked: list[int] = []

        def one(request: Request):
            shown = re.findall(r"reply (\d)", request.body["messages"][-1]["content"])
            asked.append(int(shown[-1]))
            return says({"reason": "r", "verdict": ALL[asked[-1]]})

        judge_server.default = one
        assert await words(judge_server, items_per_question=1) == ALL
        assert sorted(asked) == [2, 4, 6]

    async def test_a_small_judge_that_gives_no_verdict_on_one_is_a_failure_that_says_so(self, judge_server):
        judge_server.default = says({"reason": "r"})
        outcome = await judged(judge_server, items_per_question=1)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "malformed"
        assert "verdict" in outcome.reason

    async def test_two_things_at_a_time(self, judge_server):
        judge_server.default = lambda request: gives("turn", dict.fromkeys(asked_about(request), "yes"))
        await words(judge_server, items_per_question=2)
        assert sorted(asked_about(request) for request in judge_server.requests) == [[2, 4], [6]]


LIST = [{"turn": number, "reason": "r", "verdict": word} for number, word in ALL.items()]


@pytest.mark.parametrize(
    "reply",
    [
        verdicts("turn", ALL),
        verdicts("", ALL),
        {"verdicts": LIST},
        {"reason": "overall", "verdicts": LIST},
        {"verdicts": [{"name": f"turn_{one['turn']}", **one, "turn": None} for one in LIST]},
        {"verdicts": [{"reason": "r", "verdict": word} for word in ALL.values()]},
        {"verdicts": [{"turn": f"Turn {one['turn']}", "note": "costs $9", **one} for one in LIST]},
        {
            f"turn_{number}": {"verdict": f" {word.upper()}, because", "reason": "r"}
            for number, word in ALL.items()
        },
        {f"turn_{number}": {"verdict": f'**"{word}"**', "reason": "r"} for number, word in ALL.items()},
        {f"turn_{number}": {"verdict": word == "yes", "reason": "r"} for number, word in ALL.items()},
        "Of course! Here it is:\n```json\n" + json.dumps(verdicts("turn", ALL)) + "\n```\nAnything else?",
        '<think>{"turn_2": 1}</think>' + json.dumps(verdicts("turn", ALL)),
    ],
    ids=[
        "as asked",
        "bare numbers",
        "a list with numbers",
        "a list beside a reason",
        "a list with names",
        "a list in order",
        "a list with numbers in words",
        "words around the verdict",
        "marks around the verdict",
        "true and false",
        "text around the JSON",
        "thinking first",
    ],
)
async def test_a_reply_is_understood_in_any_form(judge_server, reply):
    assert await words(judge_server, says(reply)) == ALL
    assert len(judge_server.requests) == 1


class TestOddReplies:
    async def test_of_a_doubled_verdict_the_first_counts_and_it_is_told(self, judge_server):
        doubled = [*LIST, {"turn": 4, "reason": "r", "verdict": "yes"}]
        outcome = await judged(judge_server, says({"verdicts": doubled}))
        assert {verdict.turn: verdict.word for verdict in outcome.verdicts} == ALL
        assert outcome.details == {"doubled": [4]}

    async def test_numbers_nobody_asked_about_are_left_out_and_told(self, judge_server):
        outcome = await judged(judge_server, gives("turn", {**ALL, 1: "no", 99: "no"}))
        assert [verdict.turn for verdict in outcome.verdicts] == [2, 4, 6]
        assert sorted(outcome.details["unknown"]) == [1, 99]
        assert "99" not in outcome.reason

    @pytest.mark.parametrize("word", ["perhaps", "", "idk", "borderline", "7"])
    async def test_a_word_that_is_none_of_those_offered_is_asked_again(self, judge_server, word):
        outcome = await judged(judge_server, gives("turn", {**ALL, 4: word}), gives("turn", {4: "no"}))
        assert outcome.score == pytest.approx(2 / 3)
        assert outcome.details == {"unreadable": [4], "asked_again": [4]}

    async def test_a_list_without_numbers_of_another_length_tells_nothing(self, judge_server):
        short = {"verdicts": [{"reason": "r", "verdict": "yes"}]}
        outcome = await judged(judge_server, says(short), gives("turn", ALL))
        assert {verdict.turn: verdict.word for verdict in outcome.verdicts} == ALL
        assert len(judge_server.requests) == 2

    async def test_one_verdict_without_a_number_is_that_of_the_only_thing_asked(self, judge_server):
        first = gives("turn", {2: "yes", 6: "yes"})
        outcome = await judged(judge_server, first, says({"reason": "r", "verdict": "no"}))
        assert {verdict.turn: verdict.word for verdict in outcome.verdicts} == ALL

    async def test_a_missing_reason_is_empty(self, judge_server):
        outcome = await judged(judge_server, says({f"turn_{number}": {"verdict": "no"} for number in ALL}))
        assert outcome.score == 0
        assert [verdict.reason for verdict in outcome.verdicts] == ["", "", ""]


def test_the_share_counts_only_what_passed_or_failed():
    def verdict(passed: bool | None) -> Verdict:
        return Verdict(turn=1, passed=passed, word="w")

    assert share_passed([]) == 1
    assert share_passed([verdict(None)]) == 1
    assert share_passed([verdict(True), verdict(False), verdict(None)]) == 0.5


def test_the_score_is_the_share_unless_another_is_given():
    verdicts = [
        Verdict(turn=2, passed=True, word="yes"),
        Verdict(turn=4, passed=False, word="no", reason="r"),
    ]
    finding = share_finding(verdicts, {"a": 1}, good="fit", bad="do not fit")
    assert (finding.score, finding.details) == (0.5, {"a": 1})
    assert finding.reason == "1 of 2 replies does not fit (turn 4): r"
    assert share_finding(verdicts, {}, good="fit", bad="do not fit", score=0.1).score == 0.1
    assert share_finding([], {}, good="fit", bad="do not fit").score == 1


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
        ([verdict(2, False)], "The only reply breaks role (turn 2)."),
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
        "The only reply switches sides (turn 2)."
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
