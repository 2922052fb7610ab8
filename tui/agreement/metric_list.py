"""The list of metrics of Agreement: kappa, marked where it rests on few labels; labels and fails."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

from rich.cells import cell_len

from turnwise.conversations.marks import FAILED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.people.labelled_scores import MetricAgreement
from turnwise.tui.agreement.agreement_words import (
    FEW_IN_SHORT,
    FEW_WORDS,
    kappa_told,
    number_words,
    rests_on_few,
)
from turnwise.tui.drawing.record_table import GAP, MARGIN, Cell, TableColumn

_METRIC, _KAPPA, _LABELS, _FAILS = "metric", "kappa", "labels", "fails"
_BAR = 2
"""Cells of the scroll bar and of the one before it, that stays free."""


def metrics_width(metrics: Sequence[MetricAgreement], *, worded: bool = False) -> int:
    """Return the cells that the list takes where no name is cut. worded: a word stands over the fails too."""
    fails = _fails(metrics, _FAILS if worded else FAILED)
    return _longest(metrics) + _beside_names([_kappa(metrics), _labels(metrics), fails])


def metric_columns(metrics: Sequence[MetricAgreement], width: int) -> tuple[TableColumn, ...]:
    """Return the columns of a list so wide; a name that would be cut takes the room of what is told less.

    The list goes by the number of all labels, so the word over the fails gives way before it does. The head
    over the names says what the mark of few labels means, where one bears it.
    """
    kappa, labels, fails, short = _kappa(metrics), _labels(metrics), _fails(metrics), _fails(metrics, FAILED)
    tiers = [kappa, labels, fails], [kappa, labels, short], [kappa, short]
    longest = _longest(metrics)
    beside = next((one for one in tiers if longest + _beside_names(one) <= width), tiers[-1])
    marked = f"{_METRIC} {FEW_IN_SHORT}"
    room = width - _beside_names(beside)
    name = TableColumn(marked if few_words(metrics) and len(marked) <= room else _METRIC)
    return name, *beside


def metric_cells(one: MetricAgreement, columns: Sequence[TableColumn]) -> list[Cell]:
    """Return a metric's row: its name, kappa, how many labels people gave, and how many of them are fails."""
    kappa = kappa_told(one.kappa, one.matrix)
    few = rests_on_few(one.kappa, one.matrix)
    # A mark stands behind its number, so that the numbers stay one under the other.
    told = Cell(kappa if few else f"{kappa} ", "muted" if few else "text")
    labels = [Cell(f"{one.matrix.total:,}", "muted")] if tells_labels(columns) else []
    fails = Cell(f"{one.matrix.people_failed:,}", "muted")
    return [Cell(one.metric.replace("_", " ")), told, *labels, fails]


def tells_labels(columns: Sequence[TableColumn]) -> bool:
    """Return whether these columns say how many labels there are, which is what the list goes by."""
    return any(column.title == _LABELS for column in columns)


def few_words(metrics: Sequence[MetricAgreement]) -> str:
    """Say what the mark behind a kappa means; empty where none has it."""
    return FEW_WORDS if any(rests_on_few(one.kappa, one.matrix) for one in metrics) else ""


def _longest(metrics: Sequence[MetricAgreement]) -> int:
    return max((cell_len(make_safe_line(one.metric)) for one in metrics), default=0)


def _beside_names(columns: Iterable[TableColumn]) -> int:
    return MARGIN + GAP + sum(one.width + GAP for one in columns) + _BAR


def _kappa(metrics: Sequence[MetricAgreement]) -> TableColumn:
    widest = _widest(number_words(one.kappa) for one in metrics if not isnan(one.kappa)) + 1
    return TableColumn(_KAPPA, max(len(_KAPPA), widest), right=True)


def _labels(metrics: Sequence[MetricAgreement]) -> TableColumn:
    return _counts(_LABELS, (one.matrix.total for one in metrics))


def _fails(metrics: Sequence[MetricAgreement], title: str = _FAILS) -> TableColumn:
    return _counts(title, (one.matrix.people_failed for one in metrics))


def _counts(title: str, counts: Iterable[int]) -> TableColumn:
    return TableColumn(title, max(len(title), _widest(f"{count:,}" for count in counts)), right=True)


def _widest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)
