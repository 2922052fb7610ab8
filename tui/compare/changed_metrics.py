"""ChangedMetrics: a table of metrics, how far each moved between two runs, and what flipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message

from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.comparing.compare import MetricChange
from turnwise.tui.compare.run_words import (
    CHANGE,
    FLIPS,
    MEAN_INTERVAL,
    POINTS,
    SHORT_HEADS,
    delta_words,
    interval_words,
    points_words,
    rests_on_passes,
    score_words,
)
from turnwise.tui.drawing.frames import has_frames
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones
from turnwise.tui.drawing.wrapping import fit

ALL = "all metrics"
CHOSEN = "▸"
"""Stands before the metric whose pairs are listed."""
MOST_ROWS = 7
"""Rows in sight where the window has room for them; the chosen one is always among them."""
POINTS_FROM, PASSED_FROM, PAIRS_FROM = 112, 100, 90
"""Below so many cells these columns go. Where what is said rests on points they stay, and the means go."""
LEAST_NAME, MOST_NAME = 12, 34
_GAP = "  "


class ChangedMetrics(DrawnLines):
    """Metrics in rows under a row for all of them; one row is chosen."""

    DEFAULT_CSS = "ChangedMetrics { background: $background; }"

    @dataclass
    class Chosen(Message):
        """A row was clicked: 0 for all metrics, else the metric's place from 1."""

        row: int

    def __init__(self) -> None:
        super().__init__()
        self._changes: Sequence[MetricChange] = ()
        self._chosen = 0
        self._first = 0
        self._most = 1 + MOST_ROWS
        self._note = ""

    @property
    def has_note(self) -> bool:
        """Whether a line below the rows says which of two figures decides."""
        return bool(self._note)

    def show(self, changes: Sequence[MetricChange], chosen: int) -> None:
        """Show these metrics. chosen: 0 for all of them, else the metric's place from 1."""
        self._changes, self._chosen = changes, chosen
        self._note = deciding_words(changes)
        self.border_title = f"Metrics: {order_words(changes)[0]}" if changes else "Metrics"
        self._take_rows()
        self._draw()

    def leave_room(self, most: int) -> None:
        """Take no more than so many rows, so that what stands below has room."""
        self._most = most
        self._take_rows()

    def _take_rows(self) -> None:
        # Not a share of the height: with a least for the pairs as well, Textual gives more than there is.
        wanted = 1 + min(len(self._changes) + 1, MOST_ROWS) + self.has_note + self.gutter.height
        self.styles.height = max(2, min(wanted, self._most))

    def on_resize(self) -> None:
        """Take the columns and the rows that fit."""
        self._take_rows()
        self._draw()

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._draw()

    def on_click(self, event: events.Click) -> None:
        """Choose the metric of the row."""
        offset = event.get_content_offset(self)
        if offset is None or not offset.y:
            return
        row = self._first + offset.y - 1
        if row <= len(self._changes) and offset.y <= self._room_for_rows:
            self.post_message(self.Chosen(row))

    @property
    def _room_for_rows(self) -> int:
        return max(1, min(self.size.height - 1 - self.has_note, MOST_ROWS))

    def _draw(self) -> None:
        if not self._changes or not self.size.width:
            self.set_lines([])
            return
        rows, most = len(self._changes) + 1, self._room_for_rows
        self._first = max(0, min(self._first, rows - most, self._chosen), self._chosen - most + 1)
        more = more_words(self._first, max(0, rows - self._first - most))
        titled = has_frames(self.app.size)
        lines = table_lines(
            self._changes, self._chosen, self.size.width, self.tones, more=more, titled=titled
        )
        note = [Segment(f"  {fit(self._note, max(1, self.size.width - 3))}", self.tones.muted)]
        self.set_lines(
            [lines[0], *lines[1 + self._first : 1 + self._first + most], *([note] * self.has_note)]
        )


def more_words(above: int, below: int) -> str:
    """Say how many rows are out of sight above and below; empty where all have room."""
    parts = [f"{sign} {count:,}" for sign, count in (("↑", above), ("↓", below)) if count]
    return f" · {' '.join(parts)} more" if parts else ""


def deciding_words(changes: Sequence[MetricChange]) -> str:
    """Say of which metrics the pass rate makes the change clear, though the mean's interval holds none.

    Empty where there are none: both intervals stand in a row, and one reads the first.
    """
    of = [
        _plain(change.metric)
        for change in changes
        if change.is_sure and change.by_passes and not (change.low > 0 or change.high < 0)
    ]
    return f"Clear by how many pass, though not by the mean: {', '.join(of)}" if of else ""


