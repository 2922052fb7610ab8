"""A review that was made before it is opened opens as one that was not, and is never opened a second time."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, cast

import pytest
from stored import land, score
from textual.pilot import Pilot
from textual.screen import Screen
from tui_driver import shown, until

from turnwise.conversations.store import Store
from turnwise.engine.people.next_labels import make_queue
from turnwise.engine.people.queues import QueuePlan
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.app.made_later import LeadsToSession, read_next, steps_ahead
from turnwise.tui.queues.queues_screen import QueuesScreen
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import FoundSessions

pytestmark = pytest.mark.usefixtures("steps_by_hand")

SIZES = [(160, 50), (80, 24)]


@pytest.mark.parametrize("shown_too", [False, True])
@pytest.mark.parametrize("size", SIZES)
async def test_a_review_that_was_made_ahead_looks_as_one_that_was_not(
    filled: Store, size: tuple[int, int], shown_too: bool
) -> None:
    make = read_ahead if shown_too else make_ahead
    seen: list[str] = []
    for ahead in (False, True):
        app = TurnwiseApp(filled)
        async with app.run_test(size=size) as pilot:
            await begin(app, pilot)
            made = await make(app, pilot) if ahead else None
            screen = await opened(app, pilot)
            assert (screen is made) is ahead
            seen.append(picture(app))
    assert seen[0] == seen[1]


async def test_what_was_done_in_a_review_is_not_in_the_next_one(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = await make_ahead(app, pilot)
        assert await opened(app, pilot) is made
        first = picture(app)
        await pilot.press("i", "j", "slash", *"the", "enter")
        await until(pilot, lambda: picture(app) != first)
        while app.screen is made:
            await pilot.press("escape")
            await pilot.pause()
        await until(pilot, lambda: not made.is_running)
        following = await make_ahead(app, pilot)
        assert following is not made
        assert await opened(app, pilot) is following
        await until(pilot, lambda: picture(app) == first)


async def test_a_review_that_was_made_for_another_size_is_not_opened(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        made = await make_ahead(app, pilot)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.library.size.width == 80)
        screen = await opened(app, pilot)
        assert screen is not made
        assert screen.has_class("-narrow")
        await until(pilot, lambda: not made.is_running)


async def test_the_steps_make_one_anew_for_another_size_and_then_no_more(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(160, 50)) as pilot:
        await begin(app, pilot)
        made = await make_ahead(app, pilot)
        assert await make_ahead(app, pilot) is made
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: app.library.size.width == 80)
        again = await make_ahead(app, pilot)
        assert again is not made
        assert again.size == (80, 24)
        assert await opened(app, pilot) is again


async def test_a_session_that_is_gone_is_told_and_left_at_once(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = await make_ahead(app, pilot)
        screen = app.kept_dialogs.take(ReviewScreen, 999, FoundSessions(filled, [999]))
        assert screen is made
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is app.library)
        await until(pilot, lambda: len(app._notifications) == 1)
        [toast] = app._notifications
        assert "999" in str(toast)


async def test_keys_that_come_while_the_first_frame_is_held_are_of_the_review(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        made = cast("ReviewScreen", await make_ahead(app, pilot))
        first = app.library.list.cursor
        await pilot.press("enter", "j")
        await until(pilot, lambda: app.screen is made and made.transcript.cursor == 1)
        assert app.library.list.cursor == first


async def test_a_session_that_was_read_ahead_is_shown_without_reading_it_again(
    filled: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)

        def is_not_to_be_asked(_: int) -> NoReturn:
            raise AssertionError

        monkeypatch.setattr(filled.turns, "of", is_not_to_be_asked)
        screen = await opened(app, pilot)
        assert [row.number for row in screen.transcript.rows][:2] == [1, 2]


async def test_what_was_written_since_a_session_was_read_ahead_is_seen(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)
        row = app.library.list.current
        assert row is not None
        with Store.open(filled.path) as elsewhere:
            elsewhere.labels.add(row.id, "fail", author="Ada", blind=True, note="said elsewhere")
        screen = await opened(app, pilot)
        assert [label.note for label in screen.labels.session.found.labels] == ["said elsewhere"]


async def test_another_session_than_the_one_that_was_read_ahead_is_read(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)
        first = app.library.list.current
        await pilot.press("j")
        screen = await opened(app, pilot)
        second = app.library.list.current
        assert first is not None
        assert second is not None
        assert screen.session_id == second.id != first.id
        assert second.name in shown(app)


async def test_the_first_frame_has_the_session_that_was_shown_ahead(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)
        row = app.library.list.current
        assert row is not None
        screen = app.kept_dialogs.take(ReviewScreen, row.id, app.library.provider)
        assert screen.labels.is_read
        assert screen.walk.near is not None
        assert [turn.number for turn in screen.transcript.rows][:2] == [1, 2]
        app.push_screen(screen)
        await until(pilot, lambda: row.name in shown(app))


async def test_what_is_shown_ahead_counts_as_seen_only_once_it_is_opened(filled: Store) -> None:
    app = TurnwiseApp(filled)
    app.settings = replace(app.settings, blind=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        row = app.library.list.current
        assert row is not None
        filled.labels.add(row.id, "fail", author="Ada", blind=True)
        await read_ahead(app, pilot)
        assert row.id not in app.seen
        await opened(app, pilot)
        assert row.id in app.seen


async def test_of_a_session_that_was_shown_ahead_nothing_is_seen_where_another_is_opened(
    filled: Store,
) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)
        first, *_, last = filled.sessions.page("", 0, 9)
        assert app.library.list.current == first
        screen = app.kept_dialogs.take(ReviewScreen, last.id, app.library.provider)
        assert not screen.labels.is_read
        assert not screen.transcript.rows
        app.push_screen(screen)
        await until(pilot, lambda: screen.labels.is_read)
        await until(pilot, lambda: last.name in shown(app))
        assert first.name not in shown(app)


async def test_one_that_was_shown_ahead_is_opened_at_a_turn(filled: Store) -> None:
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await read_ahead(app, pilot)
        row = app.library.list.current
        assert row is not None
        screen = app.kept_dialogs.take(ReviewScreen, row.id, app.library.provider, turn=2)
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen)
        assert screen.transcript.current is not None
        assert screen.transcript.current.number == 2


@pytest.mark.parametrize("keys", ["3", "6", "2H"])
async def test_what_a_place_leads_to_opens_as_it_does_where_nothing_is_made_ahead(
    filled: Store, keys: str
) -> None:
    add_findings(filled)
    seen: list[str] = []
    for ahead in (False, True):
        app = TurnwiseApp(filled)
        async with app.run_test(size=(120, 40)) as pilot:
            await begin(app, pilot)
            if ahead:
                await make_ahead(app, pilot)
            await gone_to(app, pilot, keys)
            if ahead:
                await read_ahead(app, pilot)
            seen.append(picture(app) if await opened(app, pilot) else "")
    assert seen[0] == seen[1]


async def test_what_a_place_leads_to_is_there_when_it_is_opened(filled: Store) -> None:
    add_findings(filled)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await make_ahead(app, pilot)
        await gone_to(app, pilot, "3")
        made = await read_ahead(app, pilot)
        # Digits are given to failure modes once somebody sees them.
        assert not app.digits
        assert await opened(app, pilot) is made
        await until(pilot, lambda: bool(app.digits))
        assert "no. 1 · 0 of 2 done" in shown(app)
        assert "1   forgets" in shown(app)


async def test_what_was_shown_ahead_of_a_queue_gives_no_modes_to_another_session(filled: Store) -> None:
    add_findings(filled)
    app = TurnwiseApp(filled)
    async with app.run_test(size=(80, 24)) as pilot:
        await begin(app, pilot)
        await make_ahead(app, pilot)
        await gone_to(app, pilot, "3")
        made = await read_ahead(app, pilot)
        await until(pilot, lambda: made.query_one(NearModesLine).last_digit == 1)
        # As the palette opens it, which is no session of a queue there.
        app.open_session(1)
        await until(pilot, lambda: app.screen is made and shows_here(app, 1))
        await until(pilot, lambda: "forgets" not in shown(app))
        assert made.query_one(NearModesLine).last_digit == 0


async def test_a_queue_that_draws_its_sessions_draws_none_ahead(filled: Store) -> None:
    add_findings(filled)
    queue_id = make_queue(filled, "drawn", QueuePlan("next", size=2, metric="politeness"))
    app = TurnwiseApp(filled)
    async with app.run_test(size=(120, 40)) as pilot:
        await begin(app, pilot)
        await gone_to(app, pilot, "3")
        screen = cast("QueuesScreen", app.screen)
        assert screen.current is not None
        assert screen.current.queue.id == queue_id
        assert screen.leads_to() is None


def add_findings(store: Store) -> None:
    """Judge and people differ on a session, and a queue waits."""
    land(store, 1, score(0.9, "politeness"))
    store.labels.add(1, "fail", author="Ada", blind=True)
    store.modes.add("forgets", "It forgets the order number.", author="Ada")
    store.queues.add("by chance", [2, 3], sampler="random")


async def gone_to(app: TurnwiseApp, pilot: Pilot[int], keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await app.workers.wait_for_complete()
        await pilot.pause(0.3)
    await until(pilot, lambda: isinstance(app.screen, LeadsToSession))


async def begin(app: TurnwiseApp, pilot: Pilot[int]) -> None:
    await until(pilot, lambda: "sessions" in shown(app) and app.library.list.count == 3)
    app.judge.take(None)
    await pilot.pause(0.3)


async def make_ahead(app: TurnwiseApp, pilot: Pilot[int]) -> Screen[int]:
    for _ in steps_ahead(app, app.screen):
        await pilot.pause()
    made = cast("Screen[int]", app.get_screen("kept ReviewScreen"))
    await until(pilot, lambda: made.is_mounted)
    return made


async def read_ahead(app: TurnwiseApp, pilot: Pilot[int]) -> Screen[int]:
    """Let the session under the cursor be read, shown and drawn."""
    made = await make_ahead(app, pilot)
    screen = cast("LeadsToSession", app.screen)
    while read_next(app, app.screen) or not ((to := screen.leads_to()) and shows(app, to.session_id)):
        await pilot.pause()
    return made


def shows(app: TurnwiseApp, session_id: int) -> bool:
    review = app.kept_dialogs.ahead(ReviewScreen)
    return review is not None and review.session_id == session_id and review.labels.is_read


def shows_here(app: TurnwiseApp, session_id: int) -> bool:
    review = app.screen
    return isinstance(review, ReviewScreen) and review.session_id == session_id and review.labels.is_read


async def opened(app: TurnwiseApp, pilot: Pilot[int]) -> ReviewScreen:
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
    screen = cast("ReviewScreen", app.screen)
    await until(pilot, lambda: screen.labels.is_read and screen.walk.near is not None)
    await pilot.pause(0.1)
    return screen


def picture(app: TurnwiseApp) -> str:
    """The text of the screen with its styles."""
    lines = app.screen._compositor.render_strips()
    return "\n".join([*(str(line._segments) for line in lines), type(app.focused).__name__])
