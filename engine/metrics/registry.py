"""The registry of metrics: every metric by its key, loaded when it is asked for.

Adding a metric is one module and one line here.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.metrics.metric import Metric

_HOMES = {
    "role_adherence": "conversation.role_adherence:RoleAdherenceMetric",
    "knowledge_retention": "conversation.knowledge_retention:KnowledgeRetentionMetric",
    "conversation_completeness": "conversation.conversation_completeness:ConversationCompletenessMetric",
    "turn_relevancy": "conversation.turn_relevancy:TurnRelevancyMetric",
    "conversational_geval": "geval:ConversationalGEval",
    "answer_relevancy": "last_turn.answer_relevancy:AnswerRelevancyMetric",
    "faithfulness": "last_turn.faithfulness:FaithfulnessMetric",
    "geval": "geval:GEval",
    "tool_correctness": "last_turn.tool_correctness:ToolCorrectnessMetric",
    "exact_match": "checks.texts:ExactMatchMetric",
    "contains": "checks.texts:ContainsMetric",
    "regex": "checks.texts:RegexMetric",
}
_CRITERION_METRICS = frozenset({"conversational_geval", "geval"})


def metric_keys() -> list[str]:
    """Return the keys of all metrics, in the order they are listed."""
    return list(_HOMES)


def metric_class(key: str) -> type[Metric]:
    """Return the metric of a key. Raises NotFoundError with the nearest name."""
    home = _HOMES.get(key.strip().lower().replace("-", "_"))
    if home is None:
        near = difflib.get_close_matches(key, _HOMES, n=1)
        raise NotFoundError(
            f"There is no metric {key}",
            detail=f"Known: {', '.join(_HOMES)}",
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
