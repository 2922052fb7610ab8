"""Preferences: append-only, each person's newest counts, and strengths follow from all of them."""

from __future__ import annotations

import sqlite3

import pytest
from stored import keep

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import PairedSessions, Store
from turnwise.engine.people.preferring import group_strengths, next_pair, say_of_pair


@pytest.fixture
def pairs(store: Store) -> Store:
    """Eight pairs of x and y, x on the left of every other one."""
    found = []
    for place in range(1, 9):
        x, y = (keep(store, f"Question {place}?", f"{bot} says so") for bot in "xy")
        sides = (x, y, "x", "y") if place % 2 else (y, x, "y", "x")
        found.append(PairedSessions(place, *sides))
    store.pairs.add("bots", found, {"by": "meta.bot"})
    return store


def test_each_is_asked_for_what_they_said_nothing_of(pairs: Store) -> None:
    say_of_pair(pairs, "bots", 1, "ada", "left")
    assert [_next(pairs, who) for who in ("ada", "ben")] == [2, 1]
    say_of_pair(pairs, "bots", 1, "ada", None)
    assert _next(pairs, "ada") == 1
    with pytest.raises(NotFoundError, match="said nothing of pair 1"):
        say_of_pair(pairs, "bots", 1, "ada", None)
    with pytest.raises(NotFoundError, match="no pair 9"):
        say_of_pair(pairs, "bots", 9, "ada", "tie")
    assert [(one.place, one.preferred) for one in pairs.pairs.history(1)] == [(1, "left"), (1, None)]


def _next(store: Store, who: str) -> int | None:
    pair = next_pair(store, "BOTS", who)[1]
    return pair and pair.place


def test_what_was_said_cannot_be_changed_behind_its_back(pairs: Store) -> None:
    say_of_pair(pairs, "bots", 1, "ada", "left")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), sqlite3.connect(pairs.path) as other:
        other.execute("UPDATE pair_preferences SET preferred = 'right'")
    other.close()


def test_the_preferred_group_is_strong_whatever_side_it_stood_on(pairs: Store) -> None:
    for place in range(1, 9):
        say_of_pair(pairs, "bots", place, "ada", "left" if place % 2 else "right")
    found = group_strengths(pairs, "bots")
    first, second = found.groups
    assert (first.group, first.won, first.tied, first.lost) == ("x", 8, 0, 0)
    assert first.win_share.low is not None
    assert first.win_share.low > 0.5
    assert first.strength == pytest.approx(-(second.strength or 0.0))
    assert (found.people[0].left.value, found.people[0].is_sure) == (0.5, False)
    assert found.data()["people"][0]["sure"] is False


def test_who_always_takes_one_side_leans(pairs: Store) -> None:
    for place in range(1, 9):
        say_of_pair(pairs, "bots", place, "ada", "left")
        say_of_pair(pairs, "bots", place, "ben", "tie")
    found = group_strengths(pairs, "bots")
    by = {one.author: one for one in found.people}
    assert by["ada"].is_sure
    assert (by["ben"].chosen, by["ben"].left.value) == (0, None)
    assert found.groups[0].win_share.value == pytest.approx(0.5)


def test_too_few_pairs_are_said_and_none_make_no_strength(pairs: Store) -> None:
    assert group_strengths(pairs, "bots").groups[0].strength is None
    say_of_pair(pairs, "bots", 1, "ada", "left")
    first = group_strengths(pairs, "bots").groups[0]
    assert (first.more, first.win_share.low, first.win_share.why) == (3, None, "needs 3 more pairs")


def test_names_are_taken_once_and_a_slip_is_helped(pairs: Store) -> None:
    with pytest.raises(SettingError, match="already"):
        pairs.pairs.add(" Bots ", [], {})
    with pytest.raises(NotFoundError) as told:
        pairs.pairs.get("bot")
    assert told.value.next_step == "Did you mean bots?"
