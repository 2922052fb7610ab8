"""`turnwise record --plain`: lines in, replies out, and every turn kept whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import random
import select
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from pathlib import Path

import pytest
from judge_server import JudgeServer, Step, drops, streams
from lock_holder import held
from processes import LONGEST
from waiting import until

from turnwise.conversations.recording import Recording
from turnwise.conversations.store import Store

COMMAND = "from turnwise.tui.cli.main import main; main()"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "t.db"


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "TURNWISE_"))
    }
    return {**kept, "TURNWISE_MODELS": str(tmp_path / "no-models"), "PYTHONUNBUFFERED": "1"}


@pytest.fixture
def record(database: Path, environment: dict[str, str]) -> Callable[..., object]:
    """Start `turnwise record` with these arguments."""

    async def start(*arguments: str, **files: object) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            COMMAND,
            "--db",
            str(database),
            "record",
            *arguments,
            env=environment,
            **{"stdin": PIPE, "stdout": PIPE, "stderr": PIPE, **files},
        )
        # Whoever reads from one that hangs reads its end then.
        asyncio.get_running_loop().call_later(LONGEST, end, process)
        return process

    return start


def end(process: Process) -> None:
    if process.returncode is None:
        process.kill()


async def finished(process: Process, said: str = "") -> tuple[int, str, str]:
    out, err = await process.communicate(said.encode())
    return process.returncode or 0, out.decode(), err.decode()


def kept(database: Path) -> list[tuple[str, str, bool | None]]:
    with Store.open(database) as store:
        ids = store.sessions.ids()
        assert len(ids) <= 1
        turns = [turn for session in ids for turn in store.sessions.case(session).turns]
    return [(turn.role, turn.content, turn.interrupted) for turn in turns]


async def test_lines_are_answered_on_standard_output(judge_server, record, database):
    judge_server.script(streams("Good ", "morning"), streams("Rye.\nAnd wheat."))
    process = await record("--plain", "--target", judge_server.url)
    code, out, err = await finished(process, "Hello\n\nWhat bread?\n")
    assert (code, out) == (0, "Good morning\nRye.\nAnd wheat.\n")
    assert "Talking to" in err
    assert "Kept as session 1" in err
    assert kept(database) == [
        ("user", "Hello", None),
        ("assistant", "Good morning", None),
        ("user", "What bread?", None),
        ("assistant", "Rye.\nAnd wheat.", None),
    ]


async def test_a_chatbot_behind_http_is_described_in_a_file(judge_server, record, database, tmp_path):
    judge_server.default = lambda request: Step(body={"reply": f"{len(request.body['m'])} said"})
    bot = tmp_path / "bot.yaml"
    url = f"{judge_server.url}/chat/completions"
    bot.write_text(f"{{url: '{url}', body: {{m: '{{{{messages}}}}'}}, response: json.reply}}")
    process = await record("--plain", "--target", str(bot))
    code, out, _ = await finished(process, "Hello\nAnd?\n")
    assert (code, out) == (0, "1 said\n3 said\n")
    assert [content for _, content, _ in kept(database)] == ["Hello", "1 said", "And?", "3 said"]


async def test_json_is_one_object_at_the_end(judge_server, record):
    judge_server.script(streams("Hi"))
    process = await record("--json", "--target", judge_server.url)
    code, out, _ = await finished(process, "Hello")
    assert (code, json.loads(out)) == (0, {"session": 1, "turns": 2})


async def test_scenario_and_temperature_are_taken_and_kept(judge_server, record, database):
    judge_server.default = streams("Hi")
    asked = ("--plain", "--target", f"{judge_server.url}#m")
    said = ("--scenario", "Somebody greets.", "--temperature", "0.3")
    code, _, _ = await finished(await record(*asked, *said), "Hello")
    assert (code, judge_server.requests[0].body["temperature"]) == (0, 0.3)
    with Store.open(database) as store:
        assert store.sessions.case(1).scenario == "Somebody greets."


async def test_code_that_takes_no_temperature_says_so(record, tmp_path):
    (tmp_path / "bot.py").write_text("def reply(text):\n    return text\n")
    process = await record("--plain", "--target", f"python:{tmp_path / 'bot.py'}:reply", "--temperature", "1")
    code, _, err = await finished(process, "Hello")
    assert (code, "takes no temperature" in err) == (2, True), err


async def test_nothing_said_is_nothing_kept(judge_server, record, database):
    code, out, _ = await finished(await record("--json", "--target", judge_server.url), "\n")
    assert (code, json.loads(out)) == (0, {"session": None, "turns": 0})
    assert kept(database) == []


async def test_without_a_terminal_it_is_plain_by_itself(judge_server, record):
    judge_server.script(streams("Hi"))
    code, out, _ = await finished(await record("--target", judge_server.url), "Hello\n")
    assert (code, out) == (0, "Hi\n")


async def test_the_chatbot_is_told_its_role_or_what_system_says(judge_server, record):
    judge_server.default = streams("Hi")
    url = ("--plain", "--target", judge_server.url)
    await finished(await record(*url, "--role", "A baker"), "Hello\n")
    await finished(await record(*url, "--role", "A baker", "--system", "Sell bread."), "Hello\n")
    await finished(await record(*url, "--role", "A baker", "--system", ""), "Hello\n")
    first, second, third = [request.body["messages"][0] for request in judge_server.requests]
    assert first["role"] == "system"
    assert "A baker" in first["content"]
    assert second == {"role": "system", "content": "Sell bread."}
    assert third["role"] == "user"


async def test_what_a_terminal_would_obey_is_shown(judge_server, record, database):
    judge_server.script(streams("\x1b", "[2J", "\u202e", "👩", "\u200d🚀"))
    code, out, _ = await finished(await record("--plain", "--target", judge_server.url), "Hello\n")
    assert (code, out) == (0, "␛[2J‹U+202E›👩\u200d🚀\n")
    assert kept(database)[-1][1] == "\x1b[2J\u202e👩\u200d🚀"


async def test_kill_between_turns_loses_nothing_that_was_said(judge_server, record, database):
    judge_server.script(streams("Good morning"))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"Hello\n")
    # The reply is stored after its last piece is shown and before the next line is asked for.
    assert await process.stdout.readline() == b"Good morning\n"
    process.kill()
    await process.wait()
    await process.communicate()
    assert kept(database) == [("user", "Hello", None), ("assistant", "Good morning", None)]


async def test_kill_within_a_reply_loses_no_more_than_the_reply(judge_server, record, database):
    never = asyncio.Event()
    judge_server.script(streams("Good morning"), streams("It is ", "noon", hold=never))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"Hello\nWhat time is it?\n")
    assert await process.stdout.readline() == b"Good morning\n"
    assert await process.stdout.readexactly(len("It is ")) == b"It is "
    process.kill()
    await process.communicate()
    assert [content for _, content, _ in kept(database)] == ["Hello", "Good morning", "What time is it?"]


@pytest.mark.parametrize("seed", range(3))
async def test_killed_at_any_moment_a_talk_goes_on_with_every_finished_turn(
    judge_server, record, database, seed
):
    # tests/bench/interrupts_bench.py does so many times.
    chance = random.Random(seed)
    judge_server.default = streams(*(f"piece {number}, " for number in range(20)), "and that is all.")
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"".join(b"question %d\n" % number for number in range(60)))
    heard = b""
    for _ in range(chance.randint(1, 12)):
        heard += await process.stdout.readline()
    await asyncio.sleep(chance.uniform(0, 0.1))
    process.kill()
    heard += (await process.communicate())[0]
    finished_replies = heard.count(b"and that is all.\n")
    code, _, err = await finished(
        await record("--plain", "--target", judge_server.url, "--resume", "1"), "Are you there?\n"
    )
    assert (code, "Traceback" in err) == (0, False)
    said = kept(database)
    replies = [content for role, content, _ in said if role == "assistant"]
    assert finished_replies >= 1
    assert len(replies) > finished_replies
    assert all(reply.endswith("and that is all.") for reply in replies)
    assert said[-2][1] == "Are you there?"


async def test_ctrl_c_within_a_reply_keeps_what_came(judge_server, record, database):
    judge_server.script(streams("It is ", "noon", hold=asyncio.Event()))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"What time is it?\n")
    assert await process.stdout.readexactly(len("It is ")) == b"It is "
    process.send_signal(signal.SIGINT)
    code, _, err = await finished(process)
    assert code == 130
    assert "Kept as session 1" in err
    assert "Traceback" not in err
    assert kept(database)[-1] == ("assistant", "It is ", True)


async def test_ctrl_c_while_nobody_speaks_ends_at_once(judge_server, record, database):
    judge_server.script(streams("Hi"))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"Hello\n")
    assert await process.stdout.readline() == b"Hi\n"
    process.send_signal(signal.SIGINT)
    # Standard input stays open: nothing else may be waited for.
    assert await asyncio.wait_for(process.wait(), 20) == 130
    assert b"Traceback" not in (await process.communicate())[1]


async def test_a_target_that_goes_away_ends_with_3_and_what_was_said(judge_server, record, database):
    judge_server.script(streams("Hi"), drops())
    process = await record("--plain", "--json", "--target", judge_server.url)
    code, out, err = await finished(process, "Hello\nAre you there?\nHello?\n")
    assert (code, json.loads(out)) == (3, {"session": 1, "turns": 3})
    assert "Error: The chatbot cannot be reached" in err
    assert "→" in err
    assert [content for _, content, _ in kept(database)] == ["Hello", "Hi", "Are you there?"]


@pytest.mark.parametrize(
    ("target", "code", "words"),
    [
        (["--target", "http://127.0.0.1:9/v1"], 3, "The chatbot cannot be reached"),
        (["--target", "none"], 2, "There is no chatbot to talk to"),
        ([], 2, "turnwise judge pull"),
        (["--target", "embedded"], 2, "turnwise judge pull"),
        (["--target", "not a target"], 2, "That names no chatbot"),
    ],
    ids=["away", "none", "no model", "not pulled", "nonsense"],
)
async def test_where_there_is_no_chatbot_it_says_what_to_do(record, database, target, code, words):
    ended, out, err = await finished(await record("--plain", *target), "Hello\n")
    assert (ended, out) == (code, "")
    assert words in err
    assert "→" in err or "given" in err
    assert "Traceback" not in err
    assert kept(database) == []


class Terminal:
    """The other end of a pty."""

    def __init__(self) -> None:
        self._ours, self.theirs = pty.openpty()
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    async def wait_for(self, text: str, times: int = 1) -> None:
        async with asyncio.timeout(60):
            while self.seen.count(text) < times:
                self.seen += await asyncio.to_thread(self._read)

    def _read(self) -> str:
        # For a moment at a time: a thread that waits to read cannot be stopped.
        ready = select.select([self._ours], [], [], 0.1)[0]
        return os.read(self._ours, 4096).decode() if ready else ""

    def close(self) -> None:
        os.close(self._ours)
        os.close(self.theirs)


async def test_at_a_terminal_ctrl_c_cuts_a_reply_short_and_the_talk_goes_on(
    judge_server: JudgeServer, record, database
):
    judge_server.script(streams("It is ", "noon", hold=asyncio.Event()), drops(), streams("Twelve"))
    terminal = Terminal()
    files = dict.fromkeys(("stdin", "stdout", "stderr"), terminal.theirs)
    process = await record("--plain", "--target", judge_server.url, **files)
    try:
        await terminal.wait_for("> ")
        terminal.type("What time is it?\n")
        await terminal.wait_for("It is ")
        process.send_signal(signal.SIGINT)
        await terminal.wait_for("> ", 2)
        assert "Cut short." in terminal.seen
        terminal.type("Well?\n")
        await terminal.wait_for("> ", 3)
        assert "The chatbot cannot be reached" in terminal.seen
        terminal.type("Again?\n")
        await terminal.wait_for("> ", 4)
        terminal.type("\x04")
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        terminal.close()
    assert [content for _, content, _ in kept(database)] == [
        "What time is it?",
        "It is ",
        "Well?",
        "Again?",
        "Twelve",
    ]


async def test_a_printed_line_end_means_that_the_reply_is_kept(judge_server, record, database):
    # The reply has a line end of its own, and comes whole before the server says that it ends.
    hold = asyncio.Event()
    judge_server.script(streams("Good morning\n", hold=hold))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"Hello\n")
    assert await process.stdout.readexactly(12) == b"Good morning"
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(process.stdout.read(1), 1.0)
    hold.set()
    assert await process.stdout.readline() == b"\n"
    process.kill()
    await process.wait()
    assert kept(database)[-1] == ("assistant", "Good morning\n", None)


async def test_a_reply_that_is_no_chunk_is_no_mistake_of_ours(judge_server, record, database):
    piece = b'data: {"choices": [{"delta": {"content": "Good morning"}}]}\n\n'
    end = b'data: {"choices": [{"delta": {}, "finish_reason": "length"}]}\n\n'
    judge_server.script(Step(body=piece + b"data: oops\n\n" + end), streams("Bye"))
    process = await record("--plain", "--target", judge_server.url)
    code, out, err = await finished(process, "Hello\nAnd?\n")
    assert (code, out) == (0, "Good morning\nBye\n")
    assert "(ended at the most that it may write; 1 piece could not be read)" in err
    pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
    words = (sys.executable, "-c", COMMAND, "--db", str(database), "show", "1")
    show = await asyncio.create_subprocess_exec(*words, **pipes)
    code, shown, _ = await finished(show)
    assert code == 0
    assert "! ended at the most that it may write; 1 piece could not be read" in shown


async def test_a_tool_call_is_told_beside_the_reply(judge_server, record):
    call = {"index": 0, "id": "c1", "function": {"name": "find", "arguments": "{}"}}
    sent = [{"choices": [{"delta": {"tool_calls": [call]}}]}, {"choices": [{"finish_reason": "tool_calls"}]}]
    judge_server.script(Step(body=b"".join(b"data: %s\n\n" % json.dumps(one).encode() for one in sent)))
    code, out, err = await finished(await record("--plain", "--target", judge_server.url), "Hello\n")
    assert (code, out) == (0, "")
    assert "(the chatbot calls find({}))" in err
    assert "said nothing" not in err


async def test_ctrl_c_again_while_a_reply_is_being_dropped_shows_no_traceback(judge_server, record, database):
    judge_server.script(streams("It is ", "noon", hold=asyncio.Event()))
    process = await record("--plain", "--target", judge_server.url)
    process.stdin.write(b"What time is it?\n")
    assert await process.stdout.readexactly(len("It is ")) == b"It is "
    for _ in range(3):
        process.send_signal(signal.SIGINT)
        await asyncio.sleep(0.002)
    code, _, err = await finished(process)
    assert code == 130
    assert "Traceback" not in err
    assert kept(database)[-1] == ("assistant", "It is ", True)


BOT = """
def reply(messages):
    return f"{len(messages)} said, the last: {messages[-1]['content']}"

