"""FrequencyScreen: the values of any column, how many sessions have each, and how those came out."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.marks import DISPUTED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store, ValueTallies, ValueTally
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, paragraph
from turnwise.tui.drawing.record_table import Cell, RecordTable
from turnwise.tui.library.column_choice_dialog import ColumnChoiceDialog
from turnwise.tui.library.frequency_rows import (
    ALWAYS,
    DAY,
    LABELLED_FROM,
    MODE,
    NOTHING,
    FrequencyOrder,
    bar_cells,
    column_title,
    frequency_cells,
    frequency_columns,
    rate_cells,
    sorted_values,
    value_cells,
    value_query,
)
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.empty_words import NO_SESSIONS, EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.listing_screen import ListingScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.covered import covered_sessions, waiting_words
from turnwise.tui.session_lists.empty_filter import nothing_found, wrong_filter
from turnwise.tui.session_lists.metric_keys import metric_words
from turnwise.tui.shell.shell import ShellOfApp

COLUMN = "library.counted"
"""The name under which the store remembers the column that was counted last."""


MOST_OF_A_VALUE = 4
"""Lines below the list that tell a value whole, at the most."""


@dataclass(frozen=True, slots=True)
class CountedColumn:
    """A column that was counted. columns: all there are. sessions: how many it was counted over.

    hidden: of how many no scores and labels count, as they wait for a blind label; where the column itself
    tells how sessions came out, they are not among `sessions` either.
    """

    by: str
    metric: str
    found: ValueTallies
    columns: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    sessions: int = 0
    hidden: int = 0
    rows: tuple[ValueTally, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class FrequencyView:
    """How a column stood that was counted. value: the one under the cursor."""

    by: str
    metric: str
    order: FrequencyOrder
    value: str


class FrequencyScreen(ListingScreen[FrequencyView]):
    """Counts one column at a time, each value with the sessions that have it."""

    PLACE: ClassVar[Place] = "frequency"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("frequency"))
    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    FrequencyScreen {
        & RecordTable { height: 1fr; }
        & DrawnLines { height: 2; padding: 0 2; }
        & #whole { display: none; margin-top: 1; }
        &.-cut #whole { display: block; }
        &.-empty RecordTable, &.-empty DrawnLines, &.-empty #whole { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, query: str = "", left: FrequencyView | None = None) -> None:
        """query: the filter of the library, whose sessions are counted. left: how the column stood that is
        gone back to; else the one that was counted last.
        """
        super().__init__()
        self.begin(query)
        self._by = left.by if left is not None else ""
        self._metric = left.metric if left is not None else ""
        self._order = left.order if left is not None else FrequencyOrder()
        self._begin_at = left.value if left is not None else None
        """The value that the cursor is to be put on once there are some."""
        self._counted: CountedColumn | None = None
        self._reading = NewestReading(self)

    def begin(self, query: str = "") -> None:
        """query: as where it is made."""
        self.take_query(query)

    def clear(self) -> None:
        """Show nothing of other sessions than are asked for now."""
        self.query_one(TitleBar).detail = self._asked
        self.query_one(DrawnLines).set_lines([])
        self.remove_class("-empty")
        self._counted = None
        self.table.show((), 0, lambda _: [])

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("frequency")
        yield TitleBar("How often", detail=self._asked, right="counting …")
        # What the figures are of is said above them: far below them it would not be found.
        yield DrawnLines()
        yield RecordTable()
        yield DrawnLines(id="whole")
        yield EmptyWords()
        yield KeyLine("frequency")

    @property
    def table(self) -> RecordTable:
        """The values, which answer what moves about."""
        return self.query_one(RecordTable)

    def on_mount(self) -> None:
        """Count off the loop what was counted last time."""
        self._by = self._by or str(self.shell.store.remembered.get(COLUMN) or "")
        if self.find_outdated():
            self._read()

    def on_screen_resume(self) -> None:
        """Count anew what changed while it was not seen, and stay at the value."""
        found = self._counted
        if self.is_mounted and self.find_outdated():
            if found is not None and self.table.cursor < len(found.rows):
                self._begin_at = found.rows[self.table.cursor].value
            self._read()

    def on_resize(self) -> None:
        """Take the columns that fit."""
        self.call_after_refresh(self._lay_out)

    def _lay_out(self) -> None:
        self._show_rows(self.table.cursor)
        self._say()

    # Counting

    def _read(self) -> None:
        store, by, metric, asked = self.shell.store, self._by, self._metric, self._asked
        self.query_one(TitleBar).right = "counting …"

        def read() -> CountedColumn | TurnwiseError:
            try:
                return counted_column(store, by, metric, asked, covered_sessions(self.shell, store))
            except TurnwiseError as error:
                return error

        self._reading.ask(read, self._show)

    def _show(self, found: CountedColumn | TurnwiseError) -> None:
        if isinstance(found, TurnwiseError):
            self.query_one(TitleBar).right = ""
            self.add_class("-empty")
            self.query_one(EmptyWords).tell(*wrong_filter(found))
            return
        self._counted, self._by, self._metric = found, found.by, found.metric
        self.set_class(not found.sessions, "-empty")
        if not found.sessions:
            self.query_one(EmptyWords).tell(
                *nothing_found(self._asked, found.hidden) if self._asked else NO_SESSIONS
            )
        title = self.query_one(TitleBar)
        title.detail = " · ".join(filter(None, (column_title(found.by, found.metrics), self._asked)))
        place = found.columns.index(found.by) + 1
        title.right = (
            f"{counted(found.found.values, 'value')} · {counted(found.sessions, 'session')}   "
            f"‹ column {place} of {len(found.columns)} ›"
        )
        self._sort()

    def _sort(self) -> None:
        if (counted_ := self._counted) is not None:
            rows = tuple(sorted_values(counted_.found.rows, self._order))
            self._counted = replace(counted_, rows=rows)
            begin_at, self._begin_at = self._begin_at, None
            self._show_rows(next((row for row, one in enumerate(rows) if one.value == begin_at), 0))
            self._say()

    def _show_rows(self, cursor: int) -> None:
        found, width = self._counted, self.table.size.width
        if found is None:
            return
        metric = found.metric
        longest = max((cell_len(one.value) for one in found.rows), default=0)
        rate = rate_cells(found.rows)
        bars = bar_cells(width, longest, metric, rate)
        disputes = any(one.disputed for one in found.rows)

        def draw(row: int) -> list[Cell]:
            return frequency_cells(found.rows[row], found.sessions, width, metric, bars, disputes=disputes)

        title = column_title(found.by, found.metrics)
        columns = frequency_columns(width, title, metric, bars, rate, disputes=disputes)
        room = value_cells(width, metric, bars, rate, disputes=disputes)
        # Of a column in which one is cut all are told below, so that no key moves the list.
        self.set_class(longest > room, "-cut")
        if longest > room:
            value = max((one.value for one in found.rows), key=cell_len)
            self.query_one("#whole").styles.height = len(self._whole(value))
        self.table.show(columns, len(found.rows), draw, cursor=cursor)
        self._say_value()
        self.refresh_bindings()

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Say the whole value under the cursor."""
        event.stop()
        self._say_value()

    def _say_value(self) -> None:
        found, place = self._counted, self.table.cursor
        if found is None or not self.has_class("-cut") or place >= len(found.rows):
            return
        self.query_one("#whole", DrawnLines).set_lines(self._whole(found.rows[place].value))

    def _whole(self, value: str) -> list[Line]:
        """Return a value over as many lines as it takes, if these are few."""
        style = self.query_one("#whole", DrawnLines).tones.text
        words = make_safe_line(value) or NOTHING
        return paragraph(words, max(1, self.size.width - 4), style, most=MOST_OF_A_VALUE)

    def _say(self) -> None:
        found = self._counted
        if found is None:
            return
        # Elsewhere a share of a failure mode is of the sessions that people reviewed.
        reviewed = ", reviewed or not" if found.by == MODE else ""
        hidden = hidden_words(found, self.table.size.width)
        shares = [
            f"share: of all {of}{reviewed}{hidden}"
            for of in (counted(found.sessions, "session"), f"{found.sessions:,}")
        ]
        told = [self._order.words(found.rows, found.by)]
        if self.table.size.width >= LABELLED_FROM and any(one.disputed for one in found.rows):
            told.append(f"{DISPUTED} disputed by people")
        if (left := found.found.values - len(found.rows)) > 0:
            told.append(f"{counted(left, 'rarer value')} not shown")
        lines = self.query_one(DrawnLines)
        passes = ("of those the metric scored (95 % interval)", "of those scored") if found.metric else ()
        figures = [" · ".join((f"passes: {of}", *told)) for of in passes] or [" · ".join(told)]
        # In few cells, what the figures are of is said in fewer words, and not cut.
        room = lines.size.width or self.app.size.width
        words = [next((one for one in ways if cell_len(one) <= room), ways[-1]) for ways in (shares, figures)]
        lines.set_lines([[Segment(text, lines.tones.muted)] for text in words])

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something where something is counted."""
        if not self.is_mounted or action not in ("open", "metric", "sort", "reverse", "by"):
            return True
        found = self._counted
        return found is not None and bool(found.metric if action == "metric" else found.rows)

    def on_record_table_opened(self) -> None:
        """Take the value that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Filter the library by the value under the cursor."""
        found = self._counted
        if found is None or not self.table.cursor < len(found.rows):
            return
        value = found.rows[self.table.cursor].value
        if query := value_query(found.by, value, found.metrics):
            view = FrequencyView(found.by, found.metric, self._order, value)
            self.list_sessions(f"{self._asked} {query}".strip(), view)
        else:
            note(self, "A filter cannot ask for what says nothing here.")

    def action_column_right(self) -> None:
        """Count the next column."""
        self._step(1)

    def action_column_left(self) -> None:
        """Count the column before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        if (found := self._counted) is not None:
            columns = found.columns
            self._count(columns[(columns.index(self._by) + by) % len(columns)])

    def _count(self, by: str) -> None:
        # Days are read as a calendar is, the newest first.
        self._by, self._order = by, FrequencyOrder("value", reverse=True) if by == DAY else FrequencyOrder()
        with suppress(TurnwiseError):
            self.shell.store.remembered.keep(COLUMN, by)
        self._read()

    @work(group="ask", exclusive=True)
    async def action_by(self) -> None:
        """Choose what is counted."""
        if (found := self._counted) is None:
            return
        choices = [
            Choice(one, column_title(one, found.metrics), _kind(one, found.metrics)) for one in found.columns
        ]
        dialog = self.shell.kept_dialogs.of(ColumnChoiceDialog, "What to count", choices, found.by)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._count(chosen)

    @work(group="ask", exclusive=True)
    async def action_metric(self) -> None:
        """Choose the metric whose pass rate is shown."""
        if (found := self._counted) is None:
            return
        choices = [Choice(one, metric_words(one)) for one in found.metrics]
        dialog = self.shell.kept_dialogs.of(ColumnChoiceDialog, "Whose pass rate", choices, found.metric)
        chosen = await self.app.push_screen_wait(dialog)
        if chosen is not None:
            self._metric = chosen
            self._read()

    def action_sort(self) -> None:
        """Sort by what comes next: count, pass rate, value."""
        self._order = self._order.next
        self._sort()

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self._order = replace(self._order, reverse=not self._order.reverse)
        self._sort()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)


