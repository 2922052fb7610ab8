"""turnwise test run: pytest with our flags, in a process of its own as people call it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from judged import answers_all
from nested_pytest import with_few_plugins

from turnwise.conversations.store import Store

SUITE = """
import pytest
from turnwise.conversations import LLMTestCase
from turnwise.engine import assert_test
from turnwise.engine.metrics import ContainsMetric


@pytest.mark.parametrize("word", ["good", "bad"])
def test_word(word):
    assert_test(LLMTestCase(input="i", actual_output=word), [ContainsMetric(text="good")])
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "test_words.py"
    path.write_text(SUITE)
    return path


def turnwise_test(suite: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("turnwise")), "test", "run", str(suite), *options],
        cwd=suite.parent,
        env=with_few_plugins(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_failing_case_is_exit_code_1_and_a_part_of_the_run(suite):
    ran = turnwise_test(suite, "-id", "nightly")
    assert ran.returncode == 1
    assert "contains:good: 1 of 2 passed, mean 0.50" in ran.stdout
    with Store.open() as store:
        [run] = store.runs.all()
        assert (run.name, run.scores, run.passed) == ("nightly", 2, 1)


def test_several_processes_make_one_run(suite):
    assert turnwise_test(suite, "-n", "2").returncode == 1
    with Store.open() as store:
        assert [run.scores for run in store.runs.all()] == [2]


def test_it_stops_at_the_first_failure_where_asked(suite):
    suite.write_text(SUITE.replace('["good", "bad"]', '["bad", "good"]'))
    assert "1 failed" in turnwise_test(suite, "-x").stdout


@pytest.mark.parametrize("processes", [(), ("-n", "2")])
def test_a_file_of_tests_that_cannot_be_read_is_bad_input(suite, processes):
    suite.write_text("def broken(:")
    assert turnwise_test(suite, *processes).returncode == 2


def test_several_processes_that_stop_at_the_first_failure_end_with_a_failure(suite):
    assert turnwise_test(suite, "-n", "2", "-x").returncode == 1


def test_the_line_of_the_test_is_shown_and_not_what_is_behind_it(suite):
    told = turnwise_test(suite).stdout
    assert ">       assert_test(LLMTestCase" in told.replace(">   assert_test", ">       assert_test")
    assert "evaluation.py" not in told


def test_no_test_at_all_is_wrong_use(suite):
    assert turnwise_test(suite, "-m", "nothing").returncode == 2


def test_what_follows_two_dashes_goes_to_pytest(suite):
    assert turnwise_test(suite, "--", "-k", "good").returncode == 0


def test_the_help_has_examples(turnwise):
    assert "turnwise test run tests/ -n 4 --identifier nightly" in turnwise("test", "run", "--help").out


JUDGED = """
from turnwise.conversations import LLMTestCase
from turnwise.engine import assert_test
from turnwise.engine.metrics import AnswerRelevancyMetric


def test_is_relevant():
    assert_test(LLMTestCase(input="i", actual_output="o"), [AnswerRelevancyMetric()])
"""


@pytest.mark.parametrize("metric", ["answer_relevancy", "faithfulness"])
def test_a_metric_may_have_a_judge_of_its_own(tmp_path, judge_server_apart, metric):
    judge_server_apart.default = answers_all
    suite = tmp_path / "test_judged.py"
    suite.write_text(JUDGED)
    url = judge_server_apart.url
    ran = turnwise_test(suite, "--judge", f"{url}#m", "--judge-for", f"{metric}={url}#own")
    is_used = metric == "answer_relevancy"
    asked = {request.body["model"] for request in judge_server_apart.requests}
    assert asked == ({"own"} if is_used else {"m"})
    assert ran.returncode == (0 if is_used else 2)
    assert is_used or "no test judged by that metric; they judged by answer_relevancy" in ran.stdout


def test_the_judge_may_be_named(suite, judge_server_apart):
    judge_server_apart.default = answers_all
    suite.write_text(JUDGED)
    ran = turnwise_test(suite, "--judge", f"{judge_server_apart.url}#m")
    assert ran.returncode == 0, ran.stdout
    assert "answer_relevancy: 1 of 1 passed" in ran.stdout


JUDGED = """
from turnwise import AnswerRelevancyMetric, LLMTestCase, assert_test


def test_is_relevant():
    assert_test(LLMTestCase(input="Where?", actual_output="There."), [AnswerRelevancyMetric()])
"""
