"""Metrics over all cases of a suite: sums by name, and what a file derives from them by a formula."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.engine.checks.findings import CaseOutcome

_LONGEST = 1000
_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.Div: lambda left, right: (
        left / right if right else math.nan if not left else math.copysign(math.inf, left)
    ),
    ast.Pow: lambda left, right: math.pow(left, right),
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "abs": abs,
    "ceil": math.ceil,
    "exp": math.exp,
    "floor": math.floor,
    "log": math.log,
    "max": max,
    "mean": lambda *values: math.fsum(values) / len(values),
    "min": min,
    "pow": math.pow,
    "round": round,
    "sqrt": math.sqrt,
    "sum": lambda *values: math.fsum(values),
}


def total_metrics(results: Iterable[CaseOutcome]) -> dict[str, float]:
    """Return the sum of each metric over cases: scores times weights."""
    sums: dict[str, float] = {}
    for result in results:
        for name, score in result.named_scores.items():
            sums[name] = sums.get(name, 0.0) + score * result.named_weights.get(name, 1.0)
    return sums


def derive_metrics(
    definitions: Sequence[Mapping[str, Any]], sums: Mapping[str, float], *, cases: int
) -> dict[str, float]:
    """Return the metrics that formulas make of the sums; a later one may use an earlier one.

    definitions: each with a name and a value, as in `{"name": "mean", "value": "m1 / __count"}`.
    cases: what `__count` stands for. A metric that no case has counts as 0. Raises SettingError for a formula
    that is none.
    """
    known = {**sums, "__count": float(cases)}
    derived: dict[str, float] = {}
    for definition in definitions:
        name, formula = str(definition.get("name")), definition.get("value")
        if not isinstance(formula, str):
            raise SettingError(f"The metric {name} has no formula", next_step="Write one, as in a / __count.")
        known[name] = derived[name] = _value(formula, known)
    return derived


def _value(formula: str, known: Mapping[str, float]) -> float:
    try:
        if len(formula) > _LONGEST:
            raise ValueError("it is too long")
        # A circumflex is a power in such formulas.
        return float(_evaluated(ast.parse(formula.strip().replace("^", "**"), mode="eval").body, known))
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError) as error:
        raise SettingError(
            f"The formula {formula[:80]} cannot be computed",
            detail=str(error),
            next_step="Use metrics, numbers, + - * / ^ % and functions such as max and sqrt.",
        ) from error


def _evaluated(node: ast.expr, known: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name):
            return known.get(name, 0.0)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_evaluated(inner, known)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _evaluated(inner, known)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _OPERATORS[type(op)](_evaluated(left, known), _evaluated(right, known))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](*(_evaluated(item, known) for item in arguments)))
    raise ValueError(f"{ast.unparse(node)} means nothing here")