def table_lines(
    changes: Sequence[MetricChange],
    chosen: int,
    width: int,
    tones: Tones,
    *,
    more: str = "",
    titled: bool = False,
) -> list[Line]:
    """Return the table in so many cells: a head, the row of all metrics, and one row a metric.

    more: says in the head what of the rows has no room. titled: whether a title over it says their order.
    """
    cells = [_cells(change) for change in changes]
    shown = [name for name in _heads(width, changes) if name != POINTS or any(row[name] for row in cells)]
    total = {flip: str(sum(int(row[flip]) for row in cells)) for flip in FLIPS.values()}
    # The longest that may stand after a title: a column that changed its width would move the rest at a key.
    most_more = more_words(len(changes), len(changes)) if more else ""
    titles = {words: cell_len(words + most_more) for words in (*head_words(changes, titled), "metric")}
    longest = max(titles["metric"], *(cell_len(name) for name in (ALL, *(each.metric for each in changes))))
    for heads in ({}, SHORT_HEADS):
        widths = {
            name: max(
                cell_len(heads.get(name, name)),
                cell_len(total.get(name, "")),
                *(cell_len(row[name]) for row in cells),
            )
            for name in shown
        }
        room = width - 3 - sum(size + len(_GAP) for size in widths.values())
        if room >= min(longest, MOST_NAME):
            break
    title = next((words for words, cells in titles.items() if cells <= room), "metric")
    name_width = max(LEAST_NAME, min(max(min(longest, MOST_NAME), titles[title]), room))
    head = [
        fit(f"{title}{more}", name_width),
        *(fit(heads.get(name, name), widths[name], right=True) for name in shown),
    ]
    lines: list[Line] = [[Segment("  " + _GAP.join(head), tones.muted)]]
    names = [ALL, *(change.metric for change in changes)]
    for place, (metric, row) in enumerate(zip(names, [total, *cells], strict=True)):
        current = place == chosen
        line = [
            # No bar of a cursor: keys move that of the pairs, and this only says whose they are.
            Segment(f"{CHOSEN} " if current else "  ", tones.section),
            Segment(fit(_plain(metric), name_width), tones.section if current else tones.text),
        ]
        for name in shown:
            text = row.get(name, "")
            line.append(Segment(_GAP + fit(text, widths[name], right=True), _tone(name, text, tones)))
        lines.append(line)
    return lines


def order_words(changes: Sequence[MetricChange]) -> tuple[str, str]:
    """Say in which order the rows are, and in fewer words."""
    sure = [change.is_sure for change in changes]
    if any(sure) and not all(sure):
        return "clear ones, then worse", "clear first"
    # Of the better ones the best stands first, which is no order from worse to better.
    return "worse, then better", "worse first"


def head_words(changes: Sequence[MetricChange], titled: bool) -> Sequence[str]:
    """Say what the first column holds and in which order, and in fewer words; nothing under a title."""
    order, short = order_words(changes)
    return () if titled else (f"metric: {order}", f"metric, {short}")


def _heads(width: int, changes: Sequence[MetricChange]) -> list[str]:
    """Return the columns in so many cells."""
    by_passes = rests_on_passes(changes)
    means = [] if by_passes and width < POINTS_FROM else ["mean A", "mean B"]
    return [
        *(["pairs"] if width >= PAIRS_FROM else []),
        *means,
        CHANGE,
        MEAN_INTERVAL,
        *(["passed"] if width >= PASSED_FROM else []),
        *([POINTS] if width >= POINTS_FROM or by_passes else []),
        *FLIPS.values(),
    ]


def _cells(change: MetricChange) -> dict[str, str]:
    flips = dict(zip(FLIPS.values(), (change.newly_failed, change.newly_passed), strict=True))
    return {
        "pairs": f"{change.pairs:,}",
        "mean A": score_words(change.mean_a),
        "mean B": score_words(change.mean_b),
        CHANGE: delta_words(change.delta),
        MEAN_INTERVAL: interval_words(change),
        "passed": f"{change.passed_a:,} → {change.passed_b:,}" if change.pairs else "",
        POINTS: points_words(change),
        **{sign: str(count) for sign, count in flips.items()},
    }


def _tone(name: str, text: str, tones: Tones) -> Style:
    if text.strip() in ("", "0"):
        return tones.muted
    return {FLIPS["failed"]: tones.failed, FLIPS["passed"]: tones.passed, CHANGE: tones.text}.get(
        name, tones.muted
    )


def _plain(metric: str) -> str:
    return make_safe_line(metric).replace("_", " ")
