"""code_judge: a score that a command gives."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from agentv_found import Seen, check, graded

from turnwise.conversations.errors import SettingError
from turnwise.engine.checks.answer import Answer, Effort, Tokens, ToolUse
from turnwise.engine.suites.code import SuiteCode

ANSWER = Answer(
    output="42",
    prompt="6 x 7?",
    criterion="It says 42",
    reference="42",
    asked=({"role": "user", "content": "6 x 7?"},),
    tools_used=(ToolUse(name="sum", arguments={"a": 6}),),
    effort=Effort(tokens=Tokens(input=5, output=2)),
    cost=0.1,
    latency=12.0,
    options={"input_files": ["a.md"]},
)


async def judged(written: Any, *, compat: bool = False, **config: Any) -> tuple[Seen, dict[str, Any]]:
    seen: dict[str, Any] = {}

    async def run_code(command, given, *, folder, place=""):
        seen.update(command=command, given=json.loads(json.dumps(given)), folder=folder)
        if isinstance(written, Exception):
            raise written
        return written

    asked = check("code_judge", **{"argv": ["python", "check.py"], **config})
    return await graded(asked, ANSWER, run_code=run_code, compat=compat), seen


class TestScore:
    async def test_it_comes_with_hits_and_misses(self):
        written = {"score": 0.6, "hits": ["a", ""], "misses": ["b", 3], "reasoning": "so"}
        grade, _ = await judged(written)
        assert (grade.score, grade.verdict) == (0.6, "borderline")
        assert (grade.hits, grade.misses, grade.reason) == (("a",), ("b",), "so")

    @pytest.mark.parametrize(
        ("written", "score", "verdict"),
        [
            ({"pass": True}, 1.0, "pass"),
            ({"pass": False, "score": 0.9}, 0.9, "fail"),
            (
                {"checks": [{"text": "a", "pass": True}, {"text": "b", "pass": False, "score": 0.5}]},
                0.75,
                "borderline",
            ),
            ({"pass": True, "checks": [{"text": "a", "pass": False}]}, 0.0, "pass"),
            ({"score": 0.9, "checks": []}, 0.9, "pass"),
        ],
    )
    async def test_scripts_of_agentv_5_write_pass_and_checks(self, written, score, verdict):
        """AgentV 5.3.1 gave these scores, and these verdicts but for its fail in place of borderline."""
        grade, _ = await judged({**written, "reason": "so"})
        assert (grade.score, grade.verdict, grade.reason) == (score, verdict, "so")

    async def test_checks_without_any_of_them_are_no_score(self):
        assert (await judged({"checks": [{"text": "a"}]}))[0].word == "failure"

    @pytest.mark.parametrize(("score", "kept"), [(1.7, 1.0), (-2, 0.0), (1, 1.0)])
    async def test_it_is_kept_between_0_and_1(self, score, kept):
        assert (await judged({"score": score}))[0].score == kept

    async def test_without_one_it_is_the_share_of_assertions_that_passed(self):
        listed = [{"text": "a", "passed": True}, {"text": "b", "passed": False}, {"no": "text"}]
        grade, _ = await judged({"assertions": listed})
        assert (grade.score, grade.hits, grade.misses) == (0.5, ("a",), ("b",))

    @pytest.mark.parametrize("written", [{}, [], "fine", {"score": "high"}, SettingError("It failed")])
    async def test_none_at_all_is_a_failure_and_in_compat_a_score_of_0(self, written):
        assert (await judged(written))[0].word == "failure"
        grade, _ = await judged(written, compat=True)
        assert (grade.word, grade.score) == ("score", 0.0)


class TestWhatItIsTold:
    async def test_the_names_of_both_forms(self):
        _, seen = await judged({"score": 1}, options={"least": 3})
        given = seen["given"]
        assert given["candidate_answer"] == given["output"] == "42"
        assert given["expected_outcome"] == given["criteria"] == "It says 42"
        assert given["question"] == "6 x 7?"
        assert given["config"] == {"least": 3}
        assert given["input_files"] == ["a.md"]
        assert given["output_messages"][0]["tool_calls"] == [{"tool": "sum", "input": {"a": 6}}]
        assert given["trace_summary"]["tool_calls_by_name"] == {"sum": 1}
        assert given["token_usage"] == {"input": 5, "output": 2}

    async def test_where_it_runs(self):
        _, seen = await judged({"score": 1}, resolved_cwd="/evals/scripts")
        assert (seen["command"], seen["folder"]) == (["python", "check.py"], Path("/evals/scripts"))


class TestTrust:
    async def test_without_it_the_check_is_skipped_and_says_how(self):
        grade = await graded(check("code_judge", name="lint", argv=["lint"]), ANSWER)
        assert (grade.word, grade.word == "failure") == ("skipped", False)
        assert "lint is code" in grade.reason
        assert "--trust" in grade.next_step

    @pytest.mark.parametrize("trusted", [True, False])
    async def test_a_real_command_runs_with_it_alone(self, tmp_path, trusted):
        script = tmp_path / "check.py"
        script.write_text(
            "import json, sys\n"
            "given = json.load(sys.stdin)\n"
            "print(json.dumps({'score': float(given['output'] == '42'), 'hits': ['right']}))\n"
        )
        suite = tmp_path / "suite.yaml"
        suite.write_text("tests: []\n")
        asked = check("code-grader", argv=[sys.executable, "check.py"], resolved_cwd=str(tmp_path))
        with closing(SuiteCode(suite, trusted=trusted)) as code:
            grade = await graded(asked, ANSWER, run_code=code.run_code)
        assert (grade.score, grade.word == "skipped") == ((1.0, False) if trusted else (0.0, True))
        assert trusted or "--trust" in grade.next_step


@pytest.mark.parametrize("argv", [[], [1], None])
async def test_what_is_no_command_is_a_failure(argv):
    assert (await graded(check("code_judge", argv=argv), ANSWER)).word == "failure"
