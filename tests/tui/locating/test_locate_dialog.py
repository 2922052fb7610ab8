"""`@` in the workbench and in a review: from which turn on a session is lost, told, searched and gone to."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from judge_server import JudgeServer, Request, Step, hangs, says
from judged import judge_at
from reviewing import told
from stored import keep
from textual.pilot import Pilot
from tui_driver import until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import parse_criteria
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics.lost_turn_details import curve_of
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.scoring.scoring import score_sessions
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.criteria.criteria_screen import CriteriaScreen
from turnwise.tui.locating.locate_dialog import LocateDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings

POLITE = "name: Polite\ncriteria: Stays polite.\nsteps:\n  - Read it.\nthreshold: 0.7\n"
TALK = ("Hi", "Hello.", "And?", "You are a nuisance.", "Really?", "Yes.", "Bye", "Bye.")


def by_manners(request: Request) -> Step:
    """Score what holds a rude reply low, and name no turn."""
    rude = "nuisance" in request.text
    return says({"reason": "It is rude." if rude else "Kind.", "turns": [], "score": 1 if rude else 9})


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "polite.yaml").write_text(POLITE)
    return tmp_path


async def judged(store: Store, server: JudgeServer, *talks: tuple[str, ...]) -> list[int]:
    """Store talks that the judge has scored by the criterion."""
    server.default = by_manners
    ids = [keep(store, *talk, name=f"talk {number}") for number, talk in enumerate(talks)]
    metric = parse_criteria(POLITE, Path("polite.yaml"))[0].metric()
    async with judge_at(server, StoredCallBook(store), model="scripted-1") as judge:
        async for _ in score_sessions(store, ids, [metric], judge):
            pass
    server.requests.clear()
    return ids


@asynccontextmanager
async def opened(
    store: Store, server: JudgeServer, *, model: str = "scripted-1", size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp]]:
    app = TurnwiseApp(store, settings=Settings(author="mia", blind=False))
    app.judge.take(ModelSettings(base_url=server.url, model=model))
    async with app.run_test(size=size) as pilot:
        yield pilot, app


@asynccontextmanager
async def in_workbench(
    store: Store, server: JudgeServer, *, model: str = "scripted-1", size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp]]:
    async with opened(store, server, model=model, size=size) as (pilot, app):
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen) and app.screen.item is not None)
        await pilot.press("at")
        await until(pilot, lambda: isinstance(app.screen, LocateDialog))
        yield pilot, app


async def test_the_workbench_tells_the_calls_searches_and_opens_the_turn(
    store: Store, judge_server: JudgeServer
) -> None:
    lost, _ = await judged(store, judge_server, TALK, ("Hi", "Hello."))
    async with in_workbench(store, judge_server) as (pilot, app):
        await until(pilot, lambda: "at most 2 calls of the judge “scripted-1”" in words_shown(app))
        words = words_shown(app)
        assert "The reply with the score names no turn for certain." in words
        assert "talk 0 not known yet" in words
        # Whose words these are is said, as the rest are the dialog's own.
        assert "reason: It is rude." in words
        assert "talk 1" not in words
        assert "enter look for it" in words
        assert judge_server.requests == []
        await pilot.press("enter")
        await until(pilot, lambda: "fails from turn 4" in words_shown(app))
        await until(pilot, lambda: "The turn is known in 1 of 1 session." in words_shown(app))
        assert "as of turn 8, fails from turn 4" in words_shown(app)
        assert len(judge_server.requests) <= 2
        await until(pilot, lambda: "enter go to turn" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        review = app.screen
        assert isinstance(review, ReviewScreen)
        await until(pilot, lambda: review.transcript.current is not None)
        assert review.session_id == lost
        assert review.transcript.current is not None
        assert review.transcript.current.number == 4


async def test_every_reply_is_judged_where_the_whole_curve_is_wanted(
    store: Store, judge_server: JudgeServer
) -> None:
    [lost] = await judged(store, judge_server, TALK)
    async with in_workbench(store, judge_server) as (pilot, app):
        await until(pilot, lambda: "at most 2 calls" in words_shown(app))
        # What the other way costs is told before it is chosen.
        await until(pilot, lambda: "z judge every reply, 3 calls" in words_shown(app))
        await pilot.press("z")
        await until(
            pilot, lambda: "Each reply is judged with all before it: at most 3 calls" in words_shown(app)
        )
        assert "z only the turn" in words_shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "The turn is known in 1" in words_shown(app))
    assert [turn for turn, _ in curve_of(store.scores.of(lost)[-1].details)] == [2, 4, 6, 8]
    assert len(judge_server.requests) == 3


async def test_what_is_known_is_gone_to_without_a_call(store: Store, judge_server: JudgeServer) -> None:
    await judged(store, judge_server, TALK)
    async with in_workbench(store, judge_server) as (pilot, app):
        await until(pilot, lambda: "at most 2 calls" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "The turn is known in 1" in words_shown(app))
        await pilot.press("escape")
        asked = len(judge_server.requests)
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen))
        await pilot.press("at")
        await until(pilot, lambda: "The turn is known. Nothing is left to ask." in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        assert len(judge_server.requests) == asked


async def test_escape_stops_the_search_and_a_second_one_leaves(
    store: Store, judge_server: JudgeServer
) -> None:
    await judged(store, judge_server, TALK, ("Hi", "A nuisance.", "And?", "No."))
    async with in_workbench(store, judge_server) as (pilot, app):
        await until(pilot, lambda: "Of 2 sessions that fail, the turn is known in 0" in words_shown(app))
        assert "enter look in 2 sessions" in words_shown(app)
        judge_server.default = lambda request: (
            hangs() if re.search("A nuisance", request.text) else by_manners(request)
        )
        await pilot.press("enter")
        await until(pilot, lambda: "searched: 1 of 2" in words_shown(app))
        await until(pilot, lambda: "esc stop" in words_shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Stopped. What was found is kept" in words_shown(app))
        assert "talk 0 fails from turn 4" in words_shown(app)
        assert "talk 1 not known yet" in words_shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen))


async def test_nothing_that_fails_is_said_and_nothing_is_asked(
    store: Store, judge_server: JudgeServer
) -> None:
    await judged(store, judge_server, ("Hi", "Hello."))
    async with in_workbench(store, judge_server) as (pilot, app):
        await until(pilot, lambda: "No session fails by the criterion as it stands" in words_shown(app))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, LocateDialog)
        assert judge_server.requests == []


async def test_another_judge_has_to_judge_the_whole_first(store: Store, judge_server: JudgeServer) -> None:
    await judged(store, judge_server, TALK)
    async with in_workbench(store, judge_server, model="scripted-2", size=(80, 24)) as (pilot, app):
        await until(pilot, lambda: "at most 3 calls of the judge “scripted-2”" in words_shown(app))


async def test_a_session_that_passes_now_has_no_turn_to_go_to(
    store: Store, judge_server: JudgeServer
) -> None:
    await judged(store, judge_server, TALK)
    judge_server.default = says({"reason": "Kind.", "turns": [], "score": 9})
    async with in_workbench(store, judge_server, model="scripted-2", size=(80, 24)) as (pilot, app):
        await until(pilot, lambda: "calls of the judge “scripted-2”" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "in 0 of 1 session. 1 pass now." in words_shown(app))
        assert "not located: it passes now" in words_shown(app)
        assert "go to turn" not in words_shown(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, LocateDialog)


async def test_a_judge_that_is_away_is_told(store: Store, judge_server: JudgeServer) -> None:
    await judged(store, judge_server, TALK)
    app = TurnwiseApp(store)
    app.judge.take(ModelSettings(base_url="http://127.0.0.1:9/v1", model="scripted-1", tries=1))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, CriteriaScreen) and app.screen.item is not None)
        await pilot.press("at")
        await until(pilot, lambda: "at most" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be reached" in words_shown(app))


async def test_a_review_finds_the_turn_of_its_session_and_goes_there(
    store: Store, judge_server: JudgeServer
) -> None:
    [lost] = await judged(store, judge_server, TALK)
    async with opened(store, judge_server) as (pilot, app):
        app.open_session(lost)
        await until(pilot, lambda: "1 of 1" in words_shown(app) and "Polite" in words_shown(app))
        review = app.screen
        assert isinstance(review, ReviewScreen)
        await pilot.press("at")
        await until(pilot, lambda: "at most 2 calls" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "fails from turn 4" in words_shown(app))
        await until(pilot, lambda: "enter go to turn" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is review)
        assert review.transcript.current is not None
        assert review.transcript.current.number == 4
        await until(pilot, lambda: "Lost from here on" in words_shown(app))


async def test_a_review_without_a_failing_criterion_says_so(store: Store, judge_server: JudgeServer) -> None:
    [kind] = await judged(store, judge_server, ("Hi", "Hello."))
    async with opened(store, judge_server) as (pilot, app):
        app.open_session(kind)
        await until(pilot, lambda: "1 of 1" in words_shown(app) and "Polite" in words_shown(app))
        await pilot.press("at")
        await until(pilot, lambda: any("No criterion of yours" in one for one in told(pilot)))


async def test_hidden_scores_stay_hidden(store: Store, judge_server: JudgeServer) -> None:
    [lost] = await judged(store, judge_server, TALK)
    app = TurnwiseApp(store, settings=Settings(author="mia", blind=True))
    async with app.run_test(size=(120, 40)) as pilot:
        app.open_session(lost)
        await until(pilot, lambda: "scores hidden" in words_shown(app))
        await pilot.press("at")
        await until(pilot, lambda: any("Not while the scores are hidden" in one for one in told(pilot)))
        assert isinstance(app.screen, ReviewScreen)
