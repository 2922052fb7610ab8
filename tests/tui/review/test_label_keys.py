"""Whether a label opens the next session, and that it is seen what enter does after one that stays."""

from __future__ import annotations

import pytest
from reviewing import press, reviewing, settled, told
from tui_driver import burst, until

from turnwise.conversations.store import Store
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import QueueSessions
from turnwise.tui.settings.settings import load_settings

WIDE, NARROW = (140, 40), (80, 24)


def queue_of(store: Store, ids: list[int]) -> QueueSessions:
    return QueueSessions(store, store.queues.get(store.queues.add("friday", ids, sampler="random")))


def keys(screen: ReviewScreen) -> str:
    return screen.query_one(KeyLine).render_line(0).text


async def test_one_may_stay_and_that_is_remembered(store: Store, ids: list[int]) -> None:
    sessions = queue_of(store, ids)
    async with reviewing(store, ids[0], WIDE, sessions) as (screen, pilot):
        assert "> stay after a pass" in keys(screen)
        await press(pilot, "greater_than_sign")
        assert told(pilot)[-1] == "From now on a session stays after each label; enter goes on."
        await press(pilot, "p")
        assert "> go on after a pass" in keys(screen)
        assert screen.session_id == ids[0]
        await press(pilot, "escape")
        again = ReviewScreen(ids[1], sessions)
        await pilot.app.push_screen(again)
        await settled(pilot)
        assert "> go on after a pass" in keys(again)
    assert not load_settings().next_in_queue


async def test_the_keys_that_follow_a_label_are_seen_where_something_was_told_before(
    store: Store, ids: list[int]
) -> None:
    async with reviewing(store, ids[0], NARROW, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "greater_than_sign")
        assert told(pilot)
        assert "note" not in keys(screen)
        await press(pilot, "f")
        assert not told(pilot)
        assert "enter go on" in keys(screen)


@pytest.mark.parametrize("key", ["p", "f", "d"])
async def test_nothing_is_said_of_a_session_that_is_only_passed_by(
    store: Store, ids: list[int], key: str
) -> None:
    first = ids[-1]
    async with reviewing(store, first, WIDE) as (screen, pilot):
        # It is read, and where it stands in the list is not looked up yet: another J leads on from it.
        screen.walk.begin(first)
        await press(pilot, "J", key)
        assert told(pilot)[-1] == "Nothing was kept: the session was not on the screen yet."
        assert all(store.labels.of(one) == [] for one in ids)
        screen._reader.read_place(first)
        await until(pilot, lambda: screen.session_id != first and screen.labels.is_read)
        there = screen.session_id
        await until(pilot, lambda: not screen.walk.passes_by)
        assert told(pilot) == ["Nothing was kept: the session was not on the screen yet."]
        await press(pilot, key)
        assert len(store.labels.of(there)) == 1


async def test_fast_keys_label_no_session_but_the_one_that_they_lead_to(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[-1], NARROW) as (screen, pilot):
        for _ in range(4):
            burst(pilot.app, "J", "J", "J", "p", "K", "K", "p")
            await settled(pilot)
            await until(pilot, lambda: screen.labels.is_read and not screen.walk.passes_by)
        reached = {screen.session_id}
        labelled = {one for one in ids if store.labels.of(one)}
        assert labelled <= reached | {ids[0], ids[-1]}
