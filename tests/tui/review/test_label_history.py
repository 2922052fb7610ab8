"""The history tells what each label said that was new."""

from __future__ import annotations

from dataclasses import fields, replace

from rich.cells import cell_len
from rich.style import Style
from scored_sessions import NASTY

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import AssignedMode
from turnwise.conversations.store.rows import LabelRow
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.review.label_history import history_lines

TONES = Tones(**{tone.name: Style.null() for tone in fields(Tones)})


def row(
    word: LabelWord | None,
    turn: int | None = None,
    note: str = "",
    *,
    author: str = "mia",
    metric: str = "",
    blind: bool = False,
    value: float | None = None,
) -> LabelRow:
    return LabelRow(1, 1, word, turn, note, author, blind, 1e9, metric, value)


def told(*rows: LabelRow, width: int = 80) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in history_lines(rows, width, TONES)]


def test_the_newest_stands_first_with_author_and_time() -> None:
    lines = told(row("pass", author="bo"), row("fail", 4, blind=True))
    assert "mia" in lines[0]
    assert "✗ fail at turn 4" in lines[0]
    assert lines[0].endswith("blind")
    assert "09 Sep 2001" in lines[0]
    assert "bo" in lines[1]
    assert "✓ pass" in lines[1]


def test_each_line_says_what_changed() -> None:
    rows = [row("fail", 4), row("fail", 6), row("fail"), row("fail", note="odd"), row("fail"), row(None)]
    lines = told(*rows)
    for line, words in zip(
        lines,
        [
            "– taken back",
            "✎ note undone",
            "✎ note",
            "odd",
            "✗ first failure at no single turn",
            "✗ first failure at turn 6",
            "✗ fail at turn 4",
        ],
        strict=True,
    ):
        assert words in line


def test_an_undo_says_what_it_took_back_and_a_redo_that_it_is_one() -> None:
    rows = [row("pass"), row("fail", 4), row("pass"), row(None), row("pass"), row("defer")]
    words = [line.split("mia  ")[1] for line in told(*rows)]
    assert words == [
        "~ defer",
        "✓ pass, done again",
        "– pass undone",
        "✓ fail at turn 4 undone: pass again",
        "✗ fail at turn 4",
        "✓ pass",
    ]


def test_what_another_person_says_undoes_nothing() -> None:
    assert "✓ pass" in told(row("fail", 2), row("pass", author="bo"), row("fail", 2, author="cy"))[1]
    assert "undone" not in "".join(told(row("pass"), row("fail", 2, author="bo"), row("pass")))


def test_a_metric_is_named_and_its_value_told() -> None:
    line = told(row("pass", 2, metric="answer_relevancy", value=0.8))[0]
    assert "✓ answer relevancy: pass (0.80) at turn 2" in line


def test_the_same_said_twice_is_told_as_such() -> None:
    assert "pass, again" in told(row("pass"), row("pass"))[0]


def test_any_text_is_made_safe_and_fits() -> None:
    for width in (60, 120):
        for line in told(row("fail", 3, NASTY * 3, author=NASTY, metric=NASTY), width=width):
            assert cell_len(line) <= width
            assert not {"\x1b", "\x07", "\u202e"} & set(line)


def test_failure_modes_stand_among_the_labels_by_when_they_were_given():
    rows = [replace(row("pass"), created_at=100.0), replace(row("fail"), created_at=300.0)]
    modes = [AssignedMode(1, "Asks again", 4, "mia", 200.0), AssignedMode(2, "Lies", None, "mia", 400.0)]
    lines = ["".join(piece.text for piece in line) for line in history_lines(rows, 90, TONES, modes)]
    words = [" ".join(line.split("mia", 1)[1].split()) for line in lines]
    assert words == ["• failure mode: Lies", "✗ fail", "• failure mode: Asks again at turn 4", "✓ pass"]


def test_who_failed_is_told_and_not_that_the_same_was_said_again() -> None:
    fail = row("fail", 4)
    blamed = replace(fail, at_fault="tool")
    lines = told(fail, blamed, replace(fail, at_fault="judge"))
    assert "✗ at fault: the judge" in lines[0]
    assert "✗ at fault: the tool" in lines[1]
    assert "again" not in "".join(lines)


def test_of_long_words_the_turn_is_told_in_a_further_line() -> None:
    modes = [AssignedMode(1, "Answers in English to what is asked in German", 12, "mia", 1e9)]
    rows = [row("fail", 12, metric="keeps to the fare rules of the airline")]
    for line in (history_lines((), 64, TONES, modes), history_lines(rows, 64, TONES)):
        told = " ".join("".join(piece.text for one in line for piece in one).split())
        assert told.endswith("at turn 12")
        assert "…" not in told
        assert all(cell_len("".join(piece.text for piece in one)) <= 64 for one in line)
