"""turnwise people: those who label side by side, in plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from stored import keep

from turnwise.conversations.store import Store

Run = Callable[..., Any]


def test_drift_is_said_in_plain_words(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        for number in range(40):
            session = keep(store, f"talk {number}")
            store.labels.add(session, "pass" if number >= 20 else "fail", author="ada", blind=True)
            store.labels.add(session, "fail", author="ben", blind=True)
    ran = turnwise("people")
    assert "40 labels, passed 50 % (34 to 66 %)" in ran.out
    assert "says what the others say of 20 of 40 shared sessions: 50 % (34 to 66 %)" in ran.out
    assert "passes 100 points more than at first," in ran.out
    assert "beside what others say\n" in ran.out
    assert "passes 100 points less than at first," in ran.out
    assert "which of them drifted" in ran.err
    row = turnwise("people", "--json").row
    assert [(one["author"], one["drift"]["sure"]) for one in row["people"]] == [("ada", True), ("ben", True)]


def test_too_few_say_how_many_more(turnwise: Run, tmp_path: Path) -> None:
    assert "Nobody labelled" in turnwise("people").err
    with Store.open(tmp_path / "turnwise.db") as store:
        for number in range(3):
            store.labels.add(keep(store, f"talk {number}"), "pass", author="ada", blind=True)
    out = turnwise("people").out
    assert "3 labels, passed 100 % (too few labels: 1 more needed)" in out
    assert "nobody else labelled the same sessions" in out
    assert "too few labels to tell a drift: needs 20 more sessions that others labelled too" in out
    assert turnwise("people", "--metric", "rudeness").code == 2


def test_a_metric_that_nobody_knows_is_told_with_those_there_are(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        for metric in ("politeness", "accuracy"):
            store.labels.add(keep(store, metric), "pass", author="ada", blind=True, metric=metric)
    unknown = turnwise("people", "--metric", "speed")
    assert unknown.code == 2
    assert "There are scores or labels of: accuracy, politeness" in unknown.err
    assert "Did you mean politeness?" in turnwise("people", "--metric", "pollitenes").err
