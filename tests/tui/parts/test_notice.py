"""What is said in passing goes with the screen and the session it was said of."""

from __future__ import annotations

from reviewing import press, reviewing, told
from scored_sessions import add_outcomes, add_talk, retention

from turnwise.conversations.store import Store
from turnwise.tui.review.review_screen import ReviewScreen

SHOWN = "Scores shown: a label given now counts as not blind."
SIZE = (120, 30)


async def test_a_note_goes_when_another_session_is_read(store: Store) -> None:
    first, second = (add_talk(store, name=name) for name in ("One", "Two"))
    for one in (first, second):
        add_outcomes(store, one, retention(4))
    async with reviewing(store, second, SIZE) as (screen, pilot):
        await press(pilot, "s")
        assert told(pilot) == [SHOWN]
        await press(pilot, "J")
        assert screen.session_id == first
        assert told(pilot) == []


async def test_a_note_goes_when_its_screen_is_left_or_another_opens_over_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, SIZE) as (_, pilot):
        await press(pilot, "s")
        assert told(pilot) == [SHOWN]
        await press(pilot, "question_mark")
        assert told(pilot) == []
        await press(pilot, "escape", "X")
        assert "Who failed goes with a fail" in told(pilot)[0]
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ReviewScreen)
        assert told(pilot) == []


async def test_what_is_said_as_another_screen_opens_is_told_on_that(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, SIZE) as (_, pilot):
        await press(pilot, "R")
        assert told(pilot) == [SHOWN]
