"""A log of Inspect, as `.eval`: a zip with a file for every session, which is a sample with its scores.

Inspect reads it as the log of an evaluation that has ended: `inspect view` shows it, and `read_eval_log`
gives its samples, whose messages can be the input of another task. It holds one score a name; that of a turn
carries the turn's number in its name, and its metadata say what it is about and who found it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, BinaryIO
from zipfile import ZIP_DEFLATED, ZipFile

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import json_text
from turnwise.conversations.exports.said_messages import (
    FoundHere,
    SaidMessage,
    arguments_of,
    found_in,
    modes_in,
    said_in,
    source_id_of,
    time_text,
)
from turnwise.conversations.fingerprints import fingerprint

OWN = "turnwise"
"""The key under which a score's metadata hold what Inspect has no place for."""
_SUMMARIES_AT_ONCE = 500
_LONGEST_SUMMARY = 500
_VERSION = 2
_ROLES = {"developer": "system"}

Fields = dict[str, Any]


def sample_of(session: StoredSession) -> Fields:
    """Return a session as a sample."""
    said = said_in(session)
    messages = [_message(one) for one in said]
    metadata = {**(session.conversation.metadata or {}), "name": session.name, **modes_in(session)}
    if session.conversation.tags:
        metadata["tags"] = session.conversation.tags
    asked = next((one.text for one in said if one.role == "user"), "")
    return {
        "id": session.row.id,
        "epoch": 1,
        "uuid": source_id_of(session),
        "input": asked,
        "target": _expected(session),
        "messages": messages,
        "output": {"model": _model(said), "choices": []},
        "scores": scores_of(session),
        "metadata": metadata,
        "store": {},
        "events": [],
        "model_usage": {},
        "attachments": {},
    }


def _expected(session: StoredSession) -> str:
    outcome = session.conversation.expected_outcome
    return outcome if isinstance(outcome, str) else ""


def _model(said: Sequence[SaidMessage]) -> str:
    return next((model for one in reversed(said) if isinstance(model := one.told("model"), str)), "")


def _message(said: SaidMessage) -> Fields:
    message: Fields = {"role": _ROLES.get(said.role, said.role), "content": said.text}
    if said.role == "tool":
        message |= {"tool_call_id": said.answers or None, "function": said.name or None}
    if said.role == "assistant":
        message["source"] = "generate"
        model = said.told("model")
        message |= {"model": model} if isinstance(model, str) else {}
        if said.calls:
            message["tool_calls"] = [
                {"id": known, "function": call.name, "arguments": _object(call), "type": "function"}
                for known, call in said.calls
            ]
    return {name: item for name, item in message.items() if item is not None}


def _object(call: Any) -> Fields:
    # It takes an object alone, so what was none is kept as it was written, under a name.
    given = arguments_of(call)
    return given if isinstance(given, dict) else {"raw": given}


def scores_of(session: StoredSession) -> Fields:
    """Return what was found about a session, as scores by their names."""
    scores: Fields = {}
    for found in found_in(session):
        name = found.name if found.turn is None else f"{found.name} (turn {found.turn})"
        if found.by_person:
            name = f"{name} by {found.author}"
        scores[name] = _score(found)
    return scores


def _score(found: FoundHere) -> Fields:
    own = {
        "metric": found.name,
        "turn": found.turn,
        "passed": found.passed,
        "annotator" if found.by_person else "judge": found.author or None,
        "at": time_text(found.at),
    }
    return {
        "value": found.value,
        "explanation": found.note or None,
        "metadata": {OWN: {name: item for name, item in own.items() if item is not None}},
    }


def _summary(sample: Fields) -> Fields:
    return {
        **{name: sample[name] for name in ("id", "epoch", "uuid", "scores")},
        "input": sample["input"][:_LONGEST_SUMMARY],
        "target": sample["target"][:_LONGEST_SUMMARY],
        "metadata": {},
        "completed": True,
        "message_count": len(sample["messages"]),
    }


def write(sessions: SessionSelection, out: BinaryIO, options: ExportOptions) -> None:
    """Write a log of Inspect."""
    began = time_text(time.time())
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        head = _head(began, len(sessions))
        archive.writestr("_journal/start.json", json_text({"version": _VERSION, **head}))
        summaries: list[Fields] = []
        parts = done = 0
        for sample in sessions.each(sample_of):
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json_text(sample))
            summaries.append(_summary(sample))
            done += 1
            if len(summaries) == _SUMMARIES_AT_ONCE:
                parts += 1
                archive.writestr(f"_journal/summaries/{parts}.json", json_text(summaries))
                summaries.clear()
        if summaries:
            archive.writestr(f"_journal/summaries/{parts + 1}.json", json_text(summaries))
        ended = {
            "status": "success",
            "results": {"total_samples": done, "completed_samples": done, "scores": []},
            "stats": {"started_at": began, "completed_at": time_text(time.time()), "model_usage": {}},
        }
        archive.writestr("header.json", json_text({"version": _VERSION, **head, **ended}))


def _head(began: str, count: int) -> Fields:
    known = fingerprint(["export", began, count])
    return {
        "eval": {
            "eval_id": known,
            "run_id": known,
            "task_id": known,
            "created": began,
            "task": "turnwise",
            "dataset": {"name": "turnwise", "samples": count},
            "model": "turnwise/export",
            "config": {},
        },
        "plan": {"name": "export", "steps": [], "config": {}},
    }
