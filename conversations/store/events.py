"""Events: all that happened to a session, in order, read from rows alone; what replay plays.

A session that was recorded has the time of every turn, so what was found and said of it while it was going on
stands between the turns where it came: scores, labels, and failure modes that were given or taken away. A
session that was imported has its turns first: it took place before it came here, so nobody knows how long
after its start it was scored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from turnwise.conversations.store.labels import LabelTable
from turnwise.conversations.store.mending.session_rows import SessionRow
from turnwise.conversations.store.modes.modes import FailureModeTable
from turnwise.conversations.store.modes.rows import SessionModeRow
from turnwise.conversations.store.rows import LabelRow, ScoreRow, TurnRow
from turnwise.conversations.store.scores import ScoreTable
from turnwise.conversations.store.sessions import SessionTable
from turnwise.conversations.store.turns import TurnTable

EventKind = Literal["session", "turn", "score", "label", "mode"]
LONGEST_WAIT = 6.0
"""Seconds at speed 1; nobody wants to sit through the night between two turns."""
SHORTEST_WAIT = 0.4
CHARACTERS_A_SECOND = 45.0
"""How fast a turn is read where nobody noted when it was said; about 500 words a minute."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    at: seconds from the start of the session; None where nobody noted the time.
    row: the stored row behind it.
    """

    kind: EventKind
    at: float | None
    row: SessionRow | TurnRow | ScoreRow | LabelRow | SessionModeRow

    def data(self) -> dict[str, Any]:
        """Return the event as JSON-ready values; the same for the same database, always."""
        values = asdict(self.row)
        if isinstance(self.row, SessionRow):
            # The list's marks say what is newest today; what happened stands in the events themselves.
            values = {name: values[name] for name in ("id", "name", "chatbot_role", "tags", "source")}
        values.pop("at", None)
        return {"event": self.kind, "at": self.at, **values}


def session_events(
    session_id: int,
    sessions: SessionTable,
    turns: TurnTable,
    scores: ScoreTable,
    labels: LabelTable,
    modes: FailureModeTable,
) -> list[Event]:
    """Return a session's events in order. Raises NotFoundError."""
    session = sessions.get(session_id)
    recorded = sessions.was_recorded(session_id)
    events = [Event("session", 0.0, session)]
    said = turns.of(session_id)
    events += [Event("turn", turn.at, turn) for turn in said]
    # The row types share what ordering needs: when it was made.
    found: list[ScoreRow | LabelRow | SessionModeRow] = [
        *scores.of(session_id),
        *labels.of(session_id),
        *modes.given_to(session_id),
    ]
    for row in sorted(found, key=lambda row: row.created_at):
        after = round(row.created_at - session.created_at, 3) if recorded else None
        events.append(Event(_kind_of(row), after, row))
    if recorded:
        # A turn without a time of its own stays behind the one before it: sorting is stable.
        latest, keyed = 0.0, []
        for event in events:
            latest = event.at if event.at is not None else latest
            keyed.append((latest, event))
        events = [event for _, event in sorted(keyed, key=lambda pair: pair[0])]
    return events


def _kind_of(row: ScoreRow | LabelRow | SessionModeRow) -> EventKind:
    match row:
        case ScoreRow():
            return "score"
        case LabelRow():
            return "label"
        case SessionModeRow():
            return "mode"


def pause_before(events: Sequence[Event], place: int) -> float:
    """Return the seconds between an event and the one before it, at speed 1, as recorded or as read.

    Nothing waits before the first event, before what was found of the talk, or before messages nobody said.
    """
    event = events[place]
    if place == 0 or not isinstance(event.row, TurnRow) or event.row.number is None:
        return 0.0
    before = events[place - 1]
    if event.at is not None and before.at is not None:
        pause = event.at - before.at
    else:
        pause = len(event.row.content) / CHARACTERS_A_SECOND
    return min(LONGEST_WAIT, max(SHORTEST_WAIT, pause))
