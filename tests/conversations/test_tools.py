"""ToolCall: what makes two calls the same, and the names it goes by."""

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations import LLMTestCase, ToolCall

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_calls_are_equal_by_name_input_and_output_alone():
    call = ToolCall(name="find", input_parameters={"a": 1, "b": 2}, output="x", id="1", description="d")
    same = ToolCall(name="find", input_parameters={"b": 2, "a": 1}, output="x", id="2", reasoning="r")
    assert call == same
    assert hash(call) == hash(same)
    assert call != ToolCall(name="find", input_parameters={"a": 1, "b": 2}, output="y")
    assert call != ToolCall(name="find", input_parameters={"a": 1}, output="x")
    assert call != ToolCall(name="seek", input_parameters={"a": 1, "b": 2}, output="x")
    assert call != "find"


@given(st.text(), st.dictionaries(st.text(), json_values, max_size=3), json_values)
def test_equal_calls_have_equal_hashes(name, parameters, output):
    one = ToolCall(name=name, input_parameters=parameters, output=output)
    other = ToolCall.model_validate(one.model_dump(mode="json"))
    assert one == other
    assert len({one, other}) == 1


def test_input_is_another_name_of_input_parameters():
    named = {"a": 1}
    assert ToolCall(name="t", input=named).input_parameters == named
    assert ToolCall(name="t", inputParameters=named).input_parameters == named
    assert ToolCall(name="t", input_parameters=named) == ToolCall.model_validate(
        {"name": "t", "input": named}
    )


def test_a_plain_string_is_the_name_of_a_tool():
    case = LLMTestCase(input="i", tools_called=["find", {"name": "book"}], expected_tools=["find"])
    assert case.tools_called == [ToolCall(name="find"), ToolCall(name="book")]
    assert case.expected_tools == [ToolCall(name="find")]
