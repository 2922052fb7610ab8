"""Locating finds the turn from which on a conversation is lost, with few questions, and keeps it."""

from __future__ import annotations

import math
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_server import Request, Step, says
from judged import found, judge_at
from planted_faults import FAULTS, planted
from stored import keep

from turnwise.conversations import ConversationalTestCase, Failure, Score
from turnwise.conversations.errors import JudgeError
from turnwise.conversations.turns import Turn
from turnwise.engine.criteria.locating import locate, locate_in, prefix_ends, prefix_of
from turnwise.engine.metrics import ConversationalGEval
from turnwise.engine.metrics.lost_turn_details import AS_OF, LOST, lost_turn_of
from turnwise.engine.metrics.lost_turns import first_failing
from turnwise.engine.scoring.scoring import score_sessions


def criterion() -> ConversationalGEval:
    return ConversationalGEval(name="In role", evaluation_steps=["Look for what is out of role."])


def by_rule(*, names: bool = True, wrongly: bool = False):
    """Score 1 what holds a planted fault, else 9; name the turn, or none, or one that is contradicted."""

    def step(request: Request) -> Step:
        turns = re.split(r"\[\w{8} turn ", request.text)[1:]
        lost = [int(turn.split(",")[0]) for turn in turns if any(fault in turn for fault in FAULTS)]
        entry = {"reason": "r", "turns": lost, "lost_at": lost[0] if lost else 0, "score": 1 if lost else 9}
        if not names:
            entry |= {"turns": [], "lost_at": 0}
        elif wrongly and lost:
            entry["lost_at"] = lost[0] - 1
        return says(entry)

    return step


@given(st.integers(1, 300).flatmap(lambda count: st.tuples(st.just(count), st.integers(0, count - 1))))
def test_halving_finds_the_first_that_fails_in_log2_questions(drawn):
    import asyncio

    count, lost = drawn
    ends = [2 * place + 2 for place in range(count)]
    asked = []

    async def passes(end: int) -> bool:
        asked.append(end)
        return end < ends[lost]

    assert asyncio.run(first_failing(ends, passes)) == ends[lost]
    assert len(asked) == len(set(asked)) <= math.ceil(math.log2(count))
    assert ends[-1] not in asked


async def test_the_turn_is_found_in_200_planted_conversations(judge_server):
    """The rule-based judge names the turn in some replies, in others none or one it contradicts itself."""
    chance = random.Random(7)
    near = 0
    async with judge_at(judge_server) as judge:
        for place in range(200):
            [one] = planted(1, seed=place, exchanges=chance.randint(2, 12))
            kind = place % 4
            judge_server.default = by_rule(names=kind != 1, wrongly=kind == 2)
            metric, before = criterion(), len(judge_server.requests)
            score = await found(metric, one.case, judge)
            assert isinstance(score, Score)
            located = await locate_in(metric, one.case, score, judge)
            assert located.lost.turn is not None
            near += abs(located.lost.turn - one.turn) <= 1
            assert len(judge_server.requests) - before <= 1 + math.log2(len(one.case.turns))
            assert located.asked == 0 or kind in (1, 2)
    assert near >= 190


class TestReply:
    CASE = ConversationalTestCase(
        turns=[Turn(role="user", content="a"), Turn(role="assistant", content="b")] * 2
    )

    async def told(self, judge_server, **reply):
        judge_server.default = says({"reason": "r", "turns": [], "score": 1, **reply})
        async with judge_at(judge_server) as judge:
            outcome = await found(criterion(), self.CASE, judge)
        assert isinstance(outcome, Score)
        lost = lost_turn_of(outcome.details)
        return (lost.turn, lost.sure) if lost else None

    @pytest.mark.parametrize(
        ("reply", "lost"),
        [
            ({"lost_at": 2}, (2, True)),
            ({"lost_at": 2, "turns": [2, 4]}, (2, True)),
            ({"lost_at": 3, "turns": [4]}, (3, False)),
            ({"lost_at": 0, "turns": [4, 2]}, (2, False)),
            ({"lost_at": 9}, None),
            ({}, None),
        ],
    )
    async def test_it_is_sure_where_it_names_a_turn_and_does_not_contradict_itself(
        self, judge_server, reply, lost
    ):
        assert await self.told(judge_server, **reply) == lost

    async def test_a_judge_in_two_minds_is_not_sure(self, judge_server):
        tokens = [
            ('{"reason": "r", "turns": [], "sentence": 0, "lost_at": ', {}),
            ("2", {"2": 0.5, "4": 0.45}),
            (', "score": ', {}),
            ("1", {"1": 0.9}),
            ("}", {}),
        ]
        text = '{"reason": "r", "turns": [], "sentence": 0, "lost_at": 2, "score": 1}'
        judge_server.default = says(text, tokens=tokens)
        async with judge_at(judge_server) as judge:
            outcome = await found(criterion(), self.CASE, judge)
        assert isinstance(outcome, Score)
        assert outcome.details[LOST] == {"turn": 2, "sure": False, "by": "reply"}


