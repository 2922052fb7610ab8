"""MT-Bench: answers behind their questions, and a judge's marks."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import NoConversationsError
from turnwise.conversations.formats import Loaded, Record, Rejected, load
from turnwise.conversations.results import Failure, Score

Fields = dict[str, Any]
QUESTION: Fields = {
    "question_id": 7,
    "category": "math",
    "turns": ["2 + 2?", "And 3?"],
    "reference": ["4", "7"],
}
ANSWER: Fields = {
    "question_id": 7,
    "answer_id": "x",
    "model_id": "small",
    "choices": [{"index": 0, "turns": ["4", "7"]}, {"index": 1, "turns": ["5", "8"]}],
}
ONE = (
    "[Instruction]\nJudge.\n\n[Question]\n2 + 2?\n\n"
    "[The Start of Assistant's Answer]\n4\n[The End of Assistant's Answer]"
)
TALK = (
    "<|The Start of Reference Answer|>\n\n### User:\n2 + 2?\n\n### Reference answer:\n4\n\n"
    "<|The End of Reference Answer|>\n\n\n"
    "<|The Start of Assistant A's Conversation with User|>\n\n### User:\n2 + 2?\n\n### Assistant A:\n4\n\n"
    "### User:\nAnd 3?\n\n### Assistant A:\n7\n\n<|The End of Assistant A's Conversation with User|>"
)
JUDGED: Fields = {
    "question_id": 7,
    "model": "small",
    "judge": ["gpt-4", "single-v1"],
    "user_prompt": ONE,
    "judgment": "Right. Rating: [[10]]",
    "score": 10,
    "turn": 1,
    "tstamp": 1767225600.0,
}


def read(*records: Any) -> list[Record]:
    return list(load(io.BytesIO("\n".join(map(json.dumps, records)).encode())))


def loaded(*records: Any) -> list[Loaded]:
    found = read(*records)
    assert all(isinstance(record, Loaded) and record.format == "mt-bench" for record in found), found
    return [record for record in found if isinstance(record, Loaded)]


def said(record: Loaded) -> list[tuple[str, str]]:
    assert isinstance(record.case, ConversationalTestCase)
    return [(turn.role, turn.content) for turn in record.case.turns]


def test_an_answer_behind_its_question_is_a_session_for_each_choice() -> None:
    first, second = loaded(QUESTION, ANSWER)
    assert said(first) == [("user", "2 + 2?"), ("assistant", "4"), ("user", "And 3?"), ("assistant", "7")]
    assert [text for _, text in said(second)] == ["2 + 2?", "5", "And 3?", "8"]
    assert isinstance(first.case, ConversationalTestCase)
    assert first.case.expected_outcome == "4\n\n7"
    assert first.case.metadata is not None
    assert (first.case.metadata["source_id"], first.case.metadata["category"]) == ("7/small", "math")


def test_an_answer_without_its_question_says_what_to_do() -> None:
    [bad] = read(ANSWER)
    assert isinstance(bad, Rejected)
    assert (
        "put question.jsonl into the same folder, or its lines before those of the answers"
        in bad.error.detail
    )
    [alone] = read(QUESTION)
    assert isinstance(alone, Rejected)
    assert "turns: this question has no answer here" in alone.error.detail


@pytest.mark.parametrize("answers", ["small.jsonl", "model_answer/small.jsonl"])
def test_answers_find_the_file_of_their_questions_and_these_name_the_answers(
    tmp_path: Path, answers: str
) -> None:
    asked, answered = tmp_path / "question.jsonl", tmp_path / answers
    answered.parent.mkdir(exist_ok=True)
    asked.write_text(f"{json.dumps(QUESTION)}\n")
    answered.write_text(f"{json.dumps(ANSWER)}\n")
    first, _ = load(answered)
    assert isinstance(first, Loaded)
    assert [text for _, text in said(first)] == ["2 + 2?", "4", "And 3?", "7"]
    with pytest.raises(NoConversationsError) as caught:
        list(load(asked))
    assert str(answered) in caught.value.next_step


def test_of_two_files_of_questions_beside_none_is_taken(tmp_path: Path) -> None:
    for name in ("question.jsonl", "other.jsonl"):
        (tmp_path / name).write_text(f"{json.dumps(QUESTION)}\n")
    (tmp_path / "small.jsonl").write_text(f"{json.dumps(ANSWER)}\n")
    [bad] = load(tmp_path / "small.jsonl")
    assert isinstance(bad, Rejected)


@pytest.mark.parametrize(
    ("prompt", "texts"), [(ONE, ["2 + 2?", "4"]), (TALK, ["2 + 2?", "4", "And 3?", "7"])]
)
def test_a_judgement_is_what_the_judge_was_shown_and_its_mark(prompt: str, texts: list[str]) -> None:
    [record] = loaded({**JUDGED, "user_prompt": prompt})
    assert [text for _, text in said(record)] == texts
    [past] = record.scores
    assert isinstance(past.outcome, Score)
    assert (past.outcome.metric, past.outcome.score, past.judge) == ("mt-bench", 1.0, "gpt-4")
    assert past.outcome.reason == "Right. Rating: [[10]]"
    assert past.at == 1767225600.0


def test_a_judge_that_gave_no_mark_is_a_failure() -> None:
    [record] = loaded({**JUDGED, "score": -1})
    [past] = record.scores
    assert isinstance(past.outcome, Failure)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({**ANSWER, "choices": [{"turns": "4"}]}, "choices[0].turns: expected a list of texts"),
        (
            {**ANSWER, "choices": [{"turns": ["1", "2", "3"]}]},
            "choices[0].turns: expected one for each question",
        ),
        ({**JUDGED, "user_prompt": "hello"}, "user_prompt: expected a question and an answer"),
        ({"other": 1}, "expected a question with turns, an answer with choices, or a judgement"),
    ],
)
def test_what_is_none_of_these_is_rejected_by_field(record: Fields, expected: str) -> None:
    found = read(QUESTION, ANSWER, record)
    bad = found[-1]
    assert isinstance(bad, Rejected)
    assert expected in bad.error.detail
    assert len(found) == 3
