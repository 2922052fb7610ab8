"""Identity: what makes two checks the same, and that what was found by one serves again."""

from __future__ import annotations

import json
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Check, Suite, SuiteCase
from turnwise.engine.suites.answering import Answerer
from turnwise.engine.suites.code.suite_code import SuiteCode
from turnwise.engine.suites.identity import Prints, least_of, numbered
from turnwise.engine.suites.keeping import CaseRun
from turnwise.engine.suites.rules import rules_of
from turnwise.engine.suites.running import run_suite

CASE = SuiteCase(index=0)
SUITE = Suite(format="promptfoo", source=Path("suite.yaml"))


def print_of(case: SuiteCase = CASE, *, compat: bool = False, **fields: Any) -> str:
    return Prints(SUITE, rules_of("promptfoo", compat=compat)).of(
        Check(**{"type": "contains", "value": "a", **fields}), case
    )


def test_two_checks_of_one_type_with_different_values_are_two() -> None:
    assert print_of(value="a") == print_of(value="a")
    assert print_of(value="a") != print_of(value="b")


@pytest.mark.parametrize(
    "other",
    [
        {"negate": True},
        {"config": {"k": 1}},
        {"options": {"transform": "output"}},
        {"metric": "named"},
        {"type": "icontains"},
        {"weight": 0},
        {"compat": True},
        {"case": SuiteCase(index=0, options={"rubricPrompt": "Be strict."})},
        {"children": (Check(type="contains", value="b"),)},
    ],
)
def test_all_that_a_check_says_tells_it_from_others(other: dict[str, Any]) -> None:
    assert print_of(**other) != print_of()


def test_how_the_judge_is_guarded_is_a_part_of_what_a_check_is_only_where_it_asks_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = print_of(type="llm-rubric"), print_of()
    monkeypatch.setattr("turnwise.engine.suites.identity.JUDGED", 1)
    assert print_of(type="llm-rubric") != before[0]
    assert print_of() == before[1]


def test_the_threshold_of_a_score_is_no_part_of_it_but_one_of_another_kind_is() -> None:
    assert print_of(type="rouge-n", threshold=0.3) == print_of(type="rouge-n", threshold=0.6)
    assert print_of(type="latency", threshold=300) != print_of(type="latency", threshold=600)
    assert least_of(Check(type="rouge-n", threshold=0.3)) == 0.3
    for check in (Check(type="latency", threshold=3), Check(type="rouge-n", threshold=0.3, negate=True)):
        assert least_of(check) is None


def test_a_weight_above_nothing_and_the_value_as_it_was_written_are_no_part_of_it() -> None:
    assert print_of(weight=2, written="{{a}}") == print_of()


def test_a_value_of_null_is_told_from_no_value() -> None:
    assert print_of(value=None, is_null=True) != print_of(value=None)


def test_a_script_counts_by_its_content(tmp_path: Path) -> None:
    suite = Suite(format="promptfoo", source=tmp_path / "suite.yaml")
    check = Check(type="python", value="file://check.py")
    (tmp_path / "check.py").write_text("1")
    first = Prints(suite).of(check, CASE)
    assert Prints(suite).of(check, CASE) == first
    (tmp_path / "check.py").write_text("2")
    assert Prints(suite).of(check, CASE) != first


def test_the_same_check_twice_is_numbered() -> None:
    assert list(numbered(["a", "b", "a"])) == ["a", "b", "a-2"]


def suite_of(folder: Path, *checks: Any) -> Suite:
    tests = [{"vars": {"q": "abc"}, "assert": list(checks)}]
    path = folder / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    return load_suite(path)


async def ran(suite: Suite, store: Store, *, trusted: bool = False, **rest: Any) -> CaseRun:
    code = SuiteCode(suite.source, trusted=trusted)
    try:
        async with (
            Answerer() as answerer,
            aclosing(run_suite(suite, answerer, store=store, code=code, **rest)) as runs,
        ):
            [run] = [run async for run in runs]
            return run
    finally:
        code.close()


async def test_kept_checks_of_one_type_are_told_apart(tmp_path: Path, store: Store) -> None:
    contains = [{"type": "contains", "value": value} for value in "abz"]
    run = await ran(suite_of(tmp_path, *contains), store)
    assert run.session is not None
    prints = [past.metric_fingerprint for past in store.past_scores.of(run.session)]
    assert len(set(prints)) == 4


async def test_a_script_that_has_not_changed_does_not_run_again(tmp_path: Path, store: Store) -> None:
    log = tmp_path / "log"
    script = tmp_path / "check.py"
    body = f"def get_assert(output, context):\n    open({str(log)!r}, 'a').write('x')\n"
    script.write_text(
        body + "    return {'pass': True, 'score': 2, 'reason': 'r', 'namedScores': {'n': 0.5}}\n"
    )
    python = {"type": "python", "value": "file://check.py"}
    first = await ran(suite_of(tmp_path, python), store, trusted=True)
    again = await ran(suite_of(tmp_path, python), store, trusted=True)
    assert log.read_text() == "x"
    assert (first.kept, again.kept) == (False, True)
    assert again.data() == {**first.data(), "kept": True}
    other = {"type": "contains", "value": "b"}
    assert not (await ran(suite_of(tmp_path, other, python), store, trusted=True)).kept
    assert log.read_text() == "x"
    script.write_text(body + "    return False\n")
    assert not (await ran(suite_of(tmp_path, python), store, trusted=True)).result.passed
    assert log.read_text() == "xx"
    await ran(suite_of(tmp_path, python), store, trusted=True, again=True)
    assert log.read_text() == "xxx"


async def test_another_threshold_is_held_against_anew(tmp_path: Path, store: Store) -> None:
    for threshold, passed in ((0.3, True), (0.9, False), (0.3, True)):
        check = {"type": "rouge-n", "value": "abc d e", "threshold": threshold}
        run = await ran(suite_of(tmp_path, check), store)
        assert run.result.passed is passed
