"""Judging conversations: metrics, judges, and the one road from cases to outcomes.

The names below load on first use; importing this package loads no judge.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.engine.scoring.evaluation import a_evaluate, assert_test, evaluate
    from turnwise.engine.scoring.evaluation_results import EvaluationResult, TestResult
    from turnwise.engine.scoring.test_run import log_hyperparameters

_HOMES = {
    "EvaluationResult": "scoring.evaluation_results",
    "TestResult": "scoring.evaluation_results",
    "a_evaluate": "scoring.evaluation",
    "assert_test": "scoring.evaluation",
    "evaluate": "scoring.evaluation",
    "log_hyperparameters": "scoring.test_run",
}

__all__ = [
    "EvaluationResult",
    "TestResult",
    "a_evaluate",
    "assert_test",
    "evaluate",
    "log_hyperparameters",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
