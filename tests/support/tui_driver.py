"""Driving the app in tests: keys in, text of the screen out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from textual import events
from textual.app import App
from textual.keys import key_to_character
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from turnwise.conversations.cases import ConversationalTestCase, Turn
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.commands import commands_of
from turnwise.tui.session_lists.session_list import SessionList


def conversation(name: str, *, tag: str = "airline") -> ConversationalTestCase:
    return ConversationalTestCase(
        name=name,
        chatbot_role="An airline's agent",
        tags=[tag],
        turns=[
            Turn(role="user", content=f"{name}, please."),
            Turn(role="assistant", content="Gladly. What is your user id?"),
        ],
    )


async def until(pilot: Pilot[int], true: Callable[[], bool]) -> None:
    """Wait until something is so; the test's own limit is what ends it."""
    for _ in range(400):
        if true():
            return
        await pilot.pause(0.02)
    screen = type(pilot.app.screen).__name__
    raise AssertionError(f"it never came to be; {screen} shows:\n{_shown(pilot.app)}")


def sessions(app: TurnwiseApp) -> SessionList:
    return app.screen.query_one(SessionList)


def current_name(app: TurnwiseApp) -> str:
    row = sessions(app).current
    return row.name if row else ""


def shown(app: TurnwiseApp) -> str:
    """The text on the screen."""
    return _shown(app)


def _shown(app: App[int]) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def words_shown(app: TurnwiseApp) -> str:
    """The words on the screen in a row, wherever a dialog breaks its lines."""
    return " ".join(shown(app).replace("│", " ").split())


async def type_text(pilot: Pilot[int], text: str) -> None:
    await pilot.press(*({" ": "space", ":": "colon", "<": "less_than_sign"}.get(char, char) for char in text))


def commands(app: TurnwiseApp) -> dict[str, Callable[[], Any]]:
    """What the palette offers on the screen in front, by its title with its key."""
    offered = commands_of(app, app, app.screen)
    return {f"{one.title} ({one.key})" if one.key else one.title: one.do for one in offered}


def burst(app: TurnwiseApp, *keys: str) -> None:
    """Send keys as a script does: all of them before the first is answered."""
    for key in keys:
        app.post_message(events.Key(key, key_to_character(key)))


async def settled(pilot: Pilot[int]) -> None:
    """Wait for the threads that read, and for what they tell; one that a newer one replaced is no failure."""
    for _ in range(2):
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after another, each when the one before has been answered."""
    for key in keys:
        await pilot.press(key)
        await settled(pilot)
