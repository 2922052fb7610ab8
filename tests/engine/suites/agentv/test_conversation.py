"""mode: conversation: turn by turn with the target."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agentv_found import bench, check
from judge_server import JudgeServer, says
from judged import judge_at

from turnwise.conversations.errors import JudgeRefusedError, JudgeUnavailableError
from turnwise.conversations.suites import Check, SuiteCase, TurnByTurn, TurnToAsk
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.findings import CaseOutcome
from turnwise.engine.suites.agentv.conversation import Talk
from turnwise.engine.suites.agentv.grading import Bench
from turnwise.engine.suites.agentv.messages import Message


class Parrot:
    """A target that answers "I heard" and what was said last; told fails, it refuses that turn."""

    def __init__(self, fails: Sequence[str] = ()) -> None:
        self.heard: list[list[Message]] = []
        self._fails = fails

    async def __call__(self, messages: Sequence[Message]) -> Answer:
        self.heard.append(list(messages))
        if messages[-1]["content"] in self._fails:
            raise JudgeRefusedError("The chatbot refuses", next_step="Ask another.")
        return Answer(output=f"I heard {messages[-1]['content']}", folder=Path())


def turn(text: str, *checks: Check, **rest: Any) -> TurnToAsk:
    return TurnToAsk(input=text, checks=checks, **rest)


def case_of(*turns: TurnToAsk, checks: Sequence[Check] = (), **scoring: Any) -> SuiteCase:
    return SuiteCase(
        index=0,
        id="talk",
        messages=({"role": "system", "content": "Be kind."},),
        checks=tuple(checks),
        turn_by_turn=TurnByTurn(turns=turns, **scoring),
    )


def talk_of(case: SuiteCase, using: Bench) -> Talk:
    assert case.turn_by_turn is not None
    return Talk(case, case.turn_by_turn, using)


async def held(
    case: SuiteCase, *, compat: bool = False, fails: Sequence[str] = ()
) -> tuple[CaseOutcome, Talk]:
    talk = talk_of(case, bench(compat=compat))
    return await talk.hold(Parrot(fails)), talk


HEARD_A, HEARD_B = check("contains", name="a", value="heard a"), check("contains", name="b", value="heard b")


class TestTalking:
    async def test_each_turn_is_answered_with_all_that_was_said(self):
        parrot = Parrot()
        talk = talk_of(case_of(turn("a"), turn("b")), bench())
        result = await talk.hold(parrot)
        assert [one["content"] for one in parrot.heard[1]] == ["Be kind.", "a", "I heard a", "b"]
        assert [one["role"] for one in talk.said] == ["system", *["user", "assistant"] * 2]
        assert (result.word, result.score) == ("pass", 1.0)

    async def test_a_window_keeps_the_system_and_the_last_exchanges(self):
        parrot = Parrot()
        await talk_of(case_of(turn("a"), turn("b"), turn("c"), window_size=1), bench()).hold(parrot)
        assert [one["content"] for one in parrot.heard[2]] == ["Be kind.", "I heard b", "c"]


class TestScore:
    @pytest.mark.parametrize(("aggregation", "score"), [("mean", 0.5), ("min", 0.0), ("max", 1.0)])
    async def test_turns_come_together_as_is_asked(self, aggregation, score):
        result, _ = await held(case_of(turn("a", HEARD_A), turn("b", HEARD_A), aggregation=aggregation))
        assert result.score == score
        assert result.word == ("pass" if score == 1.0 else "fail")

    async def test_the_whole_transcript_is_one_part_more(self):
        whole = check("contains", name="whole", value="user: b\n\nassistant: I heard b")
        result, _ = await held(case_of(turn("a", HEARD_B), turn("b"), checks=[whole]))
        assert result.score == pytest.approx(2 / 3)
        assert [(one.metric, one.passed) for one in result.checks] == [
            ("turn 1", False),
            ("turn 1: b", False),
            ("turn 2", True),
            ("conversation", True),
            ("conversation: whole", True),
        ]

    @pytest.mark.parametrize(("checked", "outcome"), [(True, "pass"), (False, "skipped")])
    async def test_the_usual_judge_is_asked_only_where_no_turn_is_checked(self, checked, outcome):
        usual = Check(type="llm_judge", metric="llm_judge", config={"name": "llm_judge"})
        talk = case_of(turn("a", *([HEARD_A] if checked else [])), checks=[usual])
        assert (await held(talk))[0].word == outcome
        assert (await held(talk, compat=True))[0].word == "pass"

    async def test_a_required_evaluator_fails_the_case_and_in_compat_only_its_turn(self):
        required = check("contains", name="must", value="z", required=True)
        turns = [turn("a", required), *[turn("b", HEARD_B)] * 9]
        result, _ = await held(case_of(*turns))
        assert (result.word, result.score) == ("fail", 0.9)
        assert result.reason == "turn 1: must is required, and has failed"
        assert (await held(case_of(*turns), compat=True))[0].word == "pass"


class TestFailedTurns:
    async def test_the_rest_is_asked_all_the_same(self):
        result, talk = await held(case_of(turn("a", HEARD_B), turn("b", HEARD_B)))
        assert (result.score, len(talk.said)) == (0.5, 5)

    async def test_unless_it_is_to_stop_and_what_is_left_scores_0(self):
        stopping = case_of(turn("a", HEARD_B), turn("b", HEARD_B), turn("c"), stops_at_failure=True)
        result, talk = await held(stopping)
        assert (result.score, len(talk.said)) == (0.0, 3)
        assert [one.reason for one in result.checks][-1] == "Not asked: an earlier turn failed"

    async def test_a_target_that_refuses_makes_the_case_a_failure(self):
        result, talk = await held(case_of(turn("a"), turn("b"), turn("c")), fails=["b"])
        assert (result.word, result.score) == ("failure", 0.0)
        assert result.reason == "turn 2: The chatbot refuses. Ask another."
        assert talk.said[-1] == {"role": "user", "content": "b"}

    async def test_in_compat_that_turn_scores_0_and_the_talk_goes_on(self):
        result, _ = await held(case_of(turn("a"), turn("b"), turn("c")), fails=["b"], compat=True)
        assert (result.word, result.score) == ("fail", pytest.approx(2 / 3))

    async def test_a_target_that_is_away_stops_the_run(self):
        async def away(messages: Sequence[Message]) -> Answer:
            raise JudgeUnavailableError("The chatbot is away")

        with pytest.raises(JudgeUnavailableError):
            await talk_of(case_of(turn("a")), bench()).hold(away)


class TestJudging:
    async def test_an_expected_output_alone_is_judged(self, judge_server: JudgeServer):
        judge_server.default = says({"reasoning": "r", "score": 0.9})
        async with judge_at(judge_server) as judge:
            case = case_of(turn("a", expected_output="I heard a"))
            result = await talk_of(case, bench(judge=judge)).hold(Parrot())
        asked = judge_server.requests[0].text
        assert result.score == 0.9
        assert "system: Be kind.\n\nuser: a" in asked
        assert "to compare with begins ---\nI heard a" in asked

    async def test_without_a_judge_the_case_is_skipped(self):
        result, _ = await held(case_of(turn("a", check("rubrics", rubrics=["It is kind"]))))
        assert (result.word, result.reason) == ("skipped", "turn 1: rubrics: It needs a judge")
