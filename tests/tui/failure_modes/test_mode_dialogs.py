"""The dialog that gives a session failure modes: typed, toggled, and named on the way."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from lock_holder import held
from stored import keep
from textual.pilot import Pilot
from tui_driver import shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.failure_modes.mode_dialogs import ModeDialog, choose_modes
from turnwise.tui.settings.settings import Settings, author_of


@pytest.fixture
def session(store: Store) -> int:
    """A session without a failure mode."""
    return keep(store)


@asynccontextmanager
async def an_app(
    store: Store, size: tuple[int, int] = (120, 30)
) -> AsyncIterator[tuple[TurnwiseApp, Pilot[int]]]:
    """The app on its library."""
    app = TurnwiseApp(store)
    app.judge.chosen = True
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def code(store: Store) -> None:
    """Name two modes."""
    store.modes.add("Asks again", "It asks for what it was told.", "mia")
    store.modes.add("Invents", "It states what nobody gave it.", "ben")


def names(store: Store, session: int) -> list[str]:
    return [one.name for one in store.modes.of(session)]


async def test_a_session_is_given_modes_at_a_turn(store: Store, session: int) -> None:
    code(store)
    told: list[bool] = []
    async with an_app(store, (80, 24)) as (app, pilot):
        choose_modes(app, session, 4, told.append)
        await until(pilot, lambda: isinstance(app.screen, ModeDialog) and "no failure mode yet" in shown(app))
        assert "Failure modes at turn 4 of the session" in shown(app)
        await pilot.press(*"inv", "enter")
        await until(pilot, lambda: "It has: Invents at turn 4" in shown(app))
        # A number alone was taken for how often it was given.
        assert "✓ turn 4" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: names(store, session) == [])
        await pilot.press("enter")
        await until(pilot, lambda: names(store, session) == ["Invents"])
        await pilot.press(*"asks", "space", *"Again", "enter", "escape")
        await until(pilot, lambda: told == [True])
        assert sorted(names(store, session)) == ["Asks again", "Invents"]
        assert len(store.modes.all()) == 2


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_somebody_else_gave_is_not_ticked_as_ones_own(
    store: Store, session: int, size: tuple[int, int]
) -> None:
    code(store)
    store.modes.assign([session], store.modes.find("Asks again").id, "ben", turn=2)
    store.modes.assign([session], store.modes.find("Invents").id, author_of(Settings()), turn=4)
    async with an_app(store, size) as (app, pilot):
        choose_modes(app, session, 4)
        await until(pilot, lambda: isinstance(app.screen, ModeDialog) and "Asks again" in shown(app))
        lines = shown(app).splitlines()
        theirs, mine = (
            next(line for line in lines if name in line and "It" in line) for name in ("Asks", "Invents")
        )
        assert "○ turn 2  Asks again  by ben · It asks" in theirs
        assert "✓ turn 4" in mine
        assert "by ben" not in mine


async def test_what_somebody_else_gave_is_given_too_and_only_ones_own_is_taken_back(
    store: Store, session: int
) -> None:
    code(store)
    me = author_of(Settings())
    store.modes.assign([session], store.modes.find("Asks again").id, "ben", turn=2)
    async with an_app(store, (80, 24)) as (app, pilot):
        choose_modes(app, session, 4)
        await until(
            pilot, lambda: isinstance(app.screen, ModeDialog) and "○ turn 2  Asks again" in shown(app)
        )
        told = "○ given by ben: enter gives it in your name too, and theirs stays."
        await until(pilot, lambda: told in words_shown(app))
        await until(pilot, lambda: "enter give it too" in shown(app))
        await pilot.press(*"asks", "enter")
        await until(pilot, lambda: "✓ turn 4  Asks again" in shown(app))
        assert [one.givers for one in store.modes.of(session)] == [("ben", me)]
        await until(pilot, lambda: "enter take it back" in shown(app))
        await pilot.press("down")
        await until(pilot, lambda: "enter give it " in shown(app))
        await pilot.press(*"Rude")
        await until(pilot, lambda: "enter name and give it" in shown(app))
        await pilot.press(*["backspace"] * 4)
        await pilot.press(*"asks", "enter")
        await until(pilot, lambda: "○ turn 2  Asks again" in shown(app))
        assert [one.givers for one in store.modes.of(session)] == [("ben",)]


async def test_what_somebody_else_gave_is_not_shown_to_whom_labels_are_hidden(
    store: Store, session: int
) -> None:
    code(store)
    store.modes.assign([session], store.modes.find("Asks again").id, "ben", turn=2)
    async with an_app(store, (80, 24)) as (app, pilot):
        choose_modes(app, session, 4, blind=True)
        await until(pilot, lambda: isinstance(app.screen, ModeDialog) and "Asks again" in shown(app))
        assert "ben" not in shown(app)
        assert "turn 2" not in shown(app)


@pytest.mark.parametrize("typed", ["Invents", "Rude"])
async def test_a_mode_that_cannot_be_written_is_told_and_the_dialog_goes_on(
    store: Store, session: int, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    code(store)
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    with store.impatient():
        async with an_app(store, (80, 24)) as (app, pilot):
            choose_modes(app, session)
            await until(pilot, lambda: "no failure mode yet" in shown(app))
            with held(store.path):
                await pilot.press(*typed, "enter")
                await until(pilot, lambda: "in use by another program" in shown(app))
            await pilot.press("enter")
            await until(pilot, lambda: f"It has: {typed}" in shown(app))
            assert "in use by another program" not in shown(app)


async def test_a_new_mode_is_given_at_once_and_may_be_defined_later(store: Store, session: int) -> None:
    told: list[bool] = []
    async with an_app(store) as (app, pilot):
        choose_modes(app, session, None, told.append)
        await until(pilot, lambda: isinstance(app.screen, ModeDialog) and "of the session" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "Type a name first" in shown(app))
        await pilot.press(*"Rude", "enter")
        await until(pilot, lambda: "It has: Rude" in shown(app))
        assert "no definition yet" in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: told == [True])
        [mode] = store.modes.all()
        assert (mode.name, mode.definition) == ("Rude", "")
