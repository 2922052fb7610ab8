"""Session rows: how one line of a list of sessions is drawn, from its columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import FAILED, FAILURE
from turnwise.conversations.store import SessionRow, tells_outcome
from turnwise.tui.drawing.lines import BAR, BAR_AWAY, on_own_ground
from turnwise.tui.drawing.lines_view import TONE_OF_SIGN
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit
from turnwise.tui.session_lists.found_words import found_spans, split_at
from turnwise.tui.session_lists.session_columns import COLUMNS, SessionColumn, cell

TAKEN = "●"
"""Stands before a session that is selected."""
Styles = Callable[[str], Style]
"""Gives a style by its name: text, header, bar, cursor, muted, passed, failed, cross, unsure or found."""
HIDDEN = "·"
"""Stands for an outcome that is not shown before one has labelled."""
_TONES = {**TONE_OF_SIGN, FAILED: "cross", FAILURE: "failed"}
"""In a list a failure is as bright as what did not pass: both ask to be opened."""


def row_segments(
    row: SessionRow | None,
    columns: Sequence[SessionColumn],
    styles: Styles,
    now: float,
    *,
    current: bool,
    away: bool = False,
    taken: bool,
    words: Sequence[str],
    hidden: bool = False,
) -> list[Segment]:
    """Return a row: the cursor's bar, the mark of what is selected, then the cells with a gap after each.

    row: None while it is on its way. now: seconds since 1970. current: the cursor is on it. away: keys
    go elsewhere now. words: what is marked in the name. hidden: of its outcomes and its label is only shown
    that there are some.
    """
    bar = Segment((BAR_AWAY if away else BAR) if current else " ", styles("bar"))
    if row is None:
        return [
            bar,
            Segment(" "),
            *(Segment(fit(ELLIPSIS, one.width + one.gap), styles("muted")) for one in columns),
        ]
    segments = [bar, Segment(TAKEN if taken else " ", styles("bar"))]
    for column in columns:
        text = cell(column, row, now)
        if hidden and _tells(column, row) and text.strip():
            text = fit(f" {HIDDEN}", column.width)
        style = styles(_style_name(column, text.strip(), current=current))
        if words and column.kind == "name":
            pieces = split_at(text, found_spans(text, words))
            segments += [
                Segment(piece, style + styles("found") if found else style) for piece, found in pieces
            ]
            segments.append(Segment(" " * column.gap, style))
        else:
            # One segment with its gap: every segment costs time, and bytes on the way to the terminal.
            segments += on_own_ground(text + " " * column.gap, style)
    return segments


def _tells(column: SessionColumn, row: SessionRow) -> bool:
    """Return whether a column says what was found about a session, by a metric, its file or somebody else."""
    if column.kind == "fact":
        return tells_outcome(column.fact)
    return column.kind == "metric" or (column.kind == "label" and row.label is not None)


def _style_name(column: SessionColumn, text: str, *, current: bool) -> str:
    tone = COLUMNS[column.kind].tone if column.kind in COLUMNS else "muted"
    if tone == "sign":
        return _TONES.get(text, "muted")
    if tone == "name":
        return "cursor" if current else "text"
    return tone
