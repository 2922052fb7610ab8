"""Columns go as room goes, and every cell says in a few letters what it means."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from turnwise.conversations.store import SessionOrder
from turnwise.conversations.store.mending.session_rows import Mark, SessionRow
from turnwise.tui.session_lists.session_columns import (
    FactColumn,
    SessionColumn,
    cell,
    columns_for,
    header_cell,
    mark_sign,
)

NOW = 1_700_000_000.0
METRICS = ("role_adherence", "knowledge_retention")


@pytest.mark.parametrize(
    ("width", "gone"),
    [(140, set()), (99, {"tags"}), (70, {"tags", "when"}), (50, {"tags", "when", "role"})],
)
def test_columns_go_as_room_goes(width: int, gone: set[str]) -> None:
    columns = columns_for(width, METRICS)
    kinds = {"label", "name", "role", "turns", "tags", "when"} - {column.kind for column in columns}
    assert kinds == gone
    assert columns[-1].end <= width
    assert all(left.end < right.start for left, right in pairwise(columns))


def test_tags_of_several_words_are_told_apart_and_take_more_room_in_a_wide_list() -> None:
    row = SessionRow(1, "talk", "", 2, ("help desk", "other languages"), "s", NOW)
    wide = next(column for column in columns_for(160, METRICS) if column.kind == "tags")
    narrow = next(column for column in columns_for(110, METRICS) if column.kind == "tags")
    assert cell(wide, row, NOW).rstrip() == "help desk, other languages"
    assert wide.width > narrow.width


def test_what_the_longest_name_does_not_need_is_for_tags_as_far_as_they_need_it() -> None:
    def cells(width: int, **longest: int) -> tuple[int, int]:
        columns = columns_for(width, METRICS, without={"role"}, longest=longest)
        by_kind = {column.kind: column.width for column in columns}
        return by_kind["name"], by_kind["tags"]

    unknown = cells(110)
    assert cells(110, name=90, tags=37) == unknown
    assert cells(110, name=30, tags=37)[1] == 37
    assert cells(110, name=30, tags=18) == (sum(unknown) - 18, 18)
    # Names have their room first.
    assert cells(110, name=50, tags=40)[0] >= min(50, unknown[0])


def test_every_outcome_has_its_own_sign() -> None:
    marks = [Mark("score", 1, True), Mark("score", 0, False), Mark("score", 1, None)]
    marks += [Mark("skipped", None, None), Mark("failure", None, None)]
    assert [mark_sign(mark) for mark in [*marks, None]] == ["✓", "✗", "~", "–", "!", " "]


EIGHT = tuple(f"m{letter}tric" for letter in "abcdefgh")


def test_metrics_that_are_asked_about_keep_their_columns_before_others() -> None:
    columns = columns_for(60, EIGHT, asked=[EIGHT[6], "no metric of these"])
    shown = [column.metric for column in columns if column.kind == "metric"]
    assert shown == [*EIGHT[: len(shown) - 1], EIGHT[6]]
    assert EIGHT[6] not in next(column for column in columns if column.kind == "more").metric


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


def test_a_chosen_fact_has_a_column_and_goes_last() -> None:
    facts = [FactColumn.of("meta.reward", 3, right=True)]
    columns = columns_for(120, EIGHT, facts=facts)
    reward = next(column for column in columns if column.kind == "fact")
    assert (reward.title, reward.width, reward.right, reward.fact) == ("reward", 6, True, "meta.reward")
    row = SessionRow(1, "a", "", 1, (), "s", NOW, told={"meta.reward": "0.5"})
    assert cell(reward, row, NOW) == "   0.5"
    narrow = {column.kind for column in columns_for(52, EIGHT, facts=facts)}
    assert "fact" in narrow
    assert "metric" not in narrow


def test_the_sign_of_the_order_stands_at_its_column() -> None:
    columns = columns_for(120, METRICS, facts=[FactColumn.of("meta.reward", 3)])
    heads = {
        order.text: [column.title for column in columns if "↑" in header_cell(column, order)]
        for order in (SessionOrder("meta", key="reward"), SessionOrder("metric", METRICS[1]))
    }
    assert heads == {"meta.reward": ["reward"], METRICS[1]: ["kr"]}


def test_an_order_without_a_column_in_sight_is_said_over_the_names() -> None:
    narrow, wide = columns_for(70, METRICS), columns_for(160, METRICS)

    def head(order: SessionOrder, columns: Sequence[SessionColumn] = narrow) -> str:
        name = next(column for column in columns if column.kind == "name")
        return header_cell(name, order, columns).strip()

    assert head(SessionOrder()) == "session, newest first"
    assert head(SessionOrder(reverse=True)) == "session, oldest first"
    # There the column of times bears the sign.
    assert head(SessionOrder(), wide) == "session"
    assert head(SessionOrder("turns")) == "session"
    assert head(SessionOrder("source")) == "session, source from A to Z"
