"""Requests with their replies, a record each, as logs, data sets and interfaces write them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase, ToolCall
from turnwise.conversations.formats import Loaded, Rejected, load

ASKED = [{"role": "user", "content": "Where is it?"}]
REPLY = {"role": "assistant", "content": "On its way."}
CHOICES = {"choices": [{"index": 0, "message": REPLY, "finish_reason": "stop"}], "usage": {"total_tokens": 3}}
SAID = [("user", "Where is it?"), ("assistant", "On its way.")]
TOLD = [("system", "Be kind."), *SAID]


def read(record: Any, **options: Any) -> Loaded | Rejected:
    [found] = load(io.BytesIO(json.dumps(record).encode()), **options)
    return found


def conversation(record: Any, **options: Any) -> ConversationalTestCase:
    found = read(record, **options)
    assert isinstance(found, Loaded), found
    assert isinstance(found.case, ConversationalTestCase)
    return found.case


def said(case: ConversationalTestCase) -> list[tuple[str, str]]:
    return [(turn.role, turn.content) for turn in case.turns]


def problem(record: Any, **options: Any) -> str:
    found = read(record, **options)
    assert isinstance(found, Rejected), found
    assert found.error.next_step
    return found.error.detail


ROWS: dict[str, Any] = {
    "an interface's choices": {"messages": ASKED, "response": CHOICES},
    "a completion as text": {"messages": ASKED, "completion": "On its way."},
    "a prompt and its response": {"prompt": "Where is it?", "response": "On its way."},
    "a request and its response": {"request": {"messages": ASKED, "model": "m"}, "response": CHOICES},
    "the bodies of a proxy": {"request_body": {"messages": ASKED}, "response_body": CHOICES},
    "a batch": {"params": {"messages": ASKED}, "response": {"status_code": 200, "body": CHOICES}},
    "a list as input": {"input": ASKED, "output": "On its way."},
    "a list as input, a message as output": {"input": ASKED, "output": REPLY},
    "lists as input and output": {"input": ASKED, "output": [REPLY]},
    "inputs and outputs": {"inputs": {"messages": ASKED}, "outputs": {"messages": [REPLY]}},
    "outputs that repeat the inputs": {
        "inputs": {"messages": ASKED},
        "outputs": {"messages": [*ASKED, REPLY]},
    },
    "texts as input and output": {"input": "Where is it?", "output": "On its way."},
    "texts within input and output": {
        "inputs": {"question": "Where is it?"},
        "outputs": {"a": 1, "answer": "On its way."},
    },
    "the older completions": {"prompt": "Where is it?", "choices": [{"text": "On its way.", "index": 0}]},
    "a local interface's message": {
        "messages": ASKED,
        "response": {"model": "m", "message": REPLY, "done": True},
    },
    "messages of LangChain": {
        "inputs": {
            "messages": [
                [
                    {
                        "lc": 1,
                        "type": "constructor",
                        "id": ["x", "HumanMessage"],
                        "kwargs": {"content": "Where is it?"},
                    }
                ]
            ]
        },
        "outputs": {
            "generations": [
                [{"message": {"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "On its way."}}}]
            ]
        },
    },
    "contents of Gemini": {
        "contents": [{"role": "user", "parts": [{"text": "Where is it?"}]}],
        "response": {"candidates": [{"content": {"role": "model", "parts": [{"text": "On its way."}]}}]},
    },
    "what was asked is there twice": {"messages": [*ASKED, REPLY], "response": CHOICES},
}


@pytest.mark.parametrize("name", sorted(ROWS))
def test_the_reply_beside_a_request_is_the_last_turn(name: str) -> None:
    case = conversation(ROWS[name])
    assert said(case) == SAID


TOLD_ROWS: dict[str, Any] = {
    "Responses": {
        "instructions": "Be kind.",
        "input": "Where is it?",
        "output": [
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "On its way."}],
            }
        ],
    },
    "Converse": {
        "system": [{"text": "Be kind."}],
        "messages": [{"role": "user", "content": [{"text": "Where is it?"}]}],
        "output": {"message": {"role": "assistant", "content": [{"text": "On its way."}]}},
    },
    "Gemini": {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "Where is it?"}]},
            {"role": "model", "parts": [{"text": "On its way."}]},
        ],
    },
    "Anthropic": {
        "request": {"system": "Be kind.", "messages": ASKED},
        "response": {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "text", "text": "On its way."}],
        },
    },
    "a text pair": {"system_prompt": "Be kind.", "prompt": "Where is it?", "completion": "On its way."},
}


@pytest.mark.parametrize("name", sorted(TOLD_ROWS))
def test_what_the_chatbot_was_told_is_the_first_turn(name: str) -> None:
    assert said(conversation(TOLD_ROWS[name])) == TOLD


def test_instructions_are_asked_with_what_they_are_about() -> None:
    row = {"instruction": "Translate.", "input": "yes", "output": "oui"}
    assert said(conversation([row, row][0])) == [("user", "Translate.\n\nyes"), ("assistant", "oui")]
    assert said(conversation({**row, "input": ""}))[0] == ("user", "Translate.")


@pytest.mark.parametrize(
    "history",
    [[["hi", "ho"]], [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]],
)
def test_what_went_before_comes_before(history: list[Any]) -> None:
    row = {"instruction": "Where is it?", "input": "", "output": "On its way.", "history": history}
    assert said(conversation(row)) == [("user", "hi"), ("assistant", "ho"), *SAID]


def test_words_under_another_name_are_no_empty_turn() -> None:
    lost = {"messages": [*ASKED, {"role": "assistant", "content": "", "text": "On its way."}]}
    assert "messages[1].text: holds the words of an empty message" in problem(lost)


def test_a_conversation_of_test_cases_keeps_the_reply_beside_it() -> None:
    assert "response: holds what may be the reply" in problem({"turns": ASKED, "response": "On its way."})
    found = read({"input": "Where is it?", "output": {"state": "on its way"}})
    assert isinstance(found, Loaded)
    assert "output: no field of a test case" in found.remarks[0]


def test_calls_and_results_of_converse_are_kept() -> None:
    case = conversation(
        {
            "messages": [
                {"role": "user", "content": [{"text": "Where is it?"}]},
                {
                    "role": "assistant",
                    "content": [
                        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
                        {"text": "I look."},
                        {"toolUse": {"toolUseId": "t", "name": "find", "input": {"number": 7}}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "toolResult": {
                                "toolUseId": "t",
                                "content": [{"json": {"at": 1}}],
                                "status": "success",
                            }
                        }
                    ],
                },
            ],
            "output": {"message": {"role": "assistant", "content": [{"text": "On its way."}]}},
        }
    )
    assert said(case) == [
        ("user", "Where is it?"),
        ("assistant", "I look."),
        ("tool", '{"at":1}'),
        ("assistant", "On its way."),
    ]
    assert case.turns[1].tools_called == [
        ToolCall(name="find", input_parameters={"number": 7}, output='{"at":1}')
    ]
    assert case.turns[1].metadata == {"reasoning": ["hm"]}


def test_items_of_one_reply_are_one_turn() -> None:
    case = conversation(
        {
            "input": [
                {
                    "type": "message",
                    "role": "user",
                    "content": [{"type": "input_text", "text": "Where is it?"}],
                },
                {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
                {
                    "type": "function_call",
                    "call_id": "a",
                    "id": "i1",
                    "name": "find",
                    "arguments": '{"number": 7}',
                },
                {"type": "function_call", "call_id": "b", "id": "i2", "name": "find", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "b", "output": "none"},
                {"type": "function_call_output", "call_id": "a", "output": "here"},
            ],
            "output": [
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": "On its way."}],
                }
            ],
        }
    )
    assert [turn.role for turn in case.turns] == ["user", "assistant", "tool", "tool", "assistant"]
    assert [(call.id, call.output) for call in case.turns[1].tools_called or []] == [
        ("a", "here"),
        ("b", "none"),
    ]
    assert "hm" in json.dumps(case.turns[1].metadata)


def test_what_is_beside_request_and_reply_is_metadata() -> None:
    row = {"id": "r1", "request": {"messages": ASKED, "model": "m"}, "response": CHOICES, "scores": {"a": 1}}
    case = conversation(row)
    assert case.name == "r1"
    assert case.metadata == {
        "id": "r1",
        "request": {"model": "m"},
        "response": {"usage": {"total_tokens": 3}},
        "scores": {"a": 1},
    }


def test_what_was_expected_of_a_reply_and_its_passages_stay_with_it() -> None:
    row = {"input": "Where is it?", "output": "On its way.", "expected": "Soon.", "retrieval_context": ["p"]}
    [exchange] = conversation(row).exchanges
    assert (exchange.actual_output, exchange.expected_output) == ("On its way.", "Soon.")
    assert exchange.retrieval_context == ["p"]


@pytest.mark.parametrize(
    "beside",
    [
        {"scenario": "somebody waits", "question": "Where is it?", "answer": "On its way."},
        {"scenario": "somebody waits", "prompt": "Where is it?", "response": "On its way."},
        {"turns": 1, "prompt": "Where is it?", "response": "On its way."},
        {"question": "Where is it?", "actual_output": "On its way."},
    ],
)
def test_a_row_with_a_field_of_test_cases_is_a_row(beside: dict[str, Any]) -> None:
    assert said(conversation(beside)) == SAID


def test_a_test_case_may_name_its_scenario() -> None:
    found = read({"scenario": "somebody waits", "input": "Where is it?", "actual_output": "On its way."})
    assert isinstance(found, Loaded)
    assert found.case.metadata == {"scenario": "somebody waits"}


@pytest.mark.parametrize("reply", [{"answer": "Four"}, {"response": "Four"}])
def test_what_a_question_offers_to_choose_from_is_no_reply(reply: dict[str, str]) -> None:
    case = conversation({"question": "How many?", "choices": ["Three", "Four"], **reply})
    assert said(case) == [("user", "How many?"), ("assistant", "Four")]
    assert case.metadata is not None
    assert case.metadata["choices"] == ["Three", "Four"]
    answered = conversation({"messages": [*ASKED, REPLY], "choices": ["Here", "On its way."]})
    assert said(answered) == SAID


def test_other_choices_of_a_reply_are_told() -> None:
    other = {"index": 1, "message": {"role": "assistant", "content": "I do not know."}}
    found = read({"messages": ASKED, "response": {"choices": [*CHOICES["choices"], other]}})
    assert isinstance(found, Loaded)
    assert found.remarks == (
        "response.choices[0].message.content: in no turn, so it is kept as metadata alone",
    )


@pytest.mark.parametrize(
    ("record", "place"),
    [
        (
            {"messages": ASKED, "trace": {"step": {"role": "assistant", "content": "On its way."}}},
            "trace.step.content",
        ),
        (
            {"messages": ASKED, "log": [[1, {"role": "assistant", "content": "On its way."}]]},
            "log[0][1].content",
        ),
        ({"messages": ASKED, "metadata": {"response": "On its way."}}, "metadata.response"),
        ({"messages": ASKED, "output": {"state": "on its way"}}, "output.state"),
        ({"messages": ASKED, "text": "On its way."}, "text"),
        ({"messages": ASKED, "chatReply": "On its way."}, "chatReply"),
        ({"conversations": [{"from": "human", "value": "hi"}], "output": "On its way."}, "output"),
    ],
)
def test_a_conversation_without_the_reply_that_its_record_holds_is_rejected(record: Any, place: str) -> None:
    assert f"line 1, {place}: holds what may be the reply" in problem_in_lines(record)


def problem_in_lines(record: Any) -> str:
    content = f"{json.dumps(record)}\n{json.dumps({'messages': [*ASKED, REPLY]})}\n"
    first, *_ = load(io.BytesIO(content.encode()), format="sharegpt" if "conversations" in record else None)
    assert isinstance(first, Rejected), first
    return first.error.detail


def test_a_misspelt_reply_is_told_with_its_name() -> None:
    said = problem_in_lines({"messages": ASKED, "completoin": "On its way."})
    assert "line 1, completoin: no such field, so that it would be lost; did you mean completion?" in said


@pytest.mark.parametrize(
    "beside",
    [
        {"expected_output": "Soon."},
        {"response": {"id": "r", "status": "failed", "error": {"message": "too many requests"}}},
        {"result": "success"},
        {"answer": ""},
        {"info": {"task": {"instruction": "Ask where it is.", "outputs": ["here"]}}},
        # Names that only sound like those of replies.
        *(
            {name: "asst_7"}
            for name in ("assistant_id", "assistantName", "response_id", "reply_to", "message_id")
        ),
        *({name: "a parcel"} for name in ("about", "robot", "responder", "answered")),
    ],
)
def test_an_unanswered_request_is_one_whatever_else_is_known_of_it(beside: dict[str, Any]) -> None:
    assert said(conversation({"messages": ASKED, **beside})) == SAID[:1]


def test_a_text_without_a_reply_is_rejected() -> None:
    [_, second] = load(
        io.BytesIO(
            f"{json.dumps({'input': 'hi', 'output': 'ho'})}\n{json.dumps({'input': 'hi'})}\n".encode()
        ),
        format="rows",
    )
    assert isinstance(second, Rejected)
    assert "line 2, expected the reply to input" in second.error.detail


def test_words_in_blocks_that_nobody_knows_are_no_empty_turn() -> None:
    row = {
        "messages": [
            {"role": "user", "content": [{"text": "hi"}]},
            {"role": "assistant", "content": [{"text": "ho"}]},
        ]
    }
    for name in ("anthropic", "openai-chat", "rows"):
        assert said(conversation(row, format=name)) == [("user", "hi"), ("assistant", "ho")]


def test_rows_in_a_file_of_other_records_keep_their_replies(tmp_path: Path) -> None:
    path = tmp_path / "mixed.jsonl"
    whole = {"messages": [*ASKED, REPLY]}
    path.write_text(
        "".join(
            f"{json.dumps(row)}\n"
            for row in [whole] * 30 + [ROWS["a list as input"], ROWS["an interface's choices"]]
        )
    )
    records = list(load(path))
    assert [record.format for record in records if isinstance(record, Loaded)] == ["openai-chat"] * 32
    assert all(isinstance(record, Loaded) and said(record.case) == SAID for record in records)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "record",
    [
        [{"id": "1", "role": "user", "parts": [{"type": "text", "text": "Where is it?"}]}, REPLY],
        [
            {"type": "human", "data": {"content": "Where is it?"}},
            {"type": "ai", "data": {"content": "On its way."}},
        ],
        {
            "values": {
                "messages": [
                    {"type": "human", "content": "Where is it?"},
                    {"type": "ai", "content": "On its way."},
                ]
            }
        },
        {"custom_id": "a", "body": {"model": "m", "messages": [*ASKED, REPLY]}},
    ],
)
def test_messages_of_other_interfaces_come_without_a_reply_beside_them(record: Any) -> None:
    assert said(conversation(record)) == SAID


_words = st.sampled_from(
    [
        *(
            "messages",
            "input",
            "output",
            "response",
            "choices",
            "message",
            "role",
            "content",
            "parts",
            "type",
        ),
        *(
            "text",
            "lc",
            "id",
            "kwargs",
            "data",
            "tool_calls",
            "name",
            "args",
            "toolUse",
            "toolResult",
            "kind",
        ),
        *("functionCall", "prompt", "completion", "instruction", "system", "expected", "retrieval_context"),
        *("part_kind", "function_call", "call_id", "metadata", "contents", "candidates", "generations"),
    ]
)
_values = st.sampled_from(
    [
        *(
            "user",
            "assistant",
            "human",
            "ai",
            "text",
            "tool_use",
            "tool_result",
            "tool-find",
            "message",
            "hi",
        ),
        *("function_call", "function_call_output", "reasoning", "request", "response", "HumanMessage", ""),
        *("tool_call", "tool_call_response", "tool-return", "user-prompt"),
    ]
)
_odd = st.recursive(
    st.none() | st.booleans() | st.integers() | _values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=5),
    max_leaves=25,
)


@given(st.lists(st.dictionaries(_words, _odd, max_size=6), min_size=2, max_size=3))
def test_whatever_the_values_every_row_loads_or_is_rejected(values: list[dict[str, Any]]) -> None:
    content = "\n".join(json.dumps(value) for value in values).encode()
    for name in ("rows", "openai-chat", "anthropic"):
        records = list(load(io.BytesIO(content), format=name))
        assert len(records) == len(values)
        for record in records:
            if isinstance(record, Loaded):
                json.dumps(record.case.data(), ensure_ascii=False).encode()
            else:
                assert record.error.detail
