"""A line whose text typing replaces, whether one came to it by a key or by a click."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Input

from turnwise.tui.parts.whole_field import WholeField


class Form(App[None]):
    def compose(self) -> ComposeResult:
        yield Input(id="other")
        yield WholeField("50", id="size")


async def test_what_is_typed_after_a_click_takes_the_place_of_what_stood_there() -> None:
    app = Form()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click("#size")
        await pilot.press("7")
        assert app.query_one(WholeField).value == "7"


async def test_a_further_click_places_the_cursor() -> None:
    app = Form()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.click("#size")
        await pilot.pause()
        await pilot.click("#size", offset=(4, 1))
        await pilot.press("7")
        assert app.query_one(WholeField).value in ("570", "750")


async def test_after_tab_and_a_key_a_click_places_the_cursor() -> None:
    app = Form()
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("tab", "1", "2", "3")
        await pilot.click("#size", offset=(4, 1))
        await pilot.press("7")
        assert app.query_one(WholeField).value == "1723"
