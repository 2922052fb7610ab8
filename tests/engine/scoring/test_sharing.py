"""Sharing: what another run judges is left to the end; its outcomes then count, and the rest is judged."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import aclosing, closing

import pytest
from judge_server import JudgeServer, refuses, says
from judged import answers_all, judge_at
from stored import keep
from waiting import until

from turnwise.conversations import Failure
from turnwise.conversations.errors import BudgetSpentError
from turnwise.conversations.store import Store
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.metrics import ContainsMetric, RoleAdherenceMetric
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.scoring import claiming, sharing
from turnwise.engine.scoring.scoring import Scored, score_sessions

METRIC = RoleAdherenceMetric()
ODD = re.compile(r"question \d?[38]\b")


@pytest.fixture
def server(judge_server: JudgeServer) -> JudgeServer:
    judge_server.default = answers_all
    return judge_server


@pytest.fixture
def sessions(store: Store) -> list[int]:
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(40)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "SECONDS_BETWEEN_LOOKS", 0.02)


async def run(store: Store, server: JudgeServer, sessions: list[int], **options) -> list[Scored]:
    """Score as another process does: with a connection and a judge of its own."""
    settings = {"concurrency": 2, **options.pop("settings", {})}
    metrics: list[Metric] = options.pop("metrics", [METRIC])
    anew = options.get("again", False)
    with Store.open(store.path) as own:
        async with (
            judge_at(server, StoredCallBook(own, anew=anew), **settings) as judge,
            aclosing(score_sessions(own, sessions, metrics, judge, **options)) as outcomes,
        ):
            return [scored async for scored in outcomes]


def rows(store: Store, table: str = "scores") -> int:
    with closing(sqlite3.connect(store.path)) as database, database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


@pytest.mark.parametrize("runs", [1, 2, 4])
@pytest.mark.parametrize("options", [{}, {"again": True}], ids=["", "again"])
async def test_several_runs_at_once_ask_and_keep_each_unit_once(store, server, sessions, runs, options):
    found = await asyncio.gather(*(run(store, server, sessions, **options) for _ in range(runs)))
    assert len(server.requests) == rows(store, "calls") == rows(store) == 40
    assert [len(scored) for scored in found] == [40] * runs
    assert sum(not one.kept for scored in found for one in scored) == 40
    # All of it belongs to every run.
    assert [row.scores for row in store.runs.all()] == [40] * runs
    assert rows(store, "claims") == rows(store, "claimants") == 0


async def test_checks_without_a_judge_are_kept_once_too(store, sessions):
    async def check() -> list[Scored]:
        with Store.open(store.path) as own:
            checks = [ContainsMetric(text="answer"), ContainsMetric(text="other", name="other")]
            return [one async for one in score_sessions(own, sessions, checks, None)]

    await asyncio.gather(*(check() for _ in range(3)))
    assert rows(store) == 80
    assert [row.scores for row in store.runs.all()] == [80] * 3


async def test_another_threshold_is_an_outcome_of_its_own_but_no_second_call(store, server, sessions):
    strict = [RoleAdherenceMetric(threshold=0.9)]
    await asyncio.gather(run(store, server, sessions), run(store, server, sessions, metrics=strict))
    assert len(server.requests) == 40
    assert rows(store) == 80


async def test_a_failure_of_another_run_counts_and_is_not_tried_again_at_once(store, server, sessions):
    # Every fifth is refused: a run that meets nothing but refusals for long stops, and here none shall.
    def refuses_some(request):
        return refuses(400, "too odd for me") if ODD.search(request.text) else answers_all(request)

    server.default = refuses_some
    found = await asyncio.gather(*(run(store, server, sessions) for _ in range(2)))
    failed = [[one for one in scored if isinstance(one.outcome, Failure)] for scored in found]
    assert [len(one) for one in failed] == [8, 8]
    assert len(server.requests) == rows(store) == 40
    server.default = answers_all
    await run(store, server, sessions)
    assert len(server.requests) == 40 + 8


async def test_what_is_waited_for_is_told(store, server, sessions):
    held = asyncio.Event()
    server.default = lambda request: says({"turn_2": {"reason": "r", "verdict": "yes"}}, wait=held)
    first = asyncio.create_task(run(store, server, sessions[:4]))
    await until(lambda: len(server.requests) >= 2)
    told: list[int] = []

    def hear(units: int) -> None:
        told.append(units)
        held.set()

    second = await run(store, server, sessions[:4], tell_of_others=hear)
    assert told[0] == 4
    assert told[-1] == 0
    assert [one.kept for one in second] == [True] * 4
    await first
    assert len(server.requests) == 4


async def test_what_a_stopped_run_leaves_is_judged_by_the_other(store, server, sessions):
    server.default = says({}, wait=asyncio.Event())
    first = asyncio.create_task(run(store, server, sessions))
    await until(lambda: len(server.requests) >= 2)
    server.default = answers_all
    second = asyncio.create_task(run(store, server, sessions))
    await until(lambda: rows(store) >= 36)
    assert not second.done()
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    async with asyncio.timeout(claiming.SECONDS_BETWEEN_RENEWALS * 10):
        found = await second
    assert len(found) == rows(store) == 40
    assert not any(one.kept for one in found)


async def test_a_run_that_is_out_of_money_waits_for_nobody(store, server, sessions):
    server.default = says({}, wait=asyncio.Event())
    first = asyncio.create_task(run(store, server, sessions[:4]))
    await until(lambda: len(server.requests) >= 2)
    server.default = answers_all
    # One of its workers waits for the other run, as the last one meets the end of the budget.
    settings = {"price": (1.0, 1.0), "budget": 2 * 110e-6, "concurrency": 1}
    async with asyncio.timeout(30):
        with pytest.raises(BudgetSpentError):
            await run(store, server, sessions[:7], settings=settings)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert rows(store, "claims") == 0


async def test_a_run_that_was_taken_for_dead_keeps_nothing_twice(store, server, sessions, monkeypatch):
    held = asyncio.Event()
    server.default = lambda request: says({"turn_2": {"reason": "r", "verdict": "yes"}}, wait=held)
    first = asyncio.create_task(run(store, server, sessions[:3]))
    await until(lambda: len(server.requests) >= 2)
    with closing(sqlite3.connect(store.path)) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM claimants")
    server.default = answers_all
    assert len(await run(store, server, sessions[:3])) == 3
    held.set()
    assert len(await first) == 3
    assert rows(store) == 3
    assert [row.scores for row in store.runs.all()] == [3, 3]
