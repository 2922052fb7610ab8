"""What is waited for is told once it takes a while, and in the seconds that it took."""

from __future__ import annotations

import asyncio

import pytest
from judge_server import JudgeServer, Step
from judged import asks_score, judge_at
from set_clock import Clock
from waiting import until

from turnwise.conversations.errors import JudgeUnavailableError
from turnwise.engine.models.waits import Waits


@pytest.fixture
def clock() -> Clock:
    return Clock(1000.0)


def test_nothing_is_said_where_nothing_is_asked(clock: Clock) -> None:
    waits = Waits(clock)
    clock.now += 1000
    assert waits.words("judge") == ""


def test_silence_is_told_in_seconds_from_the_tenth_on(clock: Clock) -> None:
    waits = Waits(clock)
    with waits.call():
        clock.now += 9
        assert waits.words("judge") == ""
        clock.now += 3
        assert waits.words("judge") == "the judge: no answer for 12 s yet"
        waits.failed("HTTP 503: down\nmore", 0.0)
        clock.now += 30
        assert waits.words("chatbot") == "the chatbot: no answer for 42 s yet (HTTP 503: down)"
        waits.answered()
        assert waits.words("judge") == ""
    assert waits.words("judge") == ""


def test_one_slow_call_beside_others_that_are_answered_is_no_silence(clock: Clock) -> None:
    waits = Waits(clock)
    with waits.call():
        for _ in range(10):
            with waits.call():
                clock.now += 6
                waits.answered()
        assert waits.words("judge") == ""


def test_a_wait_that_is_asked_for_is_told_with_what_is_left_of_it(clock: Clock) -> None:
    waits = Waits(clock)
    with waits.call():
        waits.failed("Rate limit reached", 120.0)
        waits.failed("Rate limit reached", 2.0)
        clock.now += 30
        assert waits.words("judge") == "the judge asks to wait 120 s, 90 s left"


async def test_a_judge_that_hangs_is_told_while_it_hangs_and_given_up_as_its_settings_say(
    judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.engine.models.waits.QUIET_SECONDS", 0.1)
    judge_server.default = Step(do="hang")
    async with judge_at(judge_server, timeout=0.4, tries=2) as judge:
        assert judge.waiting == ""
        asking = asyncio.create_task(judge.ask(asks_score()))
        await until(lambda: judge.waiting)
        assert judge.waiting.startswith("the judge: no answer for ")
        with pytest.raises(JudgeUnavailableError, match=r"\(2 tries\)\nno answer within 0\.4 s"):
            await asking
        assert judge.waiting == ""
    assert len(judge_server.requests) == 2
