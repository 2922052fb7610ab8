"""`turnwise simulate`: sessions out of scenarios, on the command line, killed and taken up again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, refuses, says

from turnwise.conversations.store import Store

COMMAND = "from turnwise.tui.cli.main import main; main()"
SCRIPTS = """\
role: A host
scenarios:
  - {name: first, script: [Hello, And on Sunday?]}
  - {name: second, script: [Good evening, {when: good, say: Thanks, times: 1}]}
"""
BOT = """\
def reply(messages):
    return "Good: " + messages[-1]["content"]
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, str]:
    """A file of scripts, and a chatbot in Python."""
    (tmp_path / "s.yaml").write_text(SCRIPTS)
    (tmp_path / "bot.py").write_text(BOT)
    return tmp_path / "s.yaml", f"python:{tmp_path / 'bot.py'}:reply"


def test_scripts_are_played_without_a_model(turnwise: Any, files: tuple[Path, str]) -> None:
    scenarios, bot = files
    ran = turnwise("simulate", scenarios, "--target", bot, "--json")
    assert ran.code == 0
    rows = sorted(ran.rows, key=lambda row: row["scenario"])
    assert [(row["scenario"], row["turns"], row["ended"], row["failed"]) for row in rows] == [
        ("first", 4, "script", ""),
        ("second", 4, "script", ""),
    ]
    shown = turnwise("show", rows[1]["session"], "--json").row
    assert [turn["content"] for turn in shown["turns"] if turn["role"] == "user"] == [
        "Good evening",
        "Thanks",
    ]
    assert shown["chatbot_role"] == "A host"
    again = turnwise("simulate", scenarios, "--target", bot)
    assert again.code == 0
    assert again.out.count("as before") == 2
    assert "2 of 2 conversations · 2 finished before" in again.err


def test_sessions_are_scored_where_that_is_asked_for(turnwise: Any, files: tuple[Path, str]) -> None:
    scenarios, bot = files
    ran = turnwise(
        "simulate", scenarios, "--target", bot, "--metric", "contains:Thanks", "--judge", "none", "--json"
    )
    assert ran.code == 1
    scored = {row["session"]: row["passed"] for row in ran.rows if "metric" in row}
    assert sorted(scored.values()) == [False, True]


def test_a_word_that_means_nothing_is_told_before_anything_is_played(
    turnwise: Any, files: tuple[Path, str]
) -> None:
    scenarios, bot = files
    scenarios.write_text(SCRIPTS.replace("name: second", "nmae: second"))
    ran = turnwise("simulate", scenarios, "--target", bot)
    assert ran.code == 2
    assert "s.yaml, line 4, scenario 2, nmae: no such field" in ran.err
    assert "Did you mean name?" in ran.err
    assert turnwise("sessions", "--json").out == ""


def test_without_a_model_a_persona_cannot_be_played(turnwise: Any, files: tuple[Path, str]) -> None:
    scenarios, bot = files
    scenarios.write_text("scenarios:\n  - goal: Move a booking\n")
    ran = turnwise("simulate", scenarios, "--target", bot, "--judge", "none")
    assert ran.code == 2
    assert "There is no model to play the users" in ran.err
    assert "line 2, scenario 1" in ran.err


def plays(request: Request) -> Step:
    """Answer as a user model, as a judge and as a chatbot."""
    form = request.body.get("response_format")
    if form is None:
        return says("The booking is moved.")
    properties = form["json_schema"]["schema"]["properties"]
    return says({"state": "reached", "says": ""} if "state" in properties else {"says": "Move it"})


def test_a_model_plays_users_against_a_server(
    turnwise: Any, judge_server_apart: JudgeServer, tmp_path: Path
) -> None:
    judge_server_apart.default = plays
    golden = tmp_path / "g.json"
    golden.write_text(json.dumps([{"scenario": "Move a booking", "expected_outcome": "It is moved"}]))
    url = judge_server_apart.url
    asked = ("simulate", golden, "--target", f"{url}#bot", "--user-model", f"{url}#user", "--seed", "7")
    ran = turnwise(*asked, "--json")
    assert (ran.code, ran.row["ended"], ran.row["turns"]) == (0, "reached", 2)
    assert {request.body["seed"] for request in judge_server_apart.requests} == {7}
    before = len(judge_server_apart.requests)
    assert turnwise(*asked, "--json").row["kept"] is True
    assert len(judge_server_apart.requests) == before


def test_who_failed_is_told(turnwise: Any, judge_server_apart: JudgeServer, files: tuple[Path, str]) -> None:
    judge_server_apart.default = refuses(400, "not today")
    ran = turnwise("simulate", files[0], "--target", f"{judge_server_apart.url}#bot")
    assert ran.code == 1
    assert ran.out.count("chatbot failed: The chatbot refuses the request") == 2
    assert "2 failed" in ran.err


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start `turnwise simulate` in a process of its own."""
    kept = {name: item for name, item in os.environ.items() if not name.startswith(("OPENAI_", "TURNWISE_"))}
    environment = {**kept, "TURNWISE_MODELS": str(tmp_path / "models"), "PYTHONUNBUFFERED": "1"}

    def begin(*arguments: object) -> subprocess.Popen[str]:
        words = ["--db", str(tmp_path / "t.db"), "simulate", *map(str, arguments), "--json"]
        return subprocess.Popen(
            [sys.executable, "-c", COMMAND, *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return begin


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_ended_in_the_middle_it_goes_on_where_it_was(
    start: Callable[..., subprocess.Popen[str]], tmp_path: Path, how: signal.Signals
) -> None:
    scenarios = tmp_path / "s.yaml"
    talks = [{"name": f"talk {n}", "script": [f"{n} a", f"{n} b", f"{n} c"]} for n in range(6)]
    scenarios.write_text(json.dumps({"scenarios": talks}))
    (tmp_path / "bot.py").write_text(
        "import pathlib, time\n"
        "def reply(messages):\n"
        "    said = messages[-1]['content']\n"
        f"    with open({str(tmp_path / 'asked')!r}, 'a') as file: file.write(said + '\\n')\n"
        "    while said == '3 b' and not pathlib.Path('" + str(tmp_path / "go") + "').exists():\n"
        "        time.sleep(0.01)\n"
        "    return 'You said ' + said\n"
    )
    asked = tmp_path / "asked"
    arguments = (scenarios, "--target", f"python:{tmp_path / 'bot.py'}:reply", "--at-once", "2")
    process = start(*arguments)
    while not asked.exists() or "3 b\n" not in asked.read_text():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(how)
    if how == signal.SIGINT:
        (tmp_path / "go").touch()
    process.communicate(timeout=60)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    (tmp_path / "go").touch()
    before = asked.read_text().splitlines()
    out, _ = start(*arguments).communicate(timeout=60)
    rows = [json.loads(line) for line in out.splitlines()]
    assert sorted(row["scenario"] for row in rows) == [f"talk {n}" for n in range(6)]
    assert {row["turns"] for row in rows} == {6}
    again = asked.read_text().splitlines()[len(before) :]
    # What was answered is not asked again: the replies under way alone, where the process was killed.
    assert len(set(again) & set(before)) <= (2 if how == signal.SIGKILL else 0)
    with Store.open(tmp_path / "t.db") as store:
        assert len(store.sessions.ids()) == 6
