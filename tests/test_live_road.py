"""The road of docs/how-to/collect.md, with real processes: from two programs to reviewed sessions."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, apart, says
from model_fixture import find_or_pull_small_model
from processes import running, until
from terminal import Terminal

from turnwise.conversations.store import Store
from turnwise.engine.models.embedded.server import EmbeddedServer

pytest.importorskip("openinference.instrumentation.openai")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are other terminals there")

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "collect.md"
RUN = "import sys\nfrom turnwise.tui.cli.main import main\nsys.argv = ['turnwise']\nmain()"
ANSWERS = ("From eight to six.", "On Sunday we are closed.")


def documented_program() -> str:
    """Return the program that the page shows."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)
    return str(program)


def with_short_replies(program: str) -> str:
    """Return it with a limit to each reply.

    A small model goes on at times until its context is full, and has no room then for the next question.
    """
    call = "create(model=model, messages=messages)"
    assert call in program
    return program.replace(call, "create(model=model, messages=messages, max_tokens=40)")


def run_documented_program(server: JudgeServer, environment: dict[str, str]) -> None:
    """Run it as its owner would: with the variables that the collector printed."""
    server.script(*(says(answer, model="small-1") for answer in ANSWERS))
    done = subprocess.run(
        [sys.executable, "-c", documented_program()],
        env={
            **os.environ,
            **environment,
            "OPENAI_BASE_URL": server.url,
            "OPENAI_API_KEY": "none",
            "OPENAI_MODEL": "small-1",
        },
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


def coding_session() -> list[dict[str, Any]]:
    """Return the lines that Claude Code writes of a session with one use of a tool."""
    shared = {
        "sessionId": "s-1",
        "isSidechain": False,
        "cwd": "/desk",
        "version": "2.0.76",
        "userType": "external",
    }
    told = [
        ("user", {"role": "user", "content": "How many turns has the sample?"}),
        (
            "assistant",
            {
                "id": "m-1",
                "type": "message",
                "role": "assistant",
                "model": "claude-1",
                "content": [
                    {"type": "text", "text": "I count them."},
                    {"type": "tool_use", "id": "t-1", "name": "Bash", "input": {"command": "wc -l sample"}},
                ],
            },
        ),
        (
            "user",
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "t-1", "content": "14 sample"}],
            },
        ),
        (
            "assistant",
            {
                "id": "m-2",
                "type": "message",
                "role": "assistant",
                "model": "claude-1",
                "content": [{"type": "text", "text": "It has fourteen."}],
            },
        ),
    ]
    return [
        {
            **shared,
            "uuid": f"u-{place}",
            "parentUuid": f"u-{place - 1}" if place else None,
            "type": kind,
            "message": message,
            "timestamp": f"2026-11-01T10:00:{place:02d}.000Z",
        }
        for place, (kind, message) in enumerate(told)
    ]


def test_from_two_programs_to_reviewed_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db, folder = tmp_path / "turnwise.db", tmp_path / "projects"
    (folder / "desk").mkdir(parents=True)
    monkeypatch.setenv("TURNWISE_DB", str(db))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Store.open(db).close()
    with ExitStack() as stack:
        server = stack.enter_context(apart(JudgeServer()))
        collector = stack.enter_context(running(["collect", "--port", "0", "--json"]))
        assert collector.stdout is not None
        environment = json.loads(collector.stdout.readline())["environment"]
        follower = stack.enter_context(running(["import", "--follow", folder, "--json"]))
        app = stack.enter_context(Terminal(RUN, {"TURNWISE_DB": str(db)}, size=(120, 30)))
        app.wait_for("No sessions yet.")

        # A program that asks a model, and one that writes its session to a folder.
        run_documented_program(server, environment)
        app.wait_for("When are you open?")
        log = folder / "desk" / "s-1.jsonl"
        for line in coding_session():
            with log.open("a") as file:
                file.write(json.dumps(line) + "\n")
        app.wait_for("How many turns has the sample?")
        until(lambda: spoken(db) == {"visit-17": 5, "s-1": 4})

        # Both are reviewed while everything runs: Enter reads one, p says that it passes, K goes on.
        app.press("\r")
        app.wait_until(lambda: opened(app), "no session was opened")
        app.press("p")
        app.wait_until(lambda: len(passed(db)) == 1, "no label was kept")
        app.written = b""
        app.press("K")
        app.wait_for("I count them.")
        app.press("p")
        app.wait_until(lambda: len(passed(db)) == 2, "no second label was kept")

        # What is said after that is in the session that has the label.
        with log.open("a") as file:
            file.write(json.dumps(said_later()) + "\n")
        until(lambda: spoken(db) == {"visit-17": 5, "s-1": 5})
        assert len(passed(db)) == 2
        for process in (collector, follower):
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            assert process.returncode == 0


def said_later() -> dict[str, Any]:
    """Return a line that is written once the session was reviewed."""
    last = coding_session()[-1]
    message = {"role": "user", "content": "Thank you."}
    return {**last, "uuid": "u-9", "parentUuid": last["uuid"], "type": "user", "message": message}


def opened(app: Terminal) -> bool:
    """Say whether a session is being read."""
    return "No scores yet" in app.text


def passed(db: Path) -> list[int]:
    """Return the sessions that somebody said pass."""
    with Store.open(db) as store:
        return [
            one for one in store.sessions.ids() if [row.label for row in store.labels.of(one)] == ["pass"]
        ]


def spoken(db: Path) -> dict[str, int]:
    """Return how many messages each conversation has, by the id that its source gave it."""
    with Store.open(db) as store:
        return {
            (store.sessions.case(one).metadata or {})["source_id"]: len(store.turns.of(one))
            for one in store.sessions.ids()
        }


def sessions_of(db: Path) -> list[list[tuple[str, str]]]:
    with Store.open(db) as store:
        return [[(turn.role, turn.content) for turn in store.turns.of(one)] for one in store.sessions.ids()]


@pytest.mark.model
async def test_what_the_embedded_model_says_becomes_one_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, db = find_or_pull_small_model(), tmp_path / "turnwise.db"
    monkeypatch.setenv("TURNWISE_DB", str(db))
    Store.open(db).close()
    with running(["collect", "--port", "0", "--json"]) as collector:
        assert collector.stdout is not None
        environment = json.loads(collector.stdout.readline())["environment"]
        async with EmbeddedServer(model, context=1024, parallel=1, threads=1) as server:
            asked = {
                "OPENAI_BASE_URL": server.base_url,
                "OPENAI_API_KEY": server.api_key,
                "OPENAI_MODEL": "embedded",
            }
            program = [sys.executable, "-c", with_short_replies(documented_program())]
            done = await asyncio.to_thread(
                subprocess.run, program, env={**os.environ, **environment, **asked}, capture_output=True
            )
            assert done.returncode == 0, done.stderr.decode()
        until(lambda: [len(turns) for turns in sessions_of(db)] == [5], seconds=30)
    (turns,) = sessions_of(db)
    assert [role for role, _ in turns] == ["system", "user", "assistant", "user", "assistant"]
    assert turns[1][1] == "When are you open?"
    assert turns[3][1] == "And on Sunday?"
    assert all(words.strip() for _, words in turns)
