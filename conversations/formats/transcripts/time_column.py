"""Times in a column of a table: how their dates are written is told by all cells of the column together.

The day may stand in a column of its own, beside a clock without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from turnwise.conversations.formats.order import moment_in, number_in
from turnwise.conversations.formats.times import moment_of
from turnwise.conversations.formats.transcripts.written_times import (
    DateOrder,
    WrittenTime,
    date_numbers,
    time_in,
)
from turnwise.conversations.models import shorten

JOINED = "are read together as one time"
"""What is told of two columns that hold the day and the clock."""
_MIDNIGHT = re.compile(r"[ T]00:00(?::00(?:\.0+)?)?$")
"""Workbooks give a day that is a day alone the time at which it begins."""
_DATE = re.compile(r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}")
_YEAR_FIRST: DateOrder = (0, 1, 2)
_DAY_FIRST: DateOrder = (2, 1, 0)
_MONTH_FIRST: DateOrder = (2, 0, 1)
_MONTHS = 12
_DAYS = 31
_TWO_DIGITS = 100
_WRITE = "write it as 2024-05-06 10:01"


@dataclass(slots=True)
class TimeColumn:
    """What is known of how a column writes its times, once every cell of it was heard.

    Besides ISO 8601 and numbers, dates are read with the year first, and with points as day.month.year. With
    slashes or hyphens a day above 12 anywhere in the column tells whether the day or the month comes first.
    unread: the first text that is no time with its day; unsure: the first whose day may be its month.
    """

    unread: str = ""
    unsure: str = ""
    has_cells: bool = False
    _has_day_first: bool = False
    _has_month_first: bool = False

    def hear(self, value: Any) -> None:
        """Take in a cell."""
        if value is None or (isinstance(value, str) and not value.strip()):
            return
        self.has_cells = True
        if moment_in(value) is not None:
            return
        time = _written(value)
        if time is None or time.date is None:
            self.unread = self.unread or str(value)
            return
        first, second, _ = time.date
        if (order := _sure_order(time)) is None:
            self.unsure = self.unsure or time.written
            self._has_day_first |= first > _MONTHS
            self._has_month_first |= second > _MONTHS
            order = _MONTH_FIRST if second > _MONTHS else _DAY_FIRST
        if time.day_in(order) is None:
            self.unread = self.unread or time.written

    def place(self, value: Any) -> float | None:
        """Return the number by which a cell is put in order; None where it has none."""
        number = number_in(value)
        return self.seconds(value) if number is None else number

    def seconds(self, value: Any) -> float | None:
        """Return the moment of a cell in seconds; None for none. Without a zone it is in UTC."""
        moment, zone = moment_of(value), 0
        if moment is None and (time := _written(value)) is not None:
            order = _sure_order(time) or self._order
            moment, zone = time.day_in(order) if order else None, time.zone or 0
        if moment is None:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - zone * 60

    def problem(self, name: str) -> str:
        """Say why times of the column, which is called so, are not read, and what to write; else nothing."""
        if self.unread:
            return f"{name} holds {shorten(self.unread)}, which is no time with its day: {_WRITE}"
        if not self.unsure or self._order is not None:
            return ""
        why = (
            "as some dates have the day first and some the month"
            if self._has_day_first
            else "as none of the dates tells whether the day or the month comes first"
        )
        return f"{name} holds times such as {shorten(self.unsure)} that are not read, {why}: {_WRITE}"

    @property
    def _order(self) -> DateOrder | None:
        """Where year, month and day stand in dates with slashes or hyphens; None where nobody knows."""
        if self._has_day_first == self._has_month_first:
            return None
        return _DAY_FIRST if self._has_day_first else _MONTH_FIRST


def joined_time(day: Any, clock: Any) -> Any:
    """Return day and clock as one text, where neither is a time by itself; else what stands as the time."""
    if not isinstance(day, str) or not isinstance(clock, str):
        return clock
    day_alone = _MIDNIGHT.sub("", day.strip())
    time = time_in(clock)
    if time is None or time.date is not None or not _DATE.fullmatch(day_alone):
        return clock
    return f"{day_alone} {clock.strip()}"


def _sure_order(time: WrittenTime) -> DateOrder | None:
    """Return the order of a date that tells it by itself."""
    if time.date is None or time.date[0] > _DAYS:
        return _YEAR_FIRST
    return _DAY_FIRST if re.match(r"\d+\.", time.written) else None


def _written(value: Any) -> WrittenTime | None:
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _DATE.fullmatch(text):
        time: WrittenTime | None = WrittenTime(date_numbers(text), (0, 0, 0), written=text)
    else:
        time = time_in(text)
    return None if time is None or _may_begin_with_the_year(time) else time


def _may_begin_with_the_year(time: WrittenTime) -> bool:
    """Whether a date is one such as 24-05-06, of which nobody knows where its year is."""
    return time.date is not None and "-" in time.written[:3] and time.date[2] < _TWO_DIGITS
