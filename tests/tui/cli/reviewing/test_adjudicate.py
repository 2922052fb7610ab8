"""turnwise adjudicate: what people see differently is listed without names, and settled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep

from turnwise.conversations.store import Store

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def session(tmp_path: Path) -> int:
    """A session on which ada and ben differ."""
    with Store.open(tmp_path / "turnwise.db") as store:
        session = keep(store, "where is it", "in Oslo")
        store.labels.add(session, "pass", author="ada", blind=True)
        store.labels.add(session, "fail", author="ben", blind=True, turn=2, note="not in Oslo")
        return session


def test_it_is_listed_read_and_settled_without_names(turnwise: Run, session: int) -> None:
    listed = turnwise("adjudicate")
    assert "1 pass, 1 fail" in listed.out
    shown = turnwise("adjudicate", session)
    assert shown.out == "One person says fail at turn 2: not in Oslo\nOne person says pass\n"
    for said in (listed, shown):
        assert "ada" not in said.out
        assert "ben" not in said.out
    settled = turnwise("adjudicate", session, "fail", "--turn", 2, "--at-fault", "tool", "--author", "cem")
    assert settled.out == "Session 1: fail, as cem settled it.\n"
    assert turnwise("adjudicate").out == ""
    assert "fail (the tool failed), where people differed" in turnwise("show", session).out
    assert turnwise("adjudicate", session, "--undo", "--author", "cem").out == "Session 1 is open again.\n"
    assert [row["session"] for row in turnwise("adjudicate", "--json").rows] == [session]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((1, "pass", "--turn", 2), "go with fail"),
        ((1, "--note", "why"), "--note with pass or fail"),
        ((1, "pass", "--undo"), "--undo goes with a session alone"),
        ((1, "--undo", "--metric", "role_adherence"), "--undo goes with a session alone"),
        ((1, "--author", "cem"), "--author goes with"),
        (("--author", "cem"), "--author goes with"),
        ((1, "fail", "--turn", 9), "has no turn 9"),
        ((1, "--query", "tag:x"), "--query is for the list"),
    ],
)
def test_what_means_nothing_is_refused(turnwise: Run, arguments: tuple[Any, ...], words: str) -> None:
    ran = turnwise("adjudicate", *arguments)
    assert ran.code == 2
    assert words in ran.err


def test_what_it_is_about_can_be_read_without_who_said_what(turnwise: Run, session: int) -> None:
    assert f"turnwise show {session} --blind" in turnwise("adjudicate", session).err
    shown = turnwise("show", session, "--blind")
    assert "in Oslo" in shown.out
    assert "Label" not in shown.out
    row = turnwise("show", session, "--blind", "--json").row
    assert "labels" not in row
    assert "scores" not in row
    assert "Label" in turnwise("show", session).out


def test_a_turn_of_the_user_means_the_reply_that_follows(turnwise: Run, session: int) -> None:
    ran = turnwise("adjudicate", session, "fail", "--turn", 1, "--author", "cem")
    assert "the reply that follows, turn 2" in ran.err
    assert turnwise("label", session, "--history", "--author", "cem", "--json").rows[-1]["turn"] == 2


def test_metrics_are_named_as_anywhere(turnwise: Run, session: int) -> None:
    turnwise("label", session, "pass", "--metric", "Role Adherence", "--author", "ada")
    turnwise("label", session, "fail", "--metric", "role-adherence", "--author", "ben")
    assert turnwise("adjudicate", "--metric", "Role adherence", "--json").row["metric"] == "role_adherence"
    slip = turnwise("adjudicate", "--metric", "role_adherance")
    assert slip.code == 2
    assert "Did you mean role_adherence?" in slip.err
    unknown = turnwise("adjudicate", session, "fail", "--metric", "purple")
    assert unknown.code == 2
    assert "There is no metric purple, and no label is about it" in unknown.err


def test_where_nobody_differs_nothing_is_settled(turnwise: Run, session: int, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        other = keep(store, "who is it", "Ola")
    refused = turnwise("adjudicate", other, "pass")
    assert refused.code == 2
    assert f"There is nothing to settle of session {other}" in refused.err
    assert "Nobody labelled it yet." in refused.err
    turnwise("label", other, "pass", "--author", "ada")
    assert "Everybody who labelled it says pass." in turnwise("adjudicate", other, "fail").err
    assert turnwise("label", other, "--history", "--json").rows[-1]["adjudicates"] is False
    # Another word about what is settled already stays possible.
    assert turnwise("adjudicate", session, "fail").code == 0
    assert turnwise("adjudicate", session, "pass").code == 0
