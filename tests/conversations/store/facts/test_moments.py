"""Moments: what dates mean in metadata and in filters."""

import time
from datetime import UTC, datetime

import pytest

from turnwise.conversations.store.facts.moments import moment_of, span_of

DAY = 86_400.0


def at(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("text", "start", "length"),
    [
        ("2026-03-01", at(2026, 3, 1), DAY),
        ("2026-02", at(2026, 2, 1), 28 * DAY),
        ("2026-12", at(2026, 12, 1), 31 * DAY),
        ("2026-03-01T14:30", at(2026, 3, 1, 14, 30), 60),
        ("2026-03-01 14:30:05", at(2026, 3, 1, 14, 30, 5), 1),
        ("2026-03-01T14:30:05Z", at(2026, 3, 1, 14, 30, 5), 1),
        ("2026-03-01T14:30:05+02:00", at(2026, 3, 1, 12, 30, 5), 1),
        ("2026-03-01T14:30:05-0530", at(2026, 3, 1, 20, 0, 5), 1),
    ],
)
def test_a_date_is_the_span_that_it_names(text: str, start: float, length: float) -> None:
    span = span_of(text)
    assert span is not None
    assert (span.start, span.end - span.start) == (start, length)


def test_parts_of_a_second_are_read() -> None:
    span = span_of("2026-03-01T14:30:05.250Z")
    assert span is not None
    assert span.start == at(2026, 3, 1, 14, 30, 5) + 0.25


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2026", "20260301", "2026-13-01", "2026-02-30", "2026-00", "2026-03-01T25:00", "1-2-3"],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert span_of(text) is None


@pytest.fixture
def oslo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Oslo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("oslo")
def test_days_of_a_filter_are_those_of_this_machine() -> None:
    now = at(2026, 3, 1, 23, 30)  # In Oslo the next day has begun.
    today, yesterday, ago = (moment_of(text, now) for text in ("today", "yesterday", "2026-03-02"))
    assert today is not None
    assert yesterday is not None
    assert today.start == at(2026, 3, 1, 23)
    assert yesterday.end == today.start
    assert ago == today


@pytest.mark.usefixtures("oslo")
def test_the_day_on_which_clocks_change_has_its_own_length() -> None:
    span = moment_of("2026-03-29", 0.0)
    assert span is not None
    assert span.end - span.start == 23 * 3600


@pytest.mark.parametrize(
    ("text", "seconds"), [("30min", 1800), ("12h", 43_200), ("7d", 7 * DAY), ("2w", 14 * DAY)]
)
def test_a_time_from_now(text: str, seconds: float) -> None:
    span = moment_of(text, 1e9)
    assert span is not None
    assert span.start == span.end == 1e9 - seconds


@pytest.mark.parametrize("text", ["", "7", "7m", "tomorrow", "-7d", "d", "99999999999d"])
def test_what_is_no_moment_is_none(text: str) -> None:
    assert moment_of(text, 1e9) is None
