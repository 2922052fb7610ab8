"""DimsBelow: draws the screen below a panel, dimmed, once a frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Generic

from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ScreenResultType
from textual.strip import Strip

from turnwise.tui.drawing.dimmed_lines import DimmedLines
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.textual_internals.views import bare_lines

if TYPE_CHECKING:
    from textual.screen import Screen as _Over
else:
    # Textual takes the styles of the first base that has some: those of the screen beside this one.
    class _Over(Generic[ScreenResultType]):
        pass


LEAST_BESIDE = 6
"""From so many cells on either side of the panel on, the screen below is seen beside it."""


class DimsBelow(_Over[ScreenResultType]):
    """Stands first among the bases of a screen with a panel over another screen, which it dims.

    Textual draws the screen below by a way that is right for anything and takes twice as long as a key may.
    """

    PANEL: ClassVar[str] = "#panel"
    """The panel, as a query names it."""

    _lines_below: Sequence[Strip] | None = None
    """What is seen of the screen below, as of the frame that is drawn; None before it was asked for."""

    _lines_blank: range = range(0)
    """The lines of the screen below of which nothing is seen, as of the same frame."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw what is seen of the screen below, where it may have changed."""
        self._lines_below = None
        lines = bare_lines(self, crop) if self.styles.background.a < 1 else None
        return super().render_lines(crop) if lines is None else lines

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen below, dimmed."""
        if self._lines_below is None:
            below = self.render()
            self._lines_below = _lines_of(below) if isinstance(below, BackgroundScreen) else ()
            self._lines_blank = self._beside_panel() if self._lines_below else range(0)
        if y in self._lines_blank:
            return Strip.blank(self.size.width, self.rich_style)
        if y >= len(self._lines_below):
            return super().render_line(y)
        line, width = self._lines_below[y], self.size.width
        # In another size of the terminal the screen below may not be laid out yet.
        return line if line.cell_length == width else line.adjust_cell_length(width)

    def _beside_panel(self) -> range:
        """Return the lines in which so little is left beside the panel that only torn words would be seen."""
        region = next((panel.region for panel in self.query(self.PANEL)), Region())
        is_torn = region.width and self.size.width - region.width < 2 * LEAST_BESIDE
        return range(region.y, region.bottom) if is_torn else range(0)


def _lines_of(below: BackgroundScreen) -> Sequence[Strip]:
    seen = below.screen
    return (seen.dimmed if isinstance(seen, StillScreen) else DimmedLines()).of(below)
