"""Where there are many choices, `/` and a few words leave those that are looked for."""

from __future__ import annotations

import pytest
from stored import keep
from textual.pilot import Pilot
from tui_driver import current_name, sessions, shown, type_text, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.arrangement_dialogs import ColumnsDialog, SortDialog
from turnwise.tui.library.column_choice_dialog import ColumnChoiceDialog
from turnwise.tui.library.frequency_screen import FrequencyScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.parts.findable_choices import FindingDialog

SIZE = (160, 40)


@pytest.fixture
def app(store: Store) -> TurnwiseApp:
    """An app on two sessions that say forty things of themselves."""
    for number in range(2):
        said = {f"key {place}": number for place in range(39)} | {"language": ("de", "en")[number]}
        keep(store, f"said {number}", metadata=said)
    return TurnwiseApp(store)


async def open_dialog(pilot: Pilot[int], app: TurnwiseApp, key: str, dialog: type) -> None:
    await until(pilot, lambda: sessions(app).count == 2)
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, dialog))


async def look_for(pilot: Pilot[int], app: TurnwiseApp, words: str) -> None:
    await pilot.press("slash")
    await type_text(pilot, words)
    screen = app.screen
    assert isinstance(screen, FindingDialog)
    await until(pilot, lambda: screen.found.line.value == words)


async def test_the_list_is_sorted_by_what_was_found(app: TurnwiseApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await open_dialog(pilot, app, "o", SortDialog)
        await look_for(pilot, app, "lang")
        assert app.screen.query_one(ChoiceList).option_count == 1
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: current_name(app) == "said 0")


async def test_escape_shows_all_again_and_then_goes_back(app: TurnwiseApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await open_dialog(pilot, app, "o", SortDialog)
        screen = app.screen
        assert isinstance(screen, SortDialog)
        everything = screen.choices.option_count
        await look_for(pilot, app, "nothing of the kind")
        assert "nothing is like this" in shown(app)
        await pilot.press("enter")
        assert app.screen is screen
        await pilot.press("slash")
        assert "enter sort   esc show all" in shown(app)
        await pilot.press("escape")
        assert (screen.choices.option_count, screen.focused) == (everything, screen.choices)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))


async def test_columns_are_ticked_among_what_was_found(app: TurnwiseApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await open_dialog(pilot, app, "W", ColumnsDialog)
        await look_for(pilot, app, "key 38")
        assert "enter to the list   esc show all" in shown(app)
        # The first goes on to what was found; a space before it would be one of the words.
        await pilot.press("enter", "space")
        await look_for(pilot, app, "language")
        await pilot.press("enter", "space", "enter")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: "key 38" in shown(app) and "language" in shown(app))


async def test_what_is_counted_is_found_by_its_name(app: TurnwiseApp) -> None:
    async with app.run_test(size=SIZE) as pilot:
        await open_dialog(pilot, app, "ctrl+f", FrequencyScreen)
        await until(pilot, lambda: "2 sessions" in shown(app).splitlines()[1])
        await pilot.press("ctrl+g")
        await until(pilot, lambda: isinstance(app.screen, ColumnChoiceDialog))
        await look_for(pilot, app, "lang")
        await pilot.press("enter")
        await until(pilot, lambda: "language" in shown(app).splitlines()[1])
