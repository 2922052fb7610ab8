"""What a page holds of a session: its events as `turnwise replay --json` prints them, safe to be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.exports.export import StoredSession
from turnwise.conversations.findings import FoundMode
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import (
    CallRow,
    Event,
    LabelRow,
    ScoreRow,
    SessionModeRow,
    TurnRow,
    pause_before,
)
from turnwise.conversations.words import mode_told


def session_data(
    session: StoredSession,
    happened: Sequence[Event],
    *,
    blind: bool,
    calls: Mapping[str, CallRow] | None = None,
) -> dict[str, Any]:
    """Return all that a page says of a session, as JSON-ready values.

    blind: leave out what metrics and people said of it. calls: what judges were asked and answered, by key;
    None leaves it out.
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
    if not blind:
        data["modes"] = [_mode(mode, shown) for mode in session.modes]
    if calls is not None and not blind:
        data["asked"] = _asked(shown, calls)
    return data


def _mode(mode: FoundMode, shown: Sequence[Event]) -> dict[str, Any]:
    """Return a failure mode. place: how many events have happened once it is seen.

    That is after all turns and after what was found no later: who gives one has read the session.
    """
    place = 1
    for number, event in enumerate(shown, 1):
        row = event.row
        found = isinstance(row, ScoreRow | LabelRow | SessionModeRow)
        if isinstance(row, TurnRow) or (found and (mode.at is None or row.created_at <= mode.at)):
            place = number
    told = mode_told(mode.name, mode.turn, mode.author)
    return {"told": make_safe(told), "definition": make_safe(mode.definition), "place": place}


def _asked(shown: Sequence[Event], calls: Mapping[str, CallRow]) -> dict[str, Any]:
    """Return judges' calls: the texts, each once; the calls, which name texts; and those of every score.

    A score is named by its place among the events. A call that is not kept any more is None there.
    """
    texts: dict[str, int] = {}
    places = {key: place for place, key in enumerate(calls)}
    told = [
        {
            "model": make_safe(call.model),
            "sent": [
                [make_safe(role), texts.setdefault(make_safe(text), len(texts))]
                for role, text in call.messages
            ],
            "reply": make_safe(call.reply),
        }
        for call in calls.values()
    ]
    scores = {
        place: [places.get(key) for key in event.row.calls]
        for place, event in enumerate(shown)
        if isinstance(event.row, ScoreRow) and event.row.calls
    }
    return {"texts": list(texts), "calls": told, "scores": scores}


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
