"""Checks on JSON, schemas, XML, HTML, SQL and tool calls."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_json, same, strict_json
from turnwise.engine.checks.json_checks import json_objects
from turnwise.engine.suites import Answer, CheckOutcome, grade_check

PERSON = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "additionalProperties": False,
}


def graded(kind: str, output: Any, value: Any = None, **rest: Any) -> CheckOutcome:
    tools = rest.pop("tools", None)
    return grade_check(Check(type=kind, value=value, **rest), Answer(output=output, tools=tools))


def test_json_is_json_by_the_standard() -> None:
    assert graded("is-json", "42").passed
    assert not graded("is-json", '{"a": NaN}').passed
    assert not graded("is-json", '```json\n{"a":1}\n```').passed
    assert not graded("is-json", "[" * 100_000).passed


def test_json_is_held_to_its_schema_and_the_reason_names_the_place() -> None:
    assert graded("is-json", '{"name":"Al","age":3.0}', PERSON).passed
    wrong = graded("is-json", '{"name":"Al","age":"3"}', PERSON)
    assert not wrong.passed
    assert "age" in wrong.reason
    assert not graded("is-json", '{"name":"Al","x":1}', PERSON).passed
    assert graded("is-json", '{"name": 1}', "type: object\nproperties:\n  name: {type: integer}").passed


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("email", "a@b.org", "a.b.org"),
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-02-29T10:00:00Z", "2024-02-29"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("uuid", "7a1f6a0e-0000-4000-8000-000000000000", "7a1f"),
        ("uri", "https://a.org/x", "a b"),
    ],
)
def test_formats_are_checked(name: str, good: str, bad: str) -> None:
    schema = {"type": "string", "format": name}
    assert graded("is-json", f'"{good}"', schema).passed
    assert not graded("is-json", f'"{bad}"', schema).passed


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "foo": "bar"},
        {"type": "nonsense"},
        {"type": "string", "format": "no-such-format"},
        {"$ref": "http://127.0.0.1:9/schema.json"},
        {"$ref": "#/definitions/absent"},
    ],
)
def test_a_schema_of_no_use_is_a_failure_and_nothing_is_fetched(schema: dict[str, Any]) -> None:
    result = graded("is-json", '"x"', schema)
    assert result.word == "failure", result


def test_a_pattern_in_a_schema_cannot_run_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.engine.checks.patterns.SECONDS", 0.1)
    slow = r"^(?:(x+x+)+y|(\w+\s?)*!)$"
    for schema in (
        {"pattern": slow},
        {"patternProperties": {slow: {}}},
        {"patternProperties": {slow: {}}, "additionalProperties": False},
    ):
        data = "x" * 5000 if "pattern" in schema else {"x" * 5000: 1}
        assert graded("is-json", as_json(data), schema).word == "failure"


def test_pattern_properties_make_room_for_names() -> None:
    schema = {"patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False}
    assert graded("is-json", '{"x-a": 1}', schema).passed
    assert not graded("is-json", '{"x-a": "1"}', schema).passed
    assert not graded("is-json", '{"y": 1}', schema).passed


def test_json_is_found_in_prose_even_loosely_written_or_cut_off() -> None:
    assert list(json_objects('first {"x":1} then {a: 1, b: two} // end')) == [{"x": 1}, {"a": 1, "b": "two"}]
    assert list(json_objects('x {"a": {"b": 1}')) == [{"a": {"b": 1}}]
    assert graded("contains-json", 'first {"x":1} then {"name":"Al"}', PERSON).passed
    assert not graded("contains-json", "list: [1,2,3]").passed


@given(st.text(alphabet='{}[]":,a1 \n/', max_size=60))
def test_any_text_is_searched_for_json_without_an_error(text: str) -> None:
    list(json_objects(text))


_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(_DATA)
def test_data_written_as_json_reads_back_the_same(data: Any) -> None:
    assert same(strict_json(as_json(data)), data)


def test_xml_is_well_formed_and_has_what_is_asked_for() -> None:
    assert graded("is-xml", "<a><b>1</b></a>", "a.b").passed
    missing = graded("is-xml", "<a><b>1</b></a>", ["a.b", "a.c"])
    assert not missing.passed
    assert "a.c" in missing.reason
    assert graded("is-xml", "<a><b/><b x='1'/></a>", "a.b.1.@_x").passed
    assert not graded("is-xml", "<a><b>1</a>").passed
    assert graded("contains-xml", "text <a><b>1</b></a> 1 < 2", {"requiredElements": ["a.b"]}).passed
    assert not graded("contains-xml", "<a>1</b>").passed


def test_xml_that_would_blow_up_is_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx"><!ENTITY y "&x;&x;&x;">]><a>&y;</a>'
    assert not graded("is-xml", bomb).passed


@given(st.text(alphabet="<>/ab!-\"'=& ;?[]", max_size=60))
def test_any_text_is_read_as_markup_without_an_error(text: str) -> None:
    for kind in ("is-xml", "contains-xml", "is-html", "contains-html"):
        assert graded(kind, text).word != "failure"


@pytest.mark.parametrize(
    ("output", "whole", "some"),
    [
        ("<!DOCTYPE html><html><body>x</body></html>", True, True),
        ("<p>hi</p>", True, True),
        ("<p>one<p>two</p>", True, True),
        ("<p>hi</p> and more", False, True),
        ("<my-part></my-part>", True, True),
        ("<foo></foo>", False, True),
        ("plain", False, False),
        ("1 < 2 and 3 > 2", False, False),
        ('<?xml version="1.0"?><p>x</p>', False, True),
    ],
)
def test_html_is_told_from_text(output: str, whole: bool, some: bool) -> None:
    assert graded("is-html", output).passed is whole
    assert graded("contains-html", output).passed is some


def test_sql_is_a_statement_within_what_is_allowed() -> None:
    assert graded("is-sql", "SELECT id FROM users WHERE id = 1").passed
    for bad in ("SELEC id FRM users", "hello world", "hello", ""):
        assert not graded("is-sql", bad).passed
    tables = {"databaseType": "PostgreSQL", "allowedTables": ["(select|update)::(.*)::users"]}
    assert graded("is-sql", "SELECT id FROM users", tables).passed
    assert not graded("is-sql", "DELETE FROM users", tables).passed
    columns = {"allowedColumns": ["select::null::id"]}
    assert graded("is-sql", "SELECT id FROM users", columns).passed
    assert not graded("is-sql", "SELECT name FROM users", columns).passed
    assert graded("contains-sql", "Use:\n```sql\nSELECT 1\n```").passed
    assert graded("is-sql", "SELECT 1", {"databaseType": "Nonsense"}).word == "failure"


def test_the_tools_called_are_compared_as_sets_of_names() -> None:
    called = {"tool_calls": [{"function": {"name": "a", "arguments": "{}"}}, {"function": {"name": "b"}}]}
    assert graded("tool-call-f1", called, "a, b").passed
    part = graded("tool-call-f1", called, ["a"])
    assert not part.passed
    assert part.score == pytest.approx(2 / 3)
    assert graded("tool-call-f1", '{"type": "tool_use", "name": "a"}', ["a"]).passed
    assert graded("tool-call-f1", [{"functionCall": {"name": "a"}}], ["a"]).passed
    assert graded("tool-call-f1", 'I call\n{"type": "function_call", "name": "a"}', ["a"]).passed
    assert graded("tool-call-f1", "x", []).word == "failure"


def test_a_call_must_fit_the_tools_given() -> None:
    tools = ({"type": "function", "function": {"name": "age", "parameters": PERSON}},)
    good = {"tool_calls": [{"function": {"name": "age", "arguments": '{"name": "Al"}'}}]}
    bad = {"tool_calls": [{"function": {"name": "age", "arguments": "{}"}}]}
    kind = "is-valid-openai-tools-call"
    assert graded(kind, good, tools=tools).passed
    assert "name" in graded(kind, bad, tools=tools).reason
    assert not graded(kind, good).passed
    assert not graded(kind, "no call", tools=tools).passed
    assert graded("is-valid-openai-function-call", good["tool_calls"][0]["function"], tools=tools).passed


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT FROM t",
        "DELETE t",
        "SELECT a, FROM t",
        "SELECT a FROM t GROUP BY",
        "SELECT 'a",
        "SELECT a FROM t WHERE",
    ],
)
def test_a_statement_with_a_part_missing_is_no_sql(statement: str) -> None:
    assert not graded("is-sql", statement).passed


def test_commas_in_quotation_marks_are_words() -> None:
    assert graded("is-sql", "SELECT 'a, FROM b', c FROM t").passed


@pytest.mark.parametrize(
    "schema",
    [
        {"nullable": True},
        {"if": {"type": "string"}},
        {"then": {"type": "string"}},
        {"items": {"type": "string"}, "additionalItems": False},
        {"$schema": "https://json-schema.org/draft/2020-12/schema"},
        {"minContains": 1, "contains": {}},
    ],
)
def test_a_schema_with_a_part_that_has_no_effect_is_a_failure(schema: dict[str, Any]) -> None:
    assert graded("is-json", "1", schema).word == "failure"
    assert graded("contains-json", "no object", schema).word != "failure"


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("email", "a@b.org", "a@b"),
        ("time", "23:59:60Z", "22:59:60Z"),
        ("url", "http://example.org/a", "http://x.y"),
        ("uri-template", "/a/{b}", "{"),
        ("relative-json-pointer", "1/a", "/a"),
        ("iso-date-time", "2024-02-29 10:00:00", "2024-02-30 10:00:00"),
    ],
)
def test_formats_are_those_of_promptfoos_package(name: str, good: str, bad: str) -> None:
    schema = {"type": "string", "format": name}
    assert graded("is-json", f'"{good}"', schema).passed
    assert not graded("is-json", f'"{bad}"', schema).passed


def test_a_number_is_finite_and_a_pattern_counts_characters() -> None:
    assert not graded("is-json", "1e400", {"type": "number"}).passed
    assert graded("is-json", '"\U0001f600"', {"type": "string", "pattern": "^.$"}).passed


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("<td>x</td>", False),
        ("<table><tr><td>x</td></tr></table>", True),
        ("<table>x</table>", False),
        ("<p><b>x</p>y</b>", True),
        ("<p><b>x</b></p>y", False),
    ],
)
def test_html_is_read_as_browsers_read_it(text: str, holds: bool) -> None:
    assert graded("is-html", text).passed == holds
