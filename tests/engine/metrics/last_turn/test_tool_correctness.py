"""Tool correctness: expected calls against those that were made, without a judge."""

import pytest
from judged import found

from turnwise.conversations import LLMTestCase, Score, Skipped, ToolCall
from turnwise.conversations.errors import SettingError
from turnwise.conversations.tools import ToolCallParams
from turnwise.engine.metrics import ToolCorrectnessMetric


def tools(text: str) -> list[ToolCall]:
    """Read "a a:1" as two calls of the tool a, the second with an argument and an output of 1."""
    calls = []
    for word in text.split():
        name, _, value = word.partition(":")
        calls.append(
            ToolCall(name=name, input_parameters={"n": value} if value else None, output=value or None)
        )
    return calls


async def judged(expected: str, called: str | None, **settings: bool) -> Score:
    case = LLMTestCase(
        input="i",
        actual_output="a",
        expected_tools=tools(expected),
        tools_called=None if called is None else tools(called),
    )
    outcome = await found(ToolCorrectnessMetric(**settings), case, None)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("expected", "called", "value"),
    [
        ("", "", 1.0),
        ("", None, 1.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
        ("a", None, 0.0),
        ("a b", "b a", 1.0),
        ("a b", "a", 0.5),
        ("a a", "a", 0.5),
        ("a", "a a b", 1.0),
        ("a:1", "a:2", 1.0),
    ],
)
async def test_by_name_each_call_serves_once(expected, called, value):
    assert (await judged(expected, called)).score == value


@pytest.mark.parametrize(
    ("expected", "called", "value"),
    [("a b c", "c b a", 1 / 3), ("a b c", "a x c", 2 / 3), ("a b", "a b", 1.0), ("a b a", "b a a", 2 / 3)],
)
async def test_in_order_the_longest_common_sequence_counts(expected, called, value):
    assert (await judged(expected, called, should_consider_ordering=True)).score == pytest.approx(value)


@pytest.mark.parametrize(
    ("expected", "called", "value"),
    [("a b", "a b", 1.0), ("a b", "b a", 0.0), ("a b", "a b c", 0.0), ("a b", "a", 0.0), ("", "", 1.0)],
)
async def test_exactly_these_calls_in_this_order_or_nothing(expected, called, value):
    assert (await judged(expected, called, should_exact_match=True)).score == value


async def test_arguments_and_outputs_count_where_asked():
    for setting in ("compare_arguments", "compare_output"):
        assert (await judged("a:1 a:2", "a:2 a:1", **{setting: True})).score == 1.0
        assert (await judged("a:1 a:1", "a:1 a:2", **{setting: True})).score == 0.5
        assert (await judged("a", "a:1", **{setting: True})).score == 0.0


async def test_a_call_with_some_of_the_arguments_counts_by_their_share():
    expected = [
        ToolCall(name="book", input_parameters={"people": 4, "day": "Friday", "at": {"h": 8, "m": 5}})
    ]
    called = [ToolCall(name="book", input_parameters={"people": 4, "day": "Sunday", "at": {"h": 8, "m": 30}})]
    case = LLMTestCase(input="i", actual_output="a", expected_tools=expected, tools_called=called)
    for settings in ({}, {"should_consider_ordering": True}):
        outcome = await found(ToolCorrectnessMetric(compare_arguments=True, **settings), case, None)
        assert isinstance(outcome, Score)
        assert outcome.score == pytest.approx((1 + 0 + 0.5) / 3)
        assert outcome.reason == "Called with other arguments: book."
        assert [(verdict.word, verdict.passed) for verdict in outcome.verdicts] == [("partly", False)]
    exact = ToolCorrectnessMetric(compare_arguments=True, should_exact_match=True)
    outcome = await found(exact, case, None)
    assert isinstance(outcome, Score)
    assert outcome.score == 0


async def test_calls_of_another_type_are_other_calls():
    for kind, value in (("MCP", 0.0), ("FUNCTION", 1.0), (None, 1.0)):
        case = LLMTestCase(
            input="i",
            actual_output="a",
            expected_tools=[ToolCall(name="find")],
            tools_called=[ToolCall(name="find", type=kind)],
        )
        outcome = await found(ToolCorrectnessMetric(), case, None)
        assert isinstance(outcome, Score)
        assert outcome.score == value


def test_what_was_called_is_a_part_of_what_it_reads():
    assert ToolCorrectnessMetric().reads == ("expected_tools", "tools_called")


async def test_the_reason_names_the_tools():
    missing = await judged("find book", "find")
    assert missing.reason == "Expected, and not called: book."
    assert [(verdict.about, verdict.word) for verdict in missing.verdicts] == [
        ("find", "called"),
        ("book", "missing"),
    ]
    assert (await judged("find", "find")).reason == "The expected tool call was made."
    assert (await judged("a b", "a b")).reason == "All 2 expected tool calls were made."
    assert (await judged("", "book")).reason == "No tool was expected, and these were called: book."
    exact = await judged("find", "", should_exact_match=True)
    assert exact.reason == "Expected exactly find; called none."


async def test_a_case_that_expects_nothing_in_particular_is_skipped():
    outcome = await found(ToolCorrectnessMetric(), LLMTestCase(input="i", actual_output="a"), None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no expected_tools"


def test_what_counts_may_be_named_as_deepeval_does():
    metric = ToolCorrectnessMetric(evaluation_params=[ToolCallParams.INPUT_PARAMETERS, "output"])
    assert (metric.compare_arguments, metric.compare_output) == (True, True)
    same = ToolCorrectnessMetric(compare_arguments=True, compare_output=True)
    assert metric.fingerprint == same.fingerprint
    with pytest.raises(SettingError, match="no part of a tool call"):
        ToolCorrectnessMetric(evaluation_params=["name"])
