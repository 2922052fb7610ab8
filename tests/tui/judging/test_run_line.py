"""The line of a run: during an outage it says so, and who leaves is told what is left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scored_sessions import BareApp
from textual.widgets import Input

from turnwise.conversations.store import Store
from turnwise.tui.judging.run_line import RunLine, left_words
from turnwise.tui.shell.runs import RunState


@pytest.mark.parametrize("width", [60, 80, 160])
async def test_while_the_judge_is_away_the_line_says_so_and_not_that_nothing_failed(
    store: Store, width: int
) -> None:
    app = BareApp(store)
    async with app.run_test(size=(width, 24)) as pilot:
        line = RunLine()
        await app.screen.mount(line)
        line.show(RunState(603, done=601, retrying=12.4))
        await pilot.pause()
        text = line.render_line(0).text
        assert "retrying, no answer for 12 s" in text
        assert "not judged" not in text
        line.show(RunState(603, done=602, retrying=0.5))
        # A judge that failed nowhere yet is not told of.
        assert "not judged" not in line.render_line(0).text
        line.show(RunState(603, done=602, failed=3))
        assert "3 not judged" in line.render_line(0).text


SLOW = RunState(18, done=4, rate=0.03, seconds=130)


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (replace(SLOW, done=0, rate=0.0, seconds=42), "42 s so far"),
        (SLOW, "2 min so far · 8 min left"),
        (replace(SLOW, waiting="the judge: no answer for 42 s yet"), "2 min so far · 8 min left"),
        (replace(SLOW, by_others=3), "2 min so far · 8 min left"),
        (replace(SLOW, expected=11_800, done=3_300), "78 h 42 min left"),
    ],
)
async def test_a_slow_run_says_how_long_it_has_been_and_what_is_left(
    store: Store, state: RunState, told: str
) -> None:
    text = await drawn(store, state, 80)
    assert told in text
    assert "─" in text
    assert text.endswith("x stop ")


async def test_while_one_types_it_names_no_key_that_would_be_typed(store: Store) -> None:
    app = BareApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        line, field = RunLine(), Input()
        await app.screen.mount(line, field)
        line.show(SLOW)
        field.focus()
        await pilot.pause()
        assert line.render_line(0).text.rstrip().endswith("8 min left")
        app.screen.set_focus(None)
        assert line.render_line(0).text.endswith("x stop ")


async def test_a_run_of_checks_says_what_it_does_before_its_first_outcome(store: Store) -> None:
    first = RunState(18)
    assert "getting ready" in await drawn(store, first, 80)
    # A judge tells by itself what it is waited for.
    assert "getting ready" not in await drawn(store, replace(first, asked=True), 80)
    assert "getting ready" not in await drawn(store, replace(first, done=1), 80)


async def test_where_there_is_no_room_for_a_bar_the_time_stands_in_its_place(store: Store) -> None:
    assert "8 min left" in await drawn(store, SLOW, 60)


async def drawn(store: Store, state: RunState, width: int) -> str:
    """Return the line of a state in so many cells."""
    app = BareApp(store)
    async with app.run_test(size=(width, 24)) as pilot:
        line = RunLine()
        await app.screen.mount(line)
        line.show(state)
        await pilot.pause()
        return line.render_line(0).text


def test_who_leaves_is_told_what_is_left_and_which_key_goes_on() -> None:
    assert left_words(RunState(1005, done=683), "r") == (
        "322 of 1,005 are left to score; r in Runs goes on with them. "
    )
    assert left_words(None, "r") == ""
    assert left_words(RunState(3, done=1, over=True), "r") == ""
