"""The steps of the tour: words that name keys and have room, and actions by which each is done."""

from __future__ import annotations

from typing import get_args

import pytest
from rich.cells import cell_len

from turnwise.tui.actions import ACTIONS, Place
from turnwise.tui.tour.tour_steps import (
    MOST_WORDS,
    STEPS,
    TourProgress,
    words_after_escapes,
    words_while_typing,
)

EVERYWHERE = [place for place in get_args(Place) if place in ACTIONS]
ALL = [TourProgress(step, on=True) for step in range(len(STEPS) + 1)]


@pytest.mark.parametrize("progress", ALL, ids=TourProgress.heading)
def test_its_words_have_room_in_eighty_columns_wherever_one_is(progress: TourProgress) -> None:
    for place in EVERYWHERE:
        words = progress.words(place, ACTIONS).replace("`", "")
        assert 0 < cell_len(words) <= MOST_WORDS, (place, words)
        assert cell_len(f" {progress.heading()}  {words}  f8 ends it ") <= 80


@pytest.mark.parametrize("progress", ALL[:-1], ids=TourProgress.heading)
def test_what_does_a_step_is_an_action_of_its_place(progress: TourProgress) -> None:
    step = STEPS[progress.step]
    assert step.by <= {action.name for action in ACTIONS[step.place]}


def test_a_digit_that_means_something_else_in_a_queue_is_not_said_to_lead_on_from_there() -> None:
    at_modes = next(number for number, step in enumerate(STEPS) if step.place == "failure_modes")
    words = TourProgress(at_modes, on=True).words("review", ACTIONS).replace("`", "")
    # Whoever has just failed one there can still say how; a pass has led on to another by then.
    assert words == "After f a digit says how; esc, then 4: how often"


def test_the_way_to_another_place_is_a_sentence_that_tells_which_keys_to_press() -> None:
    words = TourProgress(0, on=True).words("review", ACTIONS).replace("`", "")
    assert words == "Press esc, then 2: it shows how all came out"
    at_queues = next(number for number, step in enumerate(STEPS) if step.place == "queues")
    words = TourProgress(at_queues, on=True).words("review", ACTIONS).replace("`", "")
    assert words == "Press esc, then 3: it takes a queue, scores hidden"


@pytest.mark.parametrize(
    ("place", "action", "said"),
    [
        ("heat_map", "overview", "2 goes back to Overview: it shows how all came out"),
        ("frequency", "library", "1 goes back to Library: it leads to the list"),
    ],
)
def test_in_a_part_of_a_place_the_way_to_it_is_a_way_back(place: Place, action: str, said: str) -> None:
    at = next(number for number, step in enumerate(STEPS) if step.go == action)
    assert TourProgress(at, on=True).words(place, ACTIONS).replace("`", "") == said


def test_the_key_that_compares_is_not_said_to_do_so_in_a_review_opened_from_agreement() -> None:
    at_compare = next(number for number, step in enumerate(STEPS) if step.place == "compare")
    words = TourProgress(at_compare, on=True).words("review", ACTIONS).replace("`", "")
    assert words == "esc, esc, then C: it sets two runs side by side"


def test_a_step_is_done_by_its_action_at_its_place_alone() -> None:
    at_first = TourProgress(0, on=True)
    assert at_first.after("library", "open") == at_first
    assert at_first.after("overview", "cursor_down") == at_first
    assert at_first.after("overview") == at_first
    assert at_first.after("overview", "open").step == 1


def test_a_step_without_an_action_is_done_by_coming_there() -> None:
    at_sure = next(place for place, step in enumerate(STEPS) if not step.by)
    assert TourProgress(at_sure, on=True).after(STEPS[at_sure].place).step == at_sure + 1
    assert TourProgress(at_sure, on=True).after("library").step == at_sure


def test_nothing_is_done_while_it_is_left_and_it_goes_on_where_it_was() -> None:
    left = TourProgress(3, on=True).left()
    assert left.after("review", "next_failed") == left
    assert left.taken_up() == TourProgress(3, on=True)


def test_it_begins_again_once_it_was_over() -> None:
    over = TourProgress(len(STEPS), on=True)
    assert over.is_over
    assert over.taken_up() == TourProgress(0, on=True)
    assert not over.skipped().on


def test_its_last_words_go_with_the_first_thing_that_is_done_in_the_library() -> None:
    over = TourProgress(len(STEPS), on=True)
    assert over.after("overview", "back") == over.after("library", "cursor_down") == over
    assert not over.after("library", "open").on


@pytest.mark.parametrize("progress", ALL, ids=TourProgress.heading)
def test_what_is_kept_is_read_again(progress: TourProgress) -> None:
    assert TourProgress.of(progress.data()) == progress


@pytest.mark.parametrize("data", [None, 3, {}, {"step": 99, "on": True}, {"step": "1", "on": True}])
def test_what_means_nothing_is_no_progress(data: object) -> None:
    assert TourProgress.of(data) is None


def test_going_to_what_failed_counts_once_the_scores_are_shown() -> None:
    third = TourProgress(2, on=True)
    assert third.after("review", "next_failed", hidden=True) == third
    assert third.after("review", "next_failed").step == 3
    fifth = TourProgress(4, on=True)
    assert fifth.after("review", "label_fail", hidden=True).step == 5


def while_typing(progress: TourProgress, place: Place) -> str:
    return words_while_typing(progress.words(place, ACTIONS), place, ACTIONS)


@pytest.mark.parametrize("progress", ALL, ids=TourProgress.heading)
def test_while_one_types_no_key_is_told_before_the_one_that_leaves_the_field(progress: TourProgress) -> None:
    for place in EVERYWHERE:
        words = while_typing(progress, place)
        assert 0 < cell_len(words.replace("`", "")) <= MOST_WORDS, (place, words)
        # Letters and digits would be typed.
        assert "`" not in words or words.startswith(("`esc`", "`enter`")), (place, words)


def test_while_one_types_the_key_that_keeps_what_was_typed_leaves_the_field_of_the_library() -> None:
    words = while_typing(TourProgress(0, on=True), "library").replace("`", "")
    assert words == "enter, then 2: see what goes wrong, and how sure"
    words = while_typing(TourProgress(0, on=True), "review").replace("`", "")
    assert words == "esc, esc, then 2: it shows how all came out"


def test_where_escape_closes_a_part_first_it_is_said_to_be_pressed_twice() -> None:
    words = words_after_escapes(TourProgress(0, on=True).words("review", ACTIONS), 2).replace("`", "")
    assert words == "Press esc twice, then 2: it shows how all came out"


def test_the_list_is_not_said_to_fail_where_its_filter_may_have_gone() -> None:
    at_list = next(number for number, step in enumerate(STEPS) if step.place == "library")
    words = TourProgress(at_list, on=True).words("library", ACTIONS).replace("`", "")
    assert words == "Now read one: enter opens what the cursor is on"