def counted_column(store: Store, by: str, metric: str, query: str, hidden: frozenset[int]) -> CountedColumn:
    """Count a column; where it is not there, the first with several values. Call it from a thread.

    metric: whose scores are counted; the one that was used most where it is not there. hidden: sessions of
    whose outcomes nothing is told, because a few in a row would tell what is covered of one.
    """
    metrics = tuple(store.sessions.metrics_by_use())
    columns = (*ALWAYS, *store.sessions.facts_offered(), *metrics)
    metric = metric if metric in metrics else next(iter(metrics), "")
    ids = set(store.sessions.ids(query, None))
    left_out = ids & hidden
    # What judges found differs mostly, and what is said of sessions may differ in all of them.
    tried = (by,) if by in columns else (*ALWAYS, *metrics)
    counted = ((one, store.tallies.values(one, metric, query, without=left_out)) for one in tried)
    first = next(counted)
    by, found = first if first[1].values > 1 else next((one for one in counted if one[1].values > 1), first)
    shown = len(ids) - len(left_out) if found.tells else len(ids)
    return CountedColumn(by, metric, found, columns, metrics, shown, len(left_out))


def hidden_words(found: CountedColumn, width: int) -> str:
    """Say what leaves out the sessions that wait for a blind label; empty where nothing does."""
    if not found.hidden:
        return ""
    if found.found.tells:
        return f"; {waiting_words(found.hidden, 'left out')}"
    figures = [*(["passes"] if found.metric else []), *(["labels"] if width >= LABELLED_FROM else [])]
    told = f"not in {' and '.join(figures)}"
    return f"; {waiting_words(found.hidden, told)}" if figures else ""


def _kind(column: str, metrics: tuple[str, ...]) -> str:
    return "metric" if column in metrics else "metadata" if column.startswith("meta.") else ""
