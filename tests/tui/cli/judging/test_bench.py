"""turnwise bench judge: a file of ratings in, a table of agreements out, replies kept."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from judge_server import JudgeServer, Request, Step
from judged import answers_all

PASSAGE = "The tower opens at ten and closes at five every day"


class _Terminal:
    def isatty(self) -> bool:
        return True


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Six rated conversations: the better carried by the passage, the better rated."""
    words = PASSAGE.split()
    records = []
    for carried in range(1, 7):
        reply = " ".join([*words[:carried], *(["zebra"] * (6 - carried))])
        records.append(
            {
                "turns": [
                    {"role": "user", "content": "When?"},
                    {"role": "assistant", "content": reply, "retrieval_context": [PASSAGE]},
                ],
                "metadata": {"ratings": {"faithfulness": {"ann": carried, "ben": carried}}},
            }
        )
    path = tmp_path / "rated.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_without_a_judge_the_checks_are_compared(turnwise, dataset):
    ran = turnwise("bench", "judge", "--dataset", dataset, "--judge", "none", "--json")
    assert ran.code == 0
    assert ran.row["metric"] == "knowledge_precision"
    assert (ran.row["rating"], ran.row["statistic"], ran.row["pairs"]) == ("faithfulness", "spearman", 6)
    assert ran.row["value"] > 0.9
    assert "Judge: none; 6 of 6 cases" in ran.err


def test_a_judge_is_compared_beside_and_its_replies_serve_again(
    turnwise, dataset, judge_server_apart: JudgeServer
):
    judge_server_apart.default = answers_all
    command = ("bench", "judge", "--dataset", dataset, "--judge", f"{judge_server_apart.url}#m", "--json")
    first = turnwise(*command)
    assert first.code == 0
    assert [row["metric"] for row in first.rows if row["judge"] == "m"] == [
        "knowledge_precision + faithfulness",
        "faithfulness",
    ]
    asked = len(judge_server_apart.requests)
    assert turnwise(*command).rows == first.rows
    assert len(judge_server_apart.requests) == asked


def test_replies_are_kept_before_the_first_conversation_is_done(
    turnwise, dataset, judge_server_apart: JudgeServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("turnwise.tui.cli.judging.bench.SECONDS_BETWEEN_WRITES", 0.01)
    kept: list[int] = []

    def count_kept(request: Request) -> Step:
        until = time.monotonic() + 5
        while len(judge_server_apart.requests) > 1 and time.monotonic() < until:
            with closing(sqlite3.connect(tmp_path / "turnwise.db")) as database, database:
                [found] = database.execute("SELECT count(*) FROM calls").fetchone()
            database.close()
            if found:
                kept.append(found)
                break
            time.sleep(0.01)
        return answers_all(request)

    judge_server_apart.default = count_kept
    turnwise("bench", "judge", "--dataset", dataset, "--judge", f"{judge_server_apart.url}#m", "--sample", 5)
    assert kept


def test_the_rating_stands_over_its_table(turnwise, dataset):
    ran = turnwise("bench", "judge", "--dataset", dataset, "--judge", "none", "--sample", 5)
    lines = ran.out.splitlines()
    assert lines[0] == "faithfulness, by rank correlation (Spearman)"
    assert lines[1].split()[:3] == ["metric", "judge", "value"]
    assert "5 of 6 cases" in ran.err


@pytest.mark.parametrize("model", ["m", "qwen2.5-coder-1.5b-instruct-q4_k_m"])
def test_the_table_fits_a_terminal_with_every_figure_in_it(
    turnwise, dataset, judge_server_apart: JudgeServer, monkeypatch: pytest.MonkeyPatch, model: str
):
    monkeypatch.setattr("turnwise.tui.cli.judging.bench.sys", SimpleNamespace(stdout=_Terminal()))
    monkeypatch.setenv("COLUMNS", "80")
    judge_server_apart.default = answers_all
    ran = turnwise("bench", "judge", "--dataset", dataset, "--judge", f"{judge_server_apart.url}#{model}")
    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  knowledge_precision") and line.endswith("1.00      6") for line in lines)
    assert any(f"  {model[:9]}" in line for line in lines), "which judge it was can be told"
    assert model in ran.err


def test_where_every_metric_needs_a_judge_the_error_says_what_to_do(turnwise, dataset):
    ran = turnwise("bench", "judge", "--dataset", dataset, "--judge", "none", "--metric", "faithfulness")
    assert ran.code == 2
    assert "Name a judge with --judge" in ran.err


def test_a_file_without_ratings_is_refused(turnwise, tmp_path):
    path = tmp_path / "plain.jsonl"
    path.write_text('{"messages": [{"role": "user", "content": "a"}]}\n')
    ran = turnwise("bench", "judge", "--dataset", path)
    assert ran.code == 2
    assert "plain.jsonl holds no ratings" in ran.err
