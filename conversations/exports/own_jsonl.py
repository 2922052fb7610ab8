"""Our own JSON Lines: every session whole, one a line, so that an import gives the same cases back.

A line is the case itself, fields and turns as they are, and beside them one object under the name of this
program: what kind of case it is, where it came from, the times of its turns, all its scores and labels.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TextIO

from turnwise.conversations.exports.export import Export, ExportOptions
from turnwise.conversations.exports.json_writing import write_lines
from turnwise.conversations.exports.stored import Selection, StoredSession
from turnwise.conversations.formats.own import BESIDE, FORM


def record_of(session: StoredSession) -> dict[str, Any]:
    """Return all that is known of a session as JSON-ready values.

    turn_times: seconds from the start to the end of each message, null where they were not recorded.
    """
    about = {
        "form": FORM,
        "kind": "exchange" if session.is_exchange else "conversation",
        "id": session.row.id,
        "name": session.row.name,
        "source": session.row.source,
        "created_at": session.row.created_at,
        "tags": list(session.row.tags),
        "turn_times": [turn.at for turn in session.turns],
        "scores": [_without_session(asdict(score)) for score in session.scores],
        "labels": [_without_session(asdict(label)) for label in session.labels],
    }
    return {**session.case.data(), BESIDE: about}


def _without_session(row: dict[str, Any]) -> dict[str, Any]:
    return {name: item for name, item in row.items() if name != "session_id"}


def _write(sessions: Selection, out: TextIO, options: ExportOptions) -> None:
    write_lines(map(record_of, sessions), out)


EXPORT = Export("jsonl", "everything, in turnwise's own JSON Lines", _write)
