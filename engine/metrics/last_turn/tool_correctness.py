"""Tool correctness: did the chatbot use the tools it was expected to use?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass
from typing import Any, ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.conversations.results import Verdict
from turnwise.conversations.tools import ToolCall, ToolCallParams
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class ToolCorrectnessMetric(Metric):
    """Whether the tools that were expected were called.

    should_exact_match: the calls must be the expected ones, in order, and no others.
    should_consider_ordering: expected calls count only in their order (the common subsequence of the
    greatest agreement). Without either, each expected call takes the best call that is left.
    compare_arguments, compare_output: whether input parameters and outputs count too; names and types
    always do. evaluation_params: the same as a list of ToolCallParams. A call agrees by the share of its
    arguments that are equal; another output is no agreement.
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
    evaluation_params: InitVar[Sequence[ToolCallParams | str]] = ()

    def __post_init__(self, evaluation_params: Sequence[ToolCallParams | str]) -> None:
        super().__post_init__()
        named = [getattr(one, "value", one) for one in evaluation_params or ()]
        known = [one.value for one in ToolCallParams]
        if stranger := next((one for one in named if one not in known), None):
            raise SettingError(
                f"{self.name}: evaluation_params holds what is no part of a tool call",
                detail=f"Given: {shorten(stranger)}",
                next_step=f"There are: {', '.join(known)}.",
            )
        self.compare_arguments = self.compare_arguments or "input_parameters" in named
        self.compare_output = self.compare_output or "output" in named

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


CallAgreement = Callable[[ToolCall, ToolCall], float]
"""A function that says how far an expected and a made call agree, 0 to 1."""


def agreement(expected: ToolCall, called: ToolCall, *, arguments: bool, output: bool) -> float:
    """Return how far two calls agree: 0 for another name or type, else the share of equal arguments.

    arguments, output: whether these are compared at all; outputs are equal or the agreement is 0.
    """
    kinds = [call.type or "FUNCTION" for call in (expected, called)]
    if expected.name != called.name or kinds[0] != kinds[1]:
        return 0.0
    if output and expected.output != called.output:
        return 0.0
    return share_equal(expected.input_parameters, called.input_parameters) if arguments else 1.0


def share_equal(expected: Mapping[str, Any] | None, given: Mapping[str, Any] | None) -> float:
    """Return the share of arguments that are equal, of all that either has; objects inside count in parts."""
    one, other = expected or {}, given or {}
    names = [*one, *(name for name in other if name not in one)]
    return sum(_same(one, other, name) for name in names) / len(names) if names else 1.0


def _same(one: Mapping[str, Any], other: Mapping[str, Any], name: str) -> float:
    if name not in one or name not in other:
        return 0.0
    if isinstance(one[name], Mapping) and isinstance(other[name], Mapping):
        return share_equal(one[name], other[name])
    return float(one[name] == other[name])


def match_in_place(
    expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: CallAgreement
) -> list[float]:
    """Return each expected call's agreement with the call made in its place."""
    found = [agree(one, other) for one, other in zip(expected, called, strict=False)]
    return found + [0.0] * (len(expected) - len(found))


def match_anywhere(
    expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: CallAgreement
) -> list[float]:
    """Return each expected call's agreement with the best call that none before it has taken."""
    left = list(called)
    found = []
    for tool in expected:
        values = [agree(tool, call) for call in left]
        best = max(values, default=0.0)
        if best > 0:
            del left[values.index(best)]
        found.append(best)
    return found


def match_in_order(
    expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: CallAgreement
) -> list[float]:
    """Return the agreements along the common subsequence of the greatest total agreement."""
    rows, columns = len(expected), len(called)
    value = [[agree(one, other) for other in called] for one in expected]
    total = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for row in range(rows - 1, -1, -1):
        for column in range(columns - 1, -1, -1):
            total[row][column] = max(
                total[row + 1][column],
                total[row][column + 1],
                value[row][column] + total[row + 1][column + 1],
            )
    found, row, column = [0.0] * rows, 0, 0
    while row < rows and column < columns:
        if total[row][column] == total[row + 1][column]:
            row += 1
        elif total[row][column] == total[row][column + 1]:
            column += 1
        else:
            found[row] = value[row][column]
            row, column = row + 1, column + 1
    return found
