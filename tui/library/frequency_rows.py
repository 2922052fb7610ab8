"""Rows of the frequency view: a value, how many sessions have it, and how those came out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from turnwise.conversations.marks import DISPUTED, LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import ValueTally, written_key, written_term
from turnwise.conversations.words import percent, percent_range
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.tui.drawing.bars import SHARE_WIDTH, bar
from turnwise.tui.drawing.record_table import Cell, TableColumn, left_in
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.failure_modes.mode_words import metric_query
from turnwise.tui.session_lists.metric_keys import metric_words

LABELLED_FROM = 96
"""From so many cells on the labels have a column."""
DAY, LABEL, MODE, SOURCE = "day", "label", "mode", "source"
ALWAYS = ("role", "tag", LABEL, MODE, DAY, SOURCE)
"""Columns that every library has; beside them are facts, such as `meta.language`, and metrics."""
NOTHING = "(none)"
_TITLES = {MODE: "failure mode", DAY: "day of import"}
_BAR, _BAR_WIDEST = 8, 72
_SESSIONS, _SHARE = 9, 5
_LABELS = {f"labelled {LABEL_SIGNS['pass']}": 10, LABEL_SIGNS["fail"]: 5, DISPUTED: 5}
"""The heads of what people said, and the cells below them."""
_FIGURES = _SESSIONS + _SHARE + sum(_LABELS.values())
"""The cells of what stands beside the value, its bar and its pass rate."""
_COLUMNS = 5 + len(_LABELS)
_LEAST_VALUE = 24
_METRIC, _METRIC_WIDE = 19, 25
"""Cells of the name of the metric whose pass rate is shown, at the most."""


@dataclass(frozen=True, slots=True)
class FrequencyOrder:
    """How values are sorted: the most frequent, the lowest pass rate or the first of the alphabet first."""

    by: str = "count"
    reverse: bool = False

    @property
    def next(self) -> FrequencyOrder:
        """The order that comes after it."""
        return FrequencyOrder(_ORDERS[(_ORDERS.index(self.by) + 1) % len(_ORDERS)])

    def words(self, rows: Collection[ValueTally], column: str) -> str:
        """Return the order as people say it of these values of a column."""
        kind = self.by
        if kind == "value" and column == DAY:
            kind = DAY
        elif kind == "value" and all(_NUMBER.fullmatch(one.value) for one in rows if one.value):
            kind = "number"
        return _ORDER_WORDS[kind][self.reverse]


_ORDERS = ("count", "rate", "value")
_ORDER_WORDS = {
    "count": ("most sessions first", "fewest sessions first"),
    "rate": ("lowest pass rate first", "highest pass rate first"),
    "value": ("from A to Z", "from Z to A"),
    "number": ("lowest first", "highest first"),
    DAY: ("oldest first", "newest first"),
}
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def column_title(by: str, metrics: Collection[str]) -> str:
    """Return what a column is called."""
    if by in metrics:
        return metric_words(by)
    return make_safe_line(_TITLES.get(by, by.removeprefix("meta.")))


def sorted_values(rows: Sequence[ValueTally], order: FrequencyOrder) -> list[ValueTally]:
    """Return values in an order; those without any score come last where the pass rate counts.

    What is equal in it stands in the order of the values.
    """
    if order.by == "value":
        return sorted(rows, key=_place, reverse=order.reverse)
    rows = sorted(rows, key=_place)
    if order.by == "count":
        return sorted(rows, key=lambda one: one.sessions if order.reverse else -one.sessions)
    scored = [one for one in rows if one.scores]
    scored.sort(key=lambda one: one.passed / one.scores, reverse=order.reverse)
    return [*scored, *(one for one in rows if not one.scores)]


def _place(tally: ValueTally) -> tuple[int, float, str]:
    """Return what a value is sorted by: numbers stand by how large they are, before texts."""
    is_number = _NUMBER.fullmatch(tally.value) is not None
    kind = 0 if not tally.value else 1 if is_number else 2
    return kind, float(tally.value) if is_number else 0.0, tally.value.casefold()


def rate_cells(rows: Collection[ValueTally]) -> int:
    """Return the cells of the longest pass rate of these."""
    return max((cell_len(rate_words(one)) for one in rows), default=0)


def bar_cells(width: int, longest: int, metric: str, rate: int = SHARE_WIDTH) -> int:
    """Return the cells of the bars in so many for all: what the values leave, so that figures stand near.

    longest: the cells of the longest value, for which bars of little room go. metric: whose pass rate is
    shown. rate: the cells of the longest of these.
    """
    if width < LABELLED_FROM:
        # A share says it in figures too; which value it is, only the value.
        return _BAR if longest <= value_cells(width, metric, _BAR, rate) else 0
    rates = max(rate, cell_len(_rate_head(metric, width)))
    left = left_in(width, _COLUMNS, _FIGURES + rates + max(_LEAST_VALUE, longest))
    return max(_BAR, min(_BAR_WIDEST, left))


def value_cells(
    width: int, metric: str, bars: int, rate: int = SHARE_WIDTH, *, disputes: bool = False
) -> int:
    """Return the cells that values have of so many, beside bars and pass rates of so many."""
    _, *others = frequency_columns(width, "", metric, bars, rate, disputes=disputes)
    return left_in(width, 1 + len(others), sum(one.width for one in others))


def frequency_columns(
    width: int, title: str, metric: str, bars: int, rate: int = SHARE_WIDTH, *, disputes: bool = False
) -> list[TableColumn]:
    """Return the columns in so many cells. metric: whose pass rate is shown; empty where there is none.

    bars: the cells of a bar. rate: of the longest pass rate. disputes: whether people dispute
    any of the sessions.
    """
    labels = _LABELS if width >= LABELLED_FROM else {}
    head = _rate_head(metric, width, most=0 if bars else rate)
    return [
        TableColumn(title),
        TableColumn("sessions", _SESSIONS, right=True),
        TableColumn("share", _SHARE, right=True),
        *([TableColumn("", bars)] if bars else []),
        *([TableColumn(head, max(rate, cell_len(head)))] if metric else []),
        *(
            TableColumn(head, cells, right=True)
            for head, cells in labels.items()
            if disputes or head != DISPUTED
        ),
    ]


def _rate_head(metric: str, width: int, most: int = 0) -> str:
    """Return what stands over pass rates: of which metric they are, as far as there is room.

    most: the cells that it has; 0 for as many as it takes.
    """
    widest = _METRIC_WIDE if width >= LABELLED_FROM else _METRIC
    most = min(widest, most - len(" passes")) if most else widest
    return f"{fit(metric_words(metric), most).rstrip()} passes"


def frequency_cells(
    tally: ValueTally, total: int, width: int, metric: str, bars: int, *, disputes: bool = False
) -> list[Cell]:
    """Return the cells of a value for those columns. total: how many sessions there are."""
    wide = width >= LABELLED_FROM
    share = tally.sessions / total if total else 0.0
    return [
        Cell(tally.value or NOTHING, "text" if tally.value else "muted"),
        Cell(f"{tally.sessions:,}"),
        Cell(percent(share), "muted"),
        *([Cell(bar(min(1.0, share), bars), "bar")] if bars else []),
        *([_rate_cell(tally)] if metric else []),
        *(_label_cells(tally, disputes) if wide else []),
    ]


def rate_words(tally: ValueTally) -> str:
    """Say how many of the sessions that a metric scored pass: "92 % of 13 (64 to 100 %)"; empty for none.

    The number stands in it, as that of all sessions, a few columns before, is another one.
    """
    if not tally.scores:
        return ""
    share, sure = tally.passed / tally.scores, share_interval(tally.passed, tally.scores)
    return f"{percent(share)} of {tally.scores:,} ({percent_range(*sure)})"


def _rate_cell(tally: ValueTally) -> Cell:
    told = rate_words(tally)
    return Cell(told) if told else Cell("–", "muted")


def _label_cells(tally: ValueTally, disputes: bool) -> list[Cell]:
    counts = (tally.passes, tally.fails, *([tally.disputed] if disputes else []))
    return [Cell(f"{count:,}" if count else "–", "muted") for count in counts]


def value_query(by: str, value: str, metrics: Collection[str]) -> str:
    """Return the query that finds the sessions with a value; empty where there is none for it."""
    if by in metrics:
        return metric_query(by, value)
    if by == DAY:
        return f"since:{value} until:{value}"
    if not value:
        return f"-{_written(by)}:*" if by.startswith("meta.") else ""
    return written_term(_written(by), value)


def _written(by: str) -> str:
    head, _, key = by.partition(".")
    return written_key(head, key) if key else head
