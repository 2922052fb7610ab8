"""JavaScript of a suite: what it may say, and that it can reach nothing and ends."""

from __future__ import annotations

import os
import subprocess
import sys
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


@pytest.mark.parametrize(
    "body",
    [
        "const b = new Uint8Array(5e7); b.fill(1); a.push(b)",
        "const b = new Float64Array(5e6); b.fill(1); a.push(b)",
        "const b = new SharedArrayBuffer(5e7); new Uint8Array(b).fill(1); a.push(b)",
        "const b = new WebAssembly.Memory({initial: 1000}); new Uint8Array(b.buffer).fill(1); a.push(b)",
        "a.push('x'.repeat(2 ** 28).split(''))",
    ],
)
def test_a_script_that_takes_memory_beside_its_values_is_stopped(body: str) -> None:
    found = said(f"const a = [];\nfor (;;) {{ {body} }}")
    assert not found.passed
    assert found.word == "failure" or "is not defined" in found.reason
    assert said("true").passed, "the next script is run as if nothing had been"


@pytest.mark.parametrize("script", ["'x'.repeat(2 ** 24)", "'x'.repeat(2 ** 28)", "Array(1e7).fill(1)"])
def test_a_script_that_gives_back_too_much_is_a_failure(script: str) -> None:
    assert said(script).word == "failure"


def test_what_a_script_gives_back_may_be_deep() -> None:
    deep = "let x = [];\nfor (let i = 0; i < 5000; i++) x = [x];\nreturn "
    assert "levels deep" in said(f"{deep}x").reason
    check = Check(type="equals", value="b", options={"transform": f"{deep}x"})
    assert grade_check(check, Answer(output="a")).word == "failure"


def test_scripts_share_one_process_that_starts_with_the_first() -> None:
    # In a process of its own, which ends by itself only where its scripts' process does not hold it up.
    program = (
        "from turnwise.engine import javascript\n"
        "for script in ('1', '2'):\n"
        "    print(javascript._engine()._process and 'there')\n"
        "    javascript.run_expression(script, {})\n"
        "    print(javascript._engine()._process.pid)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    before, pid, between, same = done.stdout.splitlines()
    assert (before, between, pid) == ("None", "there", same)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


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
    answer = Answer(output="yes", target="echo", case_metadata={"k": 1}, test=lambda: told)
    assert grade_check(Check(type="javascript", value=script), answer).passed


@pytest.mark.parametrize(
    ("script", "passes"), [("NaN", False), ("Infinity", True), ("-Infinity", False), ("1n", False)]
)
def test_a_number_that_is_none_is_no_score(script: str, passes: bool) -> None:
    result = grade_check(Check(type="javascript", value=script), Answer(output="yes"))
    assert (result.passed, result.score, result.word == "failure") == (passes, 0, False)
