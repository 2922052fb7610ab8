"""AgreementBoard: the metrics, one metric's figures, and the sessions that judge and people differ on."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from turnwise.engine.agreement import Agreement, Disagreement
from turnwise.engine.agreement_overview import Overview
from turnwise.tui.widgets.agreement_tables import (
    METRIC_COLUMNS,
    FittedLines,
    about_lines,
    disagreement_cells,
    disagreement_columns,
    figures_height,
    metric_cells,
    written_figures,
)
from turnwise.tui.widgets.confusion import LINES, ConfusionMatrix
from turnwise.tui.widgets.record_table import HEADER, RecordTable
from turnwise.tui.widgets.safe_text import make_safe_line

BESIDE_FROM = 120
"""From so many cells up the metrics stand beside their figures; below they stand over them."""
TALL_FROM = 36
"""From so many lines up more is shown of what judge and people say of a session."""
WIDEST_MATRIX = 46
MOST_METRICS = 4
"""So many metrics are in sight over the figures; the others scroll."""


class AgreementBoard(Container):
    """Shows what it is given; what is under the cursor of the sessions is told about below them."""

    DEFAULT_CSS = """
    AgreementBoard {
        height: 1fr; margin: 1 0 0 0; layout: grid; grid-size: 2; grid-gutter: 1 0;
        & #metrics, & ConfusionMatrix { height: 100%; }
        & #figures { column-span: 2; height: 100%; background: $background; }
        & #differing { column-span: 2; height: 100%; }
        & #sessions { height: 1fr; }
        & #all-agree { display: none; height: 1fr; padding: 0 2; color: $text-muted; }
        & #about { height: 2; }
        &.-tall #about { height: 6; margin: 1 0 0 0; }
        &.-agreeing #sessions { height: 0; }
        &.-agreeing #about { display: none; }
        &.-agreeing #all-agree { display: block; }
        &.-wide #metrics { row-span: 3; }
        &.-wide #figures, &.-wide #differing { column-span: 1; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._metrics: Sequence[Overview] = ()
        self._found: Agreement | None = None
        self._who = ""
        self._told: tuple[Disagreement | None, str] = (None, "")
        """The session that is told about, and whose labels it is told by."""
        self._shares: tuple[str, str] = "", ""
        """The columns and rows of the grid."""

    def compose(self) -> ComposeResult:
        """Lay the tables out."""
        self._open_up()
        yield RecordTable(id="metrics")
        yield ConfusionMatrix()
        yield FittedLines(id="figures")
        with Container(id="differing"):
            yield RecordTable(id="sessions")
            yield Static("", id="all-agree", markup=False)
            yield FittedLines(id="about")

    def on_resize(self) -> None:
        """Put the metrics beside their figures or over them, and write all anew."""
        self._open_up()
        if self._found is not None:
            self.show(self._found, self._who, self.sessions.cursor)

    def _open_up(self) -> None:
        self.set_class(self.app.size.width >= BESIDE_FROM, "-wide")
        self.set_class(self.app.size.height >= TALL_FROM, "-tall")

    @property
    def metrics(self) -> RecordTable:
        """The table of metrics."""
        return self.query_one("#metrics", RecordTable)

    @property
    def sessions(self) -> RecordTable:
        """The table of sessions."""
        return self.query_one("#sessions", RecordTable)

    @property
    def differing(self) -> Sequence[Disagreement]:
        """The sessions that are listed."""
        return (*self._found.false_passes, *self._found.false_fails) if self._found else ()

    @property
    def current(self) -> Disagreement | None:
        """The session under the cursor."""
        found, place = self._found, self.sessions.cursor
        if found is None:
            return None
        passes = found.false_passes
        listed, at = (passes, place) if place < len(passes) else (found.false_fails, place - len(passes))
        return listed[at] if at < len(listed) else None

    # What is shown

    def show_metrics(self, metrics: Sequence[Overview], cursor: int) -> None:
        """Show these metrics, with the cursor on one of them."""
        self._metrics = metrics
        cells = [metric_cells(one) for one in metrics]
        self.metrics.show(METRIC_COLUMNS, len(cells), cells.__getitem__, cursor=cursor)

    def show(self, found: Agreement, who: str, cursor: int) -> None:
        """Show a metric's figures, and the sessions with the cursor on one of them. who: labelled them."""
        self._found, self._who = found, who
        self.query_one(ConfusionMatrix).show(found.matrix, people=who)
        figures = self.query_one("#figures", FittedLines)
        figures.show(lambda size, tones: written_figures(found, who, size.width, tones))
        self._share_room(figures_height(found))
        self._show_differing(cursor)

    @property
    def _detail_width(self) -> int:
        """How many cells figures and sessions have."""
        width = self.app.size.width
        return width * 2 // 3 if width >= BESIDE_FROM else width

    def _share_room(self, figures: int) -> None:
        """Give matrix and figures the room they take, and the tables the rest."""
        wide = self.has_class("-wide")
        matrix = min(self.query_one(ConfusionMatrix).full_width + 1, WIDEST_MATRIX)
        columns = f"1fr {self._detail_width if wide else matrix}"
        rows = LINES if wide else max(LINES, min(MOST_METRICS, len(self._metrics)) + HEADER)
        shares = columns, f"{rows} {figures} 1fr"
        if shares != self._shares:
            # Laying out anew is felt at a key; most metrics need the same room.
            self._shares = shares
            self.styles.grid_columns, self.styles.grid_rows = shares

    def _show_differing(self, cursor: int) -> None:
        differing, found = self.differing, self._found
        self.set_class(not differing, "-agreeing")
        columns = disagreement_columns(self._detail_width)
        self.sessions.show(
            columns, len(differing), lambda row: disagreement_cells(differing[row], columns), cursor=cursor
        )
        if found is not None and not differing:
            words = f"Judge and {self._who} agree on all {found.matrix.total:,}."
            self.query_one("#all-agree", Static).update(make_safe_line(words))
        self.show_about()

    def show_about(self) -> None:
        """Tell about the session under the cursor."""
        current, who = self.current, self._who
        if (current, who) != self._told:
            self._told = current, who
            self.query_one("#about", FittedLines).show(
                lambda size, tones: about_lines(current, who, size, tones)
            )

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Follow the cursor of the sessions; that of the metrics is the screen's to follow."""
        if event.table.id == "sessions":
            event.stop()
            self.show_about()

    def on_confusion_matrix_chosen(self, event: ConfusionMatrix.Chosen) -> None:
        """Go to the first session of the kind that was clicked."""
        event.stop()
        kind = event.differing.replace("_", " ")
        places = [place for place, one in enumerate(self.differing) if one.kind == kind]
        if places:
            self.sessions.move_cursor(places[0])
            self.sessions.focus()
