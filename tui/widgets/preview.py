"""Preview: the session under the cursor at a glance: what it is, what failed and why, how it begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from rich.segment import Segment
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.store.rows import ScoreRow, SessionRow, TurnRow
from turnwise.tui.widgets.marks import FAILED
from turnwise.tui.widgets.palette import component
from turnwise.tui.widgets.safe_text import make_safe, make_safe_line
from turnwise.tui.widgets.session_columns import FAILURE
from turnwise.tui.widgets.wrapping import ELLIPSIS, fit, wrap

TURNS_SHOWN = 30
"""How many messages a preview is given."""
ABOUT_LINES = 3
REASON_LINES = 4
TURN_LINES = 6
MOST_CHARACTERS = 4_000
_ROOM_FOR_REASONS = 0.5

Piece = tuple[str, str]
"""A text and the name of its style: title, text, dim, failed or unsure."""
Line = list[Piece]


@dataclass(frozen=True, slots=True)
class Glance:
    """What a preview shows: the session, its first messages, its newest scores."""

    row: SessionRow
    turns: Sequence[TurnRow]
    scores: Sequence[ScoreRow]


class Preview(Widget):
    """Draws a glance in the room it has; what has no room is left out, never scrolled to."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "preview--title",
        "preview--text",
        "preview--dim",
        "preview--failed",
        "preview--unsure",
    }
    DEFAULT_CSS = """
    Preview {
        background: $surface;
        color: $text;
        padding: 0 2;
        & .preview--title { color: $text; text-style: bold; }
        & .preview--text { color: $text; }
        & .preview--dim { color: $text-muted; }
        & .preview--failed { color: $text-error; text-style: bold; }
        & .preview--unsure { color: $text-warning; }
        &:ansi {
            .preview--dim { text-style: dim; }
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glance: Glance | None = None
        self._lines: list[Line] = []
        self._laid_out: Size | None = None

    def show(self, glance: Glance | None) -> None:
        """Show another session, or nothing."""
        self._glance = glance
        self._laid_out = None
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Fill the room that there is now: the first frame is drawn before the first resize is told."""
        if self.content_size != self._laid_out:
            self._laid_out = self.content_size
            width, height = self.content_size
            self._lines = preview_lines(self._glance, width, height) if self._glance and width > 0 else []
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        line = self._lines[y] if y < len(self._lines) else []
        segments = [Segment(text, component(self, f"preview--{style}")) for text, style in line]
        base = self.rich_style
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.content_size.width, base)


def preview_lines(glance: Glance, width: int, height: int) -> list[Line]:
    """Return the lines of a glance: its head, then what failed, then as much of its start as fits."""
    row = glance.row
    spoken = f"{row.turns} {'turn' if row.turns == 1 else 'turns'}"
    about = [make_safe_line(part) for part in (row.chatbot_role, spoken, row.source) if part]
    lines: list[Line] = [
        [(fit(make_safe_line(row.name), width), "title")],
        *([(piece, "dim")] for piece in _at_most(wrap(" · ".join(about), width), ABOUT_LINES, width)),
        [],
    ]
    findings = list(islice(_findings(glance.scores, width), max(2, int(height * _ROOM_FOR_REASONS))))
    if findings:
        lines += [*findings, []]
    room = height - len(lines)
    return [*lines, *islice(_turns(glance.turns, width), max(0, room))]


def _findings(scores: Sequence[ScoreRow], width: int) -> Iterator[Line]:
    """Yield what did not pass and what could not be had, the worst first."""
    wanting = [score for score in scores if score.outcome == "failure" or score.passed is False]
    for score in sorted(wanting, key=lambda score: (score.outcome == "failure", score.score or 0.0)):
        sign, style = (FAILURE, "unsure") if score.outcome == "failure" else (FAILED, "failed")
        found = "failed" if score.score is None else f"{score.score:.2f}"
        name = make_safe_line(score.metric).replace("_", " ")
        place = f" · exchange {score.exchange}" if score.exchange else ""
        yield [(f"{sign} ", style), (fit(f"{name} {found}{place}", width - 2), "text")]
        room = max(1, width - 2)
        for text in _at_most(wrap(make_safe(score.reason), room), REASON_LINES, room):
            yield [("  ", "dim"), (text, "dim")]


def _turns(turns: Sequence[TurnRow], width: int) -> Iterator[Line]:
    """Yield the first spoken turns, each with its number."""
    for turn in turns:
        said = turn.content.strip()[:MOST_CHARACTERS]
        if turn.number is None or not (said or turn.tools_called):
            continue
        said = said or "▸ " + ", ".join(call.name for call in turn.tools_called)
        number = f"{turn.number:<3}"
        style = "text" if turn.role == "user" else "dim"
        room = max(1, width - len(number))
        for count, text in enumerate(_at_most(wrap(make_safe(said), room), TURN_LINES, room)):
            yield [(number if count == 0 else " " * len(number), "dim"), (text, style)]
        yield []


def _at_most(lines: Iterator[str], count: int, width: int) -> Iterator[str]:
    """Yield the first lines; where there are more, the last of them ends in an ellipsis."""
    shown = list(islice(lines, count + 1))
    yield from shown[: count - 1] if len(shown) > count else shown
    if len(shown) > count:
        yield fit(f"{shown[count - 1]} {ELLIPSIS}", width).rstrip()
