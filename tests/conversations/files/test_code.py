"""Code that a configuration names while it is read: run by whoever is given, and by nobody else."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Suite
from turnwise.engine.suites.code import SuiteCode

Load = Callable[..., Suite]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Write a configuration and files beside it, and load it with trust (or without)."""

    def loaded(
        files: dict[str, str], *, trusted: bool = True, name: str = "suite.json", **config: Any
    ) -> Suite:
        for file, text in files.items():
            (tmp_path / file).write_text(text)
        path = tmp_path / name
        if name not in files:
            whole = {"prompts": ["{{q}}"], "providers": ["echo"], "tests": [{"vars": {"q": "x"}}], **config}
            path.write_text(json.dumps(whole))
        with closing(SuiteCode(path, trusted=trusted)) as code:
            return load_suite(path, code=code)

    return loaded


def prompts(suite: Suite) -> list[str]:
    assert not [case.problem for case in suite.cases if case.problem]
    return [case.prompt for case in suite.cases]


class TestTests:
    PYTHON = (
        "def generate_tests(config=None):\n"
        "    return [{'vars': {'q': w}} for w in (config or {}).get('words', ['a'])]\n"
        "def two(): return [{'vars': {'q': 'b'}}, {'vars': {'q': 'c'}}]"
    )
    SCRIPT = (
        "module.exports = (c) => (c ? c.words : ['a']).map((q) => ({vars: {q}}));"
        "module.exports.two = module.exports"
    )

    @pytest.mark.parametrize(
        ("tests", "found"),
        [
            ("file://gen.py", ["a"]),
            (["gen.py:two"], ["b", "c"]),
            (
                [{"path": "file://gen.py", "config": {"words": ["d", "e"]}}, {"vars": {"q": "f"}}],
                ["d", "e", "f"],
            ),
            ("file://gen.js", ["a"]),
            (["file://gen.js:two"], ["a"]),
            ({"path": "gen.js", "config": {"words": ["d"]}}, ["d"]),
            (["file://gen*.py"], ["a"]),
        ],
    )
    def test_a_function_makes_tests(self, load: Load, tests: Any, found: list[str]) -> None:
        suite = load({"gen.py": self.PYTHON, "gen.js": self.SCRIPT}, tests=tests)
        assert prompts(suite) == found

    @pytest.mark.parametrize("made", ["'x'", "{'vars': {}}", "None", "1 / 0", "[1]"])
    def test_what_is_no_list_of_tests_is_a_worded_error(self, load: Load, made: str) -> None:
        with pytest.raises(FormatError, match=r"gen\.py"):
            load({"gen.py": f"def generate_tests(): return {made}"}, tests="file://gen.py")


class TestVariables:
    def test_a_script_makes_a_variable(self, load: Load) -> None:
        files = {
            "v.py": "def get_var(n, prompt, o): return {'output': f'{n} {prompt[-1]} {o[\"a\"]}\\n'}",
            "v.js": "module.exports = (n, prompt, o) => ({output: n + prompt.slice(-1) + o.a})",
        }
        tests = [{"vars": {"a": 1, "q": f"file://v.{kind}"}} for kind in ("py", "js")]
        suite = load(files, prompts=["{{q}}!", "{{q}}?"], tests=tests)
        assert prompts(suite) == ["q ! 1!", "q ? 1?", "q!1!", "q?1?"]
        assert suite.cases[0].vars == {"a": 1, "q": "file://v.py"}

    @pytest.mark.parametrize("made", ["{'error': 'no luck'}", "{}", "'text'", "None"])
    def test_a_script_that_makes_none_is_a_problem_of_its_case(self, load: Load, made: str) -> None:
        suite = load({"v.py": f"def get_var(n, p, o): return {made}"}, tests=[{"vars": {"q": "file://v.py"}}])
        assert "v.py" in suite.cases[0].problem

    @pytest.mark.parametrize(
        "transform",
        ["({q: vars.q + 1, z: 2})", "file://t.py", "file://t.js", "const q = vars.q + 1\nreturn {q, z: 2}"],
    )
    def test_variables_may_be_transformed(self, load: Load, transform: str) -> None:
        files = {
            "t.py": "def get_transform(vars, context): return {'q': vars['q'] + '1', 'z': 2}",
            "t.js": "module.exports = (vars) => ({q: vars.q + 1, z: 2})",
        }
        suite = load(files, tests=[{"vars": {"q": "x"}, "options": {"transformVars": transform}}])
        assert prompts(suite) == ["x1"]
        assert suite.cases[0].vars == {"q": "x1", "z": 2}

    def test_an_expression_needs_no_trust(self, load: Load) -> None:
        tests = [{"vars": {"q": "x"}, "options": {"transformVars": "({q: 'y'})"}}]
        assert prompts(load({}, trusted=False, tests=tests)) == ["y"]


class TestPrompts:
    FILES: ClassVar = {
        "p.py": "import json, sys\n"
        "if __name__ == '__main__': print('whole', json.loads(sys.argv[1])['vars']['q'])\n"
        "def f(c): return [{'role': 'user', 'content': c['vars']['q'] + ' {{q}} ' + c['provider']['id']}]",
        "p.js": "module.exports = ({vars}) => `js ${vars.q} {{q}}`;"
        "module.exports.f = async () => ({prompt: 'obj'})",
        "p.mjs": "export default ({config}) => 'esm ' + config.n",
    }

    @pytest.mark.parametrize(
        ("prompt", "text"),
        [
            ("file://p.py", "whole x"),
            ("file://p.py:f", '[\n  {\n    "role": "user",\n    "content": "x x echo"\n  }\n]'),
            ("p.js", "js x x"),
            ("file://p.js:f", "obj"),
            ({"id": "file://p.mjs", "config": {"n": 4}}, "esm 4"),
            ("exec:printf 'ran %.8s'", 'ran {"vars":'),
        ],
    )
    def test_a_script_makes_a_prompt(self, load: Load, prompt: Any, text: str) -> None:
        suite = load(self.FILES, prompts=[prompt])
        assert prompts(suite) == [text]

    def test_a_pattern_may_mean_scripts(self, load: Load) -> None:
        assert prompts(load(self.FILES, prompts=["file://*.js"])) == ["js x x"]

    def test_a_script_that_fails_is_a_problem_of_its_cases(self, load: Load) -> None:
        suite = load({"p.py": "def f(c): raise ValueError('no luck')"}, prompts=["file://p.py:f", "{{q}}"])
        assert "no luck" in suite.cases[0].problem
        assert suite.cases[1].prompt == "x"


def test_a_configuration_in_javascript_is_what_it_exports(load: Load) -> None:
    config = "module.exports = {prompts: ['{{q}}'], providers: ['echo'], tests: [{vars: {q: 'x'}}]}"
    assert prompts(load({"suite.js": config}, name="suite.js")) == ["x"]
    with pytest.raises(FormatError, match="needs code") as caught:
        load({"suite.js": config}, name="suite.js", trusted=False)
    assert "--trust" in caught.value.next_step


@pytest.mark.parametrize("name", ["suite.rb", "suite.go"])
def test_a_configuration_in_another_language_is_a_worded_error(load: Load, name: str) -> None:
    with pytest.raises(FormatError, match="code where turnwise runs none"):
        load({name: "x = 1"}, name=name)


def test_a_list_that_a_transform_adds_stands_for_several_rows(load: Load) -> None:
    test = {"vars": {"q": ["a", "b"]}, "options": {"transformVars": "({ n: vars.q })"}}
    assert prompts(load({}, prompts=["{{q}}{{n}}"], tests=[test])) == ["aa", "ab", "ba", "bb"]
