"""The line where a note is written: what was typed in it can be taken back."""

from __future__ import annotations

from reviewing import drawn, press, reviewing, settled
from scored_sessions import add_talk
from stored import keep
from tui_driver import shown

from turnwise.conversations.store import Store
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.message_editor import MessageEditor


def notes(store: Store, session: int) -> list[str]:
    return [row.note for row in store.labels.of(session)]


async def test_what_was_typed_of_a_note_is_taken_back_and_nothing_is_kept(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, (80, 24)) as (screen, pilot):
        await press(pilot, "c")
        assert "ctrl+u takes it back" in drawn(screen.query_one(MessageEditor))
        await press(pilot, *"odd", "ctrl+u", "escape")
        assert notes(store, session) == []
        await press(pilot, "c", *"rude", "enter", "c", *"r than", "ctrl+u", "enter")
        assert notes(store, session) == ["rude"]
        # It is a key of the line, too, and what it took back is not lost.
        await press(pilot, "c", *"st")
        line = screen.query_one(KeyLine)
        assert await pilot.click(line, offset=(drawn(line).index("take back"), 0))
        await settled(pilot)
        editor = screen.query_one(MessageEditor)
        assert (editor.text, editor.has_focus) == ("rude", True)
        await press(pilot, "ctrl+z", "enter")
        assert notes(store, session)[-1] == "rudest"


async def test_where_a_note_is_written_nothing_moves_and_the_turn_that_is_read_stays_in_sight(
    store: Store,
) -> None:
    session = keep(store, *(f"This is message {number}." for number in range(1, 60)))
    async with reviewing(store, session, (120, 30)) as (screen, pilot):
        last = max(number for number in range(1, 60) if f"message {number}." in shown(pilot.app))
        screen.transcript.jump_to(last)
        await settled(pilot)
        region = screen.transcript.region
        await press(pilot, "c")
        assert screen.transcript.region == region
        screen.note_keys.line.editor.write("first\nsecond\nthird\nfourth")
        await settled(pilot)
        assert "fourth" in shown(pilot.app)
        assert f"message {last}." in shown(pilot.app)
        await press(pilot, "escape")
        assert screen.transcript.region == region
        assert "session note" not in shown(pilot.app)
