"""The line over the verdict marks: the letters stand over their slots, and the names after them."""

from __future__ import annotations

from dataclasses import fields

from rich.cells import cell_len
from rich.style import Style

from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.reading.margin import Margin
from turnwise.tui.reading.strip_key import key_line

TONES = Tones(**{tone.name: Style.null() for tone in fields(Tones)})
NAMES = {"k": "knowledge retention", "r": "role adherence"}
MARGIN = Margin.of(120, 100, {2: [("r", True), ("k", False)]})


def test_letters_stand_over_their_slots_and_names_follow() -> None:
    text = line_text(key_line(MARGIN, NAMES, 100, TONES))
    assert text[MARGIN.slots_start :].startswith("kr")
    assert text[MARGIN.width :].strip() == "k knowledge retention  r role adherence"


def test_where_not_all_names_have_room_the_last_ones_are_told_by_their_first_word() -> None:
    room = MARGIN.width + len("k knowledge retention  r role")
    assert line_text(key_line(MARGIN, NAMES, room, TONES)).strip() == "kr k knowledge retention  r role"
    assert line_text(key_line(MARGIN, NAMES, room - 1, TONES)).strip() == "kr k knowledge  r role"


def test_names_that_begin_alike_are_cut_so_that_they_stay_apart() -> None:
    alike = {"k": "turn relevancy", "r": "turn faithfulness"}
    text = line_text(key_line(MARGIN, alike, MARGIN.width + 28, TONES)).strip()
    assert text == "kr k turn rele…  r turn fait…"


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
    assert line_text(key_line(MARGIN, one, 100, TONES)).split()[:2] == ["r", "r"]
