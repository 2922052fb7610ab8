"""The handle of a scroll bar is drawn in whole cells, from its first place to its last."""

from __future__ import annotations

from math import ceil

import pytest
from textual.color import Color
from textual.scrollbar import ScrollBar

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.whole_cells import WholeCells

GROUND, INK = Color(0, 0, 0).rich_color, Color(255, 255, 255).rich_color


def handle(lines: int, window: int, position: float, size: int = 20) -> list[int]:
    """Return the cells that the handle takes."""
    bar = WholeCells.render_bar(
        size=size, virtual_size=lines, window_size=window, position=position, back_color=GROUND, bar_color=INK
    )
    assert all(cell.text == " " for cell in bar.segments)
    return [at for at, cell in enumerate(bar.segments) if cell.style is not None and cell.style.reverse]


@pytest.mark.parametrize(("lines", "window"), [(100, 20), (21, 20), (37, 20), (10_000, 20), (64, 17)])
def test_the_handle_is_of_whole_cells_and_reaches_both_ends(lines: int, window: int) -> None:
    length = ceil(max(1, window * 20 / lines))
    for position in range(lines - window + 1):
        found = handle(lines, window, position)
        assert found == list(range(found[0], found[0] + length))
    assert handle(lines, window, 0)[0] == 0
    assert handle(lines, window, lines - window)[-1] == 19


async def test_all_scroll_bars_of_the_app_are_drawn_so(store: Store) -> None:
    TurnwiseApp(store)
    assert ScrollBar().renderer is WholeCells
