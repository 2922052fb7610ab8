"""CriteriaScreen: the workbench: write what good means, try it beside people's labels, change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from turnwise.conversations.errors import FormatError, InputError, TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SplitName
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.criteria.criterion_editor import CriterionEditor
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_words import EXAMPLE, kappa_words, key_while_writing, uses_words
from turnwise.tui.criteria.listed_criteria import (
    ListedCriterion,
    WrittenCriteria,
    load_items,
    refreshed,
    trial_of,
)
from turnwise.tui.criteria.question import QuestionDialog
from turnwise.tui.criteria.trial_pane import TrialPane
from turnwise.tui.criteria.trying import CriterionTrying
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.empty_words import EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.still import StillScreen
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.runs import RunState
from turnwise.tui.shell.shell import ShellOfApp

BESIDE_FROM = 140
"""From this many cells on, the trial stands beside the editor; below it stands under it."""
WIDE_FROM = 110
"""From this many cells on, the names of criteria have room."""
LOW_BELOW = 32
"""In fewer lines than this the trial gives its list up while one writes."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What the store holds of the criterion that stood at a place of the list when it was read."""

    place: int
    item: ListedCriterion
    trial: CriterionTrial | None
    sample: Sample


class CriteriaScreen(StillScreen[None]):
    """The criteria, the editor of one, and its trial."""

    PLACE: ClassVar[Place] = "criteria"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("criteria"))
    AUTO_FOCUS = "#criteria"
    DEFAULT_CSS = """
    CriteriaScreen {
        & #body { height: 1fr; layout: horizontal; margin-top: 1; }
        & #side { width: 28; height: 1fr; }
        & #side > Static { padding: 0 1; color: $text-muted; height: 1; }
        & #criteria { height: 1fr; background: $background; }
        & ChoiceList > .option-list--option-highlighted { background: $surface; text-style: none; }
        & ChoiceList:focus > .option-list--option-highlighted { background: $panel; text-style: bold; }
        & #work { width: 1fr; height: 1fr; layout: vertical; }
        & CriterionEditor { height: 1fr; min-height: 6; }
        & #wrong { height: auto; max-height: 3; padding: 0 1; color: $text-error; display: none; }
        & TrialPane { height: auto; max-height: 50%; margin-top: 1; }
        & TrialPane.-some { height: 50%; }
        & TrialPane.-some.-tall { height: 75%; max-height: 75%; }
        &.-low TrialPane.-some.-short { height: auto; }
        &.-low TrialPane.-short #trial-head, &.-low TrialPane.-short #tried { display: none; }
        &.-wide #side { width: 36; }
        &.-beside #work { layout: horizontal; }
        &.-beside #editing { width: 1fr; height: 1fr; }
        &.-beside TrialPane, &.-beside TrialPane.-some, &.-beside TrialPane.-some.-tall {
            width: 46%; height: 1fr; max-height: 100%; margin-top: 0;
        }
        & #editing { height: 1fr; }
        & #trial-head { margin-top: 1; }
        &.-low #trial-head { margin-top: 0; }
        &.-empty #body { display: none; }
        &:ansi #side > Static { text-style: dim; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__()
        self._sessions = sessions
        self._query = query
        self.written = WrittenCriteria()
        self.trying: CriterionTrying
        self._resumed = False
        self._told = ""
        self._listed: list[Choice] = []
        """The criteria as the list shows them."""
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        pane = TrialPane()
        self.trying = CriterionTrying(self.shell, pane, self.written, self._sessions, self._query)
        yield TitleBar("Criteria")
        yield EmptyWords("No criteria yet.", _empty_words(key_of(self.shell.actions, "criteria", "new")))
        with Container(id="body"):
            with Vertical(id="side"):
                yield Static("  κ     n  name", markup=False)
                yield ChoiceList(id="criteria")
            with Container(id="work"):
                with Vertical(id="editing"):
                    yield CriterionEditor()
                    yield Static("", id="wrong", markup=False)
                yield pane
        yield RunLine()
        yield KeyLine("criteria")

    def on_mount(self) -> None:
        """Read the criteria off the loop, and hear of runs."""
        self.shell.followers.follow(self, self.shell.run_changed, self._show_run)
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._show_title())
        self.query_one(RunLine).show(self.shell.runs.state)
        self._load()

    def on_resize(self, event: events.Resize) -> None:
        """Put the trial beside the editor or under it."""
        self.set_class(event.size.width >= BESIDE_FROM, "-beside")
        self.set_class(event.size.width >= WIDE_FROM, "-wide")
        self.set_class(event.size.height < LOW_BELOW, "-low")

    def on_screen_resume(self) -> None:
        """Labels may have changed while a session was read."""
        if self._resumed:
            self._look()
        self._resumed = True

    # Parts

    @property
    def criteria(self) -> ChoiceList:
        """The list of criteria."""
        return self.query_one("#criteria", ChoiceList)

    @property
    def choices(self) -> ChoiceList:
        """Where keys move: the tried sessions, where they have the focus, else the criteria."""
        return self.pane.tried if self.focused is self.pane.tried else self.criteria

    @property
    def item(self) -> ListedCriterion | None:
        """The criterion under the cursor."""
        return self.written.item

    @property
    def editor(self) -> CriterionEditor:
        """The fields of the criterion under the cursor."""
        return self.query_one(CriterionEditor)

    @property
    def pane(self) -> TrialPane:
        """The trial of the criterion under the cursor."""
        return self.query_one(TrialPane)

    @property
    def writing(self) -> bool:
        """Whether the keys go to the editor."""
        return self.focused is not None and self.editor in self.focused.ancestors

    # Reading

    def _load(self) -> None:
        folder = Path.cwd()
        self._reading.ask(lambda: load_items(self.shell.store, folder), self._take_items)

    def _take_items(self, read: tuple[list[ListedCriterion], Sequence[FormatError]]) -> None:
        self.written.items, errors = read
        for error in errors:
            self.shell.tell_error(error)
        self._show_list()
        self._show_item()

    def _look(self) -> None:
        """Read what is stored of the criterion under the cursor, and what it would be tried on."""
        if (item := self.item) is not None:
            self._reading.ask(
                partial(self._looked_at, self.written.place, item, self.trying.split), self._take_look
            )

    def _looked_at(self, place: int, item: ListedCriterion, split: SplitName | None) -> _Look:
        store = self.shell.store
        sample = self.trying.draw(item.name, split)
        return _Look(place, refreshed(store, item), trial_of(store, item), sample)

    def _take_look(self, look: _Look) -> None:
        if look.place >= len(self.written.items):
            return
        item = self.written.items[look.place]
        if item.saved == look.item.saved:
            # What was typed meanwhile stays.
            self.written.items[look.place] = replace(look.item, form=item.form)
        self._show_list()
        if look.place != self.written.place:
            return
        self.trying.sample = look.sample
        self._show_title()
        if not self.trying.under_way:
            self.trying.show(look.trial)

    # Showing

    def _show_list(self) -> None:
        self.set_class(not self.written.items, "-empty")
        listed = [_choice(at, item) for at, item in enumerate(self.written.items)]
        if listed != self._listed:
            # A list that is filled anew lays the screen out anew, and that is felt at every key.
            self._listed = listed
            self.criteria.show(listed)
        if self.written.items:
            self.written.place = min(self.written.place, len(self.written.items) - 1)
            self.criteria.highlighted = self.written.place
        self.refresh_bindings()

    def _show_item(self) -> None:
        item = self.item
        if item is not None:
            self.editor.put(item.form, self.written.place)
            self.trying.sample = None
            self._show_title()
            self._show_wrong()
            if not self.trying.under_way:
                self.trying.show(None)
            self._look()
        else:
            self._show_title()

    def _show_title(self) -> None:
        bar, item = self.query_one(TitleBar), self.item
        bar.detail = item.name if item is not None else ""
        judge = f"judge: {judge_words(self.shell.judge.settings, self.shell.judge.trouble)}"
        bar.right = f"{item.version_words()}   {judge}" if item is not None else judge

    def _show_wrong(self) -> None:
        """Say what is wrong with the criterion."""
        line, item = self.query_one("#wrong", Static), self.item
        words = ""
        if item is not None and item.form != CriterionForm():
            try:
                item.criterion()
            except InputError as error:
                words = ". ".join(part for part in (error.detail or error.title, error.next_step) if part)
        if words != self._told:
            # A text that is put anew lays the screen out anew, which would be felt at every key.
            self._told = words
            line.update(make_safe_line(words))
            line.display = bool(words)

    # Choosing

    @on(OptionList.OptionHighlighted, "#criteria")
    def _go_to(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        # One that came too late is of a list that was shown before.
        current = event.option_list.highlighted == event.option_index
        if (
            current
            and event.option_index != self.written.place
            and event.option_index < len(self.written.items)
        ):
            self.written.place = event.option_index
            self._show_item()

    def on_descendant_focus(self) -> None:
        """Make room for what is written."""
        # On the pane alone: a class of the screen would style all of it anew, which is felt.
        self.pane.set_class(self.writing, "-short")
        self.pane.set_class(self.focused is self.pane.tried, "-tall")

    @on(CriterionEditor.Changed)
    def _take_form(self, event: CriterionEditor.Changed) -> None:
        event.stop()
        if event.place >= len(self.written.items):
            return
        was = self.written.items[event.place]
        now = self.written.write(event.place, event.form)
        if (was.name, was.edited) != (now.name, now.edited):
            self._show_list()
        if event.place != self.written.place:
            return
        self._show_title()
        self._show_wrong()
        criterion, trial = now.criterion_or_none(), self.pane.trial
        if not self.trying.under_way and criterion is not None and criterion != was.criterion_or_none():
            # A threshold needs no judge: the matrix moves as it is typed.
            self.trying.show((trial.by(criterion) or trial) if trial is not None else None)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that can do something at this moment."""
        if not self.is_mounted:
            return True
        if action == "stop":
            return self.shell.runs.under_way
        if action == "try":
            return bool(self.written.items) and not self.shell.runs.under_way
        if action in {"open", "draft", "save", "versions", "sample", "test", "undo_all"}:
            return bool(self.written.items)
        return True

    def key_now(self, action: Action) -> Action:
        """Return an action with the key that it has while one writes."""
        return key_while_writing(action) if self.writing else action

    def action_open(self) -> None:
        """Write at the criterion, or read the tried session."""
        if self.focused is self.pane.tried:
            self.pane.open_current()
        elif self.item is not None:
            self.editor.focus_first()

    # Trying

    def _show_run(self, state: RunState) -> None:
        self.query_one(RunLine).show(state)
        if state.over and self.trying.end():
            self._look()
        self.refresh_bindings()

    @on(TrialPane.Opened)
    def _read(self, event: TrialPane.Opened) -> None:
        event.stop()
        from turnwise.tui.review.review_screen import ReviewScreen

        sessions = FoundSessions(self.shell.store, self.pane.sessions)
        self.app.push_screen(ReviewScreen(event.session_id, sessions), self._come_back)

    def _come_back(self, session_id: int | None) -> None:
        if session_id is not None:
            self.pane.go_to(session_id)

    def action_sample(self) -> None:
        """Try on something else."""
        self.trying.next_split()
        self._look()

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.shell.action_choose_judge()

    def action_stop(self) -> None:
        """Stop the trial."""
        self.app.run_worker(self.shell.action_stop_run())

    def action_try(self) -> None:
        """Score the sample and compare it with people's labels."""
        self._try(self.trying.split)

    def action_test(self) -> None:
        """Try it on the test split, once it was asked."""
        self._ask_and_test()

    @work(group="ask", exclusive=True)
    async def _ask_and_test(self) -> None:
        answers = [
            Choice("no", "not yet", "change it on dev until it agrees with you"),
            Choice("yes", "use it"),
        ]
        used = uses_words(self.shell.store.splits.uses("test"))
        words = (
            "Figures on sessions that a criterion was changed for flatter it; those of the test do not, "
            f"as long as it is looked at once, at the end. It was {used}."
        )
        question = QuestionDialog("Use the test split?", answers, words=words)
        if await self.app.push_screen_wait(question) == "yes":
            self._try("test")

    def _try(self, split: SplitName | None) -> None:
        self.run_worker(self.trying.start(split), group="try", exclusive=True)

    # Writing

    def action_new(self) -> None:
        """Write another criterion; the first one is an example to change."""
        self.written.add()
        self._show_list()
        self._show_item()
        self.call_after_refresh(self.editor.focus_first)

    def action_undo_all(self) -> None:
        """Go back to what is saved, once it was asked."""
        if self.item is not None and self.item.edited:
            self._ask_and_undo()

    @work(group="ask", exclusive=True)
    async def _ask_and_undo(self) -> None:
        item, place = self.item, self.written.place
        if item is None:
            return
        known = "go back to what is saved" if item.saved is not None else "it was never saved"
        answers = [Choice("stay", "keep the changes"), Choice("drop", "drop them", known)]
        if (
            await self.app.push_screen_wait(QuestionDialog(f"Drop what changed in {item.name}?", answers))
            != "drop"
        ):
            return
        self.written.drop_changes(place)
        self._show_list()
        self._show_item()

    def action_draft(self) -> None:
        """Let the judge draft steps from the plain words."""
        self._draft()

    @work(group="draft", exclusive=True)
    async def _draft(self) -> None:
        import asyncio
        from importlib import import_module

        from turnwise.engine.criteria.criteria import draft_steps

        item, place = self.item, self.written.place
        criterion = self.trying.criterion_or_told(item) if item is not None else None
        if criterion is None:
            return
        if not await self.trying.has_judge("To draft steps takes a judge."):
            return
        self.pane.say("Drafting steps …")
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        assert self.shell.judge.settings is not None  # noqa: S101
        try:
            draft = await draft_steps(self.shell.store, criterion, self.shell.judge.settings)
        except TurnwiseError as error:
            self.shell.tell_error(error)
        else:
            if self.written.place == place:
                self.editor.write_steps(draft.steps)
            else:
                self.written.write(place, self.written.items[place].form.with_steps(draft.steps))
                self._show_list()
        finally:
            if self.is_attached:
                self.pane.say(self.trying.note())

    def action_save(self) -> None:
        """Save the criterion as YAML."""
        if self.item is not None:
            self._save(self.written.place)

    def _save(self, place: int) -> bool:
        try:
            file = self.written.save(place, self.shell.store, Path.cwd(), self.trying.me)
        except TurnwiseError as error:
            self.shell.tell_error(error)
            return False
        self._show_list()
        self._show_title()
        self._look()
        shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
        self.app.notify(f"Saved: {shown}")
        return True

    def action_versions(self) -> None:
        """Set two versions side by side."""
        item = self.item
        criterion = self.trying.criterion_or_told(item) if item is not None else None
        if criterion is not None:
            from turnwise.tui.criteria.versions_screen import VersionsScreen

            self.app.push_screen(VersionsScreen(criterion), self._take_version)

    def _take_version(self, criterion: Criterion | None) -> None:
        if criterion is not None and self.item is not None:
            self.written.write(self.written.place, CriterionForm.of(criterion))
            self._show_list()
            self._show_item()

    def action_back(self) -> None:
        """Leave the text for the list, and the list for the screen below."""
        if self.focused is not None and self.focused is not self.criteria and self.written.items:
            self.criteria.focus()
        elif self.written.unsaved:
            self._ask_and_leave()
        else:
            self.dismiss(None)

    @work(group="ask", exclusive=True)
    async def _ask_and_leave(self) -> None:
        places = self.written.unsaved
        names = ", ".join(self.written.items[place].name for place in places)
        answers = [
            Choice("save", "save", "as YAML in their files" if len(places) > 1 else "as YAML in its file"),
            Choice("drop", "drop the changes", "versions that were tried are kept in the database"),
            Choice("stay", "stay"),
        ]
        answer = await self.app.push_screen_wait(QuestionDialog(f"Not saved: {names}", answers))
        if answer == "drop" or (answer == "save" and all(map(self._save, places))):
            self.dismiss(None)


def _choice(place: int, item: ListedCriterion) -> Choice:
    kappa = kappa_words(item.standing.kappa)
    mark = "•" if item.edited else " "
    return Choice(str(place), item.name, sign=f"{mark}{kappa:>5} {item.standing.sessions:>3}")


def _empty_words(new: str) -> Content:
    return Content.assemble(
        "A criterion says in plain words what good means for your chatbot. A judge scores sessions by it, "
        "and what it says is set beside your labels, so that you see where the words are wrong.\n\n",
        (f"   {new}   ", "bold"),
        "write the first one: it begins as an example\n\n",
        ("       name      ", "$text-muted"),
        f"{EXAMPLE['name']}\n",
        ("       criteria  ", "$text-muted"),
        "\n                 ".join(wrap(str(EXAMPLE["criteria"]), 50)) + "\n",
        ("       threshold ", "$text-muted"),
        f"{EXAMPLE['threshold']}\n\n",
        ("It is saved as YAML in ./criteria, where git can keep it.", "$text-muted"),
    )
