"""SideFinding: what stands over one of two transcripts: the run, its score, and the reason for it."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.geometry import Size

from turnwise.conversations.marks import outcome_sign
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import ScoreRow
from turnwise.engine.comparing.sides import Side
from turnwise.tui.compare.run_words import score_words, side_about, side_words
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.reading.score_groups import summary_of

REASON_LINES = 2
"""A longer reason is cut; `why` shows all of it."""
LINES = 2 + REASON_LINES + 1
"""With the line that helps to read what stands below, or an empty one."""
_INDENT = "   "
_LEAST_SESSION = 8
"""In fewer cells no session is named."""


@dataclass(frozen=True, slots=True)
class SideFinding:
    """A side with the score that one pair has on it.

    letter: A or B. current: it has the keys. session: what its session is called, where the other's is called
    otherwise. elsewhere: where the other side is, if this one alone has room. legend: what marks below mean.
    """

    letter: str
    side: Side
    row: ScoreRow | None
    current: bool
    session: str = ""
    elsewhere: str = ""
    legend: str = ""


def head_lines(finding: SideFinding, size: Size, tones: Tones) -> list[Line]:
    """Return the few lines over a transcript that tell of a finding."""
    width = size.width - 1
    name = make_safe_line(side_words(finding.side))
    about = make_safe_line(side_about(finding.side))
    room = max(1, width - len(_INDENT) - cell_len(about) - 2)
    if cell_len(name) > room:
        # Who answered tells the sides apart; who judged comes second.
        about, room = "", max(1, width - len(_INDENT))
    left = fit(name, min(cell_len(name), room))
    gap = " " * max(0, width - len(_INDENT) - cell_len(left) - cell_len(about))
    first = [
        # No bar of a cursor: that stands in the transcript, and two would leave open which keys move.
        Segment(f" {finding.letter} ", tones.bar if finding.current else tones.muted),
        Segment(left, tones.heading if finding.current else tones.text),
        Segment(gap + about, tones.muted),
    ]
    row = finding.row
    if row is None:
        return [first]
    sign = outcome_sign(row)
    exchange = f" · exchange {row.exchange}" if row.exchange else ""
    score = f"{sign} {score_words(row.score)}"
    needs = f", needs {row.threshold:.2f}" if row.threshold is not None else ""
    metric = f"  {make_safe_line(row.metric).replace('_', ' ')}{exchange}"
    second = [
        Segment(_INDENT),
        Segment(score, tones.of_sign(sign)),
        Segment(needs, tones.muted),
        Segment(metric, tones.text),
    ]
    room = width - len(_INDENT) - cell_len(score + needs + metric) - 2
    if finding.session and room >= _LEAST_SESSION:
        second.append(Segment(f"  {fit(make_safe_line(finding.session), room, right=True)}", tones.muted))
    reason = paragraph(summary_of(row), width, tones.muted, indent=_INDENT, most=REASON_LINES)
    return [first, second, *reason, *_tail(finding, width, tones)]


def _tail(finding: SideFinding, width: int, tones: Tones) -> list[Line]:
    """Return the line under the reason: where the other side is, and what marks mean, as far as they fit."""
    room = width - len(_INDENT)
    parts = [finding.elsewhere, finding.legend]
    told = next((text for text in ("   ".join(filter(None, parts)), *parts) if cell_len(text) <= room), "")
    return [[Segment(_INDENT + told, tones.muted)]] if told else []


def name_line(letter: str, side: Side, width: int, tones: Tones) -> Line:
    """Return one line that names a side in a window of so many cells."""
    name = make_safe_line(side_words(side))
    room = max(1, width * 2 // 3)
    return [
        Segment(f"  {letter}  ", tones.bar),
        Segment(fit(name, min(room, cell_len(name))), tones.heading),
        Segment(f"   {make_safe_line(side_about(side))}", tones.muted),
    ]
