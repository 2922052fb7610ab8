"""The list of metrics of Agreement: kappa, marked where it rests on few labels, and how many of them fail."""

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

_METRIC, _KAPPA, _FAILS = "metric", "kappa", "fails"
_BAR = 2
"""Cells of the scroll bar and of the one before it, that stays free."""


def metrics_width(metrics: Sequence[MetricAgreement]) -> int:
    """Return the cells that the list takes where no name is cut."""
    return _longest(metrics) + _beside_names(metrics, max(len(_FAILS), _widest(map(_fails_of, metrics))))


def metric_columns(metrics: Sequence[MetricAgreement], width: int) -> tuple[TableColumn, ...]:
    """Return the columns of a list so wide: a name that would be cut takes the room of all labels' number.

    The head over the names says what the mark of few labels means, where one bears it.
    """
    kappa = TableColumn(_KAPPA, _kappa_cells(metrics), right=True)
    fails = TableColumn(_FAILS, max(len(_FAILS), _widest(map(_fails_of, metrics))), right=True)
    if metrics_width(metrics) > width:
        fails = TableColumn(FAILED, max(1, _widest(map(_fails, metrics))), right=True)
    marked = f"{_METRIC} {FEW_IN_SHORT}"
    room = width - _beside_names(metrics, fails.width)
    return TableColumn(marked if few_words(metrics) and len(marked) <= room else _METRIC), kappa, fails


def metric_cells(one: MetricAgreement, columns: Sequence[TableColumn]) -> list[Cell]:
    """Return a metric's row: its name, kappa, and how many of people's labels are fails, of how many."""
    kappa = kappa_told(one.kappa, one.matrix)
    few = rests_on_few(one.kappa, one.matrix)
    # A mark stands behind its number, so that the numbers stay one under the other.
    told = Cell(kappa if few else f"{kappa} ", "muted" if few else "text")
    fails = _fails_of(one)
    short = columns[-1].title == FAILED
    return [Cell(one.metric.replace("_", " ")), told, Cell(_fails(one) if short else fails, "muted")]


def few_words(metrics: Sequence[MetricAgreement]) -> str:
    """Say what the mark behind a kappa means; empty where none has it."""
    return FEW_WORDS if any(rests_on_few(one.kappa, one.matrix) for one in metrics) else ""


def _longest(metrics: Sequence[MetricAgreement]) -> int:
    return max((cell_len(make_safe_line(one.metric)) for one in metrics), default=0)


def _beside_names(metrics: Sequence[MetricAgreement], fails: int) -> int:
    return MARGIN + GAP + _kappa_cells(metrics) + GAP + fails + GAP + _BAR


def _kappa_cells(metrics: Sequence[MetricAgreement]) -> int:
    return max(len(_KAPPA), _widest(number_words(one.kappa) for one in metrics if not isnan(one.kappa)) + 1)


def _widest(texts: Iterable[str]) -> int:
    return max(map(len, texts), default=0)


def _fails_of(one: MetricAgreement) -> str:
    return f"{_fails(one)} of {one.matrix.total:,}"


def _fails(one: MetricAgreement) -> str:
    return f"{one.matrix.people_failed:,}"
