"""The runs screen: what ran and how it ended, and one key from there to its sessions or to going on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from judge_server import JudgeServer, hangs
from scored_sessions import NASTY, BareApp
from stored import failure, keep, land, score, skipped
from textual.pilot import Pilot
from tui_driver import press, settled, shown, until

from turnwise.conversations.store import AskedOfRun, Store
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.resuming import LeftOfRun
from turnwise.engine.scoring.scoring import score_sessions
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.compare.compare_screen import CompareScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.runs.runs_screen import RunsScreen
from turnwise.tui.shell.runs import ScoreRequest

WIDE, NARROW = (160, 50), (80, 24)


def a_run(
    store: Store, sessions: Sequence[int], values: Sequence[float], *, name: str = "", asked: int = 0
) -> int:
    """Keep a run of one metric; with `asked` it is unfinished, and was to judge so many sessions."""
    told = AskedOfRun(range(1, asked + 1)) if asked else None
    run = store.runs.begin(judge="judge-1", metrics=["politeness"], name=name, asked=told)
    for session, value in zip(sessions, values, strict=False):
        land(store, session, score(value, cost=0.5), run=run)
    if not asked:
        store.runs.finish(run)
    return run


@pytest.fixture
def ran(store: Store) -> Store:
    """Three runs over four sessions: one finished, one with a failure, one that was broken off."""
    sessions = [keep(store, f"question {number}", "answer", name=f"talk {number}") for number in range(4)]
    a_run(store, sessions, (0.9, 0.2, 0.8, 0.7), name="first try")
    run = store.runs.begin(judge="judge-2", metrics=["politeness", "warmth"])
    land(store, sessions[0], score(0.9), failure("warmth"), run=run)
    land(store, sessions[1], score(0.1), skipped("warmth"), run=run)
    store.runs.finish(run)
    a_run(store, sessions[:1], (0.9,), name="broken off", asked=4)
    return store


@asynccontextmanager
async def opened(
    store: Store, size: tuple[int, int] = NARROW
) -> AsyncIterator[tuple[RunsScreen, Pilot[int]]]:
    app = BareApp(store)
    async with app.run_test(size=size) as pilot:
        screen = RunsScreen()
        app.push_screen(screen)
        await settled(pilot)
        await until(pilot, lambda: all(one.figures is not None for one in screen.listed))
        yield screen, pilot


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_every_run_says_how_it_ended(ran: Store, size: tuple[int, int]) -> None:
    async with opened(ran, size) as (_, pilot):
        lines = shown(pilot.app).splitlines()
        broken_off = next(line for line in lines if "broken off" in line.partition("││")[0])
        assert "3 left: r goes on" in broken_off
        assert "1 not judged" in next(line for line in lines if "politeness +1" in line)
        finished = next(line for line in lines if "first try" in line)
        assert "75 %" in finished
        assert "finished" in finished
        assert "just now" in finished
        # A ✓ would say that it passed.
        assert "✓" not in finished


async def test_the_run_under_the_cursor_tells_its_metrics_and_what_it_cost(ran: Store) -> None:
    async with opened(ran) as (_, pilot):
        assert "unfinished: 3 of 4 left; r goes on" in shown(pilot.app)
        await until(pilot, lambda: "enter sessions   r go on" in shown(pilot.app))
        await press(pilot, "j")
        assert "1 not judged: r tries it again" in shown(pilot.app)
        await press(pilot, "j")
        await settled(pilot)
        text = shown(pilot.app)
        assert "run 1 · first try" in text
        # What the shades of the bars mean.
        assert "█ at least  ▓ found  ░ at most, 95 % sure" in text
        assert "cost: $2.00" in text


async def test_the_metrics_of_a_run_stand_with_the_worst_first(store: Store) -> None:
    session = keep(store, "question", "answer")
    run = store.runs.begin(judge="judge-1", metrics=["politeness", "warmth"])
    land(store, session, score(0.9), score(0.1, "warmth"), run=run)
    store.runs.finish(run)
    async with opened(store) as (_, pilot):
        lines = [line.strip() for line in shown(pilot.app).splitlines()]
        head = next(at for at, line in enumerate(lines) if line.startswith("worst first"))
        assert [line.split()[0] for line in lines[head + 1 : head + 3]] == ["warmth", "politeness"]


async def test_a_run_whose_sessions_were_forgotten_waits_for_no_outcome(store: Store) -> None:
    session = keep(store, "question", "answer")
    run = store.runs.begin(judge="judge-1", metrics=["politeness"])
    land(store, session, score(0.9), run=run)
    store.runs.finish(run)
    store.forgetting.forget([session])
    async with opened(store, WIDE) as (_, pilot):
        await until(pilot, lambda: "no outcome is left" in shown(pilot.app))
        assert "no outcome yet" not in shown(pilot.app)


async def test_a_run_without_a_judge_says_how_much_was_skipped_for_it(store: Store) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    for names in (["role_adherence"], ["role_adherence", "repetition"]):
        metrics = [make_metric(name) for name in names]
        assert [one async for one in score_sessions(store, sessions, metrics, None)]
    async with opened(store, WIDE) as (_, pilot):
        await until(
            pilot, lambda: "3 skipped: their metrics need a judge, and there was none" in shown(pilot.app)
        )
        await press(pilot, "j")
        told = "3 skipped: role adherence needs a judge, and there was none"
        await until(pilot, lambda: told in shown(pilot.app))
        assert "no outcome yet" not in shown(pilot.app)


async def test_a_run_that_was_judged_again_says_that_its_sessions_are_listed_with_newer_scores(
    ran: Store,
) -> None:
    async with opened(ran) as (_, pilot):
        assert "Lists have" not in shown(pilot.app)
        await press(pilot, "j", "j")
        await settled(pilot)
        told = "Lists have the scores of run 3, which judged some of these sessions later"
        await until(pilot, lambda: told in " ".join(shown(pilot.app).split()))


async def test_a_run_of_other_sessions_by_the_same_metrics_judged_nothing_again(store: Store) -> None:
    first, second = (keep(store, f"question {number}", "answer") for number in range(2))
    for session in (first, second):
        land(store, session, score(0.9, "warmth"))
    assert store.run_outcomes.judged_again(1) is None
    land(store, first, score(0.8, "warmth"))
    assert store.run_outcomes.judged_again(1) == 3
    assert store.run_outcomes.judged_again(2) is None


async def test_enter_lists_the_sessions_of_a_run_in_the_library(ran: Store) -> None:
    app = TurnwiseApp(ran)
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count)
        await pilot.press("7")
        await until(pilot, lambda: isinstance(app.screen, RunsScreen) and app.screen.current is not None)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 2)
        assert app.screen.asked == "run:2"


async def test_two_chosen_runs_are_compared_the_older_one_first(ran: Store) -> None:
    async with opened(ran) as (_, pilot):
        await press(pilot, "j", "space", "j", "space", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, lambda: "2 cases in both" in shown(pilot.app))
        assert "A  run 1 · first try" in shown(pilot.app)
        assert "B  run 2" in shown(pilot.app)


async def test_a_run_is_compared_with_the_one_before_it_by_one_key(ran: Store) -> None:
    async with opened(ran) as (screen, pilot):
        assert screen.compared == (2, 3)
        await press(pilot, "j", "C")
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen))
        await until(pilot, lambda: "2 cases in both" in shown(pilot.app))
        assert "A  run 1 · first try" in shown(pilot.app)


async def test_what_is_compared_follows_the_choice_and_the_metrics(ran: Store) -> None:
    ran.runs.finish(ran.runs.begin(judge="judge-1", metrics=["another"]))
    async with opened(ran) as (screen, pilot):
        # No earlier run judged by the metric of the newest one.
        assert screen.compared is None
        assert screen.check_action("compare", ()) is False
        await press(pilot, "j", "space", "j", "j")
        assert screen.compared == (1, 3)
        await press(pilot, "space", "k", "k", "k")
        assert screen.compared == (1, 3)


async def test_of_three_chosen_the_first_is_left(ran: Store) -> None:
    async with opened(ran) as (screen, pilot):
        await press(pilot, "space", "j", "space", "j", "space")
        assert screen.chosen == [2, 1]


async def test_a_run_gets_a_name(ran: Store) -> None:
    async with opened(ran) as (_, pilot):
        await press(pilot, "E")
        await until(pilot, lambda: isinstance(pilot.app.screen, NamingDialog))
        await press(pilot, "ctrl+u", *"again", "enter")
        await until(pilot, lambda: "again" in shown(pilot.app))
        assert ran.runs.get(3).name == "again"


async def test_what_cannot_be_gone_on_with_says_why(ran: Store) -> None:
    async with opened(ran) as (_, pilot):
        await press(pilot, "r")
        await until(pilot, lambda: any("Run 3 used" in one.title for one in pilot.app._notifications))
        assert ran.runs.get(3).finished_at is None


async def test_without_a_run_it_says_what_to_do(store: Store) -> None:
    async with opened(store) as (_, pilot):
        text = shown(pilot.app)
        assert "No runs yet." in text
        assert "Press r in the library" in text


async def test_a_name_is_never_obeyed(store: Store) -> None:
    a_run(store, [keep(store)], (0.5,), name=NASTY)
    async with opened(store, WIDE) as (_, pilot):
        assert "\x1b" not in shown(pilot.app)
        assert "[red]x[/]" in shown(pilot.app)


async def test_r_judges_what_is_left_as_a_part_of_the_run(store: Store) -> None:
    sessions = [keep(store, f"question {number}", "answer") for number in range(3)]
    run = store.runs.begin(judge="none", metrics=["repetition"], asked=AskedOfRun(sessions))
    async with opened(store) as (_, pilot):
        await press(pilot, "r")
        await until(pilot, lambda: store.runs.get(run).finished_at is not None)
        await until(pilot, lambda: "finished" in shown(pilot.app))
        assert store.runs.get(run).scores == 3
        assert len(store.runs.all()) == 1


async def test_an_older_run_that_is_gone_on_with_is_the_one_under_way(
    ran: Store, judge_server: JudgeServer
) -> None:
    sessions = ran.sessions.ids()
    old = ran.runs.begin(judge="none", metrics=["repetition"], asked=AskedOfRun(sessions))
    new = ran.runs.begin(judge="none", metrics=["repetition"], asked=AskedOfRun(sessions))
    judge_server.default = hangs()
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    async with opened(ran) as (screen, pilot):
        left = LeftOfRun(ran.runs.get(old), sessions, [make_metric("answer_relevancy")])
        screen.shell.runs.start(left, judge)
        await press(pilot, "j")
        screen._read()
        await settled(pilot)
        assert {one.run.id: one.ending for one in screen.listed}[old] == "under way"
        assert {one.run.id: one.ending for one in screen.listed}[new] == "unfinished"
        await screen.shell.runs.stop()


async def test_a_run_that_was_broken_off_before_is_not_the_one_under_way(
    ran: Store, judge_server: JudgeServer
) -> None:
    judge_server.default = hangs()
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    async with opened(ran) as (screen, pilot):
        screen.shell.runs.start(ScoreRequest(ran.sessions.ids(), [make_metric("answer_relevancy")]), judge)
        await until(pilot, lambda: len(ran.runs.all()) == 4)
        screen._read()
        await settled(pilot)
        assert [one.ending for one in screen.listed][:2] == ["under way", "unfinished"]
        await screen.shell.runs.stop()


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_run_under_way_tells_in_its_row_how_far_it_is(
    ran: Store, judge_server: JudgeServer, size: tuple[int, int]
) -> None:
    judge_server.default = hangs()
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    async with opened(ran, size) as (screen, pilot):
        screen.shell.runs.start(ScoreRequest(ran.sessions.ids(), [make_metric("answer_relevancy")]), judge)
        await until(pilot, lambda: len(ran.runs.all()) == 4)
        screen._read()
        await settled(pilot)
        row = next(line for line in shown(pilot.app).splitlines() if "▸" in line)
        assert "0 of 4" in row
        assert ("scoring 0 of 4" in row) is (size == WIDE)
        # Nothing is known of what it judges before the first outcome.
        assert "0 sessions" not in shown(pilot.app)
        screen.table.move_cursor(0)
        await until(pilot, lambda: "it judges by answer relevancy" in shown(pilot.app))
        # The line of places counts it too.
        await until(pilot, lambda: screen.shell.places.counts.get("runs") == 4)
        await screen.shell.runs.stop()


async def test_a_short_list_leaves_the_rest_of_the_height_to_the_details(ran: Store) -> None:
    async with opened(ran, NARROW) as (screen, pilot):
        low = screen.table.size.height
        assert low < 6
        for number in range(12):
            a_run(ran, [1], (0.5,), name=f"more {number}")
        screen.on_screen_resume()
        await until(pilot, lambda: screen.table.count == 15 and screen.table.size.height > low)


async def test_bars_take_the_room_that_only_what_was_not_judged_needs(ran: Store) -> None:
    async with opened(ran, (230, 50)) as (_, pilot):

        def share_at() -> int:
            [head] = [line for line in shown(pilot.app).splitlines() if "passes (interval)" in line]
            return head.index("passes (interval)")

        await press(pilot, "j")
        with_failures = share_at()
        await press(pilot, "j")
        await settled(pilot)
        assert share_at() > with_failures


async def test_it_is_told_of_which_scores_the_share_of_a_run_is(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    a_run(store, [first, second], (0.9, 0.2), name="two")
    async with opened(store, NARROW) as (_, pilot):
        await until(pilot, lambda: "passes 50 %: 1 of all 2 scores of the run" in shown(pilot.app))
