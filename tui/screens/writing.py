"""WritingScreen: what a screen needs on which criteria are written: new ones, drafts, saving and leaving."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from pathlib import Path

from textual import work

from turnwise.conversations.errors import TurnwiseError
from turnwise.engine.criteria import Criterion
from turnwise.tui.criterion_form import CriterionForm
from turnwise.tui.criterion_items import Item
from turnwise.tui.criterion_words import EXAMPLE
from turnwise.tui.key_words import key_of
from turnwise.tui.screens.question import QuestionDialog
from turnwise.tui.screens.trying import TryingScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.criterion_editor import CriterionEditor


class WritingScreen(TryingScreen):
    """Changes the criteria of a list; it holds a ChoiceList of them and a CriterionEditor."""

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__(sessions, query)
        self._items: list[Item] = []
        self._place = 0

    @property
    @abstractmethod
    def criteria(self) -> ChoiceList:
        """The list of criteria."""

    @property
    def editor(self) -> CriterionEditor:
        """The fields of the criterion under the cursor."""
        return self.query_one(CriterionEditor)

    @property
    def item(self) -> Item | None:
        """The criterion under the cursor."""
        return self._items[self._place] if self._place < len(self._items) else None

    @property
    def place(self) -> int:
        """Where the criterion under the cursor stands."""
        return self._place

    @property
    def unsaved(self) -> list[int]:
        """The places of criteria that hold what is not saved; the example as it came is none of them."""
        blank = (CriterionForm(), _example())
        return [at for at, item in enumerate(self._items) if item.edited and item.form not in blank]

    @abstractmethod
    def _show_list(self) -> None:
        """Show the criteria that there are by now."""

    @abstractmethod
    def _show_item(self) -> None:
        """Show the criterion under the cursor."""

    @abstractmethod
    def _show_title(self) -> None:
        """Show which version it is."""

    # Actions

    def action_new(self) -> None:
        """Write another criterion; the first one is an example to change."""
        form = CriterionForm() if self._items else _example()
        self._items.append(Item(None, None, form))
        self._place = len(self._items) - 1
        self._show_list()
        self._show_item()
        self.call_after_refresh(self.editor.focus_first)

    def action_undo_all(self) -> None:
        """Go back to what is saved, once it was asked."""
        if self.item is not None and self.item.edited:
            self._ask_and_undo()

    @work(group="ask", exclusive=True)
    async def _ask_and_undo(self) -> None:
        item, place = self.item, self._place
        if item is None:
            return
        known = "go back to what is saved" if item.saved is not None else "it was never saved"
        answers = [Choice("stay", "keep the changes"), Choice("drop", "drop them", known)]
        if (
            await self.app.push_screen_wait(QuestionDialog(f"Drop what changed in {item.name}?", answers))
            != "drop"
        ):
            return
        if item.saved is None:
            del self._items[place]
        else:
            self._items[place] = replace(item, form=CriterionForm.of(item.saved))
        self._show_list()
        self._show_item()

    def action_draft(self) -> None:
        """Let the judge draft steps from the plain words."""
        self._draft()

    @work(group="draft", exclusive=True)
    async def _draft(self) -> None:
        import asyncio
        from importlib import import_module

        from turnwise.engine.criterion_drafting import draft_steps

        item, place = self.item, self._place
        criterion = self._criterion_or_told(item) if item is not None else None
        if criterion is None:
            return
        if self.app.judge_settings is None and not (await self.app.ask_judge() and self.app.judge_settings):
            choose = key_of(self.app.actions, "criteria", "judge")
            self.app.notify(f"To draft steps takes a judge. {choose} chooses one.")
            return
        self.pane.say("Drafting steps …")
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        assert self.app.judge_settings is not None  # noqa: S101
        try:
            draft = await draft_steps(self.app.store, criterion, self.app.judge_settings)
        except TurnwiseError as error:
            self.app.tell_error(error)
        else:
            if self._place == place:
                self.editor.write_steps(draft.steps)
            else:
                kept = self._items[place]
                self._items[place] = replace(kept, form=kept.form.with_steps(draft.steps))
                self._show_list()
        finally:
            if self.is_attached:
                self.pane.say(self._sample_note())

    def action_save(self) -> None:
        """Save the criterion as YAML."""
        if self.item is not None:
            self._save(self._place)

    def _save(self, place: int) -> bool:
        from turnwise.engine.criteria_files import save_criterion
        from turnwise.engine.criterion_versions import keep_version

        item = self._items[place]
        criterion = self._criterion_or_told(item)
        if criterion is None:
            return False
        try:
            file = save_criterion(criterion, folder=Path.cwd(), known=item.file)
            keep_version(self.app.store, criterion, author=self.me, source=str(file.path))
        except TurnwiseError as error:
            self.app.tell_error(error)
            return False
        self._items[place] = replace(item, saved=criterion, file=file, form=CriterionForm.of(criterion))
        # The text of a file with several criteria is that of all of them.
        for at, other in enumerate(self._items):
            if other.file is not None and other.file.path == file.path:
                self._items[at] = replace(other, file=replace(other.file, text=file.text))
        self._show_list()
        self._show_title()
        self._look()
        shown = file.path.relative_to(Path.cwd()) if file.path.is_relative_to(Path.cwd()) else file.path
        self.app.notify(f"Saved: {shown}")
        return True

    def action_versions(self) -> None:
        """Set two versions side by side."""
        item = self.item
        criterion = self._criterion_or_told(item) if item is not None else None
        if criterion is not None:
            from turnwise.tui.screens.criterion_versions import VersionsScreen

            self.app.push_screen(VersionsScreen(criterion), self._take_version)

    def _take_version(self, criterion: Criterion | None) -> None:
        if criterion is not None and self.item is not None:
            self._items[self._place] = replace(self.item, form=CriterionForm.of(criterion))
            self._show_list()
            self._show_item()

    def action_back(self) -> None:
        """Leave the text for the list, and the list for the screen below."""
        if self.focused is not None and self.focused is not self.criteria and self._items:
            self.criteria.focus()
        elif self.unsaved:
            self._ask_and_leave()
        else:
            self.dismiss(None)

    @work(group="ask", exclusive=True)
    async def _ask_and_leave(self) -> None:
        places = self.unsaved
        names = ", ".join(self._items[place].name for place in places)
        answers = [
            Choice("save", "save", "as YAML in their files" if len(places) > 1 else "as YAML in its file"),
            Choice("drop", "drop the changes", "versions that were tried are kept in the database"),
            Choice("stay", "stay"),
        ]
        answer = await self.app.push_screen_wait(QuestionDialog(f"Not saved: {names}", answers))
        if answer == "drop" or (answer == "save" and all(map(self._save, places))):
            self.dismiss(None)


def _example() -> CriterionForm:
    return CriterionForm.of(Criterion.model_validate(EXAMPLE))
