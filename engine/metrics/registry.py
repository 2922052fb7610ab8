"""The registry of metrics: every metric by its key, loaded when it is asked for.

Adding a metric is one module and one line here; packages of others add theirs as entry points.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.plugged import load_plugged, plugged_metrics

_HOMES = {
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
    "bias": "last_turn.bias:BiasMetric",
    "toxicity": "last_turn.toxicity:ToxicityMetric",
    "misuse": "last_turn.misuse:MisuseMetric",
    "pii_leakage": "last_turn.pii_leakage:PIILeakageMetric",
    "non_advice": "last_turn.non_advice:NonAdviceMetric",
    "role_violation": "last_turn.role_violation:RoleViolationMetric",
    "geval": "geval:GEval",
    "dag": "dag.metrics:DAGMetric",
    "arena_geval": "arena:ArenaGEval",
    "viescore": "multimodal.viescore:VIEScore",
    "image_coherence": "multimodal.image_coherence:ImageCoherenceMetric",
    "image_helpfulness": "multimodal.image_helpfulness:ImageHelpfulnessMetric",
    "image_reference": "multimodal.image_reference:ImageReferenceMetric",
    "tool_correctness": "last_turn.tool_correctness:ToolCorrectnessMetric",
    "repetition": "checks.repetition:RepetitionMetric",
    "unresolved_cues": "checks.unresolved_cues:UnresolvedCuesMetric",
    "frustration_cues": "checks.frustration_cues:FrustrationCuesMetric",
    "language_switch": "checks.language_switch:LanguageSwitchMetric",
    "latency": "checks.latency:LatencyMetric",
    "conversation_length": "checks.conversation_length:ConversationLengthMetric",
    "reply_length": "checks.reply_length:ReplyLengthMetric",
    "knowledge_precision": "checks.knowledge_precision:KnowledgePrecisionMetric",
    "json_correctness": "checks.json_correctness:JsonCorrectnessMetric",
    "exact_match": "checks.texts:ExactMatchMetric",
    "pattern_match": "checks.texts:PatternMatchMetric",
    "contains": "checks.texts:ContainsMetric",
    "regex": "checks.texts:RegexMetric",
}
_CRITERION_METRICS = frozenset({"conversational_geval", "geval", "arena_geval"})


def metric_keys() -> list[str]:
    """Return the keys of all metrics, in the order they are listed: ours, then those of other packages."""
    return [*_HOMES, *(key for key in plugged_metrics() if key not in _HOMES)]


def metric_class(key: str) -> type[Metric]:
    """Return the metric of a key.

    Raises NotFoundError with the nearest name, SettingError where another package's metric is broken.
    """
    wanted = key.strip().lower().replace("-", "_")
    home = _HOMES.get(wanted)
    if home is None:
        plugged = plugged_metrics()
        if wanted in plugged:
            return load_plugged(plugged[wanted])
        known = [*_HOMES, *plugged]
        near = difflib.get_close_matches(key, known, n=1)
        raise NotFoundError(
            f"There is no metric {key}",
            detail=f"Known: {', '.join(known)}",
            next_step=f"Did you mean {near[0]}?" if near else "`turnwise metrics` explains each of them.",
        )
    module, name = home.split(":")
    found: type[Metric] = getattr(import_module(f"turnwise.engine.metrics.{module}"), name)
    return found


def needs_criterion(key: str) -> bool:
    """Say whether a metric means nothing without a criterion."""
    return key.strip().lower().replace("-", "_") in _CRITERION_METRICS


def make_metric(text: str) -> Metric:
    """Make a metric from its name with settings: `contains:refund`, `turn_relevancy:window_size=5`.

    Raises NotFoundError for an unknown metric, SettingError for a setting that it does not have.
    """
    key, _, given = text.partition(":")
    kind = metric_class(key)
    return kind(**_settings(kind, given.strip()))


def _settings(kind: type[Metric], given: str) -> Mapping[str, Any]:
    if not given:
        return {}
    known = {item.name: item for item in fields(kind) if item.init and item.name not in ("model", "name")}
    parts = [part.partition("=") for part in given.split(",")]
    if all(name.strip() in known for name, _, _ in parts) and all(sign for _, sign, _ in parts):
        return {
            name.strip(): _value(kind.key, known[name.strip()], value.strip()) for name, _, value in parts
        }
    if kind.main_setting:
        return {kind.main_setting: given}
    wrong = next(name.strip() for name, _, _ in parts if name.strip() not in known)
    near = difflib.get_close_matches(wrong, known, n=1)
    raise SettingError(
        f"{kind.key} has no setting {wrong}",
        detail=f"It has: {', '.join(known)}",
        next_step=f"Did you mean {near[0]}?" if near else "",
    )


def _value(key: str, item: Any, text: str) -> Any:
    """Read a setting's text as the type of its default."""
    default = None if item.default is MISSING else item.default
    if isinstance(default, bool):
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if text.lower() in words:
            return words[text.lower()]
    elif isinstance(default, int | float):
        try:
            return type(default)(text)
        except ValueError:
            pass
    else:
        return text
    kind = {bool: "yes or no", int: "a whole number", float: "a number"}[type(default)]
    raise SettingError(f"{key}: {item.name} takes {kind}", detail=f"Given: {text}")
