"""What a conversation is, where it comes from and where it is kept.

The names below load on first use, so that importing one costs no more than that one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase, LLMTestCaseParams
    from turnwise.conversations.images import MLLMImage, MLLMTestCase
    from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
    from turnwise.conversations.tools import ToolCall
    from turnwise.conversations.turns import Exchange, RetrievedContext, Turn

_HOMES = {
    "ConversationalTestCase": "cases",
    "LLMTestCase": "cases",
    "LLMTestCaseParams": "cases",
    "MLLMImage": "images",
    "MLLMTestCase": "images",
    "Failure": "results",
    "Outcome": "results",
    "Score": "results",
    "Skipped": "results",
    "Verdict": "results",
    "ToolCall": "tools",
    "Exchange": "turns",
    "RetrievedContext": "turns",
    "Turn": "turns",
}

__all__ = [
    "ConversationalTestCase",
    "Exchange",
    "Failure",
    "LLMTestCase",
    "LLMTestCaseParams",
    "MLLMImage",
    "MLLMTestCase",
    "Outcome",
    "RetrievedContext",
    "Score",
    "Skipped",
    "ToolCall",
    "Turn",
    "Verdict",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
