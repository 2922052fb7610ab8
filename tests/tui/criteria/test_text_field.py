"""TextField: what comes in is safe to draw, and what a program writes can be undone."""

from __future__ import annotations

from textual import events
from textual.app import App, ComposeResult

from turnwise.tui.criteria.criterion_editor import MOST_LINES, TextField


class OneApp(App[None]):
    def compose(self) -> ComposeResult:
        yield TextField()


async def test_what_is_pasted_or_put_is_shown_and_not_obeyed() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        field = app.query_one(TextField)
        field.put("a\x1b[31mb")
        assert "\x1b" not in field.text
        field.focus()
        field.post_message(events.Paste("c\x1b]0;t\x07\nd"))
        await pilot.pause()
        assert "\x1b" not in field.text
        assert field.text.endswith("\nd")
        assert field.size.height == 2


async def test_another_text_has_nothing_to_undo_and_what_is_written_over_has() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        field = app.query_one(TextField)
        field.focus()
        await pilot.press("x")
        field.put("mine")
        await pilot.press("ctrl+z")
        assert field.text == "mine"
        await pilot.press("!")
        field.write_over("drafted")
        assert field.text == "drafted"
        await pilot.press("ctrl+z")
        assert field.text == "mine!"
        await pilot.press("ctrl+z")
        assert field.text == "mine"


async def test_the_height_asked_for_in_a_width_is_that_of_the_text_in_it() -> None:
    app = OneApp()
    async with app.run_test(size=(80, 24)):
        field = app.query_one(TextField)
        field.put("Read what the scenario says of the fare rules and of every sum\nSay why")
        assert field.get_content_height(app.size, app.size, 78) == 2
        assert field.get_content_height(app.size, app.size, 30) == 4, "as it was wrapped last it took two"
        assert field.get_content_height(app.size, app.size, 78) == 2


async def test_tab_goes_on_and_enter_begins_a_line() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        field = app.query_one(TextField)
        field.focus()
        await pilot.press("a", "enter", "b", "tab")
        assert field.text == "a\nb"


async def test_it_grows_line_by_line_without_a_bar_and_a_longer_text_scrolls() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        field = app.query_one(TextField)
        field.focus()
        shown: list[bool] = []
        field.watch(field, "show_vertical_scrollbar", lambda bar: shown.append(bar), init=False)
        for lines in range(2, MOST_LINES + 1):
            await pilot.press("enter")
            await pilot.pause()
            assert field.size.height == lines
            assert field.scroll_offset.y == 0
        assert shown == []
        await pilot.press("enter", "z")
        await pilot.pause()
        assert field.size.height == MOST_LINES
        assert shown == [True]
        assert field.scroll_offset.y == 1
        await pilot.press("backspace", "backspace")
        await pilot.pause()
        assert not field.show_vertical_scrollbar
