"""The command palette: what can be done now with its key, turns, sessions and themes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import conversation, press, sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.action_palette import ActionPalette
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.pointer_menu import PointerMenu
from turnwise.tui.overview.overview_screen import OverviewScreen
from turnwise.tui.parts.choice_list import ChoiceList
from turnwise.tui.queues.queues_screen import QueuesScreen
from turnwise.tui.reading.transcript import TranscriptView
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.theme_names import THEME_NAMES


def rows(app: TurnwiseApp) -> list[str]:
    """What the palette lists."""
    if not isinstance(app.screen, ActionPalette) or not app.screen.query(ChoiceList):
        return []
    return [str(option.prompt) for option in app.screen.choices.options if not option.disabled]


async def test_it_begins_with_what_the_line_of_keys_shows_first(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        told = [(row.split()[0], row.split()[-1]) for row in rows(app)[:3]]
        assert told == [("review", "enter"), ("score", "r"), ("filter", "/")]
        assert not any(row.startswith("stop ") for row in rows(app))


async def test_in_a_review_labels_and_undo_come_first_and_leaving_last_of_the_line_of_keys(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and app.screen.labels.is_read)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        keys = [row.split()[-1] for row in rows(app)]
        assert keys[:5] == ["p", "f", "d", "c", "u"]
        assert keys.index("esc") > keys.index("/")


@pytest.mark.parametrize(
    ("typed", "named"), [("delete", "forget"), ("remove", "forget"), ("search", "filter"), ("exit", "quit")]
)
async def test_a_command_is_found_by_what_others_call_it(app: TurnwiseApp, typed: str, named: str) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *typed)
        await until(pilot, lambda: any(row.startswith(named) for row in rows(app)))


async def looked_for(pilot: Pilot[int], app: TurnwiseApp, *words: str) -> list[str]:
    """Open the palette, type words, and return what it lists once sessions were looked for, too."""
    await pilot.press("ctrl+p")
    await until(pilot, lambda: bool(rows(app)))
    await pilot.press(*words)
    await pilot.pause(0.3)
    return rows(app)


async def test_what_is_done_at_another_place_is_found_with_where_and_its_keys_and_is_gone_to(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        for words in ("heat map", "heatmap"):
            found = await looked_for(pilot, app, *words)
            assert found[0].startswith("heat map · in Overview")
            assert found[0].endswith("2, then H")
            await pilot.press("escape")
        assert not any("· in " in row for row in await looked_for(pilot, app))
        await pilot.press(*"heat", "enter")
        await until(pilot, lambda: app.place == "heat_map")


async def test_the_heat_map_leads_back_to_where_it_was_looked_for(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        await until(pilot, lambda: app.place == "queues")
        await looked_for(pilot, app, *"heatmap")
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "heat_map")
        await pilot.press("escape")
        await until(pilot, lambda: app.place == "queues")
        await pilot.press("escape")
        await until(pilot, lambda: app.place == "library")


async def test_a_place_below_the_heat_map_is_asked_before_it_is_left(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Callable[[], None]] = []
    monkeypatch.setattr(QueuesScreen, "leave_then", lambda _, go: asked.append(go))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "3")
        await until(pilot, lambda: app.place == "queues")
        app.places.show("heat_map")
        await until(pilot, lambda: app.place == "heat_map")
        await press(pilot, "7")
        await until(pilot, lambda: len(asked) == 1)
        assert app.place == "heat_map"
        asked[0]()
        await until(pilot, lambda: app.place == "runs")


async def test_a_list_of_failure_modes_is_shown_at_once(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        found = await looked_for(pilot, app, *"rates")
        assert found[0].startswith("rates · in Modes")
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "failure_modes" and "No rates yet." in shown(app))


async def test_what_needs_something_chosen_there_is_not_done_but_its_key_is_told(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        found = await looked_for(pilot, app, *"merge")
        assert found[0].startswith("merge · in Modes")
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "failure_modes" and "M here: merge" in shown(app))


async def test_what_a_place_has_itself_is_not_found_elsewhere(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        found = await looked_for(pilot, app, *"forget")
        assert found[0].startswith("forget ")
        assert not any("Queues" in row for row in found)


@pytest.mark.parametrize("word", ["color", "colour", "colours", "dark mode"])
async def test_who_wants_other_colours_finds_the_settings_and_the_themes(app: TurnwiseApp, word: str) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        found = await looked_for(pilot, app, *word)
        assert found[0].startswith("settings")
        assert word == "colours" or "theme light" in found[1]
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "settings")


@pytest.mark.parametrize("place", [None, *"234567"])
async def test_what_is_called_just_as_it_is_typed_comes_first(app: TurnwiseApp, place: str | None) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        if place:
            await pilot.press(place)
            await until(pilot, lambda: app.place != "library")
        assert (await looked_for(pilot, app, *"quit"))[0].split()[0] == "quit"


async def test_words_of_a_turn_open_its_session(filled: Store) -> None:
    filled.sessions.add(conversation("Zeppelin over [red]Oslo[/]"), source="z", format="deepeval")
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"zepp")
        await until(pilot, lambda: "open session 4 · Zeppelin over [red]Oslo[/]" in shown(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: getattr(app.screen, "session_id", None) == 4)


def held_search(app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[str]]:
    """Let sessions be found only once the event is set; return it, and what is looked for from now on."""
    held, asked = threading.Event(), list[str]()
    look = app.store.sessions.page

    def slow(query: str = "", offset: int = 0, limit: int = 200) -> Any:
        asked.append(query)
        held.wait(20)
        return look(query, offset, limit)

    monkeypatch.setattr(app.store.sessions, "page", slow)
    return held, asked


async def test_typing_goes_on_while_sessions_are_looked_for(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        held, asked = held_search(app, monkeypatch)
        await pilot.press("ctrl+p", *"ref")
        await until(pilot, lambda: bool(asked))
        await pilot.press(*"und")
        await until(pilot, lambda: "refund" in shown(app))
        held.set()
        await until(pilot, lambda: "open session 1 · Refund" in shown(app))


async def test_enter_right_after_the_words_takes_what_these_find(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        assert rows(app)[0].startswith("review")
        # All of it before anything can be found for it.
        for key in (*"overview", "enter"):
            app.simulate_key(key)
        await until(pilot, lambda: isinstance(app.screen, OverviewScreen))


@pytest.mark.parametrize("screen", [ReviewScreen, ReplayScreen])
async def test_a_number_goes_to_that_turn_where_turns_are_read(app: TurnwiseApp, screen: Any) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        app.push_screen(screen(1))
        await until(pilot, lambda: bool(app.screen.query(TranscriptView)) and "Refund" in shown(app))
        await pilot.press("ctrl+p", *"turn", "space", "2")
        await until(pilot, lambda: "go to turn 2" in shown(app))
        await pilot.press("enter")
        view = app.screen.query_one(TranscriptView)
        await until(pilot, lambda: view.current is not None and view.current.number == 2)
        app.screen.jump_to_turn(99)
        await until(pilot, lambda: any("no turn 99" in note.message for note in app._notifications))


async def test_elsewhere_no_turn_is_offered(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", "2")
        await until(pilot, lambda: "open session 2" in shown(app))
        assert "go to turn" not in shown(app)


async def test_words_after_a_number_are_words_of_sessions(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"2", "space", *"kilos")
        await until(pilot, lambda: "2 kilos" in shown(app))
        await pilot.pause(0.3)
        assert "open session 2" not in shown(app)


async def test_a_word_of_what_a_command_does_finds_it_too(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("6")
        await until(pilot, lambda: app.place == "agreement")
        await pilot.press("ctrl+p", *"repor")
        await until(pilot, lambda: bool(rows(app)) and rows(app)[0].startswith("overview"))
        assert "write a report" in rows(app)[0]
        await pilot.press("enter")
        await until(pilot, lambda: app.place == "overview")


async def test_every_theme_is_offered_but_the_one_that_holds(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"theme")
        await until(pilot, lambda: "theme light" in shown(app))
        assert [name for name in THEME_NAMES if f"theme {name}" in shown(app)] == list(THEME_NAMES[1:])
        assert "textual" not in shown(app)
        await asyncio.sleep(0)


async def test_a_theme_is_not_found_by_letters_that_stand_somewhere_in_its_name(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"heat")
        await pilot.pause(0.3)
        assert not any(row.startswith("theme") for row in rows(app))


async def test_a_row_holds_a_command_with_what_it_does_and_its_key(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        assert "Read the session and its scores." in rows(app)[0]
        palette = app.screen.query_one("#panel")
        lines = shown(app).splitlines()
        # An edge all around, and every key at the same place.
        assert "╭" in lines[palette.region.y]
        assert "╰" in lines[palette.region.bottom - 1]
        assert len({len(row) for row in rows(app)[:3]}) == 1


async def test_it_is_as_wide_as_its_longest_row_and_cuts_none(app: TurnwiseApp) -> None:
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        offered = [row for row in rows(app) if not row.startswith(("go to turn …", "open session …"))]
        assert not [row for row in offered if "…" in row]
        # Of the longest row a cell stands free between what it does and its key.
        assert any(row.partition(". ")[2] == row.split()[-1] for row in offered)
        assert app.screen.query_one("#panel").region.width < 120


async def test_in_a_narrow_window_it_takes_all_columns(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        assert app.screen.query_one("#panel").region.width == 80


async def test_its_last_line_says_what_its_keys_do_and_its_row_has_a_bar(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)) and "esc close" in shown(app))
        lines = shown(app).splitlines()
        bottom = app.screen.query_one("#panel").region.bottom
        assert "enter do it   ↑ ↓ choose   esc close" in lines[bottom - 2]
        # Thin, as in every list beside a line that is typed into.
        assert any("›review" in line for line in lines)
        await pilot.press("down")
        await until(pilot, lambda: any("›score" in line for line in shown(app).splitlines()))


async def test_what_scrolls_the_preview_names_one_key_each(app: TurnwiseApp) -> None:
    keys = {one.title: one.key_text for one in app.actions["library"] if one.title.startswith("preview")}
    assert keys == {"preview": "]", "preview back": "["}


async def test_what_was_taken_lately_comes_first_also_the_next_time(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"reverse")
        await until(pilot, lambda: bool(rows(app)) and rows(app)[0].startswith("reverse"))
        await pilot.press("enter")
        await until(pilot, lambda: not isinstance(app.screen, ActionPalette))
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)) and rows(app)[0].startswith("reverse"))
        assert rows(app)[1].startswith("review")


async def test_a_right_click_opens_a_menu_where_it_was(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.click(offset=(20, 6), button=3)
        await until(pilot, lambda: "all commands" in shown(app))
        panel = app.screen.query_one("#panel").region
        assert panel.offset == (20, 7)
        line = next(y for y, text in enumerate(shown(app).splitlines()) if "│ score" in text)
        await pilot.click(offset=(25, line))
        await until(pilot, lambda: "Score 3 sessions by" in shown(app))


async def test_the_menu_that_a_key_opens_stands_under_the_row_and_begins_with_what_is_done_to_it(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("j")
        row = sessions(app).cursor_offset.y
        assert "▌" in shown(app).splitlines()[row]
        await pilot.press("shift+f10")
        await pilot.pause()
        assert isinstance(app.screen, PointerMenu)
        panel = app.screen.query_one("#panel").region
        assert panel.y == row + 1
        names = [choice.id for choice in app.screen.choices.options][:-1]
        assert {"tag", "remove"} <= set(names)
        assert "quit" not in names


async def test_below_the_rows_all_of_what_is_cut_in_the_one_under_the_cursor_is_told(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        assert "and which" not in shown(app)
        for _ in rows(app):
            if rows(app)[app.screen.choices.highlighted].startswith("compare"):
                break
            await pilot.press("down")
        await until(pilot, lambda: "and which sessions." in shown(app))
        await pilot.press("up")
        await until(pilot, lambda: "and which sessions." not in shown(app))


async def test_the_menu_says_what_is_done_to_the_selected_and_not_to_the_row(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.press("shift+f10")
        await until(pilot, lambda: isinstance(app.screen, PointerMenu) and "│ forget  " in shown(app))
        assert "selected" not in shown(app)
        await pilot.press("escape", "space", "down", "space", "down", "shift+f10")
        await until(pilot, lambda: isinstance(app.screen, PointerMenu) and "│ tag" in shown(app))
        for words in ("tag 2 selected", "export 2 selected", "forget 2 selected", "give mode 2 selected"):
            assert f"│ {words}" in shown(app)
        # What is about the row under the cursor stays as it is.
        assert "▌review  " in shown(app)


@pytest.mark.parametrize("height", [40, 18])
async def test_the_same_menu_opens_elsewhere_with_nothing_of_the_last_time(
    app: TurnwiseApp, height: int
) -> None:
    async with app.run_test(size=(100, height)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        row = sessions(app).cursor_offset.y
        await pilot.click(offset=(20, row), button=3)
        await until(pilot, lambda: isinstance(app.screen, PointerMenu))
        menu = app.screen
        await pilot.press("end")
        await until(pilot, lambda: "│▌all commands …" in shown(app))
        await pilot.hover(menu.query_one(ChoiceList), offset=(3, 2))
        await pilot.press("escape", "3")
        await until(pilot, lambda: isinstance(app.screen, QueuesScreen))
        await pilot.press("shift+f10")
        await until(pilot, lambda: app.screen is menu and "│▌new queue" in shown(app))
        choices = menu.query_one(ChoiceList)
        assert (choices.highlighted, choices.scroll_y, choices._mouse_hovering_over) == (0, 0, None)
        assert "│ export  " not in shown(app)
        assert menu.query_one("#panel").region in menu.region
        await pilot.press("escape", "1", "shift+f10")
        await until(pilot, lambda: app.screen is menu and "│▌review  " in shown(app))
        assert menu.query_one("#panel").region.y in (row + 1, 0)
        await pilot.press("end")
        await until(pilot, lambda: "all commands …" in shown(app))


async def test_the_menu_has_what_a_narrow_line_of_keys_leaves_out(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        assert "b import" not in shown(app).splitlines()[-1]
        await pilot.click(offset=(20, 8), button=3)
        await until(pilot, lambda: isinstance(app.screen, PointerMenu))
        await pilot.pause()
        assert app.screen.query_one("#panel").region in app.screen.region
        text = shown(app)
        for words in ("import", "record", "forget", "all commands …"):
            assert f"│ {words}" in text


async def test_under_a_menu_stand_its_own_keys_and_none_of_the_screen(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.press("space")
        await until(pilot, lambda: "unselect" in shown(app).splitlines()[-1])
        await pilot.click(offset=(60, 10), button=3)
        await until(pilot, lambda: "enter do it   esc close" in shown(app).splitlines()[-1])
        assert "unsel" not in shown(app).splitlines()[-1]
        assert app.screen.query_one("#panel").region.bottom < 24
        await pilot.click(offset=(16, 23))
        await until(pilot, lambda: not isinstance(app.screen, PointerMenu))


@pytest.mark.parametrize("corner", [(119, 39), (60, 39), (0, 0)])
async def test_the_menu_stays_in_sight_and_a_click_beside_it_leaves(
    app: TurnwiseApp, corner: tuple[int, int]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.click(offset=corner, button=3)
        await until(pilot, lambda: "all commands" in shown(app))
        assert app.screen.query_one("#panel").region in app.screen.region
        await pilot.click(offset=(70, 2))
        await until(pilot, lambda: "all commands" not in shown(app))


async def test_the_menu_offers_nothing_that_cannot_be_done(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("shift+f10")
        await until(pilot, lambda: "all commands" in shown(app))
        assert not any("review" in line for line in shown(app).splitlines() if line.startswith("│"))
        await pilot.press("escape")
        await until(pilot, lambda: "all commands" not in shown(app))


async def test_enter_waits_for_sessions_where_nothing_else_is_called_so(filled: Store) -> None:
    filled.sessions.add(conversation("Zeppelin over Oslo"), source="z", format="deepeval")
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        for key in (*"zeppelin", "enter"):
            app.simulate_key(key)
        await until(pilot, lambda: getattr(app.screen, "session_id", None) == 4)


async def test_sessions_that_were_still_looked_for_as_it_was_left_are_not_in_the_next_one(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        held, asked = held_search(app, monkeypatch)
        await pilot.press("ctrl+p", *"refund")
        await until(pilot, lambda: bool(asked))
        await pilot.press("enter", "escape", "ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        held.set()
        await pilot.pause(0.3)
        assert isinstance(app.screen, ActionPalette)
        assert not any("Refund" in row for row in rows(app))


async def test_words_that_name_nothing_are_answered_and_enter_does_nothing(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"qqqq")
        await until(pilot, lambda: "Nothing is called so." in shown(app))
        await pilot.press("enter")
        assert isinstance(app.screen, ActionPalette)


async def test_it_opens_again_with_nothing_of_the_last_time_and_on_what_another_screen_offers(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+p", *"scor", "escape")
        await pilot.press("7", "ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        assert app.screen.query_one(Input).value == ""
        assert any(row.startswith("library") for row in rows(app))
        assert not any(row.startswith("import") for row in rows(app))


async def test_a_palette_that_has_no_list_yet_has_no_pages_to_go_by(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("ctrl+p")
        await until(pilot, lambda: bool(rows(app)))
        found = app.screen.query_one(ChoiceList)
        found.styles.width = 0
        await until(pilot, lambda: not found.size)
        found.add_option(found.get_option_at_index(0).prompt)
        await pilot.press("pageup", "pagedown")
        assert app.is_running
        assert app.return_code is None
