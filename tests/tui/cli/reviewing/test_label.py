"""turnwise label: labels without the app, each with author, time and whether it was blind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep, land, score

from turnwise.conversations.store import Store

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def session(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> int:
    """A session of four turns, labelled by mia where nobody else is named."""
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "config"))
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "mia")
    with Store.open(tmp_path / "turnwise.db") as store:
        return keep(store, "one", "two", "three", "four")


def test_a_label_is_kept_with_all_that_was_said(turnwise: Run, session: int) -> None:
    ran = turnwise("label", session, "fail", "--turn", 4, "--note", "asks again")
    assert ran.code == 0
    assert ran.out == "Session 1. Label: fail by mia, turn 4. asks again\n"
    row = turnwise("label", session, "pass", "--author", "ann", "--metric", "politeness", "--json").row
    assert (row["label"], row["author"], row["metric"], row["turn"]) == ("pass", "ann", "politeness", None)
    assert [one["label"] for one in turnwise("show", session, "--json").row["labels"]] == ["fail", "pass"]


def test_a_fail_at_a_turn_of_the_user_means_the_reply_that_follows(turnwise: Run, session: int) -> None:
    ran = turnwise("label", session, "fail", "--turn", 3)
    assert ran.out == "Session 1. Label: fail by mia, turn 4.\n"
    assert "Turn 3 is the user's: the reply that follows, turn 4," in ran.err


def test_it_is_blind_where_there_were_no_scores_to_see_or_where_one_says_so(
    turnwise: Run, session: int, tmp_path: Path
) -> None:
    assert turnwise("label", session, "pass", "--json").row["blind"] is True
    with Store.open(tmp_path / "turnwise.db") as store:
        land(store, session, score(0.9))
    assert turnwise("label", session, "fail", "--json").row["blind"] is False
    assert turnwise("label", session, "pass", "--blind", "--json").row["blind"] is True


def test_undo_goes_back_change_by_change_and_only_through_ones_own(turnwise: Run, session: int) -> None:
    turnwise("label", session, "pass", "--metric", "politeness")
    turnwise("label", session, "defer")
    turnwise("label", session, "fail", "--turn", 2, "--note", "rude")
    turnwise("label", session, "pass", "--author", "ann")
    back = turnwise("label", session, "--undo", "--json").row
    assert (back["label"], back["author"], back["turn"], back["note"]) == ("defer", "mia", None, "")
    assert turnwise("label", session, "--undo", "--json").row["label"] is None
    last = turnwise("label", session, "--undo", "--json").row
    assert (last["label"], last["metric"]) == (None, "politeness")
    ran = turnwise("label", session, "--undo")
    assert ran.code == 2
    assert "mia has nothing to undo on session 1" in ran.err


def test_saying_the_same_again_keeps_what_was_known_of_it(
    turnwise: Run, session: int, tmp_path: Path
) -> None:
    turnwise("label", session, "fail", "--turn", 2, "--note", "rude")
    with Store.open(tmp_path / "turnwise.db") as store:
        land(store, session, score(0.9))
    again = turnwise("label", session, "fail", "--json").row
    assert (again["turn"], again["note"], again["blind"]) == (2, "rude", True)
    passed = turnwise("label", session, "pass", "--json").row
    assert (passed["turn"], passed["note"], passed["blind"]) == (None, "rude", False)


def test_wrong_use_is_told(turnwise: Run, session: int) -> None:
    assert "Say what the session is" in turnwise("label", session).err
    assert "--undo goes alone" in turnwise("label", session, "pass", "--undo").err
    assert "--undo goes alone" in turnwise("label", session, "--undo", "--redo").err
    assert "go with a label" in turnwise("label", session, "--note", "odd", "--turn", 2).err
    assert turnwise("label", session, "maybe").code == 2
    assert turnwise("label", 99, "pass").code == 2
    beyond = turnwise("label", session, "pass", "--turn", 5)
    assert beyond.code == 2
    assert "Its last one is turn 4" in beyond.err


def test_a_metric_is_named_as_for_score(turnwise: Run, session: int) -> None:
    assert turnwise("label", session, "fail", "--metric", "Role-Adherence", "--json").row["metric"] == (
        "role_adherence"
    )
    ran = turnwise("label", session, "fail", "--metric", "role_adherance")
    assert ran.code == 2
    assert "Did you mean role_adherence?" in ran.err
    ran = turnwise("label", session, "fail", "--metric", "Tone of voice")
    assert ran.code == 0
    assert "There is no metric Tone of voice yet" in ran.err


def test_what_was_undone_can_be_done_again(turnwise: Run, session: int) -> None:
    turnwise("label", session, "defer")
    turnwise("label", session, "fail", "--turn", 2, "--note", "rude")
    turnwise("label", session, "--undo")
    turnwise("label", session, "--undo")
    assert turnwise("label", session, "--redo", "--json").row["label"] == "defer"
    again = turnwise("label", session, "--redo", "--json").row
    assert (again["label"], again["turn"], again["note"], again["author"]) == ("fail", 2, "rude", "mia")
    ran = turnwise("label", session, "--redo")
    assert (ran.code, ran.out) == (2, "")
    assert "nothing to redo" in ran.err


def test_a_note_may_stand_without_a_label(turnwise: Run, session: int) -> None:
    alone = turnwise("label", session, "--note", "odd", "--json").row
    assert (alone["label"], alone["note"]) == (None, "odd")
    turnwise("label", session, "fail", "--turn", 2)
    changed = turnwise("label", session, "--note", "odd, and rude", "--json").row
    assert (changed["label"], changed["turn"], changed["note"]) == ("fail", 2, "odd, and rude")


def test_the_history_names_everything_that_was_said_with_author_and_time(turnwise: Run, session: int) -> None:
    assert turnwise("label", session, "--history").err == "Nobody labelled it yet.\n"
    turnwise("label", session, "fail", "--turn", 2, "--note", "rude")
    turnwise("label", session, "--undo")
    turnwise("label", session, "pass", "--author", "ann", "--metric", "politeness")
    head, *lines = turnwise("label", session, "--history").out.splitlines()
    assert head.split() == ["when", "who", "about", "label", "turn", "note"]
    assert [line.split()[2:] for line in lines] == [
        ["mia", "the", "whole", "fail", "2", "blind", "rude"],
        ["mia", "the", "whole", "–"],
        ["ann", "politeness", "pass", "blind"],
    ]
    rows = turnwise("label", session, "--history", "--author", "ann", "--json").rows
    assert [(row["author"], row["label"]) for row in rows] == [("ann", "pass")]
    assert all(row["created_at"] > 0 for row in rows)


def test_who_failed_is_kept_with_a_fail_and_told(turnwise: Run, session: int) -> None:
    ran = turnwise("label", session, "fail", "--at-fault", "tool")
    assert ran.out == "Session 1. Label: fail (the tool failed) by mia.\n"
    assert turnwise("label", session, "fail", "--note", "slow", "--json").row["at_fault"] == "tool"
    assert turnwise("label", session, "pass", "--json").row["at_fault"] is None
    refused = turnwise("label", session, "pass", "--at-fault", "tool")
    assert refused.code == 2
    assert "--at-fault goes with fail" in refused.err


@pytest.mark.parametrize("name", ["labels.csv", "labels.yaml"])
def test_labels_go_into_a_file_and_come_back(turnwise: Run, session: int, tmp_path: Path, name: str) -> None:
    turnwise("label", session, "fail", "--note", "asks again")
    written = turnwise("label", "--to", tmp_path / name, "--json")
    assert written.row["labels"] == 1
    assert turnwise("label", "--to", tmp_path / name).code == 2
    with Store.open(tmp_path / "another.db") as store:
        keep(store, "one", "two", "three", "four")
    taken = turnwise("--db", tmp_path / "another.db", "label", "--from", tmp_path / name)
    assert taken.code == 0
    assert "1 new label of 1 session by mia" in taken.err
    again = turnwise("--db", tmp_path / "another.db", "label", "--from", tmp_path / name, "--json").row
    assert (again["labels"], again["unchanged"], again["refused"]) == (0, 1, 0)


def test_a_set_of_sessions_that_are_not_here_is_refused(turnwise: Run, tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("session,label,author\n77,pass,ada\n")
    ran = turnwise("label", "--from", tmp_path / "set.csv")
    assert ran.code == 2
    assert "there is no session 77 here" in ran.err
    alone = turnwise("label", "--query", "tag:x")
    assert alone.code == 2
    assert "--query goes with --to" in alone.err


def test_a_pass_after_a_fail_says_which_failure_modes_are_left(turnwise: Run, session: int) -> None:
    assert turnwise("modes", "add", "asks again", "It does.").code == 0
    turnwise("label", session, "fail")
    assert turnwise("modes", "assign", "asks again", session).code == 0
    passed = turnwise("label", session, "pass")
    assert f"turnwise modes assign 'asks again' {session} --remove" in passed.err
    assert turnwise("modes", "assign", "asks again", session, "--remove").code == 0
    turnwise("label", session, "fail")
    assert "failure mode" not in turnwise("label", session, "pass").err
