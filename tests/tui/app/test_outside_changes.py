"""What another program brings in is shown as it comes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from reviewing import reading
from stored import said
from tui_driver import current_name, sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app import outside_changes
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.review_screen import ReviewScreen

BEGUN = ("Where is my bag?", "In Oslo.")
GROWN = (*BEGUN, "And now?", "On its way.")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside_changes, "SECONDS_BETWEEN_LOOKS", 0.05)


@pytest.fixture
def other(store: Store) -> Iterator[Store]:
    """The same database, as another program has it open."""
    with Store.open(store.path) as opened:
        yield opened


def add(other: Store, *texts: str) -> int:
    return other.sessions.add(said(*texts), source="elsewhere", format="test").session_id


async def test_sessions_that_come_are_in_the_list_and_the_cursor_stays(
    app: TurnwiseApp, other: Store
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("j")
        here = current_name(app)
        add(other, *BEGUN)
        await until(pilot, lambda: sessions(app).count == 4)
        assert current_name(app) == here
        assert "4 sessions" in shown(app)


async def test_an_empty_library_fills(store: Store, other: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 30)) as pilot:
        assert "No sessions yet." in shown(app)
        add(other, *BEGUN)
        await until(pilot, lambda: "Where is my bag?" in shown(app))


async def test_a_session_that_is_read_shows_what_is_said_meanwhile(store: Store, other: Store) -> None:
    session_id = add(other, *BEGUN)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "In Oslo." in shown(app))
        other.growing.grow(session_id, said(*GROWN))
        await until(pilot, lambda: "On its way." in shown(app))
        assert "4 turns" in shown(app)


async def test_a_label_that_somebody_gives_elsewhere_is_in_the_list(app: TurnwiseApp, other: Store) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).count == 3)
        other.labels.add(1, "pass", author="ada", blind=True)
        await until(pilot, lambda: "✓ pass" in shown(app))


async def test_words_that_became_others_are_shown_as_they_are(store: Store) -> None:
    session_id = store.sessions.add(said(*BEGUN), source="test", format="test").session_id
    async with reading(store, session_id) as (screen, pilot):
        store.growing.grow(session_id, said(BEGUN[0], "In Oslo, at gate 4.", "Thanks."))
        screen._read_changes()
        await until(pilot, lambda: [row.content for row in screen.transcript.rows][-1] == "Thanks.")
        assert screen.transcript.rows[1].content == "In Oslo, at gate 4."


async def test_whoever_reads_elsewhere_stays_there(store: Store) -> None:
    session_id = store.sessions.add(said(*GROWN), source="test", format="test").session_id
    async with reading(store, session_id) as (screen, pilot):
        assert screen.transcript.cursor == 0
        store.growing.grow(session_id, said(*GROWN, "Great.", "Bye."))
        screen._read_changes()
        await until(pilot, lambda: len(screen.transcript.rows) == 6)
        assert screen.transcript.cursor == 0


def test_a_file_that_is_coming_in_is_no_change_yet(store: Store) -> None:
    before = store.growing.mark()
    with store.imports.begin(came_from="x", at=1.0) as (staging, _), staging.slice():
        store.sessions.add(said(*BEGUN), source="x", format="test")
    assert before is not None
    assert store.growing.mark() not in (None, before)