def broken(prompt):
    raise ValueError("out of order")
"""


async def test_a_function_of_ones_own_answers_as_in_run(record, database, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    process = await record("--plain", "--target", f"python:{tmp_path / 'bot.py'}:reply")
    code, out, err = await finished(process, "Hello\nAnd?\n")
    assert (code, out) == (0, "1 said, the last: Hello\n3 said, the last: And?\n")
    assert "Talking to python:bot.py:reply." in err
    assert [content for _, content, _ in kept(database)] == [
        "Hello",
        "1 said, the last: Hello",
        "And?",
        "3 said, the last: And?",
    ]


async def test_code_that_fails_is_told_with_its_line(record, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    process = await record("--plain", "--target", f"python:{tmp_path / 'bot.py'}:broken")
    code, _, err = await finished(process, "Hello\n")
    assert code == 3
    assert "out of order (line 6 of bot.py)" in err


async def test_code_that_is_not_there_is_told_before_anything_is_said(record):
    code, _, err = await finished(await record("--plain", "--target", "python:nobody.py:reply"), "Hello\n")
    assert code == 2
    assert "There is no Python file nobody.py" in err


async def test_a_kept_talk_goes_on_and_what_was_said_is_shown_and_sent(judge_server, record, database):
    judge_server.script(streams("Good morning"), streams("Rye"))
    url = ("--plain", "--target", judge_server.url)
    await finished(await record(*url, "--role", "A baker"), "Hello\n")
    code, out, err = await finished(await record(*url, "--resume", "1"), "What bread?\n")
    assert (code, out) == (0, "Rye\n")
    assert "> Hello\nGood morning\n" in err
    assert "Kept as session 1" in err
    assert [message["content"] for message in judge_server.requests[1].body["messages"]][1:] == [
        "Hello",
        "Good morning",
        "What bread?",
    ]
    assert [content for _, content, _ in kept(database)][1:] == [
        "Hello",
        "Good morning",
        "What bread?",
        "Rye",
    ]


async def test_a_message_that_has_no_answer_yet_is_answered_first(judge_server, record, database):
    with Store.open(database) as store:
        Recording(store, target="x", system="").user_says("Anybody there?")
    judge_server.script(streams("Yes"), streams("Bye"))
    _, out, _ = await finished(
        await record("--plain", "--target", judge_server.url, "--resume", "1"), "Good.\n"
    )
    assert out == "Yes\nBye\n"
    assert [content for _, content, _ in kept(database)] == ["Anybody there?", "Yes", "Good.", "Bye"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--resume", "7"), "There is no session 7"),
        (("--resume", "1", "--role", "A baker"), "keeps its role, prompt, scenario and name"),
    ],
)
async def test_what_cannot_go_on_is_told(judge_server, record, options, told):
    code, _, err = await finished(await record("--plain", "--target", judge_server.url, *options), "Hi\n")
    assert code == 2
    assert told in err
    assert not judge_server.requests


@pytest.mark.parametrize("said", ["the message", "the reply"])
async def test_what_was_said_while_the_database_is_held_survives_ctrl_c(judge_server, record, database, said):
    with Store.open(database):
        pass
    reached = asyncio.Event()
    judge_server.script(Step(body=streams("Rye").body, wait=reached))
    with contextlib.ExitStack() as stack:
        if said == "the message":
            stack.enter_context(held(database))
        process = await record("--plain", "--target", judge_server.url)
        process.stdin.write(b"What bread?\n")
        if said == "the reply":
            await until(lambda: judge_server.requests)
            stack.enter_context(held(database))
        reached.set()
        told = b""
        while b"Another program is writing" not in told:
            told += await asyncio.wait_for(process.stderr.readline(), 60)
        process.send_signal(signal.SIGINT)
        code, _, err = await finished(process)
    assert code == 130
    assert "waits in t.db-waiting-" in err
    assert "Nothing was said" not in err
    expected = [("user", "What bread?", None), ("assistant", "Rye", None)]
    assert kept(database) == expected[: 1 if said == "the message" else 2]


async def test_metrics_score_the_talk_as_it_goes_and_replies_alone_stand_on_standard_output(
    judge_server, record, database
):
    judge_server.script(streams("Rye"), streams("Wheat"))
    process = await record("--plain", "--target", judge_server.url, "--metric", "contains:Rye")
    code, out, err = await finished(process, "What bread?\nAnd?\n")
    assert (code, out) == (0, "Rye\nWheat\n")
    assert "✗ contains" in err
    with Store.open(database) as store:
        assert False in [score.passed for score in store.scores.newest(1)]
