"""The line over the verdict marks: the letters stand over their slots, and the names after them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from rich.cells import cell_len
from rich.style import Style

from turnwise.tui.drawing.lines import Line, line_text
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.reading.margin import Margin
from turnwise.tui.reading.strip_key import key_lines


def key_line(margin: Margin, names: Mapping[str, str] | None, width: int, tones: Tones) -> Line:
    [line] = key_lines(margin, names, width, tones)
    return line


TONES = Tones(**{tone.name: Style.null() for tone in fields(Tones)})
NAMES = {"k": "knowledge retention", "r": "role adherence"}
MARGIN = Margin.of(120, 100, {2: [("r", True), ("k", False)]})
FIVE = {
    "c": "conversation completeness",
    "k": "knowledge retention",
    "l": "language switch",
    "r": "role adherence",
    "t": "turn relevancy",
}


def test_letters_stand_over_their_slots_and_names_follow() -> None:
    text = line_text(key_line(MARGIN, NAMES, 100, TONES))
    assert text[MARGIN.slots_start :].startswith("kr")
    assert text[MARGIN.slots_start :].startswith("kr│ k=")
    assert text[MARGIN.width :].strip() == "k=knowledge retention  r=role adherence"
    # As heads of columns, also where colours tell nothing.
    heads = [
        piece.text for piece in key_line(MARGIN, NAMES, 100, TONES) if piece.style and piece.style.underline
    ]
    assert heads == ["kr"]


def test_the_sign_of_a_metric_that_says_nothing_of_a_turn_is_told_where_one_stands_and_there_is_room() -> (
    None
):
    gaps = Margin.of(120, 100, {2: [("r", True), ("k", False)], 4: [("r", True)]})
    told = line_text(key_line(gaps, NAMES, 100, TONES))
    assert told.endswith("k=knowledge retention  r=role adherence  –=no verdict")
    assert "–" not in line_text(key_line(MARGIN, NAMES, 100, TONES))
    needed = cell_len(told) + 1
    assert cell_len(line_text(key_line(gaps, NAMES, needed, TONES))) == needed - 1
    assert "–" not in line_text(key_line(gaps, NAMES, needed - 1, TONES))


def test_where_not_all_names_have_room_some_are_told_by_their_first_word() -> None:
    room = MARGIN.width + 2 + len("k=knowledge…  r=role adherence")
    assert line_text(key_line(MARGIN, NAMES, room, TONES)).strip() == "kr│ k=knowledge…  r=role adherence"
    assert line_text(key_line(MARGIN, NAMES, room - 1, TONES)).strip() == "kr│ k=knowledge…  r=role…"


def test_the_room_goes_first_to_names_of_a_short_first_word() -> None:
    names = {"a": "answer relevancy", "k": "knowledge retention", "r": "role adherence"}
    margin = Margin.of(120, 100, {2: [(letter, True) for letter in names]})
    room = margin.width + 2 + len("a=answer…  k=knowledge…  r=role adherence")
    text = line_text(key_line(margin, names, room, TONES)).strip()
    assert text == "akr│ a=answer…  k=knowledge…  r=role adherence"


def test_names_that_begin_alike_are_cut_so_that_they_stay_apart() -> None:
    alike = {"k": "turn relevancy", "r": "turn faithfulness"}
    text = line_text(key_line(MARGIN, alike, MARGIN.width + 26, TONES)).strip()
    assert text == "kr│ k=turn rel…  r=turn fai…"
    # Where that would say the same of both, the letters stand alone.
    assert line_text(key_line(MARGIN, alike, MARGIN.width + 19, TONES)).strip() == "kr"


def test_many_names_are_told_by_first_words_before_they_are_cut_or_left_out() -> None:
    margin = Margin.of(120, 100, {2: [(letter, True) for letter in FIVE]})
    room = margin.width + 2
    words = sum(3 + len(name.split()[0]) + 2 for name in FIVE.values()) - 2
    for cells in range(43, 100):
        text = line_text(key_line(margin, FIVE, room + cells, TONES)).rstrip()
        shown = [entry[2:] for entry in re.split("  |│ ", text) if "=" in entry]
        assert len(shown) == len(FIVE)
        assert cell_len(text) <= room + cells
        for name, whole in zip(shown, FIVE.values(), strict=True):
            is_cut = name.endswith("…") and len(name) >= 5 and whole.startswith(name[:-1])
            first = f"{whole.split()[0]}…"
            assert name == whole or (name == first if cells >= words else is_cut)
    assert "=" not in line_text(key_line(margin, FIVE, room + 42, TONES))


def test_in_a_narrow_window_five_metrics_are_told_in_whole_words() -> None:
    margin = Margin.of(12, 80, {2: [(letter, True) for letter in FIVE]})
    text = line_text(key_line(margin, FIVE, 80, TONES)).strip()
    assert text == "cklrt│ c=conversation…  k=knowledge…  l=language switch  r=role…  t=turn…"


def test_names_are_cut_where_there_is_little_room_and_left_out_where_there_is_none() -> None:
    for width in range(20, 70):
        text = line_text(key_line(MARGIN, NAMES, width, TONES))
        assert cell_len(text.rstrip()) <= width
        assert text[MARGIN.slots_start :].startswith("kr")
    assert line_text(key_line(MARGIN, NAMES, 20, TONES)).strip() == "kr"


def test_a_letter_stands_there_once_it_is_told_what_it_means() -> None:
    assert line_text(key_line(MARGIN, {}, 100, TONES)).strip() == ""
    # Those of two judges, which are named elsewhere, stand alone.
    assert line_text(key_line(MARGIN, None, 100, TONES)).strip() == "kr"
    one = {letter: name for letter, name in NAMES.items() if letter == "r"}
    assert line_text(key_line(MARGIN, one, 100, TONES)).split()[:2] == ["r│", "r=role"]


def test_whole_names_that_have_no_room_in_one_line_fold_into_two_where_there_is_height() -> None:
    margin = Margin.of(12, 80, {2: [(letter, True) for letter in FIVE]})
    upper, lower = (line_text(line).rstrip() for line in key_lines(margin, FIVE, 80, TONES, folds=True))
    # It begins with the letters, and is read on from there.
    assert upper[margin.slots_start :] == "cklrt│ c=conversation completeness  k=knowledge retention"
    assert lower.strip() == "│ l=language switch  r=role adherence  t=turn relevancy"
    assert upper.index("c=") == lower.index("l=")
    assert max(map(cell_len, (upper, lower))) <= 79
    # What needs one line has one, also where that is for a single word; what two do not hold is told in one.
    four = {letter: name for letter, name in FIVE.items() if letter != "c"}
    for names, width in ((NAMES, 80), (four, 80), (FIVE, 50)):
        slots = Margin.of(12, 80, {2: [(letter, True) for letter in names]})
        folded = key_lines(slots, names, width, TONES, folds=True)
        assert folded == [key_line(slots, names, width, TONES)]


def test_names_to_come_have_their_lines_from_the_start() -> None:
    margin = Margin.of(12, 80, {2: [(letter, True) for letter in FIVE]})
    lines = key_lines(margin, {"l": FIVE["l"]}, 80, TONES, folds=True, to_be=FIVE)
    assert [line_text(line).strip() for line in lines] == ["l", "│ l=language switch"]
