"""WritingKeys: what the keys of the workbench do to the text of a criterion, and what becomes of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.engine.criteria.criteria import Criterion
from turnwise.tui.criteria.criteria_questions import how_to_leave, may_drop
from turnwise.tui.criteria.criterion_editor import CriterionEditor
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.listed_criteria import WrittenCriteria
from turnwise.tui.criteria.trying import CriterionTrying
from turnwise.tui.parts.newest_reading import run_newest
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell


class WritingKeys:
    """Answers the actions that change the criterion in the editor, save it, or go back to what is saved."""

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        written: WrittenCriteria,
        trying: CriterionTrying,
        *,
        show_list: Callable[[], None],
        show_item: Callable[[], None],
        show_saved: Callable[[], None],
    ) -> None:
        """screen: has one CriterionEditor. written: holds what is typed. trying: asks judges.

        show_list: shows the criteria. show_item: shows the one under the cursor. show_saved: shows that it is
        saved by now.
        """
        self._screen = screen
        self._shell = shell
        self._written = written
        self._trying = trying
        self._show_list = show_list
        self._show_item = show_item
        self._show_saved = show_saved

    # Other words

    def action_draft(self) -> None:
        """Let the judge draft steps from the plain words."""
        run_newest(self._screen, self._draft, group="draft")

    async def _draft(self) -> None:
        item, place = self._written.item, self._written.place
        steps = await self._trying.drafted_steps(item) if item is not None else None
        if steps is None:
            return
        if self._written.place == place:
            self._screen.query_one(CriterionEditor).write_steps(steps)
        else:
            self._written.write(place, self._written.items[place].form.with_steps(steps))
            self._show_list()

    def action_versions(self) -> None:
        """Set two versions side by side."""
        item = self._written.item
        criterion = self._trying.criterion_or_told(item) if item is not None else None
        if criterion is not None:
            from turnwise.tui.criteria.versions_screen import VersionsScreen

            self._screen.app.push_screen(VersionsScreen(criterion), self._use_version)

    def _use_version(self, criterion: Criterion | None) -> None:
        if criterion is not None and self._written.item is not None:
            self._use(criterion, "That version is")

    def action_improve(self) -> None:
        """Try what brings the criterion nearer to people's labels, and put what is taken into the editor."""
        run_newest(self._screen, self._improve, group="ask")

    async def _improve(self) -> None:
        from turnwise.tui.criteria.improve_dialog import improved

        item, place = self._written.item, self._written.place
        if item is None:
            return
        better = await improved(self._screen.app, self._shell, self._trying, item)
        if better is not None and self._written.place == place:
            self._use(better, "What you ticked is")

    def _use(self, criterion: Criterion, what: str) -> None:
        self._written.write(self._written.place, CriterionForm.of(criterion))
        self._show_list()
        self._show_item()
        save = key_of(self._shell.actions, "criteria", "save")
        self._screen.app.notify(f"{what} the text in the editor; {save} saves it. All versions are kept.")

    # What is saved

    def action_save(self) -> None:
        """Save the criterion as YAML."""
        if self._written.item is not None:
            self._save(self._written.place)

    def _save(self, place: int) -> bool:
        try:
            file = self._written.save(place, self._shell.store, Path.cwd(), self._trying.me)
        except TurnwiseError as error:
            self._shell.tell_error(error)
            return False
        self._show_saved()
        shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
        self._screen.app.notify(f"Saved: {shown}")
        return True

    def action_undo_all(self) -> None:
        """Go back to what is saved, once it was asked."""
        if (item := self._written.item) is not None and item.edited:
            run_newest(self._screen, self._ask_and_undo, group="ask")

    async def _ask_and_undo(self) -> None:
        item, place = self._written.item, self._written.place
        if item is not None and await may_drop(self._screen.app, item):
            self._written.drop_changes(place)
            self._show_list()
            self._show_item()

    async def may_leave(self) -> bool:
        """Ask in a worker what becomes of what is not saved, and do it; return whether one may leave."""
        places = self._written.unsaved
        names = [self._written.items[place].name for place in places]
        answer = await how_to_leave(self._screen.app, names)
        return answer == "drop" or (answer == "save" and all(map(self._save, places)))
