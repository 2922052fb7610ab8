"""A note on a session: written in a line or an editor, kept of its own session, and never lost."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from reviewing import drawn, kept, newest, pane, press, queued, reviewing, settled, told
from scored_sessions import add_outcomes, add_talk, retention
from tui_driver import burst

from turnwise.conversations.store import Store
from turnwise.tui.parts.message_editor import MessageEditor

WIDE = (140, 40)


async def test_a_note_is_kept_by_enter_by_escape_and_by_a_click_elsewhere(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "f", "c", *"asks", "ctrl+j", *"again?", "enter")
        assert kept(store, session)[-1] == ("fail", 2, "asks\nagain?")
        assert "again?" in pane(screen)
        assert screen.transcript.has_focus
        await press(pilot, "c", *"!", "escape")
        assert newest(store, session).note == "asks\nagain?!"
        # Elsewhere esc drops what was typed: that it does not do so here is said, with the way back.
        assert "note kept; u takes it back" in pane(screen)
        await press(pilot, "c", "escape")
        assert len(kept(store, session)) == 3
        await press(pilot, "c", "enter")
        assert len(kept(store, session)) == 3
        await press(pilot, "u")
        assert newest(store, session).note == "asks\nagain?"
        assert "undone: note" in pane(screen)


async def test_a_note_that_cannot_be_kept_now_is_there_when_it_is_written_again(
    store: Store, other: sqlite3.Connection
) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        other.execute("BEGIN IMMEDIATE")
        await press(pilot, "c", *"odd", "enter")
        assert any("locked" in one for one in told(pilot))
        assert kept(store, session) == []
        other.close()
        await press(pilot, "c", "enter")
        assert kept(store, session) == [(None, None, "odd")]
        await press(pilot, "j", "f")
        assert kept(store, session)[-1] == ("fail", 2, "odd")
        assert screen.is_running


async def test_a_note_leaves_the_label_that_another_window_gave_meanwhile(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        store.labels.add(session, "fail", author=screen.labels.session.author, blind=True, turn=3)
        await press(pilot, "c", *"odd", "enter")
        assert kept(store, session)[-1] == ("fail", 3, "odd")
        await press(pilot, "u")
        assert kept(store, session)[-1] == ("fail", 3, "")


async def test_a_note_may_stand_without_a_label(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, WIDE) as (screen, pilot):
        await press(pilot, "c", *"odd", "enter")
        assert kept(store, session) == [(None, None, "odd")]
        assert "hidden until you label" in drawn(screen.pane.score_list)
        await press(pilot, "f")
        assert kept(store, session)[-1] == ("fail", 2, "odd")


@contextmanager
def lent_terminal() -> Iterator[None]:
    yield


@pytest.mark.parametrize("from_the_line", [False, True])
async def test_a_note_is_written_in_the_editor_of_the_environment(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_the_line: bool
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/begun/begun here, ended there/" "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (_, pilot):
        monkeypatch.setattr(pilot.app, "suspend", lent_terminal)
        if from_the_line:
            await press(pilot, "c", *"begun", "ctrl+e")
        else:
            await press(pilot, "c", *"begun", "enter", "E")
        await settled(pilot)
        assert newest(store, session).note == "begun here, ended there"


async def test_where_the_terminal_cannot_be_lent_it_says_so(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (_, pilot):
        await press(pilot, "E")
        assert "c writes the note here" in told(pilot)[0]


async def test_an_editor_that_is_not_there_is_told(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", os.fspath(Path("no", "such", "editor")))
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (_, pilot):
        monkeypatch.setattr(pilot.app, "suspend", lent_terminal)
        await press(pilot, "E")
        assert "$EDITOR names the editor" in told(pilot)[0]


async def test_what_is_typed_in_a_burst_with_the_key_of_a_line_belongs_to_that_line(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        burst(pilot.app, "c", *"pfd", "enter")
        await settled(pilot)
        assert kept(store, session) == [(None, None, "pfd")]
        burst(pilot.app, "slash", *"said")
        await settled(pilot)
        assert screen.finder.prompt.text == "said"
        assert len(kept(store, session)) == 1


async def test_what_is_typed_in_a_burst_after_a_note_is_a_key_again(store: Store) -> None:
    session = add_talk(store)
    async with reviewing(store, session, WIDE) as (screen, pilot):
        burst(pilot.app, "c", *"pfd", "enter", "f")
        await settled(pilot)
        assert screen.transcript.has_focus
        assert newest(store, session).note == "pfd"
        assert newest(store, session).label == "fail"


@pytest.fixture
def pair(store: Store) -> list[int]:
    """Two sessions, the second with a note by Mia."""
    ids = [add_talk(store, name=name) for name in ("One", "Other")]
    store.labels.add(ids[1], None, author="mia", blind=True, note="rude. ")
    return ids


async def test_a_note_is_kept_of_its_session_though_another_is_there_by_then(
    store: Store, pair: list[int]
) -> None:
    async with reviewing(store, pair[0], WIDE, queued(store, pair)) as (screen, pilot):
        burst(pilot.app, "c", *"odd", "enter", "J")
        await settled(pilot)
        assert screen.session_id == pair[1]
        assert newest(store, pair[0]).note == "odd"
        assert newest(store, pair[1]).note == "rude. "


async def test_a_label_in_one_burst_with_a_note_that_goes_on_is_of_no_session_that_nobody_saw(
    store: Store, pair: list[int]
) -> None:
    async with reviewing(store, pair[0], WIDE, queued(store, pair)) as (screen, pilot):
        burst(pilot.app, "f", "c", *"odd", "enter", "p")
        await settled(pilot)
        assert screen.session_id == pair[1]
        assert kept(store, pair[0])[-1][::2] == ("fail", "odd")
        assert [row.label for row in store.labels.of(pair[1])] == [None]


async def test_a_note_that_is_begun_before_its_session_is_read_goes_on_from_the_one_it_has(
    store: Store, pair: list[int]
) -> None:
    async with reviewing(store, pair[0], WIDE, queued(store, pair)) as (screen, pilot):
        burst(pilot.app, "J", "c", *"late")
        await settled(pilot)
        assert screen.query_one(MessageEditor).text == "rude. late"
        await press(pilot, "enter")
        assert newest(store, pair[1]).note == "rude. late"
        burst(pilot.app, "K", "c", *"odd", "enter")
        await settled(pilot)
        assert newest(store, pair[0]).note == "odd"
        assert "odd" in pane(screen)


async def test_a_note_that_is_begun_after_the_key_of_another_session_is_about_that_one(
    store: Store, pair: list[int]
) -> None:
    async with reviewing(store, pair[0], WIDE, queued(store, pair)) as (screen, pilot):
        near = screen.walk.near
        screen.walk.begin(pair[0])
        await press(pilot, "J", "c", *"la")
        assert screen.session_id == pair[0]
        # Now it is known where the key leads.
        screen._take_place(pair[0], near)
        await press(pilot, *"te", "enter")
        assert kept(store, pair[0]) == []
        assert newest(store, pair[1]).note == "rude. late"


@pytest.mark.parametrize("size", [(80, 24), WIDE])
async def test_while_a_note_is_written_no_key_is_named_beside_the_label_that_would_be_typed(
    store: Store, size: tuple[int, int]
) -> None:
    session = add_talk(store)
    async with reviewing(store, session, size) as (screen, pilot):
        labels = screen.pane.label_pane
        before, height = drawn(labels), labels.size.height
        assert "p pass   f fail   d defer" in before
        await press(pilot, "c", *"odd")
        assert "pass   fail   defer" in drawn(labels)
        assert "p pass" not in drawn(labels)
        assert labels.size.height == height
        await press(pilot, "escape")
        assert "p pass   f fail   d defer" in drawn(labels)


async def test_while_a_note_is_written_the_verdicts_below_name_no_key_for_the_rest_of_them(
    store: Store,
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, *(retention(2, 4, 6, metric=f"metric_{one}") for one in range(9)))
    async with reviewing(store, session, (80, 24)) as (screen, pilot):
        await press(pilot, "s", "n")
        assert "w shows more" in drawn(screen.pane.turn_verdicts)
        await press(pilot, "c")
        assert "shows more" not in drawn(screen.pane.turn_verdicts)
        assert "… and more" in drawn(screen.pane.turn_verdicts)
        await press(pilot, "escape")
        assert "w shows more" in drawn(screen.pane.turn_verdicts)
