"""Answer: what a target gave for one case, with all that a check may ask about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.engine.suites.values import as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to one prompt.

    output: a text, or plain data (None, bool, number, list, dict). prompt and vars: what was asked.
    latency: milliseconds; cost: US dollars; both None where they were not measured.
    log_probabilities: of the answer's tokens, natural logarithm. refused: the target itself says so.
    metadata: what the target reported beside its answer; case_metadata: what the file says of the case.
    tools: the tools the target was given, in OpenAI's form; None where it was given none.
    target: the name of who answered. test: what else the file says of the case, as scripts are told it.
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
    test: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The output as a text; data is written as compact JSON."""
        return self.output if isinstance(self.output, str) else as_text(self.output)
