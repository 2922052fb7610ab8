"""`T` beside a judge: what a trial asks, the trial, and the certificates that were kept before."""

from __future__ import annotations

import re
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from judge_server import JudgeServer, Request, Step, hangs
from stand_in_judges import civil, constant, honest
from textual.pilot import Pilot
from tui_driver import until, words_shown

from turnwise.conversations.store import Store
from turnwise.engine.certifying.certificate import JudgeCertificate
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.judging.judge_dialog import JudgeDialog
from turnwise.tui.judging.trial_dialog import TrialDialog
from turnwise.tui.library.library_screen import LibraryScreen


@asynccontextmanager
async def trying(
    store: Store, server: JudgeServer, size: tuple[int, int] = (120, 50), **settings: object
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp]]:
    app = TurnwiseApp(store)
    app.judge.take(ModelSettings(base_url=server.url, model="scripted-1", **settings))  # type: ignore[arg-type]
    async with app.run_test(size=size) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "T try it" in words_shown(app))
        await pilot.press("T")
        await until(
            pilot,
            lambda: isinstance(app.screen, TrialDialog) and "No trial makes more than" in words_shown(app),
        )
        yield pilot, app


def kept(store: Store, judge: ModelSettings, *, made_at: float, answered_as: str = "scripted-1") -> None:
    found = JudgeCertificate(
        judge=judge.model,
        answered_as=(answered_as,),
        fingerprint=judge.fingerprint,
        made_at=made_at,
        replies=8,
        calls=90,
        figures=(),
        biases=(),
    )
    store.certificates.add(
        judge=found.judge, fingerprint=found.fingerprint, made_at=found.made_at, data=found.data()
    )


async def test_it_tells_what_it_asks_holds_the_trial_and_keeps_the_certificate(
    filled: Store, judge_server: JudgeServer
) -> None:
    judge_server.default = honest(civil)
    async with trying(filled, judge_server) as (pilot, app):
        words = words_shown(app)
        assert "What sways the judge “scripted-1”?" in words
        assert "No trial makes more than 300 calls." in words
        # What the judge is told to say is no order: that is how sentences follow each other.
        assert "another order, an instruction planted" in words
        assert "Nothing of it becomes a score" in words
        assert judge_server.requests == []
        await pilot.press("enter")
        await until(pilot, lambda: "Trial of scripted-1" in words_shown(app))
        words = words_shown(app)
        assert "No bias found." in words
        assert "moved when asked again" in words
        assert "█ at least" in words
        assert 0 < len(judge_server.requests) <= 300
        [one] = filled.certificates.all()
        assert one.data["biases"] == []
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog))
        assert "no bias found" in words_shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: "tried: no bias found" in words_shown(app))
    assert filled.scores.newest_id() == 0


async def test_a_bias_is_told_and_the_title_counts_it(filled: Store, judge_server: JudgeServer) -> None:
    judge_server.default = constant(10)
    async with trying(filled, judge_server) as (pilot, app):
        await pilot.press("enter")
        await until(pilot, lambda: "✗ The judge passes everything" in words_shown(app))
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "tried: 2 biases" in words_shown(app))


async def test_escape_ends_the_trial_and_keeps_what_was_answered(
    filled: Store, judge_server: JudgeServer
) -> None:
    judge, asked, lock = honest(civil), 0, threading.Lock()

    def soon_hangs(request: Request) -> Step:
        nonlocal asked
        with lock:
            asked += 1
        return judge(request) if asked <= 30 else hangs()

    judge_server.default = soon_hangs
    async with trying(filled, judge_server) as (pilot, app):
        await pilot.press("enter")
        await until(pilot, lambda: "answered 30 of" in words_shown(app))
        assert re.search(r"answered 30 of \d+, [\d.]+/(s|min)", words_shown(app))
        assert "esc stop" in words_shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: "It was ended early, after 30 of at most 300 calls" in words_shown(app))
        assert isinstance(app.screen, TrialDialog)
        assert "no bias found in 30 calls, as it was ended early" in words_shown(app)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: "tried in part" in words_shown(app))
    [one] = filled.certificates.all()
    assert one.data["stopped"] is True


async def test_what_was_never_answered_leaves_no_certificate(
    filled: Store, judge_server: JudgeServer
) -> None:
    judge_server.default = hangs()
    async with trying(filled, judge_server) as (pilot, app):
        await pilot.press("enter")
        await until(pilot, lambda: "answered 0 of" in words_shown(app) and judge_server.requests)
        await pilot.press("escape")
        await until(pilot, lambda: "Nothing of it becomes a score" in words_shown(app))
        assert isinstance(app.screen, TrialDialog)
        await until(pilot, lambda: "enter begin" in words_shown(app))
    assert filled.certificates.all() == []


async def test_no_letter_of_a_certificate_stands_below_the_scroll_bar(
    filled: Store, judge_server: JudgeServer
) -> None:
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    kept(filled, judge, made_at=1.7e9, answered_as="a" * 1_000)
    async with trying(filled, judge_server, size=(80, 24)) as (pilot, app):
        await pilot.press("j")
        await until(pilot, lambda: "aaa" in words_shown(app))
        view = app.screen.query_one(LinesView)
        await until(pilot, lambda: view.show_vertical_scrollbar)
        widest = max(sum(segment.cell_length for segment in line) for line in view.lines)
        assert widest <= view.scrollable_content_region.width


async def test_earlier_certificates_are_listed_with_their_dates_and_read(
    filled: Store, judge_server: JudgeServer
) -> None:
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    other = ModelSettings(base_url=judge_server.url, model="another")
    kept(filled, judge, made_at=1.7e9)
    kept(filled, judge, made_at=1.79e9)
    kept(filled, other, made_at=1.6e9)
    async with trying(filled, judge_server, size=(80, 24)) as (pilot, app):
        words = words_shown(app)
        assert "Sep 2026" in words
        assert "Nov 2023" in words
        assert "Other judges" in words
        assert re.search(r"another, \d\d Sep 2020", words)
        await pilot.press("j", "j")
        await until(pilot, lambda: "Trial of scripted-1, 14 Nov 2023" in words_shown(app))
        assert "8 replies, 90 calls" in words_shown(app)
        # Enter on a certificate asks nothing.
        await pilot.press("enter")
        await pilot.pause()
        assert judge_server.requests == []


async def test_a_judge_that_is_away_is_told(filled: Store, judge_server: JudgeServer) -> None:
    async with trying(filled, judge_server, tries=1) as (pilot, app):
        await judge_server.close()
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be reached" in words_shown(app))
        assert isinstance(app.screen, TrialDialog)
    assert filled.certificates.all() == []


async def test_what_is_no_judge_is_not_tried(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("L")
        await until(pilot, lambda: isinstance(app.screen, JudgeDialog) and "another" in words_shown(app))
        await pilot.press("end")
        await until(pilot, lambda: "T try it" not in words_shown(app))
        await pilot.press("T")
        await pilot.pause()
        assert isinstance(app.screen, JudgeDialog)
