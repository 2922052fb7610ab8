"""deepeval's dataset file: rows that its loader takes, and that say what the session said."""

import json

from hypothesis import given
from hypothesis import strategies as st
from stored import keep

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.exports.deepeval import _passage
from turnwise.conversations.formats import load
from turnwise.conversations.formats.fields import read_passages

# What deepeval's model of a turn takes; it refuses any other field.
TURN_FIELDS = {"role", "content", "user_id", "retrieval_context", "tools_called", "metadata", "latency_ms"}

CASE = ConversationalTestCase.model_validate(
    {
        "name": "Bag",
        "scenario": "A bag is lost",
        "chatbot_role": "A clerk",
        "metadata": {"a": 1},
        "turns": [
            {"role": "system", "content": "Be kind."},
            {"role": "user", "content": "Where?", "name": "Ana", "user_id": "u1"},
            {
                "role": "assistant",
                "content": "In Oslo.",
                "tools_called": [{"name": "find", "id": "c1", "output": "Oslo", "seconds": 2}],
                "retrieval_context": ["plain", {"context": "text", "source": "page"}],
            },
            {"role": "tool", "content": "Oslo", "tool_call_id": "c1"},
        ],
    }
)


def rows(exported):
    return json.loads(exported("deepeval"))


def test_a_conversation_is_a_row_with_a_scenario_and_turns(store, exported):
    store.sessions.add(CASE, source="s", format="f")
    [row] = rows(exported)
    assert (row["scenario"], row["chatbot_role"]) == ("A bag is lost", "A clerk")
    assert row["additional_metadata"] == {"a": 1}
    assert [turn["role"] for turn in row["turns"]] == ["user", "assistant"]
    assert all(turn.keys() <= TURN_FIELDS for turn in row["turns"])
    [call] = row["turns"][1]["tools_called"]
    assert call == {"name": "find", "output": "Oslo"}
    assert row["turns"][1]["retrieval_context"] == [
        "plain",
        "deepeval_source=page,deepeval_context=text",
    ]


def test_without_a_scenario_the_name_stands_there(store, exported):
    keep(store, "Where is my bag?", "In Oslo.")
    assert rows(exported)[0]["scenario"] == "Where is my bag?"


def test_an_exchange_is_a_row_with_input_and_output(store, exported):
    case = LLMTestCase(input="a", actual_output="b", expected_output="c", metadata={"k": 1})
    store.sessions.add(case, source="s", format="f")
    assert rows(exported) == [
        {"input": "a", "actual_output": "b", "expected_output": "c", "additional_metadata": {"k": 1}}
    ]


def test_among_conversations_an_exchange_is_one_too(store, exported):
    store.sessions.add(LLMTestCase(input="a", actual_output="b", expected_output="c"), source="s", format="f")
    store.sessions.add(CASE, source="s", format="f")
    first, second = rows(exported)
    assert (first["scenario"], first["expected_outcome"]) == ("a", "c")
    assert [turn["content"] for turn in first["turns"]] == ["a", "b"]
    assert second["scenario"] == "A bag is lost"


def test_our_own_reader_of_deepeval_takes_the_file(store, exported, tmp_path):
    conversation = store.sessions.add(CASE, source="s", format="f").session_id
    exchange = store.sessions.add(
        LLMTestCase(input="a", actual_output="b"), source="s", format="f"
    ).session_id
    path = tmp_path / "out.json"
    path.write_text(exported("deepeval", conversation))
    [record] = load(path, format="deepeval")
    assert [turn.content for turn in record.case.turns] == ["Where?", "In Oslo."]
    assert record.case.metadata == {"a": 1}
    path.write_text(exported("deepeval", exchange))
    [record] = load(path, format="deepeval")
    assert record.case == LLMTestCase(input="a", actual_output="b")


@given(st.text(max_size=9), st.text(st.characters(exclude_characters=","), max_size=9))
def test_a_passage_keeps_its_source(context, source):
    held = {"context": context, "source": source}
    assert read_passages([_passage(held)]) == [held]
