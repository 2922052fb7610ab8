"""--offline: what a judge was asked before is answered by its kept replies, whichever command asks."""

from __future__ import annotations

import json
import socket

import pytest
from criterion_sessions import by_words, labelled
from judge_server import JudgeServer, says
from judged import answers_all

RUBRIC = {"type": "llm-rubric", "value": "is polite"}


@pytest.fixture
def server(judge_server_apart: JudgeServer) -> JudgeServer:
    return judge_server_apart


@pytest.fixture
def judge(server: JudgeServer) -> list[str]:
    return ["--judge", f"{server.url}#m"]


@pytest.fixture
def disconnect(monkeypatch):
    """Give what lets every connection fail from then on."""

    def now() -> None:
        def refuse(*given: object) -> None:
            raise AssertionError(f"a connection was opened: {given}")

        monkeypatch.setattr(socket.socket, "connect", refuse)

    return now


@pytest.fixture
def suite(tmp_path):
    path = tmp_path / "suite.json"
    tests = [{"vars": {"q": f"question {place}"}, "assert": [RUBRIC]} for place in range(3)]
    path.write_text(json.dumps({"prompts": ["{{q}}"], "providers": ["echo"], "tests": tests}))
    return path


def test_a_file_of_test_cases_is_checked_again(turnwise, server, judge, suite, disconnect, tmp_path):
    server.script(
        says({"reason": "Rude.", "pass": False, "score": 0.0}),
        *[says({"reason": "Kind.", "pass": True, "score": 1.0})] * 2,
    )
    before = turnwise("run", suite, *judge, "--json")
    assert (before.code, len(server.requests)) == (1, 3)
    # Under another name it is another file, whose cases were never checked.
    other = suite.rename(tmp_path / "other.json")
    disconnect()
    again = turnwise("run", other, *judge, "--offline", "--json")
    assert again.code == 1
    assert "Judge: m, by its kept replies alone" in again.err

    def found(rows):
        return [(check["passed"], check["reason"]) for row in rows for check in row["checks"]]

    assert sorted(found(again.rows)) == sorted(found(before.rows))
    assert len(server.requests) == 3


def test_a_criterion_is_tried_again(turnwise, server, judge, store, disconnect, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    server.default = by_words
    labelled(store, 20)
    file = tmp_path / "polite.yaml"
    file.write_text("name: Polite\ncriteria: Stays polite.\nsteps: [Look for rudeness.]\nthreshold: 0.7\n")
    line = ["criteria", "try", file, *judge, "--json"]
    before = turnwise(*line)
    assert before.code == 0
    disconnect()
    again = turnwise(*line, "--offline")
    assert again.row["matrix"] == before.row["matrix"]
    # With other words it is another question, and nothing is kept of it.
    file.write_text(file.read_text().replace("Look for rudeness", "Look for kindness"))
    changed = turnwise(*line, "--offline")
    assert changed.code == 3
    assert "asked: '1. Look for kindness.'" in changed.err
    assert "kept: '1. Look for rudeness.'" in changed.err


def test_a_judge_is_measured_again(turnwise, server, judge, disconnect, tmp_path):
    server.default = answers_all
    dataset = tmp_path / "rated.jsonl"
    records = [
        {
            "turns": [
                {"role": "user", "content": "When?"},
                {
                    "role": "assistant",
                    "content": f"At ten, {number} times.",
                    "retrieval_context": ["It opens at ten."],
                },
            ],
            "metadata": {"ratings": {"faithfulness": {"ann": number}}},
        }
        for number in range(1, 5)
    ]
    dataset.write_text("".join(json.dumps(record) + "\n" for record in records))
    line = ["bench", "judge", "--dataset", dataset, *judge, "--json"]
    before = turnwise(*line)
    assert before.code == 0
    disconnect()
    assert turnwise(*line, "--offline").rows == before.rows
