"""Pairs are made, gone on with, weighed and forgotten from the queues."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from scored_sessions import BareApp
from stored import keep
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import settled, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.people.pairing import PairPlan, choose_pairs
from turnwise.tui.pairs import pairs_dialog
from turnwise.tui.pairs.pairs_dialog import PairsDialog
from turnwise.tui.pairs.preference_end import PreferenceEndDialog
from turnwise.tui.pairs.preference_screen import PreferenceScreen
from turnwise.tui.parts.question_dialog import QuestionDialog
from turnwise.tui.queues.queues_screen import QueuesScreen


@pytest.fixture
def answered(store: Store) -> Store:
    """Six questions, each answered by two bots."""
    for number in range(6):
        for bot in ("one", "two"):
            keep(store, f"Question {number}?", f"{bot} says so", additional_metadata={"bot": bot})
    return store


@asynccontextmanager
async def choosing(store: Store, query: str = "") -> AsyncIterator[Pilot[int]]:
    app = BareApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(QueuesScreen(query))
        await settled(pilot)
        await pilot.press("equals_sign")
        # What opened it waits until it is closed, so that its own reading is what to wait for.
        await until(pilot, lambda: isinstance(app.screen, PairsDialog) and bool(app.screen.choices.options))
        await pilot.pause()
        yield pilot


def make(store: Store, name: str = "bots") -> None:
    store.pairs.add(name, choose_pairs(store, PairPlan("meta.bot")), PairPlan("meta.bot").settings())


async def test_pairs_are_made_by_what_sessions_are_grouped_by_and_compared_at_once(answered: Store) -> None:
    async with choosing(answered) as pilot:
        assert "new: by bot 6 pairs, one with two" in words_shown(pilot.app)
        assert "6 pairs can be made of all 12 sessions" in words_shown(pilot.app)
        assert pilot.app.screen.query_one("#size", Input).value == "6"
        assert pilot.app.screen.query_one("#name", Input).value == "bot"
        await pilot.press("tab", *"4", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceScreen))
        await until(pilot, lambda: "pair 1 of 4" in words_shown(pilot.app))
    [made] = answered.pairs.all()
    assert (made.name, made.count, made.settings["by"]) == ("bot", 4, "meta.bot")


async def test_only_what_makes_groups_is_offered(answered: Store) -> None:
    async with choosing(answered) as pilot:
        assert "by role" not in words_shown(pilot.app)


async def test_where_nothing_makes_groups_it_is_said_what_pairs_need(store: Store) -> None:
    keep(store, "Question?", "yes", additional_metadata={"bot": "one"})
    app = BareApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(app.kept_dialogs.of(PairsDialog, "", "all 1 sessions"))
        await until(pilot, lambda: "Pairs need sessions of 2 to 12 groups" in words_shown(app))
        await pilot.press("enter")
        assert isinstance(app.screen, PairsDialog)


async def test_groups_that_make_no_pairs_are_not_offered_and_it_says_what_pairs_need(store: Store) -> None:
    for bot in ("one", "two"):
        keep(store, f"A question to {bot}?", "yes", additional_metadata={"bot": bot})
    app = BareApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(app.kept_dialogs.of(PairsDialog, "", "all 2 sessions"))
        needed = "Nothing that is known of all 2 sessions makes such groups."
        await until(pilot, lambda: needed in words_shown(app))
        assert "new: by" not in words_shown(app)
        await pilot.press("enter")
        assert isinstance(app.screen, PairsDialog)


async def test_made_pairs_say_how_far_they_are_and_are_gone_on_with(answered: Store) -> None:
    make(answered)
    answered.pairs.say(1, 1, "ben", "tie")
    async with choosing(answered) as pilot:
        words = words_shown(pilot.app)
        assert "bots 0 of 6 compared, by bot" in words
        assert "1 preference by all who compared" in words
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceScreen))


async def test_strengths_are_shown_at_any_time(answered: Store) -> None:
    make(answered)
    for place in range(1, 7):
        answered.pairs.say(1, place, "ben", "left")
    async with choosing(answered) as pilot:
        await pilot.press("percent_sign")
        await until(pilot, lambda: isinstance(pilot.app.screen, PreferenceEndDialog))
        assert "6 of 6 pairs compared, groups by bot." in words_shown(pilot.app)
        assert "ben preferred the left in 100 % of 6 pairs" in words_shown(pilot.app)


async def test_pairs_of_which_nobody_said_anything_are_forgotten_at_once(answered: Store) -> None:
    make(answered)
    async with choosing(answered) as pilot:
        await pilot.press("D")
        await until(pilot, lambda: not answered.pairs.all())
    assert len(answered.sessions.ids()) == 12


async def test_what_people_said_is_forgotten_only_when_asked(answered: Store) -> None:
    make(answered)
    answered.pairs.say(1, 1, "ben", "tie")
    async with choosing(answered) as pilot:
        await pilot.press("D")
        await until(pilot, lambda: isinstance(pilot.app.screen, QuestionDialog))
        assert "1 preference of them would be forgotten" in words_shown(pilot.app)
        await pilot.press("enter")
        assert answered.pairs.all()
        await pilot.press("D")
        await until(pilot, lambda: isinstance(pilot.app.screen, QuestionDialog))
        await pilot.press("j", "enter")
        await until(pilot, lambda: not answered.pairs.all())


async def test_enter_is_answered_though_it_comes_before_it_is_read_what_there_is(
    answered: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(answered)
    read, may_be_read = pairs_dialog._read_pairs, threading.Event()
    monkeypatch.setattr(pairs_dialog, "_read_pairs", lambda *args: may_be_read.wait(30) and read(*args))
    app = BareApp(answered)
    async with app.run_test(size=(100, 30)) as pilot:
        app.push_screen(QueuesScreen(""))
        await settled(pilot)
        await pilot.press("equals_sign")
        await until(pilot, lambda: isinstance(app.screen, PairsDialog))
        await pilot.press("enter")
        may_be_read.set()
        await until(pilot, lambda: isinstance(app.screen, PreferenceScreen))
        await until(pilot, lambda: "pair 1 of 6" in words_shown(app))


async def test_the_same_dialog_opens_again_with_nothing_of_the_last_time(answered: Store) -> None:
    make(answered)
    async with choosing(answered) as pilot:
        app = pilot.app
        dialog = app.screen
        assert isinstance(dialog, PairsDialog)
        size, name = (dialog.query_one(f"#{one}", Input) for one in ("size", "name"))
        await pilot.press("down", "tab", *"0", "tab", *"mine", "enter")
        await until(pilot, lambda: "Say how many pairs" in words_shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, QueuesScreen))
        await pilot.press("equals_sign")
        await until(pilot, lambda: app.screen is dialog and dialog._is_read)
        assert (dialog.choices.highlighted, dialog.focused) == (0, dialog.choices)
        assert "Say how many pairs" not in words_shown(app)
        await pilot.press("down")
        await until(pilot, lambda: (size.value, name.value) == ("6", "bot"))
        # What others make meanwhile is there the next time.
        make(answered, "others")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, QueuesScreen))
        await pilot.press("equals_sign")
        await until(pilot, lambda: app.screen is dialog and "others" in words_shown(app))
