"""Columns go as room goes, and every cell says in a few letters what it means."""

from __future__ import annotations

from itertools import pairwise

import pytest

from turnwise.conversations.store.rows import Mark
from turnwise.tui.widgets.session_columns import abbreviations, ago, columns_for, mark_sign

NOW = 1_700_000_000.0
METRICS = ("role_adherence", "knowledge_retention")


@pytest.mark.parametrize(
    ("width", "gone"),
    [(140, set()), (99, {"tags"}), (66, {"tags", "when"}), (50, {"tags", "when", "role"})],
)
def test_columns_go_as_room_goes(width: int, gone: set[str]) -> None:
    columns = columns_for(width, METRICS)
    kinds = {"label", "name", "role", "turns", "tags", "when"} - {column.kind for column in columns}
    assert kinds == gone
    assert columns[-1].end <= width
    assert all(left.end < right.start for left, right in pairwise(columns))


def test_short_names_of_metrics_differ() -> None:
    assert abbreviations(["role_adherence", "role_violation", "role_x", "geval"]) == [
        "role",
        "rovi",
        "rox",
        "geva",
    ]
    assert len(set(abbreviations(["same"] * 20))) == 20


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "just now"), (600, "10 min ago"), (3 * 3600, "3 h ago"), (2 * 86400, "2 d ago")],
)
def test_recent_times_are_relative(seconds: float, words: str) -> None:
    assert ago(NOW - seconds, NOW) == words


def test_old_times_are_dates() -> None:
    assert ago(NOW - 40 * 86400, NOW) == "05 Oct"
    assert ago(NOW - 800 * 86400, NOW) == "Sep 2021"


def test_every_outcome_has_its_own_sign() -> None:
    marks = [Mark("score", 1, True), Mark("score", 0, False), Mark("score", 1, None)]
    marks += [Mark("skipped", None, None), Mark("failure", None, None)]
    assert [mark_sign(mark) for mark in [*marks, None]] == ["✓", "✗", "~", "–", "!", " "]
