from __future__ import annotations

import asyncio
import threading

import pytest
from judge_server import JudgeServer, hangs
from judged import answers_all
from waiting import until

from turnwise.conversations.store import Store
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.shell.runs import Runs, RunState, ScoreRequest


async def test_a_stopped_run_tells_so_and_another_can_begin(filled: Store, judge_server: JudgeServer) -> None:
    judge_server.default = hangs()
    states: list[RunState] = []
    runs = Runs(filled, states.append)
    request = ScoreRequest(filled.sessions.ids(), [make_metric("role_adherence")])
    runs.start(request, ModelSettings(base_url=judge_server.url, model="scripted-1"))
    await until(lambda: judge_server.requests)
    await runs.stop()
    assert states[-1].over
    assert states[-1].stopped
    assert not runs.under_way
    runs.start(request, None)
    await until(lambda: not runs.under_way)
    assert states[-1].over
    assert states[-1].skipped == 3


async def test_it_tells_what_another_run_is_judging(filled: Store, judge_server: JudgeServer) -> None:
    judge_server.default = hangs()
    judge = ModelSettings(base_url=judge_server.url, model="scripted-1")
    request = ScoreRequest(filled.sessions.ids(), [make_metric("knowledge_retention")])
    first, states = Runs(filled, lambda state: None), list[RunState]()
    first.start(request, judge)
    async with asyncio.timeout(60):
        # What the first has not begun yet, the second would ask of a judge that never answers.
        await until(lambda: len(judge_server.requests) == request.units)
        asked = len(judge_server.requests)
        second = Runs(filled, states.append)
        second.start(request, judge)
        await until(lambda: any(state.by_others for state in states))
        assert "being judged by another run" in next(state.line() for state in states if state.by_others)
        judge_server.default = answers_all
        await first.stop()
        await until(lambda: not second.under_way)
    assert states[-1].by_others == 0
    assert len(judge_server.requests) >= 2 * asked


async def test_what_scores_is_loaded_while_the_screen_goes_on(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loading: list[threading.Thread] = []
    monkeypatch.setattr(
        "turnwise.tui.shell.runs.import_module", lambda name: loading.append(threading.current_thread())
    )
    states: list[RunState] = []
    runs = Runs(filled, states.append)
    runs.start(ScoreRequest(filled.sessions.ids(), [make_metric("repetition")]), None)
    assert [state.done for state in states] == [0]
    await until(lambda: not runs.under_way)
    assert loading
    assert threading.main_thread() not in loading
    assert states[-1].done == 3
