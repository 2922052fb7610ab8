"""turnwise criteria improve: proposals with what each does, what was accepted, and the last test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from criterion_sessions import labelled
from judge_server import JudgeServer, Request, Step, says

from turnwise.conversations.store import Store

LENIENT = "name: Polite\ncriteria: Stays polite.\nsteps: [Be lenient.]\n"
LINE = "A word that belittles somebody fails the reply."


def by_guidelines(request: Request) -> Step:
    """Pass everything, until the guideline is there: then what is rude fails."""
    if "settles one kind of case" in request.text:
        return says({"guidelines": [LINE], "criteria": "Stays polite."})
    rude = LINE in request.text and "nuisance" in request.text
    return says({"reason": "It is rude." if rude else "It is kind.", "turns": [], "score": 2 if rude else 9})


@pytest.fixture(autouse=True)
def polite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, store: Store) -> Path:
    labelled(store, 80)
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "polite.yaml"
    path.write_text(LENIENT)
    return path


@pytest.fixture
def judge(judge_server_apart: JudgeServer) -> list[str]:
    judge_server_apart.default = by_guidelines
    return ["--judge", f"{judge_server_apart.url}#m"]


def test_what_helps_is_told_accepted_tested_and_written(turnwise: Any, judge: Any, polite: Path) -> None:
    ran = turnwise("criteria", "improve", polite, *judge, "--accept", "helpful", "--write", "--test", "--yes")
    assert ran.code == 0
    assert "Polite on dev: judge and people agree on 16 of 32." in ran.out
    assert f"guideline: {LINE}" in ran.out
    assert "kappa 0.00 -> 1.00" in ran.out
    assert LINE in polite.read_text()
    assert polite.read_text().startswith(LENIENT[:20])
    listed = turnwise("criteria", "--json").rows[0]
    assert len(listed["versions"]) > 1
    again = turnwise("criteria", "improve", polite, *judge, "--json")
    assert again.code == 1
    assert again.row["proposals"] == []


def test_without_a_word_the_file_stays_as_it_is(turnwise: Any, judge: Any, polite: Path) -> None:
    ran = turnwise("criteria", "improve", polite, *judge, "--json")
    assert ran.code == 0
    assert ran.row["accepted"] is None
    assert [one["kind"] for one in ran.row["proposals"] if one["helps"]] == ["guideline"]
    assert polite.read_text() == LENIENT


def test_the_test_split_is_not_spent_without_a_word(turnwise: Any, judge: Any, polite: Path) -> None:
    ran = turnwise("criteria", "improve", polite, *judge, "--accept", "helpful", "--test")
    assert ran.code == 2
    assert "Add --yes" in ran.err


def test_where_nothing_is_accepted_it_says_that_the_test_split_is_not_used(
    turnwise: Any, judge: Any, polite: Path
) -> None:
    ran = turnwise("criteria", "improve", polite, *judge, "--accept", "none", "--test", "--yes")
    assert "Nothing was accepted, so there is nothing to test" in ran.err


@pytest.mark.parametrize("command", ["improve", "locate", "try"])
def test_a_file_that_is_not_there_is_told_with_the_nearest(turnwise: Any, polite: Path, command: str) -> None:
    near = turnwise("criteria", command, "polit.yaml")
    assert near.code == 2
    assert "Did you mean polite.yaml?" in near.err
    assert "Name a YAML file that says at least name and criteria" in turnwise("criteria", command, "x").err
