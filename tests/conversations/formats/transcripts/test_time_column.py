"""Times in a column: all its cells together tell how their dates are written."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from turnwise.conversations.formats.transcripts import TimeColumn


def heard(*cells: object) -> TimeColumn:
    column = TimeColumn()
    for cell in cells:
        column.hear(cell)
    return column


@pytest.mark.parametrize(
    ("cell", "others", "day"),
    [
        ("06.05.2024", (), (2024, 5, 6)),
        ("6.5.24", (), (2024, 5, 6)),
        ("06.05.2024", ("05/13/2024",), (2024, 5, 6)),
        ("06/05/2024", ("13/05/2024",), (2024, 5, 6)),
        ("06/05/2024", ("05/13/2024",), (2024, 6, 5)),
        ("2024/05/06", ("13/05/2024",), (2024, 5, 6)),
        ("2024-05-06", ("05/13/2024", None, ""), (2024, 5, 6)),
    ],
)
def test_days_are_read_as_the_column_writes_them(
    cell: str, others: tuple[object, ...], day: tuple[int, int, int]
) -> None:
    column = heard(cell, *others)
    assert column.problem("Datum") == ""
    assert column.seconds(cell) == datetime(*day, tzinfo=UTC).timestamp()


def test_clocks_and_zones_count() -> None:
    here, half = "06.05.2024 10:01:30+02:00", "06.05.2024 9:15 PM"
    column = heard(here, half)
    assert column.seconds(here) == datetime(2024, 5, 6, 8, 1, 30, tzinfo=UTC).timestamp()
    assert column.seconds(half) == datetime(2024, 5, 6, 21, 15, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    "cells",
    [
        ("06/05/2024",),
        ("13/05/2024", "05/13/2024"),
        ("24-05-06",),
        ("10:01",),
        ("06.13.2024",),
        ("13/13/2024",),
        ("soon",),
    ],
)
def test_what_cannot_be_read_is_told_with_an_example(cells: tuple[str, ...]) -> None:
    column = heard("2024-05-06", *cells)
    assert cells[0] in column.problem("Datum")
    assert column.problem("column Datum").startswith("column Datum holds")
    assert column.seconds(cells[0]) is None


def test_numbers_are_moments_or_at_least_an_order() -> None:
    column = heard(1767607200000, "-3", 0.5)
    assert column.problem("time") == ""
    assert column.place("-3") == -3
