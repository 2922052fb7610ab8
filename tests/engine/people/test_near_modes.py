"""The failure modes nearest to a conversation, and the digits that they keep."""

from __future__ import annotations

import pytest
from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.people.near_modes import KnownModes, numbered


@pytest.fixture
def modes(store: Store) -> list[int]:
    """Three modes that nobody gave yet."""
    return [store.modes.add(name, "", "mia") for name in ("asks again", "breaks promises", "curses")]


def nearest(store: Store, *said: str) -> list[str]:
    return [mode.name for mode in KnownModes.read(store).nearest(said)]


def test_without_any_use_they_come_by_name(store: Store, modes: list[int]) -> None:
    assert nearest(store, "hello") == ["asks again", "breaks promises", "curses"]


def test_what_is_given_lately_and_often_is_near(store: Store, modes: list[int]) -> None:
    asks, breaks, curses = modes
    sessions = [keep(store, f"talk {number}", "yes") for number in range(3)]
    store.modes.assign([sessions[0]], asks, "mia")
    store.modes.assign(sessions[:2], curses, "mia")
    assert nearest(store, "hello") == ["curses", "asks again", "breaks promises"]
    store.modes.assign(sessions, breaks, "mia")
    assert nearest(store, "hello")[0] == "breaks promises"


def test_what_is_told_in_the_words_of_the_conversation_is_near(store: Store, modes: list[int]) -> None:
    session = keep(store, "talk", "yes")
    store.modes.assign([session], modes[1], "mia")
    store.labels.add(session, "fail", author="mia", blind=True, note="swore a voucher, none came")
    assert nearest(store, "He curses a lot")[0] == "curses"
    assert nearest(store, "I want the voucher")[0] == "breaks promises"


def test_a_mode_keeps_its_digit_and_new_ones_stand_behind() -> None:
    first = numbered([], [7, 3, 5])
    assert numbered(first, [9, 5, 3, 7]) == [3, 5, 7, 9]
    assert numbered(first, [9, 5, 3, 7], digits=3) == first
    # One that is gone leaves its digit free, so that no other comes to mean something else.
    assert numbered(first, [5, 9, 3]) == [3, 5, None, 9]


def test_a_digit_gives_the_same_in_each_sitting_and_the_nearest_have_digits() -> None:
    assert numbered([], [7, 3, 5]) == numbered([], [5, 7, 3]) == [3, 5, 7]
    assert numbered([], [9, 2, 8, 1], digits=3) == [2, 8, 9]
