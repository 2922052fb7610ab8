"""FailureModesScreen: from notes to named failure modes to a table of how often each occurs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.binding import BindingType

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.mode_rows import FailureMode, ModeChange
from turnwise.tui.actions import Place, bindings
from turnwise.tui.failure_mode_parts import give
from turnwise.tui.key_words import key_of
from turnwise.tui.labeller import labeller
from turnwise.tui.mode_words import mode_query
from turnwise.tui.screens.mode_choice import ModePickDialog
from turnwise.tui.screens.mode_edit import ModeEditDialog
from turnwise.tui.screens.mode_tables import ModeTablesScreen
from turnwise.tui.stored_sessions import FoundSessions

SECONDS_OF_A_NOTE = 3


class FailureModesScreen(ModeTablesScreen):
    """Names, changes, assigns. It ends with the query of the sessions that were asked for, or None."""

    PLACE: ClassVar[Place] = "failure_modes"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("failure_modes"))

    # Going elsewhere

    def on_record_table_opened(self) -> None:
        """Open the row that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Read the note's session, or list the sessions that have the mode."""
        row = self.table.cursor
        if row >= len(self.shown.rows):
            return
        if self.part == "notes":
            from turnwise.tui.screens.review import ReviewScreen

            ids = list(dict.fromkeys(note.session_id for note in self.notes.rows))
            found = FoundSessions(self.app.store, ids)
            note = self.notes.rows[row]
            self.app.push_screen(ReviewScreen(note.session_id, found, turn=note.turn))
        elif self.part == "modes":
            self._list(self.modes.rows[row].sessions, mode_query(self.modes.rows[row].name))
        else:
            rate = self.rates.rows[row]
            self._list(rate.sessions, mode_query(rate.name, self.rates.by, rate.group))

    def _list(self, sessions: int, query: str) -> None:
        if sessions:
            self.dismiss(query)
        else:
            self._note("No session has it.")

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)

    def _note(self, text: str) -> None:
        self.app.notify(text, timeout=SECONDS_OF_A_NOTE)

    # Notes

    def action_tick(self) -> None:
        """Take the note under the cursor, or leave it, and go on."""
        if self.table.cursor < len(self.notes.rows):
            one = self.notes.rows[self.table.cursor].label_id
            self.notes = replace(self.notes, ticked=self.notes.ticked ^ {one})
            self.table.action_cursor_down()
            self.tell_title()

    def action_tick_all(self) -> None:
        """Take all notes that are shown, or none."""
        every = frozenset(row.label_id for row in self.notes.rows)
        self.notes = replace(self.notes, ticked=frozenset() if self.notes.ticked == every else every)
        self.table.refresh()
        self.tell_title()

    def action_uncoded(self) -> None:
        """Show only notes without a failure mode, or all."""
        self.uncoded = not self.uncoded
        self.cursors["notes"] = 0
        self.take_notes()
        self.show_rows()

    @work(exclusive=True, group="ask")
    async def action_assign(self) -> None:
        """Give the sessions of the ticked notes a failure mode, or that of the note under the cursor."""
        notes = self.notes.chosen or list(self.notes.rows[self.table.cursor : self.table.cursor + 1])
        if not notes:
            return
        count = len({note.session_id for note in notes})
        what = f"{count:,} sessions" if count > 1 else notes[0].session
        mode_id = await self.app.push_screen_wait(ModePickDialog(f"Give a failure mode to {what}"))
        if mode_id is None:
            return
        with self._telling():
            store = self.app.store
            given = give(store, notes, mode_id, labeller())
            self.notes = replace(self.notes, ticked=frozenset())
            self._note(f"{store.modes.get(mode_id).name}: given to {given:,} session{'s' * (given != 1)}.")

    @work(exclusive=True, group="ask")
    async def action_propose(self) -> None:
        """Let the judge group the notes that are ticked, else those without a failure mode, else all."""
        from turnwise.tui.screens.proposals import ProposalsDialog

        if self.app.judge_settings is None and not await self.app.ask_judge():
            return
        judge = self.app.judge_settings
        if judge is None:
            self._note("Grouping notes needs a judge: J in the library chooses one.")
            return
        open_ones = [row for row in self.notes.rows if not row.modes]
        notes = self.notes.chosen or open_ones or list(self.notes.rows)
        accepted = await self.app.push_screen_wait(ProposalsDialog(notes, judge))
        if accepted:
            self._note(f"{accepted:,} proposal{'s' * (accepted != 1)} accepted.")
        self.read(self.rates.by)

    # Modes

    @property
    def _mode(self) -> FailureMode | None:
        row = self.table.cursor
        return self.modes.rows[row] if self.part == "modes" and row < len(self.modes.rows) else None

    @work(exclusive=True, group="ask")
    async def action_add(self) -> None:
        """Name a failure mode."""
        written = await self.app.push_screen_wait(ModeEditDialog("A new failure mode"))
        if written is not None:
            with self._telling():
                self.app.store.modes.add(written.name, written.definition, labeller())

    @work(exclusive=True, group="ask")
    async def action_edit(self) -> None:
        """Change the name or the definition of the mode under the cursor."""
        if (mode := self._mode) is None:
            return
        dialog = ModeEditDialog("Change a failure mode", mode.name, mode.definition)
        if (written := await self.app.push_screen_wait(dialog)) is not None:
            store = self.app.store
            with self._telling(), store.writing():
                store.modes.rename(mode.id, written.name, labeller())
                store.modes.define(mode.id, written.definition, labeller())

    @work(exclusive=True, group="ask")
    async def action_merge(self) -> None:
        """Let the mode under the cursor count as another one."""
        if (mode := self._mode) is None:
            return
        if len(self.modes.rows) < 2:
            self._note("There is no other failure mode to merge it into.")
            return
        dialog = ModePickDialog(f"“{mode.name}” counts as", without=mode.id)
        if (into := await self.app.push_screen_wait(dialog)) is not None:
            with self._telling():
                self.app.store.modes.merge(mode.id, into, labeller())

    def action_retire(self) -> None:
        """Take the mode under the cursor out of use."""
        if (mode := self._mode) is not None:
            self.app.store.modes.retire(mode.id, labeller())
            undo = key_of(self.app.actions, "failure_modes", "undo")
            self._note(f"{mode.name} is retired. {undo} takes it back.")
            self._changed()

    def action_undo(self) -> None:
        """Take back the newest change."""
        self._tell_change(
            "Taken back", self.app.store.modes.undo(labeller()), "There is nothing to take back."
        )

    def action_redo(self) -> None:
        """Make the change again that was taken back last."""
        self._tell_change(
            "Made again", self.app.store.modes.redo(labeller()), "There is nothing to make again."
        )

    def _tell_change(self, done: str, change: ModeChange | None, nothing: str) -> None:
        self._note(nothing if change is None else f"{done}: {change.words}.")
        self._changed()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Change something, tell what cannot be done, and read anew."""
        try:
            yield
        except TurnwiseError as error:
            self.app.tell_error(error)
        self._changed()

    def _changed(self) -> None:
        self.modes = replace(self.modes, history={})
        self.read(self.rates.by)
