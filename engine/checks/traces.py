"""Traces: what a chatbot did on the way to an answer, as spans and steps, and checks on the spans.

It lies in the metadata under `trace` (a list of spans, or an object that has one) or `toolCalls`, in an
answer that is an object with such an entry, or in an answer that is made of tool calls.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.patterns import PatternTimeError, WrittenPattern
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, yes_or_no
from turnwise.engine.checks.tool_calls import Called, calls_of, read_arguments

KINDS = ("tool", "command", "search", "reasoning", "message", "span")
_TOOL_NAMES = ("tool.name", "function.name", "ai.toolCall.name", "gen_ai.tool.name", "codex.mcp.tool")
_TOOL_ARGUMENTS = (
    *("tool.arguments", "tool.args", "tool.input", "function.arguments", "args", "arguments", "input"),
    *("ai.toolCall.args", "ai.toolCall.arguments", "ai.toolCall.input", "codex.mcp.input"),
    "gen_ai.tool.call.arguments",
)
_COMMANDS = ("codex.command", "command")
_SHELLS = frozenset(("exec_command", "local_shell", "shell"))
_SHELL_WORDS = ("cmd", "command", "commands")
_NANOSECONDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One piece of a trace. start and end: milliseconds; None where they are not told. status: as told."""

    name: str
    start: float | None = None
    end: float | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    status: Any = None
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that was done. names: what it goes by, its own first. arguments: of a tool, where known."""

    kind: str
    names: tuple[str, ...]
    arguments: Any = None

    @property
    def name(self) -> str:
        """What it goes by first."""
        return self.names[0]


def spans_of(answer: Answer) -> list[Span]:
    """Return the spans behind an answer, in the order in which they began. Raises NotFoundError without."""
    for holder in _holders(answer):
        trace = holder.get("trace")
        listed = trace.get("spans") if isinstance(trace, Mapping) else trace
        if isinstance(listed, (list, tuple)):
            spans = [_span(entry) for entry in listed if isinstance(entry, Mapping)]
            return sorted(spans, key=lambda span: float("-inf") if span.start is None else span.start)
    raise NotFoundError(
        "It needs a trace of the run, and the case holds none",
        next_step="Put the spans under trace in the case's metadata.",
    )


def steps_of(answer: Answer) -> list[Step]:
    """Return what was done for an answer, in order: from its trace, else from its tool calls.

    Raises NotFoundError where there is neither.
    """
    try:
        return [_step(span) for span in spans_of(answer)]
    except NotFoundError:
        calls = _tool_calls(answer)
    if calls is None:
        raise NotFoundError(
            "It needs a trace of the run or its tool calls, and the case holds neither",
            next_step="Put the spans under trace, or the calls under toolCalls, in the case's metadata.",
        )
    return [_called_step(call) for call in calls]


def reported(answer: Answer, name: str) -> Any:
    """Return what the target reported under a name, beside its answer or in it; None where it did not."""
    return next((holder[name] for holder in _holders(answer) if holder.get(name) is not None), None)


def matching(pattern: str, names: Iterable[str]) -> bool:
    """Whether any of these names is what a pattern with * and ? means, whatever the capitals."""
    parts = re.split(r"([*?])", pattern)
    rule = "".join({"*": ".*", "?": "."}.get(part, re.escape(part)) for part in parts)
    found = WrittenPattern(f"(?s:{rule})", ignore_case=True)
    try:
        return any(found.matches_all(name) for name in names)
    except PatternTimeError as error:
        raise SettingError(
            "The pattern takes too long", detail=pattern[:200], next_step="Simplify it."
        ) from error


def _holders(answer: Answer) -> Iterator[Mapping[str, Any]]:
    """Yield the places where a target reports on its work."""
    yield from (answer.metadata, answer.case_metadata)
    if isinstance(answer.output, Mapping):
        yield answer.output
        if isinstance(answer.output.get("metadata"), Mapping):
            yield answer.output["metadata"]


def _tool_calls(answer: Answer) -> list[Called] | None:
    for holder in _holders(answer):
        for name in ("toolCalls", "tool_calls"):
            if isinstance(holder.get(name), (list, tuple)):
                return list(calls_of(list(holder[name])))
    if answer.tools_used is not None:
        return [Called(use.name, use.arguments) for use in answer.tools_used]
    return list(calls_of(answer.output)) or None


def _called_step(call: Called) -> Step:
    return Step(kind=_kind_of_tool(call.name, call.arguments), names=(call.name,), arguments=call.arguments)


def _step(span: Span) -> Step:
    told = span.attributes
    tool, command = _first(told, _TOOL_NAMES), _first(told, _COMMANDS)
    if tool is not None:
        arguments = read_arguments(_first(told, _TOOL_ARGUMENTS))
        names = (as_text(tool), span.name)
        return Step(kind=_kind_of_tool(names[0], arguments), names=names, arguments=arguments)
    if command is not None:
        line = " ".join(map(as_text, command)) if isinstance(command, list) else as_text(command)
        return Step(kind="command", names=(line, line.partition(" ")[0], span.name))
    lowered = span.name.lower()
    if "search" in lowered and isinstance(told.get("query"), str):
        return Step(kind="search", names=(told["query"], span.name))
    if "reasoning" in lowered or any(name.startswith("reasoning") for name in told):
        return Step(kind="reasoning", names=(span.name,))
    if "message" in lowered or told.get("codex.item.type") == "agent_message":
        return Step(kind="message", names=(span.name,))
    return Step(kind="span", names=(span.name,))


def _kind_of_tool(name: str, arguments: Any) -> str:
    told = isinstance(arguments, Mapping) and any(word in arguments for word in _SHELL_WORDS)
    return "command" if name.lower() in _SHELLS and told else "tool"


def _span(entry: Mapping[str, Any]) -> Span:
    status = entry.get("status")
    code, message = entry.get("statusCode"), entry.get("statusMessage")
    if isinstance(status, Mapping):
        code = status.get("code") if code is None else code
        message = status.get("message") if message is None else message
    return Span(
        name=as_text(entry.get("name") or ""),
        start=_milliseconds(entry, "start"),
        end=_milliseconds(entry, "end"),
        attributes=_attributes(entry.get("attributes")),
        status=code,
        message=message if isinstance(message, str) else "",
    )


def _milliseconds(entry: Mapping[str, Any], side: str) -> float | None:
    for name, unit in ((f"{side}Time", 1), (f"{side}_time", 1), (f"{side}TimeUnixNano", _NANOSECONDS)):
        try:
            if not isinstance(entry.get(name), bool):
                return float(entry[name]) / unit
        except (KeyError, TypeError, ValueError):
            continue
    return None


def _attributes(given: Any) -> Mapping[str, Any]:
    """Return attributes by name, from an object or from OpenTelemetry's list of keys and values."""
    if isinstance(given, Mapping):
        return given
    pairs = [entry for entry in given if isinstance(entry, Mapping)] if isinstance(given, list) else []
    found: dict[str, Any] = {}
    for entry in pairs:
        value = entry.get("value")
        inner = next(iter(value.values()), None) if isinstance(value, Mapping) else value
        found[as_text(entry.get("key"))] = inner
    return found


