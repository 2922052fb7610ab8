"""What becomes of the text of a criterion: steps that are drafted, what is saved, and what is dropped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from judge_server import JudgeServer
from textual.widgets import TextArea
from tui_driver import until
from workbench import POLITE, app_on, opened, workbench, write

from turnwise.conversations.store import Store
from turnwise.tui.criteria.criterion_editor import CriterionEditor
from turnwise.tui.criteria.listed_criteria import ListedCriterion
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.question_dialog import QuestionDialog

pytestmark = pytest.mark.usefixtures("folder")


async def test_steps_are_drafted_and_undo_brings_mine_back(talks: Store, judge_server: JudgeServer) -> None:
    async with workbench(talks, judge_server) as (pilot, _, screen):
        steps = screen.query_one("#steps", TextArea)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: steps.text == "Find what the assistant says.\nJudge its tone.")
        await until(pilot, lambda: screen.written.items[0].edited)
        steps.focus()
        await pilot.press("ctrl+z")
        assert steps.text == "Be lenient."


async def test_what_is_not_saved_is_asked_about(talks: Store, folder: Path) -> None:
    async with workbench(talks) as (pilot, app, screen):
        await write(pilot, screen, "words", " Always.")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, QuestionDialog))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("q", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert (folder / "polite.yaml").read_text() == POLITE.replace("polite.", "polite. Always.")


async def test_changes_are_dropped_where_that_is_said(talks: Store, folder: Path) -> None:
    async with workbench(talks) as (pilot, app, screen):
        await write(pilot, screen, "words", " Always.")
        await pilot.press("escape", "u", "enter")
        assert screen.query_one(CriterionEditor).form.criteria == "Stays polite. Always."
        await pilot.press("u", "j", "enter")
        await until(pilot, lambda: not screen.written.items[0].edited)
        assert screen.query_one(CriterionEditor).form.criteria == "Stays polite."
        await write(pilot, screen, "words", " Never.")
        await pilot.press("escape", "q", "j", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert (folder / "polite.yaml").read_text() == POLITE


async def test_steps_that_are_drafted_when_another_criterion_is_in_the_editor_go_to_their_own(
    talks: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("other.yaml").write_text(POLITE.replace("Polite", "Other"))
    Path("polite.yaml").write_text(POLITE)
    app, go_on = app_on(talks), asyncio.Event()

    async def drafted(item: ListedCriterion) -> list[str]:
        await go_on.wait()
        return [f"Steps of {item.name}."]

    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, app, 2)
        monkeypatch.setattr(screen.trying, "drafted_steps", drafted)
        first, second = (item.name for item in screen.written.items)
        await pilot.press("ctrl+r", "j")
        assert screen.item is not None
        assert screen.item.name == second
        go_on.set()
        await until(pilot, lambda: screen.written.items[0].form.steps == f"Steps of {first}.")
        assert not screen.written.items[1].edited
        assert screen.query_one("#steps", TextArea).text == "Be lenient."


async def test_all_that_is_not_saved_is_saved_before_one_leaves(talks: Store, folder: Path) -> None:
    for name in ("Other", "Polite"):
        Path(f"{name}.yaml").write_text(POLITE.replace("Polite", name))
    app = app_on(talks)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await opened(pilot, app, 2)
        await write(pilot, screen, "words", " Always.")
        await pilot.press("escape", "j")
        await write(pilot, screen, "words", " Never.")
        await until(pilot, lambda: screen.written.unsaved == [0, 1])
        await pilot.press("escape", "q")
        await until(pilot, lambda: isinstance(app.screen, QuestionDialog))
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    saved = sorted(one.read_text().splitlines()[2] for one in folder.glob("*.yaml"))
    assert saved == ["criteria: Stays polite. Always.", "criteria: Stays polite. Never."]
