"""`turnwise import --follow`, as a process of its own that is stopped by ctrl+c."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest
from lock_holder import LockHolder
from processes import read_until, running, until

from turnwise.conversations.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ctrl+c reaches a process otherwise there")


def chat(*texts: str) -> str:
    roles = ["user", "assistant"] * len(texts)
    return json.dumps({"messages": [{"role": r, "content": t} for r, t in zip(roles, texts, strict=False)]})


def count(path: Path) -> int:
    with Store.open(path) as store:
        return store.sessions.count()


def turns(path: Path) -> list[int]:
    with Store.open(path) as store:
        return [row.turns for row in store.sessions.page()]


def test_a_log_is_taken_in_until_ctrl_c_and_the_end_tells_what_came(tmp_path: Path) -> None:
    db, log = tmp_path / "t.db", tmp_path / "chats.jsonl"
    log.write_text(chat("hi", "hello") + "\n")
    Store.open(db).close()
    with running(["--db", db, "import", "--follow", log, "--json"]) as process:
        until(lambda: count(db) == 1)
        with log.open("a") as file:
            file.write(chat("one more", "yes") + "\n" + '{"messages": [')
        until(lambda: count(db) == 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    told = [json.loads(line) for line in out.splitlines()]
    assert [line["event"] for line in told] == ["read", "read", "end"]
    assert told[-1]["imported"] == 2
    words = err.decode()
    assert "ctrl+c ends it" in words
    assert "2 imported" in words
    assert "not whole yet: chats.jsonl" in words


def test_a_long_silence_is_told_once_for_a_file_that_grows(tmp_path: Path) -> None:
    db, log = tmp_path / "t.db", tmp_path / "support.log"
    lines = ["2026-01-05 10:00 User: hi", "2026-01-06 12:00 Bot: hello", "2026-01-06 12:01 User: thanks"]
    log.write_text("\n".join(lines[:2]) + "\n")
    Store.open(db).close()
    with running(["--db", db, "import", "--follow", log]) as process:
        until(lambda: count(db) == 1)
        log.write_text("\n".join(lines) + "\n")
        until(lambda: turns(db) == [3])
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert err.decode().count("between line 1 and line 2 lie 26 hours") == 1


def test_a_database_that_another_program_holds_is_waited_for_and_that_is_said(tmp_path: Path) -> None:
    db, log = tmp_path / "t.db", tmp_path / "chats.jsonl"
    Store.open(db).close()
    log.write_text("")
    with running(["--db", db, "import", "--follow", log]) as process:
        assert process.stderr is not None
        assert b"Following" in process.stderr.readline()
        holder = LockHolder(db)
        try:
            log.write_text(chat("hi", "hello") + "\n")
            assert b"Another program is writing" in process.stderr.readline()
            holder.free()
        finally:
            holder.end()
        until(lambda: count(db) == 1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 0


def test_ctrl_c_ends_a_wait_for_the_database_too(tmp_path: Path) -> None:
    db, log = tmp_path / "t.db", tmp_path / "chats.jsonl"
    Store.open(db).close()
    log.write_text(chat("hi", "hello") + "\n")
    holder = LockHolder(db)
    try:
        with running(["--db", db, "import", "--follow", log]) as process:
            read_until(process.stderr, b"Another program is writing")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        assert process.returncode in (0, 130)
    finally:
        holder.end()
    assert count(db) == 0


def test_standard_input_is_not_followed(tmp_path: Path) -> None:
    with running(["--db", tmp_path / "t.db", "import", "--follow", "-"]) as process:
        _, err = process.communicate(timeout=30)
    assert b"not standard input" in err
    assert process.returncode == 2
