"""The keys that AgentV's eval files may have, place by place, and slips in what a file says.

The tables are those of AgentV's own schemas, the early one and that of 4.42.4, with what its code reads too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from turnwise.conversations.formats.known_keys import Slip, slips

TOP = frozenset(
    (
        "$schema",
        "assert",
        "assertions",
        "author",
        "cases",
        "category",
        "dataset",
        "description",
        "eval_cases",
        "evalcases",
        "evaluator",
        "execution",
        "governance",
        "input",
        "input_files",
        "license",
        "metadata",
        "name",
        "preprocessors",
        "requires",
        "source",
        "tags",
        "target",
        "tests",
        "threshold",
        "version",
        "workspace",
    )
)
CASE = frozenset(
    (
        "aggregation",
        "assert",
        "assertions",
        "category",
        "conversation_id",
        "criteria",
        "dataset",
        "depends_on",
        "description",
        "evaluator",
        "evaluators",
        "execution",
        "expected_messages",
        "expected_outcome",
        "expected_output",
        "id",
        "input",
        "input_files",
        "input_messages",
        "metadata",
        "mode",
        "name",
        "note",
        "on_dependency_failure",
        "on_turn_failure",
        "outcome",
        "reference_answer",
        "rubrics",
        "sidecar",
        "suite",
        "tags",
        "target",
        "turns",
        "vars",
        "window_size",
        "workspace",
    )
)
EXECUTION = frozenset(
    (
        "assert",
        "assertions",
        "budgetUsd",
        "budget_usd",
        "cache",
        "evaluators",
        "failOnError",
        "fail_on_error",
        "skip_defaults",
        "target",
        "targets",
        "threshold",
        "trials",
        "workers",
    )
)
TURN = frozenset(("assertions", "expected_output", "input"))
MESSAGE = frozenset(("content", "id", "name", "role", "tool_call_id", "tool_calls"))
PART = frozenset(("image_url", "path", "resolvedPath", "text", "type", "value"))
RUBRIC = frozenset(
    (
        "criteria",
        "description",
        "expected_outcome",
        "id",
        "min_score",
        "operator",
        "outcome",
        "required",
        "required_min_score",
        "score_ranges",
        "weight",
    )
)
RANGE = frozenset(("criteria", "description", "expected_outcome", "outcome", "score_range"))
AGGREGATOR = frozenset(("cwd", "model", "path", "prompt", "threshold", "type", "weights"))
PROMPT_SCRIPT = frozenset(("command", "config", "script"))
FIELD_KINDS: Mapping[str, Any] = {
    "path": str,
    "match": str,
    "required": bool,
    "weight": (int, float),
    "tolerance": (int, float),
    "relative": bool,
    "formats": list,
}
"""What a field to compare may say, and of which type that is."""
FIELD = frozenset(FIELD_KINDS)
CALL = frozenset(("args", "argsMatch", "args_match", "maxDurationMs", "max_duration_ms", "tool"))
EVALUATOR = frozenset(("min_score", "name", "negate", "required", "type", "weight"))
"""What an evaluator of any kind may say."""
TOKEN_LIMITS = {"max_total": "maxTotal", "max_input": "maxInput", "max_output": "maxOutput"}
EXECUTION_LIMITS = {
    "max_tool_calls": "maxToolCalls",
    "max_llm_calls": "maxLlmCalls",
    "max_tokens": "maxTokens",
    "max_cost_usd": "maxCostUsd",
    "max_duration_ms": "maxDurationMs",
    "target_exploration_ratio": "targetExplorationRatio",
    "exploration_tolerance": "explorationTolerance",
}
_JUDGE = frozenset(
    (
        "config",
        "maxSteps",
        "max_steps",
        "model",
        "preprocessors",
        "prompt",
        "rubrics",
        "target",
        "temperature",
    )
)
_VALUE = frozenset(("value",))
EVALUATORS: Mapping[str, frozenset[str]] = {
    "code_judge": frozenset(("command", "config", "cwd", "preprocessors", "script", "target")),
    "llm_judge": _JUDGE,
    "rubric": _JUDGE,
    "rubrics": _JUDGE | {"criteria"},
    "composite": frozenset(("aggregator", "assert", "assertions", "evaluators")),
    "tool_trajectory": frozenset(("argsMatch", "args_match", "expected", "minimums", "mode")),
    "field_accuracy": frozenset(("aggregation", "fields")),
    "latency": frozenset(("threshold",)),
    "cost": frozenset(("budget",)),
    "token_usage": frozenset(chain.from_iterable(TOKEN_LIMITS.items())),
    "execution_metrics": frozenset(chain.from_iterable(EXECUTION_LIMITS.items())),
    "contains": _VALUE,
    "icontains": _VALUE,
    "starts_with": _VALUE,
    "ends_with": _VALUE,
    "equals": _VALUE,
    "regex": _VALUE | {"flags"},
    "contains_any": _VALUE,
    "contains_all": _VALUE,
    "icontains_any": _VALUE,
    "icontains_all": _VALUE,
    "skill_trigger": frozenset(("should_trigger", "skill")),
    "is_json": frozenset(),
}
"""What an evaluator may say beside, by kind, written with underscores."""
OPEN = frozenset(("code_judge", "llm_judge"))
"""Kinds that hand on whatever else is written, to a program or to a prompt."""
_ANY = EVALUATOR | frozenset(chain.from_iterable(EVALUATORS.values()))
_MESSAGES = ("input", "input_messages", "expected_messages", "expected_output")


def slips_of_suite(document: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of what stands beside the cases of a file."""
    yield from slips(document, TOP, place, "an eval file", sets_aside=True)
    yield from _of_execution(document, place)
    yield from _of_messages(document.get("input"), f"{place}, input")


