"""The head of a review: one line that says what is said beside the words, and all of it at a key."""

from __future__ import annotations

import pytest
from kept_cases import SAID, keep_told
from reviewing import current, drawn, press, reading
from scored_sessions import add_outcomes, add_talk, retention
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.reading.session_head import SessionHead

SIZES = [(80, 24), (160, 50)]
MUCH = {"scenario": "A long one. " * 60, "metadata": {f"key{n}": f"value {n}" for n in range(60)}}


@pytest.mark.parametrize("size", SIZES)
async def test_it_is_folded_to_one_line_and_a_key_unfolds_it(store: Store, size: tuple[int, int]) -> None:
    session = keep_told(store)
    async with reading(store, session, size) as (screen, pilot):
        head = screen.query_one(SessionHead)
        assert head.size.height == 1
        assert drawn(head).startswith(" ▸ about  scenario · expected outcome · user · context (2)")
        assert drawn(head).endswith("b")
        await press(pilot, "b")
        assert head.size.height > 5
        await press(pilot, "b")
        assert head.size.height == 1
        assert current(screen) == 1


async def test_unfolded_it_holds_all_that_is_said(store: Store) -> None:
    session = keep_told(store)
    async with reading(store, session, (160, 60)) as (screen, pilot):
        await press(pilot, "b")
        text = drawn(screen.query_one(SessionHead))
        assert [said for said in SAID if said not in text] == []
        assert "  expected outcome  The refund is under way." in text
        assert "                    2. Returns are free." in text
        # It fits: the keys stay with the turns.
        await press(pilot, "j")
        assert current(screen) == 2


@pytest.mark.parametrize("size", SIZES)
async def test_where_it_has_no_room_the_keys_move_in_it_until_it_is_folded(
    store: Store, size: tuple[int, int]
) -> None:
    session = keep(store, *(f"turn {number}" for number in range(20)), **MUCH)
    async with reading(store, session, size) as (screen, pilot):
        head = screen.query_one(SessionHead)
        await press(pilot, "b")
        assert head.size.height <= size[1] // 2
        assert screen.transcript.size.height >= 3
        assert "scroll" in drawn(screen.query_one(KeyLine))
        assert "value 59" not in drawn(head)
        await press(pilot, "G")
        assert "value 59" in drawn(head)
        assert current(screen) == 1
        await press(pilot, "escape")
        assert head.size.height == 1
        await press(pilot, "j")
        assert current(screen) == 2
        assert pilot.app.screen is screen


async def test_where_nothing_is_said_there_is_none_and_its_key_means_nothing(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2))
    async with reading(store, session, (160, 50)) as (screen, pilot):
        assert not screen.query_one(SessionHead).display
        assert "about" not in drawn(screen.query_one(KeyLine))
        await press(pilot, "b")
        assert not screen.query_one(SessionHead).display


async def test_the_next_session_has_its_own_folded_again(store: Store) -> None:
    first, _ = keep(store, "a", "b", scenario="The first one."), keep(store, "c", "d", scenario="The second.")
    async with reading(store, first, (160, 50)) as (screen, pilot):
        await press(pilot, "b")
        assert "The first one." in drawn(screen.query_one(SessionHead))
        await press(pilot, "K")
        head = screen.query_one(SessionHead)
        assert head.size.height == 1
        await press(pilot, "b")
        assert "The second." in drawn(head)


async def test_a_click_on_its_line_unfolds_it(store: Store) -> None:
    async with reading(store, keep_told(store), (160, 50)) as (screen, pilot):
        await pilot.click(SessionHead, offset=(4, 0))
        await pilot.pause()
        assert screen.query_one(SessionHead).size.height > 5
        await press(pilot, "j")
        assert current(screen) == 2


async def test_what_a_file_says_is_not_obeyed(store: Store) -> None:
    session = keep(store, scenario="\x1b[31mred\u202e", metadata={"\x1b]0;t\x07": "\x9b1m"})
    async with reading(store, session, (160, 50)) as (screen, pilot):
        await press(pilot, "b")
        assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(drawn(screen.query_one(SessionHead)))


async def test_what_is_damaged_leaves_the_turns_readable(store: Store) -> None:
    session = keep_told(store)
    with store.writing():
        store._database.connection.execute("UPDATE main.sessions SET data = '{' WHERE id = ?", [session])
    async with reading(store, session) as (screen, _):
        assert "¿Mi reembolso?" in drawn(screen.transcript)
        assert not screen.query_one(SessionHead).display
