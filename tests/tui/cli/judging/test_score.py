"""turnwise score: what it prints, how it ends, and that no stop loses or repeats anything."""

import asyncio
import random
import signal
import socket
import sqlite3
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from judge_server import Request, busy, drops, refuses, says
from judged import answers_all, gives
from lock_holder import held
from pressing import press_twice, press_until_heard
from processes import running, until
from stored import keep

HOSTILE = "\x1b[31mred\x1b]0;title\x07\u202e"


@pytest.fixture
def sessions(store) -> list[int]:
    return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(4)]


class TestOutput:
    def test_as_json_every_outcome_is_an_object_on_a_line(self, turnwise, judge, sessions):
        ran = turnwise("score", sessions[0], "--metric", "role_adherence", *judge, "--json")
        assert ran.code == 0
        assert ran.row == {
            "session": sessions[0],
            "metric": "role_adherence",
            "outcome": "score",
            "score": 1.0,
            "passed": True,
            "reason": "The only reply stays in role.",
            "next_step": "",
            "exchange": None,
            "kept": False,
            "judge": "m",
        }
        judge = "Judge: m; at most 1 question, about 400 tokens"
        assert ran.err.splitlines() == [judge, "1 passed, 0 below threshold."]

    def test_for_people_it_is_a_line_for_every_outcome(self, turnwise, server, judge, sessions):
        server.script(gives("turn", {2: "no"}), refuses(400, "too odd"))
        session = str(sessions[0])
        ran = turnwise("score", session, "--metric", "role_adherence", *judge)
        assert ran.code == 1
        assert (
            ran.out
            == f"    {session}  ✗ role_adherence  0.00  The only reply breaks role (turn 2): reason 2\n"
        )
        failed = turnwise("score", session, "--metric", "knowledge_retention", *judge)
        assert failed.out.startswith(f"    {session}  ! knowledge_retention  not judged  The judge refuses")
        skipped = turnwise("score", session, "--metric", "faithfulness", *judge)
        assert skipped.out == (
            f"    {session}  – faithfulness (exchange 1)  skipped  the case has no retrieval_context\n"
        )
        assert skipped.code == 0

    def test_what_was_scored_before_is_counted_and_not_repeated(self, turnwise, server, judge, sessions):
        line = ["score", "--all", "--metric", "role_adherence", *judge]
        turnwise(*line)
        ran = turnwise(*line)
        assert (ran.code, ran.out) == (0, "")
        assert ran.err.endswith("4 passed, 0 below threshold, 4 of them judged before.\n")
        assert [row["kept"] for row in turnwise(*line, "--json").rows] == [True] * 4
        assert len(server.requests) == 4

    def test_all_metrics_of_the_main_job_and_a_criterion(self, turnwise, server, judge, sessions, tmp_path):
        criteria = tmp_path / "politeness.yaml"
        criteria.write_text("name: Politeness\ncriteria: The assistant stays polite.\n")
        names = ["role_adherence", "knowledge_retention", "conversational_geval", "answer_relevancy"]
        chosen = [word for name in names for word in ("--metric", name)]
        line = ["score", "--all", *chosen, "--criteria", str(criteria), *judge, "--json"]
        ran = turnwise(*line)
        assert ran.code == 0
        assert Counter(row["metric"] for row in ran.rows) == {
            "role_adherence": 4,
            "knowledge_retention": 4,
            "answer_relevancy": 4,
            "Politeness": 4,
        }
        assert len(server.requests) == 17
        turnwise(*line)
        assert len(server.requests) == 17

    def test_nothing_that_a_conversation_or_a_judge_says_is_obeyed(self, turnwise, store, server, judge):
        session = keep(store, HOSTILE, HOSTILE, chatbot_role=HOSTILE, name=HOSTILE)
        server.default = says({"turn_2": {"reason": HOSTILE, "verdict": "no"}})
        line = ["score", session, "--metric", "role_adherence", *judge]
        server.script(says(HOSTILE), says(f"{{{HOSTILE}"))
        for arguments in (line, line, [*line, "--json"], [*line[:-1], f"{server.url}#m{HOSTILE}"]):
            ran = turnwise(*arguments)
            assert not set(ran.out + ran.err) & set("\x1b\x07\u202e\r")
        server.default = refuses(400, HOSTILE)
        ran = turnwise("score", session, "--metric", "knowledge_retention", *judge)
        assert not set(ran.out + ran.err) & set("\x1b\x07\u202e\r")


