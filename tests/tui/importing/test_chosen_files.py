"""Which file or folder is imported: what the line holds, what the list marks, and what enter does with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from files_to_import import GOOD
from textual.widgets import Input
from tui_driver import sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.importing.import_dialog import ImportDialog
from turnwise.tui.importing.rejections import RejectionsScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList


async def test_it_offers_folders_data_files_and_then_texts(app: TurnwiseApp, folder: Path) -> None:
    (folder / "picture.png").write_text("")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        names = [choice.name for choice in app.screen.query_one(ChoiceList)._choices]
        assert names == ["more/", "broken.json", "mixed.jsonl", "talks.jsonl", "notes.txt"]
        assert "15 bytes, perhaps a transcript" in shown(app)


async def test_the_line_of_keys_says_what_enter_does_with_what_the_cursor_is_on(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "enter open " in shown(app))
        await pilot.press("down")
        await until(pilot, lambda: "enter choose " in shown(app))
        await pilot.press("up", "enter")
        # The folder is empty.
        await until(pilot, lambda: "more/" in shown(app) and "enter open " not in shown(app))
        app.screen.query_one("#path", Input).value = ""
        await until(pilot, lambda: "enter open " in shown(app))
        await pilot.press(*"talks.jsonl")
        await until(pilot, lambda: "enter import " in shown(app))


async def test_two_dots_lead_up_as_the_empty_line_says(app: TurnwiseApp, folder: Path) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: "../ leads up)" in shown(app))
        await pilot.press(*"../")
        await until(pilot, lambda: f"{folder.name}/" in shown(app))


async def test_the_cursor_picks_a_file(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("down", "down", "down", "enter")
        assert app.screen._path.value == "talks.jsonl"  # type: ignore[attr-defined]
        await until(pilot, lambda: "enter imports the file" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 3)


async def test_a_folder_is_imported_with_all_files_in_it(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    for number in range(3):
        case = {"turns": [{"role": "user", "content": f"Where is bag {number}?"}]}
        (folder / "more" / f"{number}.json").write_text(json.dumps(case))
    (folder / "more" / "cat.png").write_bytes(b"\x89PNG\0")
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"more/")
        await until(pilot, lambda: "all files in it" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "imports all files in the folder" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RejectionsScreen) and "3 imported." in shown(app))
        assert "passed over as a picture: 1 file (cat.png)" in shown(app)
        assert store.sessions.count() == 3


async def test_what_the_list_marks_is_chosen_by_enter_in_another_field(
    app: TurnwiseApp, store: Store, folder: Path
) -> None:
    for number in range(3):
        (folder / "more" / f"{number}.json").write_text(json.dumps({**GOOD, "name": f"talk {number}"}))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press(*"more/", "down", "down", "tab")
        path = app.screen.query_one("#path", Input)
        await until(pilot, lambda: app.focused is not path and "enter choose " in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: path.value == "more/1.json" and "enter import " in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 1)
    assert [row.name for row in store.sessions.page()] == ["talk 1"]


async def test_an_empty_line_is_no_file_that_is_missing(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        path = app.screen.query_one("#path", Input)
        await pilot.press("tab")
        await until(pilot, lambda: app.focused is not path and "enter open " in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: path.value == "more/" and app.focused is path)


async def test_the_folder_that_was_imported_from_last_stands_first(
    app: TurnwiseApp, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog))
        await pilot.press("t", "tab", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 3)
        assert app.used.last.folder == str(folder)
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir(tmp_path / "elsewhere")
        await pilot.press("b")
        await until(pilot, lambda: "the last folder" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "talks.jsonl" in shown(app))


async def test_the_folder_of_the_files_is_in_sight(app: TurnwiseApp, folder: Path) -> None:
    async with app.run_test(size=(160, 40)) as pilot:
        await pilot.press("b")
        await until(pilot, lambda: f"in {folder}" in shown(app))
        await pilot.press(*"more/")
        await until(pilot, lambda: f"in {folder}/more" in shown(app))


async def test_one_that_was_made_ahead_shows_the_files_of_now(
    app: TurnwiseApp, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "sessions" in shown(app))
        for _ in app.kept_dialogs.make(ImportDialog, lambda one: one.begin()):
            await pilot.pause()
        made = app.get_screen("kept ImportDialog")
        (folder / "talks.jsonl").unlink()
        (folder / "newest.jsonl").write_text(json.dumps(GOOD))
        app.used.folder(tmp_path)
        await pilot.press("b")
        await until(pilot, lambda: app.screen is made and "newest.jsonl" in shown(app))
        assert "talks.jsonl" not in shown(app)
        assert "the last folder" in shown(app)
        path = made.query_one("#path", Input)
        assert app.focused is path
        await pilot.press(*"nowhere.csv", "enter")
        await until(pilot, lambda: "There is no file nowhere.csv." in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        monkeypatch.chdir(folder / "more")
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.screen, ImportDialog) and "more" in shown(app))
        assert "There is no file" not in shown(app)
        assert app.screen.query_one("#path", Input).value == ""
        assert "newest.jsonl" not in shown(app)
