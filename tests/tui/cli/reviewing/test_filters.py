"""turnwise filters: saved filters without the app."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from stored import keep

from turnwise.conversations.store import Store

Run = Callable[..., Any]


def test_a_filter_is_saved_listed_and_removed(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        keep(store, "my bag", "yes", tags=["x"])
    assert "There are no saved filters yet" in turnwise("filters").err
    assert "It finds 1 of your sessions now." in turnwise("filters", "add", "bags", "bag", "tag:x").err
    assert turnwise("filters", "add", "bags", "bag", "--json").row == {
        "name": "bags",
        "query": "bag",
        "new": False,
        "sessions": 1,
    }
    assert "bags  bag" in turnwise("filters").out
    row = turnwise("filters", "--json").row
    assert (row["name"], row["query"]) == ("bags", "bag")
    assert turnwise("filters", "remove", "bags", "--json").row == {"name": "bags", "removed": True}
    assert turnwise("filters", "--json").rows == []


def test_what_means_nothing_is_not_saved(turnwise: Run, tmp_path: Path) -> None:
    with Store.open(tmp_path / "turnwise.db") as store:
        keep(store, "my bag", "yes")
    ran = turnwise("filters", "add", "odd", "rolle:x")
    assert (ran.code, "Did you mean role?" in ran.err) == (2, True)
    assert turnwise("filters", "remove", "odd").code == 2
    assert turnwise("filters", "add", "bags", "bag").code == 0
    assert "Did you mean bags?" in turnwise("filters", "remove", "bag").err
