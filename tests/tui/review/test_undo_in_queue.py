"""Undo in a queue: it takes back what stands in sight first, and goes back through all of a sitting."""

from __future__ import annotations

import pytest
from reviewing import newest, pane, press, queued, reviewing, settled, told
from scored_sessions import add_outcomes, add_talk, retention

from turnwise.conversations.store import Store

WIDE, NARROW = (140, 40), (80, 24)


@pytest.fixture
def ids(store: Store) -> list[int]:
    """Three conversations with scores."""
    found = [add_talk(store, name=name) for name in ("One", "Two", "Three")]
    for one in found:
        add_outcomes(store, one, retention(4))
    return found


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
