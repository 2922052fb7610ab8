"""PictureArea: where an image stands in a dialog, as cells in colours or drawn by the terminal itself.

What the terminal draws lies beside what Textual knows of. So it is drawn anew whenever the cells below it
were, and removed when they are no longer this image's.
"""

from __future__ import annotations

from rich.segment import SegmentLines
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from turnwise.tui.pictures.drawn_pictures import InlinePicture, PictureLines
from turnwise.tui.terminal.graphics import KITTY_REMOVED, Graphics, placed
from turnwise.tui.textual_internals.terminals import send_code


class PictureArea(Static):
    """Shows one image at a time."""

    DEFAULT_CSS = """
    PictureArea { height: auto; width: 100%; content-align: center middle; padding: 0 1; }
    """

    DRAWN_IN_EACH_FRAME = True
    """The terminal draws its image no more once another screen stood over it."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        super().__init__("", id=id)
        self._inline: InlinePicture | None = None
        self._removed_by = ""
        self._waits = False

    def show(self, drawn: PictureLines | InlinePicture | None, graphics: Graphics) -> None:
        """Show an image in the place of the one before; None for none. graphics: what the terminal can."""
        self.remove_inline()
        self._inline = drawn if isinstance(drawn, InlinePicture) else None
        if isinstance(drawn, InlinePicture):
            self._removed_by = KITTY_REMOVED if graphics.kitty else ""
            self.styles.height = drawn.rows
            self.update("")
        else:
            self.styles.height = "auto"
            self.update(SegmentLines(drawn.lines, new_lines=True) if drawn is not None else "")

    def remove_inline(self) -> None:
        """Take the image out of the terminal, until its cells are drawn again."""
        # Sixels go with the cells that they stand in.
        if self._inline is not None:
            send_code(self.app, self._removed_by)

    def draw_inline(self) -> None:
        """Draw what the terminal draws, once the cells below it are there."""
        if self._inline is not None:
            self._waits = True
            self.call_after_refresh(self._place)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the cells, and the image over them once they are in the terminal."""
        if not self._waits:
            self.draw_inline()
        return super().render_lines(crop)

    def _place(self) -> None:
        self._waits = False
        picture = self._inline
        # A screen below another one is drawn too, in the dark.
        if picture is None or self.app.screen is not self.screen:
            return
        there = self.content_region
        whole = self.screen.find_widget(self).visible_region.contains_region(there)
        if whole and picture.rows <= there.height and picture.cells <= there.width:
            column = there.x + (there.width - picture.cells) // 2
            send_code(self.app, placed(picture.codes, column, there.y))

    def on_unmount(self, _event: events.Unmount) -> None:
        """Leave nothing behind."""
        self.remove_inline()
