"""The criteria of the workbench: what is saved of each, what is typed, how it does, and how it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from turnwise.conversations.errors import InputError
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criteria_files import BrokenCriteriaFile, CriterionFile, find_criteria
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.criteria.criterion_versions import kept_criteria
from turnwise.engine.criteria.past_trials import Standing, standing, trial_of
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_words import EXAMPLE


@dataclass(frozen=True, slots=True)
class ListedCriterion:
    """One criterion in the list.

    saved: as its file says it, or as it was tried last where it is in no file; None where it was neither
    saved nor tried. form: what stands in the editor. standing: how it stands beside people, by the trial that
    is shown of it.
    numbers: the numbers of its versions, by their fingerprints.
    """

    saved: Criterion | None
    file: CriterionFile | None
    form: CriterionForm
    standing: Standing = field(default_factory=Standing)
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def edited(self) -> bool:
        """Whether the editor holds what is not saved."""
        if self.saved is None or self.form == CriterionForm.of(self.saved):
            return self.saved is None
        # Blank lines and the like say nothing.
        now = self.criterion_or_none()
        return now is None or now.fingerprint != self.saved.fingerprint

    @property
    def name(self) -> str:
        """What it is called now."""
        return self.form.name.strip() or "(no name)"

    def criterion(self) -> Criterion:
        """Return the criterion that stands in the editor. Raises InputError where that is none."""
        return self.form.criterion(self.saved)

    def criterion_or_none(self) -> Criterion | None:
        """Return the criterion that stands in the editor, None where that is none."""
        try:
            return self.criterion()
        except InputError:
            return None

    def version_words(self) -> str:
        """Say which version stands in the editor, and where it is kept if in no file.

        "version 3", "version 3, not saved", "version 3, only in this database".
        """
        now = self.criterion_or_none()
        number = self.numbers.get(now.fingerprint) if now is not None else None
        words = f"version {number}" if number else "new version" if self.numbers else "not tried yet"
        where = "not saved" if self.edited else "only in this database" if self.file is None else ""
        return ", ".join(part for part in (words, where) if part)


def item_of(store: Store, saved: Criterion, file: CriterionFile | None) -> ListedCriterion:
    """Return a criterion as the list shows it."""
    numbers = {row.fingerprint: row.number for row in store.criteria.versions(saved.name)}
    item = ListedCriterion(saved, file, CriterionForm.of(saved), numbers=numbers)
    return replace(item, standing=_standing_of(store, item, trial_of_item(store, item)))


def refreshed(store: Store, item: ListedCriterion, trial: CriterionTrial | None) -> ListedCriterion:
    """Return an item with what the database says of it by now; what is typed stays. trial: is shown of it."""
    now = item.criterion_or_none()
    name = item.saved.name if item.saved is not None else now.name if now is not None else ""
    numbers = {row.fingerprint: row.number for row in store.criteria.versions(name)}
    return replace(item, numbers=numbers, standing=_standing_of(store, item, trial))


def _standing_of(store: Store, item: ListedCriterion, trial: CriterionTrial | None) -> Standing:
    """Return the figures that the list tells: those of the trial that is shown, so that both say the same."""
    if trial is not None:
        return Standing(trial.matrix)
    return standing(store, item.saved) if item.saved is not None else Standing()


def load_items(store: Store, folder: Path) -> tuple[list[ListedCriterion], list[BrokenCriteriaFile]]:
    """Return the criteria of files, then those tried that are in none; and the files that cannot be read."""
    found = find_criteria(folder)
    items = [item_of(store, file.criterion, file) for file in found.files]
    known = {file.criterion.name for file in found.files}
    items += [item_of(store, criterion, None) for _, criterion in kept_criteria(store, without=known)]
    return items, list(found.broken)


def trial_of_item(store: Store, item: ListedCriterion) -> CriterionTrial | None:
    """Return the newest trial of what stands in the editor, or else of the newest version that was tried."""
    now = item.criterion_or_none()
    name = now.name if now is not None else item.saved.name if item.saved is not None else ""
    return trial_of(store, now, name)


class WrittenCriteria:
    """Holds every criterion of the list with what is typed in it; it knows no widgets."""

    def __init__(self) -> None:
        self.items: list[ListedCriterion] = []
        self.unreadable: list[BrokenCriteriaFile] = []
        """Files of criteria that cannot be read; they stand at the end of the list."""
        self.place = 0
        """Where in the list the criterion, or the unreadable file, stands that is shown."""

    @property
    def item(self) -> ListedCriterion | None:
        """The criterion in the editor; None where there is no criterion."""
        return self.items[self.place] if self.place < len(self.items) else None

    @property
    def unreadable_file(self) -> BrokenCriteriaFile | None:
        """The file that is shown because it cannot be read; None where a criterion is shown."""
        place = self.place - len(self.items)
        return self.unreadable[place] if 0 <= place < len(self.unreadable) else None

    @property
    def unsaved(self) -> list[int]:
        """The places of criteria that hold what is not saved; the example as it came is none of them."""
        blank = (CriterionForm(), _example())
        return [at for at, item in enumerate(self.items) if item.edited and item.form not in blank]

    def add(self) -> None:
        """Begin another criterion at the end of the list; the first one is an example to change."""
        form = CriterionForm() if self.items else _example()
        self.items.append(ListedCriterion(None, None, form))
        self.place = len(self.items) - 1

    def write(self, place: int, form: CriterionForm) -> ListedCriterion:
        """Put what is typed in the criterion at a place, and return that criterion."""
        self.items[place] = replace(self.items[place], form=form)
        return self.items[place]

    def drop_changes(self, place: int) -> None:
        """Bring back what is saved of the criterion at a place; one that was never saved leaves the list."""
        saved = self.items[place].saved
        if saved is None:
            del self.items[place]
        else:
            self.write(place, CriterionForm.of(saved))

    def save(self, place: int, store: Store, folder: Path, author: str) -> Path:
        """Save the criterion at a place as YAML and as a version, and return its file.

        folder: where the file is written if the criterion has none. Raises TurnwiseError where what is typed
        is no criterion, or where it cannot be written.
        """
        from turnwise.engine.criteria.criteria_files import save_criterion
        from turnwise.engine.criteria.criterion_versions import keep_version

        item = self.items[place]
        criterion: Criterion = item.criterion()
        file = save_criterion(criterion, folder=folder, known=item.file)
        keep_version(store, criterion, author=author, source=str(file.path))
        self.items[place] = replace(item, saved=criterion, file=file, form=CriterionForm.of(criterion))
        # The text of a file with several criteria is that of all of them.
        for at, other in enumerate(self.items):
            if other.file is not None and other.file.path == file.path:
                self.items[at] = replace(other, file=replace(other.file, text=file.text))
        return file.path


def _example() -> CriterionForm:
    return CriterionForm.of(Criterion.model_validate(EXAMPLE))
