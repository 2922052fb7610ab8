"""turnwise pairs: two sides without names, what is said of them, and the groups at the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep

from turnwise.conversations.store import Store

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def sessions(tmp_path: Path) -> None:
    """Five questions, each answered well by "secret-good" and badly by "secret-bad"."""
    with Store.open(tmp_path / "turnwise.db") as store:
        for number in range(5):
            for bot, answer in (("secret-good", "Well done."), ("secret-bad", "Badly \x1b[31mdone.")):
                keep(store, f"Question {number}?", answer, additional_metadata={"bot": bot})


def test_pairs_are_made_read_said_and_shown(turnwise: Run) -> None:
    made = turnwise("pairs", "new", "bots", "--by", "meta.bot", "--seed", 1)
    assert made.err == "5 pairs. The first: turnwise pairs next bots\n"
    for place in range(1, 6):
        read = turnwise("pairs", "next", "bots", "--author", "ada")
        assert "── left ──" in read.out
        assert "secret" not in read.out + read.err
        assert "\x1b" not in read.out
        row = turnwise("pairs", "next", "bots", "--author", "ada", "--json").row
        assert row["place"] == place
        better = "left" if row["left"][1]["content"] == "Well done." else "right"
        said = turnwise("pairs", "say", "bots", place, better, "--note", "clear", "--author", "ada")
        assert said.out == f"Pair {place}: {better}, as ada sees it.\n"
    assert turnwise("pairs", "next", "bots", "--author", "ada").code == 1
    shown = turnwise("pairs", "show", "bots").out.splitlines()
    assert shown[1].split()[:4] == ["secret-good", "5", "0", "0"]
    assert shown[2].split()[:4] == ["secret-bad", "0", "0", "5"]
    assert "ada preferred the left in" in shown[3]
    assert "no lean to a side that is sure" in shown[3]
    data = turnwise("pairs", "show", "bots", "--json").row
    assert [one["group"] for one in data["groups"]] == ["secret-good", "secret-bad"]
    assert turnwise("pairs", "list", "--json").row["by"] == "meta.bot"


def test_what_was_said_is_taken_back(turnwise: Run) -> None:
    turnwise("pairs", "new", "bots", "--by", "meta.bot")
    turnwise("pairs", "say", "bots", 1, "tie", "--author", "ada")
    assert "needs 3 more pairs" in turnwise("pairs", "show", "bots").out
    assert turnwise("pairs", "say", "bots", 1, "--undo", "--author", "ada").out == "Pair 1: taken back.\n"
    assert "Nobody said anything yet" in turnwise("pairs", "show", "bots").err
    assert "turnwise pairs say bots 1 left" in turnwise("pairs", "say", "bots", 1).err


def test_there_is_nothing_to_list_at_first(turnwise: Run) -> None:
    assert "turnwise pairs new NAME" in turnwise("pairs", "list").err
    assert turnwise("pairs", "show", "none").code != 0


def test_pairs_are_forgotten_and_their_sessions_stay(turnwise: Run) -> None:
    turnwise("pairs", "new", "bots", "--by", "meta.bot")
    assert turnwise("pairs", "remove", "bots").err == "Removed: bots. Its sessions stay.\n"
    assert turnwise("pairs", "list", "--json").out == ""
    assert len(turnwise("sessions", "--json").out.splitlines()) == 10
    assert "There are no pairs bots" in turnwise("pairs", "remove", "bots").err


def test_what_people_said_is_forgotten_only_where_that_is_meant(turnwise: Run) -> None:
    turnwise("pairs", "new", "bots", "--by", "meta.bot")
    turnwise("pairs", "say", "bots", 1, "tie", "--author", "ada")
    refused = turnwise("pairs", "remove", "bots")
    assert refused.code == 2
    assert "1 preference of bots would be forgotten" in refused.err
    assert "Add --yes" in refused.err
    row = turnwise("pairs", "remove", "bots", "--yes", "--json").row
    assert row == {"name": "bots", "removed": True, "preferences": 1}
