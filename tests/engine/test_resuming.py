"""Going on with a run: what is left of it is judged as a part of it, and its failures once more."""

from __future__ import annotations

import pytest
from stored import failure, identity, keep, score

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.results import Outcome
from turnwise.conversations.store import AskedOfRun, Store
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.resuming import check_judge, go_on, what_is_left
from turnwise.engine.scoring.scoring import score_sessions

METRIC = "repetition"


def land(store: Store, run: int, session: int, outcome: Outcome) -> None:
    metric = make_metric(METRIC)
    unit = identity(session, METRIC, metric_fingerprint=metric.fingerprint, judge_fingerprint="", judge="")
    store.scores.add_all(run, [(unit, outcome)])


@pytest.fixture
def sessions(store: Store) -> list[int]:
    return [keep(store, f"question {number}", "answer") for number in range(4)]


async def finished(store: Store, run: int) -> None:
    left = what_is_left(store, run)
    async for _ in go_on(store, left, None):
        pass


async def test_a_run_that_was_broken_off_is_judged_to_its_end(store: Store, sessions: list[int]) -> None:
    run = store.runs.begin(judge="none", metrics=[METRIC], asked=AskedOfRun(sessions))
    land(store, run, sessions[0], score(1.0, METRIC))
    assert list(what_is_left(store, run).session_ids) == sessions[1:]
    await finished(store, run)
    row = store.runs.get(run)
    assert row.finished_at is not None
    assert (row.scores, row.sessions) == (4, 4)
    assert len(store.runs.all()) == 1


async def test_a_failure_is_tried_again_and_no_longer_counts(store: Store, sessions: list[int]) -> None:
    run = store.runs.begin(judge="none", metrics=[METRIC])
    land(store, run, sessions[0], failure(METRIC))
    land(store, run, sessions[1], score(1.0, METRIC))
    store.runs.finish(run)
    left = what_is_left(store, run)
    assert (list(left.session_ids), left.failures) == (sessions[:1], 1)
    await finished(store, run)
    row = store.runs.get(run)
    assert (row.scores, row.failures) == (2, 0)
    # What happened is kept: outcomes are never taken away.
    assert [one.outcome for one in store.scores.of(sessions[0])] == ["failure", "score"]


async def test_what_a_run_of_the_app_was_asked_is_known_until_its_end(
    store: Store, sessions: list[int]
) -> None:
    running = score_sessions(store, sessions, [make_metric(METRIC)], None)
    await anext(running)
    await running.aclose()
    assert store.runs.asked(1) == AskedOfRun(tuple(sessions))
    await finished(store, 1)
    assert store.runs.asked(1) is None


def test_of_a_run_that_is_whole_nothing_is_left(store: Store, sessions: list[int]) -> None:
    run = store.runs.begin(judge="none", metrics=[METRIC])
    land(store, run, sessions[0], score(1.0, METRIC))
    store.runs.finish(run)
    with pytest.raises(SettingError, match="Nothing is left of run 1"):
        what_is_left(store, run)


def test_of_an_unfinished_run_of_a_file_it_says_to_run_that_again(store: Store) -> None:
    run = store.runs.begin(judge="none", metrics=[METRIC], name="Bookings")
    with pytest.raises(SettingError) as told:
        what_is_left(store, run)
    assert "Run its file" in told.value.next_step


def test_a_metric_with_other_settings_is_not_taken_for_the_same(store: Store, sessions: list[int]) -> None:
    run = store.runs.begin(judge="none", metrics=[METRIC], asked=AskedOfRun(sessions))
    unit = identity(sessions[0], METRIC, metric_fingerprint="other")
    store.scores.add_all(run, [(unit, score(1.0, METRIC))])
    with pytest.raises(NotFoundError, match=METRIC):
        what_is_left(store, run)


def test_a_run_goes_on_with_its_own_judge_alone(store: Store) -> None:
    judge = ModelSettings(base_url="http://127.0.0.1:1/v1", model="small")
    settings = {"fingerprint": judge.fingerprint, "address": judge.address}
    run = store.runs.get(store.runs.begin(judge="small", metrics=[], judge_settings=settings))
    check_judge(store, run, judge)
    other = ModelSettings(base_url="http://127.0.0.1:1/v1", model="large")
    with pytest.raises(SettingError, match="asked another judge"):
        check_judge(store, run, other)
