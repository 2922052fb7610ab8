"""How many keys the usual work takes, text not counted: what is done all day has to be at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from scored_sessions import add_outcomes, add_talk, retention
from textual.pilot import Pilot
from tui_driver import shown, type_text, until

from turnwise.conversations.store import Store
from turnwise.tui.actions import Place
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.queue_end import QueueEndDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings

QUEUED, FAILING = 20, 9
MOST_KEYS = 70
MODES = ("asks again", "is rude", "makes it up")
NOTE = "oh no"


@dataclass
class CountingReviewer:
    """Presses keys as the registry has them, by the names of their actions, and counts them."""

    pilot: Pilot[int]
    app: TurnwiseApp
    keys: int = 0

    async def does(self, *names: str) -> None:
        """Do actions of the screen that is there, each by its first key."""
        for name in names:
            place: Place = self.app.place
            [action] = [one for one in self.app.actions[place] if one.name == name]
            await self.presses(action.keys[0])

    async def presses(self, *keys: str) -> None:
        for key in keys:
            self.keys += 1
            await self.pilot.press(key)

    async def writes(self, text: str) -> None:
        await type_text(self.pilot, text)

    async def sees(self, text: str) -> None:
        await until(self.pilot, lambda: text in shown(self.app))


def fill(store: Store, sessions: int) -> list[int]:
    """Store conversations with scores, and the modes that are known of them."""
    ids = [add_talk(store, name=f"Talk {number}") for number in range(sessions)]
    for one in ids:
        add_outcomes(store, one, retention(4))
    for name in MODES:
        store.modes.add(name, "", "mia")
    return ids


def is_there(screen: ReviewScreen, session: int) -> bool:
    """Whether a session can be judged: it is read, with the modes that are near it."""
    there = screen.session_id == session and screen.labels.is_read and screen.walk.near is not None
    return there and screen.query_one(NearModesLine).mode_at(1) is not None


async def test_twenty_conversations_are_labelled_in_seventy_keys_and_the_words(store: Store) -> None:
    ids = fill(store, 30)[:QUEUED]
    store.queues.add("friday", ids, sampler="random")
    app = TurnwiseApp(store, settings=Settings(author="mia"))
    async with app.run_test(size=(120, 36)) as pilot:
        mia = CountingReviewer(pilot, app)
        app.open_queue(1)
        await mia.sees("0 of 20 done")
        for place in range(QUEUED):
            screen = app.screen
            assert isinstance(screen, ReviewScreen)
            await until(pilot, partial(is_there, screen, ids[place]))
            if place % 2 and place < 2 * FAILING:
                # To the turn that fails, a mode that is known, and a note: it goes on by itself.
                await mia.does("cursor_down", "label_fail")
                await mia.presses(str(place % 3 + 1))
                await mia.does("note")
                await mia.writes(NOTE)
                await mia.presses("enter")
            else:
                await mia.does("label_pass")
        await until(pilot, lambda: isinstance(app.screen, QueueEndDialog))
        await mia.sees("20 of 20 done   11 ✓ pass   9 ✗ fail")
        assert mia.keys <= MOST_KEYS, mia.keys
    labels = [store.labels.of(one)[-1] for one in ids]
    assert [label.label for label in labels].count("pass") == QUEUED - FAILING
    failed = [label for label in labels if label.label == "fail"]
    assert [(label.turn, label.note) for label in failed] == [(2, NOTE)] * FAILING
    assert all(len(store.modes.of(label.session_id)) == 1 for label in failed)
    assert all(label.blind for label in labels)


async def test_a_queue_of_twenty_is_made_in_six_keys(store: Store) -> None:
    fill(store, 30)
    app = TurnwiseApp(store, settings=Settings(author="mia"))
    async with app.run_test(size=(120, 36)) as pilot:
        mia = CountingReviewer(pilot, app)
        await mia.does("queues")
        await mia.sees("new: random")
        await mia.presses("tab", "ctrl+u")
        await mia.writes("20")
        await mia.presses("enter")
        await mia.sees("0 of 20 done")
        assert mia.keys <= 6