def _first(told: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((told[name] for name in names if told.get(name) is not None), None)


_FAILED = ("error", "exception", "failed", "failure")
_FAILED_WORDS = ("error", "failed", "exception", "timeout", "abort")
_STATUS_NAMES = ("http.status_code", "http.response.status_code", "status_code", "statusCode")
_ERROR_NAMES = ("otel.status_code", "status.code")
_OPEN_TELEMETRY_ERROR = 2
_HTTP_ERROR = 400
_SHOWN = 3


def span_count(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether there are so many spans whose name is like a pattern."""
    value = _settings(check)
    if not isinstance(value.get("pattern"), str):
        raise SettingError(f"{check.type} needs a pattern of names", next_step="Give its value a pattern.")
    least, most = bounds(check, value, least=0)
    count = len(_matching(value, answer))
    wanted = f"come by {in_words(least, most)} spans like {value['pattern']}; there are {count}"
    return yes_or_no(check, within(count, least, most), expected=wanted)


def span_duration(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether each span, or with percentile the one at that place, took no more than max milliseconds."""
    value = _settings(check)
    _, most = bounds(check, value, least=0)
    percentile = value.get("percentile")
    if most is None:
        raise SettingError(f"{check.type} needs a max in milliseconds", next_step="Give its value a max.")
    if percentile is not None and (
        isinstance(percentile, bool) or not isinstance(percentile, (int, float)) or not 0 <= percentile <= 100
    ):
        raise SettingError(f"The percentile of {check.type} lies from 0 to 100", next_step="Correct it.")
    timed = [
        (span.end - span.start, span.name)
        for span in _matching(value, answer)
        if span.start is not None and span.end is not None
    ]
    timed.sort()
    place = len(timed) - 1 if percentile is None else max(math.ceil(percentile / 100 * len(timed)) - 1, 0)
    longest = timed[place] if timed else (0.0, "none")
    wanted = f"come by spans of at most {most:g} ms; {longest[1]} took {longest[0]:g} ms"
    return yes_or_no(check, longest[0] <= most, expected=wanted)


def error_spans(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether no more spans than max_count (0), or than max_percentage of them, ended in an error."""
    value = _settings(check)
    most, share = value.get("max_count"), value.get("max_percentage")
    if isinstance(check.value, (int, float)) and not isinstance(check.value, bool):
        most = check.value
    for limit in (most, share):
        if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float))):
            raise SettingError(f"The limit of {check.type} is no number", next_step="Write a number.")
    spans = _matching(value, answer)
    failed = [span for span in spans if _is_error(span)]
    if most is None and share is None:
        most = 0
    holds = most is None or len(failed) <= most
    if share is not None and spans:
        holds = holds and len(failed) / len(spans) * 100 <= share
    shown = ", ".join(f"{span.name} {span.message}".strip() for span in failed[:_SHOWN])
    limits = [f"{most:g}" if most is not None else "", f"{share:g} %" if share is not None else ""]
    wanted = f"come by at most {' and '.join(filter(None, limits))} spans with an error"
    return yes_or_no(check, holds, expected=f"{wanted}; {len(failed)} of {len(spans)}: {shown or 'none'}")


def bounds(check: Check, value: Mapping[str, Any], *, least: int) -> tuple[float, float | None]:
    """Return min and max of a value. Raises SettingError where either is no number."""
    given = [value.get("min"), value.get("max")]
    for name, number in zip(("min", "max"), given, strict=True):
        if number is not None and (isinstance(number, bool) or not isinstance(number, (int, float))):
            raise SettingError(f"The {name} of {check.type} is no number", next_step="Write a number.")
    return (least if given[0] is None else given[0]), given[1]


def within(count: int, least: float, most: float | None) -> bool:
    """Whether a count lies within bounds."""
    return count >= least and (most is None or count <= most)


def in_words(least: float, most: float | None) -> str:
    """Return bounds as words."""
    if most is None:
        return f"at least {least:g}"
    return f"{least:g}" if least == most else f"{least:g} to {most:g}"


def _settings(check: Check) -> Mapping[str, Any]:
    return check.value if isinstance(check.value, Mapping) else {}


def _matching(value: Mapping[str, Any], answer: Answer) -> list[Span]:
    pattern = value.get("pattern")
    wanted = pattern if isinstance(pattern, str) and pattern else "*"
    return [span for span in spans_of(answer) if matching(wanted, [span.name])]


def _is_error(span: Span) -> bool:
    told = span.attributes
    if _is_error_status(span.status) or any(_is_error_status(told.get(name)) for name in _STATUS_NAMES):
        return True
    if any(str(told.get(name)).upper() == "ERROR" for name in _ERROR_NAMES):
        return True
    message = span.message.lower()
    return any(told.get(name) for name in _FAILED) or any(word in message for word in _FAILED_WORDS)


def _is_error_status(status: Any) -> bool:
    if isinstance(status, str):
        return status.upper().endswith("ERROR") or (status.isdecimal() and int(status[:9]) >= _HTTP_ERROR)
    if isinstance(status, bool) or not isinstance(status, (int, float)):
        return False
    return status == _OPEN_TELEMETRY_ERROR or status >= _HTTP_ERROR
