"""The pytest plugin: one run for a session of tests, the same rows in one process and in several."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from judged import answers_all
from nested_pytest import with_few_plugins

from turnwise.conversations.store import Store

SUITE = """
import pytest
from turnwise.conversations import LLMTestCase
from turnwise.engine import assert_test, log_hyperparameters
from turnwise.engine.metrics import ContainsMetric, ExactMatchMetric


@pytest.mark.parametrize("number", range(40))
def test_answer(number):
    case = LLMTestCase(input=f"question {number}", actual_output=f"answer {number}", name=f"case {number}")
    assert_test(case, [ContainsMetric(text="answer"), ContainsMetric(text="7", name="seven", threshold=0)])


@log_hyperparameters(model="m", prompt_template="p")
def hyperparameters():
    return {"temperature": 1}
"""
LACKING = """
from turnwise.conversations import LLMTestCase
from turnwise.engine import assert_test
from turnwise.engine.metrics import ContainsMetric, ExactMatchMetric


def test_lacks_an_expectation():
    assert_test(LLMTestCase(input="i", actual_output="o"), [ContainsMetric(text="o"), ExactMatchMetric()])


def test_fails():
    assert_test(LLMTestCase(input="i", actual_output="\\x1b[31mred"), [ContainsMetric(text="blue")])
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "test_suite.py"
    path.write_text(SUITE)
    return path


@pytest.fixture
def lacking(tmp_path: Path) -> Path:
    path = tmp_path / "test_lacking.py"
    path.write_text(LACKING)
    return path


