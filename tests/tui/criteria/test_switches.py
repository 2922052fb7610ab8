"""Switches: turned by keys and by clicks, wrapped where there is no room."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from turnwise.tui.criteria.switches import Switches

WORDS = [("a", "first one"), ("b", "second one"), ("c", "third one")]


class OneApp(App[None]):
    def __init__(self, *, single: bool = False, first: int | None = None) -> None:
        super().__init__()
        self.told: list[tuple[str, ...]] = []
        self._single = single
        self._first = first

    def compose(self) -> ComposeResult:
        yield Switches(WORDS, single=self._single, first=self._first)

    def on_switches_changed(self, event: Switches.Changed) -> None:
        self.told.append(event.control.on)


async def test_arrows_go_among_the_words_and_space_turns_one() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        await pilot.press("tab", "space", "right", "right", "space", "left", "left", "enter")
        assert app.told == [("a",), ("a", "c"), ("c",)]


async def test_of_a_single_choice_one_is_always_on() -> None:
    app = OneApp(single=True)
    async with app.run_test() as pilot:
        switches = app.query_one(Switches)
        assert switches.on == ("a",)
        await pilot.press("tab", "space", "left", "space")
        assert app.told == [("c",)]


async def test_words_that_are_folded_away_are_counted_and_shown_by_one_key() -> None:
    app = OneApp(first=1)
    async with app.run_test(size=(80, 10)) as pilot:
        switches = app.query_one(Switches)
        assert switches.render_line(0).text.split("  ")[0].strip() == "[ ] first one"
        assert "+ 2 more" in switches.render_line(0).text
        assert "second one" not in switches.render_line(0).text
        # What is on is in sight though it is folded away.
        switches.put(["c"])
        await pilot.pause()
        assert "[✓] third one" in switches.render_line(0).text
        assert "+ 1 more" in switches.render_line(0).text
        await pilot.press("tab", "left", "space")
        assert app.told == []
        assert [words for _, words in WORDS if words in switches.render_line(0).text] == [
            "first one",
            "second one",
            "third one",
        ]
        # The cursor stands on the first that was folded away.
        await pilot.press("space")
        assert app.told == [("b", "c")]


async def test_what_is_put_is_told_to_nobody() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        app.query_one(Switches).put(["c", "b"])
        await pilot.pause()
        assert app.query_one(Switches).on == ("b", "c")
        assert app.told == []


@pytest.mark.parametrize(("width", "lines"), [(80, 1), (36, 2), (18, 3)])
async def test_words_wrap_and_each_is_clicked_where_it_stands(width: int, lines: int) -> None:
    app = OneApp()
    async with app.run_test(size=(width, 10)) as pilot:
        switches = app.query_one(Switches)
        assert switches.size.height == lines
        for y in range(lines):
            row = switches.render_line(y).text
            for name, words in WORDS:
                if words in row:
                    await pilot.click(Switches, offset=(row.index(words), y))
                    assert app.told[-1][-1] == name
        assert switches.on == ("a", "b", "c")


async def test_what_is_on_already_is_not_drawn_again() -> None:
    app = OneApp()
    async with app.run_test() as pilot:
        switches = app.query_one(Switches)
        switches.put(["b"])
        await pilot.pause()
        drawn: list[int] = []
        switches.render_line = lambda y, draw=switches.render_line: drawn.append(y) or draw(y)  # type: ignore[method-assign, misc, assignment, func-returns-value]
        switches.put(["b"])
        await pilot.pause()
        assert drawn == []


async def test_words_of_several_lines_stand_below_each_other() -> None:
    app = OneApp()
    async with app.run_test(size=(36, 10)):
        switches = app.query_one(Switches)
        first, second = (switches.render_line(y).text for y in range(2))
        assert first.index("first one") == second.index("third one")
