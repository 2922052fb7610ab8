"""Checks on what was done for an answer: tools, steps and spans, from a trace or from tool calls."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import ToolUse
from turnwise.engine.checks.traces import matching
from turnwise.engine.suites import Answer, CheckOutcome
from turnwise.engine.suites.grading import grade_check
from turnwise.engine.suites.rules import AS_PROMPTFOO


def span(name: str, start: float = 0, end: float | None = None, **rest: Any) -> dict[str, Any]:
    return {"name": name, "startTime": start, "endTime": start + 100 if end is None else end, **rest}


def tool(name: str, start: float, **arguments: Any) -> dict[str, Any]:
    attributes = {"tool.name": name, "tool.arguments": json.dumps(arguments)}
    return span("tool.call", start, attributes=attributes)


SPANS = [
    tool("compose_reply", 1400, tone="friendly", citations=["doc_1", "doc_2"]),
    span("chat model", 1000, 1800),
    tool("search_orders", 1100, order_id="123", page=1),
    span(
        "mcp inventory/search_inventory",
        1250,
        attributes={"codex.mcp.tool": "search_inventory", "codex.mcp.input": '{"limit": 3}'},
    ),
    span("exec ls", 1550, attributes={"codex.command": "ls -la"}),
    span("reasoning_plan", 1650),
    span("document_search", 1660, attributes={"query": "refund policy"}),
]
TRACED = Answer(output="Done.", case_metadata={"trace": {"spans": SPANS}})


def graded(kind: str, value: Any, answer: Answer = TRACED, **rest: Any) -> CheckOutcome:
    return grade_check(
        Check(type=kind.removeprefix("not-"), negate="not-" in kind, value=value, **rest), answer
    )


def passes(kind: str, value: Any, answer: Answer = TRACED) -> bool:
    result = graded(kind, value, answer)
    assert result.word != "failure", result.reason
    assert result.word != "skipped", result.reason
    assert result.score == float(result.passed)
    return result.passed


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("search_orders", True),
        ("missing", False),
        (["search_orders", "compose_reply"], True),
        (["search_orders", "missing"], False),
        ({"pattern": "search*", "min": 2, "max": 2}, True),
        ({"pattern": "search*", "max": 1}, False),
        ({"name": "SEARCH_ORDERS"}, True),
        ({"name": "missing", "max": 0}, True),
    ],
)
def test_tools_that_were_used(value: Any, expected: bool) -> None:
    assert passes("trajectory:tool-used", value) is expected


def test_of_forbidden_tools_any_one_fails() -> None:
    assert not passes("not-trajectory:tool-used", ["missing", "compose_reply"])
    assert passes("not-trajectory:tool-used", ["missing"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["search_orders", "compose_reply"], True),
        (["compose_reply", "search_orders"], False),
        ({"mode": "exact", "steps": ["search_orders", "compose_reply"]}, False),
        ({"mode": "exact", "steps": ["search_orders", {"pattern": "search_*"}, "compose_reply"]}, True),
        (["search_orders", "search_orders"], False),
    ],
)
def test_the_order_of_tools_is_that_of_time(value: Any, expected: bool) -> None:
    assert passes("trajectory:tool-sequence", value) is expected
    assert passes("not-trajectory:tool-sequence", value) is not expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "search_orders", "args": {"order_id": "123"}}, True),
        ({"name": "search_orders", "args": {"order_id": "999"}}, False),
        ({"name": "search_orders", "args": {"order_id": 123}}, False),
        ({"name": "search_orders", "mode": "exact", "args": {"order_id": "123"}}, False),
        (
            {"name": "search_orders", "mode": "exact", "args": {"order_id": "123"}, "defaults": {"page": 1}},
            True,
        ),
        (
            {"name": "search_orders", "mode": "exact", "args": {"order_id": "123"}, "defaults": {"page": 2}},
            False,
        ),
        ({"name": "search_orders", "mode": "exact", "args": {}, "ignore": ["*_id", "page"]}, True),
        ({"pattern": "compose_*", "arguments": {"citations": ["doc_2"]}}, True),
        ({"pattern": "compose_*", "arguments": {"citations": ["doc_2", "doc_1"]}}, False),
        ({"name": "search_inventory", "args": {"limit": 3}}, True),
        ({"name": "missing", "args": {}}, False),
    ],
)
def test_arguments_of_tools(value: Any, expected: bool) -> None:
    assert passes("trajectory:tool-args-match", value) is expected
    assert passes("not-trajectory:tool-args-match", value) is not expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"type": "command", "min": 1, "max": 1}, True),
        ({"type": "tool", "min": 4}, False),
        ({"type": "search", "pattern": "refund*", "min": 1}, True),
        ({"pattern": "reasoning*", "min": 1}, True),
        ({"max": 7}, True),
        ({"max": 6}, False),
    ],
)
def test_steps_are_counted_by_type_and_name(value: Any, expected: bool) -> None:
    assert passes("trajectory:step-count", value) is expected


CALLS = [
    {"id": "1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}},
    {"id": "2", "type": "function", "function": {"name": "reply", "arguments": "{}"}},
]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(output={"role": "assistant", "content": None, "tool_calls": CALLS}),
        Answer(output=CALLS),
        Answer(output=json.dumps(CALLS)),
        Answer(
            output="Hi", metadata={"toolCalls": [{"name": "search", "input": {"q": "x"}}, {"name": "reply"}]}
        ),
        Answer(output={"text": "Hi", "metadata": {"toolCalls": CALLS}}),
        Answer(output=[{"type": "tool_use", "name": "search", "input": {"q": "x"}}, {"name": "reply"}]),
        Answer(output="Hi", tools_used=(ToolUse(name="search", arguments={"q": "x"}), ToolUse(name="reply"))),
    ],
)
def test_tool_calls_serve_where_there_is_no_trace(answer: Answer) -> None:
    assert passes("trajectory:tool-sequence", {"mode": "exact", "steps": ["search", "reply"]}, answer)
    assert passes(
        "trajectory:tool-args-match", {"name": "search", "mode": "exact", "args": {"q": "x"}}, answer
    )
    assert not passes("trajectory:step-count", {"max": 1}, answer)


def test_a_message_that_lists_no_calls_used_no_tools() -> None:
    answer = Answer(output={"role": "assistant", "content": "Hi", "tool_calls": []})
    assert passes("not-trajectory:tool-used", "search", answer)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("trajectory:tool-used", "x"),
        ("not-trajectory:tool-used", "x"),
        ("trajectory:tool-args-match", {"name": "x", "args": {}}),
        ("trajectory:tool-sequence", ["x"]),
        ("trajectory:step-count", {"max": 3}),
        ("trace-span-count", {"pattern": "*", "min": 0}),
        ("trace-span-duration", {"max": 3}),
        ("trace-error-spans", 0),
        ("skill-used", "x"),
        ("guardrails", None),
    ],
)
def test_without_a_trace_it_is_skipped_and_says_where_one_would_go(kind: str, value: Any) -> None:
    result = graded(kind, value, Answer(output="I called x."))
    assert result.word == "skipped"
    assert "metadata" in result.next_step


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("trajectory:tool-used", 3),
        ("trajectory:tool-used", {"min": 1}),
        ("trajectory:tool-used", {"name": "x", "min": "1"}),
        ("trajectory:tool-args-match", "x"),
        ("trajectory:tool-args-match", {"name": "x"}),
        ("trajectory:tool-args-match", {"name": "x", "args": {}, "mode": "excat"}),
        ("trajectory:tool-sequence", "x"),
        ("trajectory:tool-sequence", {"steps": []}),
        ("trajectory:tool-sequence", [{"type": "tool"}]),
        ("trajectory:step-count", {"type": "tool"}),
        ("trajectory:step-count", {"type": "tol", "max": 1}),
        ("trace-span-count", {"min": 1}),
        ("trace-span-duration", {}),
        ("trace-span-duration", {"max": 1, "percentile": 101}),
        ("trace-error-spans", {"max_count": "none"}),
    ],
)
def test_a_value_that_means_nothing_is_a_failure_with_a_next_step(kind: str, value: Any) -> None:
    result = graded(kind, value)
    assert result.word == "failure"
    assert result.next_step


def test_spans_are_counted_by_name_whatever_the_capitals() -> None:
    assert passes("trace-span-count", {"pattern": "*SEARCH*", "min": 2, "max": 2})
    assert not passes("trace-span-count", {"pattern": "*", "max": 6})


def test_the_slowest_span_counts_unless_a_percentile_is_given() -> None:
    assert not passes("trace-span-duration", {"max": 500})
    assert passes("trace-span-duration", {"max": 500, "percentile": 80})
    assert passes("trace-span-duration", {"max": 100, "pattern": "tool*"})
    assert passes("trace-span-duration", {"max": 0, "pattern": "nothing-like-it"})


FAILING = [
    span("fine", statusCode=200),
    span("api.call", statusCode=500, statusMessage="Internal Server Error"),
    span("database", attributes={"error": True}),
    span("cache", attributes={"http.status_code": 404}),
    span("service", attributes={"otel.status_code": "ERROR"}),
    span("late", statusMessage="ran into a timeout"),
    span("telemetry", status={"code": 2}),
    span("told", status={"code": "STATUS_CODE_ERROR"}),
    span("fine too", status={"code": 1}, attributes=[{"key": "error", "value": {"boolValue": False}}]),
]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, False),
        (0, False),
        (7, True),
        ({"max_count": 6}, False),
        ({"max_percentage": 80}, True),
        ({"max_percentage": 70}, False),
        ({"max_count": 7, "max_percentage": 70}, False),
        ({"pattern": "fine*"}, True),
        ({"pattern": "*api*", "max_count": 0}, False),
    ],
)
def test_spans_that_ended_in_an_error(value: Any, expected: bool) -> None:
    assert passes("trace-error-spans", value, Answer(case_metadata={"trace": FAILING})) is expected


def test_times_of_open_telemetry_are_read() -> None:
    raw = [{"name": "a", "startTimeUnixNano": "1000000000", "endTimeUnixNano": "1250000000"}]
    answer = Answer(output={"trace": raw})
    assert passes("trace-span-duration", {"max": 250}, answer)
    assert not passes("trace-span-duration", {"max": 249}, answer)


def test_skills_that_the_target_reports_count_unless_they_failed() -> None:
    answer = Answer(metadata={"skillCalls": [{"name": "code-review"}, {"name": "deploy", "is_error": True}]})
    assert passes("skill-used", "code-review", answer)
    assert passes("skill-used", {"pattern": "code-*", "min": 1, "max": 1}, answer)
    assert passes("not-skill-used", "deploy", answer)


@pytest.mark.parametrize("place", ["metadata", "case_metadata", "output"])
def test_what_the_guardrails_flagged_fails_and_negated_passes(place: str) -> None:
    report = {"guardrails": {"flagged": True, "flaggedInput": True, "reason": "a jailbreak"}}
    answer = Answer(**{place: report})  # type: ignore[arg-type]
    result = graded("guardrails", None, answer)
    assert not result.passed
    assert result.reason == "The guardrails flagged the input: a jailbreak"
    assert passes("not-guardrails", None, answer)
    assert graded("guardrails", None, answer, config={"purpose": "redteam"}).passed
    assert passes("guardrails", None, Answer(metadata={"guardrails": {"flagged": False}}))


def test_without_a_report_the_guardrails_pass_only_where_promptfoo_is_followed() -> None:
    check, answer = Check(type="guardrails"), Answer(output="Hi")
    assert grade_check(check, answer).word == "skipped"
    result = grade_check(check, answer, rules=AS_PROMPTFOO)
    assert (result.passed, result.score) == (True, 1.0)


@given(st.text(alphabet="ab*?.[\\", max_size=8), st.text(alphabet="ab.[\\", max_size=8))
def test_a_pattern_has_no_marks_but_two(pattern: str, name: str) -> None:
    if not {"*", "?"} & set(pattern):
        assert matching(pattern, [name]) == (pattern == name)
    assert matching("*", [name])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["spans", "name", "attributes", "startTime", "status", "tool.name", "arguments", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(_JSON, _JSON)
def test_no_trace_and_no_value_makes_it_stumble(trace: Any, value: Any) -> None:
    answer = Answer(output="", case_metadata={"trace": trace, "toolCalls": trace, "skillCalls": trace})
    kinds = ("tool-used", "tool-args-match", "tool-sequence", "step-count")
    for kind in [f"trajectory:{one}" for one in kinds] + [
        "trace-span-count",
        "trace-error-spans",
        "skill-used",
    ]:
        graded(kind, value, answer)
    graded("trace-span-duration", {"max": 1}, answer)
