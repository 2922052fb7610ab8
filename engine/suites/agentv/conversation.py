"""mode: conversation: turn by turn with the target, each turn graded, then the conversation as a whole."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from turnwise.conversations.errors import JudgeError, JudgeUnavailableError, SettingError, TurnwiseError
from turnwise.conversations.suites import Check, SuiteCase
from turnwise.engine.suites.agentv.grade import PASS_FROM, graded, verdict_of
from turnwise.engine.suites.agentv.grading import Bench, grade_case
from turnwise.engine.suites.agentv.messages import Message, as_sent, as_text, content_text, windowed
from turnwise.engine.suites.agentv.outcome import check_results, outcome_of
from turnwise.engine.suites.agentv.scoring import CaseGrade
from turnwise.engine.suites.agentv.submission import Submission
from turnwise.engine.suites.results import CaseResult, CheckResult

MODE = "conversation"
_AGGREGATIONS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda scores: sum(scores) / len(scores),
    "min": min,
    "max": max,
}
_NOT_ASKED = "Not asked: an earlier turn failed"
_NOTHING_ASKED = CaseGrade(score=1.0, verdict="pass", passed=True, reason="Nothing is checked in this turn")

Say = Callable[[Sequence[Message]], Awaitable[Submission]]
"""Lets the target answer messages."""


@dataclass(slots=True)
class Talk:
    """A conversation with a target. said: all messages. parts: what each turn and the whole came to."""

    case: SuiteCase
    bench: Bench
    said: list[Message] = field(default_factory=list)
    parts: list[tuple[str, CaseGrade]] = field(default_factory=list)

    async def hold(self, say: Say) -> CaseResult:
        """Talk, grade and score. Raises what stops a run; a target that fails makes the case a failure."""
        options = self.case.options
        turns = options.get("turns") or ()
        self.said = list(as_sent(self.case.messages))
        stopped = broken = False
        for number, turn in enumerate(turns, start=1):
            name = f"turn {number}"
            if stopped or broken:
                self.parts.append((name, _failed(_NOT_ASKED)))
                continue
            try:
                grade = await self._turn(turn, say)
            except TurnwiseError as error:
                if isinstance(error, JudgeUnavailableError) or (
                    isinstance(error, JudgeError) and error.stops_run
                ):
                    raise
                # AgentV scores a turn without an answer 0 and talks on.
                grade = replace(_failed(_told(error)), failure=not self.bench.compat)
                broken = not self.bench.compat
            self.parts.append((name, grade))
            stopped = options.get("on_turn_failure") == "stop" and grade.score < self._least
        if (checks := whole_checks(self.case, compat=self.bench.compat)) and not broken:
            self.parts.append((MODE, await self._whole(checks)))
        return self._result()

    @property
    def _least(self) -> float:
        return PASS_FROM if self.case.threshold is None else self.case.threshold

    async def _turn(self, turn: Mapping[str, Any], say: Say) -> CaseGrade:
        size = self.case.options.get("window_size")
        self.said += _asked(turn.get("input"))
        shown = windowed(self.said, size)
        answer = await say(shown)
        self.said.append({"role": "assistant", "content": answer.text})
        checks, expected = tuple(turn.get("assertions") or ()), turn.get("expected_output")
        if not checks and not expected:
            return _NOTHING_ASKED
        answer = replace(
            answer,
            question=as_text(shown),
            criterion=self.case.criterion,
            reference=_reference(expected),
            expected=tuple(_expected(expected)),
        )
        default = Check(type="llm-grader", metric="llm-grader")
        return await grade_case(checks or (default,), answer, self.bench, threshold=self.case.threshold)

    async def _whole(self, checks: Sequence[Check]) -> CaseGrade:
        told = "\n\n".join(f"{one.get('role')}: {content_text(one.get('content'))}" for one in self.said)
        whole = Submission(
            text=told,
            criterion=self.case.criterion,
            asked=tuple(self.said),
            metadata=self.case.metadata,
        )
        return await grade_case(checks, whole, self.bench, threshold=self.case.threshold)

    def _result(self) -> CaseResult:
        """Return what the conversation came to: its parts with their checks, and one score out of theirs."""
        score = self._total([grade.score for _, grade in self.parts])
        failed = next((part for part in self.parts if part[1].failure), None)
        gate = None if self.bench.compat else next((part for part in self.parts if part[1].gate), None)
        skipped = next((part for part in self.parts if part[1].skipped), None)
        best = self._total([1.0 if grade.skipped else grade.score for _, grade in self.parts])
        checks = tuple(self._checks())
        if failed is not None:
            return CaseResult(outcome="failure", score=0.0, reason=_of(failed), checks=checks)
        if gate is not None:
            return CaseResult(outcome="fail", score=score, reason=_of(gate), checks=checks)
        if skipped is not None and best >= self._least:
            return CaseResult(outcome="skipped", score=score, reason=_of(skipped), checks=checks)
        passed = score >= self._least
        reason = f"The score {score:.2f} {'reaches' if passed else 'is below'} {self._least:g}"
        return CaseResult(outcome="pass" if passed else "fail", score=score, reason=reason, checks=checks)

    def _total(self, scores: Sequence[float]) -> float:
        name = self.case.options.get("aggregation") or "mean"
        if name not in _AGGREGATIONS:
            raise SettingError(f"There is no aggregation {name}", next_step="Known: mean, min, max.")
        return _AGGREGATIONS[name](scores) if scores else 1.0

    def _checks(self) -> Iterator[CheckResult]:
        for name, grade in self.parts:
            outcome = outcome_of(grade)
            yield CheckResult(
                type="conversation" if name == MODE else "turn",
                metric=name,
                passed=outcome == "pass",
                score=grade.score,
                reason=grade.reason,
                failure=outcome == "failure",
                skipped=outcome == "skipped",
                threshold=self._least,
            )
            for check in check_results(grade, threshold=self.case.threshold):
                # Lists of scores show the newest of a name, and turns have evaluators of the same names.
                yield replace(check, metric=f"{name}: {check.metric or check.type}")


def whole_checks(case: SuiteCase, *, compat: bool = False) -> tuple[Check, ...]:
    """Return what the conversation as a whole is graded by.

    The usual judge, which stands where a case lists no evaluators, is asked only where no turn is checked;
    compat: not at all, so that a case without a check passes.
    """
    turns = case.options.get("turns") or ()
    checked = any(turn.get("assertions") or turn.get("expected_output") for turn in turns)
    return () if (checked or compat) and all(map(_is_usual, case.checks)) else case.checks


def _is_usual(check: Check) -> bool:
    return check.type == "llm_judge" and set(check.config) <= {"name"}


def _failed(reason: str) -> CaseGrade:
    zero = graded(0.0)
    return CaseGrade(score=zero.score, verdict=verdict_of(zero.score), passed=False, reason=reason)


def _of(part: tuple[str, CaseGrade]) -> str:
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