class TestEnds:
    def test_a_score_below_its_threshold_or_a_failure_exits_with_1(self, turnwise, server, judge, sessions):
        server.script(gives("turn", {2: "no"}))
        assert turnwise("score", "--all", "--metric", "role_adherence", *judge).code == 1
        assert turnwise("score", "--all", "--metric", "role_adherence", *judge).code == 1
        forgiving = turnwise("score", "--all", "--metric", "role_adherence:threshold=0", *judge)
        assert forgiving.code == 0
        assert len(server.requests) == 4

    def test_without_a_judge_checks_run_and_the_rest_is_skipped(self, turnwise, sessions):
        names = ["--metric", "role_adherence", "--metric", "contains:answer"]
        ran = turnwise("score", "--all", *names, "--judge", "none", "--json")
        assert ran.code == 0
        assert Counter((row["outcome"], row["reason"]) for row in ran.rows) == {
            ("skipped", "no judge"): 4,
            ("score", 'The reply contains "answer".'): 4,
        }
        assert "Judge: none; metrics that need one are skipped" in ran.err

    def test_a_judge_that_is_away_exits_with_3_and_says_what_to_do(
        self, turnwise, server, judge, sessions, monkeypatch
    ):
        async def at_once(seconds: float) -> None:
            await asyncio.sleep(0)

        monkeypatch.setattr(
            "turnwise.engine.judge.judge.Judge.__init__.__kwdefaults__",
            {
                "servers": None,
                "provider": None,
                "sleep": at_once,
            },
        )
        server.default = drops()
        ran = turnwise("score", "--all", "--metric", "role_adherence", *judge, "--json")
        assert ran.code == 3
        assert {row["outcome"] for row in ran.rows} == {"failure"}
        assert "Error: The run was stopped: the judge does not answer" in ran.err
        assert "→" in ran.err

    def test_a_judge_that_refuses_exits_with_3(self, turnwise, server, judge, sessions):
        server.default = refuses(401, "who are you?")
        ran = turnwise("score", "--all", "--metric", "role_adherence", *judge)
        assert ran.code == 3
        assert "the judge refuses" in ran.err
        assert "who are you?" in ran.err

    def test_a_spent_budget_exits_with_3(self, turnwise, server, judge, sessions):
        ran = turnwise("score", "--all", "--metric", "role_adherence", *judge, "--budget", "0")
        assert (ran.code, ran.out) == (3, "")
        assert "The budget is spent" in ran.err
        assert server.requests == []

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--all"], "Say what to judge by"),
            (["--metric", "role_adherence"], "Say which sessions"),
            (["--all", "bag", "--metric", "role_adherence"], "--all goes without a query"),
            (["99", "--metric", "role_adherence"], "There is no session 99"),
            (["zebra", "--metric", "role_adherence"], "No session matches zebra"),
            (["lable:x", "--metric", "role_adherence"], "Did you mean label?"),
            (["--all", "--metric", "role_adherance"], "Did you mean role_adherence?"),
            (["--all", "--metric", "geval"], "judges by a criterion, and none was given"),
            (["--all", "--metric", "contains"], "contains needs the text"),
            (["--all", "--metric", "regex:("], "not a regular expression"),
            (["--all", "--criteria", "away.yaml"], "away.yaml cannot be read"),
            (["--all", "--metric", "role_adherence", "--judge", "two words"], "That names no judge"),
            (
                ["--all", "--metric", "role_adherence", "--judge", "openai:gpt-4.1"],
                "OPENAI_API_KEY is not set",
            ),
            (["--all", "--metric", "role_adherence", "--judge", "http://"], "names no host"),
        ],
    )
    def test_wrong_use_is_told_with_a_next_step_and_exits_with_2(self, turnwise, sessions, arguments, told):
        ran = turnwise("score", *arguments)
        assert (ran.code, ran.out) == (2, "")
        assert told in ran.err
        assert ran.err.startswith("Error: ")

    def test_an_empty_library_says_how_to_fill_it(self, turnwise):
        ran = turnwise("score", "--all", "--metric", "role_adherence")
        assert ran.code == 2
        assert "turnwise import FILE" in ran.err


