from __future__ import annotations

import sqlite3

import pytest
from judge_server import JudgeServer, streams
from scored_sessions import add_outcomes
from textual.widgets import Input
from tui_driver import (
    conversation,
    current_name,
    sessions,
    shown,
    type_text,
    until,
    words_shown,
)

from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.library.filter_line import FilterLine
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.empty_words import EmptyWords
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.record.record_screen import RecordScreen
from turnwise.tui.record.talk_dialog import TalkDialog
from turnwise.tui.review.review_screen import ReviewScreen


async def test_it_opens_on_all_sessions_with_the_keys_on_the_list(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        assert isinstance(app.screen, LibraryScreen)
        assert app.focused is sessions(app)
        assert "3 sessions" in app.screen.query_one(TitleBar).right
        assert "Refund for a flight" in shown(app)
        await pilot.press("j")
        assert current_name(app) == "Upgrade with a certificate"


@pytest.mark.parametrize(("width", "there"), [(80, False), (119, False), (120, True), (160, True)])
async def test_the_preview_is_there_where_it_has_room(app: TurnwiseApp, width: int, there: bool) -> None:
    async with app.run_test(size=(width, 30)):
        assert app.screen.query_one("#glance").display is there


async def test_the_preview_shows_the_session_under_the_cursor(app: TurnwiseApp) -> None:
    async with app.run_test(size=(140, 30)) as pilot:
        await pilot.press("G")
        await pilot.pause()
        assert "Baggage for two, please." in shown(app)


async def test_escape_clears_the_filter(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "baggage")
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("escape")
        await until(pilot, lambda: sessions(app).count == 3)
        assert app.focused is sessions(app)
        assert app.screen.query_one(Input).value == ""


async def test_a_filter_that_finds_nothing_says_how_to_clear_it(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "zebra")
        await until(pilot, lambda: "Nothing matches" in shown(app))
        assert "Refund for a flight" not in shown(app)
        await until(pilot, lambda: "esc clear " in shown(app).splitlines()[-1])
        await pilot.press("enter")
        await until(pilot, lambda: "esc clear the filter" in shown(app).splitlines()[-1])


async def test_where_a_filter_finds_nothing_it_is_said_that_esc_leaves_the_selection_first(
    app: TurnwiseApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "slash")
        await type_text(pilot, "zebra")
        await pilot.press("enter")
        await until(pilot, lambda: "Nothing matches" in shown(app))
        await until(pilot, lambda: "esc unselect all" in shown(app).splitlines()[-1])
        assert "the filter" not in shown(app).splitlines()[2]
        await pilot.press("escape")
        assert app.screen.asked == "zebra"
        assert not sessions(app).selection
        await until(pilot, lambda: "esc clear the filter" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.asked == "" and sessions(app).count == 3)


async def test_an_empty_library_says_how_to_fill_it_and_s_does(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(120, 30)) as pilot:
        assert app.screen.query_one(EmptyWords).display
        assert "look at the samples" in shown(app)
        assert str(store.path.name) in words_shown(app)
        assert "compare" not in shown(app).splitlines()[-1]
        assert "* samples" in shown(app).splitlines()[-1]
        await pilot.press("asterisk")
        await until(pilot, lambda: sessions(app).count > 10)
        assert not app.screen.query_one(EmptyWords).display
        await pilot.press("j")
        assert sessions(app).cursor == 1


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_samples_stand_among_sessions_of_ones_own_only_where_they_are_wanted(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.press("asterisk")
        await until(pilot, lambda: "Bring in 14 sample conversations?" in words_shown(app))
        assert "among the 3 sessions that are here" in words_shown(app)
        # The answer under the cursor is that nothing changes.
        await pilot.press("enter")
        await until(pilot, lambda: "* samples" not in shown(app) and "Bring in" not in shown(app))
        assert app.store.sessions.count() == 3
        await pilot.press("asterisk")
        await until(pilot, lambda: "Bring in" in shown(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: sessions(app).count == 17)
        # Nothing is asked where they are in already.
        await pilot.press("asterisk")
        await until(pilot, lambda: any("are in already" in one.message for one in app._notifications))
        assert app.store.sessions.count("source:samples") == 14


async def test_how_to_leave_a_filter_and_a_selection_is_in_the_line_of_keys(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: "enter review" in shown(app))
        assert "esc" not in shown(app).splitlines()[-1]
        await pilot.press("slash", *"refund", "enter")
        await until(pilot, lambda: "esc clear the filter" in shown(app).splitlines()[-1])
        await pilot.press("space")
        assert "esc unselect all" in shown(app).splitlines()[-1]
        await pilot.press("escape")
        await until(pilot, lambda: "esc clear the filter" in shown(app).splitlines()[-1])
        await pilot.press("escape")
        await until(pilot, lambda: "esc" not in shown(app).splitlines()[-1])


async def test_while_a_filter_is_typed_no_key_is_offered_that_would_be_typed(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash", *"refund")
        keys = shown(app).splitlines()[-1]
        assert keys.split() == ["enter", "to", "the", "list", "esc", "clear", "f1", "help"]


async def test_where_nothing_matches_the_filter_can_be_cleared_or_changed(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash", *"zeppelin", "enter")
        await until(pilot, lambda: "Nothing matches" in shown(app))
        await pilot.pause()
        assert "esc clear the filter" in shown(app).splitlines()[-1]
        assert "review" not in shown(app).splitlines()[-1]
        assert "when" not in shown(app).splitlines()[4]
        await pilot.press("slash", "x")
        assert app.screen.query_one(FilterLine).query_text == "zeppelinx"


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_where_nothing_matches_it_says_what_leads_out_by_the_keys_of_the_moment(
    app: TurnwiseApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: "   3 sessions" in shown(app))
        await pilot.press("slash", *"zeppelin")
        await until(pilot, lambda: "Nothing matches" in shown(app))
        assert "0 of 3" in shown(app)
        assert shown(app).splitlines()[-1].strip() == "enter leave the field   esc clear   f1 help"
        assert "esc clears it." in shown(app)
        assert "/ changes it" not in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "/ changes it; esc clears it." in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "Nothing matches" not in shown(app))
        assert "   3 sessions" in shown(app)


async def test_what_a_session_holds_is_not_obeyed(store: Store) -> None:
    case = conversation("\x1b[31mred\x1b[0m [bold]not bold[/bold]")
    store.sessions.add(case, source="x", format="deepeval")
    app = TurnwiseApp(store)
    async with app.run_test(size=(140, 30)):
        assert "\x1b" not in shown(app)
        assert "[bold]not bold[/bold]" in shown(app)


async def test_help_shows_the_keys_and_goes_again(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        assert "Score the selected sessions, or all that are shown." in shown(app)
        await pilot.press("question_mark")
        await pilot.pause()
        assert isinstance(app.screen, LibraryScreen)


async def test_one_slip_does_not_quit_and_the_second_press_does(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("ctrl+c")
        assert app.is_running
        await pilot.press("ctrl+c")
    assert app.return_value == 0


async def test_the_cursor_goes_along_with_the_sessions_that_are_read(app: TurnwiseApp) -> None:
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen) and "1 of 3" in shown(app))
        await pilot.press("J")
        await until(pilot, lambda: "2 of 3" in shown(app))
        await pilot.press("J")
        await until(pilot, lambda: "3 of 3" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen))
        await until(pilot, lambda: current_name(app) == "Baggage for two")


async def test_the_cursor_goes_to_what_was_recorded_whatever_the_filter(
    app: TurnwiseApp, judge_server: JudgeServer
) -> None:
    judge_server.script(streams("Hi"))
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.press("slash")
        await type_text(pilot, "baggage")
        await until(pilot, lambda: sessions(app).count == 1)
        await pilot.press("enter", "ctrl+n")
        await until(pilot, lambda: isinstance(app.screen, TalkDialog))
        app.screen.query_one("#address", Input).value = judge_server.url
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, RecordScreen) and "nothing to save" in shown(app))
        await pilot.press(*"Hello", "enter")
        await until(pilot, lambda: "2 turns" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, LibraryScreen) and sessions(app).count == 4)
        await until(pilot, lambda: current_name(app) == "Hello")


async def test_metrics_without_room_are_counted_and_keep_their_order(filled: Store) -> None:
    names = [f"metric_{letter}" for letter in "abcdefghij"]
    first, second, third = filled.sessions.ids()
    for session, known in ((first, names), (second, names[5:]), (third, names[9:])):
        outcomes = [Score(metric=name, reason="", score=1.0, threshold=0.5) for name in known]
        add_outcomes(filled, session, *outcomes)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(70, 30)):
        columns = sessions(app)._columns
        metrics = [column.metric for column in columns if column.kind == "metric"]
        assert metrics == names[: len(metrics)]
        assert f"+{len(names) - len(metrics)}" in shown(app)


async def test_rows_that_cannot_be_read_are_told_once(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        view = sessions(app)
        view.post_message(view.FetchFailed(view, sqlite3.OperationalError("unable to open database file")))
        await until(pilot, lambda: bool(app._notifications))
        assert [one.title for one in app._notifications] == ["Error: The database cannot be opened any more"]
        view.post_message(view.FetchFailed(view, sqlite3.OperationalError("unable to open database file")))
        await pilot.pause(0.1)
        assert len(app._notifications) == 1
