"""A queue is a mode: a label goes on by itself, digits give failure modes, and there is an end."""

from __future__ import annotations

from time import sleep
from typing import Any

import pytest
from reviewing import drawn, pane, press, reviewing, settled, told
from scored_sessions import add_outcomes, add_talk, retention
from stored import land, score
from textual.widgets import Static
from tui_driver import burst, until, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.review import session_labels
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.note_line import NoteLine
from turnwise.tui.review.queue_end import QueueEndDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import FoundSessions, QueueSessions

WIDE, NARROW = (140, 40), (80, 24)
MODES = ("asks again", "makes it up", "is rude")


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each label take its time to be written."""
    keep = session_labels.keep_label

    def keep_slowly(*args: Any, **options: Any) -> None:
        sleep(0.3)
        keep(*args, **options)

    monkeypatch.setattr(session_labels, "keep_label", keep_slowly)


def queue_of(store: Store, ids: list[int]) -> QueueSessions:
    return QueueSessions(store, store.queues.get(store.queues.add("friday", ids, sampler="random")))


def said(store: Store, session: int) -> list[tuple[str | None, int | None, str]]:
    return [(row.label, row.turn, row.note) for row in store.labels.of(session)]


def given(store: Store, session: int) -> list[tuple[str, int | None]]:
    return [(one.name, one.turn) for one in store.modes.of(session)]


def modes(screen: ReviewScreen) -> str:
    return drawn(screen.query_one(NearModesLine))


def keys(screen: ReviewScreen) -> str:
    return screen.query_one(KeyLine).render_line(0).text


async def test_a_pass_and_a_defer_are_one_key_each_and_a_fail_waits_for_enter(
    store: Store, ids: list[int]
) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        assert "no. 1 · 0 of 3 done" in screen.query_one(TitleBar).right
        await press(pilot, "p")
        assert screen.session_id == ids[1]
        assert "no. 2 · 1 of 3 done" in screen.query_one(TitleBar).right
        await press(pilot, "f")
        assert screen.session_id == ids[1]
        assert "enter go on" in keys(screen)
        await press(pilot, "enter")
        assert screen.session_id == ids[2]
        assert "enter go on" not in keys(screen)
        await press(pilot, "d")
        assert isinstance(pilot.app.screen, QueueEndDialog)
    assert [said(store, one) for one in ids] == [
        [("pass", None, "")],
        [("fail", 2, "")],
        [("defer", None, "")],
    ]
    assert all(store.labels.of(one)[0].blind for one in ids)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_fail_with_a_known_mode_and_a_note_is_four_keys_and_the_words(
    store: Store, ids: list[int], size: tuple[int, int]
) -> None:
    for name in MODES:
        store.modes.add(name, "", "mia")
    async with reviewing(store, ids[0], size, queue_of(store, ids)) as (screen, pilot):
        assert " ".join(modes(screen).split()) == "1 asks again 2 makes it up 3 is rude"
        await press(pilot, "f", "2")
        assert "2 ✗ makes it up" in modes(screen)
        await press(pilot, "c")
        assert "enter keep it and go on   esc keep it and stay" in keys(screen)
        await press(pilot, *"oh", "enter")
        assert screen.session_id == ids[1]
        assert "✗" not in modes(screen)
    assert said(store, ids[0])[-1] == ("fail", 2, "oh")
    assert given(store, ids[0]) == [("makes it up", 2)]


async def test_escape_keeps_the_note_and_stays(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f", "c", *"oh", "escape")
        assert screen.session_id == ids[0]
        assert said(store, ids[0])[-1] == ("fail", 2, "oh")
        await press(pilot, "enter")
        assert screen.session_id == ids[1]


async def test_a_digit_takes_a_mode_away_again_and_one_that_bears_none_says_so(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "j", "j", "1")
        assert given(store, ids[0]) == [(MODES[0], 4)]
        await press(pilot, "1")
        assert given(store, ids[0]) == []
        await press(pilot, "7")
        assert "7 is the number of no failure mode" in told(pilot)[-1]
        assert pilot.app.screen is screen


async def test_a_mode_keeps_its_digit_when_others_are_given_and_when_a_queue_is_opened_again(
    store: Store, ids: list[int]
) -> None:
    for name in MODES:
        store.modes.add(name, "", "mia")
    told_first = "1 asks again 2 makes it up 3 is rude"
    queue = queue_of(store, ids)
    async with reviewing(store, ids[0], NARROW, queue) as (screen, pilot):
        await press(pilot, "f", "2")
        assert "given: makes it up" in drawn(screen.pane.label_pane)
        store.modes.add("curses", "", "mia")
        await press(pilot, "enter")
        assert screen.session_id == ids[1]
        await settled(pilot)
        assert " ".join(modes(screen).split()) == f"{told_first} 4 curses"
        await press(pilot, "2", "2")
        assert "taken back: makes it up" in drawn(screen.pane.label_pane)
        again = ReviewScreen(ids[1], QueueSessions(store, queue.queue))
        await pilot.app.push_screen(again)
        await settled(pilot)
        assert " ".join(modes(again).split()) == f"{told_first} 4 curses"


async def test_undo_goes_back_to_what_a_label_led_on_from(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        await press(pilot, "d")
        assert screen.session_id == ids[2]
        await press(pilot, "u")
        await settled(pilot)
        assert screen.session_id == ids[1]
        assert said(store, ids[1])[-1] == (None, None, "")
        assert "undone: defer" in drawn(screen.pane.label_pane)
        # What is said here now is what the next undo takes back.
        await press(pilot, "f", "u")
        assert screen.session_id == ids[1]
        assert said(store, ids[1])[-1] == (None, None, "")
        # A label leads to what has none yet, and not to the next one by all means.
        await press(pilot, "p")
        assert screen.session_id == ids[2]


async def test_undo_takes_back_the_newest_change_be_it_a_label_a_mode_or_a_note(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):

        def stands() -> tuple[str | None, str, list[tuple[str, int | None]]]:
            whole = screen.labels.session.mine.whole
            return whole.word, whole.note, given(store, ids[0])

        has = [(MODES[0], 2)]
        await press(pilot, "f", "1", "c", *"oh", "escape", "1")
        steps = [
            (("fail", "oh", has), "no asks again"),
            (("fail", "", has), "note"),
            (("fail", "", []), "asks again"),
            ((None, "", []), "fail at turn 2"),
        ]
        assert stands() == ("fail", "oh", [])
        for after, words in steps:
            await press(pilot, "u")
            assert stands() == after
            assert f"undone: {words}" in drawn(screen.pane.label_pane)
        for after, _ in [*reversed(steps[:-1]), (("fail", "oh", []), "")]:
            await press(pilot, "U")
            assert stands() == after
        assert "done again: no asks again" in drawn(screen.pane.label_pane)


async def test_undoing_a_pass_says_what_is_again_said_in_its_place(store: Store, ids: list[int]) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], (80, 24), queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "greater_than_sign", "f", "1", "p", "u")
        assert "undone: pass; again: fail at turn 2, with asks again" in drawn(screen.pane.label_pane)
        assert given(store, ids[0]) == [(MODES[0], 2)]
        await press(pilot, "U")
        assert "done again: pass, no asks again" in drawn(screen.pane.label_pane)
        await press(pilot, "u", "u", "u")
        assert "undone: fail at turn 2" in drawn(screen.pane.label_pane)
        assert "again" not in drawn(screen.pane.label_pane)


@pytest.mark.usefixtures("slow_disk")
async def test_changes_are_made_in_the_order_of_their_keys_however_long_one_takes(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await pilot.press("f", "1", "c", *"oh", "escape", "1")
        await until(pilot, lambda: "taken back: asks again" in drawn(screen.pane.label_pane))
        assert (screen.labels.session.mine.whole.note, given(store, ids[0])) == ("oh", [])
        for undone in ("no asks again", "note", "asks again", "fail at turn 2"):
            await pilot.press("u")
            words = f"undone: {undone}"
            await until(pilot, lambda words=words: words in drawn(screen.pane.label_pane))


async def test_a_note_that_is_still_written_is_kept_where_the_app_ends(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (_, pilot):
        await press(pilot, "c", *"odd")
        pilot.app.exit()
    assert said(store, ids[0]) == [(None, None, "odd")]


@pytest.mark.usefixtures("slow_disk")
async def test_a_note_is_kept_though_one_leaves_at_once(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (_, pilot):
        await press(pilot, "c", *"odd")
        burst(pilot.app, "enter")
        await until(pilot, lambda: not pilot.app.screen.query_one(NoteLine).asking)
        pilot.app.exit()
    assert said(store, ids[0]) == [(None, None, "odd")]


async def test_undo_after_going_on_takes_back_the_mode_that_was_given_there_last(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f", "1", "enter")
        assert screen.session_id == ids[1]
        await press(pilot, "u")
        await settled(pilot)
        assert screen.session_id == ids[0]
        assert given(store, ids[0]) == []
        assert said(store, ids[0])[-1][0] == "fail"
        # What was undone is not done again once something else is said.
        await press(pilot, "f", "d")
        assert screen.labels._modes.of(ids[0]).to_redo is None


@pytest.mark.parametrize("word", ["p", "f", "d"])
@pytest.mark.parametrize("in_queue", [False, True])
async def test_after_a_label_that_stays_enter_goes_on_also_the_one_that_ends_a_note(
    store: Store, ids: list[int], word: str, in_queue: bool
) -> None:
    sessions = queue_of(store, ids) if in_queue else FoundSessions(store, ids)
    async with reviewing(store, ids[0], WIDE, sessions) as (screen, pilot):
        if in_queue:
            await press(pilot, "greater_than_sign")
        await press(pilot, word)
        assert screen.session_id == ids[0]
        assert "enter go on" in keys(screen)
        await press(pilot, "enter")
        assert screen.session_id == ids[1]
        assert "enter go on" not in keys(screen)
        await press(pilot, word, "c", *"oh", "enter")
        assert screen.session_id == ids[2]
        assert said(store, ids[1])[-1][2] == "oh"
        await press(pilot, word, "u")
        assert "enter go on" not in keys(screen)


async def test_elsewhere_labels_stay_until_one_says_otherwise(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, FoundSessions(store, ids)) as (screen, pilot):
        await press(pilot, "p")
        assert screen.session_id == ids[0]
        await press(pilot, "greater_than_sign", "p")
        assert screen.session_id == ids[1]
        assert modes(screen) == ""


async def test_what_was_passed_by_comes_again_before_the_end(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "J")
        await press(pilot, "p")
        await press(pilot, "p")
        assert screen.session_id == ids[0]
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, QueueEndDialog)


async def test_the_end_says_what_was_found_and_what_next(store: Store, ids: list[int]) -> None:
    mode = store.modes.add(MODES[0], "It asks twice.", "mia")
    store.queues.add("monday", [add_talk(store, name="Four")], sampler="random")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f", "1", "enter")
        await press(pilot, "p")
        await press(pilot, "p")
        dialog = pilot.app.screen
        assert isinstance(dialog, QueueEndDialog)
        words = "\n".join(drawn(one) for one in dialog.query("Static, ChoiceList"))
        for text in (
            "The queue “friday” is done",
            "3 of 3 done   2 ✓ pass   1 ✗ fail",
            "all labelled blind",
            MODES[0],
            "Next queue: monday",
        ):
            assert text in words
        assert [(one.id, one.sessions) for one in store.modes.of_queue(2)] == [(mode, 1)]
        await press(pilot, "K")
        assert pilot.app.screen is screen
        assert screen.session_id == ids[2]


async def test_the_end_says_of_how_many_the_scores_were_in_sight_before(store: Store, ids: list[int]) -> None:
    sessions = queue_of(store, ids)
    for number, one in enumerate(ids):
        store.labels.add(one, "pass", author="mia", blind=number > 0)
    async with reviewing(store, ids[0], NARROW, sessions) as (_, pilot):
        dialog = pilot.app.screen
        assert isinstance(dialog, QueueEndDialog)
        words = " ".join(" ".join(drawn(one) for one in dialog.query("Static")).split())
        assert "2 of 3 labelled blind" in words


async def test_a_queue_that_is_done_is_taken_up_at_its_end(store: Store, ids: list[int]) -> None:
    sessions = queue_of(store, ids)
    for one in ids:
        store.labels.add(one, "pass", author="mia", blind=True)
    async with reviewing(store, ids[0], NARROW, sessions) as (_, pilot):
        assert isinstance(pilot.app.screen, QueueEndDialog)
        await press(pilot, "escape")
        assert not isinstance(pilot.app.screen, ReviewScreen)


@pytest.mark.parametrize("turn", [2, 4])
async def test_failure_modes_that_others_gave_are_hidden_until_one_labels(
    store: Store, ids: list[int], turn: int
) -> None:
    rude = store.modes.add("is rude", "", "ben")
    store.modes.assign([ids[0]], rude, "ben", turn=turn)
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        assert "is rude" in modes(screen)
        assert not {"✗", "○"} & set(modes(screen))
        await press(pilot, "m")
        assert "It has" not in words_shown(pilot.app)
        await press(pilot, "escape")
        # What is not in sight cannot be meant: the digit gives it, and takes back no more than that.
        await press(pilot, "j", "1")
        assert "✗ is rude" in modes(screen)
        assert [(one.author, one.turn) for one in store.modes.of(ids[0])] == [("mia", 2)]
        await press(pilot, "1")
        assert [(one.author, one.turn) for one in store.modes.of(ids[0])] == [("ben", turn)]


async def test_failure_modes_of_others_are_in_sight_once_one_has_labelled(
    store: Store, ids: list[int]
) -> None:
    store.modes.assign([ids[0]], store.modes.add("is rude", "", "ben"), "ben", turn=2)
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f")
        assert "○ is rude" in modes(screen)
        await press(pilot, "j", "j", "1")
        assert "given: is rude" in drawn(screen.pane.label_pane)
        assert "✗ is rude" in modes(screen)
        assert [one.givers for one in store.modes.of(ids[0])] == [("ben", "mia")]
        for undo, redo in (("u", "U"), ("1", "1")):
            await press(pilot, undo)
            assert "○ is rude" in modes(screen)
            assert [one.givers for one in store.modes.of(ids[0])] == [("ben",)]
            await press(pilot, redo)
            assert [one.givers for one in store.modes.of(ids[0])] == [("ben", "mia")]


async def test_a_session_without_a_name_is_told_by_its_number(store: Store) -> None:
    ids = [add_talk(store, name=name) for name in ("", "Two")]
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        named = screen.query_one(TitleBar).title
        assert named
        await press(pilot, "p")
        assert f"last: pass, {named}" in drawn(screen.pane.label_pane)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_was_said_of_the_session_before_is_not_read_as_the_label_of_this_one(
    store: Store, size: tuple[int, int]
) -> None:
    ids = [add_talk(store, name=name) for name in ("A voucher that will not be taken " * 3, "Two")]
    async with reviewing(store, ids[0], size, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f", "enter")
        assert screen.session_id == ids[1]
        [line] = [line for line in drawn(screen.pane.label_pane).split("\n") if "fail, " in line]
        assert "last: fail, A voucher" in line
        assert line.endswith("u undo")
        assert "A fail marks the reply, turn 2." in drawn(screen.pane.label_pane)
        await press(pilot, "d")
        assert "last: " not in drawn(screen.pane.label_pane)


async def test_a_queue_shows_a_person_what_they_are_named_for(store: Store, ids: list[int]) -> None:
    queue = store.queues.get(
        store.queues.add("both", ids, sampler="random", assigned={ids[1]: ("ada",), ids[2]: ("ada", "ben")})
    )
    sessions = QueueSessions(store, queue, "ada")
    assert sessions.ids() == ids[1:]
    store.labels.add(ids[1], "pass", author="ada", blind=True)
    assert sessions.next_to_review() == ids[2]
    assert QueueSessions(store, queue, "cem").ids() == ids


async def test_the_end_of_a_queue_of_what_is_new_says_whether_reading_on_pays(
    store: Store, ids: list[int]
) -> None:
    new = QueueSessions(store, store.queues.get(store.queues.add("unread", ids[:1], sampler="new")))
    async with reviewing(store, ids[0], NARROW, new) as (_, pilot):
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, QueueEndDialog)
        assert "No session that was reviewed has a failure mode yet." in words_shown(pilot.app)
        await press(pilot, "escape")
    store.modes.assign([ids[1]], store.modes.add("is rude", "", "mia"), "mia", turn=2)
    store.labels.add(ids[1], "fail", author="mia", blind=True)
    async with reviewing(store, ids[0], WIDE, new) as (_, pilot):
        assert isinstance(pilot.app.screen, QueueEndDialog)
        words = " ".join(" ".join(drawn(one) for one in pilot.app.screen.query(Static)).split())
        assert "By 2 reviewed, at most 99 of 100 more fail in a new way (95 % sure)." in words
        assert "Reading on may pay: another queue `new`" in words


async def test_the_end_of_other_queues_tells_nothing_of_modes_where_there_are_none(
    store: Store, ids: list[int]
) -> None:
    async with reviewing(store, ids[0], NARROW, queue_of(store, ids[:1])) as (_, pilot):
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, QueueEndDialog)
        assert "failure mode yet" not in words_shown(pilot.app)


async def test_a_pass_takes_away_what_went_with_the_fail_and_one_undo_brings_both_back(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "f", "1")
        assert given(store, ids[0]) == [(MODES[0], 2)]
        await press(pilot, "p")
        assert given(store, ids[0]) == []
        assert told(pilot)[-1] == "Taken away with it: “asks again”; u undoes it."
        assert screen.session_id == ids[1]
        await press(pilot, "u")
        await settled(pilot)
        assert screen.session_id == ids[0]
        assert said(store, ids[0])[-1] == ("fail", 2, "")
        assert given(store, ids[0]) == [(MODES[0], 2)]
        assert "undone: pass" in drawn(screen.pane.label_pane)
        assert "1 ✗ asks again" in modes(screen)
        await press(pilot, "U")
        assert said(store, ids[0])[-1] == ("pass", None, "")
        assert given(store, ids[0]) == []
        await press(pilot, "u", "u", "u")
        assert said(store, ids[0])[-1] == (None, None, "")
        assert given(store, ids[0]) == []


async def test_an_undo_in_a_later_sitting_brings_back_the_modes_of_a_fail_too(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    async with reviewing(store, ids[0], WIDE) as (_, pilot):
        await press(pilot, "f", "p")
    mode = store.modes.find(MODES[0]).id
    store.modes.assign([ids[1]], mode, "mia", turn=2)
    async with reviewing(store, ids[1], WIDE) as (_, pilot):
        await press(pilot, "f", "p")
        assert given(store, ids[1]) == []
    async with reviewing(store, ids[1], WIDE) as (screen, pilot):
        await press(pilot, "u")
        assert said(store, ids[1])[-1][0] == "fail"
        assert given(store, ids[1]) == [(MODES[0], 2)]
        assert f"Modes {MODES[0]} at turn 2" in " ".join(drawn(screen.pane.label_pane).split())
        await press(pilot, "U")
        assert said(store, ids[1])[-1][0] == "pass"
        assert given(store, ids[1]) == []
    # What was taken away by itself, later than the label, stays away.
    async with reviewing(store, ids[0], WIDE) as (_, pilot):
        await press(pilot, "u")
        assert given(store, ids[0]) == []


async def test_a_pass_leaves_what_somebody_else_gave(store: Store, ids: list[int]) -> None:
    mode = store.modes.add(MODES[0], "", "ana")
    store.modes.add(MODES[1], "", "ana")
    store.modes.assign([ids[0]], mode, "ana", turn=4)
    async with reviewing(store, ids[0], WIDE, queue_of(store, ids)) as (_, pilot):
        await press(pilot, "1", "f", "p")
        assert [name for name, _ in given(store, ids[0])] == [MODES[0]]


async def test_a_mode_is_taken_back_before_its_fail_by_who_left_the_session_and_came_back(
    store: Store, ids: list[int]
) -> None:
    store.modes.add(MODES[0], "", "mia")
    queue = queue_of(store, ids)
    async with reviewing(store, ids[0], WIDE, queue) as (_, pilot):
        await press(pilot, "f", "1")
        assert given(store, ids[0]) == [(MODES[0], 2)]
        again = ReviewScreen(ids[0], queue)
        await pilot.app.push_screen(again)
        await settled(pilot)
        await press(pilot, "u")
        assert (given(store, ids[0]), said(store, ids[0])[-1][0]) == ([], "fail")
        await press(pilot, "u")
        assert said(store, ids[0])[-1][0] is None


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_a_pass_of_what_has_failure_modes_says_that_they_stay(
    store: Store, ids: list[int], size: tuple[int, int]
) -> None:
    store.modes.add(MODES[0], "", "ann")
    async with reviewing(store, ids[0], size, queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "1")
        await press(pilot, "p")
        assert screen.session_id == ids[1]
        assert told(pilot)[-1] == "Passed, and its failure mode stays: “asks again”; u undoes the pass."
        assert given(store, ids[0]) == [("asks again", 2)]
        # A pass of what has none has nothing to say.
        await press(pilot, "p")
        assert screen.session_id == ids[2]
        assert not [words for words in told(pilot) if "stay" in words]


@pytest.mark.parametrize("height", [10, 12])
async def test_a_turn_stays_to_be_read_in_a_tiny_window_when_it_fails(
    store: Store, ids: list[int], height: int
) -> None:
    for name in (*MODES, "promises what it cannot do", "talks past the user"):
        store.modes.add(name, "", "mia")
    for metric in ("politeness", "honesty"):
        add_outcomes(store, ids[0], retention(2, 4, metric=metric))
    async with reviewing(store, ids[0], (40, height), queue_of(store, ids)) as (screen, pilot):
        await press(pilot, "j", "f")
        await until(pilot, lambda: "✗ fail" in pane(screen))
        assert "assistant" in words_shown(pilot.app)
        # Also where the window was larger before.
        await pilot.resize_terminal(40, 24)
        await until(pilot, lambda: screen.transcript.size.height > 10)
        await pilot.resize_terminal(40, height)
        await until(pilot, lambda: "assistant" in words_shown(pilot.app))


async def test_in_a_narrow_window_the_name_goes_before_what_is_said_below(store: Store) -> None:
    name = "The customer asks for a voucher twice"
    ids = [add_talk(store, name=name), add_talk(store)]
    land(store, ids[0], score(0.1))
    async with reviewing(store, ids[0], NARROW, queue_of(store, ids)) as (screen, pilot):
        bar = drawn(screen.query_one(TitleBar))
        assert name in bar
        assert "0 of 2 done" in bar
        assert "hidden" not in bar
        assert "Scores are hidden until you label" in words_shown(pilot.app)


async def test_outside_a_queue_a_digit_says_where_it_does_something(store: Store, ids: list[int]) -> None:
    async with reviewing(store, ids[0], NARROW) as (_, pilot):
        await press(pilot, "4")
        assert "4 gives a failure mode in queues; m does here." in told(pilot)[-1]
