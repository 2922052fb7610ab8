"""The metrics, each loaded when it is first named."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.engine.metrics.arena import ArenaGEval
    from turnwise.engine.metrics.checks.conversation_length import ConversationLengthMetric
    from turnwise.engine.metrics.checks.frustration_cues import FrustrationCuesMetric
    from turnwise.engine.metrics.checks.json_correctness import JsonCorrectnessMetric
    from turnwise.engine.metrics.checks.knowledge_precision import KnowledgePrecisionMetric
    from turnwise.engine.metrics.checks.language_switch import LanguageSwitchMetric
    from turnwise.engine.metrics.checks.latency import LatencyMetric
    from turnwise.engine.metrics.checks.repetition import RepetitionMetric
    from turnwise.engine.metrics.checks.reply_length import ReplyLengthMetric
    from turnwise.engine.metrics.checks.texts import (
        ContainsMetric,
        ExactMatchMetric,
        PatternMatchMetric,
        RegexMetric,
    )
    from turnwise.engine.metrics.checks.unresolved_cues import UnresolvedCuesMetric
    from turnwise.engine.metrics.conversation.contradiction import ContradictionMetric
    from turnwise.engine.metrics.conversation.conversation_completeness import ConversationCompletenessMetric
    from turnwise.engine.metrics.conversation.goal_accuracy import GoalAccuracyMetric
    from turnwise.engine.metrics.conversation.knowledge_retention import KnowledgeRetentionMetric
    from turnwise.engine.metrics.conversation.mcp_task_completion import MCPTaskCompletionMetric
    from turnwise.engine.metrics.conversation.mcp_use import MCPUseMetric
    from turnwise.engine.metrics.conversation.register_switch import RegisterSwitchMetric
    from turnwise.engine.metrics.conversation.role_adherence import RoleAdherenceMetric
    from turnwise.engine.metrics.conversation.tool_use import ToolUseMetric
    from turnwise.engine.metrics.conversation.topic_adherence import TopicAdherenceMetric
    from turnwise.engine.metrics.conversation.turn_contextual_precision import TurnContextualPrecisionMetric
    from turnwise.engine.metrics.conversation.turn_contextual_recall import TurnContextualRecallMetric
    from turnwise.engine.metrics.conversation.turn_contextual_relevancy import TurnContextualRelevancyMetric
    from turnwise.engine.metrics.conversation.turn_faithfulness import TurnFaithfulnessMetric
    from turnwise.engine.metrics.conversation.turn_relevancy import TurnRelevancyMetric
    from turnwise.engine.metrics.conversation.unresolved_ending import UnresolvedEndingMetric
    from turnwise.engine.metrics.conversation.user_frustration import UserFrustrationMetric
    from turnwise.engine.metrics.dag.graph import DeepAcyclicGraph
    from turnwise.engine.metrics.dag.metrics import ConversationalDAGMetric, DAGMetric
    from turnwise.engine.metrics.dag.nodes import (
        BinaryJudgementNode,
        NonBinaryJudgementNode,
        TaskNode,
        VerdictNode,
    )
    from turnwise.engine.metrics.geval import ConversationalGEval, GEval, Rubric
    from turnwise.engine.metrics.last_turn.answer_relevancy import AnswerRelevancyMetric
    from turnwise.engine.metrics.last_turn.argument_correctness import ArgumentCorrectnessMetric
    from turnwise.engine.metrics.last_turn.bias import BiasMetric
    from turnwise.engine.metrics.last_turn.contextual_precision import ContextualPrecisionMetric
    from turnwise.engine.metrics.last_turn.contextual_recall import ContextualRecallMetric
    from turnwise.engine.metrics.last_turn.contextual_relevancy import ContextualRelevancyMetric
    from turnwise.engine.metrics.last_turn.faithfulness import FaithfulnessMetric
    from turnwise.engine.metrics.last_turn.hallucination import HallucinationMetric
    from turnwise.engine.metrics.last_turn.misuse import MisuseMetric
    from turnwise.engine.metrics.last_turn.non_advice import NonAdviceMetric
    from turnwise.engine.metrics.last_turn.pii_leakage import PIILeakageMetric
    from turnwise.engine.metrics.last_turn.prompt_alignment import PromptAlignmentMetric
    from turnwise.engine.metrics.last_turn.role_violation import RoleViolationMetric
    from turnwise.engine.metrics.last_turn.summarization import SummarizationMetric
    from turnwise.engine.metrics.last_turn.task_completion import TaskCompletionMetric
    from turnwise.engine.metrics.last_turn.tool_correctness import ToolCorrectnessMetric
    from turnwise.engine.metrics.last_turn.toxicity import ToxicityMetric
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.metrics.multimodal.image_coherence import ImageCoherenceMetric
    from turnwise.engine.metrics.multimodal.image_helpfulness import ImageHelpfulnessMetric
    from turnwise.engine.metrics.multimodal.image_reference import ImageReferenceMetric
    from turnwise.engine.metrics.multimodal.viescore import VIEScore

_HOMES = {
    "AnswerRelevancyMetric": "last_turn.answer_relevancy",
    "ArenaGEval": "arena",
    "ArgumentCorrectnessMetric": "last_turn.argument_correctness",
    "BiasMetric": "last_turn.bias",
    "BinaryJudgementNode": "dag.nodes",
    "ContainsMetric": "checks.texts",
    "ContextualPrecisionMetric": "last_turn.contextual_precision",
    "ContextualRecallMetric": "last_turn.contextual_recall",
    "ContextualRelevancyMetric": "last_turn.contextual_relevancy",
    "ContradictionMetric": "conversation.contradiction",
    "ConversationCompletenessMetric": "conversation.conversation_completeness",
    "ConversationLengthMetric": "checks.conversation_length",
    "ConversationalDAGMetric": "dag.metrics",
    "ConversationalGEval": "geval",
    "DAGMetric": "dag.metrics",
    "DeepAcyclicGraph": "dag.graph",
    "ExactMatchMetric": "checks.texts",
    "FaithfulnessMetric": "last_turn.faithfulness",
    "FrustrationCuesMetric": "checks.frustration_cues",
    "GEval": "geval",
    "GoalAccuracyMetric": "conversation.goal_accuracy",
    "HallucinationMetric": "last_turn.hallucination",
    "ImageCoherenceMetric": "multimodal.image_coherence",
    "ImageHelpfulnessMetric": "multimodal.image_helpfulness",
    "ImageReferenceMetric": "multimodal.image_reference",
    "JsonCorrectnessMetric": "checks.json_correctness",
    "KnowledgePrecisionMetric": "checks.knowledge_precision",
    "KnowledgeRetentionMetric": "conversation.knowledge_retention",
    "LanguageSwitchMetric": "checks.language_switch",
    "LatencyMetric": "checks.latency",
    "MCPTaskCompletionMetric": "conversation.mcp_task_completion",
    "MCPUseMetric": "conversation.mcp_use",
    "Metric": "metric",
    "MisuseMetric": "last_turn.misuse",
    "NonAdviceMetric": "last_turn.non_advice",
    "NonBinaryJudgementNode": "dag.nodes",
    "PIILeakageMetric": "last_turn.pii_leakage",
    "PatternMatchMetric": "checks.texts",
    "PromptAlignmentMetric": "last_turn.prompt_alignment",
    "RegexMetric": "checks.texts",
    "RegisterSwitchMetric": "conversation.register_switch",
    "RepetitionMetric": "checks.repetition",
    "ReplyLengthMetric": "checks.reply_length",
    "RoleAdherenceMetric": "conversation.role_adherence",
    "RoleViolationMetric": "last_turn.role_violation",
    "Rubric": "geval",
    "SummarizationMetric": "last_turn.summarization",
    "TaskCompletionMetric": "last_turn.task_completion",
    "TaskNode": "dag.nodes",
    "ToolCorrectnessMetric": "last_turn.tool_correctness",
    "ToolUseMetric": "conversation.tool_use",
    "TopicAdherenceMetric": "conversation.topic_adherence",
    "ToxicityMetric": "last_turn.toxicity",
    "TurnContextualPrecisionMetric": "conversation.turn_contextual_precision",
    "TurnContextualRecallMetric": "conversation.turn_contextual_recall",
    "TurnContextualRelevancyMetric": "conversation.turn_contextual_relevancy",
    "TurnFaithfulnessMetric": "conversation.turn_faithfulness",
    "TurnRelevancyMetric": "conversation.turn_relevancy",
    "UnresolvedCuesMetric": "checks.unresolved_cues",
    "UnresolvedEndingMetric": "conversation.unresolved_ending",
    "UserFrustrationMetric": "conversation.user_frustration",
    "VIEScore": "multimodal.viescore",
    "VerdictNode": "dag.nodes",
}

__all__ = [
    "AnswerRelevancyMetric",
    "ArenaGEval",
    "ArgumentCorrectnessMetric",
    "BiasMetric",
    "BinaryJudgementNode",
    "ContainsMetric",
    "ContextualPrecisionMetric",
    "ContextualRecallMetric",
    "ContextualRelevancyMetric",
    "ContradictionMetric",
    "ConversationCompletenessMetric",
    "ConversationLengthMetric",
    "ConversationalDAGMetric",
    "ConversationalGEval",
    "DAGMetric",
    "DeepAcyclicGraph",
    "ExactMatchMetric",
    "FaithfulnessMetric",
    "FrustrationCuesMetric",
    "GEval",
    "GoalAccuracyMetric",
    "HallucinationMetric",
    "ImageCoherenceMetric",
    "ImageHelpfulnessMetric",
    "ImageReferenceMetric",
    "JsonCorrectnessMetric",
    "KnowledgePrecisionMetric",
    "KnowledgeRetentionMetric",
    "LanguageSwitchMetric",
    "LatencyMetric",
    "MCPTaskCompletionMetric",
    "MCPUseMetric",
    "Metric",
    "MisuseMetric",
    "NonAdviceMetric",
    "NonBinaryJudgementNode",
    "PIILeakageMetric",
    "PatternMatchMetric",
    "PromptAlignmentMetric",
    "RegexMetric",
    "RegisterSwitchMetric",
    "RepetitionMetric",
    "ReplyLengthMetric",
    "RoleAdherenceMetric",
    "RoleViolationMetric",
    "Rubric",
    "SummarizationMetric",
    "TaskCompletionMetric",
    "TaskNode",
    "ToolCorrectnessMetric",
    "ToolUseMetric",
    "TopicAdherenceMetric",
    "ToxicityMetric",
    "TurnContextualPrecisionMetric",
    "TurnContextualRecallMetric",
    "TurnContextualRelevancyMetric",
    "TurnFaithfulnessMetric",
    "TurnRelevancyMetric",
    "UnresolvedCuesMetric",
    "UnresolvedEndingMetric",
    "UserFrustrationMetric",
    "VIEScore",
    "VerdictNode",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
