"""`turnwise goldens from`: drafts out of sessions, which `simulate` plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from judge_server import JudgeServer, refuses, says

from turnwise.conversations.scenarios import load_scenarios

CHATS = [
    {
        "name": "Sunday",
        "chatbot_role": "A pool's desk",
        "turns": [
            {"role": "user", "content": "Is the pool open on Sunday?"},
            {"role": "assistant", "content": "Yes."},
        ],
    },
    {
        "scenario": "A refund",
        "user_description": "Noor",
        "expected_outcome": "It is refunded",
        "turns": [{"role": "user", "content": "My money back"}, {"role": "assistant", "content": "No."}],
    },
]
DRAFT = {
    "scenario": "A visitor asks for Sunday's hours.",
    "persona": "A visitor",
    "goal": "Learn whether it is open",
    "manner": "Short",
    "facts": ["It is for Sunday."],
    "expected_outcome": "The hours are told",
}


@pytest.fixture
def imported(turnwise: Any, tmp_path: Path) -> list[int]:
    """Two sessions."""
    (tmp_path / "chats.json").write_text(json.dumps(CHATS))
    row = turnwise("import", tmp_path / "chats.json", "--json").row
    sessions: list[int] = row["sessions"]
    return sessions


def test_a_judge_drafts_scenario_persona_and_outcome(
    turnwise: Any, imported: list[int], judge_server_apart: JudgeServer, tmp_path: Path
) -> None:
    judge_server_apart.default = says(DRAFT)
    out = tmp_path / "g.yaml"
    ran = turnwise("goldens", "from", *imported, "--out", out, "--judge", f"{judge_server_apart.url}#j")
    assert ran.code == 0
    text = out.read_text()
    assert f"# Drafted by j. Edit it before it is played. From session {imported[0]}." in text
    sunday, refund = load_scenarios(out).scenarios
    assert (sunday.situation, sunday.goal, sunday.persona) == (
        "A visitor asks for Sunday's hours.",
        "Learn whether it is open",
        "A visitor",
    )
    assert sunday.about["metadata"] == {"golden_from": imported[0]}
    # What somebody wrote of the session goes before what a judge thinks of it.
    assert (sunday.expected_outcome, refund.expected_outcome) == ("The hours are told", "It is refunded")
    # Both are asked at once, so either may come first.
    assert any("Is the pool open on Sunday?" in request.text for request in judge_server_apart.requests)
    asked = len(judge_server_apart.requests)
    again = turnwise(
        "goldens", "from", *imported, "--out", tmp_path / "h.yaml", "--judge", f"{judge_server_apart.url}#j"
    )
    assert again.code == 0
    assert len(judge_server_apart.requests) == asked
    assert (tmp_path / "h.yaml").read_text() == text


def test_without_a_judge_known_words_stand_there_marked_as_a_draft(
    turnwise: Any, imported: list[int], tmp_path: Path
) -> None:
    out = tmp_path / "g.yaml"
    ran = turnwise("goldens", "from", "--all", "--out", out, "--judge", "none", "--json")
    assert ran.code == 0
    assert {row["session"] for row in ran.rows} == set(imported)
    assert out.read_text().count("# Drafted without a judge") == 2
    by_name = {one.name: one for one in load_scenarios(out).scenarios}
    sunday, refund = by_name.pop("Sunday"), *by_name.values()
    assert (sunday.begin, sunday.goal, sunday.role) == (
        "Is the pool open on Sunday?",
        "Is the pool open on Sunday?",
        "A pool's desk",
    )
    assert (refund.persona, refund.expected_outcome) == ("Noor", "It is refunded")


@pytest.mark.parametrize("suffix", ["json", "jsonl", "csv"])
def test_they_are_written_as_goldens_of_deepeval_too(
    turnwise: Any, imported: list[int], tmp_path: Path, suffix: str
) -> None:
    out = tmp_path / f"g.{suffix}"
    assert turnwise("goldens", "from", imported[1], "--out", out, "--judge", "none").code == 0
    [refund] = load_scenarios(out).scenarios
    assert (refund.situation, refund.persona) == ("A refund", "Noor")
    assert refund.about["comments"].startswith("Drafted without a judge")


def test_a_judge_that_refuses_leaves_a_draft_of_what_is_known(
    turnwise: Any, imported: list[int], judge_server_apart: JudgeServer, tmp_path: Path
) -> None:
    judge_server_apart.default = refuses(400, "too long")
    out = tmp_path / "g.yaml"
    ran = turnwise("goldens", "from", imported[0], "--out", out, "--judge", f"{judge_server_apart.url}#j")
    assert ran.code == 1
    assert "what is known of it stands there" in ran.err
    assert load_scenarios(out).scenarios[0].begin == "Is the pool open on Sunday?"


def test_a_file_that_somebody_edited_is_not_written_over(
    turnwise: Any, imported: list[int], tmp_path: Path
) -> None:
    out = tmp_path / "g.yaml"
    out.write_text("mine")
    ran = turnwise("goldens", "from", imported[0], "--out", out, "--judge", "none")
    assert (ran.code, out.read_text()) == (2, "mine")
    assert turnwise("goldens", "from", imported[0], "--out", tmp_path / "g.txt").code == 2
