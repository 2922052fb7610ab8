"""Frequencies: every session counts once for each of its values, and what is counted can be filtered by."""

from __future__ import annotations

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Failure
from turnwise.conversations.store import Store, ValueTally
from turnwise.tui.drawing.record_table import left_in
from turnwise.tui.library.frequency_rows import (
    FrequencyOrder,
    bar_cells,
    frequency_cells,
    frequency_columns,
    rate_cells,
    sorted_values,
    value_query,
)

DAY = 86_400


@pytest.fixture
def counted(store: Store) -> Store:
    """Four sessions: two in English, one in German, one that says nothing; judged, labelled, with a mode."""
    english, british, german, silent = (
        keep(store, f"said {number}", name=f"talk {number}", created_at=DAY * (20_000 + number % 2), **told)
        for number, told in enumerate(
            (
                {"metadata": {"language": "en", "customer tier": "gold"}, "chatbot_role": "A clerk"},
                {"metadata": {"language": "EN", "customer tier": "gold"}, "tags": ["late", "lost bag"]},
                {"metadata": {"language": "de"}, "tags": ["late"]},
                {},
            )
        )
    )
    land(store, english, score(0.9))
    land(store, british, score(0.2))
    land(store, german, Failure(metric="politeness", reason="away"))
    store.labels.add(english, "pass", author="ann", blind=True)
    store.labels.add(british, "fail", author="ann", blind=True)
    store.labels.add(german, "defer", author="ann", blind=True)
    mode = store.modes.add("asks again: twice", "", "ann")
    store.modes.assign([british, silent], mode, "ann")
    return store


def test_values_are_counted_with_how_their_sessions_came_out(counted: Store) -> None:
    found = counted.tallies.values("meta.language", "politeness")
    assert found.rows[0] == ValueTally("en", 2, scores=2, passed=1, passes=1, fails=1)
    assert {(one.value, one.sessions, one.scores) for one in found.rows[1:]} == {("de", 1, 0), ("", 1, 0)}
    assert found.values == 3


def test_sessions_on_which_people_disagree_are_counted_apart(counted: Store) -> None:
    [english] = counted.sessions.ids("label:pass")
    counted.labels.add(english, "fail", author="ben", blind=True)
    assert counted.tallies.values("meta.language").rows[0] == ValueTally("en", 2, fails=1, disputed=1)
    by_label = {row.value: row.sessions for row in counted.tallies.values("label").rows}
    assert by_label == {"disputed": 1, "fail": 1, "deferred": 1, "none": 1}
    assert counted.sessions.ids("label:disputed") == [english]
    assert counted.sessions.ids("label:pass") == []
    assert english not in counted.sessions.ids("label:fail")


@pytest.mark.parametrize(
    "by",
    ["role", "tag", "source", "label", "mode", "day", "meta.language", "meta.customer tier", "politeness"],
)
def test_the_filter_of_a_value_finds_as_many_sessions_as_were_counted(counted: Store, by: str) -> None:
    rows = counted.tallies.values(by, "politeness").rows
    assert rows
    asked = {one.value: value_query(by, one.value, ["politeness"]) for one in rows}
    assert all(asked.values()) or by == "role"
    for one in rows:
        if query := asked[one.value]:
            assert counted.sessions.count(query) == one.sessions, query


def test_a_filter_narrows_what_is_counted_and_some_can_be_left_out(counted: Store) -> None:
    assert [one.value for one in counted.tallies.values("meta.language", query="tag:late").rows] == [
        "de",
        "en",
    ]
    ids = counted.sessions.ids("meta.language:de")
    assert [one.value for one in counted.tallies.values("tag", query="tag:late", without=ids).rows] == [
        "late",
        "lost bag",
    ]
    assert counted.tallies.values("tag", query="tag:nothing").rows == ()


def test_of_a_session_that_is_covered_only_what_says_nothing_of_its_outcome_is_counted(
    counted: Store,
) -> None:
    covered = counted.sessions.ids("meta.language:en")
    by_language = counted.tallies.values("meta.language", "politeness", without=covered)
    assert by_language.rows[0] == ValueTally("en", 2)
    assert not by_language.tells
    for by, query in (("label", ""), ("mode", ""), ("politeness", ""), ("meta.language", "mode:asks")):
        found = counted.tallies.values(by, "politeness", query, without=covered)
        assert found.tells
        asked = "mode:asks" if by == "mode" else query
        open_ones = set(counted.sessions.ids(asked)) - set(covered)
        assert sum(one.sessions for one in found.rows) == len(open_ones)


def test_a_column_that_there_is_not_is_named(counted: Store) -> None:
    with pytest.raises(SettingError, match="not grouped by colour"):
        counted.tallies.values("colour")


