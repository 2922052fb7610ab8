"""deepeval's test cases and goldens."""

import io
import json
from typing import Any

import pytest

from turnwise.conversations import ConversationalTestCase, LLMTestCase, RetrievedContext, ToolCall
from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import Loaded, Rejected, load

MESSAGES = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]


def read(content: Any, *, text: str | None = None) -> list[Loaded | Rejected]:
    return list(load(io.BytesIO((text or json.dumps(content)).encode()), format="deepeval"))


def conversation(record: dict[str, Any]) -> ConversationalTestCase:
    [found] = read(record)
    assert isinstance(found, Loaded), found
    assert isinstance(found.case, ConversationalTestCase)
    return found.case


def exchange(record: dict[str, Any]) -> LLMTestCase:
    [found] = read(record)
    assert isinstance(found, Loaded), found
    assert isinstance(found.case, LLMTestCase)
    return found.case


def problem(record: Any) -> str:
    [found] = read([record])
    assert isinstance(found, Rejected)
    assert found.error.detail.startswith("standard input, case 1, ")
    return found.error.detail.removeprefix("standard input, case 1, ")


def table(*rows: str) -> list[Loaded | Rejected]:
    return read(None, text="\n".join(rows))


def test_the_three_forms_of_a_conversation_give_the_same_exchanges() -> None:
    exchanges = [{"input": "hi", "actual_output": "ho"}, {"input": "more?", "actual_output": "no"}]
    held = [{"llm_test_case": item, "should_evaluate": False} for item in exchanges]
    spoken = [
        turn
        for item in exchanges
        for turn in (
            {"role": "user", "content": item["input"]},
            {"role": "assistant", "content": item["actual_output"]},
        )
    ]
    form_a = conversation({"messages": held, "evaluate_all_messages": True})
    form_b = conversation({"turns": exchanges})
    form_c = conversation({"turns": spoken})
    for case in (form_a, form_b, form_c):
        assert [(item.input, item.actual_output) for item in case.exchanges] == [
            ("hi", "ho"),
            ("more?", "no"),
        ]
    assert form_a.exchanges[0].metadata == {"should_evaluate": False}
    assert form_a.metadata == {"evaluate_all_messages": True}


def test_turns_may_be_the_json_text_of_a_list() -> None:
    assert conversation({"scenario": "s", "turns": json.dumps(MESSAGES)}).turns[1].content == "ho"
    assert "turns: expected a list, or the JSON text of one; expected JSON; expecting" in problem(
        {"turns": "hello"}
    )
    assert "turns: expected a list of turns; got 3" in problem({"turns": "3"})


def test_names_may_be_camel_case_and_null_is_like_absent() -> None:
    case = conversation(
        {
            "turns": [
                {
                    **MESSAGES[0],
                    "retrievalContext": ["p"],
                    "toolsCalled": [{"name": "t", "inputParameters": {"a": 1}, "output": None}],
                    "userId": None,
                }
            ],
            "expectedOutcome": "done",
            "userDescription": "busy",
            "chatbotRole": "agent",
            "flaky": None,
            "context": None,
        }
    )
    assert (case.expected_outcome, case.user_description, case.chatbot_role) == ("done", "busy", "agent")
    assert case.turns[0].retrieval_context == ["p"]
    assert case.turns[0].tools_called == [ToolCall(name="t", input_parameters={"a": 1})]
    assert case.flaky is False
    assert case.metadata is None
    assert exchange({"input": "a", "actualOutput": "b", "multimodal": None}).actual_output == "b"


def test_what_is_no_field_becomes_metadata() -> None:
    case = conversation(
        {
            "turns": [{**MESSAGES[0], "order": 0}],
            "additional_metadata": {"a": 1},
            "source_file": "f.txt",
            "runDuration": 2.5,
        }
    )
    assert case.metadata == {"a": 1, "source_file": "f.txt", "runDuration": 2.5}
    assert case.turns[0].metadata == {"order": 0}
    assert exchange({"input": "a", "source_file": "f", "metadata": {"b": 1}}).metadata == {
        "b": 1,
        "source_file": "f",
    }


def test_metadata_of_the_same_name_hides_nothing() -> None:
    case = exchange({"input": "a", "success": True, "metadata": {"success": "no"}})
    assert case.metadata == {"success": True, "metadata": {"success": "no"}}


def test_a_persona_describes_the_user_where_nothing_else_does() -> None:
    assert conversation({"turns": MESSAGES, "persona": "calm"}).user_description == "calm"
    case = conversation({"turns": MESSAGES, "persona": "calm", "user_description": "loud"})
    assert case.user_description == "loud"
    assert case.metadata == {"persona": "calm"}


