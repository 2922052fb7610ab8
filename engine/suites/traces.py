"""Traces: what a chatbot did on the way to an answer, as spans and steps, where the case holds it.

It lies in the metadata under `trace` (a list of spans, or an object that has one) or `toolCalls`, in an
answer that is an object with such an entry, or in an answer that is made of tool calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.tool_calls import Called, calls_of, read_arguments
from turnwise.engine.suites.values import as_text

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
    found = re.compile(rule, re.IGNORECASE | re.DOTALL)
    return any(found.fullmatch(name) for name in names)


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
