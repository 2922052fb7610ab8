"""Hooks: what extensions of a suite change of its tests, what they are told, and what their errors do."""

from __future__ import annotations

import json
from contextlib import aclosing, closing
from pathlib import Path
from typing import Any

import pytest
from node_here import needs_node

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.code import SuiteCode
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.rules import rules_of
from turnwise.engine.suites.running import run_suite

TWO = [
    {"vars": {"q": "one"}, "assert": [{"type": "equals", "value": "one"}]},
    {"vars": {"q": "two"}, "assert": [{"type": "equals", "value": "two"}]},
]


async def ran(
    folder: Path,
    extensions: list[str],
    *,
    store: Store | None = None,
    compat: bool = False,
    prompts: list[str] | None = None,
    tests: list[dict[str, Any]] = TWO,
    **files: str,
) -> list[CaseRun]:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    path = folder / "c.json"
    config = {"prompts": prompts or ["{{q}}"], "providers": ["echo"], "tests": tests}
    path.write_text(json.dumps({**config, "extensions": extensions}))
    with closing(SuiteCode(path, root=folder, trusted=True)) as code:
        suite = load_suite(path, root=folder, code=code, compat=compat)
        async with (
            Answerer(None, environment={}) as answerer,
            aclosing(
                run_suite(suite, answerer, store=store, code=code, rules=rules_of("promptfoo", compat=compat))
            ) as runs,
        ):
            return [run async for run in runs]


def words(runs: list[CaseRun]) -> list[tuple[Any, str]]:
    return [(run.output, run.result.word) for run in runs]


async def test_checks_and_options_may_be_changed_before_each(tmp_path: Path) -> None:
    source = (
        "def beforeEach(context, told):\n"
        "    test = context['test']\n"
        "    test['assert'].append({'type': 'contains', 'value': '{{q}}!'})\n"
        "    test['options']['transform'] = 'output + \"!\"'\n"
        "    test['metadata']['seen'] = told['hookName']\n"
        "    return context\n"
    )
    runs = await ran(tmp_path, ["file://h.py:beforeEach"], h__py=source)
    assert words(runs) == [("one!", "fail"), ("two!", "fail")]
    assert [check.passed for check in runs[0].result.checks] == [False, True]
    assert runs[0].case.metadata == {"seen": "beforeEach"}


@needs_node
async def test_javascript_keeps_its_state_and_may_change_what_it_is_given(tmp_path: Path) -> None:
    source = (
        "let count = 0;\n"
        "module.exports = (hook, context) => {\n"
        "  if (hook === 'beforeEach') { count += 1; context.test.vars.q += count; }\n"
        "};\n"
    )
    runs = await ran(tmp_path, ["file://h.js"], h__js=source)
    assert words(runs) == [("one1", "fail"), ("two2", "fail")]


async def test_tests_that_code_makes_are_made_once(tmp_path: Path) -> None:
    maker = (
        "made = []\ndef generate_tests():\n    made.append(1)\n    return [{'vars': {'q': str(len(made))}}]"
    )
    hook = "def beforeAll(context, told): return None"
    config: Any = ["file://m.py:generate_tests"]
    runs = await ran(tmp_path, ["file://h.py:beforeAll"], tests=config, m__py=maker, h__py=hook)
    assert words(runs) == [("1", "pass")]


async def test_prompts_and_tests_may_be_changed_before_all(tmp_path: Path) -> None:
    hook = (
        "def beforeAll(context, told):\n"
        "    suite = context['suite']\n"
        "    suite['prompts'] = [{'raw': 'all {{q}}', 'label': 'all'}]\n"
        "    suite['tests'] = suite['tests'][:1]\n"
        "    return context\n"
    )
    runs = await ran(tmp_path, ["file://h.py:beforeAll"], h__py=hook)
    assert words(runs) == [("all one", "fail")]
    assert runs[0].case.prompt_label == "all"


async def test_after_all_is_told_what_became_of_each(tmp_path: Path, store: Store) -> None:
    hook = (
        "import json, pathlib\n"
        "def afterAll(context, told):\n"
        "    rows = [(row['response']['output'], row['success']) for row in context['results']]\n"
        "    pathlib.Path(__file__).with_name('told.json').write_text(json.dumps(rows))\n"
    )
    await ran(tmp_path, ["file://h.py:afterAll"], store=store, h__py=hook)
    assert json.loads((tmp_path / "told.json").read_text()) == [["one", True], ["two", True]]


async def test_a_hook_that_fails_after_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="An extension failed at afterAll"):
        await ran(tmp_path, ["file://h.py:afterAll"], h__py="def afterAll(context, told): return 1 / 0")


async def test_a_hook_that_fails_before_a_test_fails_that_test_alone(tmp_path: Path) -> None:
    hook = (
        "def beforeEach(context, told):\n"
        "    if context['test']['vars']['q'] == 'one':\n"
        "        raise ValueError('not this one')\n"
    )
    runs = await ran(tmp_path, ["file://h.py:beforeEach"], h__py=hook)
    assert words(runs) == [(None, "failure"), ("two", "pass")]
    assert "not this one" in runs[0].result.reason


@pytest.mark.parametrize(("compat", "word"), [(False, "failure"), (True, "pass")])
async def test_a_hook_that_fails_after_a_test_fails_it_but_with_promptfoo(
    tmp_path: Path, compat: bool, word: str
) -> None:
    hook = "def afterEach(context, told): return 1 / 0"
    runs = await ran(tmp_path, ["file://h.py:afterEach"], compat=compat, h__py=hook)
    assert words(runs) == [("one", word), ("two", word)]


async def test_variables_of_a_prompt_that_code_makes_are_not_changed_in_silence(tmp_path: Path) -> None:
    hook = "def beforeEach(context, told):\n    context['test']['vars']['q'] = 'other'\n    return context\n"
    maker = "def made(context): return 'made ' + context['vars']['q']"
    runs = await ran(
        tmp_path, ["file://h.py:beforeEach"], prompts=["file://p.py:made"], h__py=hook, p__py=maker
    )
    assert [run.result.word for run in runs] == ["failure", "failure"]
    assert "a prompt that code makes" in runs[0].result.reason