def rows(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT session_id, metric, outcome FROM scores").fetchall()
    connection.close()
    return found


METRICS = ["--metric", "role_adherence", "--metric", "knowledge_retention"]
MORE = ["--metric", "geval:Is it polite?", "--metric", "conversational_geval:Is it short?"]


@pytest.fixture
def many(store) -> list[int]:
    with store.writing():
        return [keep(store, f"question {number}", "answer", chatbot_role="r") for number in range(40)]


class TestStops:
    def test_a_kill_while_the_judge_thinks_loses_nothing_and_repeats_nothing(
        self, turnwise, server, judge, many, store
    ):
        line = ["--all", *METRICS, *judge, "--json"]
        server.script(*[answers_all] * 25)
        server.default = says({}, wait=asyncio.Event())
        with running(["score", *line]) as process:
            until(lambda: len(rows(store.path)) == 25)
            process.send_signal(signal.SIGKILL)
            assert process.wait(timeout=30) == -signal.SIGKILL
        server.default = answers_all
        server.requests.clear()
        ran = turnwise("score", *line)
        assert ran.code == 0
        assert len(server.requests) == 80 - 25
        assert set(Counter(rows(store.path)).values()) == {1}
        assert len(rows(store.path)) == len(ran.rows) == 80
        assert sum(row["kept"] for row in ran.rows) == 25
        turnwise("score", *line)
        assert len(server.requests) == 80 - 25

    def test_a_kill_at_full_speed_loses_nothing_that_was_kept_and_repeats_nothing(
        self, turnwise, server, judge, many, store
    ):
        line = ["--all", *METRICS, *judge, "--json"]
        with running(["score", *line]) as process:
            until(lambda: len(rows(store.path)) >= 1 or process.poll() is not None)
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=30)
        before = rows(store.path)
        server.requests.clear()
        ran = turnwise("score", *line)
        assert ran.code == 0
        assert sum(row["kept"] for row in ran.rows) == len(before)
        assert len(server.requests) <= 80 - len(before)
        assert set(Counter(rows(store.path)).values()) == {1}
        assert len(rows(store.path)) == 80

    def test_an_interruption_ends_it_also_while_the_judge_thinks(self, server, judge, many, store):
        server.script(answers_all)
        server.default = says({}, wait=asyncio.Event())
        with running(["score", "--all", *METRICS, *judge]) as process:
            printed = process.stdout.readline()
            out, err = press_twice(process)
            assert process.returncode == 130
        assert printed.count(b"\n") == 1
        assert out == b""
        assert b"1 passed, 0 below threshold." in err
        assert b"Interrupted. What is scored is kept" in err
        assert b"Traceback" not in err
        assert len(rows(store.path)) == 1

    def test_the_first_press_lets_what_is_under_way_come_to_its_end(self, server, judge, many, store):
        go = asyncio.Event()
        server.script(*[answers_all] * 4)
        server.default = lambda request: replace(answers_all(request), wait=go)
        with running(["score", "--all", *METRICS, *MORE, *judge]) as process:
            until(lambda: len(rows(store.path)) >= 1)
            told = press_until_heard(process)
            server.let_go(go)
            out, err = process.communicate(timeout=30)
            assert process.returncode == 130
        assert b"Interrupted. What is scored is kept" in told + err
        assert 1 < out.count(b"\n") == len(rows(store.path)) < 160

    @pytest.fixture
    def gate(self, server) -> asyncio.Event:
        """Lets the first question be answered, ten more once it is set, and no others."""
        event = asyncio.Event()
        server.script(answers_all, *[lambda request: replace(answers_all(request), wait=event)] * 10)
        server.default = says({}, wait=asyncio.Event())
        return event

    def test_what_is_printed_is_kept_already(self, server, judge, many, store, gate):
        with running(["score", "--all", *METRICS, *judge, "--json"]) as process:
            until(lambda: len(rows(store.path)) == 1)
            with held(store.path) as holder:
                server.let_go(gate)
                told = process.stderr.readline() + process.stderr.readline()
                holder.free()
            until(lambda: len(rows(store.path)) == 11)
            printed = [process.stdout.readline() for _ in range(11)]
            out, _ = press_twice(process)
        assert b"Another program is writing to the database: waiting for it." in told
        assert all(printed)
        assert out == b""

    def test_a_lock_to_the_end_loses_nothing_and_nothing_is_asked_again(
        self, turnwise, server, judge, many, store, gate
    ):
        line = ["--all", *METRICS, *judge, "--json"]
        with running(["score", *line]) as process:
            until(lambda: len(rows(store.path)) == 1)
            with held(store.path):
                server.let_go(gate)
                process.stderr.readline()
                process.stderr.readline()
                until(lambda: len(server.requests) > 11)
                _, err = press_twice(process)
                assert process.returncode == 130
                assert len(rows(store.path)) == 1
        assert b"is kept as soon as turnwise opens the database again" in err
        server.default = answers_all
        asked = len(server.requests)
        ran = turnwise("score", *line)
        assert sum(row["kept"] for row in ran.rows) == 11
        assert len(server.requests) == asked + 80 - 11
        assert set(Counter(rows(store.path)).values()) == {1}


