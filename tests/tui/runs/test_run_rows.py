"""The rows of runs: their columns in any width."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from turnwise.conversations.store import RunFigures, RunRow
from turnwise.tui.drawing.record_table import GAP, MARGIN
from turnwise.tui.runs.run_rows import (
    ListedRun,
    RunsRoom,
    left_for_name,
    longest_left,
    run_cells,
    run_columns,
)


def run_of(name: str) -> ListedRun:
    """A run that came to its end."""
    return ListedRun(RunRow(1, 1.0, 2.0, "judge-1", ("politeness",), name))


@pytest.mark.parametrize("width", [74, 80, 88, 100, 102, 112, 124, 139, 140, 160])
def test_a_name_that_tells_two_runs_apart_at_its_end_is_whole(width: int) -> None:
    columns = run_columns(RunsRoom(width))
    assert len(run_cells(run_of("help desk, version 5"), RunsRoom(width))) == len(columns)
    left = width - MARGIN - 1 - sum(column.width + GAP for column in columns)
    assert left >= cell_len("help desk, version 5")


@pytest.mark.parametrize("width", [77, 113, 116, 120, 123, 140, 160])
def test_a_long_name_is_whole_before_there_is_a_bar_while_a_run_is_under_way(width: int) -> None:
    name = "Keeps to the fare rules, v1"
    room = RunsRoom(width, "scoring 128 of 128" if width > 88 else "128 of 128", cell_len(name))
    columns = run_columns(room)
    assert len(run_cells(run_of(name), room)) == len(columns)
    assert left_for_name(columns, width) >= cell_len(name)


@pytest.mark.parametrize("width", [102, 105, 108, 109, 111, 124, 127, 129, 130, 139])
def test_the_judge_and_the_cost_give_way_to_a_name_that_would_be_cut(width: int) -> None:
    name = "Keeps to the fare rules v1"
    room = RunsRoom(width, name=cell_len(name))
    columns = run_columns(room)
    assert len(run_cells(run_of(name), room)) == len(columns)
    assert left_for_name(columns, width) >= cell_len(name)
    titles = [column.title for column in columns]
    assert ("judge" in titles) == (width >= 108)
    assert ("cost" in titles) == (width >= 129)


@pytest.mark.parametrize("width", [74, 80, 120])
def test_it_is_told_in_any_width_when_a_run_was(width: int) -> None:
    assert "when" in [column.title for column in run_columns(RunsRoom(width))]


@pytest.mark.parametrize(("width", "told"), [(120, False), (124, True), (160, True)])
def test_it_is_told_where_there_is_room_how_long_a_run_took_and_what_it_cost(width: int, told: bool) -> None:
    columns = [column.title for column in run_columns(RunsRoom(width))]
    cells = [
        cell.text for cell in run_cells(replace(run_of("x"), figures=RunFigures(cost=0.25)), RunsRoom(width))
    ]
    assert ("took" in columns, "cost" in columns) == (told, told)
    assert ("1 s" in cells, "$0.2500" in cells) == (told, told)


def test_the_longest_time_is_never_cut() -> None:
    when = next(column for column in run_columns(RunsRoom(80)) if column.title == "when")
    assert when.width >= len("59 min ago")


def test_a_run_without_a_judge_is_one_of_checks_only_and_has_no_cost() -> None:
    figures = RunFigures(sessions=3)
    expected = {"none": ("checks only", ""), "": ("checks only", ""), "judge-1": ("judge-1", "–")}
    for judge, told in expected.items():
        run = ListedRun(RunRow(1, 1.0, 2.0, judge, ("repetition",), ""), figures)
        cells = {
            column.title: cell.text
            for column, cell in zip(run_columns(RunsRoom(160)), run_cells(run, RunsRoom(160)), strict=True)
        }
        assert (cells["judge"], cells["cost"]) == told


@pytest.mark.parametrize(
    ("width", "head"), [(80, "passes"), (160, "scores that pass"), (200, "scores that pass")]
)
def test_it_is_told_of_what_a_share_is_where_there_is_room(width: int, head: str) -> None:
    assert head in [column.title for column in run_columns(RunsRoom(width))]


def test_bars_take_of_the_room_that_a_wide_window_has() -> None:
    bars = [
        next(one.width for one in run_columns(RunsRoom(width)) if not one.title and one.width > 2)
        for width in (140, 160, 198)
    ]
    assert bars == sorted(set(bars))


@pytest.mark.parametrize("width", [74, 80, 88, 102, 112, 124, 140, 160, 200])
@pytest.mark.parametrize("name", ["help desk", "Keeps to the fare rules v1", "x" * 60])
def test_a_run_that_was_broken_off_names_the_key_that_goes_on_and_cuts_no_name_for_it(
    width: int, name: str
) -> None:
    run = ListedRun(RunRow(1, 1.0, None, "judge-1", ("politeness",), name), RunFigures(), asked=12_000)
    room = RunsRoom(width, name=cell_len(name), go_on="r", unfinished=longest_left(run, "r"))
    columns, cells = run_columns(room), run_cells(run, room)
    assert cells[-1].text in ("12,000 left: r goes on", "r goes on")
    assert cell_len(cells[-1].text) <= columns[-1].width
    without = run_columns(RunsRoom(width, name=cell_len(name)))
    assert left_for_name(columns, width) >= min(left_for_name(without, width), cell_len(name), 40)


def test_how_much_is_left_is_told_where_names_leave_room() -> None:
    run = ListedRun(RunRow(1, 1.0, None, "judge-1", ("politeness",), "help desk"), None, asked=4)
    room = RunsRoom(80, name=9, go_on="r", unfinished=longest_left(run, "r"))
    assert run_cells(run, room)[-1].text == "unfinished: r goes on"


def test_the_number_of_a_run_takes_the_cells_that_it_has() -> None:
    assert [run_columns(RunsRoom(80, number=number))[1].width for number in (6, 12_345)] == [3, 5]
