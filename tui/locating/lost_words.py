"""Where conversations were lost, in words and as drawn lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.words import counted
from turnwise.engine.criteria.lost_sessions import LostSession
from turnwise.engine.metrics.lost_turn_details import curve_of, lost_turn_of
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.replay.curve_line import curve_line

MOST_DETAIL_LINES = 5
"""So many lines at the most tell of a session: its curve, and why it fails."""
_REASON = " reason: "


def lost_note(one: LostSession, trouble: str = "") -> str:
    """Say in a few words where a session was lost, or why that is not known. trouble: what went wrong."""
    if one.turn is not None:
        return f"fails from turn {one.turn}"
    if trouble:
        return f"not located: {trouble}"
    told = lost_turn_of(one.row.details)
    if told is None:
        return "not known yet"
    return f"perhaps from turn {told.turn}" if told.turn else "nobody can tell where"


def plan_words(
    lost: Sequence[LostSession], calls: int, judge: str, cost: float | None, *, curve: bool
) -> str:
    """Say what is known of some sessions, and what the search for the rest would ask."""
    known = sum(one.turn is not None for one in lost)
    count = len(lost)
    if count == 1:
        told = "The turn is known." if known else "The reply with the score names no turn for certain."
    else:
        told = f"Of {counted(count, 'session')} that fail, the turn is known in {known:,}."
    if not calls:
        return f"{told} Nothing is left to ask."
    how = (
        "Each reply is judged with all before it"
        if curve
        else "To find it, ever longer or shorter beginnings of a session are judged"
    )
    price = f", about ${cost:.2f}" if cost is not None else ""
    return f"{told} {how}: at most {counted(calls, 'call')} of the judge “{judge}”{price}."


def detail_lines(one: LostSession, width: int, tones: Tones) -> list[Line]:
    """Draw what a session scored as of its turns, where that is known, and say why it fails."""
    last = max((turn for turn, _ in curve_of(one.row.details)), default=0)
    curve = [curve_line(one.row, last, width, tones)] if last else []
    most = MOST_DETAIL_LINES - len(curve)
    return [*curve, *_reason_lines(one.row.reason, width, most, tones)]


def _reason_lines(reason: str, width: int, most: int, tones: Tones) -> list[Line]:
    """Return the reason of a score under a name, as by itself it reads as if the dialog said so."""
    lines = paragraph(reason, width, tones.text, indent=" " * cell_len(_REASON), most=most)
    if not reason.strip() or not lines:
        return []
    [first] = lines[0]
    return [
        [Segment(_REASON, tones.muted), Segment(first.text[cell_len(_REASON) :], tones.text)],
        *lines[1:],
    ]
