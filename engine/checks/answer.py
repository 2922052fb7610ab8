"""Answer: what a target gave for one case, with all that a check may ask about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.templates import as_text


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
class Effort:
    """What a target tells of its work on an answer; None where it does not.

    tool_calls: how often each tool was called. model_calls: how often a model was asked.
    """

    tool_calls: Mapping[str, int] | None = None
    model_calls: int | None = None
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to one prompt.

    output: a text, or plain data (None, bool, number, list, dict). prompt and vars: what was asked.
    latency: milliseconds; cost: US dollars; both None where they were not measured.
    log_probabilities: of the answer's tokens, natural logarithm. refused: the target itself says so.
    metadata: what the target reported beside its answer; case_metadata: what the file says of the case.
    tools: the tools the target was given, in OpenAI's form; None where it was given none.
    target: the name of who answered. test: makes what else the file says of the case, as scripts are told it.

    criterion: what a good answer does, in words; reference: a good answer, as text. asked and expected: the
    messages that were sent and those that a good answer would be. tools_used: the tools called, in order;
    None where the target does not tell. effort: None where the target tells nothing of its work.
    options: what else the file says of the case. folder: the one that the file lies in.
    """

    output: Any = ""
    prompt: str = ""
    vars: Mapping[str, Any] = field(default_factory=dict)
    latency: float | None = None
    cost: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    case_metadata: Mapping[str, Any] = field(default_factory=dict)
    log_probabilities: tuple[float, ...] = ()
    finish_reason: str | None = None
    refused: bool = False
    tools: tuple[Mapping[str, Any], ...] | None = None
    target: str = ""
    test: Callable[[], Mapping[str, Any]] = dict
    criterion: str = ""
    reference: str = ""
    asked: tuple[Mapping[str, Any], ...] = ()
    expected: tuple[Mapping[str, Any], ...] = ()
    tools_used: tuple[ToolUse, ...] | None = None
    effort: Effort | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    @property
    def text(self) -> str:
        """The output as a text; data is written as compact JSON."""
        return self.output if isinstance(self.output, str) else as_text(self.output)

    @property
    def calls_by_tool(self) -> Mapping[str, int] | None:
        """How often each tool was called; None where the target does not tell."""
        if self.tools_used:
            return Counter(use.name for use in self.tools_used)
        if self.effort is not None and self.effort.tool_calls is not None:
            return self.effort.tool_calls
        return None if self.tools_used is None else {}


@dataclass(frozen=True, slots=True)
class Transformed:
    """An output that a check's transform has made; it stands in the check in the transform's place."""

    output: Any
