"""Spans of OpenTelemetry in the words of its conventions for generative AI: a request of OTLP in JSON a line.

A session is a trace, and a call of the model in it a span: what went in, which is all that was said before,
and what came out. In a long conversation that would be many times its size; from some point on only what is
new goes in, and the id of the conversation holds it together. Scores are the convention's evaluation events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import json_text
from turnwise.conversations.exports.said_messages import (
    FoundHere,
    SaidMessage,
    arguments_of,
    began_of,
    calls_in,
    found_in,
    modes_in,
    said_in,
    source_id_of,
    span_id_of,
    trace_id_of,
)

_NANO = 10**9
_CLIENT, _INTERNAL = 3, 1

Fields = dict[str, Any]


def message_of(said: SaidMessage) -> Fields:
    """Return a message as the convention writes it: a role, and parts."""
    if said.role == "tool":
        part = {"type": "tool_call_response", "id": said.answers, "response": said.text}
        return {"role": "tool", "parts": [part], **({"name": said.name} if said.name else {})}
    parts: list[Fields] = [
        {"type": "reasoning", "content": one}
        for one in _listed(said.told("reasoning"))
        if isinstance(one, str)
    ]
    if said.text or not said.calls:
        parts.append({"type": "text", "content": said.text})
    for known, call in said.calls:
        parts.append({"type": "tool_call", "id": known, "name": call.name, "arguments": arguments_of(call)})
    message: Fields = {"role": said.role, "parts": parts, **({"name": said.name} if said.name else {})}
    if said.role == "assistant":
        message["finish_reason"] = said.told("finish_reason") or ("tool_call" if said.calls else "stop")
    return message


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else []


def spans_of(session: StoredSession) -> Iterator[Fields]:
    """Yield the spans of a session: of the whole, then of each call of the model."""
    messages = said_in(session)
    began, trace, conversation = began_of(session, messages), trace_id_of(session), source_id_of(session)
    ended = messages[-1].at if messages else began
    found = list(found_in(session))
    top = span_id_of(trace, "whole")
    whole: Fields = {
        "gen_ai.operation.name": "invoke_workflow",
        "gen_ai.workflow.name": session.name,
        "gen_ai.conversation.id": conversation,
    }
    if modes := modes_in(session):
        whole |= {f"turnwise.{name}": json_text(told) for name, told in modes.items()}
    replies = {one.number for one in messages if one.role == "assistant"}
    of_whole = [one for one in found if one.turn not in replies]
    yield _span(trace, top, "", session.name, whole, (began, ended), of_whole, kind=_INTERNAL)
    for call in calls_in(messages, began=began, trace=trace):
        said = messages[call.place]
        attributes = _call_attributes(said, conversation)
        attributes["gen_ai.input.messages"] = json_text([message_of(one) for one in call.given])
        if call.reply is not None:
            attributes["gen_ai.output.messages"] = json_text([message_of(call.reply)])
        about = [one for one in found if call.reply is not None and one.turn == call.reply.number]
        name = " ".join(filter(None, ("chat", said.told("model"))))
        above = top if call.trace == trace else ""
        yield _span(call.trace, call.span, above, name, attributes, (call.began, call.ended), about)


def _call_attributes(said: SaidMessage, conversation: str) -> Fields:
    known = {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": conversation,
        "gen_ai.request.model": said.told("model"),
        "gen_ai.response.model": said.told("model"),
        "gen_ai.usage.input_tokens": said.told("input_tokens"),
        "gen_ai.usage.output_tokens": said.told("output_tokens"),
        "gen_ai.usage.cost": said.told("cost"),
    }
    return {name: item for name, item in known.items() if isinstance(item, str | int | float)}


def _span(
    trace: str,
    span: str,
    parent: str,
    name: str,
    attributes: Fields,
    times: tuple[float, float],
    found: Sequence[FoundHere],
    *,
    kind: int = _CLIENT,
) -> Fields:
    start, end = times
    return {
        "traceId": trace,
        "spanId": span,
        **({"parentSpanId": parent} if parent else {}),
        "name": name,
        "kind": kind,
        "startTimeUnixNano": str(round(start * _NANO)),
        "endTimeUnixNano": str(round(max(start, end) * _NANO)),
        "attributes": _attributes(attributes),
        **({"events": [_evaluation(one) for one in found]} if found else {}),
    }


def _evaluation(found: FoundHere) -> Fields:
    prefix = "gen_ai.evaluation."
    said: Fields = {
        f"{prefix}name": found.name,
        f"{prefix}score.value": float(found.value),
        f"{prefix}explanation": found.note or None,
        f"{prefix}score.label": None if found.passed is None else "pass" if found.passed else "fail",
        "turnwise.annotator" if found.by_person else "turnwise.judge": found.author or None,
        "turnwise.turn": found.turn,
    }
    return {
        "name": "gen_ai.evaluation.result",
        "timeUnixNano": str(round(found.at * _NANO)),
        "attributes": _attributes({name: item for name, item in said.items() if item is not None}),
    }


def _attributes(given: Fields) -> list[Fields]:
    return [{"key": name, "value": _value(item)} for name, item in given.items()]


def _value(item: Any) -> Fields:
    if isinstance(item, bool):
        return {"boolValue": item}
    if isinstance(item, int):
        return {"intValue": str(item)}
    return {"doubleValue": item} if isinstance(item, float) else {"stringValue": str(item)}


def _request(span: Fields, resource: Fields) -> Fields:
    scope = {"scope": {"name": "turnwise"}, "spans": [span]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write spans, in JSON Lines as the collector's file exporter writes them."""
    resource = {"attributes": _attributes({"service.name": "turnwise"})}

    def lines(session: StoredSession) -> list[str]:
        scope = {"name": "turnwise"}
        return [
            json_text(
                {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": [span]}]}]}
            )
            for span in spans_of(session)
        ]

    for written in sessions.each(lines):
        for line in written:
            out.write(line + "\n")
