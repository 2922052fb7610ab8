"""The metrics, each loaded when it is first named."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.engine.metrics.checks.texts import ContainsMetric, ExactMatchMetric, RegexMetric
    from turnwise.engine.metrics.conversation.conversation_completeness import ConversationCompletenessMetric
    from turnwise.engine.metrics.conversation.knowledge_retention import KnowledgeRetentionMetric
    from turnwise.engine.metrics.conversation.role_adherence import RoleAdherenceMetric
    from turnwise.engine.metrics.conversation.turn_relevancy import TurnRelevancyMetric
    from turnwise.engine.metrics.geval import ConversationalGEval, GEval, Rubric
    from turnwise.engine.metrics.last_turn.answer_relevancy import AnswerRelevancyMetric
    from turnwise.engine.metrics.last_turn.faithfulness import FaithfulnessMetric
    from turnwise.engine.metrics.last_turn.tool_correctness import ToolCorrectnessMetric
    from turnwise.engine.metrics.metric import Metric

_HOMES = {
    "AnswerRelevancyMetric": "last_turn.answer_relevancy",
    "ContainsMetric": "checks.texts",
    "ConversationCompletenessMetric": "conversation.conversation_completeness",
    "ConversationalGEval": "geval",
    "ExactMatchMetric": "checks.texts",
    "FaithfulnessMetric": "last_turn.faithfulness",
    "GEval": "geval",
    "KnowledgeRetentionMetric": "conversation.knowledge_retention",
    "Metric": "metric",
    "RegexMetric": "checks.texts",
    "RoleAdherenceMetric": "conversation.role_adherence",
    "Rubric": "geval",
    "ToolCorrectnessMetric": "last_turn.tool_correctness",
    "TurnRelevancyMetric": "conversation.turn_relevancy",
}

__all__ = [
    "AnswerRelevancyMetric",
    "ContainsMetric",
    "ConversationCompletenessMetric",
    "ConversationalGEval",
    "ExactMatchMetric",
    "FaithfulnessMetric",
    "GEval",
    "KnowledgeRetentionMetric",
    "Metric",
    "RegexMetric",
    "RoleAdherenceMetric",
    "Rubric",
    "ToolCorrectnessMetric",
    "TurnRelevancyMetric",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
