"""How many keys the usual work takes, text not counted: what is done all day has to be at hand."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from compared_runs import two_targets
from criterion_sessions import knows_manners, labelled
from judge_server import JudgeServer, streams
from scored_sessions import add_outcomes, add_talk, retention
from textual.pilot import Pilot
from textual.screen import Screen
from tui_driver import current_name, sessions, shown, type_text, until

from turnwise.conversations.store import Store
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.actions import Place
from turnwise.tui.agreement.agreement_screen import AgreementScreen
from turnwise.tui.app.app import Opening, TurnwiseApp
from turnwise.tui.compare.compare_screen import CompareScreen
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.criteria.criteria_screen import CriteriaScreen
from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.export_dialog import ExportDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.record.record_screen import RecordScreen
from turnwise.tui.record.talk_dialog import TalkDialog
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.queue_end import QueueEndDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings

QUEUED, FAILING = 20, 9
MOST_KEYS = 70
MODES = ("asks again", "is rude", "makes it up")
NOTE = "oh no"


@dataclass
class CountingReviewer:
    """Presses keys as the registry has them, by the names of their actions, and counts them."""

    pilot: Pilot[int]
    app: TurnwiseApp
    keys: int = 0

    async def does(self, *names: str) -> None:
        """Do actions of the screen that is there, each by its first key."""
        for name in names:
            place: Place = self.app.place
            [action] = [one for one in self.app.actions[place] if one.name == name]
            await self.presses(action.keys[0])

    async def presses(self, *keys: str) -> None:
        for key in keys:
            self.keys += 1
            await self.pilot.press(key)

    async def writes(self, text: str) -> None:
        await type_text(self.pilot, text)

    async def sees(self, text: str) -> None:
        await until(self.pilot, lambda: text in shown(self.app))

    async def comes_to(self, screen: type[Screen[Any]]) -> None:
        await until(self.pilot, lambda: isinstance(self.app.screen, screen))


def fill(store: Store, sessions: int) -> list[int]:
    """Store conversations with scores, and the modes that are known of them."""
    ids = [add_talk(store, name=f"Talk {number}") for number in range(sessions)]
    for one in ids:
        add_outcomes(store, one, retention(4))
    for name in MODES:
        store.modes.add(name, "", "mia")
    return ids


@asynccontextmanager
async def reviewer(app: TurnwiseApp) -> AsyncIterator[CountingReviewer]:
    """Somebody at an app that has just been opened."""
    async with app.run_test(size=(120, 36)) as pilot:
        yield CountingReviewer(pilot, app)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that one works in, with a file of three conversations."""
    turns = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello to you"}]
    lines = [json.dumps({"turns": turns, "name": f"talk {number}"}) for number in range(3)]
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "talks.jsonl").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def is_there(screen: ReviewScreen, session: int) -> bool:
    """Whether a session can be judged: it is read, with the modes that are near it."""
    there = screen.session_id == session and screen.labels.is_read and screen.walk.near is not None
    return there and screen.query_one(NearModesLine).mode_at(1) is not None


async def test_twenty_conversations_are_labelled_in_seventy_keys_and_the_words(store: Store) -> None:
    ids = fill(store, 30)[:QUEUED]
    store.queues.add("friday", ids, sampler="random")
    app = TurnwiseApp(store, settings=Settings(author="mia"))
    async with app.run_test(size=(120, 36)) as pilot:
        mia = CountingReviewer(pilot, app)
        app.open_queue(1)
        await mia.sees("0 of 20 done")
        for place in range(QUEUED):
            screen = app.screen
            assert isinstance(screen, ReviewScreen)
            await until(pilot, partial(is_there, screen, ids[place]))
            if place % 2 and place < 2 * FAILING:
                # To the turn that fails, a mode that is known, and a note: it goes on by itself.
                await mia.does("cursor_down", "label_fail")
                await mia.presses(str(place % 3 + 1))
                await mia.does("note")
                await mia.writes(NOTE)
                await mia.presses("enter")
            else:
                await mia.does("label_pass")
        await until(pilot, lambda: isinstance(app.screen, QueueEndDialog))
        await mia.sees("20 of 20 done   11 ✓ pass   9 ✗ fail")
        assert mia.keys <= MOST_KEYS, mia.keys
    labels = [store.labels.of(one)[-1] for one in ids]
    assert [label.label for label in labels].count("pass") == QUEUED - FAILING
    failed = [label for label in labels if label.label == "fail"]
    assert [(label.turn, label.note) for label in failed] == [(2, NOTE)] * FAILING
    assert all(len(store.modes.of(label.session_id)) == 1 for label in failed)
    assert all(label.blind for label in labels)


