"""The curve of a criterion: what the conversation scored as it stood after earlier turns, as one line."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.store import ScoreRow
from turnwise.engine.metrics.lost_turn_details import curve_of
from turnwise.tui.drawing.bars import column_of
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.replay.curve_words import curve_words
from turnwise.tui.session_lists.metric_keys import metric_words

TO_COME = "·"
_LONGEST_NAME = 24


def curve_line(row: ScoreRow, turn: int, width: int, tones: Tones, *, later: bool = False) -> Line:
    """Return a column for each turn that was judged as the last, those after `turn` as dots.

    later: whether nobody had found it yet at the moment that is shown.
    """
    name = metric_words(row.metric)
    name = fit(name, min(cell_len(name), _LONGEST_NAME))
    curve, words = curve_of(row.details), curve_words(row, turn, later=later)
    room = max(1, width - cell_len(name) - cell_len(words) - 6)
    bar = row.threshold or 0.0
    line = [Segment(f" {name}  ", tones.heading)]
    # Of a long one the end is shown, where it was lost or not.
    for at, value in curve[-room:]:
        if at > turn:
            line.append(Segment(TO_COME, tones.muted))
        else:
            line.append(Segment(column_of(value), tones.passed if value >= bar else tones.failed))
    return [*line, Segment(f"  {words}", tones.muted)]
