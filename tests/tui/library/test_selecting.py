"""Several sessions at once: selected, tagged, given failure modes, exported, judged."""

from __future__ import annotations

from pathlib import Path

import pytest
from lock_holder import held
from stored import land, score
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import sessions, shown, until, words_shown

from turnwise.conversations.exports import EXPORTS
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.failure_modes.mode_dialogs import ModePickDialog
from turnwise.tui.importing.path_choices import from_home
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.export_dialog import ExportDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.library.tags_dialog import TagsDialog
from turnwise.tui.parts.choice_list import ChoiceList

SIZES = [(80, 24), (160, 50)]


@pytest.mark.parametrize("size", SIZES)
async def test_sessions_are_selected_by_keys(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("space")
        assert "1 selected" in shown(app)
        assert sessions(app).cursor == 1
        await pilot.press("G", "v")
        await until(pilot, lambda: "3 selected" in shown(app))
        assert shown(app).count("●") == 3
        await pilot.press("space")
        assert "2 selected" in shown(app)
        await pilot.press("escape")
        assert "2 selected" not in shown(app)
        await pilot.press("a")
        await until(pilot, lambda: "3 selected" in shown(app))


async def test_sessions_are_selected_by_the_mouse(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        listed = sessions(app)
        await pilot.click(listed, offset=(1, 2))
        await until(pilot, lambda: "1 selected" in shown(app))
        await pilot.click(listed, offset=(20, 4), shift=True)
        await until(pilot, lambda: "3 selected" in shown(app))
        await pilot.click(listed, offset=(20, 3), control=True)
        await until(pilot, lambda: "2 selected" in shown(app))
        await pilot.click(listed, offset=(20, 2))
        assert "2 selected" in shown(app)


async def test_the_selection_outlives_a_filter_and_is_left_before_it(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("space", "slash")
        app.screen.query_one(Input).value = "baggage"
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("enter", "space")
        assert "2 selected" in shown(app)
        await pilot.press("escape")
        assert "2 selected" not in shown(app)
        assert sessions(app).count == 1
        await pilot.press("escape")
        await until(pilot, lambda: sessions(app).count == 3)


async def _select_two_and_filter_the_third(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await pilot.press("space", "space", "slash")
    app.screen.query_one(Input).value = names(app)[2]
    await until(pilot, lambda: sessions(app).count == 1)
    await pilot.press("enter")
    await until(pilot, lambda: "2 selected, 2 not in this list" in shown(app))


def names(app: TurnwiseApp) -> list[str]:
    return [row.name for row in app.store.sessions.page()]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("few", [5_000, 0])
async def test_the_head_says_how_many_selected_ones_the_list_does_not_show(
    app: TurnwiseApp, size: tuple[int, int], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where many are selected it is found in a thread.
    monkeypatch.setattr("turnwise.tui.library.select_keys.FEW", few)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: sessions(app).count == 3)
        await _select_two_and_filter_the_third(app, pilot)
        # What is selected here is in this list.
        await pilot.press("space")
        assert "3 selected, 2 not in this list" in shown(app)
        await pilot.press("slash")
        app.screen.query_one(Input).value = ""
        await until(pilot, lambda: "3 selected" in shown(app) and "not in this list" not in shown(app))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("D", "Forget 2 sessions?"),
        ("t", "Tags of 2 sessions"),
        ("m", "Give a failure mode to 2 sessions"),
        ("e", "Export 2 sessions as"),
        ("r", "Score 2 sessions by"),
        ("f5", "Score 2 sessions again"),
    ],
)
async def test_what_is_done_to_the_selection_names_those_that_the_list_does_not_show(
    app: TurnwiseApp, size: tuple[int, int], key: str, title: str
) -> None:
    for session in app.store.sessions.ids():
        # What has no scores is not scored again.
        land(app.store, session, score(0.9))
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: sessions(app).count == 3)
        await _select_two_and_filter_the_third(app, pilot)
        await pilot.press(key)
        await until(pilot, lambda: title in words_shown(app))
        words = words_shown(app)
        assert "None of them is in this list: “" in words
        assert all(f"“{name}”" in words for name in names(app)[:2])
        assert "esc in the library unselects all" in words
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        # What the next one is about is all in the list.
        await pilot.press("escape", key)
        await until(pilot, lambda: not isinstance(app.screen, LibraryScreen))
        assert "in this list" not in words_shown(app)


async def test_a_queue_says_that_it_is_made_of_what_the_list_does_not_show(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).count == 3)
        await _select_two_and_filter_the_third(app, pilot)
        await pilot.press("Q")
        await until(pilot, lambda: "among the 2 selected (2 of them not in this list)" in words_shown(app))


