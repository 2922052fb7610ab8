"""AgreementScreen: each metric against people's labels, and the sessions that they see differently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from turnwise.engine.agreement import Agreement, Disagreement, Overview, agreement, overview
from turnwise.tui.actions import Place, bindings
from turnwise.tui.agreement_words import NO_LABELS, labels_words, who_labelled
from turnwise.tui.labeller import labeller
from turnwise.tui.stored_sessions import FoundSessions
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
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.record_table import HEADER, RecordTable
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.title_bar import TitleBar

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

BESIDE_FROM = 120
"""From so many cells up the metrics stand beside their figures; below they stand over them."""

TALL_FROM = 36
"""From so many lines up more is shown of what judge and people say of a session."""

WIDEST_MATRIX = 46
MOST_METRICS = 4
"""So many metrics are in sight over the figures; the others scroll."""


class AgreementScreen(Screen[None]):
    """Shows how far a metric finds what people find; enter reads a session that they differ on."""

    PLACE: ClassVar[Place] = "agreement"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("agreement"))
    AUTO_FOCUS = "#sessions"
    CSS = """
    AgreementScreen {
        & #body { height: 1fr; margin: 1 0 0 0; layout: grid; grid-size: 2; grid-gutter: 1 0; }
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
        & #empty { display: none; height: 1fr; padding: 2 4; max-width: 90; color: $text; }
        &.-empty #empty { display: block; }
        &.-empty #body { display: none; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Listed(Message):
        """The metrics that can be compared with people were read: with one author, or the majority."""

        metrics: Sequence[Overview]
        author: str | None
        blind_only: bool

    @dataclass
    class Measured(Message):
        """A metric was compared with people."""

        found: Agreement

    def __init__(self) -> None:
        super().__init__()
        self._metrics: Sequence[Overview] = ()
        self._metric = ""
        self._author: str | None = None
        self._blind_only = False
        self._me = ""
        self._found: Agreement | None = None
        self._told: tuple[Disagreement | None, str] = (None, "")
        """The session that is told about, and whose labels it is told by."""
        self._wanted: int | None = None
        """The session that the cursor is to stand on, once the figures have come."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self._open_up()
        yield TitleBar("Agreement", right="reading the labels …")
        with Container(id="body"):
            yield RecordTable(id="metrics")
            yield ConfusionMatrix()
            yield FittedLines(id="figures")
            with Container(id="differing"):
                yield RecordTable(id="sessions")
                yield Static("", id="all-agree", markup=False)
                yield FittedLines(id="about")
        yield Static("", id="empty", markup=False)
        yield KeyLine("agreement")

    def on_mount(self) -> None:
        """Read the labels, and read them again when scores come in."""
        self._me = labeller(self.app.settings.author)
        self.app.sessions_changed.subscribe(self, lambda _: self._list_now())
        self._list_now()

    def on_resize(self) -> None:
        """Put the metrics beside their figures or over them, and write all anew."""
        self._open_up()
        if self._found is not None:
            self._show_found()
            self._show_differing(self._table("sessions").cursor)

    def _open_up(self) -> None:
        self.set_class(self.app.size.width >= BESIDE_FROM, "-wide")
        self.set_class(self.app.size.height >= TALL_FROM, "-tall")

    # Reading, off the loop

    def _list_now(self) -> None:
        self._list(self._author, self._blind_only)

    @work(thread=True, exclusive=True, group="list")
    def _list(self, author: str | None, blind_only: bool) -> None:
        metrics = overview(self.app.store, author=author, blind_only=blind_only)
        self.post_message(self.Listed(metrics, author, blind_only))

    @work(thread=True, exclusive=True, group="measure")
    def _measure(self, metric: str, author: str | None, blind_only: bool) -> None:
        self.post_message(
            self.Measured(agreement(self.app.store, metric, author=author, blind_only=blind_only))
        )

    def on_agreement_screen_listed(self, event: Listed) -> None:
        """Show the metrics; the cursor stays with its metric."""
        if (event.author, event.blind_only) != (self._author, self._blind_only):
            return
        self._metrics = event.metrics
        self.set_class(not event.metrics, "-empty")
        names = [one.metric for one in event.metrics]
        if self._metric not in names:
            self._metric = names[0] if names else ""
        if self._metric:
            table = self._table("metrics")
            table.show(
                METRIC_COLUMNS,
                len(names),
                lambda row: metric_cells(self._metrics[row]),
                cursor=names.index(self._metric),
            )
            self._measure(self._metric, self._author, self._blind_only)
        else:
            self._show_nothing()
        self.refresh_bindings()

    def on_agreement_screen_measured(self, event: Measured) -> None:
        """Show a metric's figures, unless others were asked for meanwhile."""
        found, before = event.found, self._found
        asked = self._metric, self._author, self._blind_only
        if (found.metric, found.author, found.blind_only) != asked:
            return
        at = self._current
        wanted = self._wanted if self._wanted is not None else at.session if at else None
        self._found, self._wanted = found, None
        places = [place for place, one in enumerate(self._differing) if one.session == wanted]
        same = before is not None and before.metric == found.metric
        self._show_found()
        self._show_differing(places[0] if places else self._table("sessions").cursor if same else 0)
        self.refresh_bindings()

    # What is shown

    def _table(self, name: str) -> RecordTable:
        return self.query_one(f"#{name}", RecordTable)

    @property
    def _differing(self) -> Sequence[Disagreement]:
        return (*self._found.false_passes, *self._found.false_fails) if self._found else ()

    @property
    def _current(self) -> Disagreement | None:
        """The session under the cursor."""
        place = self._table("sessions").cursor
        return self._differing[place] if place < len(self._differing) else None

    def _show_nothing(self) -> None:
        self._found = None
        bar = self.query_one(TitleBar)
        bar.detail = bar.right = ""
        title, words = "Nothing to compare yet.", NO_LABELS
        if self._blind_only:
            title = "No scored session has a label that was given while the scores were hidden."
            words = "b counts the other labels too."
        self.query_one("#empty", Static).update(Content.assemble((f"{title}\n\n", "bold"), words))

    def _show_found(self) -> None:
        if (found := self._found) is None:
            return
        who = who_labelled(found, self._me)
        bar = self.query_one(TitleBar)
        bar.detail = found.metric.replace("_", " ")
        blind = "blind labels only" if found.blind_only else ""
        bar.right = " · ".join(part for part in (labels_words(found, who), blind) if part)
        self.query_one(ConfusionMatrix).show(found.matrix, people=who)
        figures = self.query_one("#figures", FittedLines)
        figures.show(lambda size, tones: written_figures(found, who, size.width, tones))
        self._share_room(figures_height(found))
        self._show_about()

    @property
    def _detail_width(self) -> int:
        """How many cells figures and sessions have."""
        width = self.app.size.width
        return width * 2 // 3 if width >= BESIDE_FROM else width

    def _share_room(self, figures: int) -> None:
        """Give matrix and figures the room they take, and the tables the rest."""
        body = self.query_one("#body")
        wide = self.has_class("-wide")
        matrix = min(self.query_one(ConfusionMatrix).full_width + 1, WIDEST_MATRIX)
        body.styles.grid_columns = f"1fr {self._detail_width if wide else matrix}"
        rows = LINES if wide else max(LINES, min(MOST_METRICS, len(self._metrics)) + HEADER)
        body.styles.grid_rows = f"{rows} {figures} 1fr"

    def _show_differing(self, cursor: int) -> None:
        differing, found = self._differing, self._found
        self.set_class(not differing, "-agreeing")
        table = self._table("sessions")
        columns = disagreement_columns(self._detail_width)
        table.show(
            columns, len(differing), lambda row: disagreement_cells(differing[row], columns), cursor=cursor
        )
        if found is not None and not differing:
            words = f"Judge and {who_labelled(found, self._me)} agree on all {found.matrix.total:,}."
            self.query_one("#all-agree", Static).update(make_safe_line(words))
        self._show_about()

    def _show_about(self) -> None:
        current = self._current
        who = who_labelled(self._found, self._me) if self._found else ""
        if (current, who) != self._told:
            self._told = current, who
            self.query_one("#about", FittedLines).show(
                lambda size, tones: about_lines(current, who, size, tones)
            )

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Follow the cursor: to another metric, or to another session."""
        if event.table.id == "sessions":
            self._show_about()
        elif self._metrics and (metric := self._metrics[event.table.cursor].metric) != self._metric:
            self._metric = metric
            self._measure(metric, self._author, self._blind_only)

    def on_record_table_opened(self, event: RecordTable.Opened) -> None:
        """Read the session that was clicked twice."""
        if event.table.id == "sessions":
            self._review()

    def on_confusion_matrix_chosen(self, event: ConfusionMatrix.Chosen) -> None:
        """Go to the first session of the kind that was clicked."""
        kind = event.differing.replace("_", " ")
        places = [place for place, one in enumerate(self._differing) if one.kind == kind]
        if places:
            self._table("sessions").move_cursor(places[0])
            self._table("sessions").focus()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now."""
        if action == "author":
            return self._author is not None or (self._found is not None and len(self._found.people) > 1)
        if action == "blind":
            return self._blind_only or bool(self._metrics)
        if action == "open":
            return bool(self._differing)
        if action in ("next_metric", "previous_metric", "other_pane"):
            return len(self._metrics) > 1
        return True

    def _move(self, move: Callable[[RecordTable], None]) -> None:
        metrics = self._table("metrics")
        move(metrics if metrics.has_focus else self._table("sessions"))
        # At once, not only when the table tells of it: a frame is saved, and both move as one.
        self._show_about()

    def action_cursor_down(self) -> None:
        """Go to the next row."""
        self._move(RecordTable.action_cursor_down)

    def action_cursor_up(self) -> None:
        """Go to the row before."""
        self._move(RecordTable.action_cursor_up)

    def action_page_down(self) -> None:
        """Go down by a page."""
        self._move(RecordTable.action_page_down)

    def action_page_up(self) -> None:
        """Go up by a page."""
        self._move(RecordTable.action_page_up)

    def action_home(self) -> None:
        """Go to the first row."""
        self._move(RecordTable.action_home)

    def action_end(self) -> None:
        """Go to the last row."""
        self._move(RecordTable.action_end)

    def action_next_metric(self) -> None:
        """Show the next metric."""
        self._table("metrics").action_cursor_down()

    def action_previous_metric(self) -> None:
        """Show the metric before."""
        self._table("metrics").action_cursor_up()

    def action_other_pane(self) -> None:
        """Go to the metrics, or back to the sessions."""
        there = "sessions" if self._table("metrics").has_focus else "metrics"
        self._table(there).focus()

    def action_open(self) -> None:
        """Read the session under the cursor; from the metrics go to the sessions."""
        if self._table("metrics").has_focus:
            self._table("sessions").focus()
        else:
            self._review()

    def _review(self) -> None:
        if (current := self._current) is None:
            return
        from turnwise.tui.screens.review import ReviewScreen

        beside = FoundSessions(self.app.store, [one.session for one in self._differing])
        self.app.push_screen(ReviewScreen(current.session, beside), self._come_back)

    def _come_back(self, session_id: int | None) -> None:
        """Stand on the session that was read last; a label given there counts at once."""
        self._wanted = session_id
        self._list_now()

    def action_author(self) -> None:
        """Take the labels of the next person, or the majority's after the last."""
        people = [person.author for person in self._found.people] if self._found else []
        order = [None, *people]
        at = order.index(self._author) if self._author in order else -1
        self._author = order[(at + 1) % len(order)]
        self._list_now()

    def action_blind(self) -> None:
        """Count only labels that were given while the scores were hidden, or all."""
        self._blind_only = not self._blind_only
        self._list_now()

    def action_back(self) -> None:
        """Go back to where this was opened."""
        self.dismiss(None)
