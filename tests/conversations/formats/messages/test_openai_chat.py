"""Chat messages in OpenAI's shape."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.formats import Loaded, Rejected, load

USER = {"role": "user", "content": "hi"}
REPLY = {"role": "assistant", "content": "ho"}


def read(record: Any, **options: Any) -> Loaded | Rejected:
    [found] = load(io.BytesIO(json.dumps(record).encode()), format="openai-chat", **options)
    return found


def conversation(record: Any, **options: Any) -> ConversationalTestCase:
    found = read(record, **options)
    assert isinstance(found, Loaded), found
    assert isinstance(found.case, ConversationalTestCase)
    return found.case


def problem(record: Any, **options: Any) -> str:
    found = read(record, **options)
    assert isinstance(found, Rejected), found
    return found.error.detail.removeprefix("standard input, case 1, ")


def call(name: str, arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


def test_a_conversation_is_a_list_or_an_object_that_holds_one() -> None:
    for record in ([USER, REPLY], {"messages": [USER, REPLY]}, {"traj": [USER, REPLY]}):
        assert [turn.content for turn in conversation(record).turns] == ["hi", "ho"]


def test_what_else_a_record_holds_becomes_metadata() -> None:
    record = {"task_id": 7, "reward": 0.5, "info": {"a": [1]}, "traj": [USER], "trial": 0, "note": None}
    assert conversation(record).metadata == {
        "task_id": 7,
        "reward": 0.5,
        "info": {"a": [1]},
        "trial": 0,
        "note": None,
    }
    assert conversation({"messages": [USER], "metadata": {"a": 1}, "b": 2}).metadata == {"a": 1, "b": 2}
    assert conversation({"messages": [USER], "metadata": {"b": 1}, "b": 2}).metadata == {
        "metadata": {"b": 1},
        "b": 2,
    }
    assert conversation([USER]).metadata is None


def test_two_lists_of_messages_ask_for_a_name() -> None:
    record = {"chosen": [USER, REPLY], "rejected": [USER]}
    assert "got 2: chosen, rejected (name the one with --messages KEY)" in problem(record)
    case = conversation(record, messages_key="chosen")
    assert len(case.turns) == 2
    assert case.metadata == {"rejected": [USER]}
    assert "other: expected a list of messages; the record holds" in problem(record, messages_key="other")
    assert len(conversation({**record, "messages": [USER]}).turns) == 1


def test_a_named_list_may_hold_pairs_of_who_speaks_and_what_is_said() -> None:
    case = conversation({"dialog": [["user", "Hey"], ["bot", "Hello"]]}, messages_key="dialog")
    assert [(turn.role, turn.content) for turn in case.turns] == [("user", "Hey"), ("assistant", "Hello")]


def test_a_named_list_that_is_a_text_is_rejected_with_what_it_is() -> None:
    found = problem({"messages_display": "user: hi"}, messages_key="messages_display")
    assert found == 'messages_display: expected a list of messages; got "user: hi"'


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"name": "n", "id": "i"}, "n"),
        ({"id": " a\nb "}, "a b"),
        ({"task_id": "shop-3"}, "shop-3"),
        ({"title": "", "conversation_id": "c"}, "c"),
        ({"task_id": 3}, None),
        ({"name": "x" * 200}, None),
        ({}, None),
    ],
)
def test_a_short_text_names_the_conversation(record: dict[str, Any], name: str | None) -> None:
    case = conversation({**record, "messages": [USER]})
    assert case.name == name
    assert case.metadata == (record or None)


@pytest.mark.parametrize(
    ("given_role", "role"),
    [
        ("User", "user"),
        ("human", "user"),
        ("ASSISTANT", "assistant"),
        ("bot", "assistant"),
        ("model", "assistant"),
        ("ai", "assistant"),
        ("gpt", "assistant"),
        ("function", "tool"),
        ("developer", "developer"),
        ("system", "system"),
    ],
)
def test_roles_of_other_names_are_understood_and_kept(given_role: str, role: str) -> None:
    turn = conversation([USER, {"role": given_role, "content": "x"}]).turns[1]
    assert turn.role == role
    assert turn.metadata == (None if role == given_role else {"role": given_role})


def test_content_may_be_null_parts_a_refusal_or_speech() -> None:
    image = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    marked = {"type": "text", "text": "two", "cache_control": {"type": "ephemeral"}}
    case = conversation(
        [
            {"role": "user", "content": ["zero", {"type": "text", "text": "one"}, image, marked]},
            {"role": "assistant", "content": None, "refusal": "I will not."},
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
            {"role": "assistant", "content": None, "tool_calls": [call("t")]},
            {"role": "assistant", "audio": {"id": "a", "transcript": "spoken"}},
            {"role": "user", "content": [{"text": "untyped"}, {"image": {"format": "png"}}]},
        ]
    )
    assert [turn.content for turn in case.turns] == [
        "zero\none\ntwo",
        "I will not.",
        "No.",
        "",
        "spoken",
        "untyped",
    ]
    file = {"media_type": "image/*", "url": "https://example.org/a.png"}
    assert case.turns[0].metadata == {"parts": [image, marked], "files": [file]}
    assert case.turns[1].metadata == {"refusal": "I will not."}
    assert case.turns[4].audio == {"id": "a", "transcript": "spoken"}


def test_the_parts_of_a_content_are_its_words() -> None:
    told = {"content_type": "text", "parts": ["Where is it?"]}
    first, _ = conversation([{"role": "user", "content": told}, REPLY]).turns
    assert first.content == "Where is it?"


def test_what_a_message_holds_beside_is_kept() -> None:
    message = {**USER, "name": "Ada", "timestamp": 12.5, "created_at": "today", "weight": 0, "nothing": None}
    turn = conversation([message]).turns[0]
    assert turn.name == "Ada"
    assert turn.metadata == {"timestamp": 12.5, "created_at": "today", "weight": 0}
    turn = conversation([{**USER, "name": 3, "parts": "p", "content": [{"type": "x"}]}]).turns[0]
    assert turn.metadata == {"name": 3, "parts": "p", "original_parts": [{"type": "x"}]}


def test_tool_calls_carry_arguments_and_the_outputs_that_came_back() -> None:
    case = conversation(
        [
            USER,
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [call("find", '{"q": "x"}', id="1"), call("book", "not json", id="2")],
            },
            {"role": "tool", "tool_call_id": "2", "name": "book", "content": "booked"},
            {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "found"}]},
            REPLY,
        ]
    )
    find, book = case.turns[1].tools_called or []
    assert (find.id, find.name, find.input_parameters, find.output) == ("1", "find", {"q": "x"}, "found")
    assert (book.input_parameters, book.raw_arguments, book.output) == (None, "not json", "booked")
    assert [turn.role for turn in case.turns] == ["user", "assistant", "tool", "tool", "assistant"]
    assert case.turns[2].tool_call_id == "2"


def test_an_id_that_comes_again_means_its_newest_call() -> None:
    asks = {"role": "assistant", "content": "", "tool_calls": [call("t", id="same")]}
    case = conversation(
        [USER]
        + [
            message
            for output in ("first", "second")
            for message in (asks, {"role": "tool", "tool_call_id": "same", "content": output})
        ]
    )
    outputs = [item.output for turn in case.turns for item in turn.tools_called or []]
    assert outputs == ["first", "second"]


def outputs_of(calls: list[dict[str, Any]], answers: list[dict[str, Any]]) -> list[Any]:
    asks = {"role": "assistant", "content": "", "tool_calls": calls}
    case = conversation([USER, asks, *({"role": "tool", **answer} for answer in answers)])
    assert len(case.turns) == 2 + len(answers)
    return [item.output for item in case.turns[1].tools_called or []]


def test_without_ids_answers_are_tied_by_name_and_then_by_order() -> None:
    assert outputs_of(
        [call("a"), call("b")], [{"name": "b", "content": "2"}, {"name": "a", "content": "1"}]
    ) == ["1", "2"]
    assert outputs_of([call("a"), call("b")], [{"content": "1"}, {"content": "2"}]) == ["1", "2"]
    assert outputs_of([call("a", id="x"), call("a", id="y")], [{"content": "1"}, {"content": "2"}]) == [
        "1",
        "2",
    ]
    assert outputs_of([call("a"), call("b")], [{"content": "1", "tool_call_id": "z"}]) == ["1", None]


def test_an_answer_that_fits_no_call_is_a_turn_and_no_more() -> None:
    assert outputs_of([call("a", id="x")], [{"content": "1", "tool_call_id": "z"}]) == [None]
    assert outputs_of([call("a", id="x")], [{"content": "1", "name": "b"}]) == [None]
    assert outputs_of([call("a")], [{"content": "1"}, {"content": "2"}]) == ["1"]


def test_the_older_function_call_is_a_tool_call() -> None:
    case = conversation(
        [
            USER,
            {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": '{"a": 1}'}},
            {"role": "function", "name": "f", "content": "out"},
        ]
    )
    [found] = case.turns[1].tools_called or []
    assert (found.name, found.input_parameters, found.output) == ("f", {"a": 1}, "out")
    assert case.turns[2].role == "tool"


def test_calls_of_other_shapes_are_understood() -> None:
    calls = [
        call("a", {"x": 1}, id="1", index=0),
        {"id": "2", "type": "custom", "custom": {"name": "b", "input": "free text"}},
        {"id": "3", "name": "c", "arguments": '{"y": 2}'},
        call("d", "[1]"),
        call("e", ""),
        {"function": {"name": "f"}},
        call("g", ["é"]),
    ]
    turn = conversation([USER, {"role": "assistant", "tool_calls": calls}]).turns[1]
    found = [(item.name, item.input_parameters, item.raw_arguments) for item in turn.tools_called or []]
    assert found == [
        ("a", {"x": 1}, None),
        ("b", None, "free text"),
        ("c", {"y": 2}, None),
        ("d", None, "[1]"),
        ("e", None, ""),
        ("f", None, None),
        ("g", None, '["é"]'),
    ]
    assert turn.metadata == {"tool_calls": calls}


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"messages": []}, "messages: expected at least one message; got an empty list"),
        ({"messages": "hi"}, 'messages: expected a list of messages; got "hi"'),
        ({"messages": [{"role": "system", "content": "x"}]}, "got only system messages"),
        ({"messages": [USER, 3]}, "messages[1]: expected an object with role and content; got 3"),
        (
            {"traj": [USER, {"role": "waiter", "content": ""}]},
            "traj[1].role: expected user, assistant, system",
        ),
        ({"messages": [USER, {"content": "x"}]}, "messages[1].role: expected user"),
        (
            {"messages": [{"role": "customer", "content": "Where is it?"}]},
            'got "customer"; if role says who speaks, say so: --map role=role,content=content',
        ),
        (
            {"messages": [{"is_user": True, "text": "Where is it?"}]},
            "got null; if is_user says who speaks, say so: --map role=is_user,content=text",
        ),
        ({"messages": [USER, {"role": "user"}]}, "messages[1].content: required, and not given"),
        (
            {"messages": [USER, {"role": "user", "text": "Where is it?"}]},
            "[1].content: required, and not given; if its words are in text, say so: --map content=text",
        ),
        ({"messages": [{"role": "user", "content": 3}]}, "messages[0].content: expected a string or a list"),
        (
            {"messages": [USER, {**REPLY, "content": [{"said": "On its way."}]}]},
            "turn 2: expected blocks of text in a known shape; got a block with said",
        ),
        ({"messages": [["waiter", "Soup?"]]}, '[0]: expected an object with role and content; got ["waiter"'),
        ({"messages": [{"role": "user", "content": [3]}]}, "messages[0].content[0]: expected a string or an"),
        ({"messages": [{**REPLY, "tool_calls": {}}]}, "messages[0].tool_calls: expected a list of calls"),
        (
            {"messages": [{**REPLY, "tool_calls": [{"id": "1"}]}]},
            "messages[0].tool_calls[0].function.name: expected a string; got null",
        ),
        (USER, "expected a conversation; got one message"),
        ({"a": 1}, 'the record holds ["a"]'),
        ([7], "expected a list of messages or an object that holds one; got 7"),
    ],
)
def test_a_record_that_is_no_conversation_is_rejected_with_place_expected_and_given(
    record: Any, expected: str
) -> None:
    assert expected in problem(record)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
arguments = st.dictionaries(texts, st.integers() | texts, max_size=3)
named_calls = st.tuples(texts, arguments)


@st.composite
def chats(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Messages as a chat really goes: every call is answered, its ids its own, in any order."""
    messages: list[dict[str, Any]] = (
        [{"role": "system", "content": draw(texts)}] if draw(st.booleans()) else []
    )
    for round_ in range(draw(st.integers(1, 4))):
        messages.append({"role": "user", "content": draw(texts)})
        called = draw(st.lists(named_calls, max_size=3))
        ids = [f"call_{round_}_{number}" for number in range(len(called))]
        if called:
            made = [
                call(name, json.dumps(given), id=id_) for id_, (name, given) in zip(ids, called, strict=True)
            ]
            messages.append({"role": "assistant", "content": draw(st.none() | texts), "tool_calls": made})
            messages += [
                {"role": "tool", "tool_call_id": id_, "content": f"output of {id_}"}
                for id_ in draw(st.permutations(ids))
            ]
        messages.append({"role": "assistant", "content": draw(texts)})
    return messages


