"""What the agreement screen writes: a row a metric, the figures of one, and a row a session that differs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from rich.segment import Segment
from textual.geometry import Size

from turnwise.engine.agreement import Agreement, Disagreement
from turnwise.engine.agreement_overview import Overview
from turnwise.tui.agreement_words import DASH, figure_lines, left_out_words, number_words
from turnwise.tui.widgets.lines_view import DrawnLines, Tones, paragraph
from turnwise.tui.widgets.record_table import Cell, TableColumn
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.turn_lines import Line
from turnwise.tui.widgets.wrapping import fit

METRIC_COLUMNS = (
    TableColumn("metric"),
    TableColumn("kappa", 5, right=True),
    TableColumn("labels", 6, right=True),
)
"""The columns of the metrics."""
REASON_FROM = 100
"""From so many cells up a session's row holds the reason too."""
Write = Callable[[Size, Tones], Sequence[Line]]
_NAMES = 10
_VALUES = 6
_INTERVALS = 16
_INDENT = "  "


class FittedLines(DrawnLines):
    """Lines that are written anew whenever their place or the theme changes."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._write: Write = lambda size, tones: []
        self._tones: Tones | None = None

    def show(self, write: Write) -> None:
        """Show what `write` returns for a size and tones."""
        self._write = write
        self._draw()

    def _draw(self) -> None:
        if self.is_mounted and self.size:
            # Read once a theme: it takes longer than the lines do.
            self._tones = self._tones or self.tones
            self.set_lines(self._write(self.size, self._tones))

    def on_resize(self) -> None:
        """Write anew in the room there is."""
        self._draw()

    def notify_style_update(self) -> None:
        """Write anew where the theme changed."""
        super().notify_style_update()
        self._tones = None
        self._draw()


def metric_cells(one: Overview) -> list[Cell]:
    """Return a metric's row: its name, kappa, and how many scored sessions people labelled."""
    kappa = DASH if isnan(one.kappa) else number_words(one.kappa)
    return [Cell(one.metric.replace("_", " ")), Cell(kappa), Cell(f"{one.matrix.total:,}", "muted")]


def disagreement_columns(width: int) -> tuple[TableColumn, ...]:
    """Return the columns of the sessions in so many cells."""
    first = (TableColumn("error", 10), TableColumn("session", 7, right=True))
    if width < REASON_FROM:
        return (*first, TableColumn("conversation"), TableColumn("score", 5, right=True))
    return (
        *first,
        TableColumn("conversation", 34),
        TableColumn("score", 5, right=True),
        TableColumn("what the judge says"),
    )


def disagreement_cells(one: Disagreement, columns: Sequence[TableColumn]) -> list[Cell]:
    """Return the row of a session that judge and people see differently."""
    cells = [
        Cell(one.kind, "failed" if one.kind == "false pass" else "unsure"),
        Cell(str(one.session), "muted"),
        Cell(one.name),
        Cell(f"{one.score:.2f}"),
        Cell(one.reason, "muted"),
    ]
    return cells[: len(columns)]


def about_lines(one: Disagreement | None, who: str, size: Size, tones: Tones) -> list[Line]:
    """Return lines about a session: what the judge says of it, and what people wrote."""
    if one is None:
        return []
    said, other = ("passed", "failed") if one.kind == "false pass" else ("failed", "passed")
    note = make_safe_line(one.note) or f"{other} it, and wrote no note"
    most = max(1, size.height // 2)
    judge = _about("judge", f"{said} it: {make_safe_line(one.reason)}", size.width, most, tones)
    return [*judge, *_about(who, note, size.width, most, tones)]


def _about(who: str, text: str, width: int, most: int, tones: Tones) -> list[Line]:
    indent = " " * (len(_INDENT) + _NAMES + 2)
    lines = paragraph(text, width - 1, tones.text, indent=indent, most=most)
    name = f"{_INDENT}{fit(make_safe_line(who), _NAMES)}  "
    first = Segment(lines[0][0].text[len(indent) :], tones.text)
    return [[Segment(name, tones.muted), first], *lines[1:]]


def figures_height(found: Agreement) -> int:
    """Return how many lines the figures take."""
    return len(figure_lines(found, "")) + bool(left_out_words(found))


def written_figures(found: Agreement, who: str, width: int, tones: Tones) -> list[Line]:
    """Return a line a figure, name, value, interval and words, and what is left out in a last one."""
    lines: list[Line] = []
    taken = len(_INDENT) + _NAMES + 2 + _VALUES + 2 + _INTERVALS
    for one in figure_lines(found, make_safe_line(who)):
        lines.append(
            [
                Segment(f"{_INDENT}{one.name.ljust(_NAMES)}  ", tones.text),
                Segment(one.value.rjust(_VALUES), tones.heading),
                Segment(f"  {one.interval.ljust(_INTERVALS)}", tones.muted),
                Segment(fit(one.words, max(0, width - taken - 1)).rstrip(), tones.muted),
            ]
        )
    if left_out := left_out_words(found):
        lines.append([Segment(fit(f"{_INDENT}not compared: {left_out}", max(0, width - 1)), tones.muted)])
    return lines
