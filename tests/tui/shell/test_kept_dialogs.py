"""Dialogs that are kept when they close: they open again as new ones do, with nothing of the last time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import conversation, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.action_palette import ActionPalette
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.help import HelpScreen
from turnwise.tui.app.help_list import HelpList
from turnwise.tui.app.made_later import read_next, steps_ahead
from turnwise.tui.app.pointer_menu import PointerMenu
from turnwise.tui.app.settings_dialog import SettingsDialog
from turnwise.tui.failure_modes.mode_dialogs import ModePickDialog
from turnwise.tui.judging.score_dialog import ScoreDialog
from turnwise.tui.library.arrangement_dialogs import ColumnsDialog, SortDialog
from turnwise.tui.library.export_dialog import ExportDialog
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.library.tags_dialog import TagsDialog
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.queues.queue_dialog import QueueDialog
from turnwise.tui.queues.queues_screen import QueuesScreen
from turnwise.tui.record.simulate_dialog import SimulateDialog
from turnwise.tui.settings.themes import PREFIX
from turnwise.tui.shell import dialogs_ahead
from turnwise.tui.textual_screens import can_be_drawn, was_laid_out

pytestmark = pytest.mark.usefixtures("steps_by_hand")

OPENED_BY = {
    "question_mark": HelpScreen,
    "o": SortDialog,
    "t": TagsDialog,
    "r": ScoreDialog,
    "W": ColumnsDialog,
    "m": ModePickDialog,
    "Q": QueueDialog,
    "e": ExportDialog,
    "ctrl+p": ActionPalette,
    "f2": SimulateDialog,
    "shift+f10": PointerMenu,
}
THERE = {
    "question_mark": "Help ·",
    "o": "Sort by",
    "t": "in all",
    "r": "No judge is needed",
    "W": "No metric is ticked",
    "m": "No failure modes yet",
    "Q": "It chooses from the 3 without a label",
    "e": "Export 3 sessions as",
    "ctrl+p": "esc close",
    "f2": "scenarios",
    "shift+f10": "all commands …",
}
"""Words of a dialog that is there with all it shows."""
USED = {
    "question_mark": ["slash", *"tag"],
    "o": ["slash", *"tu"],
    "t": [*"zz"],
    "r": ["slash", *"role"],
    "W": ["slash", *"sou"],
    "m": [*"zz"],
    "Q": ["down", "tab", *"12", "tab", *"mine", "tab", *"ada, ben"],
    "e": ["down", *"elsewhere"],
    "ctrl+p": ["down", *"zz"],
    "f2": [*"zz"],
    "shift+f10": ["down", "down"],
}
"""Keys after which it looks otherwise than at first."""
BEGUN: dict[str, Callable[[Any], object]] = {
    "Q": lambda one: one.begin("", None, "", ()),
    "e": lambda one: one.begin((), unlisted="2 are not in this list."),
}
"""How those are begun that are made ahead by themselves."""


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
@pytest.mark.parametrize("key", OPENED_BY)
async def test_the_same_dialog_opens_again_and_looks_as_it_did_at_first(
    app: TurnwiseApp, key: str, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await begin(app, pilot)
        first = await opened(app, pilot, key)
        dialog = app.screen
        await pilot.press(*USED[key])
        await until(pilot, lambda: picture(app) != first)
        await closed(app, pilot)
        assert await opened(app, pilot, key) == first
        assert app.screen is dialog
        await pilot.press("down", "down", "down", "end")
        await closed(app, pilot)
        assert await opened(app, pilot, key) == first


@pytest.mark.parametrize("key", OPENED_BY)
async def test_it_looks_as_one_that_is_made_for_this_size_and_theme(app: TurnwiseApp, key: str) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        before = await opened(app, pilot, key)
        dialog = app.screen
        await closed(app, pilot)
        await pilot.resize_terminal(100, 30)
        await until(pilot, lambda: app.library.size.width == 100)
        assert len((await opened(app, pilot, key)).splitlines()) != len(before.splitlines())
        assert app.screen is not dialog
        narrow = app.screen
        await closed(app, pilot)
        app.looks.show_theme("nord")
        await until(pilot, lambda: app.theme == f"{PREFIX}nord")
        await pilot.pause(0.1)
        await opened(app, pilot, key)
        assert app.screen is not narrow
        panel = app.screen.query_one("#panel").styles.background
        assert panel == Color.parse(app.theme_variables["surface"])


async def test_a_screen_whose_part_was_just_taken_away_is_not_drawn_ahead(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        for _ in app.kept_dialogs.make(HelpScreen, lambda one: one.begin("library")):
            await pilot.pause()
        bar = app.library.list.vertical_scrollbar
        assert can_be_drawn(app.library)
        parent, bar._parent = bar._parent, None
        try:
            app.kept_dialogs.dim_below(HelpScreen)
            assert not can_be_drawn(app.library)
        finally:
            bar._parent = parent


@pytest.mark.parametrize("key", ["question_mark", "o", "t", "W", "ctrl+p", "f2", "shift+f10", *BEGUN])
async def test_one_that_was_made_ahead_opens_as_one_that_was_not(filled: Store, key: str) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        first = await opened(app, pilot, key)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        kept = app.kept_dialogs
        steps = kept.make(OPENED_BY[key], BEGUN[key]) if key in BEGUN else steps_ahead(app, app.screen)
        for _ in steps:
            await pilot.pause()
        made = app.get_screen(f"kept {OPENED_BY[key].__name__}")
        assert made.is_mounted
        assert app.screen is app.library
        assert await opened(app, pilot, key) == first
        assert app.screen is made
        await closed(app, pilot)
        assert await opened(app, pilot, key) == first


@pytest.mark.parametrize("steps", range(1, 10))
async def test_a_key_that_comes_while_they_are_made_opens_one(filled: Store, steps: int) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        ahead = steps_ahead(app, app.screen)
        for _ in range(steps - 1):
            next(ahead, None)
            await pilot.pause()
        # Nothing is heard between this step and the key.
        next(ahead, None)
        for _ in range(2):
            app.simulate_key("question_mark")
            await until(pilot, lambda: THERE["question_mark"] in shown(app))
            assert isinstance(app.screen, HelpScreen)
            await pilot.press("escape")
            assert app.screen is app.library
        await opened(app, pilot, "o")


def test_what_a_review_is_made_of_is_loaded_ahead() -> None:
    # In a process of its own: here it was loaded long ago.
    look = (
        "import sys\n"
        "from types import SimpleNamespace\n"
        "from turnwise.tui.app.made_later import steps_ahead\n"
        "name = 'turnwise.tui.review.review_screen'\n"
        "assert name not in sys.modules\n"
        "app = SimpleNamespace(_exit=False, is_running=True)\n"
        "screen = SimpleNamespace(is_modal=False, PLACE='library', app=app, _closing=False, _pruning=False)\n"
        "app.screen_stack = [screen]\n"
        "for _ in zip(range(7), steps_ahead(None, screen)): pass\n"
        "assert name in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", look], check=True)


async def test_they_are_made_by_themselves_once_nobody_presses_a_key(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dialogs_ahead, "SECONDS_AFTER_START", 0.1)
    async with app.run_test(size=(160, 50)) as pilot:
        await until(pilot, lambda: app.is_screen_installed("kept TagsDialog"))
        for kind in (HelpScreen, SortDialog, ColumnsDialog, TagsDialog):
            made = app.get_screen(f"kept {kind.__name__}")
            await until(pilot, lambda made=made: made.is_mounted)  # type: ignore[misc]
        assert app.screen is app.library


async def test_one_that_was_not_done_when_another_screen_came_is_done_later(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        kept = app.kept_dialogs
        # The next step would lay it out.
        next(kept.make(SettingsDialog))
        made = app.get_screen(f"kept {SettingsDialog.__name__}")
        await until(pilot, lambda: made.is_mounted)
        assert not was_laid_out(made)
        for _ in kept.make(SettingsDialog):
            await pilot.pause()
        assert was_laid_out(made)
        assert kept.ahead(SettingsDialog) is made


async def test_a_screen_made_ahead_is_laid_out_with_what_it_shows_by_then(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        app.store.queues.add("by chance", [1, 2], sampler="random")
        for _ in app.kept_dialogs.make(QueuesScreen):
            await pilot.pause()
        await app.workers.wait_for_complete()
        await until(pilot, lambda: not app.kept_dialogs.settle())
        made = app.kept_dialogs.ahead(QueuesScreen)
        assert made is not None
        made.table.styles.height = 3
        await until(pilot, lambda: made._layout_required)
        assert app.kept_dialogs.settle()
        assert made.table.outer_size.height == 3
        assert not app.kept_dialogs.settle()
        # Once the app is about to end, its parts may be gone.
        made.table.styles.height = 4
        await until(pilot, lambda: made._layout_required)
        app.exit()
        assert not read_next(app, app.screen)
        assert made._layout_required


async def test_no_step_is_taken_once_the_app_ends(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        steps = steps_ahead(app, app.screen)
        next(steps)
        app.exit()
        assert [*steps] == []


async def test_to_make_dialogs_ahead_takes_no_toast_and_no_focus_away(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50), notifications=True) as pilot:
        await begin(app, pilot)
        app.notify("Kept.", timeout=600)
        focused = app.focused
        for _ in steps_ahead(app, app.screen):
            await pilot.pause()
        assert [note.message for note in app._notifications] == ["Kept."]
        assert app.focused is focused
        await opened(app, pilot, "o")
        assert [*app._notifications] == []


async def test_a_theme_that_changes_under_an_open_dialog_is_that_of_the_next_one(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        before = await opened(app, pilot, "question_mark")
        app.looks.show_theme("nord")
        await until(pilot, lambda: picture(app) != before)
        await pilot.pause(0.2)
        after = picture(app)
        await closed(app, pilot)
        assert await opened(app, pilot, "question_mark") == after


async def test_help_explains_the_screen_that_is_open_now(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(app, pilot)
        first = await opened(app, pilot, "question_mark")
        library = len(app.screen.query_one(HelpList).lines)
        await closed(app, pilot)
        await opened(app, pilot, "o")
        await pilot.press("question_mark")
        await until(pilot, lambda: "Help · sort" in shown(app))
        assert "Help · library" not in shown(app)
        lines = app.screen.query_one(HelpList)
        await until(pilot, lambda: len(lines.lines) < library)
        assert lines.virtual_size.height == len(lines.lines)
        await pilot.press("escape")
        await closed(app, pilot)
        assert await opened(app, pilot, "question_mark") == first
        assert lines.virtual_size.height == len(lines.lines) == library


async def test_tags_are_those_of_the_session_under_the_cursor_as_they_are_now(
    app: TurnwiseApp, filled: Store
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await opened(app, pilot, "t")
        assert "✓  airline" in shown(app)
        await closed(app, pilot)
        rows = app.library.list
        assert rows.current is not None
        filled.tags.change([rows.current.id], give=["urgent"])
        await pilot.press("t")
        await until(pilot, lambda: "✓  urgent" in shown(app))
        await closed(app, pilot)
        await pilot.press("j")
        await opened(app, pilot, "t")
        await until(pilot, lambda: "·  urgent" in shown(app))


async def test_what_was_ticked_in_a_dialog_that_was_left_is_not_ticked_again(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await opened(app, pilot, "r")
        await pilot.press("space", "down", "space")
        assert "Nothing is ticked" in shown(app)
        await pilot.press("enter")
        assert "Tick at least one metric" in shown(app)
        await closed(app, pilot)
        await opened(app, pilot, "r")
        assert "3 × 2 = 6 to score" in shown(app)
        assert "Tick at least one metric" not in shown(app)


async def test_sessions_that_came_meanwhile_are_judged_too(app: TurnwiseApp, filled: Store) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await opened(app, pilot, "r")
        await closed(app, pilot)
        filled.sessions.add(conversation("One more"), source="cases.json", format="deepeval")
        await pilot.press("r")
        await until(pilot, lambda: "Score 4 sessions by" in shown(app) and "4 × 2" in shown(app))


async def test_a_dialog_that_is_open_already_is_not_opened_a_second_time(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await opened(app, pilot, "o")
        sort = app.screen
        assert isinstance(sort, SortDialog)
        other = app.kept_dialogs.of(SortDialog, sort._current, (), with_match=False)
        assert other is not sort
        app.push_screen(other)
        await until(pilot, lambda: app.screen is other and other.is_mounted)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is sort)


async def test_no_cursor_blinks_in_a_dialog_that_is_closed(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await opened(app, pilot, "t")
        timer = app.screen.query_one(Input)._blink_timer
        assert timer is not None
        assert timer._active.is_set()
        await closed(app, pilot)
        assert not timer._active.is_set()
        await opened(app, pilot, "t")
        assert timer._active.is_set()


async def begin(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: "sessions" in shown(app) and app.library.list.count == 3)
    app.judge.take(None)
    await pilot.pause(0.3)


async def opened(app: TurnwiseApp, pilot: Pilot[int], key: str) -> str:
    """Open a dialog; return what is to be seen once all of it is there."""
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, OPENED_BY[key]) and THERE[key] in shown(app))
    await pilot.pause(0.1)
    return picture(app)


async def closed(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    for _ in range(3):
        await pilot.press("escape")
        if isinstance(app.screen, LibraryScreen):
            return
    raise AssertionError(app.screen)


def picture(app: TurnwiseApp) -> str:
    """The text of the screen with its styles, without where a cursor stands that blinks."""
    field = next(iter(app.screen.query(Input)), None)
    lines = app.screen._compositor.render_strips()
    skipped = range(field.region.y, field.region.bottom) if field is not None else range(0)
    choices = next(iter(app.screen.query(ChoiceList)), None)
    cursor = choices.highlighted if choices is not None else None
    seen = [str(line._segments) for y, line in enumerate(lines) if y not in skipped]
    return "\n".join([*seen, shown(app), f"cursor: {cursor}, focus: {type(app.focused).__name__}"])
