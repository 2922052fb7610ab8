"""Tool correctness: did the chatbot use the tools it was expected to use?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.conversations.tools import ToolCall
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class ToolCorrectnessMetric(Metric):
    """Whether the tools that were expected were called.

    should_exact_match: the calls must be the expected ones, in order, and no others.
    should_consider_ordering: expected calls count only in their order (longest common subsequence).
    compare_arguments, compare_output: input parameters and outputs must be equal too; names always.
    Formula: expected calls found / expected calls; with should_exact_match 1 or 0. Each call serves once.
    Source: deepeval's ToolCorrectness.
    Needs: expected_tools (tools_called counts as empty where absent). Direction: higher is better.
    Range: 0 to 1. Empty: both empty 1, only expected empty 0.
    Judge calls: none.
    """

    key: ClassVar[str] = "tool_correctness"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("expected_tools",)
    uses_judge: ClassVar[bool] = False

    should_exact_match: bool = False
    should_consider_ordering: bool = False
    compare_arguments: bool = False
    compare_output: bool = False

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare the calls that were made with the expected ones."""
        expected: list[ToolCall] = subject.value("expected_tools")
        called: list[ToolCall] = subject.value("tools_called") or []
        turn = max(subject.exchange.reply_turns, default=None) if subject.exchange else None
        matched = self._matched(expected, called)
        verdicts = [
            Verdict(turn=turn, passed=found, word="called" if found else "missing", about=tool.name)
            for tool, found in zip(expected, matched, strict=True)
        ]
        if not expected:
            names = ", ".join(call.name for call in called)
            reason = f"No tool was expected, and these were called: {names}." if called else "No tool needed."
            return Finding(score=float(not called), reason=reason)
        missing = [tool.name for tool, found in zip(expected, matched, strict=True) if not found]
        if self.should_exact_match and (missing or len(called) != len(expected)):
            return Finding(score=0.0, reason=_difference(expected, called), verdicts=verdicts)
        score = sum(matched) / len(expected)
        found_all = (
            f"All {len(expected)} expected tool calls were made."
            if len(expected) > 1
            else "The expected tool call was made."
        )
        return Finding(
            score=score,
            reason=f"Expected, and not called: {', '.join(missing)}." if missing else found_all,
            verdicts=verdicts,
        )

    def _matched(self, expected: Sequence[ToolCall], called: Sequence[ToolCall]) -> list[bool]:
        if self.should_exact_match:
            pairs = zip(expected, called, strict=False)
            same = [self._same(one, other) for one, other in pairs]
            return same + [False] * (len(expected) - len(same))
        if self.should_consider_ordering:
            return self._in_order(expected, called)
        left = list(called)
        matched = []
        for tool in expected:
            hit = next((call for call in left if self._same(tool, call)), None)
            matched.append(hit is not None)
            if hit is not None:
                left = [call for call in left if call is not hit]
        return matched

    def _in_order(self, expected: Sequence[ToolCall], called: Sequence[ToolCall]) -> list[bool]:
        """Mark the expected calls of a longest common subsequence."""
        rows, columns = len(expected), len(called)
        length = [[0] * (columns + 1) for _ in range(rows + 1)]
        for row in range(rows - 1, -1, -1):
            for column in range(columns - 1, -1, -1):
                if self._same(expected[row], called[column]):
                    length[row][column] = length[row + 1][column + 1] + 1
                else:
                    length[row][column] = max(length[row + 1][column], length[row][column + 1])
        matched, row, column = [False] * rows, 0, 0
        while row < rows and column < columns:
            if self._same(expected[row], called[column]):
                matched[row] = True
                row, column = row + 1, column + 1
            elif length[row + 1][column] >= length[row][column + 1]:
                row += 1
            else:
                column += 1
        return matched

    def _same(self, expected: ToolCall, called: ToolCall) -> bool:
        return (
            expected.name == called.name
            and (not self.compare_arguments or expected.input_parameters == called.input_parameters)
            and (not self.compare_output or expected.output == called.output)
        )


def _difference(expected: Sequence[ToolCall], called: Sequence[ToolCall]) -> str:
    wanted, made = ([tool.name for tool in tools] for tools in (expected, called))
    return f"Expected exactly {', '.join(wanted)}; called {', '.join(made) or 'none'}."