def test_with_faults_on_the_way_every_unit_ends_as_a_score_or_a_failure_that_says_why(
    turnwise, server, judge, many, store
):
    chance = random.Random(3)

    def faulty(request: Request):
        drawn = chance.random()
        if drawn < 0.1:
            return busy(retry_after_ms="1")
        if drawn < 0.15:
            return says('{"turn_2": {"reason": "cut of')
        return answers_all(request)

    server.default = faulty
    ran = turnwise("score", "--all", *METRICS, *judge, "--json")
    assert len(ran.rows) == 80
    assert {row["outcome"] for row in ran.rows} <= {"score", "failure"}
    assert all(row["reason"] for row in ran.rows)
    assert ran.code == (1 if any(row["outcome"] == "failure" for row in ran.rows) else 0)


def by_session(rows: list[dict]) -> list[dict]:
    return sorted(rows, key=lambda row: row["session"])


def forbid_connections(monkeypatch) -> None:
    def refuse(*given: object) -> None:
        raise AssertionError(f"a connection was opened: {given}")

    monkeypatch.setattr(socket.socket, "connect", refuse)


class TestOffline:
    """What was scored before is scored again by kept replies alone, and nothing is connected to."""

    @pytest.fixture
    def no_connection(self, monkeypatch):
        forbid_connections(monkeypatch)

    @pytest.mark.parametrize("by", ["option", "name"])
    def test_the_scores_are_the_same(self, turnwise, server, sessions, by, monkeypatch):
        server.script(gives("turn", {2: "no"}))
        line = ["score", "--all", "--metric", "role_adherence", "--json"]
        before = turnwise(*line, "--judge", f"{server.url}#m")
        asked = len(server.requests)
        forbid_connections(monkeypatch)
        offline = {
            "option": ["--judge", f"{server.url}#m", "--offline"],
            "name": ["--judge", f"offline:{server.url}#m"],
        }
        again = turnwise(*line, *offline[by], "--again")
        assert again.code == before.code == 1
        assert by_session(again.rows) == by_session(before.rows)
        assert len(server.requests) == asked
        assert again.err.startswith("Judge: m, by its kept replies alone; ")
        # It is the same judge: without --again everything counts as judged.
        assert [row["kept"] for row in turnwise(*line, *offline[by]).rows] == [True] * 4

    def test_questions_are_cut_to_what_the_judge_could_hold_then(self, turnwise, server, store, monkeypatch):
        server.models = [{"id": "m", "object": "model", "max_model_len": 1500}]
        words = "It is a long story about a bag and where it went, told once more. " * 4
        session = keep(store, *(f"{words}{number}" for number in range(40)), chatbot_role="r")
        line = ["score", session, "--metric", "role_adherence", "--json"]
        before = turnwise(*line, "--judge", server.url)
        asked = len(server.requests)
        assert asked > 1
        forbid_connections(monkeypatch)
        again = turnwise(*line, "--judge", f"{server.url}#m", "--offline", "--again")
        assert again.rows == before.rows
        assert again.row["outcome"] == "score"
        assert len(server.requests) == asked

    def test_what_was_never_asked_fails_and_says_what_to_do(
        self, turnwise, server, judge, sessions, no_connection
    ):
        ran = turnwise("score", sessions[0], "--metric", "role_adherence", *judge, "--offline", "--json")
        assert ran.code == 1
        assert ran.row["outcome"] == "failure"
        assert "The judge is offline, and no reply to this question is kept" in ran.row["reason"]
        assert server.requests == []

    def test_none_stays_none(self, turnwise, sessions, no_connection):
        ran = turnwise("score", sessions[0], "--metric", "role_adherence", "--judge", "none", "--offline")
        assert "Judge: none" in ran.err