async def test_a_queue_of_twenty_is_made_in_six_keys(store: Store) -> None:
    fill(store, 30)
    app = TurnwiseApp(store, settings=Settings(author="mia"))
    async with app.run_test(size=(120, 36)) as pilot:
        mia = CountingReviewer(pilot, app)
        await mia.does("queues")
        await mia.sees("at random")
        await mia.presses("tab", "ctrl+u")
        await mia.writes("20")
        await mia.presses("enter")
        await mia.sees("0 of 20 done")
        assert mia.keys <= 6


async def test_the_demo_opens_on_its_library_without_a_question_every_time(filled: Store) -> None:
    for _ in range(2):
        async with reviewer(TurnwiseApp(filled, Opening(demo=True))) as mia:
            await until(mia.pilot, lambda app=mia.app: sessions(app).count == 3)  # type: ignore[misc]
            assert isinstance(mia.app.screen, LibraryScreen)
            assert mia.keys == 0


@pytest.mark.parametrize("typed", ["", "talks.jsonl"])
async def test_a_file_comes_in_by_two_keys_if_it_is_typed_and_five_if_not(
    store: Store, folder: Path, typed: str
) -> None:
    async with reviewer(TurnwiseApp(store)) as mia:
        await mia.does("import")
        await mia.comes_to(ImportDialog)
        await mia.sees("talks.jsonl")
        if typed:
            await mia.writes(typed)
        else:
            await mia.presses("down", "enter")
        await mia.presses("enter")
        await mia.comes_to(LibraryScreen)
        await until(mia.pilot, lambda: sessions(mia.app).count == 3)
        assert mia.keys <= (2 if typed else 5)


async def test_a_filter_is_one_key_and_the_best_match_one_more(store: Store) -> None:
    for number in range(40):
        add_talk(
            store, name=f"Talk {number}", words="certificate certificate" if number == 7 else "certificate"
        )
    async with reviewer(TurnwiseApp(store)) as mia:
        await until(mia.pilot, lambda: sessions(mia.app).count == 40)
        await mia.does("filter")
        await mia.writes("certificate")
        await mia.presses("enter")
        await mia.sees("best match first")
        await until(mia.pilot, lambda: current_name(mia.app) == "Talk 7")
        assert mia.keys <= 2


async def test_the_list_is_sorted_in_three_keys_and_seen_from_its_top(store: Store) -> None:
    fill(store, 30)
    async with reviewer(TurnwiseApp(store)) as mia:
        await until(mia.pilot, lambda: sessions(mia.app).count == 30)
        await mia.presses("end")
        mia.keys = 0
        await mia.does("sort")
        await until(mia.pilot, lambda: isinstance(mia.app.screen.focused, ChoiceList))
        await mia.presses("j", "enter")
        await mia.comes_to(LibraryScreen)
        await until(mia.pilot, lambda: sessions(mia.app).scroll_y == 0)
        assert mia.keys <= 3


@pytest.mark.parametrize(("label", "most"), [("pass", 1), ("fail", 6)])
async def test_in_a_queue_a_pass_is_one_key_and_a_fail_with_mode_and_note_six(
    store: Store, label: str, most: int
) -> None:
    first, second = fill(store, 2)
    store.queues.add("friday", [first, second], sampler="random")
    async with reviewer(TurnwiseApp(store, settings=Settings(author="mia"))) as mia:
        mia.app.open_queue(1)
        await mia.sees("0 of 2 done")
        await until(mia.pilot, partial(shows, mia.app, first))
        if label == "pass":
            await mia.does("label_pass")
        else:
            await mia.does("label_fail")
            await mia.presses("1")
            await mia.does("note")
            await mia.writes(NOTE)
            await mia.presses("enter")
        await until(mia.pilot, partial(shows, mia.app, second))
        assert mia.keys <= most
    assert store.labels.of(first)[-1].label == label
    assert len(store.modes.of(first)) == (label == "fail")


def shows(app: TurnwiseApp, session: int) -> bool:
    return isinstance(app.screen, ReviewScreen) and is_there(app.screen, session)


async def test_rates_of_failure_modes_are_two_keys_away(store: Store) -> None:
    talks = fill(store, 3)
    store.modes.assign(talks[:1], store.modes.all()[0].id, author="mia")
    async with reviewer(TurnwiseApp(store)) as mia:
        await mia.does("failure_modes")
        await mia.comes_to(FailureModesScreen)
        await mia.does("rates")
        await mia.sees("of 1")
        assert mia.keys <= 2


