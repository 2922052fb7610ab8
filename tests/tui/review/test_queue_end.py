"""What the end of a queue says of the time that it took: that of whoever reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reviewing import press, queued, reviewing, settled
from scored_sessions import add_talk
from textual.screen import Screen
from tui_driver import shown, until, words_shown

from turnwise.conversations.findings import Label
from turnwise.conversations.store import FailureMode, Store
from turnwise.engine.people.queue_summary import add_time, sum_up
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.queue_end import QueueEndDialog, said_content
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.shell.look_timer import LookTimer


@pytest.mark.parametrize(
    ("reader", "blind", "says"),
    [
        ("mia", True, "2 of 2 done   2 ✓ pass\ntook you about 4 min · all labelled blind"),
        ("zoe", True, "2 of 2 done   2 ✓ pass\nall labelled blind"),
        ("mia", False, "2 of 2 done   2 ✓ pass\ntook you about 4 min · none labelled blind"),
        ("zoe", False, "2 of 2 done   2 ✓ pass\nnone labelled blind"),
    ],
)
def test_the_time_is_that_of_whoever_reads_it(store: Store, reader: str, blind: bool, says: str) -> None:
    talks = [add_talk(store, name=name) for name in ("One", "Two")]
    queue = store.queues.add("ours", talks, sampler="random")
    for talk, author in zip(talks, ("mia", "ben"), strict=True):
        store.labels.add_new(talk, [Label(word="pass", author=author, blind=blind)], at=1.0)
    add_time(store, store.queues.get(queue), "mia", 240.0)
    assert said_content(sum_up(store, queue, reader)).plain.startswith(says)


async def test_in_a_low_window_all_steps_and_keys_are_in_sight(store: Store) -> None:
    queue = store.queues.add("ours", [add_talk(store)], sampler="random")
    modes = tuple(FailureMode(number, f"Mode {number}", "", "mia", 0.0, sessions=1) for number in range(1, 9))
    unseen = UnseenKinds(60, 8, 3, 40, 5, 0.083, 0.251, 3.2)
    summary = replace(sum_up(store, queue, "mia"), modes=modes, unseen=unseen)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(QueueEndDialog(summary))
        await until(pilot, lambda: "Leave" in shown(app))
        for words in ("What went wrong", "and 6 more", "of 100 more", "What next", "Undo", "enter go there"):
            assert words in words_shown(app)


async def test_each_step_has_its_key_and_what_is_unseen_takes_one_line(store: Store) -> None:
    queue = store.queues.add("ours", [add_talk(store)], sampler="random")
    other = store.queues.add("theirs", [add_talk(store)], sampler="random")
    summary = replace(sum_up(store, queue, "mia"), unseen=UnseenKinds(60, 8, 3, 40, 5, 0.083, 0.251, 3.2))
    app, chosen = TurnwiseApp(store), list[str | None]()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(QueueEndDialog(summary), chosen.append)
        await until(pilot, lambda: "Leave" in shown(app))
        assert "By 60 reviewed, at most 25 of 100 more fail in a new way (95 % sure)." in shown(app)
        assert isinstance(app.screen, QueueEndDialog)
        signs = [choice.sign for choice in app.screen.choices._choices]
        assert all(signs)
        assert len({*signs}) == len(signs)
        assert summary.following is not None
        assert summary.following.id == other
        await pilot.press("J")
        assert chosen == ["next_queue"]


async def test_the_time_it_took_is_that_for_which_the_queue_was_in_front(
    store: Store, ids: list[int]
) -> None:
    now = [0.0]

    def later(seconds: float) -> None:
        now[0] += seconds

    queue = queued(store, ids[:2])
    async with reviewing(store, ids[0], (140, 40)) as (_, pilot):
        # Not a queue.
        app = pilot.app
        assert isinstance(app, TurnwiseApp)
        app.looking = LookTimer(lambda: now[0])
        later(40)
        await press(pilot, "p", "u")
        screen = ReviewScreen(ids[0], queue)
        await app.push_screen(screen)
        await settled(pilot)
        later(10)
        await press(pilot, "p")
        later(5)
        await app.push_screen(Screen())
        await settled(pilot)
        later(50)
        await app.pop_screen()
        await settled(pilot)
        later(7)
        await press(pilot, "p")
        assert isinstance(app.screen, QueueEndDialog)
        assert "took you about 22 s" in words_shown(app)
