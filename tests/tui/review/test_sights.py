"""A label is blind only where its author saw no scores of the session before, wherever they stood."""

from __future__ import annotations

import pytest
from compared_runs import two_targets
from reviewing import drawn, press, reviewing, settled, told
from scored_sessions import add_outcomes, add_talk, retention
from textual.widgets import Input, Static
from tui_driver import sessions, shown, until

from turnwise.conversations.store import Store
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.compare.compare_screen import CompareScreen
from turnwise.tui.compare.pair_screen import PairScreen
from turnwise.tui.library.arrangement import COLUMNS
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.queues.queue_dialog import QueueDialog
from turnwise.tui.replay.replay_screen import ReplayScreen
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import QueueSessions
from turnwise.tui.settings.settings import Settings

WINDOWFUL = 30
"""As many sessions as no window of these tests shows at once."""


def fill_up(store: Store) -> None:
    """Put so many sessions above those that are there in the library that they are out of sight."""
    for number in range(WINDOWFUL):
        add_talk(store, name=f"older {number}")


def add_scored(store: Store) -> list[int]:
    """Add three conversations with scores, and return them in the order of the library."""
    found = [add_talk(store, name=name) for name in ("One", "Two", "Three")]
    for one in found:
        add_outcomes(store, one, retention(4))
    return found[::-1]


@pytest.fixture
def ids(store: Store) -> list[int]:
    """Three conversations with scores, out of sight at the end of a long library."""
    added = add_scored(store)
    fill_up(store)
    return added


def app_of(store: Store) -> TurnwiseApp:
    app = TurnwiseApp(store, settings=Settings(author="mia"))
    app.judge.chosen = True
    return app


async def label(app: TurnwiseApp, pilot, session: int) -> None:
    app.open_session(session)
    await settled(pilot)
    await settled(pilot)
    assert isinstance(app.screen, ReviewScreen)
    await press(pilot, "p", "escape")


async def test_what_stood_in_the_library_with_its_marks_is_not_labelled_blind(
    store: Store, ids: list[int]
) -> None:
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await settled(pilot)
        # It was never in sight, and is once the library goes to what was read.
        await label(app, pilot, ids[2])
        await pilot.press("G", "k", "k", "k", "enter")
        await settled(pilot)
        await press(pilot, "J", "J")
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.session_id == ids[1]
        # They are covered all the same: who looks at the reasons has less to find by themselves.
        assert "you saw some in the library." in drawn(screen.pane.score_list)
        assert "Scores hidden so you judge first" in drawn(screen.pane.score_list)
        await press(pilot, "p", "escape")
    assert [store.labels.of(one)[0].blind for one in ids[1:]] == [False, True]


