# Made by docs/generate.py from catalogue.py; edit that, not this file.

from turnwise.engine.metrics.arena import ArenaGEval, ArenaTestCase, Contestant
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
from turnwise.engine.metrics.deterministic.cues import FrustrationCuesMetric, UnresolvedCuesMetric
from turnwise.engine.metrics.deterministic.json_correctness import JsonCorrectnessMetric
from turnwise.engine.metrics.deterministic.knowledge_precision import KnowledgePrecisionMetric
from turnwise.engine.metrics.deterministic.language_switch import LanguageSwitchMetric
from turnwise.engine.metrics.deterministic.measures import (
    ConversationLengthMetric,
    LatencyMetric,
    ReplyLengthMetric,
)
from turnwise.engine.metrics.deterministic.repetition import RepetitionMetric
from turnwise.engine.metrics.deterministic.speaks_to_judge import SpeaksToJudgeMetric
from turnwise.engine.metrics.deterministic.texts import (
    ContainsMetric,
    ExactMatchMetric,
    PatternMatchMetric,
    RegexMetric,
)
from turnwise.engine.metrics.geval import ConversationalGEval, GEval, Rubric
from turnwise.engine.metrics.last_turn.answer_relevancy import AnswerRelevancyMetric
from turnwise.engine.metrics.last_turn.argument_correctness import ArgumentCorrectnessMetric
from turnwise.engine.metrics.last_turn.contextual_precision import ContextualPrecisionMetric
from turnwise.engine.metrics.last_turn.contextual_recall import ContextualRecallMetric
from turnwise.engine.metrics.last_turn.contextual_relevancy import ContextualRelevancyMetric
from turnwise.engine.metrics.last_turn.faithfulness import FaithfulnessMetric
from turnwise.engine.metrics.last_turn.hallucination import HallucinationMetric
from turnwise.engine.metrics.last_turn.prompt_alignment import PromptAlignmentMetric
from turnwise.engine.metrics.last_turn.summarization import SummarizationMetric
from turnwise.engine.metrics.last_turn.task_completion import TaskCompletionMetric
from turnwise.engine.metrics.last_turn.tool_correctness import ToolCorrectnessMetric
from turnwise.engine.metrics.last_turn.violations import (
    BiasMetric,
    MisuseMetric,
    NonAdviceMetric,
    PIILeakageMetric,
    RoleViolationMetric,
    ToxicityMetric,
)
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.multimodal.image_grades import (
    ImageCoherenceMetric,
    ImageHelpfulnessMetric,
    ImageReferenceMetric,
)
from turnwise.engine.metrics.multimodal.multimodal_geval import MultimodalGEval
from turnwise.engine.metrics.multimodal.viescore import ImageEditingMetric, TextToImageMetric, VIEScore

__all__ = [
    "AnswerRelevancyMetric",
    "ArenaGEval",
    "ArenaTestCase",
    "ArgumentCorrectnessMetric",
    "BiasMetric",
    "BinaryJudgementNode",
    "ContainsMetric",
    "Contestant",
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
    "ImageEditingMetric",
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
    "MultimodalGEval",
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
    "SpeaksToJudgeMetric",
    "SummarizationMetric",
    "TaskCompletionMetric",
    "TaskNode",
    "TextToImageMetric",
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
