"""Events for Langfuse's interface: a batch a session, one a line, as `POST /api/public/ingestion` takes it.

A session is a trace in a session of Langfuse, and each call of the model in it is a generation. Scores and
labels are scores of the trace, or of the generation that they are about; failure modes are its metadata.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import write_lines
from turnwise.conversations.exports.said_messages import (
    FoundHere,
    ModelCall,
    SaidMessage,
    began_of,
    calls_in,
    chat_message,
    found_in,
    modes_in,
    said_in,
    source_id_of,
    span_id_of,
    time_text,
    trace_id_of,
)
from turnwise.conversations.formats import TURN_OF_FEEDBACK

Fields = dict[str, Any]


def batch_of(session: StoredSession) -> Fields:
    """Return a session as a batch of events."""
    return {"batch": list(_events(session))}


def _events(session: StoredSession) -> Iterator[Fields]:
    messages = said_in(session)
    began, trace = began_of(session, messages), trace_id_of(session)
    calls = list(calls_in(messages, began=began, trace=trace))
    of_trace = [call for call in calls if call.trace == trace]
    said_here = [one for call in of_trace[-1:] for one in (*call.given, call.reply) if one is not None]
    yield _event("trace-create", _trace(session, said_here, trace, began))
    replies: dict[int | None, ModelCall] = {}
    for call in calls:
        if call.trace != trace:
            about = {"id": call.trace, "timestamp": time_text(call.began), "sessionId": source_id_of(session)}
            yield _event("trace-create", about)
        if call.reply is not None:
            replies[call.reply.number] = call
        yield _event("generation-create", _generation(call, messages[call.place]))
    for number, found in enumerate(found_in(session)):
        yield _event("score-create", _score(found, trace, number, replies.get(found.turn)))


def _trace(session: StoredSession, messages: Sequence[SaidMessage], trace: str, began: float) -> Fields:
    """Return the trace of a session. messages: those of its calls."""
    case = session.conversation
    metadata = {**({"chatbot_role": case.chatbot_role} if case.chatbot_role else {}), **modes_in(session)}
    spoken = [one for one in messages if one.role in ("user", "assistant")]
    asked = spoken[0] if spoken and spoken[0].role == "user" else None
    answered = next((one for one in reversed(spoken) if one.role == "assistant"), None)
    return {
        "id": trace,
        "timestamp": time_text(began),
        "name": session.name,
        "sessionId": source_id_of(session),
        **({"input": [chat_message(asked)], "output": chat_message(answered)} if asked and answered else {}),
        "tags": case.tags,
        "metadata": metadata or None,
    }


def _generation(call: ModelCall, said: SaidMessage) -> Fields:
    usage = {"input": said.told("input_tokens"), "output": said.told("output_tokens")}
    usage = {name: item for name, item in usage.items() if isinstance(item, int)}
    cost = said.told("cost")
    return {
        "id": call.span,
        "traceId": call.trace,
        "name": "chat",
        "startTime": time_text(call.began),
        "endTime": time_text(call.ended),
        "model": said.told("model"),
        "input": [chat_message(one) for one in call.given],
        "output": None if call.reply is None else chat_message(call.reply),
        "usageDetails": usage or None,
        "costDetails": {"total": cost} if isinstance(cost, int | float) else None,
    }


def _score(found: FoundHere, trace: str, number: int, call: ModelCall | None) -> Fields:
    """Return a score. call: the one whose reply it is about."""
    who = {"annotator" if found.by_person else "judge": found.author or None, "passed": found.passed}
    return {
        "id": span_id_of(trace, ["score", number]),
        "traceId": trace if call is None else call.trace,
        "observationId": None if call is None else call.span,
        "name": found.name,
        "value": found.value,
        "dataType": "NUMERIC",
        "comment": found.note or None,
        "metadata": {
            **{name: item for name, item in who.items() if item is not None},
            **({TURN_OF_FEEDBACK: found.turn} if found.turn is not None else {}),
            "created_at": time_text(found.at),
        },
    }


def _event(kind: str, body: Fields) -> Fields:
    kept = {name: item for name, item in body.items() if item is not None}
    at = kept.get("timestamp") or kept.get("endTime") or kept["metadata"]["created_at"]
    return {"id": f"{kept['id']}-{kind}", "timestamp": at, "type": kind, "body": kept}


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write batches of events for Langfuse, in JSON Lines."""
    write_lines(sessions.each(batch_of), out)
