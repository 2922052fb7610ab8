"""What is put off in a queue is not done: it comes again, with its scores still hidden."""

from __future__ import annotations

from reviewing import press, queued, reviewing
from tui_driver import words_shown

from turnwise.conversations.store import Store
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.review.queue_end import QueueEndDialog

WIDE = (140, 40)


async def test_what_is_put_off_is_not_done_and_comes_again_once_before_the_end(
    store: Store, ids: list[int]
) -> None:
    async with reviewing(store, ids[0], WIDE, queued(store, ids)) as (screen, pilot):
        await press(pilot, "d")
        await press(pilot, "d")
        assert "0 of 3 done, 2 put off" in screen.query_one(TitleBar).right
        await press(pilot, "p")
        # Both come again, in the order of the queue, and their scores are still hidden.
        assert screen.session_id == ids[0]
        assert screen.labels.hides_scores
        await press(pilot, "d")
        assert screen.session_id == ids[1]
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, QueueEndDialog)
        shown = words_shown(pilot.app)
        assert "The queue “friday” is done but for 2 put off" in shown
        assert "1 of 3 done 1 ✓ pass 2 ~ defer" in shown
        assert "2 sessions put off first" in shown
        # What is still to be decided is what the cursor stands on.
        await press(pilot, "enter")
        assert screen.session_id == ids[0]
        await press(pilot, "p")
        assert screen.session_id == ids[1]
        await press(pilot, "p")
        assert "The queue “friday” is done" in words_shown(pilot.app)
    assert all(row.blind for one in ids for row in store.labels.of(one))


async def test_what_was_put_off_before_and_is_opened_first_does_not_come_twice(
    store: Store, ids: list[int]
) -> None:
    queue = queued(store, ids)
    async with reviewing(store, ids[0], WIDE, queue) as (_, pilot):
        await press(pilot, "d", "d", "p")
    async with reviewing(store, ids[0], WIDE, queue) as (screen, pilot):
        await press(pilot, "d")
        assert screen.session_id == ids[1]
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, QueueEndDialog)


async def test_what_another_has_done_is_not_opened_again_by_who_defers(store: Store, ids: list[int]) -> None:
    queue = queued(store, ids)
    store.labels.add(ids[0], "pass", author="ada", blind=True)
    async with reviewing(store, ids[0], WIDE, queue) as (screen, pilot):
        await press(pilot, "d")
        assert screen.session_id == ids[1]
        right = screen.query_one(TitleBar).right
        assert "1 of 3 done" in right
        assert "put off" not in right
        await press(pilot, "p")
        await press(pilot, "p")
        assert "The queue “friday” is done" in words_shown(pilot.app)
        assert "3 of 3 done 3 ✓ pass" in words_shown(pilot.app)
