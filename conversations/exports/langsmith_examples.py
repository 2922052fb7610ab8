"""Examples of LangSmith in JSON Lines: what was said up to the last reply, and that reply as what is wanted.

`client.create_examples(dataset_id=..., examples=[json.loads(line) for line in file])` takes them, and so does
the upload of a dataset. Scores, labels and failure modes are in the metadata, as
it has no other place for them.
"""

from __future__ import annotations

from typing import Any, TextIO
from uuid import UUID

from turnwise.conversations.exports.export import ExportOptions, SessionSelection, StoredSession
from turnwise.conversations.exports.json_writing import write_lines
from turnwise.conversations.exports.said_messages import (
    FoundHere,
    chat_message,
    found_in,
    modes_in,
    said_in,
    source_id_of,
    time_text,
    trace_id_of,
)
from turnwise.conversations.formats import TURN_OF_FEEDBACK

Fields = dict[str, Any]


def example_of(session: StoredSession) -> Fields:
    """Return a session as an example."""
    said = said_in(session)
    replies = [place for place, one in enumerate(said) if one.role == "assistant"]
    # Something has to be asked: where the chatbot alone began, all of it is.
    last = replies[-1] if replies and replies[-1] else len(said)
    messages = [chat_message(one) for one in said]
    case = session.conversation
    about = {
        "source_id": source_id_of(session),
        "name": session.name,
        "chatbot_role": case.chatbot_role,
        "tags": case.tags,
        "scores": [_entry(found) for found in found_in(session)],
        **modes_in(session),
    }
    return {
        "id": str(UUID(trace_id_of(session))),
        "inputs": {"messages": messages[:last]},
        "outputs": {"messages": messages[last:]},
        "metadata": {name: item for name, item in about.items() if item},
    }


def _entry(found: FoundHere) -> Fields:
    told: Fields = {
        "name": found.name,
        "value": found.value,
        "passed": found.passed,
        "comment": found.note or None,
        "source": "human" if found.by_person else "llm" if found.author else "code",
        "annotator" if found.by_person else "judge": found.author or None,
        "created_at": time_text(found.at),
        TURN_OF_FEEDBACK: found.turn,
    }
    return {name: item for name, item in told.items() if item is not None}


def write(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write examples of LangSmith, in JSON Lines."""
    write_lines(sessions.each(example_of), out)
