"""Moments: dates as they are typed into a filter or stand in metadata, as stretches of seconds since 1970."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

_DATE = r"(?P<day>\d{4}-\d\d-\d\d)"
_CLOCK = r"(?P<minute>\d\d:\d\d)(?P<second>:\d\d(?P<part>[.,]\d{1,9})?)?"
_ZONE = r"\s?(?P<zone>Z|[+-]\d\d:?\d\d)?"
_MOMENT = re.compile(rf"{_DATE}(?:[T ]{_CLOCK}{_ZONE})?", re.IGNORECASE | re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)
_AGO = re.compile(r"(\d{1,6})(min|h|d|w)", re.ASCII)
_UNITS = {"min": 60, "h": 3600, "d": 86_400, "w": 604_800}
_DAYS = {"today": 0, "yesterday": 1}
WRITTEN = "a date such as 2026-03-01 or 2026-03-01T14:30, or 12h, 7d, 2w, today, yesterday"
"""How the moments of a filter are written."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time, from `start` up to but without `end`, in seconds since 1970."""

    start: float
    end: float


def span_of(text: str, zone: tzinfo | None = UTC) -> Stretch | None:
    """Return the day, month, minute or second that a date means; None for what is no date.

    zone: that of a date which names none; None for this machine's.
    """
    if found := _MONTH.fullmatch(text.strip()):
        return _span_of_month(int(found[1]), int(found[2]), zone)
    found = _MOMENT.fullmatch(text.strip())
    if found is None:
        return None
    try:
        if found["minute"] is None:
            return _span_of_day(date.fromisoformat(found["day"]), zone)
        clock = (found["minute"] + (found["second"] or "")).replace(",", ".")
        # No more than microseconds are read.
        plain = datetime.fromisoformat(f"{found['day']}T{clock[:15].ljust(8, ' ').strip()}")
        start = _seconds(plain, _zone(found["zone"]) or zone)
    except (ValueError, OverflowError, OSError):
        return None
    return Stretch(start, start + (1e-6 if found["part"] else 1.0 if found["second"] else 60.0))


def moment_of(text: str, now: float) -> Stretch | None:
    """Return what a filter means by a date, or by a time from now: 12h, 7d, today; None for neither.

    now: in seconds since 1970. Days are those of this machine's clock.
    """
    word = text.strip().lower()
    if found := _AGO.fullmatch(word):
        then = now - int(found[1]) * _UNITS[found[2]]
        return Stretch(then, then)
    if word in _DAYS:
        day = datetime.fromtimestamp(now).astimezone().date() - timedelta(days=_DAYS[word])
        return _span_of_day(day, None)
    return span_of(text, None)


def _span_of_day(day: date, zone: tzinfo | None) -> Stretch:
    start = datetime.combine(day, datetime.min.time())
    return Stretch(_seconds(start, zone), _seconds(start + timedelta(days=1), zone))


def _span_of_month(year: int, month: int, zone: tzinfo | None) -> Stretch | None:
    try:
        first = datetime(year, month, 1)
        following = datetime(year + month // 12, month % 12 + 1, 1)
        return Stretch(_seconds(first, zone), _seconds(following, zone))
    except (ValueError, OverflowError, OSError):
        return None


def _zone(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    if text.upper() == "Z":
        return UTC
    hours, minutes = int(text[1:3]), int(text[-2:])
    return timezone((1 if text[0] == "+" else -1) * timedelta(hours=hours, minutes=minutes))


def _seconds(moment: datetime, zone: tzinfo | None) -> float:
    return (moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()).timestamp()