@pytest.mark.parametrize("is_far", [False, True])
async def test_all_rows_in_sight_are_seen_and_those_below_are_not(store: Store, is_far: bool) -> None:
    ids = add_scored(store)
    bare = add_talk(store, name="bare")
    if is_far:
        fill_up(store)
    app = app_of(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await settled(pilot)
        assert [one in app.sights for one in ids] == [not is_far] * 3
        # What has no score shows none.
        assert bare not in app.sights
        app.open_session(ids[2])
        await settled(pilot)
        await settled(pilot)
        assert isinstance(app.screen, ReviewScreen)
        assert ("you saw some in the library." in shown(app)) is not is_far
        await press(pilot, "p")
    assert store.labels.of(ids[2])[0].blind is is_far


async def test_what_the_wheel_brings_into_sight_is_seen(store: Store, ids: list[int]) -> None:
    app = app_of(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        sessions(app).scroll_to_row(WINDOWFUL)
        await until(pilot, lambda: all(one in app.sights for one in ids))


async def test_what_a_filter_leaves_is_seen_and_a_queue_of_it_says_so(store: Store, ids: list[int]) -> None:
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        assert ids[1] not in app.sights
        await pilot.press("slash", *"T", "enter")
        await until(pilot, lambda: sessions(app).count == 2)
        await until(pilot, lambda: ids[1] in app.sights)
        assert ids[2] not in app.sights
        await pilot.press("Q")
        words = "You saw the scores of all 2 before: their labels will not be blind."
        await until(pilot, lambda: isinstance(app.screen, QueueDialog))
        about = app.screen.query_one("#about", Static)
        await until(pilot, lambda: words in str(about.render()))
        # Where others are to label, what this one saw says nothing.
        app.screen.query_one("#people", Input).value = "ada, ben"
        await until(pilot, lambda: words not in str(about.render()))
        app.screen.query_one("#people", Input).value = "ada, mia"
        await until(pilot, lambda: words in str(about.render()))


async def test_what_stands_a_while_below_a_filter_that_is_typed_is_seen(store: Store, ids: list[int]) -> None:
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("slash", "T")
        await until(pilot, lambda: ids[1] in app.sights)
        assert isinstance(app.focused, Input)
        assert ids[2] not in app.sights


async def test_what_is_listed_for_a_moment_while_letters_are_typed_is_not_seen(
    store: Store, ids: list[int]
) -> None:
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("slash", "T")
        await until(pilot, lambda: sessions(app).count == 2)
        await pilot.press(*"zzz", "enter")
        await until(pilot, lambda: sessions(app).count == 0)
        await settled(pilot)
        assert ids[1] not in app.sights
        # What one went to by the filter and left by it was looked at.
        await pilot.press("escape", "slash", "T")
        await until(pilot, lambda: sessions(app).count == 2)
        await pilot.press("escape")
        await until(pilot, lambda: ids[1] in app.sights)


async def test_marks_without_a_column_are_not_seen(store: Store) -> None:
    ids = add_scored(store)
    add_outcomes(store, ids[1], retention(4, metric="politeness"))
    # Of three sessions one alone has a score that the library shows.
    store.remembered.keep(COLUMNS, ["politeness"])
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: ids[1] in app.sights)
        await settled(pilot)
        assert ids[2] not in app.sights


@pytest.mark.parametrize(
    ("scored", "words"),
    [
        (True, "Scores are hidden until you label. s shows them; a label is then not blind."),
        (False, "Others' labels hidden until you label. s shows them; yours is then not blind."),
    ],
)
async def test_what_showing_the_scores_means_stands_whole_in_a_narrow_review(
    store: Store, scored: bool, words: str
) -> None:
    session = add_talk(store, name="Four")
    if scored:
        add_outcomes(store, session, retention(4))
    else:
        store.labels.add(session, "fail", author="ben", blind=True)
    fill_up(store)
    app = app_of(store)
    async with app.run_test(size=(80, 24)) as pilot:
        app.open_session(session)
        await settled(pilot)
        await until(pilot, lambda: words in shown(app))


@pytest.mark.parametrize("reads_both", [False, True])
async def test_what_was_looked_at_in_compare_is_not_labelled_blind(store: Store, reads_both: bool) -> None:
    """In the list stand the figures of both of a pair; in the pair that is read, the next one's too."""
    two_targets(store, [(0.4, 0.8), *[(0.5, 0.5)] * WINDOWFUL])
    fill_up(store)
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        screen = CompareScreen()
        app.push_screen(screen)
        await settled(pilot)
        await settled(pilot)
        # Of the last ones none was in sight, also while it was not known yet how much stands above the list.
        last, below_it, far = screen._pairs[-3:]
        screen.list.move_cursor(len(screen._pairs) - 3)
        await settled(pilot)
        looked_at = [last]
        if reads_both:
            await press(pilot, "enter", "J")
            assert isinstance(app.screen, PairScreen)
            looked_at.append(below_it)
        waiting = [one.session_id for pair in (*looked_at, far) for one in (pair.a, pair.b)]
        seen = [one.session_id for pair in looked_at for one in (pair.a, pair.b)]
        # What waits in a queue is not listed there: it comes to wait only now.
        store.queues.add("mine", waiting, sampler="random")
        app.open_session(seen[-1])
        await settled(pilot)
        await settled(pilot)
        review = app.screen
        assert isinstance(review, ReviewScreen)
        where = "in a pair" if reads_both else "in Compare"
        assert f"you saw some {where}." in drawn(review.pane.score_list)
        await press(pilot, "p", "escape")
        for one in waiting:
            if one != seen[-1]:
                await label(app, pilot, one)
    assert {one for one in waiting if not store.labels.of(one)[0].blind} == set(seen)


async def test_what_was_seen_in_one_sitting_is_not_blind_in_the_next(store: Store, ids: list[int]) -> None:
    top = add_talk(store, name="newest")
    add_outcomes(store, top, retention(4))
    first = app_of(store)
    async with first.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: top in first.sights)
        await first.action_quit()
    assert store.labels.seen_by(top) == {"mia"}
    second = app_of(store)
    async with second.run_test(size=(120, 30)) as pilot:
        store.queues.add("mine", [top, *ids], sampler="random")
        await label(second, pilot, top)
        await label(second, pilot, ids[1])
    assert [store.labels.of(one)[0].blind for one in (top, ids[1])] == [False, True]


