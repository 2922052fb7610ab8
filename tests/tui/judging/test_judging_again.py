"""Judging again in the app: what another judge finds, beside what stood there before."""

from __future__ import annotations

import pytest
from judge_server import JudgeServer, hangs, refuses
from stored import land, score
from textual.pilot import Pilot
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.judging.rejudged_dialog import RejudgedDialog
from turnwise.tui.judging.rejudging_request import RejudgedRun
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings
from turnwise.tui.shell.runs import ScoreRequest

SIZES = [(80, 24), (160, 50)]
ROLE = make_metric("role_adherence")


def at(server: JudgeServer, model: str) -> ModelSettings:
    return ModelSettings(base_url=server.url, model=model)


@pytest.fixture
def seeing(filled: Store) -> TurnwiseApp:
    """The app of somebody who labels with the scores in sight."""
    return TurnwiseApp(filled, settings=Settings(blind=False))


async def judged_once(app: TurnwiseApp, pilot: Pilot[int], server: JudgeServer, session: int) -> None:
    app.judge.take(at(server, "one"))
    app.runs.start(ScoreRequest([session], [ROLE]), app.judge.settings)
    await until(pilot, lambda: not app.runs.under_way)
    app.clear_notifications()


async def dialog_opens(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await until(
        pilot,
        lambda: isinstance(app.screen, ScoreDialog) and app.screen.query_one(ChoiceList).option_count > 5,
    )


@pytest.mark.parametrize("size", SIZES)
async def test_a_review_shows_what_another_judge_finds_beside_what_was_found(
    seeing: TurnwiseApp, filled: Store, judge_server: JudgeServer, size: tuple[int, int]
) -> None:
    app = seeing
    session = filled.sessions.ids()[0]
    async with app.run_test(size=size) as pilot:
        await judged_once(app, pilot, judge_server, session)
        app.open_session(session)
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and session in app.seen)
        app.judge.take(at(judge_server, "two"))
        await pilot.press("f5")
        await dialog_opens(app, pilot)
        assert "again, and show what changes" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RejudgedDialog) and "judge one → two" in shown(app))
        words = shown(app)
        assert "role adherence" in words
        assert "was" in words
        assert "now" in words
        assert "Compared with what was found before:" in words_shown(app)
        assert session in app.sights
        # By the same judge once more nobody is asked, and it says so.
        asked = len(judge_server.requests)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("f5")
        await dialog_opens(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RejudgedDialog) and "as before" in shown(app))
        assert "1 kept from an earlier run" in words_shown(app)
        assert len(judge_server.requests) == asked


async def test_the_library_ticks_what_some_of_the_sessions_have_scores_of(
    app: TurnwiseApp, filled: Store
) -> None:
    land(filled, filled.sessions.ids()[1], score(0.4, metric="turn_relevancy"))
    app.used.metrics(["role_adherence"])
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "space", "f5")
        await dialog_opens(app, pilot)
        assert "Score 2 sessions again" in shown(app)
        assert "✓  turn relevancy" in shown(app)
        assert shown(app).count("✓  ") == 1
        assert "2 to score; only another judge (L) or a changed criterion is asked anew." in words_shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert filled.sessions.metrics() == ["turn_relevancy"]


async def test_what_has_no_scores_is_not_scored_again(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f5")
        words = "This session has no scores to compare with. r judges it."
        await until(pilot, lambda: any(words in one.message for one in app._notifications))
        assert isinstance(app.screen, LibraryScreen)


async def test_hidden_scores_stay_hidden(app: TurnwiseApp, filled: Store, judge_server: JudgeServer) -> None:
    session = filled.sessions.ids()[0]
    async with app.run_test(size=(80, 24)) as pilot:
        await judged_once(app, pilot, judge_server, session)
        app.open_session(session)
        await until(pilot, lambda: "scores hidden" in shown(app))
        await pilot.press("f5")
        await until(
            pilot, lambda: any("Not while the scores are hidden" in one.message for one in app._notifications)
        )
        assert isinstance(app.screen, ReviewScreen)


async def test_what_could_not_be_judged_is_told_beside_what_stood_before(
    seeing: TurnwiseApp, filled: Store, judge_server: JudgeServer
) -> None:
    app = seeing
    session = filled.sessions.ids()[0]
    async with app.run_test(size=(120, 40)) as pilot:
        await judged_once(app, pilot, judge_server, session)
        judge_server.default = refuses(401, "no such key")
        app.open_session(session)
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and session in app.seen)
        app.judge.take(at(judge_server, "two"))
        await pilot.press("f5")
        await dialog_opens(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RejudgedDialog) and "not judged" in shown(app))
        assert "! not judged" in words_shown(app)


async def test_a_run_that_is_stopped_opens_nothing(
    seeing: TurnwiseApp, filled: Store, judge_server: JudgeServer
) -> None:
    app = seeing
    session = filled.sessions.ids()[0]
    async with app.run_test(size=(120, 40)) as pilot:
        await judged_once(app, pilot, judge_server, session)
        app.open_session(session)
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and session in app.seen)
        judge_server.default = hangs()
        app.judge.take(at(judge_server, "two"))
        await pilot.press("f5")
        await dialog_opens(app, pilot)
        await pilot.press("enter")
        await until(pilot, lambda: app.runs.under_way and isinstance(app.screen, ReviewScreen))
        # Stopped before its end: what it scored is kept, and no dialog opens.
        await pilot.press("x")
        await until(pilot, lambda: not app.runs.under_way)
        assert isinstance(app.screen, ReviewScreen)


def test_the_words_tell_what_is_kept_and_what_is_hidden() -> None:
    assert RejudgedRun([], 0, 2).words.endswith(
        "2 more hidden: their sessions wait in a queue for your label."
    )
