"""The settings of evaluators that measure, read by kind: limits, tool calls, fields of an output, code.

Each function returns the settings that it read, to stand over those that are written. It raises ValueError
for what makes the evaluator mean nothing, which AgentV then leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwise.conversations.files import kind_of, problem
from turnwise.conversations.formats.agentv.keys import (
    EVALUATOR,
    EVALUATORS,
    EXECUTION_LIMITS,
    FIELD_KINDS,
    TOKEN_LIMITS,
)
from turnwise.conversations.formats.agentv.written_cases import EvalFileReading
from turnwise.conversations.numbers import is_finite

WrittenFields = Mapping[str, Any]
_MODES = ("any_order", "in_order", "exact")
_LATER_MODES = (*_MODES, "superset", "subset")
_MATCHES = ("exact", "numeric_tolerance", "date")
_AGGREGATIONS = ("weighted_average", "all_or_nothing")
_EARLY_META = frozenset(("name", "type", "script", "cwd", "weight", "target"))
_META = EVALUATOR | EVALUATORS["code_judge"]


def latency(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """threshold: milliseconds."""
    return {"threshold": _amount(fields.get("threshold"), "threshold")}


def cost(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """budget: dollars."""
    return {"budget": _amount(fields.get("budget"), "budget")}


def token_usage(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """At least one limit on tokens."""
    found: dict[str, Any] = {}
    for name, other in TOKEN_LIMITS.items():
        value = _either(fields, name, other)
        if value is None:
            continue
        try:
            found[name] = _amount(value, name)
        except ValueError as error:
            reading.leave_out(place, str(error))
    return _some(found, found, TOKEN_LIMITS)


def execution_metrics(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """At least one limit. exploration_tolerance is none by itself: it only widens another limit."""
    written = {name: _either(fields, name, other) for name, other in EXECUTION_LIMITS.items()}
    found = {name: _amount(value, name) for name, value in written.items() if value is not None}
    return _some(found, found.keys() - {"exploration_tolerance"}, EXECUTION_LIMITS)


def tool_trajectory(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """mode, with minimums by tool for any_order, otherwise the expected calls."""
    mode = fields.get("mode")
    modes = _LATER_MODES if reading.is_later else _MODES
    if mode not in modes:
        raise ValueError(f"mode: expected one of {', '.join(modes)}; got {kind_of(mode)}")
    found: dict[str, Any] = {}
    minimums, expected = fields.get("minimums"), fields.get("expected")
    if minimums is not None:
        if not isinstance(minimums, dict):
            raise ValueError(f"minimums: expected a number for each tool; got {kind_of(minimums)}")
        wrong = [name for name, count in minimums.items() if not _is_amount(count)]
        if wrong:
            reading.leave_out(place, f"minimums: expected a number from 0 up for {wrong[0]}")
        found["minimums"] = {name: count for name, count in minimums.items() if _is_amount(count)}
    if expected is not None:
        if not isinstance(expected, list):
            raise ValueError(f"expected: expected a list of calls; got {kind_of(expected)}")
        found["expected"] = [call for item in expected if (call := _call(item, reading, place))]
    if mode == "any_order" and minimums is None:
        raise ValueError("minimums: any_order needs a number for each tool; got nothing")
    if mode != "any_order" and expected is None:
        raise ValueError(f"expected: {mode} needs a list of calls; got nothing")
    return found


def field_accuracy(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """fields: each a path with how it must match."""
    written = fields.get("fields")
    if not isinstance(written, list) or not written:
        raise ValueError(f"fields: expected a list of fields; got {kind_of(written)}")
    kept = []
    for number, item in enumerate(written):
        here = f"{place}, fields[{number}]"
        if not isinstance(item, dict) or not isinstance(item.get("path"), str) or not item["path"]:
            reading.leave_out(here, "path: expected the name of a field; got none")
        elif item.get("match") not in _MATCHES:
            got = kind_of(item.get("match"))
            reading.leave_out(here, f"match: expected one of {', '.join(_MATCHES)}; got {got}")
        else:
            kept.append(_field(item, reading))
    if not kept:
        raise ValueError("fields: none of them can be compared")
    aggregation = fields.get("aggregation")
    if aggregation is not None and aggregation not in _AGGREGATIONS:
        allowed = ", ".join(_AGGREGATIONS)
        reading.leave_out(place, f"aggregation: expected one of {allowed}; got {kind_of(aggregation)}")
    return {"fields": kept, "aggregation": aggregation if aggregation in _AGGREGATIONS else None}


def code(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """script, or command: the words of a command line. argv: what would be run, in resolved_cwd.

    options: what else the code is given. Nothing is run here.
    """
    early = reading.is_strictly_early
    written = fields.get("script") if early else fields.get("command", fields.get("script"))
    if written is None and not (early and "script" in fields):
        raise ValueError("script: expected a command; got nothing")
    found: dict[str, Any] = {"argv": command_line(written, f"{place}, script")}
    folder = fields.get("cwd")
    if isinstance(folder, str) and folder:
        there = reading.files.find(folder, folders=True)
        if there.path is None:
            reading.lose(place, f"cwd: {there.shown} cannot be used: {there.reason}")
        else:
            found["resolved_cwd"] = str(there.path)
    else:
        found["resolved_cwd"] = str(reading.files.folder.path)
    found["options"] = options_of(fields, _EARLY_META if early else _META)
    return found


def contained(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """value: the text to look for."""
    value = fields.get("value")
    if not isinstance(value, str) or not value:
        raise ValueError(f"value: expected text; got {kind_of(value)}")
    return {}


def any_contained(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """value: a list of texts to look for."""
    value = fields.get("value")
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        raise ValueError(f"value: expected a list of texts; got {kind_of(value)}")
    return {}


def skill(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """skill: the name of one."""
    if not isinstance(fields.get("skill"), str) or not fields["skill"]:
        raise ValueError("skill: expected a name; got nothing")
    return {}


def nothing(fields: WrittenFields, reading: EvalFileReading, place: str) -> dict[str, Any]:
    """Nothing has to be given."""
    return {}


def command_line(written: Any, place: str) -> list[str]:
    """Return a command as its words; one text is left to a shell. Raises FormatError where it is none."""
    if isinstance(written, str) and written.strip():
        return ["sh", "-lc", written.strip()]
    words = written if isinstance(written, list) else []
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise problem(place, f"expected a command, or a list of its words; got {kind_of(written)}", "")
    return words


def options_of(fields: WrittenFields, known: frozenset[str]) -> dict[str, Any]:
    """Return what is written beside the known settings; what stands in `config` wins."""
    own = fields.get("config")
    beside = {key: value for key, value in fields.items() if key not in known}
    if "config" in known and isinstance(own, dict):
        beside.update(own)
    return beside


READERS: dict[str, Callable[[WrittenFields, EvalFileReading, str], dict[str, Any]]] = {
    "latency": latency,
    "cost": cost,
    "token_usage": token_usage,
    "execution_metrics": execution_metrics,
    "tool_trajectory": tool_trajectory,
    "field_accuracy": field_accuracy,
    "code_judge": code,
    "contains": contained,
    "icontains": contained,
    "starts_with": contained,
    "ends_with": contained,
    "regex": contained,
    "equals": contained,
    "contains_any": any_contained,
    "contains_all": any_contained,
    "icontains_any": any_contained,
    "icontains_all": any_contained,
    "skill_trigger": skill,
    "is_json": nothing,
}


def _amount(value: Any, name: str) -> int | float:
    if not _is_amount(value):
        raise ValueError(f"{name}: expected a number from 0 up; got {kind_of(value)}")
    amount: int | float = value
    return amount


def _is_amount(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 and is_finite(value)


def _either(fields: WrittenFields, name: str, other: str) -> Any:
    return fields[name] if fields.get(name) is not None else fields.get(other)


def _field(item: WrittenFields, reading: EvalFileReading) -> dict[str, Any]:
    kept = {
        key: value
        for key, value in item.items()
        if not reading.is_strictly_early or isinstance(value, FIELD_KINDS.get(key, ()))
    }
    return {**kept, "formats": _texts(item["formats"])} if isinstance(item.get("formats"), list) else kept


def _some(found: dict[str, Any], counted: Any, names: Mapping[str, str]) -> dict[str, Any]:
    if not counted:
        raise ValueError(f"expected at least one of {', '.join(names)}; got none")
    return found


def _call(item: Any, reading: EvalFileReading, place: str) -> dict[str, Any] | None:
    if not isinstance(item, dict) or not isinstance(item.get("tool"), str):
        reading.leave_out(place, "expected: a call needs the name of a tool in tool")
        return None
    args = item.get("args")
    known = args == "any" or isinstance(args, dict) or (reading.is_later and args is not None)
    kept = item if not reading.compat or reading.is_later else {"tool": item["tool"]}
    return {**kept, "args": args} if known else {key: value for key, value in kept.items() if key != "args"}


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
