from __future__ import annotations

import asyncio

import pytest

from judge_server import JudgeServer, hangs
from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.conversations.store import Store
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.scoring import Scored
from turnwise.tui.runs import Runs, RunState, ScoreRequest, duration, pace_text


def test_outcomes_are_counted_apart() -> None:
    state = RunState(expected=4)
    for outcome in (
        Score(metric="m", reason="", score=0.9, threshold=0.5),
        Score(metric="m", reason="", score=0.1, threshold=0.5),
        Failure(metric="m", reason="away"),
        Skipped(metric="m", reason="no judge"),
    ):
        state = state.with_outcome(Scored(1, outcome, kept=False))
    assert (state.done, state.passed, state.below, state.failed, state.skipped) == (4, 1, 1, 1, 1)
    assert state.summary() == "1 passed, 1 did not, 1 failed, 1 skipped."


def test_more_outcomes_than_expected_never_pass_a_hundred_per_cent() -> None:
    state = RunState(expected=1)
    for _ in range(3):
        state = state.with_outcome(Scored(1, Skipped(metric="m", reason=""), kept=False))
    assert state.expected == 3


def test_the_pace_says_what_is_known() -> None:
    assert pace_text(RunState(expected=9)) == ""
    assert pace_text(RunState(expected=9, seconds=12)) == "12 s · "
    assert pace_text(RunState(expected=1204, done=412, rate=2.1)) == "2.1/s · 6 min left · "
    assert pace_text(RunState(expected=9, done=4, rate=0.05)) == "3.0/min · 100 s left · ".replace(
        "100 s", "2 min"
    )


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "1 s"), (89, "89 s"), (90, "2 min"), (5940, "99 min"), (7800, "2 h 10 min")]
)
def test_durations_are_said_as_people_say_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


async def test_a_stopped_run_tells_so_and_another_can_begin(filled: Store, judge_server: JudgeServer) -> None:
    judge_server.default = hangs()
    states: list[RunState] = []
    runs = Runs(filled, states.append)
    request = ScoreRequest(filled.sessions.ids(), [make_metric("role_adherence")])
    runs.start(request, JudgeSettings(base_url=judge_server.url, model="scripted-1"))
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
