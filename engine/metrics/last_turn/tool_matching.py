"""Tool matching: how far each expected tool call agrees with one that was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from turnwise.conversations.tools import ToolCall

Agreement = Callable[[ToolCall, ToolCall], float]
"""From an expected and a made call to how far they agree, 0 to 1."""


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


def match_in_place(expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: Agreement) -> list[float]:
    """Return each expected call's agreement with the call made in its place."""
    found = [agree(one, other) for one, other in zip(expected, called, strict=False)]
    return found + [0.0] * (len(expected) - len(found))


def match_anywhere(expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: Agreement) -> list[float]:
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


def match_in_order(expected: Sequence[ToolCall], called: Sequence[ToolCall], agree: Agreement) -> list[float]:
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
