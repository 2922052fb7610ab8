"""The workbench of criteria as tests open it: on sessions of a test, and one criterion in a file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from criterion_sessions import knows_manners
from judge_server import JudgeServer
from textual.pilot import Pilot
from textual.widgets import TextArea
from tui_driver import type_text, until

from turnwise.conversations.store import Store
from turnwise.engine.models.settings import ModelSettings
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.criteria.criteria_screen import CriteriaScreen

POLITE = "# ours\nname: Polite\ncriteria: Stays polite.\nsteps:\n  - Be lenient.\nthreshold: 0.7\n"


def app_on(store: Store, server: JudgeServer | None = None) -> TurnwiseApp:
    app = TurnwiseApp(store)
    if server is not None:
        app.judge.take(ModelSettings(base_url=knows_manners(server).url, model="scripted-1"))
    return app


def bench(app: TurnwiseApp) -> CriteriaScreen:
    assert isinstance(app.screen, CriteriaScreen)
    return app.screen


async def opened(pilot: Pilot[int], app: TurnwiseApp, count: int) -> CriteriaScreen:
    await pilot.press("5")
    await until(pilot, lambda: isinstance(app.screen, CriteriaScreen))
    await until(pilot, lambda: len(bench(app).written.items) == count)
    return bench(app)


@asynccontextmanager
async def workbench(
    store: Store, server: JudgeServer | None = None, *, text: str = POLITE
) -> AsyncIterator[tuple[Pilot[int], TurnwiseApp, CriteriaScreen]]:
    """The workbench on one criterion in a file."""
    Path("polite.yaml").write_text(text)
    app = app_on(store, server)
    async with app.run_test(size=(120, 40)) as pilot:
        yield pilot, app, await opened(pilot, app, 1)


async def write(pilot: Pilot[int], screen: CriteriaScreen, field: str, text: str) -> None:
    screen.query_one(f"#{field}", TextArea).focus()
    await pilot.press("end")
    await type_text(pilot, text)
