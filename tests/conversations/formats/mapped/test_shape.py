"""What the parts of unknown data are likely to be."""

from typing import Any

import pytest

from turnwise.conversations.formats.mapped import guessed_mapping


def records(*names: str) -> list[dict[str, Any]]:
    """Return two records of texts."""
    return [{name: f"{name} of {number}" for name in names} for number in (1, 2)]


@pytest.mark.parametrize(
    ("names", "asked", "answered"),
    [
        (["Q", "A"], "Q", "A"),
        (["Customer question", "Bot answer"], "Customer question", "Bot answer"),
        (["question_text", "answer_text", "answer_id", "question_type"], "question_text", "answer_text"),
        (["Question", "Expected answer", "Bot answer"], "Question", "Bot answer"),
        (["User Question", "Human answer", "AI Response", "Topic"], "User Question", "AI Response"),
    ],
)
def test_a_question_and_its_answer_are_what_the_user_and_the_chatbot_say(
    names: list[str], asked: str, answered: str
) -> None:
    assert guessed_mapping(records(*names)) == {"user": asked, "assistant": answered}


def test_what_comes_again_and_again_beside_them_is_not_who_speaks() -> None:
    rows = [{**row, "Topic": "ab"[place % 2]} for place, row in enumerate(records("Question", "Bot reply"))]
    assert guessed_mapping(rows) == {"user": "Question", "assistant": "Bot reply"}


def test_an_answer_that_there_should_be_is_none_of_a_chatbot() -> None:
    assert guessed_mapping(records("Question", "Expected answer")) == {}


def test_who_is_known_to_speak_goes_before_questions() -> None:
    rows = [
        {**row, "sender": "user" if place % 2 else "assistant", "text": "words that are said"}
        for place, row in enumerate(records("Question", "Answer"))
    ]
    assert guessed_mapping(rows)["role"] == "sender"


def test_a_conversation_id_tells_which_rows_belong_together() -> None:
    rows = records("session_id", "Customer question", "Bot answer")
    assert guessed_mapping(rows)["id"] == "session_id"
