"""`turnwise proxy`: the address of a program's model server, and sessions of what the program says."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import openai
import pytest
from judge_server import JudgeServer, apart, streams
from parrot_server import ParrotServer, parrot_server, reply_words
from processes import limited

from turnwise.conversations.store import Store

PAGE = Path(__file__).parents[4] / "docs" / "how-to" / "record.md"
COMMAND = "from turnwise.tui.cli.main import main; main()"


@pytest.fixture
def parrot() -> Iterator[ParrotServer]:
    with parrot_server() as server:
        yield server


@contextmanager
def proxy(database: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run the command, and give it with the line that says where it listens."""
    command = [
        sys.executable,
        "-c",
        COMMAND,
        "--db",
        str(database),
        "proxy",
        "--port",
        "0",
        "--json",
        *arguments,
    ]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TURNWISE_")}
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=kept
        ) as process,
        limited(process),
    ):
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            if process.poll() is None:
                process.kill()


def say(address: str, words: str) -> str:
    with openai.OpenAI(base_url=address, api_key="k", max_retries=5) as client:
        answer = client.chat.completions.create(model="parrot", messages=[{"role": "user", "content": words}])
    return str(answer.choices[0].message.content)


def test_it_prints_an_address_and_a_line_for_every_call_and_its_counts_at_the_end(tmp_path, parrot):
    with proxy(tmp_path / "t.db", "--upstream", f"{parrot.address}/v1") as (process, first):
        assert first["event"] == "listening"
        assert say(first["address"], "hi") == reply_words("hi")
        taken = json.loads(process.stdout.readline())
        assert taken == {"event": "taken", "session": 1, "how": "new", "turns": 2, "failure": ""}
        process.send_signal(signal.SIGINT)
        out, told = process.communicate(timeout=30)
    last = json.loads(out)
    assert (last["event"], last["calls"], last["failed"], last["not_kept"]) == ("end", 1, 0, 0)
    assert "Keys pass through and are not kept" in told
    with Store.open(tmp_path / "t.db") as store:
        assert [turn.content for turn in store.sessions.case(1).turns] == ["hi", reply_words("hi")]