def slips_of_case(fields: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a case beside those of its evaluators and criteria."""
    yield from slips(fields, CASE, place, "a case")
    yield from _of_execution(fields, place)
    for key in _MESSAGES:
        yield from _of_messages(fields.get(key), f"{place}, {key}", with_role=key.startswith("expected"))
    turns = fields.get("turns")
    for number, turn in enumerate(turns if isinstance(turns, list) else ()):
        if isinstance(turn, dict):
            yield from slips(turn, TURN, f"{place}, turns[{number}]", "a turn")


def slips_of_evaluator(fields: Mapping[str, Any], kind: str | None, place: str) -> Iterator[Slip]:
    """Yield the slips of an evaluator. kind: with underscores; None where its type is missing or wrong."""
    if kind is not None and kind not in EVALUATORS:
        # Code of the file's own may define it, and what it reads.
        return
    known = _ANY if kind is None else EVALUATOR | EVALUATORS[kind]
    found = slips(fields, known, place, f"an evaluator of type {kind}" if kind else "an evaluator")
    yield from (slip for slip in found if slip.near or (kind is not None and kind not in OPEN))
    for key, names, noun in (
        ("aggregator", AGGREGATOR, "an aggregator"),
        ("prompt", PROMPT_SCRIPT, "a prompt made by a program"),
    ):
        if isinstance(held := fields.get(key), dict):
            yield from slips(held, names, f"{place}, {key}", noun)
    if kind == "field_accuracy":
        yield from _of_each(fields.get("fields"), FIELD, f"{place}, fields", "a field")
    elif kind == "tool_trajectory":
        yield from _of_each(fields.get("expected"), CALL, f"{place}, expected", "a call")


def slips_of_criterion(item: Mapping[str, Any], place: str) -> Iterator[Slip]:
    """Yield the slips of a criterion of a rubric."""
    yield from slips(item, RUBRIC, place, "a criterion")
    yield from _of_each(item.get("score_ranges"), RANGE, f"{place}, score_ranges", "a range")


def _of_execution(fields: Mapping[str, Any], place: str) -> Iterator[Slip]:
    if isinstance(execution := fields.get("execution"), dict):
        yield from slips(execution, EXECUTION, f"{place}, execution", "an execution")


def _of_messages(value: Any, place: str, *, with_role: bool = False) -> Iterator[Slip]:
    """Yield the slips of messages and their parts. with_role: whether only what has a role is a message."""
    for number, message in enumerate(value if isinstance(value, list) else ()):
        here = f"{place}[{number}]"
        if not isinstance(message, dict) or (with_role and "role" not in message):
            continue
        yield from slips(message, MESSAGE, here, "a message")
        content = message.get("content")
        for part in content if isinstance(content, list) else ():
            if isinstance(part, dict):
                yield from (slip for slip in slips(part, PART, here, "a part of a message") if slip.near)


def _of_each(items: Any, known: frozenset[str], place: str, noun: str) -> Iterator[Slip]:
    for number, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield from slips(item, known, f"{place}[{number}]", noun)