@pytest.mark.parametrize(("key", "title"), [("D", "Forget “{}”?"), ("t", "Tags of {}")])
async def test_the_one_that_is_selected_is_named_and_not_the_one_under_the_cursor(
    app: TurnwiseApp, key: str, title: str
) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).count == 3)
        await pilot.press("space", key)
        await until(pilot, lambda: title.format(names(app)[0]) in words_shown(app))


@pytest.mark.parametrize("size", SIZES)
async def test_tags_are_given_taken_and_taken_back(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "3 selected" in shown(app))
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, TagsDialog) and "3 sessions in all" in shown(app))
        await pilot.press(*"vip", "enter")
        await until(pilot, lambda: app.store.tags.counts() == {"airline": 3, "vip": 3})
        await until(pilot, lambda: "vip: given to 3" in shown(app))
        await pilot.press(*"ai", "tab")
        assert app.screen.query_one(Input).value == "airline"
        await pilot.press("enter")
        await until(pilot, lambda: app.store.tags.counts() == {"vip": 3})
        await until(pilot, lambda: "airline: taken from 3" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.press("u")
        await until(pilot, lambda: app.store.tags.counts() == {"airline": 3, "vip": 3})
        await pilot.press("u")
        await until(pilot, lambda: app.store.tags.counts() == {"airline": 3})


async def test_a_tag_that_cannot_be_written_is_told_and_the_dialog_goes_on(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turnwise.conversations.store.database.IMPATIENT_SECONDS", 0.05)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: "in all" in shown(app))
        with held(app.store.path):
            await pilot.press(*"vip", "enter")
            await until(pilot, lambda: "in use by another program" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: "vip: given to 1" in shown(app))
        assert "in use by another program" not in shown(app)
        with held(app.store.path):
            await pilot.press(*"new", "enter")
            await until(pilot, lambda: "in use by another program" in shown(app))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_a_tag_of_the_session_under_the_cursor_is_clicked(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("j", "t")
        await until(
            pilot, lambda: "Tags of Upgrade with a certificate" in shown(app) and "airline" in shown(app)
        )
        lines = shown(app).split("\n")
        y = next(y for y, text in enumerate(lines) if "in all" in text)
        await pilot.click(offset=(lines[y].index("airline"), y))
        await until(pilot, lambda: app.store.tags.counts() == {"airline": 2})


async def test_a_failure_mode_is_given_to_all_that_are_selected(app: TurnwiseApp) -> None:
    mode = app.store.modes.add("asks again", "It asks for what it knows.", "ann")
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: "3 selected" in shown(app))
        await pilot.press("m")
        await until(pilot, lambda: isinstance(app.screen, ModePickDialog))
        await pilot.press("enter")
        await until(pilot, lambda: app.store.sessions.count('mode:"asks again"') == 3)
        await until(pilot, lambda: "Given to 3 sessions." in [one.message for one in app._notifications])
    assert mode


@pytest.mark.parametrize("size", SIZES)
async def test_an_export_writes_what_is_selected(
    app: TurnwiseApp, size: tuple[int, int], tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    async with app.run_test(size=size) as pilot:
        await pilot.press("space", "space", "e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        assert "Export 2 sessions as" in shown(app)
        # All formats have room, also in a small window.
        assert app.screen.choices.max_scroll_y == 0
        field = app.screen.query_one(Input)
        assert field.value == "turnwise-export.jsonl"
        await pilot.press("down")
        await until(pilot, lambda: field.value == "turnwise-export.html")
        await pilot.press("up")
        field.value = str(target)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert len(target.read_text().splitlines()) >= 2
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        app.screen.query_one(Input).value = str(target)
        await pilot.press("enter")
        await until(pilot, lambda: "enter writes over it" in words_shown(app))
        # What is said takes the room of the formats, not that of the keys.
        assert "enter export" in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


@pytest.mark.parametrize("place", range(len(EXPORTS)), ids=list(EXPORTS))
async def test_a_selection_is_written_in_every_form_and_nothing_is_written_over_unasked(
    app: TurnwiseApp, place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, ending = [(export.name, export.ending) for export in EXPORTS.values()][place]
    if name == "parquet":
        pytest.importorskip("pyarrow")
    target = Path(f"turnwise-export{ending}")
    target.write_text("mine")
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("space", "space", "e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        await pilot.press(*["down"] * place)
        await until(pilot, lambda: app.screen.query_one(Input).value == target.name)
        await pilot.press("enter")
        await until(pilot, lambda: "enter writes over it" in shown(app))
        assert target.read_text() == "mine"
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert any("2 sessions exported" in note.message for note in app._notifications)
    assert target.read_bytes() not in (b"", b"mine")


async def test_an_export_that_is_stopped_leaves_no_file(
    app: TurnwiseApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.jsonl"
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        dialog = app.screen
        assert isinstance(dialog, ExportDialog)
        app.screen.query_one(Input).value = str(target)
        # As if esc had come at the first session.
        monkeypatch.setattr(dialog._stop, "clear", dialog._stop.set)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert not target.exists()


async def test_an_export_that_cannot_be_says_why(app: TurnwiseApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        app.screen.query_one(Input).value = str(tmp_path / "none" / "out.jsonl")
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one(".wrong").display)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_the_selected_ones_are_judged(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("space", "space", "r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog))
        assert "Score 2 sessions by" in shown(app)


async def test_an_export_says_in_which_folder_the_file_will_be(app: TurnwiseApp, tmp_path: Path) -> None:
    async with app.run_test(size=(160, 24)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, ExportDialog))
        await until(pilot, lambda: f"in {from_home(Path.cwd())}"[:60] in shown(app))
        app.screen.query_one(Input).value = str(tmp_path / "kept.jsonl")
        await until(pilot, lambda: f"in {tmp_path}"[:60] in shown(app))
        app.screen.query_one(Input).value = "~nobody/kept.jsonl"
        await until(pilot, lambda: "~nobody" in shown(app))


async def test_an_export_that_is_asked_for_again_has_nothing_of_the_last_time(
    app: TurnwiseApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "there.json"
    there.write_text("kept")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.library.list.count == 3)
        await pilot.press("space", "e")
        await until(pilot, lambda: "Export 1 session as" in shown(app))
        dialog = app.screen
        field = dialog.query_one(Input)
        await pilot.press("down")
        field.value = str(there)
        await pilot.press("enter")
        await until(pilot, lambda: "already" in words_shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await pilot.press("escape")
        await until(pilot, lambda: not app.library.list.selection)
        monkeypatch.chdir(tmp_path)
        await pilot.press("e")
        await until(pilot, lambda: app.screen is dialog and "Export 3 sessions as" in shown(app))
        assert "already" not in words_shown(app)
        assert tmp_path.name in words_shown(app)
        choices = dialog.query_one(ChoiceList)
        assert choices.highlighted == 0
        assert field.value.startswith("turnwise-export.")
        # What was refused in the dialog before is asked about anew.
        field.value = str(there)
        await pilot.press("enter")
        await until(pilot, lambda: "already" in words_shown(app))
        assert there.read_text() == "kept"


async def test_before_a_short_list_is_scored_it_is_said_how_to_label_it_blind(app: TurnwiseApp) -> None:
    blind = "To label blind, first make a queue: Q in the library."
    async with app.run_test(size=(80, 24)) as pilot:
        app.judge.take(None)
        await pilot.press("r")
        await until(pilot, lambda: f"3 × 2 = 6 to score. {blind}" in words_shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and not app.runs.under_way)
        await until(pilot, lambda: any(row.marks for row in sessions(app).known_rows()))
        # The scores are seen: there is nothing left to be said in time.
        await pilot.press("r")
        await until(pilot, lambda: "6 to score; what the same judge scored already" in words_shown(app))
        assert blind not in words_shown(app)
