"""turnwise queue: queues of sessions to review, without the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored import keep, land, score

from turnwise.conversations.store import Store

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _library(tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        for number in range(5):
            session = keep(store, f"number {number}", "yes", tags=["x"] if number else [])
            land(store, session, score(number / 10))


def test_a_queue_is_made_followed_and_taken_up_again(turnwise: Run) -> None:
    made = turnwise(
        "queue", "new", "worst", "--sample", "failures", "--size", 3, "--seed", 7, "tag:x", "--json"
    ).row
    assert (made["count"], made["done"], made["settings"]) == (3, 0, {"size": 3, "query": "tag:x", "seed": 7})
    assert [row["session"] for row in turnwise("queue", "show", "worst", "--json").rows] == [2, 3, 4]
    assert turnwise("queue", "next", "worst").out == "2\n"
    turnwise("label", 2, "pass")
    after = turnwise("queue", "next", "worst", "--json").row
    assert (after["session"], after["place"], after["done"]) == (3, 2, 1)
    assert "worst  failures     1   3  tag:x" in turnwise("queue", "list").out
    assert "✓" in turnwise("queue", "show", str(made["id"])).out
    turnwise("label", 3, "defer")
    assert turnwise("queue", "next", "worst").out == "4\n"
    turnwise("label", 4, "fail")
    # What was put off is not done, and comes last.
    put_off = turnwise("queue", "next", "worst", "--json").row
    assert (put_off["session"], put_off["done"], put_off["put_off"]) == (3, 2, 1)
    assert "2 of 3 done, 1 put off" in turnwise("queue", "show", "worst").err
    turnwise("label", 3, "fail")
    ended = turnwise("queue", "next", "worst")
    assert (ended.code, ended.out, "all 3 are done" in ended.err) == (1, "", True)


def test_a_seed_takes_the_same_sessions(turnwise: Run) -> None:
    for name in ("one", "two"):
        turnwise("queue", "new", name, "--seed", 5, "--size", 2)
    first, second = (turnwise("queue", "show", name, "--json").rows for name in ("one", "two"))
    assert first == second


@pytest.mark.parametrize("sample", ["random", "failures", "uncertain", "tags", "unlabelled"])
def test_every_sampler_makes_a_queue(turnwise: Run, sample: str) -> None:
    ran = turnwise("queue", "new", "q", "--sample", sample)
    assert (ran.code, "Queue q: 0 of 5 done." in ran.err) == (0, True)


def test_what_cannot_be_is_told(turnwise: Run) -> None:
    assert "There are no queues yet" in turnwise("queue", "list").err
    assert turnwise("queue", "next", "none").code == 2
    assert turnwise("queue", "new", "q", "no such words").code == 2
    turnwise("queue", "new", "tuesday")
    assert "Did you mean tuesday?" in turnwise("queue", "next", "tusday").err
    turnwise("queue", "remove", "tuesday")
    turnwise("queue", "new", "q")
    assert "There is a queue q already" in turnwise("queue", "new", "q").err
    assert turnwise("queue", "remove", "q", "--json").row == {"name": "q", "removed": True}
    assert turnwise("queue", "list", "--json").rows == []


def test_as_many_of_each_group_are_taken(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        rare = keep(store, "rare", "yes", metadata={"language": "es"}, tags=["x"])
        land(store, rare, score(0.9))
        for number in range(20):
            common = keep(store, f"en {number}", "yes", metadata={"language": "en"}, tags=["x"])
            land(store, common, score(number / 100))
    made = turnwise(
        *("queue", "new", "each", "--sample", "failures", "--by", "meta.language", "--size", 3, "--json")
    ).row
    assert made["settings"]["by"] == "meta.language"
    first = [row["session"] for row in turnwise("queue", "show", "each", "--json").rows]
    assert rare in first
    assert len(first) == 3
    told = turnwise("queue", "new", "none", "--by", "zzz")
    assert told.code == 2
    assert "not grouped by zzz" in told.err


def test_two_people_share_a_queue(turnwise: Run) -> None:
    made = turnwise("queue", "new", "both", "--for", "ada", "--for", "ben", "--each", 1, "--json").row
    assert made["people"] == [
        {"author": "ada", "count": 3, "done": 0},
        {"author": "ben", "count": 2, "done": 0},
    ]
    first = turnwise("queue", "next", "both", "--author", "ben", "--json").row["session"]
    turnwise("label", first, "pass", "--author", "ben")
    second = turnwise("queue", "next", "both", "--author", "ben", "--json").row["session"]
    assert second != first
    turnwise("label", second, "pass", "--author", "ben")
    done = turnwise("queue", "next", "both", "--author", "ben")
    assert done.code == 1
    assert "all 2 of ben are done" in done.err
    stranger = turnwise("queue", "next", "both", "--author", "cem")
    assert stranger.code == 2
    assert "cem is to label nothing of both" in stranger.err
    few = turnwise("queue", "new", "more", "--for", "ada", "--each", 2)
    assert few.code == 2
    assert "Each session is to be labelled by 2 people, and 1 is named" in few.err


def test_whom_to_label_next_is_drawn_and_the_rate_is_told_at_any_time(turnwise: Run) -> None:
    made = turnwise("queue", "new", "rate", "--sample", "next", "--metric", "politeness", "--seed", 1)
    assert "of 5 sessions, by their scores of politeness" in made.err
    assert "no label yet; about 5 more labels for ±5" in made.err
    for left in (4, 3, 2, 1):
        session = turnwise("queue", "next", "rate").out.strip()
        turnwise("label", session, "pass" if left % 2 else "fail")
        assert turnwise("queue", "list", "--json").rows[0]["rate"]["labels"] == 5 - left
    shown = turnwise("queue", "show", "rate").err
    assert "at any time you look; about one more label for ±5" in shown
    rows = turnwise("queue", "show", "rate", "--json").rows
    assert all(0 < row["chance"] <= 1 for row in rows)
    turnwise("label", turnwise("queue", "next", "rate").out.strip(), "pass")
    ended = turnwise("queue", "next", "rate")
    assert ended.code == 1
    assert "pass rate by people 60 %, 60 to 60 % at any time you look; ±5 is reached" in ended.err


def test_options_of_whom_to_label_next_are_refused_elsewhere(turnwise: Run) -> None:
    told = turnwise("queue", "new", "some", "--within", 5)
    assert told.code == 2
    assert "--within is for --sample next" in told.err
    assert turnwise("queue", "new", "some", "--sample", "next", "--for", "ann").code == 2
