"""FittedLines: a few lines that are written anew for the room there is, and for another theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.geometry import Size

from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones

Write = Callable[[Size, Tones], Sequence[Line]]
"""Writes lines for a size, in the tones of a theme."""


class FittedLines(DrawnLines):
    """Lines that are written anew whenever their place or the theme changes."""

    def __init__(self, *, id: str | None = None, grows: bool = False) -> None:  # noqa: A002
        """grows: it is as high as what is written takes, in place of the height that its style gives it."""
        super().__init__(id=id)
        self._grows = grows
        self._write: Write = lambda size, tones: []

    def show(self, write: Write) -> None:
        """Show what `write` returns for a size and tones."""
        self._write = write
        self._draw()

    def _draw(self) -> None:
        if self.is_mounted and self.size:
            lines = self._write(self.size, self.tones)
            if self._grows:
                self.styles.height = max(1, len(lines))
            self.set_lines(lines)

    def on_resize(self) -> None:
        """Write anew in the room there is."""
        self._draw()

    def notify_style_update(self) -> None:
        """Write anew where the theme changed."""
        super().notify_style_update()
        self._draw()
