"""Pairs are compared blind, by one key each, and what was said is kept, taken back and told at the end."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from scored_sessions import BareApp
from stored import keep
from textual.pilot import Pilot
from tui_driver import press, settled, shown, until, words_shown

from turnwise.conversations.store import PairedSessions, Store
from turnwise.tui.pairs import preference_screen
from turnwise.tui.pairs.preference_end import PreferenceEndDialog
from turnwise.tui.pairs.preference_screen import PreferenceScreen

WIDE, NARROW = (140, 40), (80, 24)
ME = "mia"


@pytest.fixture(autouse=True)
def _who_compares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.tui.pairs.preference_screen.author_of", lambda settings: ME)


@pytest.fixture
def paired(store: Store) -> Store:
    """Three pairs, the good bot on the left of the first and the last."""
    found = []
    for place in range(1, 4):
        good, bad = (
            keep(store, f"Question {place}?", answer, additional_metadata={"model": bot}, name=bot)
            for bot, answer in (
                ("secret-good", f"Well done {place}."),
                ("secret-bad", f"Badly {place}."),
            )
        )
        first, second = (good, bad) if place != 2 else (bad, good)
        groups = ("secret-good", "secret-bad") if place != 2 else ("secret-bad", "secret-good")
        found.append(PairedSessions(place, first, second, *groups))
    store.pairs.add("bots", found, {"by": "model"})
    return store


@asynccontextmanager
async def comparing(
    store: Store, size: tuple[int, int] = WIDE
) -> AsyncIterator[tuple[PreferenceScreen, Pilot[int]]]:
    app = BareApp(store)
    async with app.run_test(size=size) as pilot:
        screen = PreferenceScreen("bots")
        app.push_screen(screen)
        await until(pilot, lambda: screen.pair is not None)
        await settled(pilot)
        yield screen, pilot


async def say(screen: PreferenceScreen, pilot: Pilot[int], key: str) -> None:
    """Press a key, and wait for the pair that it leads to."""
    await pilot.press(key)
    await pilot.pause()
    await until(pilot, lambda: screen.pair is not None)


def said(store: Store) -> list[tuple[int, str | None]]:
    return sorted((one.place, one.preferred) for one in store.pairs.preferences(1))


async def test_both_sides_are_read_and_nothing_tells_who_answered(paired: Store) -> None:
    async with comparing(paired) as (_, pilot):
        text = shown(pilot.app)
        assert "Well done 1." in text
        assert "Badly 1." in text
        assert "secret" not in text
        assert "pair 1 of 3   0 compared" in text


async def test_one_key_each_says_left_right_or_neither_and_goes_on(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        await say(screen, pilot, "left")
        assert "Badly 2." in shown(pilot.app)
        await say(screen, pilot, "right")
        await say(screen, pilot, "equals_sign")
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceEndDialog))
        assert said(paired) == [(1, "left"), (2, "right"), (3, "tie")]
        assert {one.author for one in paired.pairs.preferences(1)} == {ME}


async def test_a_pair_is_told_with_its_turns_and_no_key_is_meant_for_it_before(
    paired: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, may_be_read = preference_screen._read_sides, threading.Event()
    async with comparing(paired) as (screen, pilot):
        monkeypatch.setattr(
            preference_screen, "_read_sides", lambda *args: may_be_read.wait(30) and read(*args)
        )
        await pilot.press("J")
        await pilot.pause()
        assert screen.pair is None
        assert "pair 1 of 3" in words_shown(pilot.app)
        await pilot.press("equals_sign")
        may_be_read.set()
        await until(pilot, lambda: "pair 2 of 3" in words_shown(pilot.app))
        assert screen.pair is not None
    assert said(paired) == []


async def test_the_end_tells_how_strong_each_group_is_and_who_leans(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        for key in ("left", "right", "left"):
            await say(screen, pilot, key)
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceEndDialog))
        words = words_shown(pilot.app)
        assert "You compared all pairs of “bots”" in words
        assert "secret-good 3 0 0" in words
        assert "secret-bad 0 0 3" in words
        assert "needs 1 more pair" in words
        assert f"{ME} preferred the left in 67 % of 3 pairs" in words
        await press(pilot, "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, PreferenceScreen | PreferenceEndDialog))


async def test_from_the_end_one_looks_back_at_what_was_said(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        for key in ("left", "right", "left"):
            await say(screen, pilot, key)
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceEndDialog))
        await press(pilot, "enter")
        assert "✓ you prefer this one" in shown(pilot.app)
        await say(screen, pilot, "K")
        assert "pair 2 of 3   3 compared" in shown(pilot.app)


async def test_undo_takes_back_the_newest_and_shows_its_pair(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        await say(screen, pilot, "left")
        await say(screen, pilot, "left")
        await say(screen, pilot, "u")
        assert "pair 2 of 3   1 compared" in shown(pilot.app)
        assert said(paired) == [(1, "left")]
        # What was said of a pair that one came back to is another word, not a second one.
        await say(screen, pilot, "K")
        await say(screen, pilot, "right")
        assert said(paired) == [(1, "right")]


async def test_one_begins_where_one_stopped(paired: Store) -> None:
    paired.pairs.say(1, 1, ME, "left")
    paired.pairs.say(1, 2, "ben", "left")
    async with comparing(paired) as (_, pilot):
        assert "pair 2 of 3   1 compared" in shown(pilot.app)


async def test_a_note_is_kept_with_the_side_that_is_said_next(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        await pilot.press("c", *"short", "enter")
        await settled(pilot)
        assert "“short”" in shown(pilot.app)
        await say(screen, pilot, "left")
        assert "“short”" not in shown(pilot.app)
        assert [one.note for one in paired.pairs.preferences(1)] == ["short"]


async def test_a_note_without_a_side_is_kept_at_once_and_is_there_again(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        await pilot.press("c", *"short", "enter")
        await settled(pilot)
        await say(screen, pilot, "J")
        assert "“short”" not in shown(pilot.app)
        await say(screen, pilot, "K")
        assert "“short”" in shown(pilot.app)
        await press(pilot, "escape")
    assert said(paired) == []
    async with comparing(paired) as (screen, pilot):
        assert "“short”" in shown(pilot.app)
        assert "pair 1 of 3   0 compared" in shown(pilot.app)
        await say(screen, pilot, "left")
    assert [one.note for one in paired.pairs.preferences(1)] == ["short"]


async def test_undo_takes_back_the_side_first_and_then_the_note(paired: Store) -> None:
    async with comparing(paired) as (screen, pilot):
        await pilot.press("c", *"short", "enter")
        await settled(pilot)
        await say(screen, pilot, "left")
        await say(screen, pilot, "u")
        assert "pair 1 of 3   0 compared" in shown(pilot.app)
        assert "“short”" in shown(pilot.app)
        await say(screen, pilot, "u")
        assert "Taken back: the note on pair 1." in [one.message for one in pilot.app._notifications]
        assert "“short”" not in shown(pilot.app)
        assert paired.pairs.standing(1) == []


async def test_a_narrow_screen_shows_one_side_and_says_how_to_see_the_other(paired: Store) -> None:
    async with comparing(paired, NARROW) as (_, pilot):
        assert "tab shows the other side" in shown(pilot.app)
        assert "Badly" not in shown(pilot.app)
        await press(pilot, "tab")
        assert "The right one" in shown(pilot.app)
        assert "Badly 1." in shown(pilot.app)


async def test_two_that_say_the_same_are_told_to(store: Store) -> None:
    same = [keep(store, "Question?", "Well done.") for _ in range(2)]
    store.pairs.add("bots", [PairedSessions(1, *same, "one", "two")], {"by": "model"})
    async with comparing(store) as (_, pilot):
        assert "both sides say the same" in shown(pilot.app)


async def test_pairs_that_are_gone_are_told_and_left(paired: Store) -> None:
    app = BareApp(paired)
    async with app.run_test(size=WIDE) as pilot:
        await app.push_screen(PreferenceScreen("botz"))
        await until(pilot, lambda: not isinstance(app.screen, PreferenceScreen))
        await until(pilot, lambda: any("no pairs botz" in one.title for one in app._notifications))
