"""ChoiceList: where the cursor is can be seen without any colour, and a scroll bar comes at once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual.app import App, ComposeResult
from textual.widgets import Input
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts.choice_list import Choice, ChoiceList


class ChoosingApp(App[None]):
    def compose(self) -> ComposeResult:
        yield ChoiceList()
        yield Input()

    def on_mount(self) -> None:
        self.query_one(ChoiceList).show([Choice("one", "one"), Choice("two", "two", disabled=True)])


def lines(app: App[None]) -> list[str]:
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips[:2]]


async def test_a_bar_stands_at_the_cursor() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        await pilot.pause()
        assert lines(app) == ["▌one", " two"]


async def test_the_bar_is_thin_while_keys_go_elsewhere() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        await pilot.press("tab")
        assert lines(app) == ["›one", " two"]


async def test_a_list_that_a_field_drives_has_a_thin_bar_as_the_field_has_the_keys() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        app.query_one(ChoiceList).can_focus = False
        app.query_one(Input).focus()
        await pilot.pause()
        assert lines(app) == ["›one", " two"]


async def test_without_grounds_it_is_no_bar_either_as_the_field_that_takes_keys_has_one() -> None:
    app = ChoosingApp()
    app.theme = "ansi-dark"
    async with app.run_test(size=(20, 6)) as pilot:
        await pilot.press("tab")
        assert lines(app) == ["›one", " two"]


async def test_where_the_cursor_moves_only_two_lines_are_drawn() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 12)) as pilot:
        choices = app.query_one(ChoiceList)
        choices.show([Choice(name, name) for name in ("one", "two", "three", "four")])
        await pilot.pause()
        drawn: list[int] = []
        choices.render_line = lambda y, draw=choices.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        choices.action_choice_down()
        await pilot.pause()
        assert drawn == [0, 1]
        assert lines(app) == [" one", "▌two"]


class TwoLooksApp(ChoosingApp):
    CSS = """
    ChoiceList > .option-list--option-highlighted { text-style: bold; }
    ChoiceList > .choices--away { text-style: italic; }
    """


async def test_where_the_focus_goes_and_comes_only_the_line_of_the_cursor_is_drawn() -> None:
    app = TwoLooksApp()
    async with app.run_test(size=(20, 12)) as pilot:
        choices = app.query_one(ChoiceList)
        choices.show([Choice(name, name) for name in ("one", "two", "three", "four")])
        choices.action_choice_down()
        await pilot.pause()
        drawn: list[int] = []
        choices.render_line = lambda y, draw=choices.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        looks = []
        for give in (app.query_one(Input).focus, choices.focus):
            give()
            await pilot.pause()
            looks.append(app.screen._compositor.render_strips()[1]._segments[1].style)
        assert drawn == [1, 1]
        assert [(bool(look.italic), bool(look.bold)) for look in looks if look] == [
            (True, False),
            (False, True),
        ]


async def test_of_a_choice_that_was_ticked_only_its_line_is_drawn() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 12)) as pilot:
        choices = app.query_one(ChoiceList)
        offered = [Choice(name, name, sign="·") for name in ("one", "two", "three")]
        choices.show(offered)
        await pilot.pause()
        drawn: list[int] = []
        choices.render_line = lambda y, draw=choices.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        choices.show([offered[0], replace(offered[1], sign="✓"), offered[2]])
        await pilot.pause()
        assert drawn == [1]
        assert lines(app) == ["▌·  one", " ✓  two"]
        choices.show(offered[1:])
        await pilot.pause()
        assert lines(app) == ["▌·  two", " ·  three"]


async def test_the_palette_underlines_where_one_is_without_colour(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Talk to a chatbot" in shown(app))
        # The first line is that of the places, which underlines the one below.
        strips = app.screen._compositor.render_strips()[1:]
        underlined = [
            segment.text.strip()
            for strip in strips
            for segment in strip
            if segment.style and segment.style.underline and segment.text.strip()
        ]
        assert underlined == ["›", "review", "Read the session and its scores.", "enter"]


async def test_a_note_without_room_is_told_as_cut() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        choices = app.query_one(ChoiceList)
        choices.show([Choice("a", "one", "123456789", sign="·"), Choice("b", "two", "1234567890123")])
        await pilot.pause()
        assert choices.cut_note == ""
        choices.highlighted = 1
        assert choices.cut_note == "1234567890123"


LONG = "a name that is longer than most of the names here"


@pytest.mark.parametrize(("width", "column"), [(80, 52), (60, 37)])
async def test_notes_stand_below_each_other_where_there_is_room_for_the_longest_name(
    width: int, column: int
) -> None:
    app = ChoosingApp()
    async with app.run_test(size=(width, 6)) as pilot:
        await pilot.pause()
        app.query_one(ChoiceList).show([Choice("1", LONG, "new"), Choice("2", "short", "a note of its own")])
        await pilot.pause()
        assert lines(app)[1].index("a note") == column
        assert (lines(app)[0].index("new") == column) == (width == 80)


async def test_a_list_that_is_not_laid_out_has_no_pages_to_go_by() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        choices = app.query_one(ChoiceList)
        choices.display = False
        choices.styles.width = 0
        await pilot.pause()
        choices.show([Choice("three", "three")])
        choices.action_page_down()
        choices.action_page_up()
        assert choices.current == Choice("three", "three")


async def test_a_list_with_more_than_it_has_room_for_has_its_scroll_bar_before_it_is_drawn() -> None:
    app = ChoosingApp()
    async with app.run_test(size=(20, 6)) as pilot:
        choices = app.query_one(ChoiceList)
        choices.styles.height = 3
        await until(pilot, lambda: choices.size.height == 3)
        assert not choices.show_vertical_scrollbar
        choices.show([Choice(f"{n}", f"choice {n}") for n in range(9)])
        assert choices.show_vertical_scrollbar
        choices.show([Choice("one", "one")])
        await until(pilot, lambda: not choices.show_vertical_scrollbar)
