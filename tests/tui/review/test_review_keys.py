"""What the line of keys offers at each moment of a review."""

from __future__ import annotations

from dataclasses import replace

import pytest

from turnwise.tui.actions import ACTIONS, Action, line_of_keys
from turnwise.tui.parts.key_line import fitting
from turnwise.tui.review.review_keys import ReviewMoment, review_key

READING = ReviewMoment(failing=True, shown=True, scored=True)


def words(now: ReviewMoment, width: int = 78, without: tuple[str, ...] = ("reveal",)) -> list[str]:
    """Return what stands in a line; without: what the screen does not allow now."""
    line = line_of_keys("review", ACTIONS, lambda action: review_key(action, now))
    allowed = [action for action in line if action.name not in without]
    return [f"{action.key_text} {action.title}" for action in fitting(allowed, width)]


def test_six_keys_and_help_have_room_at_80_columns() -> None:
    assert words(READING) == [
        "j k turn",
        "n next ✗",
        "w why",
        "tab scores",
        "J K session",
        "esc back",
        "? help",
    ]


def test_what_leads_nowhere_makes_room() -> None:
    assert "n next ✗" not in words(replace(READING, failing=False), 200)
    assert "@ where it fails" not in words(READING, 200)
    assert "@ where it fails" in words(replace(READING, fails=True), 200)
    unscored = words(ReviewMoment(), 200)
    assert unscored[1] == "r score"
    assert not {"w why", "tab scores", "n next ✗"} & set(unscored)


def test_why_is_not_offered_beside_the_information_of_what_has_no_scores() -> None:
    beside = replace(READING, keys_in="info")
    assert "w why" in words(beside, 200)
    assert "w why" not in words(replace(beside, shown=False), 200)


def test_esc_leads_back_from_the_scores_as_tab_does_and_from_the_information_as_i_does() -> None:
    assert "tab esc turns" in words(replace(READING, keys_in="scores"))
    assert "i esc close" in words(replace(READING, keys_in="info"))


def test_from_the_scores_of_what_passes_no_fail_is_gone_to() -> None:
    assert "n next ✗" in words(replace(READING, keys_in="scores"), 200)
    assert "n next ✗" not in words(replace(READING, keys_in="scores", failing=False), 200)


def test_what_was_selected_or_found_comes_first() -> None:
    assert words(replace(READING, selected=True))[1] == "y copy selection"
    found = words(replace(READING, matches=True, failing=False))
    assert "n next match" in found
    assert "esc end the search" in found


def test_what_a_search_did_not_find_is_not_gone_to() -> None:
    nothing = replace(READING, matches=False)
    assert not {"n next match", "n next ✗"} & set(words(nothing, 200))
    assert words(replace(nothing, keys_in="asking"), 200)[0] == "esc close"
    assert words(replace(READING, keys_in="asking", matches=True), 200)[0] == "enter to the matches"


def test_in_the_scores_the_words_are_about_scores() -> None:
    line = words(replace(READING, keys_in="scores"), 200)
    assert line[:2] == ["j k score", "enter open"]
    assert {"tab esc turns", "y copy reason"} <= set(line)


def test_in_a_queue_a_fail_that_waits_has_its_own_keys_first() -> None:
    queue = replace(READING, digits=5, goes_on=True)
    line = words(queue, 200)
    assert {"1-5 mode", "> stay after a pass"} <= set(line)
    # At 80 columns too, where "next" may give way.
    assert "> go on after a pass" in words(replace(queue, goes_on=False))
    assert "> go on after a pass" in words(replace(queue, goes_on=False, waits="label"))
    failed = words(replace(queue, waits="fail"), 200)
    assert failed[:2] == ["enter go on", "m other failure mode"]
    note = words(ReviewMoment("noting", waits="fail"), 200)
    assert note[:2] == ["enter keep it and go on", "esc keep it and stay"]


@pytest.mark.parametrize("digits", [None, 0, 1, 9])
def test_after_a_fail_no_key_is_named_that_stands_above_the_line_already(digits: int | None) -> None:
    line = words(replace(READING, digits=digits, goes_on=True, waits="unexplained fail"), 240)
    assert line[0] == "enter go on"
    assert ("m other failure mode" if digits else "m failure mode") in line
    assert not [one for one in line if one.startswith(("c ", "u ", "1"))]


def test_after_a_pass_that_stays_enter_goes_on_and_there_is_nothing_to_explain() -> None:
    line = words(replace(READING, waits="label"))
    assert "enter go on" in line
    assert not any("why" in word for word in line if word != "w why")


@pytest.mark.parametrize(
    ("keys_in", "expected"),
    [
        ("asking", ["enter go there", "esc close", "f1 help"]),
        ("noting", ["enter esc keep the note", "ctrl+u take back", "ctrl+e in your editor", "f1 help"]),
    ],
)
def test_while_one_types_no_letter_is_offered_as_a_key(keys_in: str, expected: list[str]) -> None:
    assert words(ReviewMoment(keys_in), 200) == expected  # type: ignore[arg-type]


def test_a_key_of_ones_own_is_shown_where_it_can_be_pressed() -> None:
    mine = Action("help", ("question_mark", "f9"), "help", "Show all.", rank=90)
    assert review_key(mine, ReviewMoment("asking")).key_text == "f9"
    assert review_key(replace(mine, keys=("H",)), ReviewMoment("asking")).rank == 0


def test_what_is_folded_is_offered_to_be_unfolded_and_what_is_open_to_be_folded() -> None:
    for keys_in in ("turns", "info"):
        now = replace(READING, keys_in=keys_in)
        assert "z unfold all" in words(now, 240)
        assert "z fold all" in words(replace(now, open=True), 240)
