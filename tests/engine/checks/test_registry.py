"""The registry of checks: every line leads to a function, and a new check is one module and one line."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
from misspelt import misspelt

from turnwise.conversations.check_types import CHECK_TYPES, CheckType
from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.promptfoo import load_suite, parse_assertion
from turnwise.conversations.suites import Check
from turnwise.conversations.words import nearest
from turnwise.engine import checks
from turnwise.engine.checks.registry import AGENTV_TYPES, STRICT, SuiteFormat, checks_of
from turnwise.engine.suites import Answer, grade_check
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.running import run_suite


@pytest.mark.parametrize("compat", [False, True])
@pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
def test_every_type_leads_to_a_function_of_check_answer_and_asker(tool: SuiteFormat, compat: bool) -> None:
    found = checks_of(tool, compat=compat)
    for kind, known in found.types.items():
        if not known.function:
            assert known.lacks or kind in ("assert-set", "composite")
            continue
        function = found.function(kind)
        assert list(inspect.signature(function).parameters) == ["check", "answer", "asker"], kind
        assert inspect.iscoroutinefunction(function) == bool(known.needs), kind


@pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
def test_what_compat_weakens_is_a_type_of_the_tool(tool: SuiteFormat) -> None:
    weaker = checks_of(tool, compat=True).weaker
    assert weaker
    assert weaker.keys() <= checks_of(tool).types.keys()
    assert not checks_of(tool).weaker


def test_the_same_check_of_two_tools_is_the_same_function() -> None:
    agentv = checks_of("agentv")
    for kind in ("contains", "icontains", "contains-any", "icontains-any", "contains-all", "icontains-all"):
        assert agentv.function(kind) is STRICT.function(kind)
    assert agentv.function("tool_trajectory") is agentv.function("tool-trajectory")
    assert set(AGENTV_TYPES) > {"contains"}


def test_an_unknown_type_names_the_nearest() -> None:
    with pytest.raises(SettingError, match=r"There is no check contain\b") as caught:
        STRICT.function("contain")
    assert "contains" in caught.value.next_step
    with pytest.raises(SettingError, match="There is no evaluator latenci"):
        checks_of("agentv").function("latenci")


@pytest.mark.parametrize("tool", ["promptfoo", "agentv"])
def test_every_misspelt_type_names_the_nearest(tool: SuiteFormat) -> None:
    known = checks_of(tool)
    for kind in known.names():
        for slip in misspelt(kind, known.names()):
            with pytest.raises(SettingError) as caught:
                known.function(slip)
            assert slip in caught.value.title
            assert caught.value.next_step == f"Did you mean {nearest(slip, known.names())}?"


@pytest.fixture
def exclaims(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A check that counts exclamation marks: one module beside the others, and one line in the list."""
    (tmp_path / "marks.py").write_text(
        "from turnwise.engine.checks.findings import yes_or_no\n"
        "def exclaims(check, answer, asker):\n"
        "    wanted = int(check.value or 1)\n"
        "    return yes_or_no(check, answer.text.count('!') >= wanted, expected=f'have {wanted} marks')\n"
    )
    monkeypatch.setattr(checks, "__path__", [*checks.__path__, str(tmp_path)])
    monkeypatch.setitem(CHECK_TYPES, "exclaims", CheckType("marks:exclaims"))
    yield
    sys.modules.pop("turnwise.engine.checks.marks", None)


@pytest.mark.usefixtures("exclaims")
class TestOneMoreCheck:
    def test_it_grades_an_answer_and_can_be_negated(self) -> None:
        assert grade_check(Check(type="exclaims"), Answer(output="Hi!")).passed
        found = grade_check(Check(type="exclaims", value=2), Answer(output="Hi!"))
        assert (found.passed, found.reason) == (False, "Expected the output to have 2 marks")
        assert grade_check(Check(type="exclaims", negate=True), Answer(output="Hi.")).passed

    def test_a_cell_of_a_table_may_ask_for_it(self) -> None:
        assert parse_assertion("exclaims: 2") == {"type": "exclaims", "value": "2"}
        assert parse_assertion("not-exclaims") == {"type": "not-exclaims"}

    async def test_a_file_of_promptfoo_asks_for_it_in_its_tests_and_its_table(self, tmp_path: Path) -> None:
        (tmp_path / "rows.csv").write_text("said,__expected\nHi!,exclaims\nHi,exclaims: 1\n")
        (tmp_path / "suite.yaml").write_text(
            "prompts: ['{{said}}']\nproviders: [echo]\ntests: file://rows.csv\n"
            "defaultTest:\n  assert: [{type: contains, value: Hi}]\n"
        )
        suite = load_suite(tmp_path / "suite.yaml")
        async with Answerer() as answerer, aclosing(run_suite(suite, answerer)) as runs:
            words = [run.result.word async for run in runs]
        assert words == ["pass", "fail"]


def test_without_its_line_a_cell_is_a_text_like_any_other() -> None:
    assert parse_assertion("exclaims: 2") == {"type": "equals", "value": "exclaims: 2"}
