"""Checks on tool calls in an output: which tools are called, and whether the calls fit the tools given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.white_space import trimmed
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.schemas import read_schema
from turnwise.engine.suites.checks.written_json import json_on_lines
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_json, item_text, strict_json

_ARGUMENTS = ("arguments", "args", "input")
_NAMED_KINDS = ("tool_use", "function_call")


def tool_call_f1(check: Check, answer: Answer) -> CheckResult:
    """F1 of the tool names called against the names expected. Threshold 1; a negated score stays as it is."""
    value = check.value.split(",") if isinstance(check.value, str) else check.value
    if not isinstance(value, (list, tuple)):
        raise SettingError("tool-call-f1 needs the names of tools", next_step="Give it a list of names.")
    expected = {trimmed(item_text(name)) for name in value} - {""}
    if not expected:
        raise SettingError(
            "tool-call-f1 needs at least one name of a tool", next_step="Give it a list of names."
        )
    called = set(tool_names(answer.output))
    shared, total = len(expected & called), len(expected) + len(called)
    score = 2 * shared / total
    threshold = 1.0 if check.threshold is None else check.threshold
    reason = (
        f"F1 {score:.3f}, threshold {threshold:g}; expected {', '.join(sorted(expected))};"
        f" called {', '.join(sorted(called)) or 'none'}"
    )
    return CheckResult(passed=(score >= threshold) != check.negate, score=score, reason=reason)


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a tool. arguments: as data where they are JSON; None where there are none."""

    name: str
    arguments: Any = None


def tool_names(output: Any) -> Iterator[str]:
    """Yield the names of the tools that an output calls, in the forms of OpenAI, Anthropic and Google."""
    yield from (call.name for call in calls_of(output))
    calls = output.get("tool_calls") if isinstance(output, Mapping) else None
    # A call that has a name beside its function's counts as two.
    for call in calls if isinstance(calls, (list, tuple)) else ():
        if isinstance(call, Mapping) and isinstance(call.get("name"), str):
            yield call["name"]


def calls_of(output: Any) -> Iterator[Called]:
    """Yield the calls of tools that an output holds, in the forms of OpenAI, Anthropic and Google."""
    if isinstance(output, str):
        try:
            yield from calls_of(_data(strict_json(output)))
        except ValueError:
            for found in json_on_lines(output):
                yield from calls_of(found)
    elif isinstance(output, (list, tuple)):
        for item in output:
            yield from _call(item)
    elif isinstance(output, Mapping):
        if isinstance(output.get("tool_calls"), (list, tuple)):
            for item in output["tool_calls"]:
                yield from _call(item)
        elif isinstance(output.get("toolCall"), Mapping):
            for item in output["toolCall"].get("functionCalls") or ():
                yield from _call(item)
        elif output.get("type") in _NAMED_KINDS or "functionCall" in output:
            yield from _call(output)


def read_arguments(given: Any) -> Any:
    """Return the arguments of a call as data where they are written as JSON, else as they are."""
    if not isinstance(given, str):
        return given
    try:
        return strict_json(given)
    except ValueError:
        return given


def _data(value: Any) -> Any:
    # A JSON text in quotation marks is a text, and holds no calls.
    return None if isinstance(value, str) else value


def _call(call: Any) -> Iterator[Called]:
    if isinstance(call, Mapping):
        for holder in (call.get("functionCall"), call.get("function"), call):
            if isinstance(holder, Mapping) and isinstance(holder.get("name"), str):
                given = (holder[name] for name in _ARGUMENTS if holder.get(name) is not None)
                yield Called(holder["name"], read_arguments(next(given, None)))
                return


def is_valid_tools_call(check: Check, answer: Answer) -> CheckResult:
    """Whether each tool call of the output names a tool that was given, with fitting arguments."""
    output = answer.output
    calls = output.get("tool_calls") if isinstance(output, Mapping) else output
    functions = (
        [call.get("function") if isinstance(call, Mapping) else None for call in calls or ()]
        if (isinstance(calls, (list, tuple)))
        else []
    )
    return _all_fit(check, answer, functions)


def is_valid_function_call(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is a call of a function that was given, with arguments that fit its schema."""
    output = answer.output
    if isinstance(output, Mapping) and isinstance(output.get("function_call"), Mapping):
        output = output["function_call"]
    return _all_fit(check, answer, [output])


def _all_fit(check: Check, answer: Answer, calls: list[Any]) -> CheckResult:
    if answer.tools is None:
        # Without tools there is nothing a call could fit, nor a call that could be wrong.
        return CheckResult(
            passed=False, score=0.0, reason="The target was given no tools that a call could fit"
        )
    faults = [_fault(call, answer.tools) for call in calls] or ["there is no tool call in the output"]
    fault = next((fault for fault in faults if fault), "")
    return yes_or_no(check, not fault, expected=f"be a valid call{': ' + fault if fault else ''}")


def _fault(call: Any, tools: tuple[Mapping[str, Any], ...]) -> str:
    if not isinstance(call, Mapping) or not isinstance(call.get("name"), str):
        return "it does not look like a call"
    known = [tool["function"] if isinstance(tool.get("function"), Mapping) else tool for tool in tools]
    tool = next((tool for tool in known if tool.get("name") == call["name"]), None)
    if tool is None:
        return f"there is no tool {call['name']}"
    arguments = call.get("arguments")
    try:
        given = strict_json(arguments) if isinstance(arguments, str) else arguments or {}
    except ValueError:
        return f"the arguments of {call['name']} are no JSON"
    schema = tool.get("parameters")
    if not schema:
        return f"{call['name']} takes no arguments, and got {as_json(given)[:100]}" if given else ""
    return read_schema(schema).fault(given)
