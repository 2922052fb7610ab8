"""What a criterion found of a conversation as it stood after earlier turns, in words."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.conversations.store import ScoreRow
from turnwise.engine.metrics.lost_turn_details import curve_of, lost_turn_of, score_as_of


def newest_curve(rows: Iterable[ScoreRow]) -> ScoreRow | None:
    """Return the newest of these outcomes that knows its scores as of earlier turns."""
    return next((row for row in reversed(list(rows)) if curve_of(row.details)), None)


def curve_words(row: ScoreRow, turn: int, *, later: bool = False) -> str:
    """Say what a criterion found of a conversation as it stood after a turn; later: only after that."""
    value = score_as_of(curve_of(row.details), turn)
    lost = lost_turn_of(row.details)
    told = "no score" if value is None else f"{value:.2f}"
    gone = f", fails from turn {lost.turn}" if lost and lost.turn and lost.turn <= turn else ""
    return f"{told} as of turn {turn}{gone}{', judged later' if later else ''}"
