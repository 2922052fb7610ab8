"""What a dialog refuses or warns of is in sight in every window, also where the panel has few lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static
from tui_driver import until, words_shown

from turnwise.conversations.errors import SettingError
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.failure_modes.mode_dialogs import ModeEditDialog
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.export_dialog import ExportDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.queues.queue_dialog import QueueDialog

LOW = [(40, 10), (60, 11), (80, 10)]


@pytest.mark.parametrize("size", LOW)
async def test_an_export_warns_in_sight_before_it_writes_over_a_file(
    app: TurnwiseApp, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("shop.jsonl").write_text("mine")
    async with app.run_test(size=size) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        app.screen.query_one(Input).value = "shop.jsonl"
        await pilot.press("enter")
        await until(
            pilot, lambda: "There is a file shop.jsonl already. enter writes over it." in words_shown(app)
        )
        assert app.screen.query_one(Input).region.height == 1
        assert Path("shop.jsonl").read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert Path("shop.jsonl").read_text() != "mine"


async def test_an_export_does_not_write_over_a_file_where_its_warning_has_no_room(
    app: TurnwiseApp, tmp_path: Path
) -> None:
    folder = tmp_path / ("long" * 50) / ("name" * 50)
    folder.mkdir(parents=True)
    target = folder / "shop.jsonl"
    target.write_text("mine")
    async with app.run_test(size=(40, 10)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        dialog = app.screen
        assert isinstance(dialog, ExportDialog)
        dialog.query_one(Input).value = str(target)
        for _ in range(3):
            await pilot.press("enter")
            await until(pilot, lambda: not dialog._at_work and "There is a file" in words_shown(app))
            assert not dialog.shows_what_is_wrong
            assert target.read_text() == "mine"
        # Where there is room for all of it, it is read, and then the file is written over.
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "enter writes over it" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
    assert target.read_text() != "mine"


@pytest.mark.parametrize("size", LOW)
async def test_what_an_import_refuses_is_in_sight(
    app: TurnwiseApp, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.jsonl").write_text("{ not json")
    async with app.run_test(size=size) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        app.screen.query_one("#path", Input).value = "broken.jsonl"
        await pilot.press("enter")
        await until(pilot, lambda: "broken.jsonl is in no format that turnwise can tell" in words_shown(app))
        assert "It should be JSON Lines" in words_shown(app)
        assert app.screen.query_one("#path").region.height == 1
        # The rest is scrolled to, as the line of keys says where it has room.
        await pilot.press("pagedown")
        await until(pilot, lambda: "Tried, and all that there are" in words_shown(app))


@pytest.mark.parametrize("size", LOW)
async def test_what_is_wrong_with_a_name_is_in_sight(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        about = "It is kept with the filter, the order and the columns that are shown now. " * 3
        app.push_screen(app.kept_dialogs.of(NamingDialog, "Keep this filter as", about))
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press("enter")
        await until(pilot, lambda: "Type a name first." in words_shown(app))
        assert app.screen.query_one(Input).region.height == 1
        assert app.screen.query_one(KeyLine).region.height >= 1


@pytest.mark.parametrize("size", LOW)
async def test_what_is_wrong_with_a_queue_and_its_field_are_in_sight(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("Q")
        await until(pilot, lambda: isinstance(app.screen, QueueDialog))
        app.screen.query_one("#size", Input).value = ""
        await pilot.press("enter")
        await until(pilot, lambda: "A queue holds at least one session" in words_shown(app))
        assert "esc cancel" in words_shown(app)
        assert app.screen.query_one("#size").region.height == 1


@pytest.mark.parametrize("size", LOW)
async def test_beside_what_is_wrong_the_field_that_is_typed_into_is_in_sight(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        app.push_screen(app.kept_dialogs.of(ModeEditDialog, "A new failure mode"))
        await until(pilot, lambda: isinstance(app.screen, ModeEditDialog) and bool(app.screen.query(KeyLine)))
        name, definition = (app.screen.query_one(field, Input) for field in ("#name", "#definition"))
        await pilot.press("enter", "enter")
        line = app.screen.query_one(".wrong", Static)
        await until(pilot, lambda: line.region.height > 0 and definition.region.height == 1)
        await pilot.press("tab")
        await until(pilot, lambda: name.has_focus and name.region.height == 1)
        panel = app.screen.query_one("#panel").content_region
        assert panel.contains_region(line.region)
        assert panel.contains_region(name.region)
        await pilot.press("tab")
        await until(pilot, lambda: definition.has_focus and panel.contains_region(definition.region))
        assert panel.contains_region(line.region)


@pytest.mark.parametrize("size", LOW)
async def test_beside_what_is_wrong_the_choice_under_the_cursor_is_in_sight(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("r")
        await until(
            pilot, lambda: isinstance(app.screen, ScoreDialog) and app.screen.choices.current is not None
        )
        dialog = app.screen
        assert isinstance(dialog, ScoreDialog)
        await pilot.press("down", "down")
        dialog.refuse(SettingError("It is wrong", next_step="Mend it."))
        await until(pilot, lambda: "It is wrong" in words_shown(app))
        chosen = dialog.choices.current
        assert chosen is not None
        await until(pilot, lambda: chosen.name in words_shown(app))
