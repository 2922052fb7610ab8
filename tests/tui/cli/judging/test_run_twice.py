"""turnwise run a second time: what was answered and judged is not asked again, and a killed run goes on."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, refuses, says
from processes import running, until

CONTAINS = {"type": "contains", "value": "re"}
RUBRIC = {"type": "llm-rubric", "value": "is polite"}
AGENTV = """
tests:
  - id: one
    input: hello
    criteria: is polite
    assertions:
      - {type: contains, value: re}
      - {type: llm-grader, prompt: Is it polite?}
"""


def answers_all(request: Request) -> Step:
    """Answer as a chatbot and as a judge."""
    if "response_format" in request.body:
        return says({"reason": "So it is.", "pass": True, "score": 1.0})
    return says(f"re {request.body['messages'][-1]['content']}")


@pytest.fixture
def server(judge_server_apart: JudgeServer) -> JudgeServer:
    judge_server_apart.default = answers_all
    return judge_server_apart


@pytest.fixture
def words(server: JudgeServer) -> list[str]:
    return ["--target", f"{server.url}#bot", "--judge", f"{server.url}#judge", "--json"]


@pytest.fixture
def suite(tmp_path: Path) -> Callable[..., Path]:
    def write(*checks: Any, count: int = 3, **config: Any) -> Path:
        path = tmp_path / "suite.json"
        tests = [{"vars": {"q": f"question {place}"}, "assert": list(checks)} for place in range(count)]
        path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests, **config}))
        return path

    return write


def ids(path: str) -> list[int]:
    with closing(sqlite3.connect(path)) as database, database:
        return [row[0] for row in database.execute("SELECT id FROM scores ORDER BY id")]


def test_nothing_is_asked_or_judged_twice(turnwise, server, words, suite) -> None:
    path = suite(CONTAINS, RUBRIC)
    first = turnwise("run", path, *words)
    assert (first.code, len(server.requests)) == (0, 6)
    assert [row["kept"] for row in first.rows] == [False] * 3
    kept = ids(os.environ["TURNWISE_DB"])
    second = turnwise("run", path, *words)
    assert (second.code, len(server.requests)) == (0, 6)
    assert "3 passed, 3 of them answered and judged before." in second.err
    assert [{**row, "kept": False} for row in second.rows] == first.rows
    assert all(row["kept"] for row in second.rows)
    # The outcomes are part of both runs, and stand once.
    assert ids(os.environ["TURNWISE_DB"]) == kept
    runs = turnwise("runs", "--json").rows
    assert [(row["scores"], row["passed"], row["sessions"]) for row in runs] == [(9, 9, 3)] * 2
    flips = [pair["flip"] for pair in turnwise("compare", "1", "2", "--json").row["pairs"]]
    assert [flip for flip in flips if flip] == []


def test_again_asks_and_judges_all_anew(turnwise, server, words, suite) -> None:
    path = suite(CONTAINS, RUBRIC)
    turnwise("run", path, *words)
    ran = turnwise("run", path, *words, "--again")
    assert len(server.requests) == 12
    assert [row["kept"] for row in ran.rows] == [False] * 3


def test_a_changed_check_alone_is_judged_anew(turnwise, server, words, suite) -> None:
    turnwise("run", suite(CONTAINS, RUBRIC), *words)
    server.requests.clear()
    kind = {"type": "llm-rubric", "value": "is kind"}
    ran = turnwise("run", suite(CONTAINS, RUBRIC, kind), *words)
    assert ran.code == 0
    assert len(server.requests) == 3
    assert all("is kind" in json.dumps(request.body) for request in server.requests)


@pytest.mark.parametrize(
    "change",
    [
        {"prompts": ["Say: {{q}}"]},
        {"defaultTest": {"vars": {"tone": "kind"}}},
        {"defaultTest": {"options": {"temperature": 0.5}}},
    ],
)
def test_what_a_chatbot_is_asked_otherwise_is_asked_anew(turnwise, server, words, suite, change) -> None:
    turnwise("run", suite(CONTAINS), *words)
    turnwise("run", suite(CONTAINS, **change), *words)
    assert len(server.requests) == 6


def test_another_target_is_asked_anew(turnwise, server, suite) -> None:
    for model in ("one", "two", "two"):
        turnwise("run", suite(CONTAINS), "--target", f"{server.url}#{model}")
    assert len(server.requests) == 6


def test_repetitions_have_answers_of_their_own(turnwise, server, words, suite) -> None:
    path = suite(CONTAINS, count=1)
    server.script(*(says(f"re {number}") for number in range(3)))
    first = turnwise("run", path, *words, "--repeat", "3")
    assert {row["output"] for row in first.rows} == {"re 0", "re 1", "re 2"}
    second = turnwise("run", path, *words, "--repeat", "4")
    assert [row["output"] for row in second.rows[:3]] == [row["output"] for row in first.rows]
    assert len(server.requests) == 4


def test_the_same_question_twice_in_a_file_has_two_answers(turnwise, server, words, suite) -> None:
    tests = [{"vars": {"q": "the same"}, "assert": [CONTAINS]}] * 2
    path = suite(tests=tests, evaluateOptions={"maxConcurrency": 1})
    server.script(says("re 1"), says("re 2"))
    first = turnwise("run", path, *words)
    assert [row["output"] for row in first.rows] == ["re 1", "re 2"]
    assert [row["output"] for row in turnwise("run", path, *words).rows] == ["re 1", "re 2"]
    assert len(server.requests) == 2


def test_what_failed_is_asked_again(turnwise, server, words, suite) -> None:
    path = suite(CONTAINS, count=1)
    server.script(refuses(401, "no"))
    assert turnwise("run", path, *words).rows[0]["outcome"] == "failure"
    assert turnwise("run", path, *words).rows[0]["outcome"] == "pass"


def test_a_script_that_answers_is_asked_anew_once_it_changed(turnwise, suite, tmp_path) -> None:
    bot, log = tmp_path / "bot.py", tmp_path / "log"
    script = "def reply(prompt):\n    open({log!r}, 'a').write('x')\n    return 're {word} ' + prompt\n"
    bot.write_text(script.format(log=str(log), word="one"))
    words = ["run", suite(CONTAINS), "--target", f"python:{bot}:reply", "--json"]
    turnwise(*words)
    turnwise(*words)
    assert log.read_text() == "xxx"
    bot.write_text(script.format(log=str(log), word="two"))
    assert turnwise(*words).rows[0]["output"] == "re two question 0"
    assert log.read_text() == "xxxxxx"


def test_a_file_of_agentv_is_asked_and_judged_once(turnwise, server, words, tmp_path) -> None:
    path = tmp_path / "polite.eval.yaml"
    path.write_text(AGENTV)
    first = turnwise("run", path, *words)
    asked = len(server.requests)
    second = turnwise("run", path, *words)
    assert len(server.requests) == asked > 0
    assert [row["outcome"] for row in second.rows] == [row["outcome"] for row in first.rows]


def answered(path: str) -> int:
    with closing(sqlite3.connect(path, timeout=30)) as database, database:
        try:
            return int(database.execute("SELECT count(*) FROM answers").fetchone()[0])
        except sqlite3.OperationalError:
            return 0


@pytest.mark.parametrize("who", ["the chatbot", "the judge"])
def test_a_kill_while_somebody_thinks_loses_nothing_and_repeats_nothing(
    turnwise, server, words, suite, who
) -> None:
    path = suite(CONTAINS, RUBRIC, count=40)
    database = os.environ["TURNWISE_DB"]
    held = asyncio.Event()
    done = 0

    def thinks(request: Request) -> Step:
        nonlocal done
        is_judge = "response_format" in request.body
        if is_judge == (who == "the judge"):
            done += 1
            if done > 10:
                return says({}, wait=held)
        return answers_all(request)

    server.default = thinks
    # The first ten are answered; the others wait for ever.
    with running(["run", path, *words]) as process:
        until(lambda: answered(database) >= 10 and len(ids(database)) >= 30)
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
        assert process.wait(timeout=30) == -signal.SIGKILL
    kept = answered(database)
    scores = len(ids(database))
    server.default = answers_all
    server.requests.clear()
    ran = turnwise("run", path, *words)
    assert ran.code == 0
    bots = [request for request in server.requests if "response_format" not in request.body]
    assert len(bots) == 40 - kept
    assert len(server.requests) - len(bots) == 40 - 10
    assert sum(row["kept"] for row in ran.rows) == scores // 3
    assert len(ids(database)) == 40 * 3
    turnwise("run", path, *words)
    assert len(server.requests) == 40 - kept + 30
