"""ConfusionMatrix: how often judge and people said the same, and which way they differed, in three lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.message import Message

from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones
from turnwise.tui.drawing.wrapping import fit

LINES = 3
LONGEST_NAME = 12
_INDENT = "  "
_GAP = "  "
_REST = len("  judge ✓   ✓   ✗")
"""Cells that a line takes beside the two names and the words at its end."""
_SHORTEST_NAME = 3

Differing = Literal["false_pass", "false_fail"]
"""How judge and people may differ: the judge passed what they failed, or failed what they passed."""


JudgedBy = Literal["judge", "check"]
"""What says pass or fail beside people: a model that was asked, or a check that asks none."""


def confusion_lines(
    matrix: Confusion,
    tones: Tones,
    *,
    people: str = "you",
    by: JudgedBy = "judge",
    width: int = 0,
    worded: bool = True,
) -> list[Line]:
    """Return the matrix as three lines: a head, what the judge passed, and what it failed.

    people: who labelled, in a word or two; cut where it does not fit into `width` cells (0: any number).
    worded: a row ends with the words for the count that differs.
    """
    name = make_safe_line(people)
    words = [false_pass_words(matrix), false_fail_words(matrix)] if worded else ["", ""]
    judge = f"{by} ✓", f"{by} ✗"
    end = len(_GAP) + max(map(len, words)) if worded else 0
    room = (width - _REST - end) // 2 if width else LONGEST_NAME
    who = fit(name, min(LONGEST_NAME, max(_SHORTEST_NAME, room), cell_len(name)))
    columns = [
        (f"{who} ✓", matrix.true_pass, matrix.false_fail),
        (f"{who} ✗", matrix.false_pass, matrix.true_fail),
    ]
    widths = [max(cell_len(head), *(len(f"{count:,}") for count in counts)) for head, *counts in columns]
    head: Line = [Segment(_INDENT + " " * cell_len(judge[0]), tones.muted)]
    passed: Line = [Segment(_INDENT + judge[0], tones.text)]
    failed: Line = [Segment(_INDENT + judge[1], tones.text)]
    for place, ((title, above, below), width) in enumerate(zip(columns, widths, strict=True)):
        head.append(Segment(_GAP + fit(title, width, right=True), tones.muted))
        passed.append(_count(above, width, tones, same=place == 0))
        failed.append(_count(below, width, tones, same=place == 1))
    if worded:
        passed.append(Segment(_GAP + words[0], tones.text if matrix.false_pass else tones.muted))
        failed.append(Segment(_GAP + words[1], tones.text if matrix.false_fail else tones.muted))
    return [head, passed, failed]


def _count(count: int, width: int, tones: Tones, *, same: bool) -> Segment:
    tone = tones.heading if same else tones.failed if count else tones.muted
    return Segment(_GAP + f"{count:,}".rjust(width), tone)


def false_pass_words(matrix: Confusion) -> str:
    """Say how many sessions pass that people fail: "2 false passes", "no false pass"."""
    return _words(matrix.false_pass, "false pass", "false passes")


def false_fail_words(matrix: Confusion) -> str:
    """Say how many sessions fail that people pass."""
    return _words(matrix.false_fail, "false fail", "false fails")


def _words(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}" if count else f"no {one}"


class ConfusionMatrix(DrawnLines):
    """Shows a Confusion; a click on a row asks for the sessions that differ in it.

    Call `show` with new counts as often as they change. It has no keys and never takes the focus.
    """

    DEFAULT_CSS = f"ConfusionMatrix {{ height: {LINES}; background: $background; }}"

    @dataclass
    class Chosen(Message):
        """The sessions that judge and people differ on in one way are asked for."""

        differing: Differing

    def __init__(self, *, people: str = "you", id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._matrix = Confusion()
        self._people = people
        self._by: JudgedBy = "judge"
        self._worded = True

    @property
    def matrix(self) -> Confusion:
        """The counts that are shown."""
        return self._matrix

    @property
    def full_width(self) -> int:
        """How many cells the lines take where nothing of the name is cut."""
        return self.width_for(self._people)

    def width_for(self, people: str, *, worded: bool = True) -> int:
        """Return how many cells the lines take whole, for labels of these people, or without their words."""
        lines = confusion_lines(self._matrix, self.tones, people=people, by=self._by, worded=worded)
        return max(sum(piece.cell_length for piece in line) for line in lines)

    def show(self, matrix: Confusion, *, people: str | None = None, by: JudgedBy = "judge") -> None:
        """Show these counts. people: who labelled, where that changes. by: what they are set beside."""
        self._matrix, self._by = matrix, by
        if people is not None:
            self._people = people
        self._draw()

    def say_words(self, worded: bool) -> None:
        """Say at the end of a row how many differ, or leave the room to what stands beside."""
        if worded != self._worded:
            self._worded = worded
            self._draw()

    def on_resize(self) -> None:
        """Draw as wide as there is room."""
        self._draw()

    def notify_style_update(self) -> None:
        """Draw anew where the theme changed."""
        super().notify_style_update()
        self._draw()

    def _draw(self) -> None:
        if self.is_mounted:
            # The last cell stays free, so that no word touches the edge or what stands beside.
            width = max(0, self.size.width - 1)
            self.set_lines(
                confusion_lines(
                    self._matrix,
                    self.tones,
                    people=self._people,
                    by=self._by,
                    width=width,
                    worded=self._worded,
                )
            )

    def on_click(self, event: events.Click) -> None:
        """Ask for what differs in the row that was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.y > 0:
            self.post_message(self.Chosen("false_pass" if offset.y == 1 else "false_fail"))
