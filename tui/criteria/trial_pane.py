"""TrialPane: a criterion beside people, and beside its trial before, in words, figures and sessions."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Static

from turnwise.conversations.marks import FAILED, PASSED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.criteria.trial_change import TrialChange
from turnwise.tui.criteria.criterion_words import left_out_words, sample_words, spent_words
from turnwise.tui.criteria.trial_lines import about_row, by_another_judge, change_lines
from turnwise.tui.criteria.trial_words import flipped_words, judged_words, plain_lines
from turnwise.tui.drawing.confusion import ConfusionMatrix
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, hanging
from turnwise.tui.drawing.record_table import GAP, MARGIN, Cell, RecordTable, TableColumn
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.session_lists.stored_sessions import FoundSessions, SessionsBeside

NOBODY = "–"
WHO_CELLS = 6
REASON_FROM = 72
"""In fewer cells than this, there is no room beside a session's name for why it was scored so."""
FIGURES_BESIDE_FROM = 108
"""From so many cells on the matrix stands beside the words."""
MOST_ABOUT = 4
"""Lines that tell why the session under the cursor came out so, at the most."""
MOST_MEASURED = 50
_NAME_CELLS, _NAME_AT = 24, 3
"""The least that the name of a session has, and which column it is."""
_CHANGE_LINES = 4
"""The table of figures: its head and three figures."""


@dataclass(frozen=True, slots=True)
class ShownTrial:
    """A trial as the pane shows it.

    heading: what stands before what it was tried on. who: labelled its sessions. change: it beside the trial
    before; None without one. before: names that one, such as "v1". version: names what was tried, such as
    "v2"; empty where it is no version.
    """

    trial: CriterionTrial
    heading: str = "Tried on"
    who: str = "you"
    change: TrialChange | None = None
    before: str = "before"
    version: str = ""


