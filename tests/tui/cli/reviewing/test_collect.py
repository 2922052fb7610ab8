"""`turnwise collect`, as a process of its own: programs send to it, and it is killed and kept waiting."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from lock_holder import LockHolder
from processes import read_until, running, until
from traced import call_attributes, request_of, said, span_of

from turnwise.conversations.store import Store

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ctrl+c reaches a process otherwise there")


class Collecting:
    """A collector that listens."""

    def __init__(self, process: subprocess.Popen[bytes], db: Path) -> None:
        self.process = process
        self.db = db
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["event"] == "listening"
        self.environment: dict[str, str] = told["environment"]

    def send(self, *spans: dict[str, Any]) -> int:
        """Send spans, and return the status of the answer."""
        token = unquote(self.environment["OTEL_EXPORTER_OTLP_HEADERS"].partition("=")[2])
        connection = HTTPConnection(
            urlsplit(self.environment["OTEL_EXPORTER_OTLP_ENDPOINT"]).netloc, timeout=20
        )
        headers = {"Content-Type": "application/json", "Authorization": token}
        connection.request("POST", "/v1/traces", json.dumps(request_of(*spans)), headers)
        status = connection.getresponse().status
        connection.close()
        return status

    def conversations(self) -> list[list[str]]:
        with Store.open(self.db) as store:
            return [[turn.content for turn in store.turns.of(one)] for one in store.sessions.ids()]

    def end(self) -> tuple[list[dict[str, Any]], str]:
        """Press ctrl+c, and return what was printed and told."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, err
        return [json.loads(line) for line in out.splitlines()], err.decode()


@contextmanager
def collecting(db: Path) -> Iterator[Collecting]:
    with running(["--db", db, "collect", "--port", "0", "--json"]) as process:
        yield Collecting(process, db)


def talk(number: int, conversation: str = "talk") -> dict[str, Any]:
    """Return the span of one call of a model, in a trace of its own."""
    asked = [said("user", f"question {number}")]
    attributes = call_attributes(asked, f"answer {number}", conversation=f"{conversation}-{number}")
    return span_of(attributes, trace=f"{number:032x}", begin=1_760_000_000 + number)


def test_what_programs_send_becomes_sessions_while_it_runs(tmp_path: Path) -> None:
    with collecting(tmp_path / "t.db") as collector:
        assert collector.send(talk(1)) == 200
        until(lambda: collector.conversations() == [["question 1", "answer 1"]])
        collector.send(talk(2))
        lines, words = collector.end()
    assert lines[-1]["event"] == "end"
    assert (lines[-1]["spans"], lines[-1]["imported"]) == (2, 2)
    assert "2 spans came. 2 imported." in words


def test_whatever_was_answered_survives_a_kill(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    with collecting(db) as collector:
        for number in range(1, 31):
            assert collector.send(talk(number)) == 200
        collector.process.kill()
        collector.process.wait()
    with sqlite3.connect(db.with_name("t.db-spans")) as kept:
        assert kept.execute("SELECT count(*) FROM spans").fetchone() == (30,)
    kept.close()
    with collecting(db) as collector:
        until(lambda: len(collector.conversations()) == 30)
        collector.end()


def test_while_another_program_holds_the_database_spans_are_taken_at_once(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    Store.open(db).close()
    with collecting(db) as collector:
        holder = LockHolder(db)
        try:
            began = time.monotonic()
            assert collector.send(talk(1)) == 200
            assert time.monotonic() - began < 5
            read_until(collector.process.stderr, b"Another program is writing")
            assert collector.send(talk(2)) == 200
        finally:
            holder.free()
        until(lambda: len(collector.conversations()) == 2)
        collector.end()


def test_ctrl_c_ends_it_while_the_database_is_held_and_the_next_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tmp_path / "t.db"
    Store.open(db).close()
    with collecting(db) as collector:
        holder = LockHolder(db)
        try:
            collector.send(talk(1))
            read_until(collector.process.stderr, b"Another program is writing")
            _, words = collector.end()
        finally:
            holder.free()
    assert "taken in by the next" in words
    with collecting(db) as collector:
        until(lambda: len(collector.conversations()) == 1)
        collector.end()


def test_a_fixed_token_and_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURNWISE_COLLECT_TOKEN", "of my own")
    with collecting(tmp_path / "t.db") as collector:
        assert collector.environment["OTEL_EXPORTER_OTLP_HEADERS"] == "Authorization=Bearer%20of%20my%20own"
        collector.end()
    with running(["--db", tmp_path / "t.db", "collect", "--port", "0", "--no-token"]) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"export OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert b"No token is asked for" in err
