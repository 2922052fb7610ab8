"""Retries keep to the judge's pace and end."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.models.faults import Fault, retry_after
from turnwise.engine.models.limits import AdaptiveLimit, wait_before, with_retries

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "-3"}, 0),
        ({"retry-after": "86400"}, 120),
        ({"retry-after": formatdate(NOW + 30, usegmt=True)}, 30),
        ({"retry-after": formatdate(NOW - 30, usegmt=True)}, 0),
        ({"retry-after": "later"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_the_time_a_judge_asks_for_is_read_in_all_its_spellings(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.integers(1, 6), st.floats(0, 120), st.floats(0, 1))
def test_never_sooner_than_asked(number, asked, chance):
    assert wait_before(number, asked, chance) >= asked


@given(st.integers(1, 50), st.floats(0, 1))
def test_without_a_word_the_wait_grows_and_is_bounded(number, chance):
    assert 0.25 <= wait_before(number, None, chance) <= 30
    assert wait_before(number + 1, None, chance) >= wait_before(number, None, chance)


async def test_no_place_among_the_calls_is_held_while_waiting():
    limit, held = AdaptiveLimit(3), []

    async def sleep(seconds: float) -> None:
        held.append(limit.in_flight)

    faults = [Fault("busy", status=429), Fault("gone")]

    async def attempt() -> str:
        if faults:
            raise faults.pop()
        return "answer"

    assert await with_retries(attempt, limit, sleep=sleep) == "answer"
    assert held == [0, 0]


async def test_what_does_not_pass_is_raised_at_once():
    async def attempt() -> None:
        raise Fault("no", status=400)

    limit = AdaptiveLimit(8)
    with pytest.raises(Fault) as caught:
        await with_retries(attempt, limit)
    assert caught.value.attempts == 1
    assert limit.current == 8
