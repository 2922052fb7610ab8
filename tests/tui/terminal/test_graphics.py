"""What a terminal says of the pictures that it draws, among the keys, and the codes that draw one."""

from __future__ import annotations

import base64
import re

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.terminal.graphics import Graphics, GraphicsAnswers, kitty_picture, may_be_asked, placed

KITTY = "\x1b_Gi=7302;OK\x1b\\\x1b[6;20;9t\x1b[?62;c"
XTERM = "\x1b[6;13;6t\x1b[?63;1;2;4;6;9;15;16;22;28c"
REFUSING = "\x1b_Gi=7302;EINVAL:no\x1b\\\x1b[?1;2c"


def told(*parts: str) -> tuple[Graphics, str]:
    answers = GraphicsAnswers()
    typed = "".join(map(answers.feed, parts)) + answers.rest()
    return answers.graphics, typed


def test_what_terminals_answer_says_what_they_draw() -> None:
    assert told(KITTY) == (Graphics(kitty=True, cell=(9, 20)), "")
    assert told(XTERM) == (Graphics(sixels=True, cell=(6, 13)), "")
    assert told(REFUSING) == (Graphics(), "")


def test_sixels_are_of_use_only_where_the_size_of_a_cell_is_known() -> None:
    assert not told("\x1b[?63;4c")[0].any
    assert told(XTERM)[0].any
    assert told("\x1b_Gi=7302;OK\x1b\\\x1b[?62c")[0].any
    assert not told(REFUSING)[0].any


def test_the_kind_of_a_terminal_is_not_taken_for_what_it_can() -> None:
    assert not told("\x1b[?4;6c")[0].sixels


@given(st.sampled_from([KITTY, XTERM, REFUSING]), st.data())
def test_answers_are_found_however_cut_and_keys_between_them_stay(answer: str, data: st.DataObject) -> None:
    parts = re.findall(r"\x1b_.*?\x1b\\|\x1b\[[^a-z]*[a-z]", answer)
    typed = ["j", "\x1b[A", "\x1b[6~", "é", ""]
    keys = [data.draw(st.sampled_from(typed)) for _ in parts]
    sent = "".join(key + part for key, part in zip(keys, parts, strict=True)) + "x"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(sent)), max_size=6)))
    pieces = [sent[start:end] for start, end in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
    assert told(*pieces) == (told(answer)[0], "".join(keys) + "x")


def test_a_key_that_begins_like_an_answer_is_given_back() -> None:
    answers = GraphicsAnswers()
    assert answers.feed("a\x1b") == "a"
    assert answers.rest() == "\x1b"
    assert answers.rest() == ""


def test_once_all_is_answered_nothing_waits_any_more() -> None:
    answers = GraphicsAnswers()
    answers.feed(XTERM)
    assert answers.complete
    assert answers.feed("\x1b") == "\x1b"


def test_what_stands_between_is_not_asked() -> None:
    assert may_be_asked({"TERM": "xterm-kitty"})
    assert not may_be_asked({"TERM": "xterm-256color", "TMUX": "default,1,0"})
    assert not may_be_asked({"TERM": "screen-256color"})
    assert not may_be_asked({"TERM": "tmux-256color"})


def test_a_large_picture_is_sent_to_kitty_in_parts() -> None:
    png = bytes(range(256)) * 40
    codes = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", kitty_picture(png, 12, 5))
    assert base64.b64decode("".join(data for _, data in codes)) == png
    assert all(len(data) <= 4096 for _, data in codes)
    assert [about.rpartition("m=")[2] for about, _ in codes] == ["1"] * (len(codes) - 1) + ["0"]
    assert {"a=T", "c=12", "r=5", "q=2"} <= set(codes[0][0].split(","))


def test_a_picture_leaves_the_cursor_where_it_was() -> None:
    assert placed("X", column=4, line=2) == "\x1b7\x1b[3;5HX\x1b8"