def test_passages_keep_their_source() -> None:
    case = exchange(
        {"input": "a", "retrieval_context": ["plain", "deepeval_source=S,deepeval_context=C, and more"]}
    )
    assert case.retrieval_context == ["plain", RetrievedContext(context="C, and more", source="S")]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"input": None, "actual_output": "b"}, "input: expected a string; got null"),
        ({"input": 3}, "input: expected a string; got 3"),
        ({"input": "a", "context": "abc"}, 'context: expected a list; got "abc"'),
        ({"input": "a", "metadata": "abc"}, 'metadata: expected an object with named values; got "abc"'),
        (
            {"input": "a", "tools_called": [{"name": None}]},
            "tools_called[0].name: expected a string; got null",
        ),
        ({"turns": [], "name": "n"}, "turns: expected at least one turn; got []"),
        ({"turns": None}, "turns: expected at least one turn; got null"),
        ({"turns": {"a": 1}}, 'turns: expected a list of turns; got {"a": 1}'),
        ({"turns": [{"role": "user"}]}, "turns[0].content: required, and not given"),
        ({"turns": [MESSAGES[0], {"role": "waiter", "content": ""}]}, "turns[1].role: expected 'user'"),
        ({"turns": [MESSAGES[0], 3]}, "turns[1]: expected a Turn"),
        ({"turns": [{"input": None}]}, "turns[0].input: expected a string; got null"),
        ({"messages": [{"llm_test_case": 3}]}, "messages[0].llm_test_case: expected an object"),
        (
            {"scenario": "s", "turns": None},
            "turns: this conversational golden has a scenario and no turns yet",
        ),
        ({"scenario": "s"}, "nothing to judge"),
        ({"name": "n"}, "expected turns or input; got an object with"),
        ("text", 'expected an object with turns or input; got "text"'),
    ],
)
def test_a_record_that_is_no_case_is_rejected_with_field_expected_and_given(
    record: Any, expected: str
) -> None:
    assert expected in problem(record)


def test_a_rejected_record_leaves_the_others_alone() -> None:
    found = read([{"input": "a"}, {"input": None}, {"scenario": "s"}, {"turns": MESSAGES}])
    assert [type(record) for record in found] == [Loaded, Rejected, Rejected, Loaded]


def test_a_table_of_exchanges() -> None:
    [found] = table(
        "input,actual_output,context,retrieval_context,tools_called,expected_tools,tags,additional_metadata,"
        "custom_column_key_values,completion_time,flaky,comments,source_file",
        'a,b,one|two,"deepeval_source=S,deepeval_context=C|p","[{""name"": ""t"", ""inputParameters"": '
        '{""x"": 1}}]",t;u,red|blue,"{""m"": 1}","{""k"": ""v""}",1.5,True,,f.txt',
    )
    assert isinstance(found, Loaded)
    assert found.case == LLMTestCase(
        input="a",
        actual_output="b",
        context=["one", "two"],
        retrieval_context=[RetrievedContext(context="C", source="S"), "p"],
        tools_called=[ToolCall(name="t", input_parameters={"x": 1})],
        expected_tools=[ToolCall(name="t"), ToolCall(name="u")],
        tags=["red", "blue"],
        metadata={"m": 1, "source_file": "f.txt"},
        custom_column_key_values={"k": "v"},
        completion_time=1.5,
        flaky=True,
    )


def test_a_table_of_conversations_and_exchanges() -> None:
    turns = json.dumps(MESSAGES).replace('"', '""')
    found = table(
        "scenario,turns,expected_outcome,input,context",
        f'weather,"{turns}",told,,Paris|Rome',
        "no turns,,told,,",
        ",,,hi,",
        ",,told,,",
    )
    assert [type(record) for record in found] == [Loaded, Rejected, Loaded, Rejected]
    first = found[0]
    assert isinstance(first, Loaded)
    assert isinstance(first.case, ConversationalTestCase)
    assert (first.case.scenario, first.case.context) == ("weather", ["Paris", "Rome"])
    assert [turn.content for turn in first.case.turns] == ["hi", "ho"]
    last = found[3]
    assert isinstance(last, Rejected)
    assert last.error.detail == "standard input, row 4, line 5, input: expected a string; got an empty cell"


def test_a_table_of_the_tests_of_a_suite_is_none_of_goldens() -> None:
    with pytest.raises(FormatError, match="no format"):
        load(io.BytesIO(b"input,__expected\nhi,contains: ho\n"))


def test_a_cell_that_is_not_the_json_it_must_be_is_rejected() -> None:
    [found] = table("input,metadata,context", 'a,"{""m"": }",c')
    assert isinstance(found, Rejected)
    assert (
        "metadata: expected a JSON object; expected JSON; expecting value at column 7" in found.error.detail
    )
