"""A view's scroll bar looks and answers as Textual's own, and draws each kind of its cells once."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.drawing.line_bar import LineBar


class Bars(App[None]):
    """A bar as it is here beside one as it is in Textual."""

    CSS = "Widget { layout: horizontal; } ScrollBar { width: 1; height: 20; }"

    def compose(self) -> ComposeResult:
        with Widget():
            yield LineBar()
            yield ScrollBar()


def looks(cell: Strip) -> tuple[object, ...]:
    """Return all that is seen of a cell, and what it answers."""
    ((text, style, _),) = cell
    assert style is not None
    seen = style.color, style.bgcolor
    if not text.strip():
        seen = (style.color, None) if style.reverse else (None, style.bgcolor)
    return text, *seen, bool(style.reverse), style.meta


@pytest.mark.parametrize(
    ("lines", "position"), [(100, 0), (100, 37), (100, 80), (21, 1), (5, 0), (100_000, 99_980)]
)
async def test_it_looks_as_textuals_own(lines: int, position: int) -> None:
    app = Bars()
    async with app.run_test(size=(10, 20)) as pilot:
        ours, theirs = app.query(ScrollBar)
        for bar in (ours, theirs):
            bar.window_virtual_size, bar.window_size, bar.position = lines, 20, position
        await pilot.pause()
        drawn = [bar.render_lines(Size(1, 20).region) for bar in (ours, theirs)]
        assert [looks(strip) for strip in drawn[0]] == [looks(strip) for strip in drawn[1]]
        assert len({id(strip) for strip in drawn[0]}) <= 6
