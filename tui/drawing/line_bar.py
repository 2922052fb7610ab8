"""LineBar: the scroll bar of a view that is drawn line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from turnwise.tui.textual_internals.views import bare_lines


class LineBar(ScrollBar):
    """A vertical scroll bar that draws each kind of its cells once, and no cell through a console.

    Another session in a preview moves its bar too, whose forty cells took as long as the lines beside them.
    """

    # Without children there is nothing to lay out once more when the size has changed.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)

    def __init__(
        self,
        mark: Callable[[list[Segment]], Sequence[Segment]] = lambda cells: cells,
        go: Callable[[int], None] = lambda to: None,
    ) -> None:
        """mark: puts marks into the cells, on which a click asks for `go_to`. go: goes where one leads."""
        super().__init__(vertical=True, name="vertical", thickness=1)
        self._mark, self._go = mark, go
        self._strips: Sequence[Strip] = ()
        self._kinds: dict[Segment, Strip] = {}
        self._cells: dict[Segment, Segment] = {}

    def action_go_to(self, place: int) -> None:
        """Go where a mark leads that was clicked."""
        self._go(place)

    def cells(self) -> Sequence[Segment]:
        """Return what stands in each row, one and the same object where it is the same."""
        bar = self.render()
        if not isinstance(bar, ScrollBarRender) or not isinstance(bar.style, Style):
            return ()
        ground, ink = bar.style.bgcolor, bar.style.color
        if ground is None or ink is None:
            return ()
        drawn = bar.render_bar(
            size=self.size.height,
            virtual_size=bar.virtual_size,
            window_size=bar.window_size,
            position=bar.position,
            back_color=ground,
            bar_color=ink,
        )
        # The same object in every frame: what is told of it is known by that, and by no longer comparison.
        same = {id(cell): self._cells.setdefault(cell, cell) for cell in _each_once(drawn.segments)}
        return self._mark([same[id(cell)] for cell in drawn.segments])

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the rows that have changed."""
        self._strips = ()
        lines = bare_lines(self, crop)
        return super().render_lines(crop) if lines is None else lines

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        if not self._strips:
            # What was drawn for the frame before is neither made nor coloured again.
            cells = self.cells()
            self._kinds = {cell: self._kinds.get(cell) or Strip([cell], 1) for cell in cells}
            self._strips = [self._kinds[cell] for cell in cells]
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, self.rich_style)


def _each_once(cells: Iterable[Segment]) -> Iterable[Segment]:
    return {id(cell): cell for cell in cells}.values()
