"""Lines that are shown again as they were cost no frame; others are drawn."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.geometry import Size
from textual.widget import Widget

from turnwise.tui.drawing import lines_view
from turnwise.tui.drawing.lines_view import DrawnLines, LinesView, Tones


class Lines(App[None]):
    CSS = "DrawnLines, LinesView { height: 3; }"

    def compose(self) -> ComposeResult:
        yield DrawnLines(id="drawn")
        yield LinesView(id="scrolled")


@pytest.mark.parametrize("name", ["drawn", "scrolled"])
async def test_what_is_the_same_is_not_drawn_again(name: str) -> None:
    app = Lines()
    async with app.run_test() as pilot:
        view = app.query_one(f"#{name}")
        assert isinstance(view, DrawnLines | LinesView)
        view.set_lines([[Segment("one")]])
        await pilot.pause()
        drawn: list[int] = []
        view.render_line = lambda y, draw=view.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        view.set_lines([[Segment("one")]])
        await pilot.pause()
        assert drawn == []
        view.set_lines([[Segment("two")]])
        await pilot.pause()
        assert drawn == [0, 1, 2]
        assert "two" in view.render_line(0).text


async def test_lines_that_come_after_a_change_of_size_fill_the_new_width() -> None:
    app = Lines()
    async with app.run_test(size=(60, 10)) as pilot:
        view = app.query_one("#scrolled", LinesView)
        view.set_lines([[Segment("one")]])
        await pilot.resize_terminal(40, 10)
        await pilot.pause()
        view.set_lines([[Segment("one")]])
        assert view.virtual_size == Size(view.size.width, 1)


async def test_other_lines_are_laid_out_only_where_the_scroll_bar_comes_or_goes() -> None:
    app = Lines()
    async with app.run_test(size=(60, 10)) as pilot:
        view = app.query_one("#scrolled", LinesView)
        await pilot.pause()
        asked: list[bool] = []
        refresh = view.refresh
        view.refresh = lambda *regions, **how: (
            asked.append(how.get("layout", False)) or refresh(*regions, **how)
        )  # type: ignore[method-assign, assignment, func-returns-value]
        for count, has_bar in ((2, False), (3, False), (9, True), (20, True), (1, False)):
            is_another = view.show_vertical_scrollbar != has_bar
            asked.clear()
            view.set_lines([[Segment(f"line {number}")] for number in range(count)])
            for _ in range(3):
                # A bar that has come is laid out in a frame of its own.
                await pilot.pause()
            assert view.show_vertical_scrollbar == has_bar
            assert any(asked) == is_another
            assert view.max_scroll_y == max(0, count - view.size.height)


@pytest.mark.parametrize("name", ["drawn", "scrolled"])
async def test_tones_are_found_out_once_and_again_under_another_theme(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, found = Lines(), []
    read = lines_view.read_tones

    def reading(widget: Widget) -> Tones:
        found.append(widget)
        return read(widget)

    async with app.run_test() as pilot:
        view = app.query_one(f"#{name}")
        assert isinstance(view, DrawnLines | LinesView)
        monkeypatch.setattr(lines_view, "read_tones", reading)
        before = view.tones
        assert view.tones is before
        assert found == [view]
        app.theme = "textual-light"
        await pilot.pause()
        assert view.tones.text.color != before.text.color
