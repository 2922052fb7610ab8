"""SessionHead: what is said about a session beside its words: one line over the turns that a key unfolds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import AboutPart, SessionAbout
from turnwise.tui.parts.lines import Line
from turnwise.tui.parts.lines_view import LinesView, Tones, paragraph, read_tones
from turnwise.tui.parts.still import Keyless
from turnwise.tui.parts.wrapping import fit
from turnwise.tui.reading.turn_lines import triangle

NAME = "about"
TITLE = 18
"""Cells of what a thing is called, with the gap after it."""
INDENT = "  "
MOST_LINES = 400
"""Of one thing; `turnwise show` prints all of it."""
WIDEST_TEXT = 100


class SessionHead(LinesView, Keyless):
    """One line that says what it holds, or all of it in half of the window at most; hidden if empty."""

    DEFAULT_CSS = "SessionHead { height: 1; margin: 0 0 1 0; background: $surface; display: none; }"

    FOCUS_ON_CLICK: ClassVar[bool] = False

    def __init__(self) -> None:
        super().__init__()
        self._about = SessionAbout()
        self._key = ""
        self.is_open = False
        """Whether all of it is shown."""

    def show(self, about: SessionAbout, key: str) -> None:
        """Show what is said about another session, folded. key: the one that unfolds it, as written."""
        self._about, self._key, self.is_open = about, key, False
        self.display = bool(about.parts)
        self._draw()

    def toggle(self) -> None:
        """Unfold it, or fold it."""
        self.is_open = not self.is_open
        self._draw()

    @property
    def takes_keys(self) -> bool:
        """Whether there is more of it than is in sight, so that keys are to move in it."""
        return self.is_open and len(self.lines) > self._most

    @property
    def _most(self) -> int:
        return max(3, self.screen.size.height // 2 - 2)

    def on_resize(self) -> None:
        """Wrap the texts anew."""
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Unfold or fold it by its first line."""
        if event.y + self.scroll_offset.y == 0:
            self.toggle()

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._draw()

    def _draw(self) -> None:
        if not self.is_mounted or not self.display:
            return
        width = self.size.width or self.screen.size.width
        lines = head_lines(self._about, width - 1, read_tones(self), self._key, is_open=self.is_open)
        height = min(len(lines), self._most)
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.set_lines(lines, keep_place=self.is_open)


def head_lines(about: SessionAbout, width: int, tones: Tones, key: str, *, is_open: bool) -> list[Line]:
    """Return the lines of what is said in so many cells, or the one line that says what there is."""
    name = f"{triangle(is_open)} {NAME}  "
    room = max(1, width - cell_len(name) - cell_len(key) - 3)
    told = "" if is_open else make_safe_line(about.summary)
    text = fit(told, room)
    lines: list[Line] = [
        [Segment(" " + name, tones.text), Segment(text, tones.muted), Segment(f"  {key}", tones.muted)]
    ]
    if is_open:
        for part in about.parts:
            lines += _part_lines(part, min(width, WIDEST_TEXT), tones)
    return lines


def _part_lines(part: AboutPart, width: int, tones: Tones) -> Sequence[Line]:
    """Return the text of a part beside what it is called, or under it where that is long."""
    title = make_safe_line(part.title)
    indent = INDENT + " " * TITLE
    text = paragraph(part.text, width, tones.text, indent=indent, most=MOST_LINES)
    if cell_len(title) >= TITLE or not text:
        return [[Segment(INDENT + fit(title, max(1, width - len(INDENT))).rstrip(), tones.muted)], *text]
    first = text[0][0].text[len(indent) :]
    return [[Segment(INDENT + fit(title, TITLE), tones.muted), Segment(first, tones.text)], *text[1:]]
