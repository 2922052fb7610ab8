"""`Y` in Agreement: a metric learned from labels, or in plain words why that cannot be."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from stored import keep
from textual.pilot import Pilot
from tui_driver import shown, until, words_shown

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import Store
from turnwise.engine.learning import fitting
from turnwise.tui.agreement.agreement_screen import AgreementScreen
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.learning.learn_dialog import LearnDialog


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One division into folds: what is learned is measured well enough for a test of what is shown."""
    monkeypatch.setattr(fitting, "REPEATS", 1)
    monkeypatch.setattr(fitting, "PENALTIES", (0.3,))


def labelled(store: Store, count: int = 40) -> None:
    """Store sessions of which every second ends with thanks and passes."""
    for number in range(count):
        good = number % 2 == 0
        texts = (
            f"Where is parcel {number}?",
            "In Oslo." if good else "I'm unable to say.",
            "Thanks, bye." if good else "This is useless!!!",
            "Gladly.",
        )
        session = keep(store, *texts, name=f"talk {number}")
        store.labels.add(session, "pass" if good else "fail", author="mia", blind=True)


@asynccontextmanager
async def learning(
    store: Store, size: tuple[int, int] = (120, 50)
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp]]:
    app = TurnwiseApp(store)
    async with app.run_test(size=size) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, LearnDialog) and "Labels of" in words_shown(app))
        yield pilot, app


async def test_it_counts_learns_shows_and_scores_by_what_was_learned(store: Store) -> None:
    labelled(store)
    async with learning(store) as (pilot, app):
        assert "whole sessions 20 pass, 20 fail" in words_shown(app)
        await until(pilot, lambda: "enter learn" in words_shown(app))
        assert "passes" in words_shown(app)
        await pilot.press("enter")
        told = "learned:passes, version 1: from 40 labels, 20 of which pass"
        await until(pilot, lambda: told in words_shown(app))
        words = words_shown(app)
        assert "▸ learned:passes AUC" in words
        assert "On cases that it had not seen: AUC" in words
        assert "Foretold and found" in words
        assert "What it rests on" in words
        [kept] = store.learned.standing()
        assert kept.name == "passes"
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and "learned" in words_shown(app))
        assert "Score 40 sessions" in words_shown(app)
        await until(pilot, lambda: "✓ learned:passes" in words_shown(app))


async def test_too_few_labels_are_refused_with_the_key_that_leads_to_more(store: Store) -> None:
    labelled(store, 12)
    async with learning(store, size=(80, 24)) as (pilot, app):
        await until(pilot, lambda: "Too few labels to learn from: 6 pass, 6 fail" in words_shown(app))
        assert "4 more that pass and 4 more that fail" in words_shown(app)
        assert "Q in the library makes a queue of sessions to label." in words_shown(app)
        assert "`turnwise" not in words_shown(app)
        assert "enter learn" not in words_shown(app)
        await pilot.press("enter")
        await pilot.pause()
        assert store.learned.standing() == []


async def test_why_too_few_of_a_metric_cannot_teach_is_told_whole_at_80_columns(store: Store) -> None:
    labelled(store, 24)
    for place, session in enumerate(store.sessions.ids()):
        word: LabelWord = "fail" if place % 12 == 0 else "pass"
        store.labels.add(session, word, author="mia", metric="conversation_completeness", blind=True)
    store.splits.add(dict.fromkeys(store.sessions.ids()[:10], "test"))
    async with learning(store, size=(80, 24)) as (pilot, app):
        await until(pilot, lambda: re.search(r" conversation completeness +\d+ pass, +\d+ fail", shown(app)))
        # So that each sum is seen to be of all that are labelled.
        assert re.search(r"whole sessions +7 pass, +7 fail, +10 for the test", shown(app)) is not None
        assert "+" not in shown(app).split("Labels of")[1]
        await pilot.press("j")
        await until(pilot, lambda: "Too few labels of conversation completeness to" in words_shown(app))


async def test_a_missing_library_is_told_with_how_to_install_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    labelled(store)
    async with learning(store) as (pilot, app):
        await until(pilot, lambda: "Learning from labels needs scikit-learn" in words_shown(app))
        assert "pip install 'turnwise[learn]'" in words_shown(app)
        assert "enter learn" not in words_shown(app)


async def test_escape_stops_it_and_nothing_is_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    labelled(store)
    monkeypatch.setattr(fitting, "REPEATS", 200)
    async with learning(store) as (pilot, app):
        await until(pilot, lambda: "enter learn" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "measured:" in words_shown(app))
        await until(pilot, lambda: "esc stop" in words_shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Stopped. Nothing was kept of it." in words_shown(app))
        assert isinstance(app.screen, LearnDialog)
        await until(pilot, lambda: not any(one.group == "learn" and one.is_running for one in app.workers))
    assert store.learned.standing() == []


async def test_labels_of_a_metric_teach_too_and_what_was_learned_is_forgotten(store: Store) -> None:
    labelled(store)
    for session in store.sessions.ids():
        word = "pass" if session % 2 else "fail"
        store.labels.add(session, word, author="mia", blind=True, metric="turn_relevancy")
    async with learning(store) as (pilot, app):
        assert "+ whole sessions 20 pass, 20 fail" in words_shown(app)
        assert "+ turn relevancy 20 pass, 20 fail" in words_shown(app)
        await pilot.press("j")
        await until(pilot, lambda: "name turn_relevancy" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "from 40 labels of turn_relevancy" in words_shown(app))
        await pilot.press("D")
        await until(pilot, lambda: "Forget learned:turn_relevancy?" in words_shown(app))
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LearnDialog) and not store.learned.standing())
        await until(pilot, lambda: "Learned before" not in words_shown(app))


async def test_a_name_that_is_none_is_told(store: Store) -> None:
    labelled(store)
    async with learning(store) as (pilot, app):
        await until(pilot, lambda: "enter learn" in words_shown(app))
        await pilot.press("tab", "ctrl+u", *"a b")
        await pilot.press("enter")
        await until(pilot, lambda: "A signal is not called 'a b'" in words_shown(app))


async def test_one_that_was_made_ahead_counts_the_labels_of_now(store: Store) -> None:
    keep(store)
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 50)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
        for _ in app.kept_dialogs.make(LearnDialog, lambda one: one.begin()):
            await pilot.pause()
        made = app.get_screen("kept LearnDialog")
        assert isinstance(made, LearnDialog)
        labelled(store)
        assert not made.choices.options
        await pilot.press("Y")
        await until(pilot, lambda: app.screen is made and "Labels of" in words_shown(app))
        assert "Counting the labels" not in words_shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, AgreementScreen))
        await pilot.press("Y")
        await until(pilot, lambda: isinstance(app.screen, LearnDialog) and "Labels of" in words_shown(app))


async def test_the_list_has_a_key_to_press_also_where_nothing_can_be_learned(store: Store) -> None:
    labelled(store, 6)
    async with learning(store, (80, 24)) as (_, app):
        keys = shown(app).split("Too few labels")[1]
        assert all(key in keys for key in ("j k choose", "esc back", "? help"))
        assert "enter learn" not in keys
