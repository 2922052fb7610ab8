"""Tool correctness: did the chatbot use the tools it was expected to use?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.conversations.tools import ToolCall
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.last_turn.tool_matching import (
    agreement,
    match_anywhere,
    match_in_order,
    match_in_place,
)
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class ToolCorrectnessMetric(Metric):
    """Whether the tools that were expected were called.

    should_exact_match: the calls must be the expected ones, in order, and no others.
    should_consider_ordering: expected calls count only in their order (the common subsequence of the
    greatest agreement). Without either, each expected call takes the best call that is left.
    compare_arguments, compare_output: whether input parameters and outputs count too; names and types
    always do. A call agrees by the share of its arguments that are equal; another output is no agreement.
    """

    key: ClassVar[str] = "tool_correctness"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("expected_tools",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="agreements of the expected calls, summed / expected calls; with should_exact_match 1 or 0",
        source="deepeval's ToolCorrectness; each call serves once",
        empty="both empty 1, only expected empty 0",
        calls="none",
        needs="and tools_called, which counts as empty where absent",
    )

    should_exact_match: bool = False
    should_consider_ordering: bool = False
    compare_arguments: bool = False
    compare_output: bool = False

    @property
    def reads(self) -> tuple[str, ...]:
        """The expected calls and those that were made."""
        return (*self.needs, "tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare the calls that were made with the expected ones."""
        expected: list[ToolCall] = subject.value("expected_tools")
        called: list[ToolCall] = subject.value("tools_called") or []
        if not expected:
            names = ", ".join(call.name for call in called)
            reason = f"No tool was expected, and these were called: {names}." if called else "No tool needed."
            return Finding(score=float(not called), reason=reason)
        matched = self._matched(expected, called)
        verdicts = [
            Verdict(turn=subject.reply_turn, passed=value == 1, word=_word(value), about=tool.name)
            for tool, value in zip(expected, matched, strict=True)
        ]
        if self.should_exact_match and (min(matched) < 1 or len(called) != len(expected)):
            return Finding(score=0.0, reason=_difference(expected, called), verdicts=verdicts)
        return Finding(
            score=sum(matched) / len(expected), reason=_reason(expected, matched), verdicts=verdicts
        )

    def _matched(self, expected: Sequence[ToolCall], called: Sequence[ToolCall]) -> list[float]:
        if self.should_exact_match:
            match = match_in_place
        else:
            match = match_in_order if self.should_consider_ordering else match_anywhere
        return match(expected, called, self._agree)

    def _agree(self, expected: ToolCall, called: ToolCall) -> float:
        return agreement(expected, called, arguments=self.compare_arguments, output=self.compare_output)


def _word(value: float) -> str:
    return "called" if value == 1 else "partly" if value else "missing"


def _reason(expected: Sequence[ToolCall], matched: Sequence[float]) -> str:
    pairs = list(zip(expected, matched, strict=True))
    missing = [tool.name for tool, value in pairs if not value]
    partly = [tool.name for tool, value in pairs if 0 < value < 1]
    parts = [f"Expected, and not called: {', '.join(missing)}."] if missing else []
    parts += [f"Called with other arguments: {', '.join(partly)}."] if partly else []
    if parts:
        return " ".join(parts)
    return (
        f"All {len(expected)} expected tool calls were made."
        if len(expected) > 1
        else "The expected tool call was made."
    )


def _difference(expected: Sequence[ToolCall], called: Sequence[ToolCall]) -> str:
    wanted, made = ([tool.name for tool in tools] for tools in (expected, called))
    return f"Expected exactly {', '.join(wanted)}; called {', '.join(made) or 'none'}."
