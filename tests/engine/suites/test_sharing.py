"""Sharing a suite: several runs of it at once ask and keep each case once, and wait for nothing else."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, says
from waiting import until

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, TargetSpec
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.judge.judge import Judge
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.suites import sharing
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.running import run_suite
from turnwise.engine.suites.selecting import for_target

CASES = 80
TALK = "{% for c in _conversation %}{{ c.output }}{% endfor %}{{q}}"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "SECONDS_BETWEEN_LOOKS", 0.02)


def answers(request: Request) -> Step:
    if "response_format" in request.body:
        return says({"reason": "So it is.", "pass": True, "score": 1.0})
    return says(f"re {request.body['messages'][-1]['content']}")


@pytest.fixture
def server(judge_server: JudgeServer) -> JudgeServer:
    judge_server.default = answers
    return judge_server


def suite_of(folder: Path, count: int = CASES, prompt: str = "{{q}}", **config: Any) -> Suite:
    checks = [{"type": "contains", "value": "re"}, {"type": "llm-rubric", "value": "is polite"}]
    tests = [{"vars": {"q": f"question {number}"}, "assert": checks} for number in range(count)]
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": [prompt], "providers": ["echo"], "tests": tests, **config}))
    return load_suite(path)


async def ran(
    suite: Suite, store: Store, server: JudgeServer, model: str = "m", **rest: Any
) -> list[CaseRun]:
    """Run as another process does: with a connection, a chatbot and a judge of its own."""
    settings = ModelSettings(base_url=server.url, model=model)
    with Store.open(store.path) as own:
        book = StoredCallBook(own, anew=rest.get("again", False))
        async with (
            Judge(ModelSettings(base_url=server.url, model="judge"), book) as judge,
            Target(settings) as target,
            Answerer(target, environment={}) as answerer,
            aclosing(
                run_suite(for_target(suite, TargetSpec(id="mine")), answerer, judge=judge, store=own, **rest)
            ) as runs,
        ):
            return [run async for run in runs]


def rows(store: Store, table: str) -> int:
    with closing(sqlite3.connect(store.path)) as database, database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


@pytest.mark.parametrize("prompt", ["{{q}}", TALK], ids=["", "one conversation"])
@pytest.mark.parametrize("count", [1, 2, 4])
async def test_each_case_is_asked_judged_and_kept_once(tmp_path, store, server, count, prompt):
    suite = suite_of(tmp_path, CASES if prompt != TALK else 6, prompt)
    cases = len(suite.cases)
    found = await asyncio.gather(*(ran(suite, store, server) for _ in range(count)))
    assert len(server.requests) == 2 * cases
    assert rows(store, "answers") == cases
    assert rows(store, "scores") == 3 * cases
    assert [[run.result.word for run in runs] for runs in found] == [["pass"] * cases] * count
    assert sum(not run.kept for runs in found for run in runs) == cases
    assert [row.scores for row in store.runs.all()] == [3 * cases] * count
    assert rows(store, "claims") == rows(store, "claimants") == 0


async def test_runs_with_other_targets_do_not_wait_for_one_another(tmp_path, store, server):
    def hangs_for_one(request: Request) -> Step:
        return says("", wait=asyncio.Event()) if request.body["model"] == "one" else answers(request)

    server.default = hangs_for_one
    suite = suite_of(tmp_path)
    first = asyncio.create_task(ran(suite, store, server, "one"))
    await until(lambda: len(server.requests) >= 4)
    async with asyncio.timeout(60):
        assert len(await ran(suite, store, server, "two")) == CASES
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_a_run_that_waits_tells_and_stops_when_it_is_to(tmp_path, store, server):
    server.default = says("", wait=asyncio.Event())
    suite, stop = suite_of(tmp_path), asyncio.Event()
    first = asyncio.create_task(ran(suite, store, server))
    await until(lambda: len(server.requests) >= 4)
    told: list[int] = []

    def hear(groups: int) -> None:
        told.append(groups)
        stop.set()

    async with asyncio.timeout(60):
        assert await ran(suite, store, server, stop=stop, tell_of_others=hear) == []
    assert told[0] > 0
    assert told[-1] == 0
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_what_a_stopped_run_leaves_is_done_by_the_other(tmp_path, store, server):
    server.default = says("", wait=asyncio.Event())
    suite = suite_of(tmp_path)
    first = asyncio.create_task(ran(suite, store, server))
    await until(lambda: len(server.requests) >= 4)
    server.default = answers
    second = asyncio.create_task(ran(suite, store, server))
    await asyncio.sleep(0.3)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    async with asyncio.timeout(60):
        found = await second
    # Four of them at least had no answer yet.
    assert sum(not run.kept for run in found) >= 4
    assert len(found) == rows(store, "answers") == CASES
    assert rows(store, "scores") == 3 * CASES


async def test_runs_that_go_through_the_cases_in_other_orders_come_to_an_end(tmp_path, store, server):
    suite = suite_of(tmp_path)
    backwards = Suite(**{**_fields(suite), "cases": tuple(reversed(suite.cases))})
    async with asyncio.timeout(120):
        found = await asyncio.gather(*(ran(one, store, server) for one in (suite, backwards)))
    assert [len(runs) for runs in found] == [CASES] * 2
    assert len(server.requests) == 2 * CASES


def _fields(suite: Suite) -> dict[str, Any]:
    return {name: getattr(suite, name) for name in Suite.__dataclass_fields__}


async def test_again_asks_anew_whatever_others_do(tmp_path, store, server):
    suite = suite_of(tmp_path, 10)
    await asyncio.gather(*(ran(suite, store, server, again=True) for _ in range(2)))
    assert len(server.requests) == 40