def test_what_has_no_score_comes_last_where_the_pass_rate_counts() -> None:
    rows = (ValueTally("a", 9), ValueTally("b", 5, 4, 1), ValueTally("c", 3, 2, 2))
    assert [one.value for one in sorted_values(rows, FrequencyOrder("rate"))] == ["b", "c", "a"]
    assert [one.value for one in sorted_values(rows, FrequencyOrder("rate", reverse=True))] == ["c", "b", "a"]
    assert [one.value for one in sorted_values(rows, FrequencyOrder("count", reverse=True))] == [
        "c",
        "b",
        "a",
    ]
    assert {FrequencyOrder().next.by, FrequencyOrder("value").next.by} == {"rate", "count"}


def test_numbers_are_sorted_as_numbers_in_every_order_and_called_so() -> None:
    rows = [ValueTally(value, 2, 2, 1) for value in ("0", "1", "10", "11", "2", "-3", "1.5")]
    lowest = ["-3", "0", "1", "1.5", "2", "10", "11"]
    for by in ("count", "rate", "value"):
        assert [one.value for one in sorted_values(rows, FrequencyOrder(by))] == lowest
    highest = FrequencyOrder("value", reverse=True)
    assert [one.value for one in sorted_values(rows, highest)] == lowest[::-1]
    assert (FrequencyOrder("value").words(rows, "meta.case"), highest.words(rows, "meta.case")) == (
        "lowest first",
        "highest first",
    )
    assert highest.words([ValueTally("2026-05-01", 1)], "day") == "newest first"
    mixed = [ValueTally(value, 1) for value in ("b", "10", "", "9", "A")]
    assert [one.value for one in sorted_values(mixed, FrequencyOrder("value"))] == ["", "9", "10", "A", "b"]
    assert FrequencyOrder("value").words(mixed, "meta.case") == "from A to Z"


def test_in_a_wide_window_bars_take_what_values_leave() -> None:
    assert bar_cells(80, 10, "m") < bar_cells(120, 10, "m") < bar_cells(200, 10, "m")
    assert bar_cells(160, 60, "m") < bar_cells(160, 10, "m")
    long = "conversation_completeness"
    for width, longest, metric in ((120, 30, "m"), (160, 30, "m"), (200, 60, "m"), (160, 30, long)):
        columns = frequency_columns(width, "tag", metric, bar_cells(width, longest, metric))
        assert left_in(width, len(columns), sum(one.width for one in columns)) >= longest


@pytest.mark.parametrize("width", [60, 80, 160])
def test_a_row_has_a_cell_for_each_column(width: int) -> None:
    for metric in ("", "politeness"):
        bars = bar_cells(width, 4, metric)
        columns = frequency_columns(width, "tag", metric, bars)
        cells = frequency_cells(ValueTally("late", 3, 2, 1, 1, 0), 4, width, metric, bars)
        assert len(columns) == len(cells)
        assert cells[0].text == "late"
        nothing = frequency_cells(ValueTally("", 3), 0, width, metric, bars)
        assert nothing[0].text == "(none)"


def test_a_pass_rate_says_of_how_many_scores_it_is_and_is_never_cut() -> None:
    rows = [ValueTally("late", 20_000, 12_345, 12_300), ValueTally("refunds", 16, 13, 12), ValueTally("x", 2)]
    told = [frequency_cells(one, 20_018, 80, "m", 0)[-1].text for one in rows]
    assert told == ["100 % of 12,345 (100 to 100 %)", "92 % of 13 (64 to 100 %)", "–"]
    for width in (60, 80, 160):
        rate = rate_cells(rows)
        columns = frequency_columns(width, "tag", "m", bar_cells(width, 7, "m", rate), rate)
        [rates] = [one for one in columns if one.title == "m passes"]
        assert rates.width == len(told[0])


@pytest.mark.parametrize(
    ("width", "head"), [(80, "conversation compl… passes"), (160, "conversation completeness passes")]
)
def test_the_head_of_pass_rates_says_of_which_metric_they_are(width: int, head: str) -> None:
    columns = frequency_columns(width, "tag", "conversation_completeness", 8)
    [rates] = [one for one in columns if one.title.endswith("passes")]
    assert rates.title == head
    assert rates.width == len(head)
    assert not any("passes" in one.title for one in frequency_columns(width, "tag", "", 8))


def test_counts_of_labels_stand_in_columns_with_what_people_dispute_where_they_do() -> None:
    tally = ValueTally("a", 50, passes=26, disputed=3)
    told = frequency_cells(tally, 90, 160, "", 24, disputes=True)
    heads = frequency_columns(160, "tag", "", 24, disputes=True)
    assert [one.title for one in heads[-3:]] == ["labelled ✓", "✗", "✓✗"]
    assert [one.text for one in told[-3:]] == ["26", "–", "3"]
    assert [one.title for one in frequency_columns(160, "tag", "", 24)[-2:]] == ["labelled ✓", "✗"]
    assert [one.text for one in frequency_cells(tally, 90, 160, "", 24)[-2:]] == ["26", "–"]
