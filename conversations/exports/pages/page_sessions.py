"""What a page holds of a session: its events as `turnwise replay --json` prints them, safe to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.conversations.exports.export import StoredSession
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Event, TurnRow, pause_before

_METADATA = "metadata"


def session_data(session: StoredSession, happened: Sequence[Event], *, blind: bool) -> dict[str, Any]:
    """Return all that a page says of a session, as JSON-ready values.

    blind: leave out what metrics and people said of it.
    """
    shown = [event for event in happened if not blind or event.kind in ("session", "turn")]
    about = session.about
    said = [*about.whole, *about.turns, *([] if blind else about.runs)]
    data: dict[str, Any] = make_all_safe(
        {
            "id": session.row.id,
            "name": session.name,
            "events": [event.data() for event in shown],
            "about": [[part.title, part.text] for part in said if part.text.strip()],
        }
    )
    data["pauses"] = [round(pause_before(shown, place), 3) for place in range(len(shown))]
    data["identity"] = seen_identity(session.turns)
    return data


def seen_identity(turns: Sequence[TurnRow]) -> str:
    """Name what a reader of a session sees of it: a label is of these messages, and of no others."""
    return fingerprint(
        [
            [
                turn.number,
                turn.role,
                turn.content,
                list(turn.passages),
                [[call.name, call.arguments, call.output] for call in turn.tools_called],
            ]
            for turn in turns
        ]
    )


def make_all_safe(value: Any) -> Any:
    """Return a JSON-ready value in which every text is safe to be shown."""
    if isinstance(value, str):
        return make_safe(value)
    if isinstance(value, dict):
        return {make_safe(str(name)): make_all_safe(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [make_all_safe(item) for item in value]
    return value
