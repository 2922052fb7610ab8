"""What a conversation is, where it comes from and where it is kept.

The names below load on first use, so that importing one costs no more than that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names

if TYPE_CHECKING:
    from turnwise.conversations.cases import (
        ConversationalTestCase,
        Exchange,
        LLMTestCase,
        LLMTestCaseParams,
    )
    from turnwise.conversations.images import MLLMImage, MLLMTestCase
    from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
    from turnwise.conversations.tools import ToolCall
    from turnwise.conversations.turns import RetrievedContext, Turn
else:
    __getattr__ = lazy_names(
        __name__,
        cases=("ConversationalTestCase", "Exchange", "LLMTestCase", "LLMTestCaseParams"),
        images=("MLLMImage", "MLLMTestCase"),
        results=("Failure", "Outcome", "Score", "Skipped", "Verdict"),
        tools=("ToolCall",),
        turns=("RetrievedContext", "Turn"),
    )

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
