"""What is seen of a screen through the ground of a dialog."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip
from textual.widgets import Static

from turnwise.tui.drawing.dimmed_lines import DimmedLines

GREY, RED = Color(0, 0, 0, 0.5), Color(255, 0, 0, 0.5)


class TwoLines(App[None]):
    CSS = "Static { color: rgb(200,100,50); background: rgb(20,40,60); }"

    def compose(self) -> ComposeResult:
        yield Static("first", id="first")
        yield Static("second", id="second")


def below(app: App[None], color: Color = GREY) -> BackgroundScreen:
    return BackgroundScreen(app.screen, color)


async def test_lines_are_as_textual_dims_them() -> None:
    app = TwoLines()
    async with app.run_test(size=(20, 4)):
        drawn = DimmedLines().of(below(app))
        for line, plain in zip(drawn, app.screen._compositor.render_strips(), strict=True):
            dimmed = Strip(BackgroundScreen.process_segments(plain, GREY))
            assert cells(line) == cells(dimmed)
            assert line.cell_length == 20


async def test_a_line_that_stays_is_the_same_one() -> None:
    app = TwoLines()
    async with app.run_test(size=(20, 4)) as pilot:
        lines = DimmedLines()
        before = lines.of(below(app))
        app.query_one("#second", Static).update("another")
        await pilot.pause()
        now = lines.of(below(app))
        assert [one is other for one, other in zip(before, now, strict=True)] == [True, False, True, True]
        assert now[1].text.rstrip() == "another"


@pytest.mark.parametrize("size", [(20, 2), (20, 6), (30, 4)])
async def test_another_size_or_colour_is_drawn(size: tuple[int, int]) -> None:
    app = TwoLines()
    async with app.run_test(size=(20, 4)) as pilot:
        lines = DimmedLines()
        lines.of(below(app))
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert [line.cell_length for line in lines.of(below(app))] == [size[0]] * size[1]
        assert [cells(line) for line in lines.of(below(app, RED))] == [
            cells(line) for line in DimmedLines().of(below(app, RED))
        ]


def cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """Return every character with its style; of a blank one only the ground is seen."""
    found = []
    for text, style, _ in Strip(Segment.simplify(strip)):
        seen = style or Style()
        found += [(one, Style(bgcolor=seen.bgcolor) if one == " " else seen) for one in text]
    return found
