"""ProposalsDialog: the failure modes that a judge proposes, each for a person to accept, edit or decline."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import NoteRow
from turnwise.tui.actions import Place, bindings
from turnwise.tui.failure_modes.mode_dialogs import ModeEditDialog, WrittenMode
from turnwise.tui.failure_modes.mode_tables import give
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.people.failure_modes import ProposedMode

MOST_NOTES_SHOWN = 5


class ProposalsDialog(Dialog[int]):
    """Asks the judge, and keeps what is accepted of its proposals; ends with how many were."""

    PLACE: ClassVar[Place] = "proposals"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("proposals"))
    DEFAULT_CSS = """
    ProposalsDialog ChoiceList { max-height: 8; }
    ProposalsDialog #about { margin-top: 1; max-height: 9; }
    """

    def __init__(self, notes: Sequence[NoteRow], judge: ModelSettings) -> None:
        super().__init__()
        self._notes = notes
        self._judge = judge
        self._proposals: list[ProposedMode] = []
        self._accepted = 0
        self._found = 0
        """How many the judge proposed."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        count = len(self._notes)
        with Vertical(id="panel"):
            title = f"What the judge makes of {count:,} note{'s' * (count != 1)}"
            yield Static(title, classes="title", markup=False)
            yield ChoiceList()
            yield Static("", id="about", classes="words", markup=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("proposals")

    def on_mount(self) -> None:
        """Ask."""
        self._ask()

    @work(exclusive=True, exit_on_error=False)
    async def _ask(self) -> None:
        self._tell(f"Asking the judge “{judge_words(self._judge)}” …")
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        from turnwise.engine.people.failure_modes import propose_from_store

        try:
            self._proposals = await propose_from_store(
                self.shell.store,
                self._notes,
                self._judge,
                on_progress=lambda done: self._tell(f"{done:,} of {len(self._notes):,} notes read …"),
            )
        except TurnwiseError as error:
            self._tell(f"{error.title}. {error.next_step or error.detail}", wrong=True)
            return
        self._found = len(self._proposals)
        self._show()

    def _show(self) -> None:
        self.query_one(ChoiceList).show(
            [
                Choice(
                    mode.name,
                    mode.name,
                    f"{len(mode.notes):,} note{'s' * (len(mode.notes) != 1)}"
                    + (" · there already" if mode.known else ""),
                )
                for mode in self._proposals
            ]
        )
        self.refresh_bindings()
        if self._proposals:
            self._show_current()
        elif self._accepted:
            undo = key_of(self.shell.actions, "failure_modes", "undo")
            self._tell(f"That was all. {self._accepted:,} accepted; {undo} takes back the newest change.")
        else:
            self._tell(
                "No proposal is left." if self._found else "The judge found no failure in these notes."
            )

    @property
    def _current(self) -> ProposedMode | None:
        choice = self.query_one(ChoiceList).current
        return next((mode for mode in self._proposals if choice and mode.name == choice.id), None)

    def on_option_list_option_highlighted(self) -> None:
        """Show the definition and the notes of a proposal."""
        self._show_current()

    def _show_current(self) -> None:
        if (mode := self._current) is None:
            return
        lines = [f"· {make_safe_line(self._notes[place].note)}" for place in mode.notes[:MOST_NOTES_SHOWN]]
        more = len(mode.notes) - len(lines)
        lines += [f"and {more:,} more"] if more else []
        self._tell("\n".join([make_safe_line(mode.definition), *lines]))

    def _tell(self, text: str, *, wrong: bool = False) -> None:
        self.query_one("#about", Static).update("" if wrong else make_safe(text))
        line = self.query_one(".wrong", Static)
        line.update(make_safe_line(text) if wrong else "")
        line.display = wrong

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a decision only where there is something to decide."""
        return bool(self._proposals) if action in ("accept", "edit", "decline") else True

    def on_option_list_option_selected(self) -> None:
        """Let a click only move the cursor: accepting and declining have keys of their own."""

    def action_accept(self) -> None:
        """Keep the mode under the cursor, and give it to the sessions of its notes."""
        if (mode := self._current) is not None:
            self._accept(mode, WrittenMode(mode.name, mode.definition))

    @work(exclusive=True, group="edit")
    async def action_edit(self) -> None:
        """Change name or definition first."""
        if (mode := self._current) is None:
            return
        dialog = self.shell.kept_dialogs.of(ModeEditDialog, "Edit the proposal", mode.name, mode.definition)
        if (written := await self.app.push_screen_wait(dialog)) is not None:
            self._accept(mode, written)

    def _accept(self, mode: ProposedMode, written: WrittenMode) -> None:
        store, author = self.shell.store, author_of(self.shell.settings)
        notes = [self._notes[place] for place in mode.notes]
        try:
            with store.writing():
                if mode.known:
                    mode_id = store.modes.find(mode.name).id
                    store.modes.rename(mode_id, written.name, author)
                    store.modes.define(mode_id, written.definition, author)
                else:
                    mode_id = store.modes.add(
                        written.name, written.definition, author, proposed_by=self._judge.model
                    )
                give(store, notes, mode_id, author)
        except TurnwiseError as error:
            self._tell(error.title, wrong=True)
            return
        self._accepted += 1
        self._drop(mode)

    def action_decline(self) -> None:
        """Leave the proposal under the cursor out."""
        if (mode := self._current) is not None:
            self._drop(mode)

    def _drop(self, mode: ProposedMode) -> None:
        place = self._proposals.index(mode)
        self._proposals.remove(mode)
        self._show()
        if self._proposals:
            self.query_one(ChoiceList).highlighted = min(place, len(self._proposals) - 1)

    def action_cancel(self) -> None:
        """Go back; what was accepted is kept."""
        self.workers.cancel_node(self)
        self.dismiss(self._accepted)
