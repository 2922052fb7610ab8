"""Looks: a theme is seen before it is kept, nothing moves unasked, and the title says where one is."""

from __future__ import annotations

import pytest
from scored_sessions import add_outcomes, add_talk, retention
from textual.pilot import Pilot
from textual.widgets import Input
from tui_driver import settled, shown, until

from turnwise.conversations.store import Store
from turnwise.engine.judge.usual_judge import settings_path
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.settings.settings import Settings, load_settings, wants_less_motion
from turnwise.tui.settings.themes import DARK, PREFIX
from turnwise.tui.shell import looks


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is sent to the terminal."""
    sent: list[str] = []
    monkeypatch.setattr(looks, "send_code", lambda app, sequence: sent.append(sequence))
    return sent


async def test_the_settings_open_in_the_theme_that_holds(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        app.looks.take_theme("nord")
        shown_theme = app.theme
        await pilot.press("f9")
        await pilot.pause(0.1)
        assert app.theme == shown_theme


async def test_a_theme_is_seen_as_the_cursor_moves_and_kept_by_enter_alone(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "dark words on white" in shown(app))
        await pilot.press("j", "j", "j", "j")
        await until(pilot, lambda: app.theme == PREFIX + "nord")
        await pilot.press("escape")
        await until(pilot, lambda: app.theme == DARK)
        assert load_settings().theme is None
        await pilot.press("f9")
        await until(pilot, lambda: app.place == "settings")
        await pilot.press("j", "j", "j", "j", "j", "enter")
        await until(pilot, lambda: load_settings().theme == "gruvbox")
        await pilot.press("k", "escape")
        await until(pilot, lambda: app.theme == PREFIX + "gruvbox")


def inks(app: TurnwiseApp) -> set[str]:
    """The colours in which something is written on the screen."""
    strips = app.screen._compositor.render_strips()
    return {
        str(segment.style.color)
        for strip in strips
        for segment in strip
        if segment.style is not None and segment.text.strip()
    }


async def steady_inks(pilot: Pilot[int], app: TurnwiseApp) -> set[str]:
    """The colours once the screen rests; on a busy machine words may stand before their row is marked."""
    for field in app.screen.query(Input):
        field.cursor_blink = False
    seen: list[set[str]] = []
    while len(seen) < 5 or any(one != seen[-1] for one in seen[-5:]):
        await settled(pilot)
        await pilot.pause(0.05)
        seen.append(inks(app))
    return seen[-1]


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (("enter", "s", "w"), "needs 0.90 to pass"),
        (("enter", "s", "p", "h"), "Labels of “"),
        (("enter", "s", "C"), ", now and before"),
        (("ctrl+f",), "most sessions first"),
        (("2", "H"), "passes from"),
        (("ctrl+p",), "Leave turnwise; asks first"),
    ],
)
async def test_what_is_on_a_screen_is_written_anew_in_another_theme(
    store: Store, keys: tuple[str, ...], text: str
) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(2), judge="judge-0")
    add_outcomes(store, session, retention(4))
    opened, switched = TurnwiseApp(store, theme=PREFIX + "light"), TurnwiseApp(store, theme=DARK)
    async with opened.run_test(size=(120, 40)) as pilot:
        # What is below a dialog is whole before that opens.
        await steady_inks(pilot, opened)
        await pilot.press(*keys)
        await until(pilot, lambda: text in shown(opened))
        expected = await steady_inks(pilot, opened)
    async with switched.run_test(size=(120, 40)) as pilot:
        await steady_inks(pilot, switched)
        await pilot.press(*keys)
        await until(pilot, lambda: text in shown(switched))
        assert await steady_inks(pilot, switched) != expected
        switched.looks.show_theme("light")
        assert await steady_inks(pilot, switched) == expected


async def test_motion_and_title_are_kept_in_the_settings(app: TurnwiseApp) -> None:
    async with app.run_test(size=(100, 44)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "is left alone" in shown(app))
        rows = [line.split() for line in shown(app).splitlines()]
        assert any("nord" in words and "dark" in words for words in rows)
        assert "if the terminal can" in shown(app)
        await pilot.press("G", "k", "k", "k", "enter")
        await until(pilot, lambda: not load_settings().terminal_title)
        await pilot.press("k", "k", "enter")
        await until(pilot, lambda: load_settings().motion == "reduced")
        assert app.looks.reduced_motion
        assert app.animation_level == "none"
        assert "terminal_title = false" in settings_path().read_text()


async def test_how_the_end_of_a_run_is_told_is_heard_at_once_and_kept(
    app: TurnwiseApp, titles: list[str]
) -> None:
    async with app.run_test(size=(100, 40)) as pilot:
        await pilot.press("f9")
        await until(pilot, lambda: "When a long run ends" in shown(app))
        await pilot.press("G", "k", "enter")
        await until(pilot, lambda: load_settings().notify == "bell")
        assert "\a" in titles
        await pilot.press("j", "enter")
        await until(pilot, lambda: load_settings().notify == "terminal")
        app.looks.tell_end("Scored: 12 passed.", seconds=60)
        assert "Scored: 12 passed." in titles[-1]


@pytest.mark.parametrize(
    ("asked", "settings", "less"),
    [
        ("", Settings(), False),
        ("", Settings(motion="reduced"), True),
        ("1", Settings(), True),
        ("0", Settings(motion="reduced"), False),
    ],
)
def test_the_variable_goes_before_the_settings(asked: str, settings: Settings, less: bool) -> None:
    assert wants_less_motion(settings, {"TURNWISE_REDUCED_MOTION": asked}) is less


async def test_nothing_types_or_blinks_where_motion_is_reduced(store: Store) -> None:
    session = add_talk(store)
    app = TurnwiseApp(store, settings=Settings(motion="reduced"))
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("slash")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await until(pilot, lambda: isinstance(app.focused, Input) and not app.focused.cursor_blink)
        await pilot.press("escape")
        screen = ReplayScreen(session)
        await app.push_screen(screen)
        await until(pilot, lambda: bool(screen.replay.events))
        screen.playback.play()
        await pilot.pause(0.3)
        assert screen._said is None


async def test_the_title_of_the_terminal_says_where_one_is(store: Store, titles: list[str]) -> None:
    session = add_talk(store, name="A refund\x1b]0;evil\x07")
    app = TurnwiseApp(store)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "\x1b]2;turnwise: Library\a" in titles)
        app.push_screen(ReviewScreen(session))
        await until(pilot, lambda: any("turnwise: Review, A refund" in one for one in titles))
        assert all(one.startswith("\x1b]2;turnwise") for one in titles)
        assert all(char.isprintable() for one in titles for char in one[4:-2])
        await pilot.press("escape")
        await until(pilot, lambda: titles[-1] == "\x1b]2;turnwise: Library\a")


async def test_a_screen_that_went_as_the_app_ended_is_no_error(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.library.list.count == 3)
        app.tour.take_up()
        screens = app._screen_stacks[app.current_mode]
        # Heard when all screens have gone.
        gone = [*screens]
        screens.clear()
        app.screen_change_signal.publish(gone[0])
        await app._flush_next_callbacks()
        screens.extend(gone)


async def test_a_title_that_is_to_be_left_alone_is(filled: Store, titles: list[str]) -> None:
    app = TurnwiseApp(filled, settings=Settings(terminal_title=False))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "Refund" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
    assert titles == []
