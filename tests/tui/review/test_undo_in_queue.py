"""Undo in a queue: it takes back what stands in sight first, and goes back through all of a sitting."""

from __future__ import annotations

import pytest
from reviewing import kept, newest, pane, press, queued, reviewing, settled, told
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.review.queue_end import QueueEndDialog
from turnwise.tui.review.review_screen import ReviewScreen

WIDE, NARROW = (140, 40), (80, 24)


def words(store: Store, ids: list[int]) -> list[str | None]:
    """Return the labels that stand."""
    return [rows[-1].label if (rows := store.labels.of(one)) else None for one in ids]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_undo_takes_back_the_label_in_sight_and_then_the_one_given_last(
    store: Store, ids: list[int], size: tuple[int, int]
) -> None:
    async with reviewing(store, ids[0], size, queued(store, ids)) as (screen, pilot):
        await press(pilot, "f", "enter")
        await press(pilot, "p")
        await press(pilot, "K")
        await press(pilot, "K")
        assert screen.session_id == ids[0]
        assert "u undo" in pane(screen)
        await press(pilot, "u")
        assert screen.session_id == ids[0]
        assert words(store, ids) == [None, "pass", None]
        await press(pilot, "u")
        await settled(pilot)
        assert screen.session_id == ids[1]
        assert words(store, ids) == [None, None, None]
        # The first one was taken back already.
        await press(pilot, "u")
        assert told(pilot)[-1] == "There is nothing to undo."
        assert screen.session_id == ids[1]


async def test_undo_goes_back_through_all_labels_of_a_sitting_and_no_further(
    store: Store, ids: list[int]
) -> None:
    store.labels.add(ids[2], "fail", author="mia", blind=True, turn=2)
    async with reviewing(store, ids[0], WIDE, queued(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        await press(pilot, "p")
        for session in (ids[1], ids[0]):
            await press(pilot, "u")
            await settled(pilot)
            assert screen.session_id == session
            assert newest(store, session).label is None
        await press(pilot, "u")
        assert told(pilot)[-1] == "There is nothing to undo."
    assert words(store, ids) == [None, None, "fail"]


@pytest.mark.parametrize("seen", [False, True])
async def test_a_label_taken_back_leaves_the_scores_hidden_where_it_never_showed_them(
    store: Store, ids: list[int], seen: bool
) -> None:
    queue = queued(store, ids)
    async with reviewing(store, ids[0], NARROW, queue) as (_, pilot):
        await press(pilot, "f" if seen else "p")
        await press(pilot, "u")
        await settled(pilot)
        again = ReviewScreen(ids[0], queue)
        await pilot.app.push_screen(again)
        await settled(pilot)
        await settled(pilot)
        assert again.labels.hides_scores is not seen
        assert ("not be blind" in pane(again)) is seen
    async with reviewing(store, ids[0], NARROW, queue) as (screen, pilot):
        # After a restart they are hidden until the next label, which is blind where they were never seen.
        assert screen.labels.hides_scores
        assert ("you saw some earlier." in " ".join(shown(pilot.app).split())) is seen
        await press(pilot, "f")
        assert newest(store, ids[0]).blind is not seen


@pytest.mark.parametrize("word", ["p", "d"])
async def test_undo_at_the_end_takes_back_the_last_label(store: Store, ids: list[int], word: str) -> None:
    async with reviewing(store, ids[0], WIDE, queued(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        await press(pilot, "p")
        await press(pilot, word)
        assert "u undo" in words_shown(pilot.app)
        await press(pilot, "u")
        await until(pilot, lambda: "undone: " in pane(screen))
        assert screen.session_id == ids[2]
        assert kept(store, ids[2])[-1] == (None, None, "")
        # And goes on to the one before, as anywhere in a queue.
        await press(pilot, "u")
        await until(pilot, lambda: kept(store, ids[1])[-1] == (None, None, ""))
        assert screen.session_id == ids[1]


async def test_undo_at_the_end_says_so_where_nothing_was_labelled_in_this_sitting(
    store: Store, ids: list[int]
) -> None:
    sessions = queued(store, ids)
    for one in ids:
        store.labels.add(one, "pass", author="mia", blind=True)
    async with reviewing(store, ids[0], NARROW, sessions) as (_, pilot):
        await press(pilot, "u")
        assert isinstance(pilot.app.screen, QueueEndDialog)
        assert "there is nothing to undo" in told(pilot)[-1]
    assert [kept(store, one) for one in ids] == [[("pass", None, "")]] * 3


@pytest.mark.parametrize("at_once", [False, True])
async def test_redo_makes_all_again_that_was_undone_in_a_sitting_and_undo_takes_it_back_again(
    store: Store, ids: list[int], at_once: bool
) -> None:
    async def press_all(keys: str) -> None:
        for burst in [keys] if at_once else keys:
            await press(pilot, *burst)
        await settled(pilot)
        await settled(pilot)

    async with reviewing(store, ids[0], WIDE, queued(store, ids)) as (screen, pilot):
        for _ in range(2):
            await press(pilot, "p")
        await press(pilot, "f")
        for _ in range(2):
            await press_all("uuu")
            await until(pilot, lambda: words(store, ids) == [None, None, None])
            assert screen.session_id == ids[0]
            await press_all("UUU")
            await until(pilot, lambda: words(store, ids) == ["pass", "pass", "fail"])
            await settled(pilot)
            assert screen.session_id == ids[2]
        await press(pilot, "U")
        assert told(pilot)[-1] == "There is nothing to do again."


async def test_redo_makes_again_what_was_undone_where_one_went_and_a_new_label_ends_it_elsewhere(
    store: Store, ids: list[int]
) -> None:
    async with reviewing(store, ids[0], NARROW, queued(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        await press(pilot, "p")
        await press(pilot, "u")
        await press(pilot, "u")
        await settled(pilot)
        # In the last one undone it would begin, and its line offers it here.
        await press(pilot, "J")
        assert "U redo" in pane(screen)
        await press(pilot, "U")
        assert (screen.session_id, words(store, ids)) == (ids[1], [None, "pass", None])
        await press(pilot, "J")
        assert "U redo" in pane(screen)
        await press(pilot, "f")
        assert "U redo" not in pane(screen)
        await press(pilot, "U")
        assert told(pilot)[-1] == "There is nothing to do again."
        assert (screen.session_id, words(store, ids)) == (ids[2], [None, "pass", "fail"])


async def test_what_an_undo_told_in_passing_goes_with_the_redo_after_it(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], NARROW, queued(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        await press(pilot, "u")
        await settled(pilot)
        await press(pilot, "u")
        assert told(pilot) == ["There is nothing to undo."]
        await press(pilot, "U")
        assert "done again: pass" in pane(screen)
        assert told(pilot) == []
        await press(pilot, "U")
        await press(pilot, "u")
        assert told(pilot) == []
