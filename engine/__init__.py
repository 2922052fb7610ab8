"""Judging conversations: metrics, judges, and the one road from cases to outcomes.

The names below load on first use; importing this package loads no judge.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.engine.evaluation import EvaluationResult, TestResult, a_evaluate, assert_test, evaluate

_NAMES = ("EvaluationResult", "TestResult", "a_evaluate", "assert_test", "evaluate")

__all__ = ["EvaluationResult", "TestResult", "a_evaluate", "assert_test", "evaluate"]


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.evaluation"), name)