async def test_what_waits_in_a_queue_is_covered_and_stays_blind(store: Store, ids: list[int]) -> None:
    store.labels.add(ids[1], "fail", author="ben", blind=True)
    store.queues.add("mine", ids, sampler="random")
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("j", "j", "k")
        await settled(pilot)
        assert isinstance(app.screen, LibraryScreen)
        # What somebody else said is covered as well.
        assert "✗" not in shown(app)
        app.open_queue(1)
        await settled(pilot)
        await settled(pilot)
        for _ in ids:
            await press(pilot, "p")
    assert all(store.labels.of(one)[-1].blind for one in ids)


async def test_a_label_that_leads_on_at_once_shows_no_scores_and_its_undo_leaves_one_blind(
    store: Store, ids: list[int]
) -> None:
    queue = store.queues.get(store.queues.add("mine", ids, sampler="random"))
    async with reviewing(store, ids[0], (120, 30), QueueSessions(store, queue)) as (screen, pilot):
        await press(pilot, "p")
        assert screen.session_id == ids[1]
        await press(pilot, "u")
        assert screen.session_id == ids[0]
        assert "scores hidden" in shown(pilot.app)
        assert "not be blind" not in drawn(screen.pane.label_pane)
        assert "undone: pass" in drawn(screen.pane.label_pane)
        await press(pilot, "f")
        # A fail stays, and is what shows them.
        assert "scores hidden" not in shown(pilot.app)
        assert "blind" in drawn(screen.pane.label_pane)
        assert "not blind" not in drawn(screen.pane.label_pane)
        assert store.labels.of(ids[0])[-1].blind
        await press(pilot, "u")
        told = " ".join(drawn(screen.pane.label_pane).split())
        assert "undone: fail at turn 2; your label will not be blind" in told
        await press(pilot, "f")
        assert "not blind" in drawn(screen.pane.label_pane)
        assert not store.labels.of(ids[0])[-1].blind


@pytest.mark.parametrize("keys", [("p", "K"), ("p", "u", "U")])
async def test_who_comes_back_to_what_they_labelled_sees_the_scores(
    store: Store, ids: list[int], keys: tuple[str, ...]
) -> None:
    queue = store.queues.get(store.queues.add("mine", ids, sampler="random"))
    async with reviewing(store, ids[0], (120, 30), QueueSessions(store, queue)) as (screen, pilot):
        await press(pilot, *keys)
        assert screen.session_id == ids[0]
        assert "scores hidden" not in shown(pilot.app)
        await press(pilot, "u", "p", "K")
        assert not store.labels.of(ids[0])[-1].blind


async def test_the_library_below_a_queue_shows_nothing_of_what_a_label_led_on_from(
    store: Store, ids: list[int]
) -> None:
    store.queues.add("mine", ids, sampler="random")
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        app.open_queue(1)
        await settled(pilot)
        await settled(pilot)
        await press(pilot, "p", "u", "p")
    assert store.labels.of(ids[0])[-1].blind


async def test_the_last_label_of_a_list_shows_the_scores_as_it_leads_nowhere(
    store: Store, ids: list[int]
) -> None:
    queue = store.queues.get(store.queues.add("mine", ids[:1], sampler="random"))
    async with reviewing(store, ids[0], (120, 30), QueueSessions(store, queue)) as (screen, pilot):
        await press(pilot, "p", "escape")
        assert not screen.labels.hides_scores


