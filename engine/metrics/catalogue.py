"""The catalogue: every metric by its key, and every other name that `turnwise.engine.metrics` offers.

This is the one list of metrics. The registry, the names of the package, the stub that type checkers read
(`docs/generate.py` writes it) and the reference page of metrics are all made from it.
"""

from __future__ import annotations

METRICS = {
    "role_adherence": "conversation.role_adherence:RoleAdherenceMetric",
    "knowledge_retention": "conversation.knowledge_retention:KnowledgeRetentionMetric",
    "conversation_completeness": "conversation.conversation_completeness:ConversationCompletenessMetric",
    "turn_relevancy": "conversation.turn_relevancy:TurnRelevancyMetric",
    "topic_adherence": "conversation.topic_adherence:TopicAdherenceMetric",
    "goal_accuracy": "conversation.goal_accuracy:GoalAccuracyMetric",
    "tool_use": "conversation.tool_use:ToolUseMetric",
    "turn_faithfulness": "conversation.turn_faithfulness:TurnFaithfulnessMetric",
    "turn_contextual_precision": "conversation.turn_contextual_precision:TurnContextualPrecisionMetric",
    "turn_contextual_recall": "conversation.turn_contextual_recall:TurnContextualRecallMetric",
    "turn_contextual_relevancy": "conversation.turn_contextual_relevancy:TurnContextualRelevancyMetric",
    "mcp_task_completion": "conversation.mcp_task_completion:MCPTaskCompletionMetric",
    "mcp_use": "conversation.mcp_use:MCPUseMetric",
    "contradiction": "conversation.contradiction:ContradictionMetric",
    "unresolved_ending": "conversation.unresolved_ending:UnresolvedEndingMetric",
    "user_frustration": "conversation.user_frustration:UserFrustrationMetric",
    "register_switch": "conversation.register_switch:RegisterSwitchMetric",
    "conversational_dag": "dag.metrics:ConversationalDAGMetric",
    "conversational_geval": "geval:ConversationalGEval",
    "answer_relevancy": "last_turn.answer_relevancy:AnswerRelevancyMetric",
    "faithfulness": "last_turn.faithfulness:FaithfulnessMetric",
    "contextual_precision": "last_turn.contextual_precision:ContextualPrecisionMetric",
    "contextual_recall": "last_turn.contextual_recall:ContextualRecallMetric",
    "contextual_relevancy": "last_turn.contextual_relevancy:ContextualRelevancyMetric",
    "hallucination": "last_turn.hallucination:HallucinationMetric",
    "summarization": "last_turn.summarization:SummarizationMetric",
    "task_completion": "last_turn.task_completion:TaskCompletionMetric",
    "prompt_alignment": "last_turn.prompt_alignment:PromptAlignmentMetric",
    "argument_correctness": "last_turn.argument_correctness:ArgumentCorrectnessMetric",
    "bias": "last_turn.violations:BiasMetric",
    "toxicity": "last_turn.violations:ToxicityMetric",
    "misuse": "last_turn.violations:MisuseMetric",
    "pii_leakage": "last_turn.violations:PIILeakageMetric",
    "non_advice": "last_turn.violations:NonAdviceMetric",
    "role_violation": "last_turn.violations:RoleViolationMetric",
    "geval": "geval:GEval",
    "dag": "dag.metrics:DAGMetric",
    "arena_geval": "arena:ArenaGEval",
    "viescore": "multimodal.viescore:VIEScore",
    "image_coherence": "multimodal.image_grades:ImageCoherenceMetric",
    "image_helpfulness": "multimodal.image_grades:ImageHelpfulnessMetric",
    "image_reference": "multimodal.image_grades:ImageReferenceMetric",
    "tool_correctness": "last_turn.tool_correctness:ToolCorrectnessMetric",
    "repetition": "deterministic.repetition:RepetitionMetric",
    "unresolved_cues": "deterministic.cues:UnresolvedCuesMetric",
    "frustration_cues": "deterministic.cues:FrustrationCuesMetric",
    "speaks_to_judge": "deterministic.speaks_to_judge:SpeaksToJudgeMetric",
    "language_switch": "deterministic.language_switch:LanguageSwitchMetric",
    "latency": "deterministic.measures:LatencyMetric",
    "conversation_length": "deterministic.measures:ConversationLengthMetric",
    "reply_length": "deterministic.measures:ReplyLengthMetric",
    "knowledge_precision": "deterministic.knowledge_precision:KnowledgePrecisionMetric",
    "json_correctness": "deterministic.json_correctness:JsonCorrectnessMetric",
    "exact_match": "deterministic.texts:ExactMatchMetric",
    "pattern_match": "deterministic.texts:PatternMatchMetric",
    "contains": "deterministic.texts:ContainsMetric",
    "regex": "deterministic.texts:RegexMetric",
}
"""The module and the class of each metric, by its key, in the order in which metrics are listed."""

_PARTS = {
    "ArenaTestCase": "arena",
    "BinaryJudgementNode": "dag.nodes",
    "Contestant": "arena",
    "DeepAcyclicGraph": "dag.graph",
    "ImageEditingMetric": "multimodal.viescore",
    "Metric": "metric",
    "MultimodalGEval": "multimodal.multimodal_geval",
    "NonBinaryJudgementNode": "dag.nodes",
    "Rubric": "geval",
    "TaskNode": "dag.nodes",
    "TextToImageMetric": "multimodal.viescore",
    "VerdictNode": "dag.nodes",
}
"""The modules of the other public classes: what metrics are made of or given."""


def public_names() -> dict[str, str]:
    """Return the module, within this package, of every public class by its name, in the order of names."""
    classes = {name: module for module, _, name in (home.partition(":") for home in METRICS.values())}
    return dict(sorted({**classes, **_PARTS}.items()))