class TrialPane(Vertical):
    """Shows a ShownTrial, also while it goes on."""

    DEFAULT_CSS = """
    TrialPane {
        background: $background;
        & > Static { padding: 0 1; height: auto; }
        & #trial-about { text-style: bold; color: $text-accent; }
        & #trial-note, & #trial-divided { color: $text-muted; }
        & #trial-note { dock: bottom; background: $background; }
        &.-some #trial-note { padding: 1 1 0 1; }
        & FittedLines { background: $background; padding: 0 1; height: auto; }
        & #trial-divided, & #trial-figures, & #trial-change { display: none; }
        & #trial-divided.-told { display: block; }
        & #tried, & #tried-about { display: none; }
        & #trial-figures { height: auto; layout: vertical; }
        &.-compared #trial-figures { display: block; }
        &.-changed #trial-change { display: block; }
        &.-some #tried, &.-some #tried-about { display: block; }
        & #trial-words, & #trial-change, & ConfusionMatrix { margin-top: 1; }
        & #trial-figures.-beside {
            layout: horizontal;
            & > ConfusionMatrix { width: 1fr; }
        }
        & #tried { height: 1fr; min-height: 3; margin-top: 1; }
        & #tried-about { height: auto; margin-top: 1; }
        &:ansi #trial-note, &:ansi #trial-divided { text-style: dim; }
    }
    """

    class Opened(Message):
        """The session under the cursor is to be read."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._shown: ShownTrial | None = None
        self._rows: tuple[TrialRow, ...] = ()
        self._beside = SessionsBeside()
        # What stands there: a text that is put anew lays the screen out anew, and that is felt at every key.
        self._texts: dict[str, str] = {}
        self._words: list[str] = []
        self._name_cells = 0

    def compose(self) -> ComposeResult:
        """Lay the parts out."""
        yield Static("", id="trial-about", markup=False)
        yield Static("", id="trial-divided", markup=False)
        with Container(id="trial-figures"):
            yield FittedLines(id="trial-words")
            yield ConfusionMatrix()
        yield FittedLines(id="trial-change")
        yield RecordTable(id="tried")
        yield FittedLines(id="tried-about")
        # Below all that came out, as it is of the next trial.
        yield Static("", id="trial-note", markup=False)

    @property
    def shown(self) -> ShownTrial | None:
        """What is shown."""
        return self._shown

    @property
    def trial(self) -> CriterionTrial | None:
        """The trial that is shown."""
        return self._shown.trial if self._shown is not None else None

    @property
    def sessions(self) -> list[int]:
        """The sessions in the order in which they are listed."""
        return [row.session for row in self._rows]

    @property
    def tried(self) -> RecordTable:
        """The list of sessions."""
        return self.query_one("#tried", RecordTable)

    @property
    def current(self) -> TrialRow | None:
        """The row under the cursor."""
        return self._rows[self.tried.cursor] if self._rows else None

    def leads_to(self, store: Store) -> SessionToRead | None:
        """Return the session under the cursor, among those that are listed; None where there is none."""
        if (row := self.current) is None:
            return None
        beside = self._beside.of(self._rows, lambda: FoundSessions(store, self.sessions, tells_scores=True))
        return SessionToRead(row.session, beside)

    def say(self, text: str) -> None:
        """Show a line at the end: what is to be tried on next, or what is wrong."""
        self._put("trial-note", text)

    def explain(self, text: str) -> None:
        """Say how the labels are divided."""
        self._put("trial-divided", text)
        # Of the line alone: a class of the pane would style all of it anew at every key.
        self.query_one("#trial-divided").set_class(bool(text), "-told")

    def _put(self, name: str, text: str) -> None:
        line = self.query_one(f"#{name}", Static)
        if text != self._texts.get(name):
            self._texts[name] = text
            line.update(make_safe_line(text))
        if name != "trial-divided":
            line.display = bool(text)

    def show(self, shown: ShownTrial | None, *, nothing: str = "") -> None:
        """Show a trial, or that there is none: `nothing` says so."""
        before, self._shown = self._shown, shown
        trial = shown.trial if shown is not None else None
        self.set_class(trial is not None and bool(trial.rows), "-some")
        self.set_class(trial is not None and bool(trial.pairs), "-compared")
        changed = shown is not None and shown.change is not None and shown.change.matrices[1].total > 0
        self.set_class(changed, "-changed")
        if shown is None or trial is None:
            self._put("trial-about", nothing)
            self._rows = ()
            self._show_rows()
            return
        # Figures on either side of an arrow tell nothing unless one knows whose they are.
        sides = (
            f"{make_safe_line(shown.before)} → {shown.version or 'now'}" if shown.change is not None else ""
        )
        # With labels the words beside the figures say so, which have more room.
        judged = "" if trial.pairs else judged_words(trial)
        parts = (sample_words(trial.sample), sides, judged, spent_words(trial), left_out_words(trial))
        self._put("trial-about", f"{shown.heading} {' · '.join(part for part in parts if part)}")
        if before != shown:
            self._show_figures(shown)
            self._rows = sorted_rows(trial, shown.change)
            self._show_rows()

    def _show_figures(self, shown: ShownTrial) -> None:
        trial, change, who = shown.trial, shown.change, make_safe_line(shown.who)
        self.query_one(ConfusionMatrix).show(trial.matrix, people=shown.who)
        self._words = plain_lines(trial, change, who)
        if change is not None:
            self._words.append(flipped_words(change, who))
        self._show_words()
        if change is not None and change.matrices[1].total:
            figures = self.query_one("#trial-change", FittedLines)
            figures.styles.height = _CHANGE_LINES + by_another_judge(change)
            sides = (f"was {shown.before}", f"now {shown.version}".rstrip())
            figures.show(lambda size, tones: change_lines(change, size.width, tones, sides=sides))

    def _show_words(self) -> None:
        """Say in words what it comes to, each on as many lines as it takes."""
        words = self.query_one("#trial-words", FittedLines)
        figures = self.query_one("#trial-figures")
        beside = 0
        if self.size.width >= FIGURES_BESIDE_FROM:
            beside = self.query_one(ConfusionMatrix).full_width + 2
        figures.set_class(bool(beside), "-beside")
        room = max(10, self.size.width - beside - 2)
        lines = [line for text in self._words for line in hanging(text, room, words.tones.text)]
        widest = max((sum(piece.cell_length for piece in line) for line in lines), default=0)
        # A matrix that has less than its room would be cut.
        words.styles.width = min(widest + 6, self.size.width - beside) if beside else None
        words.styles.height = max(1, len(lines))
        words.show(lambda size, tones: [[*line] for line in lines])

    def on_resize(self) -> None:
        """Say as much of each session as fits."""
        if self._shown is not None:
            self._show_words()
            self._show_rows()

    def notify_style_update(self) -> None:
        """Write in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted and self._shown is not None:
            self.screen.call_after_refresh(self._show_words)

    def _show_rows(self) -> None:
        rows, shown = self._rows, self._shown
        flips = shown.change.flips if shown is not None and shown.change is not None else {}
        longest = max((cell_len(make_safe_line(row.name)) for row in rows), default=0)
        who = shown.who if shown is not None else "you"
        columns = row_columns(who, self.size.width, longest, sessions_head(rows, flips))
        self._name_cells = name_cells(columns, self.size.width)
        self.tried.show(
            columns,
            len(rows),
            lambda at: row_cells(rows[at], flips.get(rows[at].session), len(columns)),
            cursor=min(self.tried.cursor, max(0, len(rows) - 1)),
        )
        about = self.query_one("#tried-about", FittedLines)
        # As high for each session, as another height would move the list at each key. The longest decides;
        # what came out otherwise has two.
        measured = [row for row in rows[:MOST_MEASURED] if row.session in flips]
        measured += sorted(rows, key=lambda row: len(row.reason))[-1:]
        width = max(1, self.size.width - 2)
        lines = (len(self._about(row, width, about.tones)) for row in measured)
        about.styles.height = max(1, *lines) if measured else 1
        self._show_about()

    def _show_about(self) -> None:
        row = self.current
        self.query_one("#tried-about", FittedLines).show(
            lambda size, tones: self._about(row, size.width, tones)
        )

    def _about(self, row: TrialRow | None, width: int, tones: Tones) -> list[Line]:
        """Return why a session came out so, with its name where the list has no room for all of it."""
        change = self._shown.change if self._shown is not None else None
        was = change.flips.get(row.session) if row is not None and change is not None else None
        cut = row is not None and cell_len(make_safe_line(row.name)) > self._name_cells
        return about_row(row, was, width, MOST_ABOUT, tones, named=cut)

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Tell about the session under the cursor."""
        event.stop()
        self._show_about()

    @on(ConfusionMatrix.Chosen)
    def _go_to_differing(self, event: ConfusionMatrix.Chosen) -> None:
        event.stop()
        wanted = event.differing.replace("_", " ")
        place = next((at for at, row in enumerate(self._rows) if row.differing == wanted), None)
        if place is not None:
            self.tried.move_cursor(place)
            self.tried.focus()

    @on(RecordTable.Opened)
    def _open(self, event: RecordTable.Opened) -> None:
        event.stop()
        self.open_current()

    def open_current(self) -> None:
        """Ask for the session under the cursor to be read."""
        if self.current is not None:
            self.post_message(self.Opened())

    def go_to(self, session_id: int) -> None:
        """Put the cursor on a session, if it is listed."""
        if session_id in self.sessions:
            self.tried.move_cursor(self.sessions.index(session_id))


def sorted_rows(trial: CriterionTrial, change: TrialChange | None) -> tuple[TrialRow, ...]:
    """Return the rows as they are listed: what came out the other way, what differs from people, the rest."""
    flips = change.flips if change is not None else {}
    ordered = [*trial.differing, *sorted(_alike(trial), key=lambda row: (row.people is None, row.session))]
    return tuple(sorted(ordered, key=lambda row: row.session not in flips))


def _alike(trial: CriterionTrial) -> list[TrialRow]:
    return [row for row in trial.rows if not row.differing]


def sessions_head(rows: Sequence[TrialRow], flips: Collection[int]) -> str:
    """Say how many sessions are listed, and of how many the verdict changed: these stand first.

    In a low window a few rows are in sight, which do not show how many follow.
    """
    count = sum(row.session in flips for row in rows)
    return counted(len(rows), "session") + (f", {count:,} changed" if count else "")


def row_columns(who: str, width: int, longest: int = 0, sessions: str = "session") -> tuple[TableColumn, ...]:
    """Return the columns for a pane of so many cells.

    longest: cells of the longest name of a session. sessions: the head over the names.
    """
    first = (
        TableColumn("judge", 5, right=True),
        TableColumn(make_safe_line(who), WHO_CELLS),
        TableColumn("score", 5, right=True),
    )
    if width < REASON_FROM:
        return (*first, TableColumn(sessions))
    # Names have what they need, up to a half: the reason of the one under the cursor stands below, too.
    room = max(_NAME_CELLS, min(longest, width // 2 - 14))
    return (*first, TableColumn(sessions, room), TableColumn("why"))


def name_cells(columns: Sequence[TableColumn], width: int) -> int:
    """Return how many cells a name has in these columns of a table so wide."""
    column = columns[_NAME_AT]
    taken = sum(one.width + GAP for one in columns)
    return column.width or max(0, width - MARGIN - taken - 2)


def row_cells(row: TrialRow, was: TrialRow | None, columns: int) -> Sequence[Cell]:
    """Return the cells of a session. was: how it came out before, where that was the other way."""
    sign = _sign(row.passed, row)
    verdict = f"{_sign(was.passed)} → {sign}" if was is not None else sign
    cells = [
        Cell(verdict, _tone(row, was)),
        Cell(_sign(row.people)),
        Cell("" if row.score is None else f"{row.score:.2f}", "muted"),
        Cell(row.name),
        Cell(row.reason, "muted"),
    ]
    return cells[:columns]


def _tone(row: TrialRow, was: TrialRow | None) -> str:
    """Return how a verdict is told: that it differs from people's, or that it came round to theirs."""
    if row.differing:
        return "failed" if row.differing == "false pass" else "unsure"
    return "passed" if was is not None and row.people is not None else "text"


def _sign(passed: bool | None, row: TrialRow | None = None) -> str:
    if passed is None:
        return "!" if row is not None and row.outcome == "failure" else NOBODY
    return PASSED if passed else FAILED