@given(chats())
def test_no_message_call_or_output_is_lost(messages: list[dict[str, Any]]) -> None:
    case = conversation({"messages": messages})
    assert [(turn.role, turn.content) for turn in case.turns] == [
        (message["role"], message["content"] or "") for message in messages
    ]
    for message, turn in zip(messages, case.turns, strict=True):
        made = [
            (item["id"], item["function"]["name"], json.loads(item["function"]["arguments"]))
            for item in message.get("tool_calls", [])
        ]
        kept = turn.tools_called or []
        assert [(item.id, item.name, item.input_parameters) for item in kept] == made
        assert [item.output for item in kept] == [f"output of {item.id}" for item in kept]
        assert turn.tool_call_id == message.get("tool_call_id")


ASKED_ITEM = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "weather?"}]}
CALL_ITEM = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
RESULT_ITEM = {"type": "function_call_output", "call_id": "c1", "output": "sunny"}
REPLY_ITEM = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Sunny."}],
}


@pytest.mark.parametrize(
    "items",
    [
        [ASKED_ITEM, CALL_ITEM, RESULT_ITEM, REPLY_ITEM],
        [ASKED_ITEM, REPLY_ITEM],
        [{**ASKED_ITEM, "created_at": 10}, {**REPLY_ITEM, "created_at": 11}],
    ],
)
def test_a_page_of_a_list_is_read_in_the_order_in_which_it_was_said(items: list[dict[str, Any]]) -> None:
    page = {"object": "list", "first_id": "a", "last_id": "b", "has_more": False}
    forwards = conversation({**page, "data": items})
    backwards = conversation({**page, "data": items[::-1]})
    assert [turn.content for turn in forwards.turns] == [turn.content for turn in backwards.turns]
    assert forwards.turns[-1].content == "Sunny."
    assert [call.output for turn in backwards.turns for call in turn.tools_called or []] == [
        "sunny" for item in items if item is CALL_ITEM
    ]
