"""How a rejection is worded: where, what was expected, what was given."""

import pytest

from turnwise.conversations import ConversationalTestCase, LLMTestCase, MLLMTestCase, ToolCall, Turn
from turnwise.conversations.errors import CaseError
from turnwise.conversations.models import shorten


def rejection(kind: type, **fields: object) -> CaseError:
    with pytest.raises(CaseError) as caught:
        kind(**fields)
    return caught.value


@pytest.mark.parametrize(
    ("kind", "fields", "told"),
    [
        (LLMTestCase, {"input": 3}, "input: expected a string; got 3"),
        (LLMTestCase, {"input": "i", "actual_output": 3}, "actual_output: expected a string; got 3"),
        (LLMTestCase, {"actual_output": "a"}, "input: required, and not given"),
        (LLMTestCase, {"input": "i", "context": "abc"}, 'context: expected a list; got "abc"'),
        (LLMTestCase, {"input": "i", "context": [1]}, "context[0]: expected a string; got 1"),
        (LLMTestCase, {"input": "i", "tools_called": "x"}, 'tools_called: expected a list; got "x"'),
        (LLMTestCase, {"input": "i", "token_cost": "dear"}, 'token_cost: expected a number; got "dear"'),
        (LLMTestCase, {"input": "i", "flaky": "perhaps"}, 'flaky: expected true or false; got "perhaps"'),
        (
            LLMTestCase,
            {"input": "i", "metadata": []},
            "metadata: expected an object with named values; got []",
        ),
        (Turn, {"role": "user", "content": 4}, "content: expected a string; got 4"),
        (Turn, {"role": "user", "content": None}, "content: expected a string; got null"),
        (
            Turn,
            {"role": "Assistant", "content": ""},
            "role: expected 'user', 'assistant', 'system', 'tool' or",
        ),
        (ToolCall, {"name": "t", "type": "REST"}, "type: expected 'FUNCTION' or 'MCP'; got \"REST\""),
        (ConversationalTestCase, {"turns": []}, "turns: expected at least one turn; got an empty list"),
        (ConversationalTestCase, {"turns": "hello"}, 'turns: expected a list of turns; got "hello"'),
        (ConversationalTestCase, {"turns": ["hi"]}, "turns[0]: expected a Turn, an LLMTestCase or an object"),
    ],
)
def test_a_rejection_names_the_place_what_was_expected_and_what_was_given(kind, fields, told):
    error = rejection(kind, **fields)
    assert error.title == f"This is not a valid {kind.__name__}"
    assert told in error.detail
    assert error.next_step


def test_several_problems_are_all_told_up_to_five():
    two = rejection(LLMTestCase, input=1, actual_output=2)
    assert two.detail.splitlines() == [
        "input: expected a string; got 1",
        "actual_output: expected a string; got 2",
    ]
    many = rejection(LLMTestCase, input="i", context=list(range(8))).detail.splitlines()
    assert len(many) == 6
    assert many[-1] == "and 3 more"


def test_an_unknown_field_is_refused_with_the_nearest_of_the_model_it_stands_in():
    assert rejection(LLMTestCase, input="i", actual_ouput="a").detail == (
        "actual_ouput: no such field; did you mean actual_output?"
    )
    inner = rejection(LLMTestCase, input="i", tools_called=[{"name": "t", "input_parameter": {}}]).detail
    assert inner == "tools_called[0].input_parameter: no such field; did you mean input_parameters?"
    turn = rejection(ConversationalTestCase, turns=[{"role": "user", "contnt": ""}]).detail
    assert "turns[0].contnt: no such field; did you mean content?" in turn


def test_a_value_that_may_be_one_of_two_kinds_is_refused_once():
    detail = rejection(LLMTestCase, input="i", retrieval_context=[1, {"context": 2}]).detail
    assert detail.splitlines() == [
        "retrieval_context[0]: expected a string or an object with named values; got 1",
        "retrieval_context[1].context: expected a string; got 2",
    ]
    image = rejection(MLLMTestCase, input=[3], actual_output=[]).detail
    assert image == "input[0]: expected a string or an object with named values; got 3"


def test_the_place_of_a_turn_is_its_place_among_what_was_given():
    first = LLMTestCase(input="a", actual_output="b")
    detail = rejection(ConversationalTestCase, turns=[first, {"role": "bot", "content": ""}, 7]).detail
    assert detail.splitlines()[0].startswith("turns[1].role: expected 'user'")
    assert detail.splitlines()[1].startswith("turns[2]: expected a Turn")
    inner = rejection(ConversationalTestCase, turns=[first, {"input": None}]).detail
    assert inner == "turns[1].input: expected a string; got null"


def test_validation_raises_the_same_error_as_making():
    with pytest.raises(CaseError, match="This is not a valid LLMTestCase"):
        LLMTestCase.model_validate({"input": 3})
    with pytest.raises(CaseError, match="the whole value: expected an object"):
        LLMTestCase.model_validate([1])
    # Also a plain ValueError, as deepeval's users expect it.
    with pytest.raises(ValueError, match="input"):
        LLMTestCase(input=3)


def test_both_spellings_of_a_name_are_accepted():
    snake = LLMTestCase(input="i", actual_output="a", expected_tools=["t"], input_token_count=3)
    camel = LLMTestCase.model_validate(
        {"input": "i", "actualOutput": "a", "expectedTools": [{"name": "t"}], "inputTokenCount": 3}
    )
    assert snake == camel
    assert camel.data() == {
        "input": "i",
        "actual_output": "a",
        "expected_tools": [{"name": "t"}],
        "input_token_count": 3,
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "null"),
        ("é", '"é"'),
        ({"a": [1]}, '{"a": [1]}'),
        (object(), "a object"),
        ("x" * 90, '"' + "x" * 58 + "…"),
    ],
)
def test_a_given_value_is_shown_as_short_json(value, shown):
    assert shorten(value) == shown
