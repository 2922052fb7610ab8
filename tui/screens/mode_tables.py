"""ModeTablesScreen: notes, failure modes and rates, a table at a time, and what is said of a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message

from turnwise.conversations.store.mode_rows import FailureMode, ModeEvent, ModeRate, NoteRow
from turnwise.tui.failure_mode_parts import (
    EMPTY,
    By,
    ModesPart,
    NotesPart,
    Part,
    RatesPart,
)
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.widgets.empty_words import EmptyWords
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.lines_view import LinesView, paragraph, read_tones
from turnwise.tui.widgets.part_tabs import PartTab, PartTabs
from turnwise.tui.widgets.record_table import RecordTable
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.turn_lines import Line

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

PartName = Literal["notes", "modes", "rates"]
PARTS: tuple[PartName, ...] = ("notes", "modes", "rates")
BESIDE_FROM = 140
"""From so many cells up, what is said of a row stands beside the table; below it stands under it."""
_ONLY_IN: dict[str, tuple[PartName, ...]] = {
    "tick": ("notes",),
    "tick_all": ("notes",),
    "assign": ("notes",),
    "uncoded": ("notes",),
    "propose": ("notes",),
    "add": ("notes", "modes"),
    "edit": ("modes",),
    "merge": ("modes",),
    "retire": ("modes",),
    "by": ("rates",),
}


class ModeTablesScreen(StillScreen[str | None]):
    """Reads and shows; what can be done with a row is for who inherits."""

    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    ModeTablesScreen {
        & #body { height: 1fr; layout: vertical; }
        & RecordTable { width: 1fr; height: 1fr; }
        & LinesView { height: 7; padding: 0 2; background: $surface; }
        &.-wide #body { layout: horizontal; }
        &.-wide LinesView { width: 38%; max-width: 60; height: 1fr; }
        & EmptyWords { padding: 1 4; }
        &.-empty #body { display: none; }
    }
    """

    app: TurnwiseApp

    @dataclass
    class Read(Message):
        """Notes, modes and rates were read."""

        notes: Sequence[NoteRow]
        modes: Sequence[FailureMode]
        rates: Sequence[ModeRate]
        by: By | None

    @dataclass
    class HistoryRead(Message):
        """What happened to a mode was read."""

        mode_id: int
        events: Sequence[ModeEvent]

    def __init__(self, part: PartName = "notes") -> None:
        """part: the one that is shown first."""
        super().__init__()
        self.part: PartName = part
        self.all_notes: Sequence[NoteRow] = ()
        self.uncoded = False
        self.notes = NotesPart(())
        self.modes = ModesPart(())
        self.rates = RatesPart(())
        self.cursors: dict[PartName, int] = {}
        self.known = False
        """Whether the store was read at least once."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Failure modes")
        yield PartTabs()
        with Container(id="body"):
            yield RecordTable()
            said = LinesView()
            said.can_focus = False
            yield said
        yield EmptyWords()
        yield RunLine()
        yield KeyLine("failure_modes")

    def on_mount(self) -> None:
        """Read off the loop, and hear of runs."""
        self.set_class(self.app.size.width >= BESIDE_FROM, "-wide")
        self.app.followers.follow(self, self.app.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.app.runs.state)
        self.read(self.rates.by)

    def on_resize(self) -> None:
        """Open up where there is room."""
        self.set_class(self.size.width >= BESIDE_FROM, "-wide")
        self.call_after_refresh(self.show_rows)

    def on_screen_resume(self) -> None:
        """Read what changed while another screen was above this one."""
        if self.known:
            self.read(self.rates.by)

    # Reading

    @property
    def table(self) -> RecordTable:
        """The rows of the part that is shown."""
        return self.query_one(RecordTable)

    @work(thread=True, exclusive=True, group="read")
    def read(self, by: By | None) -> None:
        """Read all three anew. by: how the rates are grouped."""
        modes = self.app.store.modes
        self.post_message(self.Read(modes.notes(), modes.all(), modes.rates(by), by))

    def on_mode_tables_screen_read(self, event: Read) -> None:
        """Show what was read."""
        self.known = True
        self.all_notes = event.notes
        self.modes = replace(self.modes, rows=event.modes)
        self.rates = RatesPart(event.rates, event.by)
        self.take_notes()
        self.show_rows()

    def take_notes(self) -> None:
        """Show the notes that are wanted: all, or those without a failure mode."""
        rows = [row for row in self.all_notes if not (self.uncoded and row.modes)]
        ticked = self.notes.ticked & {row.label_id for row in rows}
        self.notes = NotesPart(rows, ticked)

    @work(thread=True, exclusive=True, group="history")
    def _read_history(self, mode_id: int) -> None:
        self.post_message(self.HistoryRead(mode_id, self.app.store.modes.history(mode_id)))

    def on_mode_tables_screen_history_read(self, event: HistoryRead) -> None:
        """Show what happened to the mode."""
        self.modes = replace(self.modes, history={event.mode_id: event.events})
        if self.part == "modes":
            self._say()

    # Showing

    @property
    def shown(self) -> Part:
        """The part that is shown."""
        parts: dict[PartName, Part] = {"notes": self.notes, "modes": self.modes, "rates": self.rates}
        return parts[self.part]

    def show_rows(self) -> None:
        """Show the rows of the part, or what to do where there are none."""
        part, table = self.shown, self.table
        notes = f"{len(self.all_notes):,}"
        holds = {
            "notes": f"{len(self.notes.rows):,} of {notes} open" if self.uncoded else notes,
            "modes": f"{len(self.modes.rows):,}",
        }
        tabs = [PartTab(name, holds.get(name, "") if self.known else "") for name in PARTS]
        self.query_one(PartTabs).show(tabs, self.part)
        self.set_class(self.known and not part.rows, "-empty")
        why = "uncoded" if self.part == "notes" and self.uncoded and self.all_notes else self.part
        self.query_one(EmptyWords).tell(*EMPTY[why])
        width = table.size.width
        table.show(
            part.columns(width),
            len(part.rows),
            lambda row: self.shown.cells(row, width),
            cursor=self.cursors.get(self.part, 0),
        )
        self.tell_title()
        self.refresh_bindings()

    def tell_title(self) -> None:
        """Say at the right of the title what is ticked, counted by, and reviewed."""
        bar = self.query_one(TitleBar)
        reviewed = max((rate.reviewed for rate in self.rates.rows), default=0) if not self.rates.by else 0
        ticked = len(self.notes.chosen)
        parts = [f"{ticked:,} ticked"] if ticked and self.part == "notes" else []
        parts += [f"by {self.rates.by}"] if self.rates.by and self.part == "rates" else []
        parts += [f"{reviewed:,} reviewed"] if reviewed else []
        bar.right = "   ".join(parts)

    def on_record_table_highlighted(self, event: RecordTable.Highlighted) -> None:
        """Say more of the row under the cursor."""
        if self.known:
            self.cursors[self.part] = event.table.cursor
            self._say()

    def _say(self) -> None:
        view, row = self.query_one(LinesView), self.table.cursor
        if row >= len(self.shown.rows):
            view.set_lines([])
            return
        if self.part == "modes" and (mode := self.modes.rows[row]).id not in self.modes.history:
            self._read_history(mode.id)
        tones, width = read_tones(view), max(20, view.size.width - 5)
        lines: list[Line] = []
        for place, (text, tone) in enumerate(self.shown.said(row)):
            lines += [[]] if place == 1 and self.has_class("-wide") else []
            lines += paragraph(text, width, getattr(tones, tone), most=8)
        view.set_lines(lines)

    # Parts

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what the part that is shown has."""
        if self.part not in _ONLY_IN.get(action, PARTS):
            return False
        needs_row = {"open", "tick", "tick_all", "assign", "edit", "merge", "retire", "by", "propose"}
        return bool(self.shown.rows) if action in needs_row and self.known else True

    def show_part(self, part: PartName) -> None:
        """Show another part; each keeps its cursor."""
        self.part = part
        self.show_rows()

    def on_part_tabs_chosen(self, event: PartTabs.Chosen) -> None:
        """Show the part that was clicked."""
        self.show_part(next(part for part in PARTS if part == event.name))

    def action_next_part(self) -> None:
        """Go on to the next part."""
        self.show_part(PARTS[(PARTS.index(self.part) + 1) % len(PARTS)])

    def action_notes(self) -> None:
        """Show the notes."""
        self.show_part("notes")

    def action_modes(self) -> None:
        """Show the failure modes."""
        self.show_part("modes")

    def action_rates(self) -> None:
        """Show the rates."""
        self.show_part("rates")

    def action_by(self) -> None:
        """Count over all, by role, or by tag."""
        following: dict[By | None, By | None] = {None: "role", "role": "tag", "tag": None}
        self.cursors["rates"] = 0
        self.read(following[self.rates.by])

    # Moving

    def action_cursor_down(self) -> None:
        """Go to the next row."""
        self.table.action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go to the row before."""
        self.table.action_cursor_up()

    def action_page_down(self) -> None:
        """Go down by a page."""
        self.table.action_page_down()

    def action_page_up(self) -> None:
        """Go up by a page."""
        self.table.action_page_up()

    def action_home(self) -> None:
        """Go to the first row."""
        self.table.action_home()

    def action_end(self) -> None:
        """Go to the last row."""
        self.table.action_end()
