"""Rows of the pairs of a comparison: what of a pair has a column, and what the list of them is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len

from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.comparing.compare import ScoredPair
from turnwise.tui.compare.changed_metrics import ALL
from turnwise.tui.compare.run_words import delta_words, pair_name, score_words, signs_words
from turnwise.tui.drawing.record_table import Cell, TableColumn
from turnwise.tui.session_lists.covered import waiting_words

COUNTED_ABOVE = "counted above, not listed here"
"""What is so of sessions that wait for a blind label."""

METRIC_FROM, WIDE_FROM, REASON_FROM = 60, 100, 120
"""Below so many cells the metric goes, or is cut sooner, and reasons stand below the list alone."""
MOST_NAME = 30
"""Cells of a session's name where a reason stands beside it; wide windows have a quarter of them for it."""
MOST_METRIC, MOST_METRIC_NARROW = 28, 20
_TONES = {"failed": "cross", "passed": "passed", None: "muted"}


def change_columns(metrics: Sequence[str], width: int) -> list[TableColumn]:
    """Return the columns for pairs of these metrics in so many cells; one metric need not be named."""
    named = len(metrics) > 1 and width >= METRIC_FROM
    most = MOST_METRIC if width >= WIDE_FROM else MOST_METRIC_NARROW
    longest = min(most, max(map(cell_len, metrics), default=0))
    name = TableColumn("session", max(MOST_NAME, width // 4) if width >= REASON_FROM else 0)
    last = [name, TableColumn("why")] if width >= REASON_FROM else [name]
    return [
        TableColumn("flip", 6),
        TableColumn("change", 6, right=True),
        TableColumn("A", 4, right=True),
        TableColumn("B", 4, right=True),
        *([TableColumn("metric", longest)] if named else []),
        *last,
    ]


def change_cells(pair: ScoredPair, columns: Sequence[TableColumn], why: Callable[[], str]) -> list[Cell]:
    """Return the cells of a pair for these columns. why: looks up the reason, where it has a column."""
    cells = [
        Cell(signs_words(pair), _TONES[pair.flip]),
        Cell(delta_words(pair.delta), "text" if pair.delta else "muted"),
        Cell(score_words(pair.a.score), "muted"),
        Cell(score_words(pair.b.score), "muted"),
    ]
    titles = [column.title for column in columns]
    if "metric" in titles:
        cells.append(Cell(pair.metric.replace("_", " "), "muted"))
    cells.append(Cell(pair_name(pair)))
    if "why" in titles:
        cells.append(Cell(why(), "muted"))
    return cells


def pairs_title(metric: str, hidden: int = 0) -> str:
    """Return what the list of pairs is called: it says of which metric they are; empty for all of them.

    hidden: how many sessions are counted in the figures above it and not listed.
    """
    title = f"Pairs · {make_safe_line(metric).replace('_', ' ') or ALL}"
    return f"{title} · {waiting_words(hidden, COUNTED_ABOVE, named=True)}" if hidden else title
