"""Columns go as room goes, and every cell says in a few letters what it means."""

from __future__ import annotations

from itertools import pairwise

import pytest

from turnwise.conversations.store.rows import Mark, SessionRow
from turnwise.tui.session_lists.session_columns import (
    COLUMNS,
    abbreviations,
    columns_for,
    mark_sign,
    scored_first,
    silent_columns,
)

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


def test_what_no_session_says_leaves_its_room_to_the_name() -> None:
    role, tagged, bare = (
        SessionRow(1, "", "agent", 1, (), "s", NOW),
        SessionRow(2, "", "", 1, ("a",), "s", NOW),
        SessionRow(3, "", "", 1, (), "s", NOW),
    )
    known = {"role", "tags"}
    assert silent_columns([bare, bare]) & known == {"role", "tags"}
    assert silent_columns([bare, role]) & known == {"tags"}
    assert silent_columns([tagged, role]) & known == frozenset()
    others = set(COLUMNS) - {"label", "name", "role", "turns", "tags", "metric", "when"}
    widths = [
        next(one.width for one in columns_for(86, METRICS, without=without) if one.kind == "name")
        for without in (others, {"role", *others})
    ]
    assert widths[1] >= widths[0] + 14
    assert "role" not in {one.kind for one in columns_for(140, METRICS, without=("role", "tags"))}


def test_short_names_of_metrics_differ() -> None:
    assert abbreviations(["role_adherence", "role_violation", "role_x", "geval"]) == [
        "role",
        "rovi",
        "rox",
        "geva",
    ]
    assert len(set(abbreviations(["same"] * 20))) == 20


def test_every_outcome_has_its_own_sign() -> None:
    marks = [Mark("score", 1, True), Mark("score", 0, False), Mark("score", 1, None)]
    marks += [Mark("skipped", None, None), Mark("failure", None, None)]
    assert [mark_sign(mark) for mark in [*marks, None]] == ["✓", "✗", "~", "–", "!", " "]


EIGHT = tuple(f"m{letter}tric" for letter in "abcdefgh")


def test_role_and_time_stay_where_they_are_to_and_metrics_without_room_are_counted() -> None:
    columns = columns_for(86, EIGHT, keep_about=True)
    kinds = [column.kind for column in columns]
    assert {"role", "when"} <= set(kinds)
    shown = kinds.count("metric")
    assert 0 < shown < 8
    more = columns[kinds.index("metric") + shown]
    assert (more.kind, more.title) == ("more", f"+{8 - shown}")
    assert more.metric == ", ".join(EIGHT[shown:])
    assert columns[-1].end <= 86


def test_nothing_is_counted_where_all_have_room() -> None:
    assert "more" not in {column.kind for column in columns_for(200, EIGHT)}


@pytest.mark.parametrize("width", range(1, 200, 7))
@pytest.mark.parametrize("keep", [True, False])
def test_columns_never_pass_the_width_where_a_name_has_room(width: int, keep: bool) -> None:
    columns = columns_for(width, EIGHT, keep_about=keep)
    assert all(left.end < right.start for left, right in pairwise(columns))
    if width > 50:
        assert columns[-1].end <= width
        hidden = 8 - sum(column.kind == "metric" for column in columns)
        assert [column.title for column in columns if column.kind == "more"] == [f"+{hidden}"] * (hidden > 0)


def test_the_metrics_that_say_most_of_the_sessions_come_first() -> None:
    scored, failed, skipped = (
        Mark("score", 1, True),
        Mark("failure", None, None),
        Mark("skipped", None, None),
    )
    rows = [
        SessionRow(n, "", "", 1, (), "s", NOW, None, marks)
        for n, marks in enumerate(
            [{"a": skipped, "b": failed, "c": scored, "d": scored}, {"a": skipped, "d": scored}]
        )
    ]
    assert scored_first(["e", "a", "b", "d", "c"], rows) == ["d", "c", "b", "a", "e"]
    assert scored_first(["b", "a"], []) == ["b", "a"]
