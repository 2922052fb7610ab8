"""Entries: one question about many things; past the judge's context, several with the same verdicts."""

import re

import pytest
from judge_server import Request
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score
from turnwise.engine.metrics import RoleAdherenceMetric, TurnContextualRecallMetric, TurnFaithfulnessMetric
from turnwise.engine.metrics.entries import Material

LONG = said(*(f"{'word ' * 60}{number}" for number in range(1, 41)), chatbot_role="a clerk")
BAD = {6, 20, 34}


def judges(request: Request):
    return gives("turn", {number: "no" if number in BAD else "yes" for number in asked_about(request)})


async def outcome_of(server, metric, case, **settings) -> Score:
    async with judge_at(server, **settings) as judge:
        outcome = await found(metric, case, judge)
    assert isinstance(outcome, Score)
    return outcome


async def test_past_the_judges_context_the_verdicts_are_the_same(judge_server):
    judge_server.default = judges
    whole = await outcome_of(judge_server, RoleAdherenceMetric(), LONG)
    assert len(judge_server.requests) == 1
    judge_server.requests.clear()
    parts = await outcome_of(judge_server, RoleAdherenceMetric(), LONG, context_tokens=1500)
    assert (parts.score, parts.verdicts, parts.reason) == (whole.score, whole.verdicts, whole.reason)
    assert len(judge_server.requests) > 1
    for request in judge_server.requests:
        shown = {int(number) for number in re.findall(r"^\[\w{8} turn (\d+)", request.text, re.MULTILINE)}
        assert set(asked_about(request)) <= shown
        assert len(request.text) / 4 <= 1500


async def test_material_goes_with_the_turns_of_its_window(judge_server):
    turns = []
    for number in range(8):
        turns.append({"role": "user", "content": f"ask {number}"})
        passage = f"fact {number} " + "long " * 200
        turns.append({"role": "assistant", "content": f"Fact {number}.", "retrieval_context": [passage]})
    case = ConversationalTestCase(turns=turns)
    judge_server.default = lambda request: gives("statement", dict.fromkeys(asked_about(request), "yes"))
    outcome = await outcome_of(judge_server, TurnFaithfulnessMetric(), case, context_tokens=1500)
    assert len(outcome.verdicts) == 8
    assert len(judge_server.requests) > 1
    for request in judge_server.requests:
        given = {int(number) for number in re.findall(r"fact (\d) long", request.text)}
        assert {number - 1 for number in asked_about(request)} <= given


async def test_what_belongs_to_the_whole_is_asked_part_by_part_and_joined(judge_server):
    turns = []
    for number in range(6):
        turns.append({"role": "user", "content": f"ask {number}"})
        passage = f"fact {number} " + "long " * 200
        turns.append({"role": "assistant", "content": "Yes.", "retrieval_context": [passage]})
    case = ConversationalTestCase(turns=turns, expected_outcome="The user knows. The user is glad.")

    def carried(request: Request):
        from judge_server import says

        given = [int(number) for number in re.findall(r"passage (\d)\] \(turn", request.text)]
        hit = [number for number in given if number in (1, 6)]
        return says(
            {"statement_1": {"reason": "r", "passages": hit}, "statement_2": {"reason": "r", "passages": []}}
        )

    judge_server.default = carried
    outcome = await outcome_of(judge_server, TurnContextualRecallMetric(), case, context_tokens=1500)
    assert len(judge_server.requests) > 1
    assert outcome.score == 0.5
    assert [verdict.turn for verdict in outcome.verdicts] == [2, None]


def test_material_shows_what_came_with_the_turns_in_sight():
    material = Material("passage", {1: (2, "one"), 2: (6, "two")})
    assert "[aa passage 2] (turn 6) two" in material.shown("aa", 3, 9)
    assert "one" not in material.shown("aa", 3, 9)
    assert material.shown("aa", 3, 5) == ""


@pytest.mark.parametrize("small", [None, 1])
async def test_with_nothing_to_ask_about_nobody_is_asked(judge_server, small):
    outcome = await outcome_of(
        judge_server, RoleAdherenceMetric(), said("a", chatbot_role="r"), items_per_question=small
    )
    assert outcome.score == 1
    assert judge_server.requests == []
