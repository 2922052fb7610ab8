# Made by docs/generate.py from engine/library_names.py; edit that, not this file.

from turnwise.conversations.cases import (
    ConversationalTestCase,
    Exchange,
    LLMTestCase,
    LLMTestCaseParams,
    LLMTestCaseParams as MultiTurnParams,
    LLMTestCaseParams as SingleTurnParams,
    LLMTestCaseParams as TurnParams,
)
from turnwise.conversations.errors import (
    CaseError,
    FormatError,
    JudgeError,
    NotFoundError,
    SettingError,
    StoreError,
    TurnwiseError,
)
from turnwise.conversations.goldens import ConversationalGolden, Golden
from turnwise.conversations.images import MLLMImage, MLLMTestCase
from turnwise.conversations.relay import recording
from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
from turnwise.conversations.tools import ToolCall, ToolCallParams, ToolCallType
from turnwise.conversations.turns import RetrievedContext, RetrievedContext as RetrievedContextData, Turn
from turnwise.engine.judge.judge import Judge
from turnwise.engine.metrics.arena import ArenaGEval, ArenaTestCase, Contestant
from turnwise.engine.metrics.conversation.contradiction import ContradictionMetric
from turnwise.engine.metrics.conversation.conversation_completeness import ConversationCompletenessMetric
from turnwise.engine.metrics.conversation.goal_accuracy import GoalAccuracyMetric
from turnwise.engine.metrics.conversation.knowledge_retention import KnowledgeRetentionMetric
from turnwise.engine.metrics.conversation.mcp_task_completion import MCPTaskCompletionMetric
from turnwise.engine.metrics.conversation.mcp_use import MCPUseMetric, MCPUseMetric as MultiTurnMCPUseMetric
from turnwise.engine.metrics.conversation.register_switch import RegisterSwitchMetric
from turnwise.engine.metrics.conversation.role_adherence import RoleAdherenceMetric
from turnwise.engine.metrics.conversation.tool_use import ToolUseMetric
from turnwise.engine.metrics.conversation.topic_adherence import TopicAdherenceMetric
from turnwise.engine.metrics.conversation.turn_contextual_precision import TurnContextualPrecisionMetric
from turnwise.engine.metrics.conversation.turn_contextual_recall import TurnContextualRecallMetric
from turnwise.engine.metrics.conversation.turn_contextual_relevancy import TurnContextualRelevancyMetric
from turnwise.engine.metrics.conversation.turn_faithfulness import TurnFaithfulnessMetric
from turnwise.engine.metrics.conversation.turn_relevancy import (
    TurnRelevancyMetric as ConversationRelevancyMetric,
    TurnRelevancyMetric,
)
from turnwise.engine.metrics.conversation.unresolved_ending import UnresolvedEndingMetric
from turnwise.engine.metrics.conversation.user_frustration import UserFrustrationMetric
from turnwise.engine.metrics.dag.graph import DeepAcyclicGraph
from turnwise.engine.metrics.dag.metrics import ConversationalDAGMetric, DAGMetric
from turnwise.engine.metrics.dag.nodes import (
    BinaryJudgementNode,
    BinaryJudgementNode as ConversationalBinaryJudgementNode,
    NonBinaryJudgementNode as ConversationalNonBinaryJudgementNode,
    TaskNode as ConversationalTaskNode,
    VerdictNode as ConversationalVerdictNode,
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
from turnwise.engine.metrics.metric import Finding, Metric
from turnwise.engine.metrics.multimodal.image_grades import (
    ImageCoherenceMetric,
    ImageHelpfulnessMetric,
    ImageReferenceMetric,
)
from turnwise.engine.metrics.multimodal.multimodal_geval import MultimodalGEval
from turnwise.engine.metrics.multimodal.viescore import ImageEditingMetric, TextToImageMetric, VIEScore
from turnwise.engine.metrics.own_metric import BaseConversationalMetric, BaseMetric
from turnwise.engine.models.own_model import DeepEvalBaseLLM
from turnwise.engine.scoring.configs import (
    AsyncConfig,
    CacheConfig,
    DisplayConfig,
    ErrorConfig,
    TestRunResultDisplay,
)
from turnwise.engine.scoring.dataset import EvaluationDataset
from turnwise.engine.scoring.evaluation import a_evaluate, assert_test, evaluate
from turnwise.engine.scoring.evaluation_results import EvaluationResult, MetricData, TestResult
from turnwise.engine.scoring.test_run import log_hyperparameters

__version__: str

__all__ = [
    "AnswerRelevancyMetric",
    "ArenaGEval",
    "ArenaTestCase",
    "ArgumentCorrectnessMetric",
    "AsyncConfig",
    "BaseConversationalMetric",
    "BaseMetric",
    "BiasMetric",
    "BinaryJudgementNode",
    "CacheConfig",
    "CaseError",
    "ContainsMetric",
    "Contestant",
    "ContextualPrecisionMetric",
    "ContextualRecallMetric",
    "ContextualRelevancyMetric",
    "ContradictionMetric",
    "ConversationCompletenessMetric",
    "ConversationLengthMetric",
    "ConversationRelevancyMetric",
    "ConversationalBinaryJudgementNode",
    "ConversationalDAGMetric",
    "ConversationalGEval",
    "ConversationalGolden",
    "ConversationalNonBinaryJudgementNode",
    "ConversationalTaskNode",
    "ConversationalTestCase",
    "ConversationalVerdictNode",
    "DAGMetric",
    "DeepAcyclicGraph",
    "DeepEvalBaseLLM",
    "DisplayConfig",
    "ErrorConfig",
    "EvaluationDataset",
    "EvaluationResult",
    "ExactMatchMetric",
    "Exchange",
    "Failure",
    "FaithfulnessMetric",
    "Finding",
    "FormatError",
    "FrustrationCuesMetric",
    "GEval",
    "GoalAccuracyMetric",
    "Golden",
    "HallucinationMetric",
    "ImageCoherenceMetric",
    "ImageEditingMetric",
    "ImageHelpfulnessMetric",
    "ImageReferenceMetric",
    "JsonCorrectnessMetric",
    "Judge",
    "JudgeError",
    "KnowledgePrecisionMetric",
    "KnowledgeRetentionMetric",
    "LLMTestCase",
    "LLMTestCaseParams",
    "LanguageSwitchMetric",
    "LatencyMetric",
    "MCPTaskCompletionMetric",
    "MCPUseMetric",
    "MLLMImage",
    "MLLMTestCase",
    "Metric",
    "MetricData",
    "MisuseMetric",
    "MultiTurnMCPUseMetric",
    "MultiTurnParams",
    "MultimodalGEval",
    "NonAdviceMetric",
    "NonBinaryJudgementNode",
    "NotFoundError",
    "Outcome",
    "PIILeakageMetric",
    "PatternMatchMetric",
    "PromptAlignmentMetric",
    "RegexMetric",
    "RegisterSwitchMetric",
    "RepetitionMetric",
    "ReplyLengthMetric",
    "RetrievedContext",
    "RetrievedContextData",
    "RoleAdherenceMetric",
    "RoleViolationMetric",
    "Rubric",
    "Score",
    "SettingError",
    "SingleTurnParams",
    "Skipped",
    "SpeaksToJudgeMetric",
    "StoreError",
    "SummarizationMetric",
    "TaskCompletionMetric",
    "TaskNode",
    "TestResult",
    "TestRunResultDisplay",
    "TextToImageMetric",
    "ToolCall",
    "ToolCallParams",
    "ToolCallType",
    "ToolCorrectnessMetric",
    "ToolUseMetric",
    "TopicAdherenceMetric",
    "ToxicityMetric",
    "Turn",
    "TurnContextualPrecisionMetric",
    "TurnContextualRecallMetric",
    "TurnContextualRelevancyMetric",
    "TurnFaithfulnessMetric",
    "TurnParams",
    "TurnRelevancyMetric",
    "TurnwiseError",
    "UnresolvedCuesMetric",
    "UnresolvedEndingMetric",
    "UserFrustrationMetric",
    "VIEScore",
    "Verdict",
    "VerdictNode",
    "a_evaluate",
    "assert_test",
    "evaluate",
    "log_hyperparameters",
    "recording",
]
