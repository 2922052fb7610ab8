"""The confusion matrix: three lines in plain words, and a click that asks for what differs."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.app import App, ComposeResult

from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.drawing.confusion import ConfusionMatrix, confusion_lines
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.settings.themes import DARK, theme_of

SKETCH = Confusion(true_pass=14, false_pass=2, false_fail=1, true_fail=7)
TONES = Tones(*[Style.null()] * len(fields(Tones)))


def written(matrix: Confusion, **options: Any) -> list[str]:
    return ["".join(piece.text for piece in line) for line in confusion_lines(matrix, TONES, **options)]


def test_the_counts_stand_under_who_said_what_and_differences_have_words() -> None:
    assert written(SKETCH) == [
        "           you ✓  you ✗",
        "  judge ✓     14      2  2 false passes",
        "  judge ✗      1      7  1 false fail",
    ]


def test_without_differences_it_says_so() -> None:
    _, passed, failed = written(Confusion(true_pass=1_234))
    assert passed.endswith("1,234      0  no false pass")
    assert failed.endswith("no false fail")


@pytest.mark.parametrize("width", [44, 60, 0])
@pytest.mark.parametrize("name", ["people", "a person with a long name", "\x1b[31m退款退款退款退款"])
def test_any_name_fits_in_and_all_columns_align(name: str, width: int) -> None:
    lines = written(SKETCH, people=name, width=width)
    assert "\x1b" not in lines[0]
    assert max(map(cell_len, lines)) <= (width or 70)
    endings = ("", "  2 false passes", "  1 false fail")
    counted = [line.removesuffix(words) for line, words in zip(lines, endings, strict=True)]
    assert len(set(map(cell_len, counted))) == 1


class Matrix(App[None]):
    """A matrix alone, that remembers what was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.register_theme(theme_of(DARK))
        self.theme = DARK
        self.asked: list[str] = []

    def compose(self) -> ComposeResult:
        yield ConfusionMatrix(people="ann")

    def on_confusion_matrix_chosen(self, event: ConfusionMatrix.Chosen) -> None:
        self.asked.append(event.differing)


async def test_no_word_touches_the_edge() -> None:
    app = Matrix()
    async with app.run_test(size=(44, 5)):
        matrix = app.query_one(ConfusionMatrix)
        matrix.show(Confusion(true_pass=14, false_pass=20, false_fail=1, true_fail=7), people="people")
        lines = ["".join(piece.text for piece in line) for line in matrix.lines]
        assert lines[1].endswith("20 false passes")
        assert max(map(cell_len, lines)) < 44


async def test_it_moves_with_its_counts_and_a_click_asks_for_what_differs() -> None:
    app = Matrix()
    async with app.run_test(size=(60, 5)) as pilot:
        matrix = app.query_one(ConfusionMatrix)
        matrix.show(SKETCH, people="you")
        await pilot.pause()
        assert matrix.matrix == SKETCH
        assert "14" in matrix.render_line(1).text
        assert "you ✓" in matrix.render_line(0).text
        for y in (0, 1, 2):
            await pilot.click(ConfusionMatrix, offset=(5, y))
        assert app.asked == ["false_pass", "false_fail"]
        assert matrix.render_line(1).cell_length == 60
