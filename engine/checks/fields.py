"""field_accuracy: the fields of an answer that is data, held against those of the expected one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.numbers import is_finite
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text, same
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, clamped, scored
from turnwise.engine.checks.grading.replies import json_in

DateReader = Callable[[str, Sequence[str]], date | None]

_ABSENT = object()
_PARTS = re.compile(r"[^.\[\]]+")
_LEADING_NUMBER = re.compile(r"\s*([+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))")
_SHOWN = 4


def field_accuracy(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The weighted share of config.fields that agree; with aggregation all_or_nothing, 1 if all do, else 0.

    A field: path (as in items[0].price), match (exact; numeric_tolerance with tolerance and relative; date
    with formats), weight (1), required (true). One that the expected answer lacks agrees; one that is not
    required and that the answer lacks does not count. Raises SettingError where no data are expected.
    """
    return _accuracy(check, answer, read_date)


def field_accuracy_as_agentv(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of config.fields that agree, with dates as JavaScript reads them."""
    return _accuracy(check, answer, read_date_as_javascript)


def _accuracy(check: Check, answer: Answer, read: DateReader) -> Finding:
    fields = check.config.get("fields")
    if not isinstance(fields, (list, tuple)) or not all(isinstance(one, Mapping) for one in fields):
        raise SettingError(f"{check.type} needs fields", next_step="List each as {path: ..., match: exact}.")
    try:
        given = json_in(answer.text)
    except ValueError:
        return scored(0.0, misses=("The answer is no JSON",))
    expected = _expected(answer)
    if expected is None:
        raise SettingError(
            f"{check.type} needs an expected output that is data", next_step="Write it as an object."
        )
    found = [_compared(field, given, expected, read) for field in fields]
    return _total(found, check.config.get("aggregation"))


@dataclass(frozen=True, slots=True)
class _Field:
    """What one field came to."""

    holds: bool
    weight: float
    told: str


def _expected(answer: Answer) -> Any:
    """Return the data of the last expected message of the assistant that holds some; None without any.

    Files of AgentV 5 have what is expected among the variables alone.
    """
    for message in reversed(answer.expected or _expected_variable(answer)):
        content = message.get("content")
        if message.get("role") != "assistant":
            continue
        if isinstance(content, (Mapping, list, tuple)):
            return content
        if not isinstance(content, str) or not content:
            continue
        try:
            found = json_in(content)
        except ValueError:
            continue
        # Neither null nor a bare 0 or false is anything to compare with.
        return found if found or isinstance(found, (Mapping, list)) else None
    return None


def _expected_variable(answer: Answer) -> Sequence[Mapping[str, Any]]:
    value = answer.vars.get("expected_output")
    if isinstance(value, (list, tuple)) and all(isinstance(one, Mapping) and "role" in one for one in value):
        return value
    return (
        [value]
        if isinstance(value, Mapping) and "role" in value
        else [{"role": "assistant", "content": value}]
    )


def _compared(field: Mapping[str, Any], given: Any, expected: Any, read: DateReader) -> _Field:
    path, weight = as_text(field.get("path")), field.get("weight", 1.0)
    wanted, found = at(expected, path), at(given, path)
    if wanted is _ABSENT:
        return _Field(True, weight, f"{path}: nothing expected")
    if found is _ABSENT:
        if field.get("required", True):
            return _Field(False, weight, f"{path}: missing")
        return _Field(True, 0.0, f"{path}: missing, and may be")
    match field.get("match"):
        case "exact":
            return _Field(
                same(found, wanted), weight, path if same(found, wanted) else f"{path}: another value"
            )
        case "numeric_tolerance":
            return _near(path, found, wanted, field, weight)
        case "date":
            formats = field.get("formats") or ()
            days = [read(as_text(value), formats) for value in (found, wanted)]
            told = f"{path}: {days[0] or 'no date'}, {days[1] or 'no date'} expected"
            return _Field(days[0] is not None and days[0] == days[1], weight, told)
        case other:
            return _Field(False, weight, f"{path}: there is no match {other}")


def _near(path: str, found: Any, wanted: Any, field: Mapping[str, Any], weight: float) -> _Field:
    left, right = _number(found), _number(wanted)
    if left is None or right is None or not (is_finite(left) and is_finite(right)):
        return _Field(False, weight, f"{path}: no number")
    apart = abs(left - right)
    measured = apart / abs(right) if field.get("relative") and right else apart
    tolerance = field.get("tolerance") or 0
    return _Field(measured <= tolerance, weight, f"{path}: {apart:.2f} apart, tolerance {tolerance:g}")


def at(data: Any, path: str) -> Any:
    """Return what stands at a path in data, or a mark of absence."""
    parts = _PARTS.findall(path)
    if not parts:
        return _ABSENT
    for part in parts:
        if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif isinstance(data, list) and part == "length":
            data = len(data)
        elif isinstance(data, Mapping) and part in data:
            data = data[part]
        else:
            return _ABSENT
    return data


def _number(value: Any) -> float | None:
    """Return a number, or the one that a text begins with."""
    if isinstance(value, str):
        leading = _LEADING_NUMBER.match(value)
        return float(leading[1]) if leading else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _total(found: list[_Field], aggregation: Any) -> Finding:
    hits = [field.told for field in found if field.holds]
    misses = [field.told for field in found if not field.holds]
    weight = sum(field.weight for field in found)
    if aggregation == "all_or_nothing":
        score = float(not misses)
    elif not weight:
        score = float(not found)
    else:
        score = sum(field.weight for field in found if field.holds) / weight
    return scored(clamped(score), hits[:_SHOWN], misses[:_SHOWN], f"{len(hits)} of {len(found)} fields agree")


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


def read_date(text: str, formats: Sequence[str] = ()) -> date | None:
    """Return the day that a text names, or None.

    formats: as in DD/MM/YYYY; they say whether 01/02/2025 is in January or in February, which is January
    where they do not. A day of another time zone is the one that is written.
    """
    if found := _COMPACT.fullmatch(_without_time(text)):
        return _date(int(found[1]), int(found[2]), int(found[3]))
    return _read_date(text, formats, lambda found: found.date(), _date, _by_format)


def read_date_as_javascript(text: str, formats: Sequence[str] = ()) -> date | None:
    """Return the day that a text names as JavaScript reads dates, or None.

    01/02/2025 is in January whatever the formats say, 31 February is 3 March, and days are UTC's.
    """
    return _read_date(text, formats, _in_utc, _date_running_on, _american_first)


def _read_date(
    text: str,
    formats: Sequence[str],
    day_of: Callable[[datetime], date],
    made: Callable[[int, int, int], date | None],
    chosen: Callable[[date | None, date | None, bool, bool], date | None],
) -> date | None:
    if _ISO.fullmatch(text.strip().lower()) and (day := _iso(text.strip(), day_of)):
        return day
    plain = _without_time(text)
    if found := _YEAR_FIRST.fullmatch(plain):
        return made(int(found[1]), int(found[2] or 1), int(found[3] or 1))
    if found := _DAY_AND_MONTH.fullmatch(plain):
        return made(int(found[3]), _month(found[2]), int(found[1] or 1))
    if found := _MONTH_AND_DAY.fullmatch(plain):
        return made(int(found[3]), _month(found[1]), int(found[2]))
    if found := _NUMBERS.fullmatch(plain):
        first, second = int(found[1]), int(found[2])
        year = int(found[3]) + (0 if len(found[3]) == 4 else 2000 if int(found[3]) < _CENTURY_TURNS else 1900)
        days_lead = any(form.startswith(_DAY_FIRST) for form in formats)
        months_lead = any(form.startswith(_MONTH_FIRST) for form in formats)
        return chosen(made(year, first, second), made(year, second, first), days_lead, months_lead)
    return None


def _without_time(text: str) -> str:
    return _TIME.sub("", _WEEKDAY.sub("", text.strip().lower(), count=1), count=1)


def _iso(text: str, day_of: Callable[[datetime], date]) -> date | None:
    try:
        return day_of(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None


def _in_utc(found: datetime) -> date:
    return (found.astimezone(UTC) if found.tzinfo else found).date()


def _by_format(
    american: date | None, european: date | None, days_lead: bool, months_lead: bool
) -> date | None:
    if days_lead != months_lead:
        return european if days_lead else american
    return american or european


def _american_first(
    american: date | None, european: date | None, days_lead: bool, months_lead: bool
) -> date | None:
    return american or (None if months_lead and not days_lead else european)


def _month(name: str) -> int:
    """Return the month that a name or its beginning means; 0 for none."""
    short = name[:3]
    return _MONTHS.index(short) + 1 if short in _MONTHS else 0


def _date(year: int, month: int, day: int) -> date | None:
    """Return a date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None


def _date_running_on(year: int, month: int, day: int) -> date | None:
    """Return a date, or None where there is no such day; days past a month's end run on."""
    try:
        if 28 < day <= 31:
            return date(year, month, 1) + timedelta(days=day - 1)
        return date(year, month, day)
    except (ValueError, OverflowError):
        return None
