from __future__ import annotations

import asyncio

from judge_server import JudgeServer, hangs

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
    while not judge_server.requests:
        await asyncio.sleep(0.01)
    await runs.stop()
    assert states[-1].over
    assert states[-1].stopped
    assert not runs.under_way
    runs.start(request, None)
    while runs.under_way:
        await asyncio.sleep(0.01)
    assert states[-1].over
    assert states[-1].skipped == 3
