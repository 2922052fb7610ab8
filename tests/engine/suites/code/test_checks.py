"""Checks, transforms, scoring functions and targets that are code, as a run of a suite meets them."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Check, SuiteCase
from turnwise.engine.checks.answer import Answer
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.code.checks import settled
from turnwise.engine.suites.grading import Transformed
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.running import run_suite

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return lambda name, text: (tmp_path / name).write_text(text) and None


async def run(folder: Path, *checks: dict[str, Any], trusted: bool = True, **config: Any) -> CaseRun:
    """Run a suite of one test over the output `say yes`, with these checks."""
    test = {"vars": {"q": "yes"}, "assert": list(checks), **config.pop("test", {})}
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["say {{q}}"], "providers": ["echo"], "tests": [test], **config}))
    with closing(SuiteCode(path, trusted=trusted)) as code:
        suite = load_suite(path, code=code)
        async with (
            Answerer(environment={}) as answerer,
            aclosing(run_suite(suite, answerer, code=code)) as runs,
        ):
            [found] = [one async for one in runs]
    return found


def python(value: str, **rest: Any) -> dict[str, Any]:
    return {"type": "python", "value": value, **rest}


class TestVerdicts:
    @pytest.mark.parametrize(
        ("value", "outcome", "score"),
        [
            ("'yes' in output", "pass", 1.0),
            ("'no' in output", "fail", 0.0),
            ("context['vars']['q'] == 'yes' and context['prompt'] == 'say yes'", "pass", 1.0),
            ("context['test']['vars']['q'] == 'yes' and context['provider']['id'] == 'echo'", "pass", 1.0),
            ("len(output) / 10", "pass", 0.7),
            ("0", "fail", 0.0),
            ("'True'", "pass", 1.0),
            ("'no word of ours'", "fail", 0.0),
            ("None", "fail", 0.0),
            ("[1]", "fail", 0.0),
            ("float('nan')", "fail", 0.0),
            ("{'pass': True, 'score': 0.3, 'reason': 'ok'}", "pass", 0.3),
            ("{'pass_': False, 'score': 0.3, 'reason': 'ok'}", "fail", 0.3),
            ('\'{"pass": true, "score": 0.4, "reason": "as text"}\'', "pass", 0.4),
            ("{'pass': True}", "fail", 0.0),
            ("1 / 0", "fail", 0.0),
            ("if output:\n    return 0.5\nreturn False", "pass", 0.5),
            ("import math\nreturn math.floor(1.5)", "pass", 1.0),
            ("output +", "fail", 0.0),
        ],
    )
    async def test_what_python_gives_is_read_as_promptfoo_does(
        self, tmp_path: Path, value: str, outcome: str, score: float
    ) -> None:
        found = (await run(tmp_path, python(value))).result
        assert (found.word, found.score) == (outcome, pytest.approx(score)), found.reason

    async def test_a_threshold_decides_on_numbers_and_results(self, tmp_path: Path) -> None:
        assert (await run(tmp_path, python("0.5", threshold=0.6))).result.word == "fail"
        assert (await run(tmp_path, python("0.5", threshold=0.5))).result.word == "pass"
        result = "{'pass': True, 'score': 0.5, 'reason': 'r'}"
        assert (await run(tmp_path, python(result, threshold=0.6))).result.word == "fail"

    async def test_a_negated_check_turns_round(self, tmp_path: Path) -> None:
        assert (await run(tmp_path, python("'no' in output", type="not-python"))).result.word == "pass"

    async def test_named_scores_count(self, tmp_path: Path) -> None:
        value = "{'pass': True, 'score': 1, 'reason': '', 'named_scores': {'a': 0.25}}"
        assert (await run(tmp_path, python(value))).result.named_scores == {"a": 0.25}


class TestFiles:
    async def test_scripts_decide_by_their_default_and_by_name(self, tmp_path: Path, write: Write) -> None:
        write("x.py", "def get_assert(o, c): return c['config']['n']\ndef other(o, c): return o == 'say yes'")
        write(
            "x.js", "module.exports = (o, c) => c.vars.q === 'yes'; module.exports.f = (o) => o.length / 10"
        )
        found = await run(
            tmp_path,
            python("file://x.py", config={"n": 0.5}),
            python("file://x.py:other"),
            {"type": "javascript", "value": "file://x.js"},
            {"type": "javascript", "value": "file://x.js:f"},
        )
        assert [check.score for check in found.result.checks] == [0.5, 1.0, 1.0, 0.7]
        assert found.result.word == "pass"

    async def test_a_script_makes_the_value_of_another_check(self, tmp_path: Path, write: Write) -> None:
        write("x.py", "def get_assert(o, c): return ['no', c['vars']['q']]")
        found = await run(tmp_path, {"type": "contains-any", "value": "file://x.py"})
        assert found.result.word == "pass"

    async def test_within_a_set(self, tmp_path: Path, write: Write) -> None:
        write("x.py", "def get_assert(o, c): return 0.5")
        checks = [python("file://x.py"), {"type": "contains", "value": "yes"}]
        found = await run(tmp_path, {"type": "assert-set", "assert": checks})
        assert found.result.score == 0.75

    async def test_transforms_of_a_case_and_of_a_check(self, tmp_path: Path, write: Write) -> None:
        write("t.py", "def get_transform(o, c): return {'said': o, 'q': c['vars']['q']}")
        write("t.js", "module.exports = (o) => o.said + '!'; module.exports.none = () => null")
        check = {"type": "equals", "value": "say yes!", "transform": "file://t.js"}
        found = await run(tmp_path, check, test={"options": {"transform": "file://t.py"}})
        assert found.result.word == "pass", found.result.reason
        found = await run(tmp_path, test={"options": {"transform": "file://t.js:none"}})
        assert (found.result.word, found.result.reason[:23]) == ("failure", "A transform gave nothin")

    async def test_a_script_finds_the_context_of_a_judged_check(self, tmp_path: Path, write: Write) -> None:
        write("c.py", "def get_transform(o, c): return ['one', o]")
        check = Check(type="context-faithfulness", options={"contextTransform": "file://c.py"})
        write("suite.json", "{}")
        with closing(SuiteCode(tmp_path / "suite.json", trusted=True)) as code:
            ready = await settled([check], Answer(output="two"), SuiteCase(index=0), code)
        assert ready.checks[0].options["contextTransform"] == Transformed(["one", "two"])

    async def test_a_scoring_function_has_the_last_word(self, tmp_path: Path, write: Write) -> None:
        write("s.py", "def get_score(n, c): return {'pass': n['m'] < 1, 'score': 0.25, 'reason': 'so'}")
        check = python("0.5", metric="m")
        found = (await run(tmp_path, check, test={"assertScoringFunction": "file://s.py"})).result
        assert (found.word, found.score, found.reason) == ("pass", 0.25, "so")
        write(
            "s.js", "module.exports = (n, c) => ({pass: false, score: c.componentResults.length, reason: ''})"
        )
        found = (await run(tmp_path, check, test={"assertScoringFunction": "file://s.js"})).result
        assert (found.word, found.score) == ("fail", 1)

    async def test_ruby_is_not_run_and_says_so(self, tmp_path: Path, write: Write) -> None:
        write("x.rb", "true")
        found = await run(tmp_path, {"type": "ruby", "value": "file://x.rb"})
        assert found.result.word == "skipped"
        assert "Ruby" in found.result.reason


class TestTargets:
    @pytest.mark.parametrize("target", ["file://bot.py", "python:bot.py", "python:bot.py:call_api"])
    async def test_a_script_in_python_answers(self, tmp_path: Path, write: Write, target: str) -> None:
        write(
            "bot.py",
            "def call_api(p, o, c):\n"
            "    return {'output': [p, o['config']['x'], c['vars']['q']], 'cost': 0.5}",
        )
        found = await run(
            tmp_path, {"type": "cost", "threshold": 0.4}, providers=[{"id": target, "config": {"x": 4}}]
        )
        assert found.output == ["say yes", 4, "yes"]
        assert found.result.word == "fail"

    async def test_a_script_in_javascript_answers(self, tmp_path: Path, write: Write) -> None:
        write(
            "bot.js",
            "module.exports = class { constructor(o) { this.x = o.config.x }\n"
            "  async callApi(p, c) { return { output: p + this.x + c.vars.q } } }",
        )
        found = await run(tmp_path, providers=[{"id": "file://bot.js", "config": {"x": 4}}])
        assert found.output == "say yes4yes"

    async def test_a_command_answers(self, tmp_path: Path) -> None:
        assert (await run(tmp_path, providers=["exec:printf '%s.'"])).output.startswith("say yes.")

    @pytest.mark.parametrize(
        ("body", "told"),
        [
            ("return {'error': 'busy'}", "busy"),
            ("raise KeyError('k')", "KeyError"),
            ("return None", "nothing"),
        ],
    )
    async def test_a_script_that_does_not_answer_is_a_failure(
        self, tmp_path: Path, write: Write, body: str, told: str
    ) -> None:
        write("bot.py", f"def call_api(p, o, c): {body}")
        found = await run(tmp_path, python("True"), providers=["file://bot.py"])
        assert found.result.word == "failure"
        assert told in found.result.reason


class TestWithoutTrust:
    async def test_a_check_is_skipped_and_says_what_would_run(self, tmp_path: Path, write: Write) -> None:
        write("x.py", "open('canary', 'w')")
        found = await run(tmp_path, python("file://x.py"), trusted=False)
        [check] = found.result.checks
        assert (found.result.word, check.word == "skipped") == ("skipped", True)
        assert "suite.json, python: x.py (Python) is code" in check.reason
        assert "--trust" in check.next_step

    async def test_a_target_and_a_transform_are_failures_that_say_it(
        self, tmp_path: Path, write: Write
    ) -> None:
        write("x.py", "open('canary', 'w')")
        for config in ({"providers": ["file://x.py"]}, {"test": {"options": {"transform": "file://x.py"}}}):
            found = await run(tmp_path, trusted=False, **config)
            assert found.result.word == "failure"
            assert "x.py (Python) is code" in found.result.reason
            assert "--trust" in found.result.reason
