"""From the sessions that a line of another screen leads to, `esc` leads back to that line."""

from __future__ import annotations

import pytest
from stored import keep, land, score
from textual.pilot import Pilot
from tui_driver import sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.action_palette import ActionPalette
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.failure_modes.failure_modes_screen import FailureModesScreen
from turnwise.tui.library.frequency_screen import COLUMN, FrequencyScreen
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.overview.overview_screen import OverviewScreen
from turnwise.tui.places.listing_screen import ListingScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.runs.runs_screen import RunsScreen


@pytest.fixture
def looked_at(store: Store) -> Store:
    """Six sessions in two languages, two runs of three each, two failure modes and a tag of four of them."""
    ids = [
        keep(
            store,
            f"said {number}",
            name=f"talk {number}",
            metadata={"language": "en" if number % 3 else "de"},
            tags=["late"] if number < 4 else [],
        )
        for number in range(6)
    ]
    for half in (ids[:3], ids[3:]):
        run = store.runs.begin(judge="judge-1", metrics=["politeness"])
        for session in half:
            land(store, session, score(0.2), run=run)
        store.runs.finish(run)
    for name, has in (("Rude", ids[:2]), ("Slow", ids[2:5])):
        store.modes.assign(has, store.modes.add(name, "", "mia"), "mia")
    store.remembered.keep(COLUMN, "meta.language")
    return store


async def in_library(app: TurnwiseApp, pilot: Pilot[int], query: str, count: int) -> LibraryScreen:
    await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.asked == query)
    await until(pilot, lambda: sessions(app).count == count)
    assert isinstance(app.screen, LibraryScreen)
    return app.screen


async def listing(
    app: TurnwiseApp, pilot: Pilot[int], kind: type[ListingScreen], rows: int = 2
) -> ListingScreen:
    """Wait for a screen of a kind with so many rows in its table."""
    await until(pilot, lambda: isinstance(app.screen, kind) and app.screen.is_mounted)
    await until(pilot, lambda: app.screen.query_one(RecordTable).count == rows)
    assert isinstance(app.screen, kind)
    return app.screen


WAYS = [
    pytest.param(RunsScreen, ["7"], ["j"], "run:1", 3, "Runs", id="runs"),
    pytest.param(FailureModesScreen, ["4", "l"], ["j"], "mode:Rude", 2, "Modes", id="modes"),
    pytest.param(FailureModesScreen, ["4", "percent_sign"], ["j"], "mode:Rude", 2, "Modes", id="rates"),
    pytest.param(
        FrequencyScreen, ["ctrl+f"], ["j"], "tag:late meta.language:en", 2, "How often", id="how often"
    ),
]


@pytest.mark.parametrize(("kind", "there", "to_line", "query", "found", "name"), WAYS)
async def test_esc_leads_back_to_the_line_and_then_to_the_filter_before(
    looked_at: Store,
    kind: type[ListingScreen],
    there: list[str],
    to_line: list[str],
    query: str,
    found: int,
    name: str,
) -> None:
    app = TurnwiseApp(looked_at)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 6)
        await pilot.press("slash", *"tag:late", "enter")
        library = await in_library(app, pilot, "tag:late", 4)
        await pilot.press("down", "down")
        stood_on = library.cursor_on
        await pilot.press(*there)
        await listing(app, pilot, kind)
        await pilot.press(*to_line)
        await pilot.press("enter")
        await in_library(app, pilot, query, found)
        await until(pilot, lambda: f"esc back to {name}" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        back = await listing(app, pilot, kind)
        await until(pilot, lambda: back.table.cursor == 1)
        # The same line once more, and on from there as at the first time.
        await pilot.press("enter")
        await in_library(app, pilot, query, found)
        await pilot.press("escape")
        await listing(app, pilot, kind)
        await pilot.press("escape")
        await in_library(app, pilot, "tag:late", 4)
        await until(pilot, lambda: library.cursor_on == stood_on)
        # What came from nowhere else is cleared.
        await until(pilot, lambda: "esc clear the filter" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        await in_library(app, pilot, "", 6)


async def test_the_line_is_found_again_where_its_table_is_filled_late(
    looked_at: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = TurnwiseApp(looked_at)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 6)
        await pilot.press("4", "l")
        await listing(app, pilot, FailureModesScreen)
        await pilot.press("j", "enter")
        await in_library(app, pilot, "mode:Rude", 2)
        with monkeypatch.context() as late:
            for name in ("show_rows", "read"):
                late.setattr(FailureModesScreen, name, lambda *_: None)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, FailureModesScreen) and app.screen.is_mounted)
            await pilot.pause(0.3)
        back = app.screen
        assert isinstance(back, FailureModesScreen)
        back.show_rows()
        await until(pilot, lambda: back.table.count == 2)
        assert back.table.cursor == 1


async def test_esc_leads_back_from_screen_to_screen_as_one_came(looked_at: Store) -> None:
    app = TurnwiseApp(looked_at)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 6)
        await pilot.press("2")
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen) and bool(app.screen.rows.chosen))
        await pilot.press("7")
        await listing(app, pilot, RunsScreen)
        await pilot.press("enter")
        await in_library(app, pilot, "run:2", 3)
        await pilot.press("ctrl+f")
        await listing(app, pilot, FrequencyScreen)
        await pilot.press("enter")
        await in_library(app, pilot, "run:2 meta.language:en", 2)
        await pilot.press("escape")
        await listing(app, pilot, FrequencyScreen)
        await pilot.press("escape")
        await in_library(app, pilot, "run:2", 3)
        await until(pilot, lambda: "esc back to Runs" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        await listing(app, pilot, RunsScreen)


async def test_sessions_of_a_line_are_listed_where_the_screen_was_opened_above_a_review(
    looked_at: Store,
) -> None:
    app = TurnwiseApp(looked_at)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 6)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, ActionPalette))
        await pilot.press(*"runs")
        await until(pilot, lambda: "See what was scored and when; compare, or go on." in shown(app))
        await pilot.press("enter")
        await listing(app, pilot, RunsScreen)
        await pilot.press("enter")
        await in_library(app, pilot, "run:2", 3)


async def test_the_modes_come_back_with_the_words_they_were_found_by(looked_at: Store) -> None:
    app = TurnwiseApp(looked_at)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and app.screen.list.count == 6)
        await pilot.press("4", "l")
        await listing(app, pilot, FailureModesScreen)
        await pilot.press("slash", *"rude", "enter", "enter")
        await in_library(app, pilot, "mode:Rude", 2)
        await pilot.press("escape")
        await listing(app, pilot, FailureModesScreen, rows=1)
        await until(pilot, lambda: any("find" in line and "rude" in line for line in shown(app).splitlines()))
        # As before: the words go first, then the screen.
        await pilot.press("escape")
        await listing(app, pilot, FailureModesScreen)
        await pilot.press("escape")
        await in_library(app, pilot, "", 6)
