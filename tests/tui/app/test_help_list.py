"""The lines of help: what is explained is packed, and what is chosen is a key."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.style import Style

from turnwise.tui.actions import ACTIONS
from turnwise.tui.actions.legends import Explained
from turnwise.tui.actions.synonyms import SYNONYMS
from turnwise.tui.app.help_list import HelpKey, HelpSection, explained_lines, key_lines
from turnwise.tui.drawing.lines import line_text
from turnwise.tui.drawing.lines_view import Tones

TONES = Tones(*(Style(color=f"color({number})") for number in range(1, 11)))


def test_marks_are_packed_into_lines_and_none_is_lost() -> None:
    explained = [Explained("✓", "passes"), Explained("✗", "fails: below its threshold")] * 6
    lines = [line_text(line) for line in explained_lines(explained, 50, TONES)]
    assert all(cell_len(line) <= 50 for line in lines)
    assert len(lines) < len(explained)
    assert " ".join(lines).count("fails: below its threshold") == 6


def test_what_is_longer_than_a_line_goes_on_in_the_next() -> None:
    lines = [line_text(line) for line in explained_lines([Explained("~", "word " * 30)], 60, TONES)]
    assert len(lines) > 1
    assert all(cell_len(line) <= 60 for line in lines)
    assert sum(line.count("word") for line in lines) == 30


def test_what_cannot_be_done_says_so() -> None:
    action = next(one for one in ACTIONS["library"] if one.name == "stop")
    told = [line_text(line) for line in key_lines(HelpKey(action, "not now"), 12, 100, TONES)]
    assert "(not now)" in told[0]


def test_keys_that_are_longer_than_their_column_stand_below_each_other_and_shift_no_title() -> None:
    menu, quit_soon = (
        next(one for one in ACTIONS["everywhere"] if one.name == name) for name in ("menu", "quit_soon")
    )
    told = [[line_text(line) for line in key_lines(HelpKey(one), 12, 90, TONES)] for one in (menu, quit_soon)]
    assert told[0][0].index(menu.title) == told[1][0].index(quit_soon.title)
    assert told[0][0].split()[0] == "shift+f10"
    assert told[0][1].strip().startswith("right click")
    assert len(told[1]) == 1


def test_words_find_marks_keys_and_sentences() -> None:
    section = HelpSection(
        "On this screen",
        [Explained("✓", "passes")],
        [HelpKey(one) for one in ACTIONS["library"]],
        ["tag:x one tag"],
    )
    assert [one.action.name for one in section.like("EXPORT").keys] == ["export"]
    assert section.like("passes").explained
    assert section.like("one tag").plain
    assert section.like("zeppelin").is_empty


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("delete", "forget"),
        ("remove", "forget"),
        ("erase sessions", "forget"),
        ("search", "filter"),
        ("save", "export"),
        ("revert", "undo"),
    ],
)
def test_an_action_is_found_by_what_others_call_it(typed: str, named: str) -> None:
    section = HelpSection("On this screen", keys=[HelpKey(one) for one in ACTIONS["library"]])
    assert named in [one.action.title for one in section.like(typed).keys]


def test_what_has_synonyms_is_an_action() -> None:
    assert set(SYNONYMS) <= {action.title for actions in ACTIONS.values() for action in actions}
