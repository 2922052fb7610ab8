"""The columns of the heat map: what stands over them is whole where it can be, in two lines if need be."""

from __future__ import annotations

import pytest

from turnwise.tui.overview.heat_columns import HeatColumns

METRICS = [
    "Keeps to the fare rules",
    "knowledge_retention",
    "role_adherence",
    "turn_relevancy",
    "conversation_completeness",
    "language_switch",
]


@pytest.mark.parametrize("width", [40, 80, 160, 200])
@pytest.mark.parametrize("chosen", [0, 3, 19])
def test_the_chosen_metric_is_in_sight_and_all_fits(width: int, chosen: int) -> None:
    metrics = [f"metric_{number}" for number in range(20)]
    columns = HeatColumns.fitting(metrics, width, chosen)
    assert columns.first <= chosen < columns.first + columns.shown
    shown = columns.cells[columns.first : columns.first + columns.shown]
    assert len(shown) == columns.shown
    assert 2 + columns.name + sum(shown) + columns.shown <= width


def test_names_are_whole_in_one_line_where_there_is_room() -> None:
    columns = HeatColumns.fitting(METRICS, 179, 0)
    assert columns.heads() == [("", metric.replace("_", " ")) for metric in METRICS]
    assert columns.name >= 44


def test_names_of_sessions_come_before_those_of_metrics_in_one_line() -> None:
    columns = HeatColumns.fitting(METRICS, 159, 0)
    assert ("Keeps to the", "fare rules") in columns.heads()
    assert columns.name >= 55


def test_names_are_whole_in_two_lines_where_one_has_no_room_and_the_sessions_take_the_rest() -> None:
    columns = HeatColumns.fitting(METRICS, 119, 0)
    assert columns.heads() == [
        ("Keeps to the", "fare rules"),
        ("knowledge", "retention"),
        ("role", "adherence"),
        ("turn", "relevancy"),
        ("conversation", "completeness"),
        ("language", "switch"),
    ]
    assert columns.name > 36


@pytest.mark.parametrize("width", [119, 159, 105])
def test_no_head_touches_the_next_with_the_arrow_behind_it(width: int) -> None:
    columns = HeatColumns.fitting(METRICS, width, 0)
    for (upper, lower), cells in zip(columns.heads(), columns.cells, strict=True):
        assert max(len(upper), len(lower)) <= cells - 2


def test_in_small_cells_letters_stand_over_the_metrics() -> None:
    assert HeatColumns.fitting(METRICS, 79, 0).heads()[1] == ("", "kr")


def test_a_name_without_room_is_cut_unless_another_begins_with_what_is_left() -> None:
    def heads(*metrics: str) -> list[tuple[str, str]]:
        return list(HeatColumns(metrics, 0, len(metrics), cells=[12] * len(metrics), name=30).heads())

    assert heads("role_adherence", "turn_relevancy") == [("role", "adherence"), ("turn", "relevancy")]
    assert heads("keeps_to_all_of_the_rules")[0] == ("keeps to", "all of th…")
    assert heads("incomprehensibility", "warmth") == [("", "incompreh…"), ("", "warmth")]
    alike = heads("keeps_to_all_of_the_rules", "keeps_to_all_of_the_rest")
    assert alike == [("", "…the rules"), ("", "…the rest")]
