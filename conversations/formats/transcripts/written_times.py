"""Times as people and phones write them: dates in any order, clocks of half a day, clocks alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

_WRITTEN = re.compile(
    r"(?:(?P<date>\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})[T,]?\s*)?"
    r"(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
    r"(?:\s?(?P<half>[AaPp])\.?[Mm]\.?)?(?P<zone>Z|[+-]\d\d:?\d\d)?"
)
_DAY = 86_400.0
_LATEST_CLOCK = (23, 59, 59)
_DISORDER = 3600.0
"""A clock that is so little behind the one before it, in seconds, is out of order, not of a later day."""

DateOrder = tuple[int, int, int]
"""Where year, month and day stand among the three numbers of a date."""


class WrittenTime(NamedTuple):
    """A time in its parts.

    date: three numbers in the order of the file; None where there is a clock alone. clock: hour, minute and
    second. half: "a" or "p" where the hours are of half a day. zone: minutes ahead of UTC; None
    where no zone is named. written: as it stands there.
    """

    date: tuple[int, int, int] | None
    clock: tuple[int, int, int]
    half: str = ""
    zone: int | None = None
    written: str = ""

    def day_in(self, order: DateOrder) -> datetime | None:
        """Return the moment by what the date says in an order; None where it is no date then."""
        if self.date is None:
            return None
        year, month, day = (self.date[place] for place in order)
        hour, minute, second = self.clock
        if self.half:
            hour = hour % 12 + (12 if self.half == "p" else 0)
        try:
            return datetime(year + 2000 if year < 100 else year, month, day, hour, minute, second)
        except ValueError:
            return None

    @property
    def seconds_of_day(self) -> float:
        """How far in its day the clock is."""
        hour, minute, second = self.clock
        if self.half:
            hour = hour % 12 + (12 if self.half == "p" else 0)
        return hour * 3600.0 + minute * 60 + second


def date_numbers(text: str) -> tuple[int, int, int]:
    """Return the three numbers of a date that is parted by points, hyphens or slashes."""
    one, two, three = (int(part) for part in re.split(r"[./-]", text))
    return one, two, three


def date_order(times: Sequence[WrittenTime]) -> DateOrder:
    """Return where year, month and day stand in the dates of a file.

    The first reading stands by which all dates are dates and none is earlier than the one before it: the
    year first, the day first, the month first; where hours are of half a day, the month before the day.
    """
    year_first, day_first, month_first = (0, 1, 2), (2, 1, 0), (2, 0, 1)
    halves = any(time.half for time in times)
    readings = [year_first, month_first, day_first] if halves else [year_first, day_first, month_first]
    if not all(time.date is not None and time.date[0] > 31 for time in times):
        readings.remove(year_first)
    best, fewest = readings[0], None
    for order in readings:
        moments = [time.day_in(order) for time in times]
        known = [moment for moment in moments if moment is not None]
        backwards = sum(later < earlier for earlier, later in pairwise(known))
        wrong = (len(moments) - len(known)) * len(times) + backwards
        if fewest is None or wrong < fewest:
            best, fewest = order, wrong
    return best


def moments_of(texts: Sequence[str]) -> list[float | None]:
    """Return times in seconds from one moment, which only serve to tell how far apart they are.

    A clock without a date is of the day of the time before it, or of the next day where it is behind that.
    None where a text is no time.
    """
    times = [time_in(text) for text in texts]
    order = date_order([time for time in times if time is not None and time.date is not None])
    moments: list[float | None] = []
    before = 0.0
    for time in times:
        at = None if time is None else _seconds(time, order, before)
        moments.append(at)
        before = before if at is None else at
    return moments


def time_in(text: str) -> WrittenTime | None:
    """Return the time that a text is, with or without a date; None where it is none."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    clock = (int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
    if any(part > most for part, most in zip(clock, _LATEST_CLOCK, strict=True)):
        return None
    date = date_numbers(found["date"]) if found["date"] else None
    return WrittenTime(date, clock, (found["half"] or "").lower(), _minutes(found["zone"]), text)


def _minutes(zone: str | None) -> int | None:
    if zone is None or zone == "Z":
        return None if zone is None else 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return minutes if zone[0] == "+" else -minutes


def _seconds(time: WrittenTime, order: DateOrder, before: float) -> float | None:
    if time.date is not None:
        moment = time.day_in(order)
        if moment is None:
            return None
        return (moment - timedelta(minutes=time.zone or 0)).replace(tzinfo=UTC).timestamp()
    at = before - before % _DAY + time.seconds_of_day
    return at + _DAY if at < before - _DISORDER else max(at, before)
