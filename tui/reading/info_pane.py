"""InfoPane: what is known of a session beside its words, shown beside the transcript."""

from __future__ import annotations

from typing import ClassVar

from turnwise.tui.parts.lines_view import TONE_CLASSES, LinesView, read_tones
from turnwise.tui.parts.palette import COMPONENT_CLASSES, palette_css, read_palette
from turnwise.tui.parts.still import Keyless
from turnwise.tui.reading.info_lines import SessionInfo, info_lines

NOTHING = SessionInfo()


class InfoPane(LinesView, Keyless):
    """Shows what is known of a session; while it is not seen, nothing is drawn."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES | TONE_CLASSES
    DEFAULT_CSS = "InfoPane { background: $surface; }" + palette_css("InfoPane")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._info = NOTHING
        self._drawn_for: tuple[int, int] | None = None

    def show(self, info: SessionInfo) -> None:
        """Show what is known of another session, from its start."""
        self._info, self._drawn_for = info, None
        self._draw()

    def on_resize(self) -> None:
        """Wrap the texts anew."""
        self._draw()

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._drawn_for = None
            self._draw()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        wanted = id(self._info), width
        if not self.is_mounted or not self.display or not width or wanted == self._drawn_for:
            return
        self._drawn_for = wanted
        self.set_lines(info_lines(self._info, width, read_tones(self), read_palette(self)))
