"""Dates in the forms that documents write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_FIRST = ("DD/MM", "DD-MM")
_MONTH_FIRST = ("MM/DD", "MM-DD")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.*)?", re.IGNORECASE)
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_WEEKDAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? +")
_TIME = re.compile(r"(?:,? +|t)\d{1,2}:\d{2}.*")
_NUMBERS = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})")
_YEAR_FIRST = re.compile(r"(\d{4})(?:[/.-](\d{1,2})(?:[/.-](\d{1,2}))?)?")
_DAY_AND_MONTH = re.compile(r"(?:(\d{1,2})\.?[- ])?([a-z]{3,9})\.?,?[- ](\d{4})")
_MONTH_AND_DAY = re.compile(r"([a-z]{3,9})\.? (\d{1,2}),? (\d{4})")
_CENTURY_TURNS = 50


def read_date(text: str, formats: Sequence[str] = (), *, compat: bool = False) -> date | None:
    """Return the day that a text names, or None.

    formats: as in DD/MM/YYYY; they say whether 01/02/2025 is in January or in February, which is January
    where they do not. A day of another time zone is the one that is written. compat: as JavaScript reads
    dates; 01/02/2025 is in January whatever the formats say, 31 February is 3 March, and days are UTC's.
    """
    plain = text.strip().lower()
    if _ISO.fullmatch(plain) and (day := _iso(text.strip(), compat=compat)):
        return day
    plain = _TIME.sub("", _WEEKDAY.sub("", plain, count=1), count=1)
    if found := _COMPACT.fullmatch(plain):
        return None if compat else _date(int(found[1]), int(found[2]), int(found[3]))
    if found := _YEAR_FIRST.fullmatch(plain):
        return _date(int(found[1]), int(found[2] or 1), int(found[3] or 1), compat=compat)
    if found := _DAY_AND_MONTH.fullmatch(plain):
        return _date(int(found[3]), _month(found[2]), int(found[1] or 1), compat=compat)
    if found := _MONTH_AND_DAY.fullmatch(plain):
        return _date(int(found[3]), _month(found[1]), int(found[2]), compat=compat)
    if found := _NUMBERS.fullmatch(plain):
        year = int(found[3]) + (0 if len(found[3]) == 4 else 2000 if int(found[3]) < _CENTURY_TURNS else 1900)
        return _numbers(int(found[1]), int(found[2]), year, formats, compat=compat)
    return None


def _iso(text: str, *, compat: bool) -> date | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return (found.astimezone(UTC) if compat and found.tzinfo else found).date()
    except OverflowError:
        return None


def _numbers(first: int, second: int, year: int, formats: Sequence[str], *, compat: bool) -> date | None:
    days_lead = any(form.startswith(_DAY_FIRST) for form in formats)
    months_lead = any(form.startswith(_MONTH_FIRST) for form in formats)
    american = _date(year, first, second, compat=compat)
    european = _date(year, second, first, compat=compat)
    if compat:
        return american or (None if months_lead and not days_lead else european)
    if days_lead != months_lead:
        return european if days_lead else american
    return american or european


def _month(name: str) -> int:
    """Return the month that a name or its beginning means; 0 for none."""
    short = name[:3]
    return _MONTHS.index(short) + 1 if short in _MONTHS else 0


def _date(year: int, month: int, day: int, *, compat: bool = False) -> date | None:
    """Return a date, or None where there is no such day; compat: days past a month's end run on."""
    try:
        if compat and 28 < day <= 31:
            return date(year, month, 1) + timedelta(days=day - 1)
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None
