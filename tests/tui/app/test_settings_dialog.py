"""Settings: who labels is asked for, holds at once, and is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.style import Style
from textual.widgets import Input
from tui_driver import shown, until

from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.settings_dialog import SettingsDialog
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.settings.settings import load_settings
from turnwise.tui.textual_internals.kept_frames import pieces_of


@pytest.fixture(autouse=True)
def _user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("turnwise.conversations.store.labels.default_author", lambda: "root")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_ones_name_is_given_and_stands_at_labels(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "root" in shown(app) and "Your name on labels" in shown(app))
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        app.screen.query_one(Input).value = "Mia"
        await pilot.press("enter")
        await until(pilot, lambda: load_settings().author == "Mia")
        await until(pilot, lambda: "Mia" in shown(app) and "enter changes it" in shown(app))
        await pilot.press("escape", "enter")
        await until(pilot, lambda: "Your label" in shown(app) or "p pass" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: [row.author for row in app.store.labels.of(1)] == ["Mia"])
        assert "Kept as a label of" not in " ".join(one.message for one in app._notifications)


async def test_a_name_that_is_left_empty_changes_nothing(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        await pilot.press("enter", "escape")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        assert load_settings().author is None


async def test_a_name_that_cannot_be_kept_is_told_and_holds_till_the_end(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv("TURNWISE_CONFIG", str(tmp_path / "no folder" / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        await pilot.press("home", "enter")
        await until(pilot, lambda: isinstance(app.screen, NamingDialog))
        app.screen.query_one(Input).value = "Mia"
        await pilot.press("enter")
        await until(pilot, lambda: any("could not be kept" in one.title for one in app._notifications))
        assert app.settings.author == "Mia"


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_first_label_says_once_under_which_name_it_is_kept(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    words = "kept under the name root (f9 changes it)"
    async with app.run_test(size=size) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: "p pass" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: words in shown(app))
        assert not app._notifications, "a toast would cover a line of the transcript"
        await pilot.press("f")
        await until(pilot, lambda: len(app.store.labels.of(1)) == 2 and words not in shown(app))
        assert app.used.last.labels_as == "root"


async def test_a_label_that_leads_on_says_so_in_the_next_session(app: TurnwiseApp) -> None:
    app.store.queues.add("mine", app.store.sessions.ids(), sampler="random")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("Q", "enter")
        await until(pilot, lambda: "p pass" in shown(app))
        await pilot.press("p")
        await until(pilot, lambda: "last: pass under the name root (f9 changes it)" in shown(app))
        assert "u undo" in shown(app)
        assert not app._notifications


async def test_what_lies_below_is_as_dim_as_below_other_dialogs(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "enter review" in shown(app))
        bright = _first_key(app)
        await pilot.press("r")
        await until(pilot, lambda: isinstance(app.screen, ScoreDialog) and "enter score" in shown(app))
        await pilot.pause(0.1)
        dim = _first_key(app)
        await pilot.press("escape", "f9")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        await pilot.pause(0.1)
        assert _first_key(app) == dim != bright


def _first_key(app: TurnwiseApp) -> Style | None:
    """Return how the first key of the line of keys of the library is drawn."""
    line = [segment for strip in pieces_of(app.screen)[-1] for segment in strip]
    return next(segment.style for segment in line if segment.text.startswith("enter"))


async def test_what_each_choice_is_like_is_told_whole_at_80_columns(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        choices = app.screen.query_one(ChoiceList)
        for place in range(choices.option_count):
            choices.highlighted = place
            assert choices.cut_note == ""


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_the_sample_says_what_it_shows(app: TurnwiseApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "The theme under the cursor" in shown(app))
        assert "text  quiet text  enter a key  ✓ passes  ✗ fails  ~ unsure" in shown(app)
        panel, keys = app.screen.query_one("#panel"), app.screen.query_one("SettingsDialog KeyLine")
        assert panel.content_region.contains_region(keys.region)


async def test_one_that_was_made_ahead_shows_what_holds_by_then(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 50)) as pilot:
        for _ in app.kept_dialogs.make(SettingsDialog, lambda one: one.begin()):
            await pilot.pause()
        made = app.get_screen("kept SettingsDialog")
        app.settings = replace(app.settings, author="Zoe")
        app.looks.take_notice("bell")
        theme = app.theme
        await pilot.press("f9")
        await until(pilot, lambda: app.screen is made and "Zoe" in shown(app))
        assert "✓  the bell" in shown(app)
        choices = made.query_one(ChoiceList)
        holding = choices.highlighted
        assert app.theme == theme
        ground = made.styles.background
        await pilot.press("down")
        await until(pilot, lambda: app.theme != theme and made.styles.background != ground)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert app.theme == theme
        app.settings = replace(app.settings, author="Ada")
        await pilot.press("f9")
        await until(pilot, lambda: "Your name on labels" in shown(app) and "Ada" in shown(app))
        assert app.screen.query_one(ChoiceList).highlighted == holding
        assert app.screen.styles.background == ground
        assert app.theme == theme


async def test_leaving_it_in_the_theme_that_holds_draws_nothing_anew_and_keeps_it(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "Your name on labels" in shown(app))
        opened = app.screen
        drawn: list[None] = []
        monkeypatch.setattr(app.looks, "_draw_anew", lambda: drawn.append(None))
        await pilot.press("home", "end", "escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        assert drawn == []
        await pilot.press("f9")
        await until(pilot, lambda: app.screen is opened)
