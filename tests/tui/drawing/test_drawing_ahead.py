"""What the next keys may show is drawn while nothing moves, a little at a time."""

from __future__ import annotations

from collections.abc import Iterator

from textual.app import App, ComposeResult
from textual.widgets import Static
from tui_driver import until

from turnwise.tui.drawing.drawing_ahead import DrawingAhead


class Counting(Static):
    """Draws ten pieces ahead."""

    def on_mount(self) -> None:
        self.drawn: list[int] = []
        self.ahead = DrawingAhead(self, self.pieces)

    def pieces(self) -> Iterator[None]:
        for piece in range(10):
            self.drawn.append(piece)
            yield


class Shown(App[int]):
    def compose(self) -> ComposeResult:
        yield Counting()


async def test_all_is_drawn_once_and_begun_anew_by_each_move() -> None:
    app = Shown()
    async with app.run_test() as pilot:
        counting = app.query_one(Counting)
        assert counting.drawn == []
        counting.ahead.begin()
        assert counting.drawn == []
        await until(pilot, lambda: counting.drawn == list(range(10)))
        await pilot.pause(0.1)
        assert counting.drawn == list(range(10))
        counting.ahead.begin()
        await until(pilot, lambda: counting.drawn == [*range(10), *range(10)])


async def test_nothing_is_drawn_before_the_widget_is_there() -> None:
    ahead = DrawingAhead(Static(), lambda: iter(()))
    ahead.begin()