def test_while_another_program_holds_the_database_calls_go_on_and_come_in_at_the_end(tmp_path, parrot):
    with Store.open(tmp_path / "t.db"):
        pass
    with proxy(tmp_path / "t.db", "--upstream", f"{parrot.address}/v1") as (process, first):
        with closing(sqlite3.connect(tmp_path / "t.db", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            assert say(first["address"], "hi") == reply_words("hi")
            holder.execute("ROLLBACK")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    with Store.open(tmp_path / "t.db") as store:
        assert store.sessions.count() == 1


def test_killed_within_a_reply_it_loses_that_turn_alone_and_the_talk_goes_on_in_its_session(tmp_path):
    asked: list[Any] = []

    def ask(address: str, words: str) -> Any:
        """Ask for a stream, with all that was said before."""
        asked.append({"role": "user", "content": words})
        client = clients.enter_context(openai.OpenAI(base_url=address, api_key="k", max_retries=0))
        return client.chat.completions.create(model="m", messages=asked, stream=True)

    def answered(address: str, words: str) -> None:
        pieces = [piece.choices[0].delta.content or "" for piece in ask(address, words) if piece.choices]
        asked.append({"role": "assistant", "content": "".join(pieces)})

    with ExitStack() as clients, apart(JudgeServer()) as server:
        upstream = ("--upstream", server.url)
        server.script(*(streams("It is ", f"{hour} now") for hour in range(4)))
        with proxy(tmp_path / "t.db", *upstream) as (process, first):
            for _ in range(4):
                answered(first["address"], "What time is it?")
            never = asyncio.Event()
            server.script(streams("It is ", "five now", hold=never))
            under_way = iter(ask(first["address"], "And now?"))
            assert next(under_way).choices[0].delta.content == "It is "
            process.kill()
            process.wait()
            with pytest.raises(openai.APIConnectionError):
                list(under_way)
        server.let_go(never)
        asked.pop()
        server.script(streams("It is ", "six now"))
        with proxy(tmp_path / "t.db", *upstream) as (process, first):
            answered(first["address"], "And now?")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
    with Store.open(tmp_path / "t.db") as store:
        (session,) = store.sessions.ids()
        assert [turn.content for turn in store.sessions.case(session).turns] == [
            *("What time is it?", "It is 0 now", "What time is it?", "It is 1 now"),
            *("What time is it?", "It is 2 now", "What time is it?", "It is 3 now"),
            *("And now?", "It is six now"),
        ]


def test_the_documented_program_is_one_session(tmp_path, parrot):
    program = re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL)[0]
    with proxy(tmp_path / "t.db", "--upstream", f"{parrot.address}/v1") as (process, first):
        told = {"PROXY_ADDRESS": first["address"], "OPENAI_API_KEY": "none", "OPENAI_MODEL": "parrot"}
        subprocess.run([sys.executable, "-c", program], env={**os.environ, **told}, check=True, timeout=60)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    with Store.open(tmp_path / "t.db") as store:
        assert [turn.content for turn in store.sessions.case(1).turns] == [
            "You help the visitors of a pool.",
            "When do you open?",
            reply_words("When do you open?"),
            "And on Sunday?",
            reply_words("And on Sunday?"),
        ]


def test_wrong_words_say_what_to_do(tmp_path):
    for arguments, words in (
        (("--upstream", "api.openai.com"), "no address of a server"),
        (("--upstream", "http://x", "--token", "a", "--no-token"), "do not go together"),
        ((), "--upstream"),
    ):
        command = [
            sys.executable,
            "-c",
            COMMAND,
            "--db",
            str(tmp_path / "t.db"),
            "proxy",
            "--port",
            "0",
            *arguments,
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a running process are Linux's")
def test_a_disk_that_is_full_loses_no_call_and_is_said_and_what_was_said_comes_in_later(tmp_path, parrot):
    import resource

    with proxy(tmp_path / "t.db", "--upstream", f"{parrot.address}/v1") as (process, first):
        assert say(first["address"], "before") == reply_words("before")
        assert json.loads(process.stdout.readline())["session"] == 1
        _, most = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        # No file of the proxy may grow from here on, as on a disk without room.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, most))
        for number in range(3):
            assert say(first["address"], f"full {number}") == reply_words(f"full {number}")
        while "cannot be written" not in process.stderr.readline():
            pass
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
        assert say(first["address"], "after") == reply_words("after")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    last = json.loads(out.splitlines()[-1])
    assert (last["calls"], last["not_kept"]) == (5, 0)
    with Store.open(tmp_path / "t.db") as store:
        asked = sorted(store.sessions.case(one).turns[0].content for one in store.sessions.ids())
    assert asked == ["after", "before", "full 0", "full 1", "full 2"]


def test_sessions_are_scored_when_they_come_to_rest_and_those_that_are_left_at_the_end(tmp_path, parrot):
    scored = ("--metric", "contains:hi", "--judge", "none", "--rest", "0")
    with proxy(tmp_path / "t.db", "--upstream", f"{parrot.address}/v1", *scored) as (process, first):
        say(first["address"], "hi")
        events = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert [events[0]["event"], events[1]["passed"]] == ["taken", True]
        say(first["address"], "no")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    outcomes = [json.loads(line) for line in out.splitlines()]
    assert [one["passed"] for one in outcomes if "metric" in one] == [False]


def test_a_session_that_is_still_talked_in_is_not_at_rest(tmp_path):
    from turnwise.tui.cli.talking.resting import RestingScores, RestOptions

    now = [0.0]
    options = RestOptions(metrics=("contains:x",), criteria=(), judge_name="none", rest=30)
    begun: list[list[int]] = []

    class Noted(RestingScores):
        def _score(self, sessions: list[int]) -> None:
            begun.append(sessions)

    scores = Noted(tmp_path / "t.db", [object()], options, as_json=False, clock=lambda: now[0])  # type: ignore[list-item]
    scores.note(1)
    scores.note(2)
    now[0] = 20.0
    scores.note(2)
    scores.look()
    assert begun == []
    now[0] = 31.0
    scores.look()
    scores._running.join(30)  # type: ignore[union-attr]
    assert begun == [[1]]
