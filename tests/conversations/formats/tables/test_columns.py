"""What the columns of a table are."""

import pytest

from turnwise.conversations.formats.speakers import read_mapping
from turnwise.conversations.formats.tables.columns import columns_of


@pytest.mark.parametrize(
    "names",
    [
        ["conversation_id", "role", "content", "timestamp"],
        ["Conversation ID", "Role", "Content", "Timestamp"],
        ["conversationId", "role", "content", "timestamp"],
        ["session-id", "Speaker", "Message", "created_at"],
    ],
)
def test_a_row_a_turn_is_told_by_the_usual_names(names: list[str]) -> None:
    found = columns_of(names, {})
    assert found is not None
    assert [found.id, found.role, found.content, found.time] == names


@pytest.mark.parametrize(
    "pair",
    [
        ("question", "answer"),
        ("Q", "A"),
        ("Questions", "Answers"),
        ("Prompt", "Response"),
        ("input", "output"),
    ],
)
def test_a_row_an_exchange_is_told_by_the_usual_pairs(pair: tuple[str, str]) -> None:
    found = columns_of(["topic", *pair, "system_prompt"], {})
    assert found is not None
    assert found.spoken == (("system", "system_prompt"), ("user", pair[0]), ("assistant", pair[1]))


def test_a_row_a_conversation_is_told_by_the_column_that_holds_it() -> None:
    found = columns_of(["chat_id", "messages"], {})
    assert found is not None
    assert (found.whole, found.id) == ("messages", "chat_id")


@pytest.mark.parametrize(
    "names",
    [
        ["month", "revenue"],
        ["name", "question", "__expected"],
        ["role", "content", "__expected"],
        ["instruction", "input", "output_1"],
        ["content"],
        [],
    ],
)
def test_other_tables_are_none_of_conversations(names: list[str]) -> None:
    assert columns_of(names, {}) is None


def test_columns_may_be_told() -> None:
    names = ["chat", "who", "what", "text"]
    found = columns_of(names, read_mapping(["id=chat,role=WHO,content=what"]))
    assert found is not None
    assert (found.id, found.role, found.content) == ("chat", "who", "what")


def test_columns_of_roles_take_turns() -> None:
    names = ["a1", "q1", "a2", "q2", "sys"]
    told = read_mapping(["user=q1,user=q2,assistant=a1,assistant=a2,system=sys"])
    found = columns_of(names, told)
    assert found is not None
    assert found.spoken == (
        ("system", "sys"),
        ("user", "q1"),
        ("assistant", "a1"),
        ("user", "q2"),
        ("assistant", "a2"),
    )


def test_names_of_speakers_are_no_columns() -> None:
    found = columns_of(["role", "content"], read_mapping(["user=Anna,assistant=Bot"]))
    assert found is not None
    assert found.role == "role"


@pytest.mark.parametrize(
    ("maps", "words"),
    [
        ("role=who", "--map names a column who; the table holds"),
        ("user=nope,assistant=answer", "--map names a column nope"),
        ("role=question", "expected a column for content"),
    ],
)
def test_a_column_that_is_not_there_is_refused(maps: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        columns_of(["question", "answer"], read_mapping([maps]))
