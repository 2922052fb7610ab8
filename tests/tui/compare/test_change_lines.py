"""By what two sides judged differently: what differs is in sight, however narrow the window is."""

import pytest
from rich.style import Style

from turnwise.engine.comparing.judging_changes import JudgingChange
from turnwise.tui.compare.change_lines import REST, SAME_JUDGING, judging_change_lines
from turnwise.tui.drawing.lines_view import Tones

MARKED = Style(bold=True)
TONES = Tones(**{name: MARKED if name == "heading" else Style.null() for name in Tones.__slots__})
NAMES = JudgingChange("criterion", "Keeps to all the fare rules, v1", "Keeps to all the fare rules, v2")
LONG = JudgingChange(
    "steps",
    "\n".join([*(f"Look at part {number}." for number in range(12)), "Lower it by half."]),
    "\n".join([*(f"Look at part {number}." for number in range(12)), "Lower it by a tenth."]),
)


def drawn(*changes: JudgingChange, width: int = 80, height: int = 24, folded: bool = False) -> list[str]:
    lines = judging_change_lines(changes, width, TONES, height=height, folded=folded)
    texts = ["".join(piece.text for piece in line).rstrip() for line in lines]
    assert all(len(text) < width for text in texts)
    return texts


def test_short_things_stand_in_a_line_where_they_fit() -> None:
    [line] = drawn(JudgingChange("judge", "one", "two"))
    assert line == "   judge        one → two"


@pytest.mark.parametrize("folded", [True, False])
def test_names_that_do_not_fit_into_a_line_are_not_cut(folded: bool) -> None:
    lines = drawn(NAMES, folded=folded)
    assert "v1" in " ".join(lines)
    assert "v2" in " ".join(lines)
    assert "…" not in " ".join(lines)


def test_that_nothing_differs_is_said_whole() -> None:
    assert " ".join(" ".join(drawn()).split()) == SAME_JUDGING


def test_of_long_texts_the_lines_that_differ_are_shown() -> None:
    lines = drawn(NAMES, LONG)
    assert [line.split("  ")[-1].strip() for line in lines if "Lower" in line] == [
        "Lower it by half.",
        "Lower it by a tenth.",
    ]
    assert "   steps        A  Lower it by half." in lines
    assert lines[-1] == f"   … 24 lines more: {REST}"


def test_each_text_has_its_share_where_all_of_it_differs() -> None:
    other = JudgingChange("steps", LONG.a, "\n".join(f"Quite unlike, {number}" for number in range(30)))
    lines = drawn(other)
    assert sum("Look at" in line for line in lines) == 4
    assert sum("Quite" in line for line in lines) == 3
    assert len(lines) == 8


def test_a_higher_window_shows_more() -> None:
    assert len(drawn(LONG, height=120)) == 26
