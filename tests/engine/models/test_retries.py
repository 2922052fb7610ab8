"""Retries keep to the judge's pace and end."""

from __future__ import annotations

from email.utils import formatdate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.models.faults import Fault, retry_after
from turnwise.engine.models.limits import AdaptiveLimit, RetryLimits, wait_before, with_retries

NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "86400"}, 86400),
        ({"retry-after": formatdate(NOW + 30, usegmt=True)}, 30),
        ({"retry-after": formatdate(NOW - 30, usegmt=True)}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
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


class Failing:
    """Fails with a fault each time, and keeps how long was waited between."""

    def __init__(self, **fault: object) -> None:
        self.fault = fault
        self.tries = 0
        self.waits: list[float] = []

    async def __call__(self) -> None:
        self.tries += 1
        raise Fault("no", **self.fault)  # type: ignore[arg-type]

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def given_up(self, patience: RetryLimits) -> Fault:
        with pytest.raises(Fault) as caught:
            await with_retries(self, AdaptiveLimit(8), patience=patience, sleep=self.sleep)
        return caught.value


async def test_a_call_is_tried_as_often_as_there_is_patience_for():
    failing = Failing(status=503)
    fault = await failing.given_up(RetryLimits(tries=3))
    assert (failing.tries, fault.attempts, len(failing.waits)) == (3, 3, 2)


async def test_a_wait_that_was_over_already_is_no_reason_to_hurry():
    asked = retry_after({"retry-after": "0"}, NOW)
    failing = Failing(status=429, retry_after=asked)
    await failing.given_up(RetryLimits())
    assert failing.tries == 6
    assert sum(failing.waits) >= 0.25 + 0.5 + 1 + 2 + 4


async def test_a_model_that_asks_for_too_long_a_wait_is_not_asked_again_and_holds_up_nobody():
    limit, failing = AdaptiveLimit(8), Failing(status=429, retry_after=999_999.0)
    with pytest.raises(Fault) as caught:
        await with_retries(failing, limit, patience=RetryLimits(longest_wait=60), sleep=failing.sleep)
    assert (failing.tries, failing.waits) == (1, [])
    assert caught.value.kind == "asks to wait"
    assert caught.value.message == "no\nit asks to wait 999,999 s; 60 s are waited at most"
    async with limit.slot():
        assert limit.in_flight == 1


async def test_a_wait_that_is_allowed_is_waited_for_to_its_end():
    failing = Failing(status=429, retry_after=0.9)
    await failing.given_up(RetryLimits(tries=2, longest_wait=0.9))
    assert failing.tries == 2
    assert failing.waits[0] >= 0.9


async def test_where_nothing_listens_on_this_machine_a_call_is_tried_once_more_and_soon():
    failing = Failing(nobody_here=True)
    fault = await failing.given_up(RetryLimits())
    assert (failing.tries, fault.attempts) == (2, 2)
    assert sum(failing.waits) <= 0.5


async def test_one_that_may_be_tried_once_is_tried_once_there_too():
    failing = Failing(nobody_here=True)
    await failing.given_up(RetryLimits(tries=1))
    assert (failing.tries, failing.waits) == (1, [])
