"""Several commands at once on one database: each does what no other does, and takes over from the dead."""

from __future__ import annotations

import json
import math
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from judge_server import JudgeServer, Request, Step, says
from judged import answers_all
from pressing import press_twice
from processes import running, until
from stored import keep

from turnwise.conversations.store import Store

METRICS = ["--metric", "role_adherence", "--metric", "knowledge_retention"]
SESSIONS = 150


@pytest.fixture
def server(judge_server_apart: JudgeServer) -> JudgeServer:
    judge_server_apart.default = answers_all
    return judge_server_apart


@pytest.fixture
def score(store: Store, server: JudgeServer) -> list[str]:
    with store.writing():
        for number in range(SESSIONS):
            keep(store, f"question {number}", "answer", chatbot_role="r")
    return ["score", "--all", *METRICS, "--judge", f"{server.url}#m", "--json"]


CONTAINS = {"type": "contains", "value": "re"}
RUBRIC = {"type": "llm-rubric", "value": "is polite"}


def answers_and_judges(request: Request) -> Step:
    if "response_format" in request.body:
        return says({"reason": "So it is.", "pass": True, "score": 1.0})
    return says(f"re {request.body['messages'][-1]['content']}")


@pytest.fixture
def suite(tmp_path: Path, server: JudgeServer) -> list[str]:
    server.default = answers_and_judges
    path = tmp_path / "suite.json"
    tests = [{"vars": {"q": f"question {place}"}, "assert": [CONTAINS, RUBRIC]} for place in range(SESSIONS)]
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    words = ["--target", f"{server.url}#bot", "--judge", f"{server.url}#judge"]
    return ["run", str(path), *words, "--json"]


Ended = tuple[int, list[dict[str, object]], str]
"""The exit code of a process, what it printed, and its remarks."""


class Thinking:
    """Lets whoever asks wait for ever, until that is over. in_vain: how many were asked for nothing."""

    def __init__(self, answers: Callable[[Request], Step]) -> None:
        self._answers = answers
        self.over = False
        self.in_vain = 0
        self._last_asked = math.inf

    def __call__(self, request: Request) -> Step:
        if self.over:
            return self._answers(request)
        self.in_vain += 1
        self._last_asked = time.monotonic()
        return Step(do="hang")

    def asks_no_more(self) -> bool:
        """Whether whoever asks has as much open as it ever has at once."""
        return time.monotonic() - self._last_asked > 1.5


def rows(store: Store, table: str) -> int:
    with closing(sqlite3.connect(store.path, timeout=30)) as database, database:
        return int(database.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def ended(processes: Sequence[subprocess.Popen[bytes]]) -> list[Ended]:
    """Return what came of each process, once all have ended."""
    told: dict[int, tuple[bytes, bytes]] = {}

    def listen(place: int, process: subprocess.Popen[bytes]) -> None:
        told[place] = process.communicate(timeout=300)

    threads = [threading.Thread(target=listen, args=one) for one in enumerate(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [
        (
            process.returncode,
            [json.loads(line) for line in told[place][0].splitlines()],
            told[place][1].decode(),
        )
        for place, process in enumerate(processes)
    ]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_score_at_once_ask_and_keep_each_unit_once(score, server, store, count) -> None:
    with ExitStack() as stack:
        all_of_them = ended([stack.enter_context(running(score)) for _ in range(count)])
    for code, lines, remarks in all_of_them:
        assert code == 0, remarks
        assert len(lines) == SESSIONS * 2
    assert len(server.requests) == rows(store, "calls") == rows(store, "scores") == SESSIONS * 2
    assert sum(not line["kept"] for _, lines, _ in all_of_them for line in lines) == SESSIONS * 2
    assert [row.scores for row in store.runs.all()] == [SESSIONS * 2] * count


def other_of_two(words: Sequence[str], thinks: Thinking, server: JudgeServer, store: Store) -> Ended:
    """Run a command twice at once, kill the first while all that it asked for is open, return the other."""
    server.default = thinks
    with running(words) as first:
        until(lambda: thinks.asks_no_more())
        thinks.over = True
        with running(words) as second:
            # The second meets what the first claimed, and says so.
            told = told_until(second, b"another run")
            first.send_signal(signal.SIGKILL)
            [(code, lines, remarks)] = ended([second])
    assert rows(store, "claims") == 0
    return code, lines, told + remarks


def told_until(process: subprocess.Popen[bytes], word: bytes) -> str:
    """Return the remarks of a process up to the line that holds a word."""
    assert process.stderr is not None
    told = b""
    while line := process.stderr.readline():
        told += line
        if word in line.lower():
            break
    return told.decode()


def test_the_units_of_a_score_that_is_killed_are_judged_by_the_other(score, server, store) -> None:
    thinks = Thinking(answers_all)
    code, lines, remarks = other_of_two(score, thinks, server, store)
    assert code == 0, remarks
    assert len(lines) == rows(store, "scores") == SESSIONS * 2
    assert "being judged by another run; what it leaves is judged here." in remarks
    # What it had asked when it was killed is asked again, and nothing else.
    assert len(server.requests) == SESSIONS * 2 + thinks.in_vain


def test_an_interrupted_score_gives_back_what_it_claimed(score, server, store) -> None:
    server.default = Step(do="hang")
    with running(score) as process:
        until(lambda: len(server.requests) >= 4)
        assert rows(store, "claims") > 0
        press_twice(process)
    assert process.returncode == 130
    assert rows(store, "claims") == rows(store, "claimants") == 0


@pytest.mark.parametrize("count", [1, 2, 4])
def test_several_runs_of_a_suite_at_once_ask_and_keep_each_case_once(suite, server, store, count) -> None:
    with ExitStack() as stack:
        all_of_them = ended([stack.enter_context(running(suite)) for _ in range(count)])
    for code, lines, remarks in all_of_them:
        assert code == 0, remarks
        assert [line["index"] for line in lines] == list(range(SESSIONS))
    assert len(server.requests) == SESSIONS * 2
    assert rows(store, "answers") == rows(store, "sessions") == SESSIONS
    assert rows(store, "scores") == SESSIONS * 3
    assert sum(not line["kept"] for _, lines, _ in all_of_them for line in lines) == SESSIONS
    assert [row.scores for row in store.runs.all()] == [SESSIONS * 3] * count
    assert rows(store, "claims") == 0


def test_the_cases_of_a_run_that_is_killed_are_asked_by_the_other(suite, server, store) -> None:
    thinks = Thinking(answers_and_judges)
    code, lines, remarks = other_of_two(suite, thinks, server, store)
    assert code == 0, remarks
    assert [line["index"] for line in lines] == list(range(SESSIONS))
    assert rows(store, "scores") == SESSIONS * 3
    assert "Another run of these cases is under way." in remarks
    assert len(server.requests) == SESSIONS * 2 + thinks.in_vain
