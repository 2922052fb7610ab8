"""InfoPane: what is known of a session beside its words, shown beside the transcript."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import ClassVar

from textual.strip import Strip

from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import TONE_CLASSES, LinesView, paragraph, with_bar
from turnwise.tui.drawing.palette import COMPONENT_CLASSES, Palette, palette_css, read_palette
from turnwise.tui.drawing.still import Keyless
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.reading.info_lines import (
    SessionInfo,
    covered_words,
    info_lines,
    prompt_lines,
    prompt_width,
    without_outcomes,
)

NOTHING = SessionInfo()
PROMPTS_KEPT = 16
"""Prompts whose lines are kept: most sessions of a chatbot begin with the same one."""


class InfoPane(LinesView, Keyless):
    """Shows what is known of a session; while it is not seen, nothing is drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES | TONE_CLASSES
    DEFAULT_CSS = "InfoPane { background: $surface; }" + palette_css("InfoPane")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._info = NOTHING
        self._drawn_for: tuple[int, int] | None = None
        self._width = 0
        """The cells of a line, as they were when it was seen last."""
        self._shown = NOTHING
        """What the lines say: the place is kept where they change by more room or by other colours."""
        self._covered = False
        self._read: dict[str, list[Line]] = {}
        """Prompts as the Markdown that they are, in this width and theme."""
        self._read_for: tuple[int, Palette] | None = None
        self._palette: Palette | None = None
        self._reading = NewestReading(self)

    def take(self, info: SessionInfo) -> None:
        """Take what is known of another session, to be shown from its start.

        It is drawn once it is known whether it covers how that came out: by `cover`, or else by `show_taken`.
        """
        self._info, self._drawn_for = info, None

    def show_taken(self) -> None:
        """Show what was taken, where that is not done."""
        self._draw()

    def cover(self, *, covered: bool) -> None:
        """Leave out what says how the session came out, or show it again."""
        if covered != self._covered:
            self._covered, self._drawn_for = covered, None
            self._draw()

    def take_size(self) -> None:
        """Wrap the texts anew, in the very frame that shows it."""
        self._draw()

    def read_styles(self) -> None:
        """Find out all styles that it draws in, before it is first drawn."""
        super().read_styles()
        self._palette = read_palette(self)

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        self._palette = None
        if self.is_mounted:
            self._drawn_for = None
            self._draw()

    def focus_lines(self) -> Iterable[int]:
        """Return the first line of the window: there a bar says that keys scroll it."""
        return (0,)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the window."""
        strip = super().render_line(y)
        return with_bar(strip, self.tones.bar) if not y and self.has_focus else strip

    def _draw(self) -> None:
        # Until it is laid out again one that comes back has no place, and of one as wide as before it is not
        # told then.
        width = self.scrollable_content_region.width or self._width
        self._width = width
        wanted = id(self._info), width
        if not self.is_mounted or not self.display or not width or wanted == self._drawn_for:
            return
        if (palette := self._palette) is None:
            palette = self._palette = read_palette(self)
        if not self.show_vertical_scrollbar and len(self._drawn(width, palette)) > self.size.height:
            # The scroll bar comes with these lines, and takes the cell that would be free beside them.
            width -= self.styles.scrollbar_size_vertical
        self._drawn_for = id(self._info), width
        if self._read_for != (width, palette):
            self._read_for, self._read = (width, palette), {}
        self.set_lines(self._drawn(width, palette), keep_place=self._shown is self._info)
        self._shown = self._info
        # What was not read before stands there as it was written while a thread reads it: keys go on.
        if new := [text for text in self._info.prompts if text not in self._read]:
            read = partial(_read_prompts, new, prompt_width(width), palette)
            self._reading.ask(read, partial(self._take, (width, palette)))

    def _drawn(self, width: int, palette: Palette) -> list[Line]:
        info, hidden = without_outcomes(self._info) if self._covered else (self._info, 0)
        tones = self.tones
        lines = info_lines(info, width, tones, palette, self._read)
        if hidden:
            lines += [[], *paragraph(covered_words(hidden), width - 1, tones.muted, indent="  ")]
        return lines

    def _take(self, read_for: tuple[int, Palette], read: dict[str, list[Line]]) -> None:
        if read_for == self._read_for:
            kept = list(self._read.items())[-PROMPTS_KEPT:]
            self._read = dict(kept) | read
            self.set_lines(self._drawn(*read_for), keep_place=True)


def _read_prompts(texts: list[str], width: int, palette: Palette) -> dict[str, list[Line]]:
    return {text: prompt_lines(text, width, palette) for text in texts}
