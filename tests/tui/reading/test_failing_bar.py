"""The scroll bar of a transcript has a mark where turns failed, and a click on it goes there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.scrollbar import ScrollBar

from turnwise.conversations.marks import LABEL_SIGNS, WORST_FIRST
from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.drawing.virtual_scroll import Heights, WindowPlace
from turnwise.tui.reading.failing_bar import MARK, marks_in_bar
from turnwise.tui.reading.transcript import TranscriptView


def place(*heights: int) -> WindowPlace:
    return WindowPlace(Heights(heights), lambda item: heights[item])


def test_marks_stand_where_the_turns_begin() -> None:
    assert marks_in_bar(place(10, 10, 10, 10), [1, 3], 4) == {1: 1, 3: 3}
    assert marks_in_bar(place(10, 10, 10, 10), [1, 2], 2) == {0: 1, 1: 2}
    assert marks_in_bar(place(1, 38, 1), [2], 4) == {3: 2}


def test_what_fills_no_window_has_its_marks_beside_the_turns() -> None:
    assert marks_in_bar(place(3, 4, 5), [1, 2], 30) == {3: 1, 7: 2}


def test_the_mark_is_no_sign_of_an_outcome_which_would_be_read_as_the_turns_own() -> None:
    assert MARK not in (*WORST_FIRST, *LABEL_SIGNS.values())


def test_no_failing_turn_no_mark() -> None:
    assert marks_in_bar(place(3, 4, 5), [], 30) == {}
    assert marks_in_bar(place(), [], 0) == {}


def test_the_first_of_many_stands_for_a_row() -> None:
    many = place(*[2] * 10_000)
    assert list(marks_in_bar(many, range(10_000), 20).values()) == list(range(0, 10_000, 500))


class Reader(App[None]):
    """An app that is one transcript of so many turns."""

    def __init__(self, turns: int) -> None:
        super().__init__()
        self.turns = turns

    def compose(self) -> ComposeResult:
        yield TranscriptView(TurnRow(n, n + 1, "assistant", "word " * (n % 40)) for n in range(self.turns))


@asynccontextmanager
async def reading(turns: int) -> AsyncIterator[tuple[TranscriptView, Pilot[None]]]:
    app = Reader(turns)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield app.query_one(TranscriptView), pilot


def drawn(view: TranscriptView) -> list[str]:
    bar: ScrollBar = view.vertical_scrollbar
    return [strip.text for strip in bar.render_lines(bar.size.region)]


@pytest.mark.parametrize("turns", [3, 400])
async def test_a_click_on_a_mark_goes_to_its_turn(turns: int) -> None:
    async with reading(turns) as (view, pilot):
        assert MARK not in drawn(view)
        view.set_verdicts({turns - 1: [("k", False)], 1: [("k", True)]})
        await pilot.pause()
        rows = [row for row, cell in enumerate(drawn(view)) if cell == MARK]
        assert len(rows) == 1
        await pilot.click(view.vertical_scrollbar, offset=(0, rows[0]))
        await pilot.pause()
        assert view.current is not None
        assert view.current.number == turns - 1


async def test_what_is_not_shown_yet_has_no_mark() -> None:
    async with reading(20) as (view, pilot):
        view.set_verdicts({20: [("k", False)]})
        view.show_until(10)
        await pilot.pause()
        assert MARK not in drawn(view)
        view.show_until(None)
        await pilot.pause()
        assert MARK in drawn(view)
