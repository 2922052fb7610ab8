"""Submission: an answer with what was asked, what was hoped for and what was measured, for evaluators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One call of a tool by the chatbot. arguments: None where they are not known."""

    name: str
    arguments: Mapping[str, Any] | None = None
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """How many tokens a target read and wrote; cached: those read from its cache."""

    input: int
    output: int
    cached: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What was measured while the target answered; None where it was not.

    tool_calls: how often each tool was called. model_calls: how often a model was asked. cost: US dollars.
    """

    tool_calls: Mapping[str, int] | None = None
    model_calls: int | None = None
    tokens: Tokens | None = None
    cost: float | None = None
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What evaluators look at.

    text: the answer. question: what was asked, as text. asked and expected: the messages sent and those that
    a good answer would be. criterion: what a good answer does, in words; reference: a good answer, as text.
    tools: the tools called, in order; None where the target does not tell. trace: None where nothing was
    measured. options: what else the file says of the case. folder: the suite's own.
    """

    text: str
    question: str = ""
    criterion: str = ""
    reference: str = ""
    asked: tuple[Mapping[str, Any], ...] = ()
    expected: tuple[Mapping[str, Any], ...] = ()
    tools: tuple[ToolUse, ...] | None = None
    trace: Trace | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    @property
    def calls_by_tool(self) -> Mapping[str, int] | None:
        """How often each tool was called; None where the target does not tell."""
        if self.tools:
            return Counter(use.name for use in self.tools)
        if self.trace is not None and self.trace.tool_calls is not None:
            return self.trace.tool_calls
        return None if self.tools is None else {}