async def test_scores_that_were_shown_before_a_restart_are_not_forgotten(
    store: Store, ids: list[int]
) -> None:
    store.queues.add("mine", ids, sampler="random")
    first = app_of(store)
    async with first.run_test(size=(120, 30)) as pilot:
        first.open_queue(1)
        await settled(pilot)
        await settled(pilot)
        screen = first.screen
        assert isinstance(screen, ReviewScreen)
        screen.action_reveal()
        await first.action_quit()
    assert store.labels.seen_by(ids[0]) == {"mia"}


async def test_what_was_replayed_is_not_labelled_blind_and_the_replay_says_so(
    store: Store, ids: list[int]
) -> None:
    app = app_of(store)
    said = "a label is not blind now"
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        for again in (False, True):
            app.open_replay(ids[1])
            await settled(pilot)
            await settled(pilot)
            assert isinstance(app.screen, ReplayScreen)
            # Said once: the second time nothing changes by it.
            assert (said in app.screen.query_one(TitleBar).right) is not again
            # The keys have their line for themselves.
            assert told(pilot) == []
            await press(pilot, "escape")
        await label(app, pilot, ids[1])
        await label(app, pilot, ids[2])
    assert [store.labels.of(one)[0].blind for one in ids[1:]] == [False, True]


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_a_replay_of_what_waits_for_a_label_plays_the_turns_alone_until_s(
    store: Store, ids: list[int], size: tuple[int, int]
) -> None:
    store.queues.add("mine", ids[:1], sampler="random")
    app = app_of(store)
    async with app.run_test(size=size) as pilot:
        app.open_queue(1)
        await settled(pilot)
        await settled(pilot)
        review = app.screen
        assert isinstance(review, ReviewScreen)
        await press(pilot, "R")
        await settled(pilot)
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        await press(pilot, "right", "right", "right")
        turn = replay.replay.turn_number
        await until(pilot, lambda: "scores are hidden until you label; s shows them" in shown(app))
        assert "judged later" not in shown(app)
        # That nothing failed would tell something, too.
        await press(pilot, "n")
        assert told(pilot)[-1] == "The scores are hidden until you label; s shows them."
        await press(pilot, "G")
        assert "✗" not in shown(app).replace("✗ score", "").replace("next ✗", "")
        assert ids[0] not in app.sights
        await press(pilot, *["left"] * (replay.replay.turn_number - turn))
        await press(pilot, "s")
        assert replay.replay.turn_number == turn
        assert "scores hidden" not in shown(app)
        assert ids[0] in app.sights
        await press(pilot, "G")
        await until(pilot, lambda: "✗ knowledge retention" in shown(app))
        # The review below shows them, too.
        await press(pilot, "escape")
        assert app.screen is review
        await until(pilot, lambda: "✗ knowledge retention" in shown(app) or "✗ k knowledge" in shown(app))
        await press(pilot, "p")
    assert not store.labels.of(ids[0])[-1].blind


@pytest.mark.parametrize("query", ["knowledge_retention:fail", "label:fail"])
async def test_what_a_filter_found_by_its_outcome_is_not_labelled_blind(
    store: Store, ids: list[int], query: str
) -> None:
    for one in ids:
        store.labels.add(one, "fail", author="ben", blind=True)
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("slash", *query, "enter")
        await settled(pilot)
        # The one under the cursor was looked at; the next one was only listed among those that fail.
        await press(pilot, "enter", "J")
        screen = app.screen
        assert isinstance(screen, ReviewScreen)
        assert screen.session_id == ids[1]
        assert "you saw some in this list." in drawn(screen.pane.score_list)
        await press(pilot, "p")
    assert store.labels.of(ids[1])[-1].blind is False


async def test_a_filter_by_what_was_said_tells_nothing_of_scores(store: Store) -> None:
    ids = add_scored(store)
    # Their marks have no column.
    add_outcomes(store, add_talk(store, name="Polite"), retention(4, metric="politeness"))
    ids = [store.sessions.ids()[0], *ids]
    store.remembered.keep(COLUMNS, ["politeness"])
    app = app_of(store)
    async with app.run_test(size=(120, 30)) as pilot:
        await until(pilot, lambda: sessions(app).current is not None)
        await pilot.press("slash", *"turns>1", "enter")
        await settled(pilot)
        await press(pilot, "enter", "J", "p")
    assert store.labels.of(ids[1])[-1].blind is True
