"""A pass that a check states: kept beside the score that was found, and meant by every list and figure."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from sqlite_utils import Database
from stored import identity, keep, land, score

from turnwise.conversations.exports import export_sessions
from turnwise.conversations.importing import import_file
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import EARLIER_VERSION
from turnwise.conversations.store.schema import migrations
from turnwise.engine.people.queues import doubtful_first, worst_first

FAILED_AT_ONE = Score(metric="script", reason="It says no.", score=1.0, stated=False)
PASSED_AT_ZERO = Score(metric="script", reason="It says yes.", score=0.0, threshold=0.5, stated=True)


def test_a_stated_pass_comes_before_score_and_threshold() -> None:
    assert not FAILED_AT_ONE.passed
    assert PASSED_AT_ZERO.passed
    assert Score(metric="m", reason="", score=0.5, threshold=0.5).passed


def test_a_score_that_nothing_passes_by_is_refused() -> None:
    with pytest.raises(ValueError, match="threshold, or states"):
        Score(metric="m", reason="", score=1.0)


@pytest.mark.parametrize("outcome", [FAILED_AT_ONE, PASSED_AT_ZERO])
def test_it_is_kept_as_it_was_found(store: Store, outcome: Score) -> None:
    session = keep(store)
    land(store, session, outcome)
    [row] = store.scores.of(session)
    assert (row.score, row.threshold, row.passed) == (outcome.score, outcome.threshold, outcome.passed)
    [(_, read)] = store.scores.done([session]).values()
    assert read == outcome


def test_lists_queries_runs_and_figures_mean_the_same(store: Store) -> None:
    failed, passed = keep(store, "One", "1"), keep(store, "Two", "2")
    run = store.runs.begin(judge="none", metrics=["script"])
    land(store, failed, FAILED_AT_ONE, run=run)
    land(store, passed, PASSED_AT_ZERO, run=run)
    assert store.sessions.ids("script:pass") == [passed]
    assert store.sessions.ids("script:fail") == [failed]
    assert store.sessions.ids("script<0.5") == [passed]
    assert {row.id: row.marks["script"].passed for row in store.sessions.rows([failed, passed])} == {
        failed: False,
        passed: True,
    }
    assert store.runs.get(run).passed == 1
    assert [(row.scores, row.passed) for row in store.runs.by_metric(run)] == [(2, 1)]
    assert {row.session_id: row.passed for row in store.run_outcomes.of(run)} == {
        failed: False,
        passed: True,
    }
    counts = store.judgements.count("script")
    assert (counts.scores, counts.passed) == (2, 1)
    for session in (failed, passed):
        store.labels.add(session, "pass", author="ada", blind=True)
    rows = store.judgements.outcomes("script")
    assert {row.session_id: row.passed for row in rows} == {failed: False, passed: True}


def test_queues_take_a_check_at_its_word(store: Store) -> None:
    sessions = [keep(store, str(place), "x") for place in range(3)]
    for session, outcome in zip(sessions, (PASSED_AT_ZERO, FAILED_AT_ONE, score(0.1, "script")), strict=True):
        land(store, session, outcome)
    scores = list(store.queues.scores(["script"]))
    assert {one.session_id: one.passed for one in scores} == {
        sessions[0]: True,
        sessions[1]: False,
        sessions[2]: False,
    }
    # What is below its threshold comes first; what fails without being below is at its edge.
    assert worst_first(sessions, scores)[0] == sessions[2]
    assert set(doubtful_first(sessions, scores)) == set(sessions)


def test_it_goes_through_an_export_and_back(store: Store, tmp_path: Path) -> None:
    session = keep(store)
    land(store, session, FAILED_AT_ONE, PASSED_AT_ZERO, score(0.7))
    before = [past.outcome for past in store.past_scores.of(session)]
    path = tmp_path / "sessions.jsonl"
    export_sessions(store, [session], to="jsonl", output=path)
    with Store.open(tmp_path / "other.db") as other:
        import_file(other, path)
        assert [past.outcome for past in other.past_scores.of(1)] == before


def test_a_score_of_a_test_file_that_an_earlier_version_kept_says_so(store: Store) -> None:
    session = keep(store)
    run = store.runs.begin(judge="none", metrics=["contains"])
    forged = Score(metric="contains", reason="", score=0.0, threshold=1.0)
    store.scores.add_all(run, [(identity(session, "contains", metric_fingerprint="suite:contains"), forged)])
    [row] = store.scores.of(session)
    assert row.passed is False
    assert "may not be what was found" in row.remark
    [past] = store.past_scores.of(session)
    assert isinstance(past.outcome, Score)
    assert (past.outcome.stated, past.outcome.score) == (False, 0.0)
    assert past.outcome.details[EARLIER_VERSION] == row.remark
    # A score of today, and of another metric, has nothing to say of itself.
    land(store, session, FAILED_AT_ONE)
    assert store.scores.of(session)[-1].remark == ""


def test_a_database_without_stated_passes_takes_them_in(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    old = sqlite3.connect(path)
    tables = Database(old)
    migrations().apply(tables, stop_before="stated_passes")
    shared = {"source": "s", "format": "f", "created_at": 0}
    tables["sessions"].insert({"fingerprint": "f", "name": "n", "kind": "conversation", **shared})
    tables["runs"].insert({"created_at": 0, "judge": "j", "metrics": json.dumps(["m"])})
    names = dict.fromkeys(("metric", "metric_fingerprint", "case_fingerprint", "judge_fingerprint"), "m")
    for value in (0.4, 0.6):
        tables["scores"].insert(
            {
                **names,
                "session_id": 1,
                "run_id": 1,
                "version": 1,
                "judge": "j",
                "outcome": "score",
                "score": value,
                "threshold": 0.5,
                "reason": "",
                "created_at": value,
            }
        )
    old.execute("PRAGMA user_version = 6")
    old.commit()
    old.close()
    with Store.open(path) as store:
        assert [(row.score, row.passed) for row in store.scores.of(1)] == [(0.4, False), (0.6, True)]
        land(store, 1, FAILED_AT_ONE)
        assert store.scores.of(1)[-1].passed is False
