"""What is said in passing goes with the screen and the session it was said of."""

from __future__ import annotations

import pytest
from reviewing import press, reviewing, settled, told
from scored_sessions import add_outcomes, add_talk, retention
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.parts import notice
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.notice import note, tell_news
from turnwise.tui.parts.question_dialog import QuestionDialog
from turnwise.tui.review.review_screen import ReviewScreen

SAID = "There is nothing to undo."
SIZE = (120, 30)


async def test_a_note_goes_when_another_session_is_read(store: Store) -> None:
    first, second = (add_talk(store, name=name) for name in ("One", "Two"))
    for one in (first, second):
        add_outcomes(store, one, retention(4))
    async with reviewing(store, second, SIZE) as (screen, pilot):
        await press(pilot, "u")
        assert told(pilot) == [SAID]
        await press(pilot, "J")
        assert screen.session_id == first
        assert told(pilot) == []


async def test_a_note_goes_when_its_screen_is_left_or_another_opens_over_it(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, SIZE) as (_, pilot):
        await press(pilot, "u")
        assert told(pilot) == [SAID]
        await press(pilot, "question_mark")
        assert told(pilot) == []
        await press(pilot, "escape", "X")
        assert "Who failed goes with a fail" in told(pilot)[0]
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ReviewScreen)
        assert told(pilot) == []


async def test_what_is_said_as_another_screen_opens_is_told_on_that(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    async with reviewing(store, session, SIZE) as (_, pilot):
        note(pilot.app.screen, "Left behind.")
        screen = pilot.app.kept_dialogs.of(QuestionDialog, "Really?", [Choice("yes", "Yes")])
        pilot.app.push_screen(screen)
        note(screen, SAID)
        await settled(pilot)
        assert told(pilot) == [SAID]


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
@pytest.mark.parametrize("key", ["", "enter", "2", "3", "4", "5", "6", "7"])
async def test_what_is_told_in_a_line_covers_nothing_but_keys_that_give_way(
    app: TurnwiseApp, size: tuple[int, int], key: str
) -> None:
    async with app.run_test(size=size, notifications=True) as pilot:
        await press(pilot, *filter(None, [key]))
        await pilot.pause(0.5)
        before = shown(app).splitlines()
        app.notify("This is so.", timeout=2.5)
        await until(pilot, lambda: "This is so." in shown(app))
        *above, line = shown(app).splitlines()
        assert above == before[:-1]
        # What the toast leaves of the line is whole keys, and how to get help is among them.
        keys, told = line[: size[0] - 14], line[size[0] - 14 :]
        assert told.split() == [*told.split()[:1], "This", "is", "so."]
        assert keys.rstrip().endswith("? help")
        assert all(one in before[-1] for one in keys.split("   "))
        # The first of them stays where one has just seen it.
        assert before[-1].startswith(keys.split("   ")[0])
        await until(pilot, lambda: shown(app).splitlines() == before)


async def test_a_note_that_goes_with_its_screen_gives_the_keys_their_line_back(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        before = shown(app).splitlines()[-1]
        app.screen.notify("This is so.", timeout=2.5)
        await until(pilot, lambda: "This is so." in shown(app))
        await press(pilot, "5", "1")
        assert shown(app).splitlines()[-1] == before


@pytest.mark.parametrize("keys", [("5",), ("enter",), ("2",)])
async def test_what_was_told_of_a_place_goes_with_it_and_news_and_errors_stay(
    app: TurnwiseApp, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "SECONDS_OF_NEWS", 60.0)
    async with app.run_test(size=SIZE) as pilot:
        app.notify("This cannot be.", severity="error", timeout=60)
        app.notify("Given. u takes it back.", timeout=50)
        await pilot.pause()
        assert told(pilot) == ["Error: This cannot be.", "Given. u takes it back."]
        await press(pilot, *keys)
        assert told(pilot) == ["Error: This cannot be."]
        tell_news(app, "The run has ended.")
        await press(pilot, "escape")
        assert told(pilot) == ["Error: This cannot be.", "The run has ended."]


async def test_news_that_are_taken_along_give_the_keys_of_another_screen_their_line_back(
    app: TurnwiseApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notice, "SECONDS_OF_NEWS", 4.0)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await press(pilot, "5")
        before = shown(app).splitlines()[-1]
        await press(pilot, "1")
        tell_news(app, "The run has ended.")
        await until(pilot, lambda: "The run has ended." in shown(app))
        await press(pilot, "5")
        assert "The run has ended." in shown(app).splitlines()[-1]
        await until(pilot, lambda: shown(app).splitlines()[-1] == before)


async def test_what_takes_two_lines_stands_above_the_keys(app: TurnwiseApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        before = shown(app).splitlines()[-1]
        app.notify("This is so. " * 10)
        await until(pilot, lambda: "This is so." in shown(app))
        assert shown(app).splitlines()[-1] == before
