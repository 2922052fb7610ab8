"""The queues screen: how far each queue is, and one key to go on with it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields
from pathlib import Path

import pytest
from rich.style import Style
from scored_sessions import BareApp
from stored import keep
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import press, settled, shown, until, words_shown

from turnwise.conversations.exports import seen_identity
from turnwise.conversations.store import QueueProgress, QueueRow, Store
from turnwise.tui.drawing.lines_view import LINES_SCROLLED, LinesView, Tones
from turnwise.tui.drawing.rows_view import HEADER
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.queues import queued_sessions, queues_screen
from turnwise.tui.queues.queue_dialog import QueueDialog
from turnwise.tui.queues.queue_rows import ListedQueue, queue_cells, queue_lines
from turnwise.tui.queues.queues_screen import QueuesScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.shell.shell import Shell

WIDE, NARROW = (160, 50), (80, 24)


@pytest.fixture
def queued(store: Store) -> Store:
    """A queue of which two of four are labelled, and an older one that nobody began."""
    sessions = [keep(store, f"question {number}", "answer") for number in range(6)]
    store.queues.add("odd ones", sessions[4:], sampler="random")
    store.queues.add("failures", sessions[:4], sampler="failures", settings={"query": "role:clerk"})
    store.labels.add(sessions[0], "pass", author="mia", blind=True)
    store.labels.add(sessions[1], "fail", author="mia", blind=True)
    return store


@asynccontextmanager
async def opened(
    store: Store, size: tuple[int, int] = NARROW
) -> AsyncIterator[tuple[QueuesScreen, Pilot[int]]]:
    app = BareApp(store)
    async with app.run_test(size=size) as pilot:
        screen = QueuesScreen()
        app.push_screen(screen)
        await settled(pilot)
        yield screen, pilot


@pytest.mark.parametrize("size", [(40, 10), (80, 10)])
async def test_a_low_window_shows_the_queue_under_the_cursor(queued: Store, size: tuple[int, int]) -> None:
    async with opened(queued, size) as (screen, pilot):
        line = screen.table.region.y + HEADER
        await until(pilot, lambda: "failures" in shown(pilot.app).splitlines()[line])
        await pilot.press("down")
        await until(
            pilot,
            lambda: "odd ones" in "\n".join(shown(pilot.app).splitlines()[line : screen.table.region.bottom]),
        )


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_each_queue_says_how_much_is_labelled_and_by_whom(queued: Store, size: tuple[int, int]) -> None:
    async with opened(queued, size) as (_, pilot):
        lines = shown(pilot.app).splitlines()
        assert "4 to label" in lines[1]
        begun = next(line for line in lines if "2 of 4" in line)
        assert "mia" in begun
        assert "█████─────" in begun
        untouched = next(line for line in lines if "0 of 2" in line)
        assert "none yet" in untouched
        assert "──────────" in untouched


async def test_the_queue_under_the_cursor_says_what_is_in_it(queued: Store) -> None:
    async with opened(queued) as (_, pilot):
        text = shown(pilot.app)
        assert "2 of 4 left: enter goes on" in text
        assert "chosen: failures first of role:clerk" in text
        assert "✓ 1 pass · ✗ 1 fail, by mia" in text


def test_passes_are_told_before_fails_whichever_was_said_first(queued: Store) -> None:
    tones = Tones(*[Style.null()] * len(fields(Tones)))
    progress = QueueProgress({"defer": 1, "fail": 5, "pass": 4}, ("mia",))
    lines = queue_lines(ListedQueue(queued.queues.all()[0], progress), 60, tones, "enter")
    text = "\n".join("".join(piece.text for piece in line) for line in lines)
    assert "✓ 4 pass · ✗ 5 fail · ~ 1 defer, by mia" in text


def test_the_last_label_is_told_with_the_one_who_gave_it() -> None:
    progress = QueueProgress({"pass": 3}, ("mia", "root"), time.time() - 1, "root")
    queue = QueueRow(1, "by chance", "random", 0.0, 12, 5)
    assert [cell.text for cell in queue_cells(ListedQueue(queue, progress), 80)][-1] == "just now, root"


async def test_a_queue_of_what_is_new_says_how_often_reading_on_shows_a_new_mode(queued: Store) -> None:
    queued.queues.add("unread", queued.sessions.ids()[:2], sampler="new")
    async with opened(queued) as (_, pilot):
        words = words_shown(pilot.app)
        assert "chosen: something new, unlike any reviewed yet, in words or tools" in words
        assert "Once some have, it is told here how often reading on shows a new one." in words
    queued.modes.assign([1], queued.modes.add("is rude", "", "mia"), "mia", turn=2)
    async with opened(queued) as (_, pilot):
        assert "showed a failure mode that none before had shown." in words_shown(pilot.app)


async def test_enter_goes_on_with_the_first_that_has_no_label(queued: Store) -> None:
    async with opened(queued) as (_, pilot):
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await until(pilot, lambda: pilot.app.screen.session_id == 3)


async def test_what_a_queue_goes_on_with_is_read_beside_the_keys(
    queued: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    find = queues_screen.first_to_read

    def read(shell: Shell, queue: QueueRow) -> SessionToRead | None:
        threads.append(threading.current_thread().name)
        return find(shell, queue)

    monkeypatch.setattr(queues_screen, "first_to_read", read)
    async with opened(queued) as (screen, pilot):
        await until(pilot, lambda: screen.leads_to() is not None)
        first = screen.leads_to()
        assert first is not None
        # The same list for as long as nothing changes, as what is read ahead is good for that one alone.
        assert screen.leads_to() is first
        assert screen.current is not None
        assert first.session_id == queued.queues.items(screen.current.queue.id)[2].session_id
        await pilot.press("down")
        await until(
            pilot, lambda: (to := screen.leads_to()) is not None and to.session_id != first.session_id
        )
        assert len(threads) == 2
        assert threading.current_thread().name not in threads


async def test_a_queue_is_forgotten_and_its_labels_stay(queued: Store) -> None:
    async with opened(queued) as (_, pilot):
        await pilot.press("D")
        await until(pilot, lambda: "are labelled; what was said stays" in words_shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "2 queues" in shown(pilot.app).splitlines()[1])
        await pilot.press("D")
        await until(pilot, lambda: "Forget it" in shown(pilot.app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "1 queue" in shown(pilot.app).splitlines()[1])
        assert [one.name for one in queued.queues.all()] == ["odd ones"]
        assert queued.labels.of(1)


async def test_a_queue_of_which_sessions_were_put_off_is_not_forgotten_unasked(queued: Store) -> None:
    queued.queues.remove(queued.queues.get("failures").id)
    queued.labels.add(5, "defer", author="mia", blind=True)
    async with opened(queued) as (_, pilot):
        await pilot.press("D")
        told = "0 of its 2 sessions are labelled, 1 put off; what was said stays."
        await until(pilot, lambda: told in words_shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, QueuesScreen))
        assert [one.name for one in queued.queues.all()] == ["odd ones"]


async def test_a_new_queue_is_chosen_in_the_dialog(queued: Store) -> None:
    async with opened(queued) as (_, pilot):
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(pilot.app.screen, QueueDialog))


async def test_without_a_queue_it_says_what_one_is_and_how_to_make_it(queued: Store) -> None:
    for queue in queued.queues.all():
        queued.queues.remove(queue.id)
    async with opened(queued) as (_, pilot):
        text = shown(pilot.app)
        assert "No queues yet." in text
        assert "Q chooses them" in text


async def test_without_a_session_there_is_nothing_to_make_a_queue_of(store: Store) -> None:
    async with opened(store) as (_, pilot):
        text = shown(pilot.app)
        assert "There are no sessions yet" in text
        assert "1 goes to the library, and there b imports some" in words_shown(pilot.app)
        assert "Q chooses them" not in text
        assert "new queue" not in text
        assert "import labels" not in text


async def test_beside_the_list_stand_the_sessions_of_the_queue(queued: Store) -> None:
    async with opened(queued, WIDE) as (_, pilot):
        await until(pilot, lambda: "Its sessions" in shown(pilot.app))
        text = shown(pilot.app)
        assert "·     5  question 4" in text or "✓     1  question 0" in text
        await press(pilot, "j")
        await until(pilot, lambda: shown(pilot.app).count("question") in (2, 4))


async def test_of_a_long_queue_the_rest_is_counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queued_sessions, "MOST", 3)
    store.queues.add("all", [keep(store, f"question {n}", "answer") for n in range(5)], sampler="random")
    async with opened(store, WIDE) as (_, pilot):
        await until(pilot, lambda: "and 2 more" in shown(pilot.app))


async def test_a_queue_is_handed_out_as_a_page_and_its_labels_come_back(
    queued: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with opened(queued) as (_, pilot):
        await pilot.press("e")
        await until(pilot, lambda: isinstance(pilot.app.screen, NamingDialog))
        assert pilot.app.screen.query_one(Input).value == "failures.html"
        await pilot.press("enter")
        await until(pilot, lambda: "4 sessions in failures.html." in told(pilot))
        assert "question 0" in (tmp_path / "failures.html").read_text()

        session = queued.queues.items(2)[3].session_id
        label = {
            "session": session,
            "name": "talk",
            "identity": seen_identity(queued.turns.of(session)),
            "label": "fail",
            "turn": None,
            "note": "",
            "modes": [],
            "at": 1_790_000_000.0,
        }
        whole = {"turnwise": "labels", "version": 1, "page": "p", "queue": "failures", "author": "ada"}
        (tmp_path / "back.json").write_text(json.dumps({**whole, "blind": True, "labels": [label]}))
        await pilot.press("b")
        await until(pilot, lambda: isinstance(pilot.app.screen, NamingDialog))
        await pilot.press(*"back", "full_stop", *"json", "enter")
        await until(pilot, lambda: "1 session labelled by ada." in told(pilot))
        await until(pilot, lambda: "3 of 4" in shown(pilot.app))
    assert [row.author for row in queued.labels.of(session)] == ["ada"]


def told(pilot: Pilot[int]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


@pytest.mark.parametrize("count", [1, 4, queued_sessions.MOST, queued_sessions.MOST + 1])
def test_sessions_that_are_still_read_take_the_lines_that_they_will_take(count: int) -> None:
    tones = Tones(*[Style.null()] * len(fields(Tones)))
    listed = min(count, queued_sessions.MOST)
    sessions = [queued_sessions.QueuedSession(number, "talk", None) for number in range(listed)]
    awaited = queued_sessions.session_lines(None, count, 40, tones)
    assert len(awaited) == len(queued_sessions.session_lines(sessions, count, 40, tones))


async def test_the_list_leaves_its_rows_to_the_sessions_which_say_who_labelled_them(queued: Store) -> None:
    async with opened(queued, WIDE) as (screen, pilot):
        await until(pilot, lambda: "pass by mia, just now, blind" in shown(pilot.app))
        assert screen.table.size.height == 3
        await pilot.resize_terminal(*NARROW)
        await until(pilot, lambda: screen.table.size.height == 3 and "Its sessions" in shown(pilot.app))
        assert "pass by mia, just now, blind" in shown(pilot.app)
        await pilot.resize_terminal(70, 24)
        await until(pilot, lambda: screen.table.size.height > 3)


async def test_where_not_all_sessions_of_a_queue_have_room_the_last_line_says_how_many_follow(
    store: Store,
) -> None:
    ids = [keep(store, f"question {number}", "answer", name=f"talk {number:02}") for number in range(20)]
    store.queues.add("many", ids, sampler="random")
    async with opened(store) as (screen, pilot):
        view = screen.query_one(LinesView)
        await until(pilot, lambda: "talk 00" in shown(pilot.app))
        left = next(number for number in range(20) if f"talk {number:02}" not in shown(pilot.app))
        assert f"… {20 - left} more below" in shown(pilot.app)
        view.action_scroll_down()
        await until(pilot, lambda: f"… {20 - left - LINES_SCROLLED} more below" in shown(pilot.app))
        view.action_end()
        await until(pilot, lambda: "talk 19" in shown(pilot.app))
        assert "more below" not in shown(pilot.app)


async def test_whoever_leaves_a_new_queue_finds_the_cursor_on_it(queued: Store) -> None:
    async with opened(queued) as (screen, pilot):
        await press(pilot, "down")
        new = queued.queues.add("new", queued.sessions.ids()[:2], sampler="random")
        screen._open(new)
        await until(pilot, lambda: isinstance(pilot.app.screen, ReviewScreen))
        await settled(pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)
        await until(pilot, lambda: bool(screen.current and screen.current.queue.id == new))
