"""The tour in the app: it leads through the demo, can be left and taken up, and is remembered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from textual.pilot import Pilot
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS, Place
from turnwise.tui.app.app import Opening, TurnwiseApp
from turnwise.tui.app.jump import JumpScreen
from turnwise.tui.demo.demo_store import fill
from turnwise.tui.tour.tour_line import TourLine
from turnwise.tui.tour.tour_steps import STEPS


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Store]:
    with Store.open(tmp_path / "demo.db") as store:
        await fill(store)
        yield store


def demo_app(store: Store) -> TurnwiseApp:
    app = TurnwiseApp(store, Opening(demo=True))
    app.judge.chosen = True
    return app


def key(place: Place, name: str) -> str:
    return next(action.keys[0] for action in ACTIONS[place] if action.name == name)


async def comes(pilot: Pilot[int], app: TurnwiseApp, words: str) -> None:
    await until(pilot, lambda: words in shown(app))


async def press(pilot: Pilot[int], *actions: tuple[Place, str]) -> None:
    for place, name in actions:
        await pilot.press(key(place, name))
        await pilot.pause(0.1)


async def take_up(pilot: Pilot[int], app: TurnwiseApp) -> None:
    """Take the tour up by the palette, once that has found it and it is the first that it offers."""
    await pilot.press("ctrl+p", *"tour")
    await until(pilot, lambda: "Be led to" in shown(app) and "Search for" not in shown(app))
    await pilot.pause(0.3)
    await pilot.press("enter")


ROAD: Sequence[tuple[str, tuple[tuple[Place, str], ...]]] = (
    ("What passes least is first", (("library", "overview"),)),
    ("tour 2 of 9", (("overview", "open"),)),
    ("tour 3 of 9", (("library", "open"),)),
    ("tour 4 of 9", (("review", "reveal"), ("review", "next_failed"))),
    ("A queue hides its scores", (("review", "back"), ("library", "review_queues"))),
    ("tour 5 of 9", (("queues", "open"),)),
    ("tour 6 of 9", (("review", "label_fail"),)),
    ("Notes become", (("review", "back"), ("library", "failure_modes"))),
    ("tour 7 of 9", (("failure_modes", "rates"),)),
    ("This is how sure a judge is", (("failure_modes", "agreement"),)),
    ("what got worse is first", (("agreement", "back"), ("library", "compare"))),
    ("This was the tour", (("compare", "overview"),)),
)
"""What comes to be seen, by which actions: a newcomer's road, as the line tells it."""


async def test_what_the_line_says_leads_through_the_demo(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of 9")
        for words, actions in ROAD:
            await press(pilot, *actions)
            await comes(pilot, app, words)
        assert app.tour.progress.step == len(STEPS)
        await comes(pilot, app, "Next ")
        # An earlier step let the library list what fails; what to do next is told of all.
        await comes(pilot, app, "64 sessions · ")
        await press(pilot, ("overview", "back"))
        await comes(pilot, app, "brings in yours")
        await press(pilot, ("library", "cursor_down"), ("library", "select"))
        await until(pilot, lambda: "tour" not in shown(app))
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "64 sessions")
        await until(pilot, lambda: app.tour.progress.is_over)
        assert "tour" not in shown(app)


