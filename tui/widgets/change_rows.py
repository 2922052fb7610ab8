"""Change rows: pairs of scores as rows of a RecordTable."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from turnwise.engine.scored_pairs import ScoredPair
from turnwise.tui.run_words import delta_words, pair_name, score_words, signs_words
from turnwise.tui.widgets.record_table import Cell, TableColumn

METRIC_FROM, WIDE_FROM = 60, 100
"""Below so many cells the metric goes, or is cut sooner."""
MOST_METRIC, MOST_METRIC_NARROW = 28, 16
_TONES = {"failed": "failed", "passed": "passed", None: "muted"}


def change_columns(metrics: Sequence[str], width: int) -> list[TableColumn]:
    """Return the columns for pairs of these metrics in so many cells; one metric need not be named."""
    named = len(metrics) > 1 and width >= METRIC_FROM
    most = MOST_METRIC if width >= WIDE_FROM else MOST_METRIC_NARROW
    longest = min(most, max(map(cell_len, metrics), default=0))
    return [
        TableColumn("flip", 5),
        TableColumn("change", 6, right=True),
        TableColumn("A", 4, right=True),
        TableColumn("B", 4, right=True),
        *([TableColumn("metric", longest)] if named else []),
        TableColumn("conversation"),
    ]


def change_cells(pair: ScoredPair, columns: int) -> list[Cell]:
    """Return the cells of a pair for so many columns."""
    cells = [
        Cell(signs_words(pair), _TONES[pair.flip]),
        Cell(delta_words(pair.delta), "text" if pair.delta else "muted"),
        Cell(score_words(pair.a.score), "muted"),
        Cell(score_words(pair.b.score), "muted"),
        Cell(pair.metric.replace("_", " "), "muted"),
        Cell(pair_name(pair)),
    ]
    return cells if columns == len(cells) else [*cells[:4], cells[5]]
