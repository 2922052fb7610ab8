"""mode: conversation: turn by turn with the target, each turn graded, then the conversation as a whole."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from turnwise.conversations.errors import JudgeError, JudgeUnavailableError, TurnwiseError
from turnwise.conversations.suites import Check, SuiteCase, TurnByTurn, TurnToAsk
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.composites import PASS_FROM
from turnwise.engine.checks.findings import CaseOutcome, CaseWord, CheckOutcome
from turnwise.engine.suites.agentv.grading import Bench, grade_case
from turnwise.engine.suites.agentv.messages import Message, as_sent, windowed
from turnwise.engine.suites.messages import content_text, conversation_text
from turnwise.engine.suites.rules import AGENTV, SuiteRules

MODE = "conversation"
_AGGREGATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda scores: sum(scores) / len(scores),
    "min": min,
    "max": max,
}
_NOT_ASKED = "Not asked: an earlier turn failed"
_NOTHING_ASKED = CaseOutcome.of("pass", 1.0, "Nothing is checked in this turn")

Say = Callable[[Sequence[Message]], Awaitable[Answer]]
"""Lets the target answer messages."""


@dataclass(slots=True)
class Talk:
    """A conversation with a target.

    plan: the turns to ask. said: all messages. parts: what each turn and the whole came to.
    """

    case: SuiteCase
    plan: TurnByTurn
    bench: Bench
    said: list[Message] = field(default_factory=list)
    parts: list[tuple[str, CaseOutcome]] = field(default_factory=list)

    async def hold(self, say: Say) -> CaseOutcome:
        """Talk, grade and score. Raises what stops a run; a target that fails makes the case a failure."""
        self.said = list(as_sent(self.case.messages))
        stopped = broken = False
        for number, turn in enumerate(self.plan.turns, start=1):
            name = f"turn {number}"
            if stopped or broken:
                self.parts.append((name, CaseOutcome.of("fail", 0.0, _NOT_ASKED)))
                continue
            try:
                found = await self._turn(turn, say)
            except TurnwiseError as error:
                if isinstance(error, JudgeUnavailableError) or (
                    isinstance(error, JudgeError) and error.stops_run
                ):
                    raise
                # AgentV scores a turn without an answer 0 and talks on.
                broken = not self.bench.rules.as_the_tool
                found = CaseOutcome.of("failure" if broken else "fail", 0.0, _told(error))
            self.parts.append((name, found))
            stopped = self.plan.stops_at_failure and found.score < self._least
        if (checks := whole_checks(self.case, rules=self.bench.rules)) and not broken:
            self.parts.append((MODE, await self._whole(checks)))
        return self._result()

    @property
    def _least(self) -> float:
        return PASS_FROM if self.case.threshold is None else self.case.threshold

    async def _turn(self, turn: TurnToAsk, say: Say) -> CaseOutcome:
        size = self.plan.window_size
        self.said += _asked(turn.input)
        shown = windowed(self.said, size)
        answer = await say(shown)
        self.said.append({"role": "assistant", "content": answer.text})
        checks, expected = turn.checks, turn.expected_output
        if not checks and not expected:
            return _NOTHING_ASKED
        answer = replace(
            answer,
            prompt=conversation_text(shown),
            criterion=self.case.criterion,
            reference=_reference(expected),
            expected=tuple(_expected(expected)),
        )
        default = Check(type="llm-grader", metric="llm-grader")
        return await grade_case(checks or (default,), answer, self.bench, threshold=self.case.threshold)

    async def _whole(self, checks: Sequence[Check]) -> CaseOutcome:
        told = "\n\n".join(f"{one.get('role')}: {content_text(one.get('content'))}" for one in self.said)
        whole = Answer(
            output=told,
            criterion=self.case.criterion,
            asked=tuple(self.said),
            case_metadata=self.case.metadata,
        )
        return await grade_case(checks, whole, self.bench, threshold=self.case.threshold)

    def _result(self) -> CaseOutcome:
        """Return what the conversation came to: its parts with their checks, and one score out of theirs."""
        score = self._total([found.score for _, found in self.parts])
        failed = next((part for part in self.parts if part[1].word == "failure"), None)
        unmet = next((part for part in self.parts if part[1].unmet), None)
        skipped = next((part for part in self.parts if part[1].word == "skipped"), None)
        best = self._total([1.0 if found.word == "skipped" else found.score for _, found in self.parts])
        checks = tuple(self._checks())
        if failed is not None:
            return CaseOutcome.of("failure", 0.0, _of(failed), checks=checks)
        if unmet is not None and not self.bench.rules.as_the_tool:
            return CaseOutcome.of("fail", score, _of(unmet), threshold=self._least, checks=checks)
        if skipped is not None and best >= self._least:
            return CaseOutcome.of("skipped", score, _of(skipped), checks=checks)
        passed = score >= self._least
        reason = f"The score {score:.2f} {'reaches' if passed else 'is below'} {self._least:g}"
        word: CaseWord = "pass" if passed else "fail"
        return CaseOutcome.of(word, score, reason, threshold=self._least, checks=checks)

    def _total(self, scores: Sequence[float]) -> float:
        return _AGGREGATIONS[self.plan.aggregation](scores) if scores else 1.0

    def _checks(self) -> Iterator[CheckOutcome]:
        for name, part in self.parts:
            check = Check(type="conversation" if name == MODE else "turn", metric=name)
            whole = CaseOutcome.of(part.word, part.score, part.reason, threshold=self._least)
            yield CheckOutcome(check=check, outcome=replace(whole.outcome, metric=name))
            for found in part.checks:
                # Lists of scores show the newest of a name, and turns have evaluators of the same names.
                named = f"{name}: {found.name}"
                yield replace(
                    found,
                    check=replace(found.check, metric=named),
                    outcome=replace(found.outcome, metric=named),
                )


def whole_checks(case: SuiteCase, *, rules: SuiteRules = AGENTV) -> tuple[Check, ...]:
    """Return what the conversation as a whole is graded by.

    The usual judge, which stands where a case lists no evaluators, is asked only where no turn is checked.
    AgentV does not ask it at all, so that a case without a check passes.
    """
    turns = case.turn_by_turn.turns if case.turn_by_turn else ()
    checked = any(turn.checks or turn.expected_output for turn in turns)
    return () if (checked or rules.as_the_tool) and all(map(_is_usual, case.checks)) else case.checks


def _is_usual(check: Check) -> bool:
    return check.type == "llm_judge" and set(check.config) <= {"name"}


def _of(part: tuple[str, CaseOutcome]) -> str:
    return f"{part[0]}: {part[1].reason}"


def _told(error: TurnwiseError) -> str:
    return ". ".join(one for one in (error.title, error.detail, error.next_step) if one)


def _asked(given: Any) -> list[Message]:
    """Return what a turn says: messages as they stand, anything else as what the user says."""
    if isinstance(given, (list, tuple)) and given and all(map(_is_message, given)):
        return list(as_sent(cast("Sequence[Message]", given)))
    return [{"role": "user", "content": content_text(given)}]


def _expected(given: Any) -> list[Message]:
    """Return the messages that a good reply would be."""
    if not given:
        return []
    if isinstance(given, (list, tuple)) and all(map(_is_message, given)):
        return list(given)
    return [given] if _is_message(given) else [{"role": "assistant", "content": given}]


def _reference(given: Any) -> str:
    expected = _expected(given)
    return content_text(expected[-1].get("content")) if expected else ""


def _is_message(one: Any) -> bool:
    return isinstance(one, Mapping) and "role" in one and "content" in one
