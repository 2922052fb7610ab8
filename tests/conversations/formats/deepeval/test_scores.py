"""The scores in deepeval's saved runs."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations.formats import Rejected, load
from turnwise.conversations.importing import import_file

METRIC = {
    "name": "Turn Relevancy",
    "score": 0.75,
    "threshold": 0.5,
    "success": True,
    "reason": "All but one.",
}
METRIC |= {"strictMode": False, "evaluationModel": "m", "error": None, "evaluationCost": 0.01}


def run(*metrics: dict[str, Any]) -> io.BytesIO:
    case = {
        "name": "one",
        "input": "hi",
        "actualOutput": "ho",
        "metricsData": [{**METRIC, **one} for one in metrics],
    }
    return io.BytesIO(json.dumps({"testCases": [case], "testPassed": 1}).encode())


def imported(store, *metrics):
    report = import_file(store, run(*metrics))
    assert report.scores == len(metrics), report.rejected
    return store.scores.of(next(iter(report.sessions)))


def test_scores_come_with_threshold_reason_judge_and_cost(store):
    [row] = imported(store, {})
    assert (row.metric, row.score, row.threshold, row.passed) == ("Turn Relevancy", 0.75, 0.5, True)
    assert (row.reason, row.judge, row.cost) == ("All but one.", "m", 0.01)
    kept = store.runs.get(row.run_id)
    assert (kept.judge, kept.metrics, kept.scores, kept.passed) == ("m", ("Turn Relevancy",), 1, 1)


@pytest.mark.parametrize(
    ("saved", "score", "passed"),
    [
        ({"score": 0.2, "success": False}, 0.2, False),
        ({"score": 0.5, "success": True}, 0.5, True),
        ({"score": 1, "threshold": 1, "strictMode": True}, 1.0, True),
        # Of these metrics less is better.
        ({"name": "Bias", "score": 0.2, "success": True}, 0.8, True),
        ({"name": "Toxicity", "score": 0.9, "success": False}, pytest.approx(0.1), False),
        ({"score": 0.5, "success": False}, 0.5, False),
        ({"score": 0.7, "success": None}, 0.7, True),
    ],
)
def test_what_passed_there_passes_here(store, saved, score, passed):
    [row] = imported(store, saved)
    assert (row.score, row.passed) == (score, passed)


def test_a_turned_score_says_so(store):
    [row] = imported(store, {"name": "Bias", "score": 0.2, "threshold": 0.4, "success": True})
    assert row.details == {"less_is_better": True, "saved_score": 0.2, "saved_threshold": 0.4}


def test_an_error_is_a_failure_and_no_number_a_skip(store):
    failed, left = imported(store, {"error": "TimeoutError", "score": None}, {"score": None, "reason": None})
    assert (failed.outcome, failed.reason) == ("failure", "TimeoutError")
    assert (left.outcome, left.reason) == ("skipped", "the file holds no score")


def test_importing_twice_adds_no_score(store):
    imported(store, {})
    again = import_file(store, run({}))
    assert (again.unchanged, again.scores) == (1, 0)
    assert len(store.runs.all()) == 1


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"score": 7}, "metricsData[0].score"),
        ({"name": None}, "metricsData[0].name"),
        ({"score": "x"}, "metricsData[0].score"),
    ],
)
def test_a_score_that_cannot_be_is_told_by_its_place(wrong, problem):
    [record] = load(run(wrong))
    assert isinstance(record, Rejected)
    assert problem in record.error.detail
