"""Replies that were compared: sessions that name each other, and whose preference it was."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.formats import Loaded, Rejected, load
from turnwise.conversations.importing import import_file
from turnwise.conversations.results import Score

Fields = dict[str, Any]


def talk(*texts: str) -> list[Fields]:
    return [
        {"role": "assistant" if number % 2 else "user", "content": text} for number, text in enumerate(texts)
    ]


BATTLE: Fields = {
    "question_id": "q1",
    "model_a": "small",
    "model_b": "big",
    "winner": "model_b",
    "judge": "arena_user_7",
    "conversation_a": talk("hi", "no", "why", "so"),
    "conversation_b": talk("hi", "hello", "why", "because"),
    "turn": 2,
    "language": "English",
    "tstamp": 1767225600.0,
}


def read(*records: Any) -> list[Loaded]:
    content = "\n".join(map(json.dumps, records)).encode()
    found = list(load(io.BytesIO(content)))
    assert all(isinstance(record, Loaded) and record.format == "pairs" for record in found), found
    return [record for record in found if isinstance(record, Loaded)]


def said(record: Loaded) -> list[str]:
    assert isinstance(record.case, ConversationalTestCase)
    roles = [turn.role for turn in record.case.turns]
    assert roles == ["user", "assistant"] * (len(roles) // 2)
    return [turn.content for turn in record.case.turns]


def metadata(record: Loaded) -> Fields:
    assert record.case.metadata is not None
    return record.case.metadata


def preferences(records: list[Loaded]) -> list[tuple[str, str, float | None]]:
    """Return whose word each preference is and how it was, labels and scores alike."""
    found: list[tuple[str, str, float | None]] = []
    for record in records:
        found += [
            ("label", label.author, label.value) for label in record.labels if label.metric == "preferred"
        ]
        found += [
            ("score", past.judge, past.outcome.score)
            for past in record.scores
            if isinstance(past.outcome, Score) and past.outcome.metric == "preferred"
        ]
    return found


def test_a_battle_is_two_sessions_that_name_each_other() -> None:
    records = read(BATTLE)
    assert [said(record) for record in records] == [
        ["hi", "no", "why", "so"],
        ["hi", "hello", "why", "because"],
    ]
    first, second = map(metadata, records)
    assert (first["source_id"], first["compared_with"], first["model"]) == ("q1/small", "q1/big", "small")
    assert (second["source_id"], second["compared_with"]) == ("q1/big", "q1/small")
    assert first["language"] == "English"
    assert preferences(records) == [("label", "arena_user_7", 0.0), ("label", "arena_user_7", 1.0)]
    assert {label.at for record in records for label in record.labels} == {1767225600.0}


@pytest.mark.parametrize(
    ("winner", "words"),
    [
        ("tie", ["pass", "pass"]),
        ("tie (bothbad)", ["fail", "fail"]),
        ("both_bad", ["fail", "fail"]),
        ("model_a", ["pass", "fail"]),
    ],
)
def test_ties_and_pairs_without_a_good_one(winner: str, words: list[str]) -> None:
    labels = [label for record in read({**BATTLE, "winner": winner}) for label in record.labels]
    assert [label.word for label in labels] == words
    assert {label.note for label in labels} == {winner}


def test_a_judging_model_gives_a_score_and_no_one_gives_none() -> None:
    assert preferences(read({**BATTLE, "judge": "gpt4_pair"})) == [
        ("score", "gpt4_pair", 0.0),
        ("score", "gpt4_pair", 1.0),
    ]
    assert preferences(read({**BATTLE, "winner": "who knows"})) == []


def test_several_judges_of_a_pair_are_labels_of_the_same_two_sessions(store, tmp_path) -> None:
    path = tmp_path / "judged.jsonl"
    rows = [{**BATTLE, "judge": f"expert_{number}", "turn": number} for number in (1, 2)]
    path.write_text("\n".join(map(json.dumps, [{**row, "turn": 1} for row in rows])))
    report = import_file(store, path)
    assert (report.imported, report.unchanged, report.labels) == (2, 2, 4)
    labels = store.labels.of(next(iter(report.sessions)))
    assert [(label.author, label.turn) for label in labels] == [("expert_1", 2), ("expert_2", 2)]


def test_battles_written_as_lists_of_texts() -> None:
    row = {
        "id": 5,
        "model_a": "small",
        "model_b": "big",
        "prompt": '["hi", "why"]',
        "response_a": '["no", null]',
        "response_b": '["hello", "because"]',
        "winner_model_a": 0,
        "winner_model_b": 0,
        "winner_tie": 1,
    }
    records = read(row)
    assert [said(record) for record in records] == [
        ["hi", "no", "why", ""],
        ["hi", "hello", "why", "because"],
    ]
    assert preferences(records) == [("label", "user", 0.5)] * 2


@pytest.mark.parametrize(
    "record",
    [
        {"prompt": "hi", "chosen": "yes", "rejected": "no"},
        {"prompt": talk("hi"), "chosen": talk("", "yes")[1:], "rejected": talk("", "no")[1:]},
        {
            "prompt": "hi",
            "chosen": talk("hi", "yes"),
            "rejected": talk("hi", "no"),
            "messages": talk("hi", "yes"),
        },
        {"question": "hi", "chosen": "yes", "rejected": "no"},
        {
            "conversations": [{"from": "human", "value": "hi"}],
            "chosen": {"from": "gpt", "value": "yes"},
            "rejected": {"from": "gpt", "value": "no"},
        },
        {"prompt": "\n\nHuman: hi\n\nAssistant:", "chosen": "yes", "rejected": "no"},
    ],
)
def test_chosen_and_rejected_replies_in_the_ways_they_are_written(record: Fields) -> None:
    records = read(record)
    assert [said(one) for one in records] == [["hi", "yes"], ["hi", "no"]]
    assert preferences(records) == [("score", "", 1.0), ("score", "", 0.0)]
    assert metadata(records[0]).keys() == {"source_id", "compared_with"}


def test_a_system_prompt_stands_before_both() -> None:
    records = read({"system": "Be kind.", "prompt": "hi", "chosen": "yes", "rejected": "no"})
    for record in records:
        assert isinstance(record.case, ConversationalTestCase)
        assert [turn.role for turn in record.case.turns] == ["system", "user", "assistant"]


def test_texts_in_which_human_and_assistant_speak_are_people_s_preferences() -> None:
    start = "\n\nHuman: hi\nthere\n\nAssistant: hello\n\nHuman: why\n\nAssistant:"
    records = read({"chosen": f"{start} because", "rejected": f"{start} so"})
    assert [said(record) for record in records] == [
        ["hi\nthere", "hello", "why", "because"],
        ["hi\nthere", "hello", "why", "so"],
    ]
    assert preferences(records) == [("label", "annotator", 1.0), ("label", "annotator", 0.0)]


def test_each_rated_completion_is_a_session_with_its_ratings() -> None:
    rated = {"helpfulness": {"Rating": "4", "Rationale": "fine"}, "honesty": {"Rating": "N/A"}}
    record = {
        "instruction": "hi",
        "completions": [
            {"model": "small", "response": "no", "annotations": rated, "overall_score": 7.0},
            {"model": "big", "response": "hello"},
        ],
    }
    records = read(record)
    assert [said(one) for one in records] == [["hi", "no"], ["hi", "hello"]]
    [past] = records[0].scores
    assert isinstance(past.outcome, Score)
    assert (past.outcome.metric, past.outcome.score, past.outcome.reason) == ("helpfulness", 0.75, "fine")
    assert metadata(records[0])["overall_score"] == 7.0


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"conversation_a": []}, "conversation_a: expected a list of messages"),
        ({"conversation_a": "x"}, "expected conversation_a and conversation_b"),
        ({"conversation_a": [{"role": "user"}]}, "messages[0].content: required"),
    ],
)
def test_what_compares_nothing_is_rejected_by_field(change: Fields, expected: str) -> None:
    content = "\n".join(map(json.dumps, [BATTLE, {**BATTLE, **change}])).encode()
    *good, bad = load(io.BytesIO(content))
    assert len(good) == 2
    assert isinstance(bad, Rejected)
    assert expected in bad.error.detail
