"""Labels go into a file and come in again, from Agreement and from the queues."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scored_sessions import BareApp
from stored import keep
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import settled, shown, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.agreement.agreement_screen import AgreementScreen
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.queues.queues_screen import QueuesScreen


def told(pilot: Pilot[Any]) -> str:
    return "\n".join(f"{one.title} {one.message}" for one in pilot.app._notifications)


async def name(pilot: Pilot[Any], key: str, path: str) -> None:
    """Press a key that asks for a path, and give one."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(pilot.app.screen, NamingDialog))
    pilot.app.screen.query_one(Input).value = path
    await pilot.press("enter")


@pytest.mark.parametrize("screen", [AgreementScreen, QueuesScreen])
async def test_what_is_written_here_is_taken_in_there_with_its_history(
    tmp_path: Path, screen: Callable[[], Any]
) -> None:
    histories = []
    for database in ("one.db", "other.db"):
        with Store.open(tmp_path / database) as store:
            session = keep(store, "Where is my bag?", "In Oslo.", name="bag")
            if database == "one.db":
                store.labels.add(session, "pass", author="ada", blind=True)
                store.labels.add(session, "fail", author="ada", note="no", at_fault="tool", blind=True)
            app = BareApp(store)
            async with app.run_test(size=(120, 40)) as pilot:
                await app.push_screen(AgreementScreen() if database == "one.db" else screen())
                await settled(pilot)
                path = str(tmp_path / "labels.csv")
                if database == "one.db":
                    await name(pilot, "e", path)
                    await until(pilot, lambda: "2 labels in" in told(pilot))
                else:
                    await name(pilot, "b", path)
                    await until(pilot, lambda: "2 new labels of 1 session by ada." in told(pilot))
            rows = store.labels.of(session)
            histories.append([(one.label, one.author, one.note, one.at_fault) for one in rows])
    assert histories[0] == histories[1] == [("pass", "ada", "", None), ("fail", "ada", "no", "tool")]


async def test_a_file_that_is_there_is_not_written_over_and_one_that_is_not_is_told(
    store: Store, tmp_path: Path
) -> None:
    session = keep(store, "Where is my bag?", "In Oslo.")
    store.labels.add(session, "pass", author="ada", blind=True)
    (tmp_path / "labels.csv").write_text("mine")
    app = BareApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(AgreementScreen())
        await settled(pilot)
        await name(pilot, "e", str(tmp_path / "labels.csv"))
        await until(pilot, lambda: "There is a file" in shown(pilot.app))
        # What was typed stays there to be mended.
        assert pilot.app.screen.query_one(Input).value == str(tmp_path / "labels.csv")
        assert "enter write" in shown(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, AgreementScreen))
        await name(pilot, "b", str(tmp_path / "none.csv"))
        await until(pilot, lambda: "No such file or directory" in shown(pilot.app))
        assert "enter bring in" in shown(pilot.app)
    assert (tmp_path / "labels.csv").read_text() == "mine"


async def test_it_says_that_a_path_is_asked_for(store: Store) -> None:
    keep(store, "Where is my bag?", "In Oslo.")
    app = BareApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(AgreementScreen())
        await settled(pilot)
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        assert app.screen.query_one(Input).placeholder == "(path)"
        await pilot.press("enter")
        await until(pilot, lambda: "Type a path first." in words_shown(app))
