"""turnwise forget: sessions leave the database, after a question."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from stored import keep, land, score


@pytest.fixture
def sessions(store):
    ids = [keep(store, f"invoice {number}", "paid", source="wrong.jsonl") for number in range(3)]
    ids.append(keep(store, "hello", "hello"))
    land(store, ids[0], score(0.2))
    store.labels.add(ids[0], "fail", author="ann", blind=True)
    return ids


def test_it_says_what_would_go_and_takes_no_silence_for_a_yes(turnwise, sessions):
    refused = turnwise("forget", "source:wrong.jsonl")
    assert refused.code == 2
    assert "3 sessions with 1 label and 1 score would be forgotten, and cannot be brought back" in refused.err
    assert "Add --yes" in refused.err
    assert len(turnwise("sessions", "--json").rows) == 4


def test_sessions_are_forgotten_by_number_by_query_or_all(turnwise, sessions):
    told = turnwise("forget", sessions[0], "--yes")
    assert told.err == "Forgotten: 1 session with 1 label and 1 score.\n"
    assert turnwise("show", sessions[0]).code == 2
    row = turnwise("forget", "source:wrong.jsonl", "--yes", "--json").row
    assert row == {"sessions": 2, "scores": 0, "labels": 0, "failure_modes": 0, "preferences": 0}
    assert turnwise("forget", "--all", "--yes").err == "Forgotten: 1 session with no score and no label.\n"
    assert turnwise("sessions", "--json").rows == []


def test_its_help_says_what_the_app_can_bring_back(turnwise):
    said = " ".join(turnwise("forget", "--help").out.split())
    assert "cannot be brought back: only the app brings back what it forgot itself" in said


def test_what_cannot_be_is_told(turnwise, sessions):
    assert "Say which sessions" in turnwise("forget", "--yes").err
    assert "There is no session 99" in turnwise("forget", 99, "--yes").err
    assert "No session matches" in turnwise("forget", "no such words", "--yes").err
    assert len(turnwise("sessions", "--json").rows) == 4


def test_a_session_that_was_exported_comes_back_with_what_was_said_of_it(turnwise, sessions, tmp_path):
    kept = tmp_path / "kept.jsonl"
    turnwise("export", sessions[0], "--to", "jsonl", "--output", kept)
    turnwise("forget", sessions[0], "--yes")
    turnwise("import", kept)
    (found,) = turnwise("sessions", "invoice 0", "--json").rows
    assert found["label"] == "fail"
    assert found["id"] > max(sessions)


class _Keyboard(io.StringIO):
    """Standard input at which somebody types."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("typed", "left", "code"), [("n\n", 4, 1), ("\n", 4, 1), ("y\n", 3, 0)])
def test_who_is_asked_decides(turnwise, sessions, monkeypatch, typed: str, left: int, code: int):
    monkeypatch.setattr("sys.stdin", _Keyboard(typed))
    told = turnwise("forget", sessions[0])
    assert "Forget them? [y/N]" in told.err
    assert ("Nothing was changed." in told.err) is (code == 1)
    assert told.code == code
    assert len(turnwise("sessions", "--json").rows) == left


def imported(turnwise, path: Path, *texts: str) -> None:
    """Import a file of conversations with these first words."""
    cases = [
        {"turns": [{"role": "user", "content": text}, {"role": "assistant", "content": "Yes."}]}
        for text in texts
    ]
    path.write_text(json.dumps(cases))
    assert turnwise("import", path).code == 0


def test_the_last_import_is_taken_back(turnwise, sessions, store, tmp_path):
    imported(turnwise, tmp_path / "mistaken.json", "a", "b", "c")
    first, _, last = (row["id"] for row in turnwise("sessions", "source:mistaken.json", "--json").rows)
    store.labels.add(first, "fail", author="ann", blind=True)
    refused = turnwise("forget", "--last-import")
    assert refused.code == 2
    assert (
        "2 sessions with no score and no label would be forgotten, of mistaken.json, imported" in refused.err
    )
    assert "1 stays: 1 labelled since." in refused.err
    assert last in store.sessions
    told = turnwise("forget", "--last-import", "--yes")
    assert told.err == "Taken back: 2 sessions of mistaken.json. 1 stays: 1 labelled since.\n"
    assert {row["id"] for row in turnwise("sessions", "--json").rows} == {first, *sessions}
    # What is left of it was labelled: who means that too names it.
    nothing = turnwise("forget", "--last-import", "--yes")
    assert nothing.code == 2
    assert "Nothing of mistaken.json was left to take back. 1 stays: 1 labelled since" in nothing.err
    assert "`turnwise forget` takes any out by number" in nothing.err


def test_taking_an_import_back_is_told_as_json(turnwise, sessions, store, tmp_path):
    imported(turnwise, tmp_path / "mistaken.json", "a", "b")
    imported(turnwise, tmp_path / "more.json", "b", "c", "d")
    store.tags.change([max(store.sessions.ids())], give=["mine"])
    assert turnwise("forget", "--last-import", "--yes", "--json").row == {
        "sessions": 1,
        "scores": 0,
        "labels": 0,
        "failure_modes": 0,
        "preferences": 0,
        "kept": {"tagged": 1},
        "there_before": 1,
        "roles": 0,
        "roles_kept": 0,
    }


def test_an_import_that_only_gave_a_role_is_taken_back(turnwise, store, tmp_path):
    imported(turnwise, tmp_path / "talks.json", "a", "b")
    assert turnwise("import", tmp_path / "talks.json", "--role", "A clerk").code == 0
    assert {row["chatbot_role"] for row in turnwise("sessions", "--json").rows} == {"A clerk"}
    refused = turnwise("forget", "--last-import")
    assert "the chatbot's role of 2 sessions would go, of talks.json, imported" in refused.err
    told = turnwise("forget", "--last-import", "--yes")
    said = "Taken back: the chatbot's role of 2 sessions of talks.json. 2 stay: 2 there before.\n"
    assert told.err == said
    rows = turnwise("sessions", "--json").rows
    assert [row["chatbot_role"] for row in rows] == [None, None]
    assert "was left to take back" in turnwise("forget", "--last-import", "--yes").err


def test_an_import_is_taken_back_by_itself_and_only_where_there_was_one(turnwise, sessions):
    assert "No import is known that could be taken back" in turnwise("forget", "--last-import", "--yes").err
    for words in (["--all"], ["source:wrong.jsonl"]):
        ran = turnwise("forget", "--last-import", *words, "--yes")
        assert ran.code == 2
        assert "--last-import goes without a query and --all" in ran.err
    assert len(turnwise("sessions", "--json").rows) == 4
