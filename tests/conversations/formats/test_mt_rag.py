"""Files of people's ratings of replies."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase, RetrievedContext
from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import Loaded, Rejected, load, sources
from turnwise.conversations.importing import import_file

DOCUMENT: dict[str, Any] = {
    "name": "ratings",
    "models": [{"model_id": "m1", "name": "Model One", "owner": "o"}],
    "metrics": [
        {
            "name": "faithfulness",
            "author": "human",
            "values": [{"value": str(number), "numeric_value": number} for number in (1, 2, 3, 4)],
        }
    ],
    "documents": [
        {"document_id": "d1", "text": "It rains.", "title": "Weather"},
        {"document_id": "d2", "text": "Dry."},
    ],
    "tasks": [
        {
            "task_id": "t1",
            "task_type": "rag",
            "input": [
                {"speaker": "user", "text": "Hello"},
                {"speaker": "agent", "text": "Hello!"},
                {"speaker": "user", "text": "Does it rain?"},
            ],
            "contexts": [{"document_id": "d1"}, {"document_id": "d2"}],
            "targets": [{"speaker": "agent", "text": "It does."}],
            "Answerability": ["ANSWERABLE"],
        }
    ],
    "evaluations": [
        {
            "task_id": "t1",
            "model_id": "m1",
            "model_response": "Yes.",
            "annotations": {
                "RougeL": {"system": {"value": 0.5}},
                "faithfulness": {"anna": {"value": "4", "duration": 1.0}, "max": {"value": "3"}},
                "win-rate": {"anna": {"value": 100.0}},
                "note": {"anna": {"value": "good"}},
            },
        }
    ],
}


def read(document: Any, **options: Any) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO(json.dumps(document).encode()), **options))


@pytest.mark.parametrize("large", [False, True])
def test_a_rated_reply_is_a_session_with_its_passages_and_ratings(
    large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(sources, "SMALL_FILE", 0)
    [found] = read(DOCUMENT)
    assert isinstance(found, Loaded)
    assert found.format == "mt-rag"
    case = found.case
    assert isinstance(case, ConversationalTestCase)
    assert [(turn.role, turn.content) for turn in case.turns] == [
        ("user", "Hello"),
        ("assistant", "Hello!"),
        ("user", "Does it rain?"),
        ("assistant", "Yes."),
    ]
    assert case.turns[-1].retrieval_context == [
        RetrievedContext(context="It rains.", source="Weather"),
        RetrievedContext(context="Dry.", source="d2"),
    ]
    assert case.last_exchange is not None
    assert case.last_exchange.expected_output == "It does."
    # No id: it would tell nobody what was asked.
    assert case.name == "Does it rain?, m1"
    assert case.metadata == {
        "task_id": "t1",
        "task_type": "rag",
        "Answerability": ["ANSWERABLE"],
        "model_id": "m1",
        "model": "Model One",
        "ratings": {
            "faithfulness": {"anna": 4, "max": 3},
            "win-rate": {"anna": 100.0},
            "note": {"anna": "good"},
        },
        "scores": {"RougeL": 0.5},
    }


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"task_id": "t9"}, "task_id: expected the id of one of the tasks"),
        ({"model_response": None}, "model_response: expected a string; got null"),
    ],
)
def test_a_reply_that_cannot_be_read_is_rejected_by_field(change: dict[str, Any], expected: str) -> None:
    evaluations = [{**DOCUMENT["evaluations"][0], **change}, DOCUMENT["evaluations"][0]]
    [bad, good] = read({**DOCUMENT, "evaluations": evaluations})
    assert isinstance(good, Loaded)
    assert isinstance(bad, Rejected)
    assert "evaluations, case 1, " in bad.error.detail
    assert expected in bad.error.detail


def test_a_passage_that_is_not_among_the_documents_rejects_the_reply() -> None:
    [bad] = read({**DOCUMENT, "documents": []})
    assert isinstance(bad, Rejected)
    assert 'contexts: expected the id of one of the documents; got "d1"' in bad.error.detail


def test_a_file_without_evaluations_is_told() -> None:
    with pytest.raises(FormatError, match="evaluations: expected a list"):
        read({**DOCUMENT, "evaluations": None})
    with pytest.raises(FormatError, match="expected an object with tasks"):
        read([1], format="mt-rag")


def test_ratings_are_labels_of_their_annotators_on_the_reply() -> None:
    [found] = read(DOCUMENT)
    assert isinstance(found, Loaded)
    assert [(label.author, label.metric, label.word, label.value, label.turn) for label in found.labels] == [
        ("anna", "faithfulness", "pass", 1.0, 4),
        ("max", "faithfulness", "pass", pytest.approx(2 / 3), 4),
    ]


def test_ratings_come_into_the_store_with_the_session(store) -> None:  # type: ignore[no-untyped-def]
    content = json.dumps(DOCUMENT).encode()
    report = import_file(store, io.BytesIO(content))
    assert (report.imported, report.labels) == (1, 2)
    assert [label.author for label in store.labels.of(next(iter(report.sessions)))] == ["anna", "max"]
    again = import_file(store, io.BytesIO(content))
    assert (again.unchanged, again.labels) == (1, 0)
