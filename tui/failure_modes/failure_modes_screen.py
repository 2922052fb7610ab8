"""FailureModesScreen: from notes to named failure modes to a table of how often each occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import FailureMode, ModeChange, ModeEvent, NoteRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.bars import with_shades
from turnwise.tui.drawing.frames import LOWER, framed
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.drawing.wrapping import wrap_items
from turnwise.tui.failure_modes.mode_dialogs import ModeEditDialog, ModePickDialog
from turnwise.tui.failure_modes.mode_parts import MOST_NOTES
from turnwise.tui.failure_modes.mode_tables import (
    EMPTY,
    PARTS,
    ModeTables,
    PartName,
    ReadTables,
    give,
)
from turnwise.tui.failure_modes.mode_words import MERGE_ASKS, ONE_GROUP, merge_words, mode_query
from turnwise.tui.failure_modes.noted_turns import NotedTurns
from turnwise.tui.failure_modes.noted_words import NEXT_NOTE, SAID
from turnwise.tui.failure_modes.part_tabs import PartTabs
from turnwise.tui.judging.begin_scoring import judge_asked_for
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.empty_words import EmptyWords, with_beginning
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.prompt_line import PromptLine
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.listing_screen import ListingScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.settings.keymap import action_while_asking, key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight
from turnwise.tui.textual_internals.apps import is_leaving

SECONDS_OF_A_NOTE = 3
TAKES_JUDGE = "Grouping notes needs a judge."
BESIDE_FROM = 140
"""From this many cells on, what is said of a row stands beside the table; below it stands under it."""
_LINES_OF_A_NOTE = (2, 3, 4)
"""So many lines a note takes among the examples of a mode, with where it was written."""
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


class FailureModesScreen(ListingScreen[ModeTables]):
    """Names, changes, assigns, and leads to the sessions that have a failure mode."""

    PLACE: ClassVar[Place] = "failure_modes"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("failure_modes"))
    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    FailureModesScreen {
        & PartTabs { margin: 0 0 1 0; }
        &.-high PartTabs { margin: 1 0; }
        & #body { height: 1fr; layout: vertical; }
        & RecordTable { width: 1fr; height: 1fr; }
        /* Half of what there is at most: in a low window rows of the list are needed more. */
        & LinesView { height: 7; max-height: 50%; padding: 0 2; background: $surface; }
        &.-high LinesView { height: 40%; }
        &.-wide #body { layout: horizontal; }
        &.-wide LinesView.lower { border-top: none; }
        &.-wide LinesView, &.-wide.-high LinesView {
            width: 28%; max-width: 60; height: 1fr; max-height: 100%;
        }
        & EmptyWords { padding: 1 4; }
        &.-empty #body { display: none; }
    }
    """

    shell = ShellOfApp()

    @dataclass
    class Read(Message):
        """Notes, modes and rates were read."""

        read: ReadTables

    @dataclass
    class HistoryRead(Message):
        """What happened to a mode was read."""

        mode_id: int
        events: Sequence[ModeEvent]

    def __init__(self, left: ModeTables | None = None) -> None:
        """left: the tables as they were left that are gone back to, or as they are to be shown first."""
        super().__init__()
        self.tables = left or ModeTables()
        self._reading_turns = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("failure_modes")
        yield TitleBar("Failure modes")
        yield PartTabs()
        with Container(id="body"):
            yield framed(RecordTable(), "Notes")
            said = LinesView(classes=LOWER)
            said.can_focus = False
            yield framed(said, "Details")
        yield EmptyWords()
        yield PromptLine()
        yield RunLine()
        yield KeyLine("failure_modes")

    def on_mount(self) -> None:
        """Read off the loop, and hear of runs."""
        self.set_class(self.app.size.width >= BESIDE_FROM, "-wide")
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.query_one(RunLine).show(self.shell.runs.state)
        if self.find_outdated():
            self.read(self.tables.rates.by)
        if self.tables.words:
            self.action_find()
            self.set_focus(self.table)

    def on_resize(self) -> None:
        """Open up where there is room."""
        self.set_class(self.size.width >= BESIDE_FROM, "-wide")
        self.call_after_refresh(self.show_rows)

    def on_screen_resume(self) -> None:
        """Read what changed while another screen was above this one."""
        if self.find_outdated() and self.tables.known:
            self.read(self.tables.rates.by)
        elif self.tables.part == "notes":
            # What it told ahead is seen from now on.
            self._say()

    # Reading

    @property
    def table(self) -> RecordTable:
        """The rows of the part that is shown."""
        return self.query_one(RecordTable)

    @work(thread=True, exclusive=True, group="read")
    def read(self, by: str | None) -> None:
        """Read all three anew. by: how the rates are grouped."""
        store = self.shell.store
        notes, modes, rates = store.modes.notes(), store.modes.all(), store.modes.rates(by)
        groupings, several = store.sessions.groupings(), store.runs.count() > 1
        members: dict[str, set[int]] = {}
        for session, group in store.sessions.groups(by) if by else ():
            members.setdefault(group, set()).add(session)
        read = ReadTables(
            notes,
            modes,
            rates,
            by,
            groupings,
            over_runs=several,
            sessions=store.sessions.count(),
            can_undo=store.modes.can_undo(self._me),
            members=members,
        )
        self.post_message(self.Read(read))

    def on_failure_modes_screen_read(self, event: Read) -> None:
        """Show what was read."""
        if is_leaving(self):
            return
        if self.tables.known:
            # A key may have moved it since that was told of last.
            self._keep_cursor()
        self.tables.take(event.read)
        self.show_rows()

    @work(thread=True, exclusive=True, group="history")
    def _read_history(self, mode_id: int) -> None:
        self.post_message(self.HistoryRead(mode_id, self.shell.store.modes.history(mode_id)))

    def on_failure_modes_screen_history_read(self, event: HistoryRead) -> None:
        """Show what happened to the mode."""
        self.tables.take_history(event.mode_id, event.events)
        if self.tables.part == "modes":
            self._say()

    def _read_turns(self, note: NoteRow) -> None:
        store = self.shell.store
        self._reading_turns.ask(lambda: NotedTurns.read(store, note), self._take_turns)

    def _take_turns(self, noted: NotedTurns) -> None:
        self.tables.take_noted(noted)
        if self.tables.part == "notes":
            self._say()

    # Showing

    def show_rows(self) -> None:
        """Show the rows of the part, or what to do where there are none."""
        tables, table = self.tables, self.table
        self.query_one(PartTabs).show(tables.tabs(), tables.part)
        table.border_title = tables.part.capitalize()
        self.set_class(tables.known and not tables.shown.rows, "-empty")
        title, words = EMPTY[tables.why_empty]
        self.query_one(EmptyWords).tell(title, with_beginning(words, sessions=tables.sessions))
        width = table.size.width
        table.show(
            tables.shown.columns(width),
            len(tables.shown.rows),
            lambda row: tables.shown.cells(row, width),
            cursor=tables.cursor,
        )
        self.tell_title()
        self.refresh_bindings()

    def tell_title(self) -> None:
        """Say at the right of the title what is ticked, counted by, and reviewed."""
        self.query_one(TitleBar).right = self.tables.title_words()

    def on_record_table_highlighted(self) -> None:
        """Say more of the row under the cursor."""
        if self.tables.known:
            self._keep_cursor()
            self._say()

    def on_rows_view_other_rows(self) -> None:
        """Take that other notes are seen now."""
        self._see()

    def _see(self) -> None:
        """Take that the notes of others that are in sight were seen: a label of theirs is not blind."""
        if self.tables.part != "notes" or not is_in_sight(self):
            return
        notes, author = self.tables.notes.rows, self._me
        for row in self.table.in_sight:
            if notes[row].author != author:
                self.shell.sights.add(notes[row].session_id, "in Modes")

    def _keep_cursor(self) -> None:
        # One that shows no row yet would say that it is on the first.
        if self.table.count:
            self.tables.cursor = self.table.cursor

    def _say(self) -> None:
        view, row = self.query_one(LinesView), self.table.cursor
        if row >= len(self.tables.shown.rows):
            view.set_lines([])
            return
        mode = self.tables.mode_at(row)
        if mode is not None and mode.id not in self.tables.modes.history:
            self._read_history(mode.id)
        note = self.tables.notes.unread(row) if self.tables.part == "notes" else None
        if note is not None:
            self._read_turns(note)
        self._see()
        lines = self._told(row, MOST_NOTES)
        free = view.size.height - len(lines)
        # A note takes two lines or a few more: so many as there is room for, found in few tries.
        for most in (MOST_NOTES + free // lines_of_one for lines_of_one in _LINES_OF_A_NOTE):
            if most > MOST_NOTES and len(more := self._told(row, most)) <= view.size.height:
                lines = more
                break
        view.set_lines(_with_no_heading_alone(lines, view.size.height, view.tones))

    def _told(self, row: int, notes: int) -> list[Line]:
        """Return the lines about a row. notes: at most so many stand there."""
        view = self.query_one(LinesView)
        tones, width = view.tones, max(20, view.size.width - 5)
        lines: list[Line] = []
        for place, (text, tone) in enumerate(self.tables.shown.said(row, notes)):
            is_apart = place == 1 or tone == "section" or (tone == NEXT_NOTE and self.has_class("-high"))
            lines += [[]] if is_apart and self.has_class("-wide") else []
            if tone == "legend" and not self.tables.rates.has_bars(self.table.size.width):
                continue
            if tone == "legend":
                told = wrap_items(text, width)
                lines += [with_shades([Segment(line, tones.muted)], tones.bar) for line in told]
            else:
                style = tones.text if tone in (NEXT_NOTE, SAID) else getattr(tones, tone)
                lines += paragraph(text, width, style, indent="  " if tone == SAID else "", most=8)
        return lines

    # Parts

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what the part that is shown has."""
        if self.tables.part not in _ONLY_IN.get(action, PARTS):
            return False
        needs_row = {"open", "tick", "tick_all", "assign", "edit", "merge", "retire", "by", "propose"}
        if action == "uncoded":
            return self.tables.uncoded or bool(self.tables.notes.rows)
        if action == "find":
            return bool(self.tables.shown.rows or self.tables.words)
        return bool(self.tables.shown.rows) if action in needs_row and self.tables.known else True

    def key_now(self, action: Action) -> Action:
        """Say what enter and esc do while words are looked for; leave undo out where it does nothing."""
        line = self.query_one(PromptLine)
        if line.typing:
            return action_while_asking(action, "to the rows" if self.tables.shown.rows else "")
        if action.name == "back" and line.asking:
            return replace(action, title="show all")
        nothing = self.tables.known and not self.tables.can_undo
        return replace(action, rank=0) if action.name == "undo" and nothing else action

    def show_part(self, part: PartName) -> None:
        """Show another part; each keeps its cursor."""
        self.tables.part = part
        self.show_rows()

    def on_part_tabs_chosen(self, event: PartTabs.Chosen) -> None:
        """Show the part that was clicked."""
        self.show_part(next(part for part in PARTS if part == event.name))

    def action_next_part(self) -> None:
        """Go on to the next part."""
        self.tables.show_next()
        self.show_rows()

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
        """Count over all, by role, by tag, or by what the metadata say."""
        if self.tables.can_group:
            self.read(self.tables.next_grouping())
        else:
            note(self, ONE_GROUP)

    # Going elsewhere

    def on_record_table_opened(self) -> None:
        """Open the row that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Read the note's session, or list the sessions that have the mode."""
        row = self.table.cursor
        if row >= len(self.tables.shown.rows):
            return
        if self.tables.part == "notes":
            ids = list(dict.fromkeys(note.session_id for note in self.tables.notes.rows))
            note = self.tables.notes.rows[row]
            self.shell.open_session(note.session_id, ids, turn=note.turn)
        elif self.tables.part == "modes":
            self._list(self.tables.modes.rows[row].sessions, mode_query(self.tables.modes.rows[row].name))
        else:
            rate = self.tables.rates.rows[row]
            self._list(rate.sessions, mode_query(rate.name, self.tables.rates.by, rate.group))

    def _list(self, sessions: int, query: str) -> None:
        if sessions:
            self.list_sessions(query, self.tables)
        else:
            self._note("No session has it.")

    def action_back(self) -> None:
        """Show again what was left out by words, or go back."""
        if self.query_one(PromptLine).asking:
            self._find("", done=True)
        else:
            self.dismiss(None)

    # Finding

    def action_find(self) -> None:
        """Type words; only rows that have them are shown."""
        self.query_one(PromptLine).ask(
            "find", "find", placeholder="(words of a note, mode or session)", text=self.tables.words
        )

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Show what is like the words as they stand."""
        self._find(event.text)

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Go on among what was found."""
        self._find(event.text, done=not event.text.strip())
        self.set_focus(self.table)

    def on_prompt_line_cancelled(self) -> None:
        """Show all again."""
        self._find("", done=True)

    def _find(self, words: str, *, done: bool = False) -> None:
        self.tables.find(words)
        if done:
            self.query_one(PromptLine).close()
            self.set_focus(self.table)
        self.show_rows()

    def _note(self, text: str) -> None:
        self.app.notify(text, timeout=SECONDS_OF_A_NOTE)

    # Notes

    def action_tick(self) -> None:
        """Take the note under the cursor, or leave it, and go on."""
        if self.table.cursor < len(self.tables.notes.rows):
            self.tables.toggle_tick(self.table.cursor)
            self.table.action_cursor_down()
            self.tell_title()

    def action_tick_all(self) -> None:
        """Take all notes that are shown, or none."""
        self.tables.toggle_all_ticks()
        self.table.refresh()
        self.tell_title()

    def action_uncoded(self) -> None:
        """Show only notes without a failure mode, or all."""
        self.tables.toggle_uncoded()
        self.show_rows()

    @work(exclusive=True, group="ask")
    async def action_assign(self) -> None:
        """Give the sessions of the ticked notes a failure mode, or that of the note under the cursor."""
        notes = self.tables.chosen_notes(self.table.cursor)
        if not notes:
            return
        given = {note.session_id: note.modes for note in notes}
        what = f"{len(given):,} sessions" if len(given) > 1 else notes[0].session
        title, sessions = f"Give a failure mode to {what}", list(given.values())
        dialog = self.shell.kept_dialogs.of(ModePickDialog, title, sessions=sessions)
        mode_id = await self.app.push_screen_wait(dialog)
        if mode_id is None:
            return
        with self._telling():
            store = self.shell.store
            new = give(store, notes, mode_id, self._me)
            self.tables.clear_ticks()
            self._note(f"{store.modes.get(mode_id).name}: given to {counted(new, 'session')}.")

    @work(exclusive=True, group="ask")
    async def action_propose(self) -> None:
        """Let the judge group the notes that are ticked, else those without a failure mode, else all."""
        from turnwise.tui.failure_modes.proposals_dialog import ProposalsDialog

        if (judge := await judge_asked_for(self.shell, TAKES_JUDGE)) is None:
            return
        open_ones = [row for row in self.tables.notes.rows if not row.modes]
        notes = self.tables.notes.chosen or open_ones or list(self.tables.notes.rows)
        accepted = await self.app.push_screen_wait(ProposalsDialog(notes, judge))
        if accepted:
            self._note(f"{accepted:,} proposal{'s' * (accepted != 1)} accepted.")
        self.read(self.tables.rates.by)

    # Modes

    @property
    def _me(self) -> str:
        return author_of(self.shell.settings)

    @property
    def _mode(self) -> FailureMode | None:
        return self.tables.mode_at(self.table.cursor)

    @work(exclusive=True, group="ask")
    async def action_add(self) -> None:
        """Name a failure mode."""
        written = await self.app.push_screen_wait(
            self.shell.kept_dialogs.of(ModeEditDialog, "A new failure mode")
        )
        if written is not None:
            with self._telling():
                self.shell.store.modes.add(written.name, written.definition, self._me)

    @work(exclusive=True, group="ask")
    async def action_edit(self) -> None:
        """Change the name or the definition of the mode under the cursor."""
        if (mode := self._mode) is None:
            return
        dialog = self.shell.kept_dialogs.of(
            ModeEditDialog, "Change a failure mode", mode.name, mode.definition
        )
        if (written := await self.app.push_screen_wait(dialog)) is not None:
            with self._telling():
                self.shell.store.modes.change(mode.id, written.name, written.definition, self._me)

    @work(exclusive=True, group="ask")
    async def action_merge(self) -> None:
        """Let the mode under the cursor count as another one."""
        if (mode := self._mode) is None:
            return
        if len(self.tables.modes.rows) < 2:
            self._note("There is no other failure mode to merge it into.")
            return
        undo = key_of(self.shell.actions, "failure_modes", "undo")
        title, means = f"Merge “{mode.name}” into", merge_words(mode.sessions, undo)
        dialog = self.shell.kept_dialogs.of(
            ModePickDialog, title, without=mode.id, means=means, does="merge", asks=MERGE_ASKS
        )
        if (into := await self.app.push_screen_wait(dialog)) is not None:
            with self._telling():
                self.shell.store.modes.merge(mode.id, into, self._me)

    def action_retire(self) -> None:
        """Take the mode under the cursor out of use."""
        if (mode := self._mode) is not None:
            self.shell.store.modes.retire(mode.id, self._me)
            undo = key_of(self.shell.actions, "failure_modes", "undo")
            self._note(f"{mode.name} is retired. {undo} takes it back.")
            self._changed()

    def action_undo(self) -> None:
        """Take back the newest change."""
        self._tell_change(
            "Taken back", self.shell.store.modes.undo(self._me), "There is nothing to take back."
        )

    def action_redo(self) -> None:
        """Make the change again that was taken back last."""
        self._tell_change(
            "Made again", self.shell.store.modes.redo(self._me), "There is nothing to make again."
        )

    def _tell_change(self, done: str, change: ModeChange | None, nothing: str) -> None:
        self._note(nothing if change is None else change.told(done))
        self._changed()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Change something, tell what cannot be done, and read anew."""
        try:
            yield
        except TurnwiseError as error:
            self.shell.tell_error(error)
        self._changed()

    def _changed(self) -> None:
        self.tables.forget_history()
        self.read(self.tables.rates.by)


def _with_no_heading_alone(lines: list[Line], height: int, tones: Tones) -> list[Line]:
    """Return lines of which the last in sight is no heading: it comes into sight with what it is of."""
    last = lines[height - 1] if 0 < height < len(lines) else []
    is_heading = bool(last) and last[0].style == tones.section
    return [*lines[: height - 1], [], *lines[height - 1 :]] if is_heading else lines
