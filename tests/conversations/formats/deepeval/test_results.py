"""deepeval's result files."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.formats import Loaded, Rejected, load, sources

METRIC = {
    "name": "Turn Relevancy",
    "threshold": 0.5,
    "success": True,
    "score": 0.75,
    "reason": "All but one.",
    "strictMode": False,
    "evaluationModel": "m",
    "error": None,
    "evaluationCost": 0.01,
    "verboseLogs": "...",
}
RUN: dict[str, Any] = {
    "testCases": [
        {"name": "test_case_0", "input": "hi", "actualOutput": "ho", "success": True, "metricsData": [METRIC]}
    ],
    "conversationalTestCases": [
        {
            "name": "conversational_test_case_0",
            "success": True,
            "metricsData": [METRIC],
            "runDuration": 1.5,
            "turns": [
                {"role": "user", "content": "hi", "order": 0},
                {
                    "role": "assistant",
                    "content": "ho",
                    "order": 1,
                    "retrievalContext": ["p"],
                    "toolsCalled": None,
                },
            ],
            "order": 0,
            "scenario": "a greeting",
            "expectedOutcome": "greeted",
            "userDescription": None,
        }
    ],
    "metricsScores": [{"metric": "Turn Relevancy", "scores": [0.75], "passes": 1, "fails": 0, "errors": 0}],
    "identifier": "nightly",
    "hyperparameters": {"model": "m", "temperature": 0},
    "testPassed": 2,
    "testFailed": 0,
}


def read(document: Any) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO(json.dumps(document).encode())))


@pytest.mark.parametrize("document", [RUN, {"testRunData": RUN, "testRunLink": None}])
@pytest.mark.parametrize("large", [False, True])
def test_test_cases_come_with_the_saved_scores_and_what_the_run_says_of_itself(
    document: Any, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(sources, "SMALL_FILE", 0)
    found = read(document)
    assert all(isinstance(record, Loaded) and record.format == "deepeval-results" for record in found)
    exchange, conversation = (record.case for record in found if isinstance(record, Loaded))
    assert isinstance(exchange, LLMTestCase)
    assert isinstance(conversation, ConversationalTestCase)
    assert (exchange.input, exchange.actual_output) == ("hi", "ho")
    assert [(turn.role, turn.content) for turn in conversation.turns] == [("user", "hi"), ("assistant", "ho")]
    assert conversation.turns[1].retrieval_context == ["p"]
    assert (conversation.scenario, conversation.expected_outcome) == ("a greeting", "greeted")
    for case in (exchange, conversation):
        assert case.metadata is not None
        assert case.metadata["metricsData"] == [METRIC]
        assert case.metadata["success"] is True
        assert case.metadata["test_run"] == {
            "identifier": "nightly",
            "hyperparameters": RUN["hyperparameters"],
        }


def test_places_name_the_list() -> None:
    assert [str(record.place) for record in read(RUN)] == [
        "standard input, testCases, case 1",
        "standard input, conversationalTestCases, case 2",
    ]


def test_a_bad_case_is_rejected_and_the_others_load() -> None:
    broken = {**RUN, "testCases": [{"input": 3, "metricsData": []}, "text", *RUN["testCases"]]}
    assert [type(record) for record in read(broken)] == [Rejected, Rejected, Loaded, Loaded]


def test_test_cases_without_scores_are_plain_test_cases() -> None:
    [found] = read({"testCases": [{"input": "hi", "actualOutput": "ho"}]})
    assert isinstance(found, Loaded)
    assert found.format == "deepeval"
