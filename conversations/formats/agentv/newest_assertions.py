"""Assertions of AgentV 5 in the words of the later form before it, and those that AgentV 5 does not read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.files import kind_of, problem
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading

_REMOVED = {
    "llm-grader": "llm-rubric",
    "llm-judge": "llm-rubric",
    "g-eval": "llm-rubric",
    "rubric": "llm-rubric with value",
    "rubrics": "llm-rubric with value",
    "code-grader": "script",
    "code-judge": "script",
    "script-grader": "script",
    "composite": "assert-set",
    "skill-trigger": "skill-used or not-skill-used with value",
    "tool-trajectory": "trajectory:tool-used, trajectory:tool-sequence or trajectory:tool-args-match",
}
"""Types that AgentV 5 has taken away, and what stands for them."""
# fmt: off
_NOT_READ = frozenset((
    "answer-relevance", "bleu", "classifier", "contains-html", "contains-json", "contains-sql",
    "contains-xml", "context-faithfulness", "context-recall", "context-relevance",
    "conversation-relevance", "factuality", "finish-reason", "gleu", "guardrails", "is-html",
    "is-refusal", "is-sql", "is-valid-function-call", "is-valid-openai-function-call",
    "is-valid-openai-tools-call", "is-xml", "levenshtein", "meteor", "model-graded-closedqa",
    "model-graded-factuality", "moderation", "perplexity", "perplexity-score", "pi", "rouge-n",
    "ruby", "similar:cosine", "similar:dot", "similar:euclidean", "select-best", "human",
    "max-score", "tool-call-f1", "trace-error-spans", "trace-span-count", "trace-span-duration",
    "search-rubric", "word-count",
))
# fmt: on
"""promptfoo's types that AgentV 5 refuses."""
_NAMED_BY_VALUE = ("contains", "icontains", "starts-with", "ends-with", "regex", "equals")
_NAMED_BY_LENGTH = ("contains-any", "contains-all", "icontains-any", "icontains-all")
_LONGEST = 30
_NEGATED = ("not-skill-used", "not-trajectory:")
JUDGED = ("llm-rubric", "agent-rubric")
_REMOVED_OF_RUBRICS = ("criteria", "rubric_item", "rubricItem", "rubrics")
_OF_RUBRICS = ("id", "weight", "required", "min_score", "operator")


def in_later_words(fields: Mapping[str, Any], reading: EvalFileReading, place: str) -> dict[str, Any]:
    """Return an assertion with the names of the later form: name for metric, rubrics and prompts apart.

    Raises FormatError for what AgentV 5 refuses, with what it has instead, and ValueError for what it leaves
    out.
    """
    kind = fields.get("type")
    if not isinstance(kind, str) or not kind:
        raise problem(f"{place}, type", f"expected a type; got {kind_of(kind)}", "Write one.")
    _refuse(kind, fields, place)
    found = dict(fields)
    if "metric" in found:
        found["name"] = found.pop("metric")
    if kind.startswith(_NEGATED):
        found["type"], found["negate"] = kind.removeprefix("not-"), True
    found["name"] = found.get("name") or _usual_name(kind, str(found["type"]), found.get("value"))
    if found.pop("transform", None) is not None:
        reading.lose(place, "transform: answers of AgentV's files are not transformed")
    if kind in JUDGED:
        return _judged(found, kind, reading, place)
    if kind == "assert-set":
        listed = found.pop("assert", None)
        if found.pop("config", None) is not None:
            reading.warn(place, "config: what a set gives its members is not followed")
        found["assertions"] = listed
        found["aggregator"] = {"type": "set", "threshold": found.pop("threshold", None)}
    return found


def _usual_name(written: str, kind: str, value: Any) -> str:
    """Return the name of an assertion without a metric: AgentV 5 names some kinds by their value too."""
    if kind == "skill-used" or kind in _NAMED_BY_LENGTH:
        shown = value.strip() if isinstance(value, str) else len(value) if isinstance(value, list) else ""
        return f"{written}-{shown}" if shown != "" else written
    if kind in _NAMED_BY_VALUE and isinstance(value, str) and value:
        return f"{written}-{value[:_LONGEST] if kind == 'regex' else value}"
    return kind


def _refuse(kind: str, fields: Mapping[str, Any], place: str) -> None:
    plain = kind.replace("_", "-")
    bare = plain.removeprefix("not-")
    if (other := _REMOVED.get(bare)) is not None or plain != kind:
        told = other or plain
        raise problem(f"{place}, type", f"AgentV 5 reads no {kind}", f"Write {told}.")
    if bare in _NOT_READ:
        raise problem(
            f"{place}, type", f"AgentV 5 refuses promptfoo's {kind}", "Write an llm-rubric or a script."
        )
    for key, other in (("postprocess", "transform"), ("preprocessors", "transform"), ("script", "command")):
        if fields.get(key) is not None:
            raise problem(f"{place}, {key}", "AgentV 5 reads it no more", f"Write {other}.")
    if isinstance(fields.get("target"), str):
        raise problem(f"{place}, target", "AgentV 5 reads it no more", "Write provider.")
    required = fields.get("required")
    if isinstance(required, (int, float)) and not isinstance(required, bool):
        raise problem(
            f"{place}, required",
            f"expected true or false; got {required}",
            f"Write required: true and min_score: {required}.",
        )


def _judged(found: dict[str, Any], kind: str, reading: EvalFileReading, place: str) -> dict[str, Any]:
    for key in _REMOVED_OF_RUBRICS:
        if found.get(key) is not None:
            raise problem(f"{place}, {key}", f"{kind} reads it no more", "Write value.")
    prompt = found.get("prompt", reading.rubric_prompt)
    is_program = isinstance(prompt, dict) and "command" in prompt
    if isinstance(prompt, (list, dict)) and not is_program:
        prompt = json.dumps(prompt, indent=2, ensure_ascii=False)
    if prompt is not None:
        found["prompt"] = prompt
    value = found.pop("value", None)
    rubrics = _rubrics(value, found)
    if rubrics:
        found["rubrics"] = rubrics
    elif value not in (None, "", []):
        told = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
        found["criterion" if prompt is not None else "prompt"] = told
    elif prompt is None:
        raise ValueError(f"{kind}: expected a value or a prompt; got none")
    return found


def _rubrics(value: Any, beside: dict[str, Any]) -> list[Any] | None:
    """Return the criteria that a value lists; None where it is a criterion in words.

    beside: the assertion, whose ranges of scores a text of its own has.
    """
    if isinstance(value, str):
        if "score_ranges" not in beside:
            return None
        own = {key: beside[key] for key in _OF_RUBRICS if key in beside and key != "id"}
        return [
            {
                "id": "rubric-1",
                "required": True,
                **own,
                "outcome": value,
                "score_ranges": beside.pop("score_ranges"),
            }
        ]
    if isinstance(value, list):
        return value if any(isinstance(item, str) or _is_rubric(item) for item in value) else None
    if isinstance(value, dict) and _is_rubric(value):
        return [value]
    return None


def _is_rubric(item: Any) -> bool:
    if not isinstance(item, dict):
        return False
    if isinstance(item.get("outcome"), str) or item.get("score_ranges") is not None:
        return True
    return isinstance(item.get("criteria"), str) and any(item.get(key) is not None for key in _OF_RUBRICS)
