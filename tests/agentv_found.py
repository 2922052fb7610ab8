"""What the tests of AgentV's evaluators share: a check, an answer and what is found in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import Grade
from turnwise.engine.suites.agentv.grading import Bench, grade_check
from turnwise.engine.suites.agentv.submission import Submission, ToolUse


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


def found(of: Check, text: str = "", *, compat: bool = False, **rest: Any) -> Grade:
    """Return what an evaluator that needs no judge finds in an answer."""
    return asyncio.run(grade_check(of, Submission(text=text, **rest), Bench(compat=compat)))


def used(name: str, milliseconds: float | None = None, **arguments: Any) -> ToolUse:
    """Return a call of a tool."""
    return ToolUse(name=name, arguments=arguments, milliseconds=milliseconds)


def expects(data: Any) -> tuple[Mapping[str, Any], ...]:
    """Return the messages of an expected answer."""
    return ({"role": "assistant", "content": data},)