class TestPrefixes:
    CASE = ConversationalTestCase(
        turns=[
            Turn(role="system", content="Be kind."),
            Turn(role="user", content="a"),
            Turn(role="assistant", content="b"),
            Turn(role="tool", content="t"),
            Turn(role="user", content="c"),
        ]
    )

    def test_they_end_after_replies_and_after_the_last_turn(self):
        assert prefix_ends(self.CASE) == [2, 3]

    def test_what_a_tool_gave_belongs_to_the_turn_before(self):
        assert [turn.content for turn in prefix_of(self.CASE, 2).turns] == ["Be kind.", "a", "b", "t"]


async def located(store, judge_server, session: int, **more):
    async with judge_at(judge_server) as judge:
        async for _ in score_sessions(store, [session], [criterion()], judge):
            pass
        run = store.runs.begin(judge="m", metrics=["In role"])
        return await locate(store, criterion(), session, judge, run=run, **more)


TALK = ("Hi", "Hello.", "And?", f"Well. {FAULTS[1]}", "Really?", "Yes.", "Bye", "Bye.")


class TestStored:
    async def test_it_is_added_to_the_score_and_overwrites_nothing(self, store, judge_server):
        judge_server.default = by_rule(names=False)
        session = keep(store, *TALK)
        await located(store, judge_server, session)
        first, row = store.scores.of(session)
        assert (row.score, row.reason) == (first.score, first.reason)
        assert first.details.get(LOST) is None
        assert row.details[LOST] == {"turn": 4, "sure": True, "by": "prefixes"}
        assert row.details[AS_OF] == [[2, 0.9], [4, 0.1], [8, 0.1]]
        [verdict] = [verdict for verdict in row.verdicts if verdict.word == "lost"]
        assert (verdict.turn, verdict.passed, verdict.reason) == (4, False, "Lost from here on. r")
        assert len(row.calls) == 3

    async def test_asked_twice_it_is_neither_judged_nor_kept_again(self, store, judge_server):
        judge_server.default = by_rule(names=False)
        session = keep(store, *TALK)
        await located(store, judge_server, session)
        asked = len(judge_server.requests)
        again = await located(store, judge_server, session)
        assert again is not None
        assert again.lost.turn == 4
        assert len(judge_server.requests) == asked
        assert len(store.scores.of(session)) == 2

    async def test_the_whole_curve_has_a_score_as_of_every_reply(self, store, judge_server):
        judge_server.default = by_rule()
        found_ = await located(store, judge_server, keep(store, *TALK), whole_curve=True)
        assert found_ is not None
        assert found_.as_of == ((2, 0.9), (4, 0.1), (6, 0.1), (8, 0.1))
        assert found_.lost.by == "reply"

    async def test_a_conversation_that_passes_is_not_lost(self, store, judge_server):
        judge_server.default = by_rule()
        assert await located(store, judge_server, keep(store, "Hi", "Hello.")) is None

    async def test_a_prefix_that_cannot_be_judged_is_told(self, store, judge_server):
        session = keep(store, *TALK)
        judge_server.default = lambda request: (
            by_rule(names=False)(request) if "turn 8" in request.text else says("no JSON")
        )
        with pytest.raises(JudgeError, match="as of turn 4"):
            await located(store, judge_server, session)
        assert not any(isinstance(row, Failure) for row in store.scores.of(session))