async def test_a_judge_is_chosen_by_its_address_in_three_keys_and_again_in_two(
    filled: Store, judge_server: JudgeServer
) -> None:
    async with reviewer(TurnwiseApp(filled)) as mia:
        await mia.does("judge")
        await mia.comes_to(JudgeDialog)
        await mia.sees("No local server")
        await mia.presses("3")
        await mia.writes(f"{judge_server.url}#scripted-1")
        await mia.presses("enter")
        await mia.comes_to(LibraryScreen)
        assert mia.keys <= 3
    async with reviewer(TurnwiseApp(filled)) as mia:
        await mia.does("judge")
        await mia.comes_to(JudgeDialog)
        await mia.sees("scripted-1")
        await mia.presses("1")
        await mia.comes_to(LibraryScreen)
        assert mia.keys <= 2
        assert mia.app.judge.settings is not None
        assert mia.app.judge.settings.base_url == judge_server.url


async def test_all_that_is_listed_is_judged_in_two_keys(filled: Store, judge_server: JudgeServer) -> None:
    app = TurnwiseApp(filled)
    app.judge.take(ModelSettings(base_url=knows_manners(judge_server).url, model="scripted-1"))
    async with reviewer(app) as mia:
        await until(mia.pilot, lambda: sessions(app).count == 3)
        await mia.does("score")
        await mia.comes_to(ScoreDialog)
        await until(mia.pilot, lambda: app.screen.query_one(ChoiceList).option_count > 5)
        await mia.presses("enter")
        await until(mia.pilot, lambda: bool(filled.runs.all()) and not app.runs.under_way)
        assert mia.keys <= 2


async def test_a_criterion_is_written_and_tried_in_three_keys_and_tried_again_in_one(
    store: Store, judge_server: JudgeServer, folder: Path
) -> None:
    labelled(store, 20)
    app = TurnwiseApp(store)
    app.judge.take(ModelSettings(base_url=knows_manners(judge_server).url, model="scripted-1"))
    async with reviewer(app) as mia:
        await mia.does("criteria")
        await mia.comes_to(CriteriaScreen)
        await mia.sees("write the first one")
        await mia.does("new")
        await mia.sees("Stays polite")
        await mia.presses("ctrl+t")
        await until(mia.pilot, lambda: len(store.runs.all()) == 1 and not app.runs.under_way)
        await mia.sees("Tried on")
        assert mia.keys <= 3
        await mia.writes("x")
        await mia.presses("ctrl+t")
        await until(mia.pilot, lambda: len(store.runs.all()) == 2 and not app.runs.under_way)
        assert mia.keys <= 4


async def test_agreement_compare_and_a_pair_are_one_key_each(store: Store) -> None:
    two_targets(store, [(0.9, 0.2), (0.4, 0.8)])
    async with reviewer(TurnwiseApp(store)) as mia:
        await mia.does("agreement")
        await mia.comes_to(AgreementScreen)
        assert mia.keys == 1
        await mia.presses("1")
        await mia.comes_to(LibraryScreen)
        mia.keys = 0
        await mia.does("compare")
        await mia.comes_to(CompareScreen)
        await mia.sees("2 cases in both")
        assert mia.keys == 1
        await mia.does("open")
        await mia.comes_to(PairScreen)
        assert mia.keys == 2


async def test_an_exchange_is_recorded_in_five_keys(store: Store, judge_server: JudgeServer) -> None:
    judge_server.script(streams("Good morning"))
    async with reviewer(TurnwiseApp(store)) as mia:
        await mia.does("record")
        await mia.comes_to(TalkDialog)
        await mia.sees("No ")
        await mia.writes(judge_server.url)
        await mia.presses("enter")
        await mia.comes_to(RecordScreen)
        await mia.sees("Nothing is said yet")
        await mia.writes("Hello")
        await mia.presses("enter")
        await mia.sees("Good morning")
        assert mia.keys <= 5


async def test_a_replay_is_one_key_and_an_export_two(filled: Store, folder: Path) -> None:
    async with reviewer(TurnwiseApp(filled)) as mia:
        await until(mia.pilot, lambda: sessions(mia.app).count == 3)
        await mia.does("replay")
        await mia.comes_to(ReplayScreen)
        assert mia.keys <= 1
        await mia.presses("escape")
        await mia.comes_to(LibraryScreen)
        mia.keys = 0
        await mia.does("export")
        await mia.comes_to(ExportDialog)
        await mia.presses("enter")
        await mia.comes_to(LibraryScreen)
        await until(mia.pilot, lambda: len(list(folder.iterdir())) == 2)
        assert mia.keys <= 2
