"""What the tests of AgentV's evaluators share: a check, an answer and what is found in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer, ToolUse
from turnwise.engine.checks.composites import verdict_of
from turnwise.engine.checks.findings import CheckOutcome, Finding
from turnwise.engine.suites.agentv.grading import Bench, grade_check
from turnwise.engine.suites.rules import rules_of


@dataclass(frozen=True, kw_only=True)
class Seen:
    """An outcome with what was found, side by side. told: the reason in a line."""

    outcome: CheckOutcome
    finding: Finding

    @property
    def word(self) -> str:
        return "skipped" if self.outcome.word == "skipped" else self.failed

    @property
    def failed(self) -> str:
        return "failure" if self.outcome.word == "failure" else "score"

    @property
    def score(self) -> float:
        return self.finding.score

    @property
    def verdict(self) -> str:
        return verdict_of(self.finding)

    @property
    def hits(self) -> tuple[str, ...]:
        return self.finding.hits

    @property
    def misses(self) -> tuple[str, ...]:
        return self.finding.misses

    @property
    def unmet(self) -> bool:
        return self.finding.unmet

    @property
    def reason(self) -> str:
        return self.finding.reason

    @property
    def told(self) -> str:
        return self.outcome.reason

    @property
    def members(self) -> tuple[CheckOutcome, ...]:
        return self.outcome.members

    @property
    def calls(self) -> tuple[str, ...]:
        return self.outcome.calls

    @property
    def next_step(self) -> str:
        return self.outcome.next_step


def seen(outcome: CheckOutcome) -> Seen:
    """Return an outcome with what was found; of one that is no score, nothing was, for its reason."""
    nothing = Finding(score=0.0, passed=False, reason=outcome.reason)
    return Seen(outcome=outcome, finding=outcome.finding or nothing)


def check(kind: str, *children: Check, **config: Any) -> Check:
    """Return a check as the loader makes it: its settings in config, some of them as fields of their own."""
    return Check(
        type=kind,
        metric=config.get("name"),
        negate=config.get("negate", False),
        value=config.get("value"),
        threshold=config.get("min_score"),
        weight=config.get("weight", 1.0),
        config=config,
        children=children,
    )


def bench(*, compat: bool = False, **rest: Any) -> Bench:
    """Return what evaluators may use, strictly or as AgentV does."""
    return Bench(rules=rules_of("agentv", compat=compat), **rest)


def found(of: Check, text: str = "", *, compat: bool = False, **rest: Any) -> Seen:
    """Return what an evaluator that needs no judge finds in an answer."""
    return seen(asyncio.run(grade_check(of, Answer(output=text, **rest), bench(compat=compat))))


async def graded(of: Check, answer: Answer, *, compat: bool = False, **rest: Any) -> Seen:
    """Return what an evaluator finds in an answer. rest: the judge and what else it may use."""
    return seen(await grade_check(of, answer, bench(compat=compat, **rest)))


def used(name: str, milliseconds: float | None = None, **arguments: Any) -> ToolUse:
    """Return a call of a tool."""
    return ToolUse(name=name, arguments=arguments, milliseconds=milliseconds)


def expects(data: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the messages of an expected answer."""
    return ({"role": "assistant", "content": data},)