def pytest_on(path: Path, *options: str, finds_plugins: bool = False) -> subprocess.CompletedProcess[str]:
    """Run pytest in a process of its own, as a user's own configuration would have it.

    finds_plugins: it looks for its plugins by itself, which takes two seconds.
    """
    return subprocess.run(
        [sys.executable, "-m", "pytest", str(path), "-q", "-p", "no:cacheprovider", *options],
        cwd=path.parent,
        env=os.environ if finds_plugins else with_few_plugins(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def rows(database: Path) -> list[tuple[object, ...]]:
    """Return what a run left, without numbers and times."""
    with closing(sqlite3.connect(database)) as connection, connection:
        return sorted(
            connection.execute(
                "SELECT s.name, c.metric, c.outcome, c.score, c.threshold, c.reason, c.exchange "
                "FROM run_scores r JOIN scores c ON c.id = r.score_id JOIN sessions s ON s.id = c.session_id"
            )
        )


def test_plain_pytest_asserts_and_keeps_nothing(suite):
    ran = pytest_on(suite, finds_plugins=True)
    assert "40 passed" in ran.stdout
    assert not list(suite.parent.glob("*.db"))


def test_a_suite_leaves_the_same_rows_in_one_process_and_in_four(suite, tmp_path):
    alone, together = tmp_path / "alone.db", tmp_path / "together.db"
    assert "40 passed" in pytest_on(suite, "--turnwise", "--turnwise-db", str(alone)).stdout
    ran = pytest_on(suite, "--turnwise", "--turnwise-db", str(together), "-n", "4")
    assert "40 passed" in ran.stdout
    assert "contains:answer: 40 of 40 passed, mean 1.00" in ran.stdout
    assert "seven: 40 of 40 passed" in ran.stdout
    assert len(rows(alone)) == 80
    assert rows(alone) == rows(together)
    for database in (alone, together):
        with Store.open(database) as store:
            [run] = store.runs.all()
            assert run.finished_at is not None
            assert run.metrics == ("contains:answer", "seven")
            assert run.parameters == {"model": "m", "prompt_template": "p", "temperature": 1}


def test_a_missing_field_fails_the_test_unless_it_may_be_skipped(lacking, tmp_path):
    ran = pytest_on(lacking, "--turnwise", "-k", "lacks")
    assert "exact_match, case 1: the case has no expected_output" in ran.stdout
    database = tmp_path / "skipped.db"
    ran = pytest_on(
        lacking, "--turnwise", "--turnwise-db", str(database), "--turnwise-skip-missing", "-k", "lacks"
    )
    assert "1 passed" in ran.stdout
    assert "exact_match: 0 of 0 passed, 1 skipped" in ran.stdout


def test_failing_cases_are_listed_safely(lacking):
    ran = pytest_on(lacking, "--turnwise", "-k", "fails", "--tb=no")
    assert ran.returncode == 1
    assert "✗ test_lacking.py::test_fails" in ran.stdout
    assert '  contains:blue (exchange 1): 0.00, below 1. "blue" is not in the reply.' in ran.stdout
    assert "\x1b" not in ran.stdout


def test_every_test_may_be_repeated(suite, tmp_path):
    database = tmp_path / "repeated.db"
    ran = pytest_on(suite, "--turnwise", "--turnwise-db", str(database), "--turnwise-repeat", "2")
    assert "80 passed" in ran.stdout
    assert len(rows(database)) == 160


def test_passing_cases_are_listed_and_explained_where_asked(suite):
    options = ("--turnwise", "--turnwise-display", "all", "--turnwise-verbose", "-k", "[3]")
    assert (
        'contains:answer: 1.00, passes at 1. The reply contains "answer".'
        in pytest_on(suite, *options).stdout
    )


@pytest.mark.parametrize("processes", [(), ("-n", "2")], ids=["alone", "in two processes"])
@pytest.mark.parametrize("text", ["import nothing_of_that_name", "def helper(): ...", None])
def test_a_start_that_comes_to_no_test_leaves_no_run(suite, tmp_path, text, processes):
    options = ("--turnwise", "--turnwise-db", str(tmp_path / "kept.db"))
    pytest_on(suite, *options, "-k", "[3]")
    path = tmp_path / "test_other.py"
    if text is not None:
        path.write_text(text)
    ran = pytest_on(path, *options, *processes)
    assert ran.returncode
    with Store.open(tmp_path / "kept.db") as store:
        assert [(run.id, run.scores) for run in store.runs.all()] == [(1, 2)]


def test_the_plugin_is_found_where_turnwise_is_installed(suite):
    assert (
        "contains:answer: 1 of 1 passed"
        in pytest_on(suite, "--turnwise", "-k", "[3]", finds_plugins=True).stdout
    )


def test_a_test_that_ends_before_it_judges_is_a_run_all_the_same(tmp_path):
    path = tmp_path / "test_away.py"
    path.write_text("def test_chatbot():\n    raise OSError('it is away')\n")
    database = tmp_path / "kept.db"
    assert pytest_on(path, "--turnwise", "--turnwise-db", str(database)).returncode == 1
    with Store.open(database) as store:
        [run] = store.runs.all()
    assert run.finished_at is not None


JUDGED = """
from turnwise import AnswerRelevancyMetric, LLMTestCase, assert_test


def test_is_relevant():
    assert_test(LLMTestCase(input="Where?", actual_output="There."), [AnswerRelevancyMetric()])
"""


@pytest.mark.parametrize("processes", [(), ("-n", "1")], ids=["alone", "in another process"])
def test_the_judge_is_the_one_that_is_named_else_the_usual_one(
    judge_server_apart, tmp_path, monkeypatch, processes
):
    judge_server_apart.default = answers_all
    path = tmp_path / "test_judged.py"
    path.write_text(JUDGED)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    judge = f"{judge_server_apart.url}#m"
    assert "1 passed" in pytest_on(path, "--turnwise", "--turnwise-judge", judge, *processes).stdout
    monkeypatch.setenv("TURNWISE_JUDGE", "none")
    without = pytest_on(path, "--turnwise", *processes).stdout
    assert "1 failed" in without
    assert "turnwise judge use" in without
    monkeypatch.setenv("TURNWISE_JUDGE", judge)
    assert "1 passed" in pytest_on(path, "--turnwise", *processes).stdout
    assert "1 passed" in pytest_on(path, *processes).stdout


WRONG = """
from turnwise import log_hyperparameters


@log_hyperparameters(model="m")
def hyperparameters():
    return {"retriever": object()}


def test_nothing():
    pass
"""


def test_hyperparameters_of_the_wrong_kind_are_told_by_their_name(tmp_path):
    path = tmp_path / "test_wrong.py"
    path.write_text(WRONG)
    ran = pytest_on(path, "--turnwise")
    assert ran.returncode
    assert "hyperparameters: retriever is no text, number or truth value" in ran.stdout