async def test_no_question_stands_before_the_demo(demo: Store) -> None:
    app = TurnwiseApp(demo, Opening(demo=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of 9")
        await comes(pilot, app, "64 sessions")
        assert app.place == "library"


async def test_it_is_left_by_escape_and_goes_on_where_it_was_the_next_time(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of 9")
        await press(pilot, ("library", "overview"))
        # Runs are read last: before, another line is the first that leads to sessions.
        await comes(pilot, app, "run 4, the newest")
        await press(pilot, ("overview", "open"))
        await comes(pilot, app, "tour 2 of 9")
        await comes(pilot, app, "4 of 64")
        await pilot.click(TourLine)
        await comes(pilot, app, "leaves the tour")
        await press(pilot, ("tour", "leave"))
        await until(pilot, lambda: "tour" not in shown(app))
        assert app.place == "library"
        await until(pilot, lambda: demo.remembered.get("tour") == {"step": 1, "on": False})
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "64 sessions")
        await until(pilot, lambda: app.tour.progress.step == 1)
        assert "tour" not in shown(app)
        await take_up(pilot, app)
        await comes(pilot, app, "tour 2 of 9")


async def test_a_step_can_be_left_out(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of 9")
        await pilot.click(TourLine)
        await press(pilot, ("tour", "next_step"))
        await comes(pilot, app, "tour 2 of 9")


async def test_ones_own_library_has_it_for_the_asking(store: Store) -> None:
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.3)
        assert "tour" not in shown(app)
        await take_up(pilot, app)
        await comes(pilot, app, "tour 1 of 9")


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_how_it_is_left_is_said_at_every_step_in_one_line(demo: Store, size: tuple[int, int]) -> None:
    app = demo_app(demo)
    async with app.run_test(size=size) as pilot:
        await comes(pilot, app, "Press 2: see what goes wrong, and how sure")
        await comes(pilot, app, "f8 ends the tour")
        assert app.screen.query_one(TourLine).size.height == 1
        await press(pilot, ("library", "overview"))
        await comes(pilot, app, "enter lists what fails it")
        await comes(pilot, app, "f8 ends it" if size[0] == 80 else "f8 ends the tour")
        assert app.screen.query_one(TourLine).size.height == 1


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
async def test_what_stands_below_a_field_names_no_key_that_would_be_typed_into_it(
    demo: Store, size: tuple[int, int]
) -> None:
    app = demo_app(demo)
    async with app.run_test(size=size) as pilot:
        await comes(pilot, app, "Press 2: see what goes wrong, and how sure")
        more = "W names" if size[0] == 80 else "Press 2"
        await comes(pilot, app, more)
        await press(pilot, ("library", "filter"))
        await comes(pilot, app, "enter, then 2: see what goes wrong, and how sure")
        assert "Press 2" not in shown(app)
        assert "W names" not in shown(app)
        assert size[0] > 80 or " 4 more" in shown(app)
        await pilot.press("enter")
        await comes(pilot, app, "Press 2: see what goes wrong, and how sure")
        await comes(pilot, app, more)


async def test_one_key_ends_it_and_takes_it_up_again(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of 9")
        await press(pilot, ("library", "open"), ("everywhere", "tour"))
        await until(pilot, lambda: "tour 1" not in shown(app))
        assert app.place == "review"
        await press(pilot, ("everywhere", "tour"))
        await comes(pilot, app, "tour 1 of 9")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
async def test_no_toast_covers_it(demo: Store, size: tuple[int, int]) -> None:
    app = demo_app(demo)
    async with app.run_test(size=size, notifications=True) as pilot:
        for place, action, words in (("library", "", "tour 1 of 9"), ("review", "open", "Scores hidden")):
            if action:
                await press(pilot, ("library", action))
                await until(pilot, lambda place=place: app.place == place)
            await comes(pilot, app, words)
            await until(pilot, lambda: bool(app.screen.query(TourLine)))
            app.screen.notify("Scores shown: a label given now counts as not blind. " * 3)
            await until(pilot, lambda: bool(app.screen.query("Toast")) and "not blind" in shown(app))
            line, toast = app.screen.query_one(TourLine), app.screen.query("Toast").last()
            assert not line.region.overlaps(toast.region)
            app.clear_notifications()


async def test_below_a_dialog_the_line_names_no_key_that_the_dialog_would_take(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(100, 30)) as pilot:
        await comes(pilot, app, "tour 1 of 9  Press 2")
        await pilot.press("L")
        await comes(pilot, app, "tour 1 of 9  It goes on once this is closed")
        assert "Press 2" not in shown(app)
        await pilot.press("escape")
        await comes(pilot, app, "tour 1 of 9  Press 2")


async def test_below_the_letters_to_jump_by_the_line_keeps_the_words_that_one_leads_to(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(100, 30)) as pilot:
        await comes(pilot, app, "tour 1 of 9  Press 2")
        app.action_jump()
        await until(pilot, lambda: app.place == "jump")
        await pilot.pause(0.2)
        assert "It goes on once" not in shown(app)


async def test_it_says_escape_twice_where_that_closes_a_part_of_a_review_first(demo: Store) -> None:
    async with demo_app(demo).run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "tour 1 of" in shown(pilot.app))
        await pilot.press("enter")
        await until(pilot, lambda: "Press esc, then 2" in shown(pilot.app))
        await pilot.press("i")
        await until(pilot, lambda: "Press esc twice, then 2" in shown(pilot.app))
        await pilot.press("escape")
        await until(pilot, lambda: "Press esc, then 2" in shown(pilot.app))
        # Why stands before the review: one more screen to leave.
        await pilot.press("s", "w")
        await until(pilot, lambda: "Press esc twice, then 2" in shown(pilot.app))
        await pilot.press("escape", "i", "w")
        await until(pilot, lambda: "Press esc 3 times, then 2" in shown(pilot.app))


async def test_the_letter_that_leads_to_the_tour_stands_before_its_words(demo: Store) -> None:
    app = demo_app(demo)
    async with app.run_test(size=(80, 24)) as pilot:
        await comes(pilot, app, "tour 1 of")
        line = app.screen.query_one(TourLine).region
        await pilot.press("apostrophe")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        assert isinstance(app.screen, JumpScreen)
        [(letter, region)] = [one for one in app.screen.regions.items() if one[1].y == line.y]
        assert region.x == line.x
        await pilot.press(letter)
        await comes(pilot, app, "esc leaves the tour")
