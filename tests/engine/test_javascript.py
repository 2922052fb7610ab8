"""JavaScript of a suite: what it may say, and that it can reach nothing and ends."""

from __future__ import annotations

from typing import Any

import pytest

from turnwise.conversations.suites import Check
from turnwise.engine import javascript
from turnwise.engine.suites import Answer, CheckOutcome, grade_check

pytest.importorskip("py_mini_racer")


def said(code: str, output: Any = '{"x": 0.5}', **rest: Any) -> CheckOutcome:
    return grade_check(Check(type="javascript", value=code, **rest), Answer(output=output, vars={"n": 3}))


def test_true_a_number_or_an_object_is_a_verdict() -> None:
    assert said("output.length > 3").passed
    assert said("output.length").score == 10
    assert not said("0.4", threshold=0.5).passed
    found = said("return {pass: false, score: 0.2, reason: 'r', namedScores: {tone: 1}}\n// why")
    assert not found.passed
    graded = said("const a = 1;\nreturn {pass: false, score: 0.2, reason: 'r', namedScores: {tone: 1}}")
    assert (graded.passed, graded.score, graded.reason, graded.named_scores) == (False, 0.2, "r", {"tone": 1})


def test_a_declaration_may_come_before_the_expression() -> None:
    assert said("const data = JSON.parse(output); const t = 'a;b'; data.x").score == 0.5


def test_the_context_holds_the_variables() -> None:
    assert said("context.vars.n === 3").passed
    assert said("output.x === 1", {"x": 1}).passed


def test_promises_are_waited_for() -> None:
    assert said("Promise.resolve(true)").passed
    assert not said("new Promise(() => {})").passed


@pytest.mark.parametrize("code", ["nonsense(", "null", "'yes'", "throw 1", "JSON.parse('x')", "0/0", ""])
def test_anything_else_does_not_pass(code: str) -> None:
    assert not said(code).passed


def test_negation_turns_the_verdict_and_keeps_the_number() -> None:
    assert not said("true", negate=True).passed
    assert said("0", negate=True).passed


@pytest.mark.parametrize(
    "name", ["require", "fetch", "XMLHttpRequest", "Deno", "Bun", "WebSocket", "process.env"]
)
def test_there_is_nothing_to_reach_the_outside_with(name: str) -> None:
    assert said(f"typeof {name} === 'undefined'").passed


def test_no_script_sees_what_another_left() -> None:
    said("globalThis.left = 1; true")
    assert said("typeof globalThis.left === 'undefined'").passed


def test_a_script_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript, "SECONDS", 0.2)
    result = said("for (;;) {}\nreturn true")
    assert result.word == "failure"
    assert "seconds" in result.reason


def test_a_script_that_takes_all_memory_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(javascript, "MEMORY", 32 * 1024 * 1024)
    assert said("const a = [];\nfor (;;) a.push(new Array(1e5).fill(7))").word == "failure"


async def test_a_script_runs_where_an_event_loop_is_running() -> None:
    assert said("output.length > 3").passed


def test_a_script_in_a_file_needs_trust() -> None:
    assert said("file://check.js").word == "skipped"


def test_an_output_may_be_transformed_before_a_check() -> None:
    check = Check(type="equals", value="b", options={"transform": "JSON.parse(output).a"})
    assert grade_check(check, Answer(output='{"a": "b"}')).passed
    assert grade_check(check, Answer(output="no json")).word == "failure"
    assert grade_check(check, Answer(output="{}")).word == "failure"


@pytest.mark.parametrize(
    "script",
    [
        "const a = ';'; a === ';'",
        "const length = output.length; length > 1;;",
        "new Promise((resolve) => setTimeout(() => resolve(true), 50))",
        "context.config === undefined",
        "context.provider.id() === 'echo'",
        "context.test.description === 'first' && context.test.metadata.k === 1",
    ],
)
def test_a_script_is_run_as_promptfoo_runs_it(script: str) -> None:
    told = {"description": "first"}
    answer = Answer(output="yes", target="echo", case_metadata={"k": 1}, test=told)
    assert grade_check(Check(type="javascript", value=script), answer).passed


@pytest.mark.parametrize(
    ("script", "passes"), [("NaN", False), ("Infinity", True), ("-Infinity", False), ("1n", False)]
)
def test_a_number_that_is_none_is_no_score(script: str, passes: bool) -> None:
    result = grade_check(Check(type="javascript", value=script), Answer(output="yes"))
    assert (result.passed, result.score, result.word == "failure") == (passes, 0, False)
