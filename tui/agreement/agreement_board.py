"""AgreementBoard: the metrics, one metric's figures, and the sessions that judge and people differ on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Size
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.engine.people.agreement import Agreement, Disagreement
from turnwise.engine.people.labelled_scores import MetricAgreement
from turnwise.tui.agreement.agreement_words import (
    DASH,
    FigureLine,
    figure_lines,
    judged_by,
    lacking_words,
    left_out_words,
    otherwise_words,
    replaced_words,
    right_or_wrong,
    whole_words,
)
from turnwise.tui.agreement.metric_list import (
    few_words,
    metric_cells,
    metric_columns,
    metrics_width,
    tells_labels,
)
from turnwise.tui.agreement.people_words import drift_words
from turnwise.tui.drawing.confusion import LINES, ConfusionMatrix
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.frames import FRAME, framed, has_frames
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.record_table import Cell, RecordTable, TableColumn
from turnwise.tui.drawing.rows_view import HEADER
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.library.glance import Glance
from turnwise.tui.library.preview import Preview
from turnwise.tui.session_lists.covered import waiting_words
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight

METRICS = "Metrics"
BESIDE_FROM = 120
"""From this many cells on, the metrics stand beside all figures, and else over them and beside the matrix."""
TALL_FROM = 36
"""From this many lines on, more is shown of what judge and people say of a session."""
WIDEST_MATRIX = 46
MOST_METRICS = 4
"""How many metrics are in sight where they stand over the figures; the others are scrolled to."""
MOST_SESSIONS = 10
"""How many sessions are in sight where the conversation of one stands below them."""
LEAST_SESSIONS, ABOUT = 2, 3
"""How many sessions are in sight in a low window, and lines of what is said of one there with room."""
REASON_FROM = 100
"""From this many cells on, a session's row holds the reason too."""
_FIGURES = 76
"""Cells that figures take beside the metrics, so that no words of theirs are cut."""
_NAMES = 10
_VALUES = 5
_INTERVALS = 14
_WORDS = 48
"""Cells of what a figure says, where there is room for more."""
READ_FIRST = ("TNR", "TPR", "kappa", "pass rate", "corrected")
"""The figures that stand where there is little room; `turnwise agree METRIC` prints all."""
_INDENT = "  "
_ABOUT = len(_INDENT) + _NAMES + 2
"""The cells before what is said of a session, by whom in their middle."""


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
        & Preview { display: none; height: 1fr; }
        &.-wide.-tall Preview { display: block; }
        &.-agreeing Preview, &.-wide.-tall.-agreeing Preview { display: none; }
        & #about { height: 3; }
        &.-tall #about { height: 6; margin: 1 0 0 0; }
        &.-wide.-tall #about { height: 4; }
        &.-alone #metrics, &.-alone ConfusionMatrix, &.-alone #figures { display: none; }
        &.-agreeing #sessions { height: 0; }
        &.-agreeing #about { display: none; }
        &.-agreeing #all-agree { display: block; }
        &.-framed { margin: 0; grid-gutter: 0; }
        &.-wide #metrics { row-span: 2; }
        &.-wide #figures { column-span: 1; }
    }
    """

    shell = ShellOfApp()

    def __init__(self) -> None:
        super().__init__()
        self._metrics: Sequence[MetricAgreement] = ()
        self._found: Agreement | None = None
        self._who = ""
        self.covered: Collection[int] = ()
        """The labelled sessions that wait for a label that is to be blind: they are not listed."""
        self._differing: Sequence[Disagreement] = ()
        self._together: FigureLine | None = None
        """How far people agree with each other; None where one alone labelled."""
        self._alpha = ""
        """What that figure is, in words."""
        self._told: tuple[Disagreement | None, str, str] = (None, "", "")
        """The session that is told about, whose labels it is told by, and what they are set beside."""
        self._figures_left = 0
        """How many lines the figures have, so that two sessions are in sight; none where they lack more."""
        self._shares: tuple[str, str] = "", ""
        """The widths of the columns and the heights of the rows of the grid, as CSS."""

    def compose(self) -> ComposeResult:
        """Lay the tables out."""
        self._open_up()
        yield framed(RecordTable(id="metrics"), METRICS)
        yield framed(ConfusionMatrix(), "Judge and people")
        yield framed(FittedLines(id="figures"), "How far they agree")
        with framed(Container(id="differing"), "Where they differ"):
            yield RecordTable(id="sessions")
            yield Static("", id="all-agree", markup=False)
            yield FittedLines(id="about")
            yield Preview()

    def on_resize(self) -> None:
        """Put the metrics beside their figures or over them, and write all anew."""
        self._open_up()
        if self._metrics:
            self.show_metrics(self._metrics, self.metrics.cursor)
        if self._found is not None:
            self.show(self._found, self._who, self.sessions.cursor)

    def _open_up(self) -> None:
        self.set_class(self.app.size.width >= BESIDE_FROM, "-wide")
        self.set_class(self.app.size.height >= TALL_FROM, "-tall")
        self.set_class(has_frames(self.app.size), "-framed")

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
        return self._differing

    def differing_of(self, found: Agreement) -> Sequence[Disagreement]:
        """Return the sessions that judge and people differ on, but for those that are covered."""
        every = (*found.false_passes, *found.false_fails)
        return [one for one in every if one.session not in self.covered] if self.covered else every

    @property
    def current(self) -> Disagreement | None:
        """The session under the cursor."""
        place = self.sessions.cursor
        return self._differing[place] if place < len(self._differing) else None

    # What is shown

    def show_metrics(self, metrics: Sequence[MetricAgreement], cursor: int) -> None:
        """Show these metrics, with the cursor on one of them."""
        self._metrics = metrics
        self._show_metrics(cursor)

    def _show_metrics(self, cursor: int) -> None:
        columns = metric_columns(self._metrics, self._metrics_width - self._frame)
        cells = [metric_cells(one, columns) for one in self._metrics]
        self.metrics.border_title = f"{METRICS}, most labels first" if tells_labels(columns) else METRICS
        self.metrics.show(columns, len(cells), cells.__getitem__, cursor=cursor)

    def show(self, found: Agreement, who: str, cursor: int) -> None:
        """Show a metric's figures, and the sessions with the cursor on one of them. who: labelled them."""
        self._found, self._who = found, who
        self._differing = self.differing_of(found)
        self.query_one(ConfusionMatrix).show(found.matrix, people=who, by=judged_by(found))
        figures = self.query_one("#figures", FittedLines)
        lines = shown_figures(found, who, every=self.has_class("-tall"))
        if self._together is not None:
            lines.append(self._together)
        hidden = waiting_words(len(self.covered), "counted if others labelled them, not listed")
        explained = [self._alpha, few_words(self._metrics)]
        notes = self._in_lines(figure_notes(found, *explained, hidden))
        while explained and self._lacking(len(lines) + len(notes)):
            # What figures are can be read in the help, too; which sessions they differ on only here.
            explained.pop()
            notes = self._in_lines(figure_notes(found, *explained, hidden))
        figures.show(lambda size, tones: written_figures(lines, notes, size.width, tones))
        height = len(lines) + len(notes)
        lacking = self._lacking(height)
        # What is said of a session gives way to one line, then the figures do, the last ones first.
        self._figures_left = height - max(0, lacking - ABOUT + 1)
        about = self.size.height - HEADER - LEAST_SESSIONS if self._figures_left < 1 else ABOUT - lacking
        self.query_one("#about").styles.height = max(1, min(ABOUT, about)) if lacking else None
        self._share_room()
        self._show_differing(cursor)

    def _in_lines(self, notes: Sequence[str]) -> list[str]:
        """Return notes in as many lines as each takes: what one counts ends with the last of its parts."""
        beside = self._metrics_width if self.has_class("-wide") else 0
        room = self.app.size.width - beside - self._frame - len(_INDENT) - 1
        lines: list[str] = []
        for note in map(make_safe_line, notes):
            whole = cell_len(note) <= room
            first, *rest = [note] if whole else wrap(note, room - len(_INDENT))
            lines += [first, *(f"{_INDENT}{line}" for line in rest)]
        return lines

    def show_people(self, together: FigureLine | None, alpha: str) -> None:
        """Say among the figures how far people agree with each other. alpha: what that figure is."""
        self._together, self._alpha = together, alpha
        if self._found is not None:
            self.show(self._found, self._who, self.sessions.cursor)

    @property
    def _frame(self) -> int:
        """How many cells of a part its frame takes, across and down."""
        return FRAME if has_frames(self.app.size) else 0

    def on_descendant_focus(self) -> None:
        """Give a very low window to the table in which keys move."""
        if self._found is not None and self._figures_left < 1:
            self._share_room()

    def _share_room(self) -> None:
        """Give matrix and figures the room they take, and the tables the rest.

        Where not even a session has room below the metrics, the sessions stand alone while keys move there.
        """
        figures = max(1, self._figures_left)
        alone = self._figures_left < 1 and bool(self._differing) and not self.metrics.has_focus
        self.set_class(alone, "-alone")
        worded = self.has_class("-wide") or self._widest_matrix() + self._list_width <= self.app.size.width
        self.query_one(ConfusionMatrix).say_words(worded)
        columns = f"{self._metrics_width} 1fr"
        rows = "1fr" if alone else f"{self._first_row + self._frame} {figures + self._frame} 1fr"
        shares = columns, rows
        if shares != self._shares:
            # Laying out anew is felt at a key; most metrics need the same room.
            self._shares = shares
            self.styles.grid_columns, self.styles.grid_rows = shares
            self._show_metrics(self.metrics.cursor)

    def _widest_matrix(self, *, worded: bool = True) -> int:
        """Return how many cells the matrix takes for whoever's labels are set beside: others move nothing."""
        found, matrix = self._found, self.query_one(ConfusionMatrix)
        people = found.people if found is not None else ()
        names = ("people" if len(people) > 1 else self._who, *(one.author for one in people))
        widest = max(matrix.width_for(name, worded=worded) for name in names)
        return min(widest + 1, WIDEST_MATRIX)

    @property
    def _first_row(self) -> int:
        """How many lines the matrix takes, and the metrics where they stand beside it."""
        wide = self.has_class("-wide")
        return LINES if wide else max(LINES, min(MOST_METRICS, len(self._metrics)) + HEADER)

    def _lacking(self, figures: int) -> int:
        """Return how many lines the sessions lack below figures of so many, where there is little height."""
        if self.has_class("-tall") or not self.size.height:
            return 0
        # Three parts stand below each other: each in a frame, or with an empty line between.
        between = 3 * self._frame or 2
        left = self.size.height - self._first_row - figures - between
        return max(0, HEADER + min(LEAST_SESSIONS, len(self._differing)) + ABOUT - left)

    @property
    def _list_width(self) -> int:
        """How many cells the metrics take where no name is cut, with their frame."""
        return metrics_width(self._metrics) + self._frame

    @property
    def _metrics_width(self) -> int:
        """How many cells the metrics take: beside all figures a third, or as many as their names need.

        Over the figures they take what the matrix leaves, which gives up the words at its end for a name.
        """
        width = self.app.size.width
        if self.has_class("-wide"):
            whole = metrics_width(self._metrics, worded=True) + self._frame
            return max(width // 3, min(whole, width - _FIGURES))
        matrix = self._widest_matrix()
        if matrix + self._list_width > width:
            matrix = self._widest_matrix(worded=False)
        return width - matrix

    def _show_differing(self, cursor: int) -> None:
        differing, found = self.differing, self._found
        self.set_class(not differing, "-agreeing")
        by = "judge" if found is None else judged_by(found)
        columns = disagreement_columns(self.app.size.width, by)
        self.sessions.show(
            columns, len(differing), lambda row: disagreement_cells(differing[row], columns), cursor=cursor
        )
        roomy = self.has_class("-wide") and self.has_class("-tall")
        self.sessions.styles.height = (
            min(len(differing), MOST_SESSIONS) + HEADER if roomy and differing else None
        )
        if found is not None and not differing:
            # Of one that is hidden nothing may be told, not even by what is not there.
            which = f"all {found.matrix.total:,}" if not self.covered else "all that are shown"
            words = f"{judged_by(found).capitalize()} and {self._who} agree on {which}."
            if found.whole_fails:
                same = key_of(self.shell.actions, "review", "agree")
                words += f"\nTo say that a fail is for this metric, press {same} at its score in a review."
            self.query_one("#all-agree", Static).update(make_safe(words))
        self.show_about()

    def show_about(self) -> None:
        """Tell about the session under the cursor."""
        current, who = self.current, self._who
        by = "judge" if self._found is None else judged_by(self._found)
        self._see()
        if (current, who, by) != self._told:
            self._told = current, who, by
            self._preview(current)
            actions = self.shell.actions
            keys = right_or_wrong(actions, "agreement")
            self.query_one("#about", FittedLines).show(
                lambda size, tones: about_lines(current, who, size, tones, keys, by)
            )

    def _preview(self, one: Disagreement | None) -> None:
        """Show the conversation itself where there is room; its scores are told already."""
        preview = self.query_one(Preview)
        if one is None or not (self.has_class("-wide") and self.has_class("-tall")):
            preview.show(None)
            return
        store = self.shell.store
        preview.show(Glance.read(store, store.sessions.get(one.session)), store)

    def _see(self) -> None:
        """Take that what the judge says of the sessions in sight was seen: a label of these is not blind."""
        for row in self.sessions.in_sight if is_in_sight(self) else ():
            self.shell.sights.add(self._differing[row].session, "in Agreement")

    def on_rows_view_other_rows(self) -> None:
        """Take that what is said of other sessions is seen now."""
        self._see()

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


def disagreement_columns(width: int, by: str = "judge") -> tuple[TableColumn, ...]:
    """Return the columns of the sessions for a table of this width, in cells. by: what says the scores."""
    first = (TableColumn("error", 10), TableColumn("id", 7, right=True))
    if width < REASON_FROM:
        return (*first, TableColumn("session"), TableColumn("score", 5, right=True))
    return (
        *first,
        TableColumn("session", 34),
        TableColumn("score", 5, right=True),
        TableColumn(f"what the {by} says"),
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


def about_lines(
    one: Disagreement | None, who: str, size: Size, tones: Tones, keys: str, by: str = "judge"
) -> list[Line]:
    """Return lines about a session: what the judge says of it, and what people wrote.

    keys: say whether the judge is right of the metric, where no label names it. by: what the judge is called.
    """
    if one is None:
        return []
    said, other = ("passed", "failed") if one.kind == "false pass" else ("failed", "passed")
    note = make_safe_line(one.note) or f"{other} it, and wrote no note"
    most = max(1, (size.height - one.of_whole) // 2)
    reason = f"{said} it: {make_safe_line(one.reason)}" if one.reason else f"{said} it"
    judge = _about(by, reason, size.width, most, tones)
    lines = [*judge, *_about(who, note, size.width, most, tones)]
    if one.of_whole and len(lines) < size.height:
        label = "fail" if one.kind == "false pass" else "pass"
        whole = f"the {label} is of the whole session; as to this metric the {by} {keys}"
        if cell_len(whole) > size.width - 1 - _ABOUT:
            whole = f"the {label} names no metric; here the {by} {keys}"
        lines += _about("", whole, size.width, 1, tones)
    return lines


def _about(who: str, text: str, width: int, most: int, tones: Tones) -> list[Line]:
    indent = " " * _ABOUT
    lines = paragraph(text, width - 1, tones.text, indent=indent, most=most)
    name = f"{_INDENT}{fit(make_safe_line(who), _NAMES)}  "
    first = Segment(lines[0][0].text[len(indent) :], tones.text)
    return [[Segment(name, tones.muted), first], *lines[1:]]


def figure_notes(found: Agreement, *more: str) -> list[str]:
    """Return what is said below the figures, and then more.

    Which passes and fails are none of the metric's own, where labels are too few, how the one person whose
    labels these are drifts, where that is sure, and which sessions are left out.
    """
    left_out, drift = left_out_words(found), found.drift
    told = [
        otherwise_words(found),
        whole_words(found),
        lacking_words(found.matrix),
        f"{drift.author} {drift_words(drift)}" if drift is not None and drift.is_sure else "",
        f"not compared: {left_out}" if left_out else "",
        replaced_words(found.replaced),
        *more,
    ]
    return [line for line in told if line]


def shown_figures(found: Agreement, who: str, *, every: bool) -> list[FigureLine]:
    """Return the figures that are shown: all, or where there is little room those that are read first."""
    lines = figure_lines(found, make_safe_line(who))
    return [one for one in lines if every or one.name in READ_FIRST]


def written_figures(
    figures: Sequence[FigureLine], notes: Sequence[str], width: int, tones: Tones
) -> list[Line]:
    """Return the figures, one a line: what it says here, its name with its value, and how sure that is.

    notes: are said below them.
    """
    lines: list[Line] = []
    rest = len(_INDENT) + 2 + _INTERVALS + 2 + _NAMES + _VALUES + 1
    words = max(0, min(_WORDS, width - rest))
    for one in figures:
        lines.append(
            [
                Segment(_INDENT + fit(one.words, words), tones.muted if one.value == DASH else tones.text),
                Segment(f"  {one.name.ljust(_NAMES)}", tones.muted),
                Segment(one.value.rjust(_VALUES), tones.heading),
                # Behind its figure: before the name it was taken for that of the count in the words.
                Segment(f"  {one.interval.ljust(_INTERVALS)}", tones.muted),
            ]
        )
    for text in notes:
        lines.append([Segment(fit(f"{_INDENT}{make_safe_line(text)}", max(0, width - 1)), tones.muted)])
    return lines
