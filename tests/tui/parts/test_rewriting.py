from __future__ import annotations

import pytest
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from tui_driver import shown

from turnwise.tui.parts.rewriting import rewrite


class Lines(App[None]):
    CSS = "#as-wide { width: auto; }"

    def compose(self) -> ComposeResult:
        yield Static(Content("[b]as it is"), id="line")
        with Horizontal():
            yield Static("now", id="as-wide")
            yield Static("beside")


@pytest.fixture
def laid_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How often screens were laid out, once for each."""
    counted: list[str] = []
    usual = Screen._refresh_layout

    def lay_out(screen: Screen[None], *size: object, **options: object) -> None:
        counted.append("laid out")
        usual(screen, *size, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Screen, "_refresh_layout", lay_out)
    return counted


async def test_words_that_take_as_much_room_lay_nothing_out(laid_out: list[str]) -> None:
    app = Lines()
    async with app.run_test(size=(30, 4)) as pilot:
        line = app.query_one("#line", Static)
        await pilot.pause()
        laid_out.clear()
        rewrite(line, "[b]as it is")
        rewrite(line, "other [i]words")
        await pilot.pause()
        assert "other [i]words" in shown(app)  # type: ignore[arg-type]
        assert not laid_out


async def test_words_that_take_other_room_get_it(laid_out: list[str]) -> None:
    app = Lines()
    async with app.run_test(size=(30, 4)) as pilot:
        await pilot.pause()
        laid_out.clear()
        rewrite(app.query_one("#line", Static), "many " * 8 + "words")
        await pilot.pause()
        assert "words" in shown(app).splitlines()[1]  # type: ignore[arg-type]
        rewrite(app.query_one("#as-wide", Static), "longer")
        await pilot.pause()
        assert "longerbeside" in shown(app)  # type: ignore[arg-type]
        assert laid_out


async def test_words_that_were_not_in_sight_take_their_room_once_they_are() -> None:
    app = Lines()
    async with app.run_test(size=(30, 4)) as pilot:
        line = app.query_one("#line", Static)
        line.display = False
        await pilot.pause()
        rewrite(line, "many " * 8 + "words")
        line.display = True
        await pilot.pause()
        assert "words" in shown(app).splitlines()[1]  # type: ignore[arg-type]
