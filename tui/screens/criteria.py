"""CriteriaScreen: the workbench: write what good means, try it beside people's labels, change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static

from turnwise.conversations.errors import FormatError, InputError, TurnwiseError
from turnwise.engine.criteria import Criterion
from turnwise.engine.criterion_trial import Sample, Trial
from turnwise.tui.actions import Place, bindings
from turnwise.tui.criterion_form import CriterionForm
from turnwise.tui.criterion_items import Item, load_items, refreshed, trial_of
from turnwise.tui.criterion_words import EXAMPLE, kappa_words
from turnwise.tui.judge_words import judge_words
from turnwise.tui.screens.question import QuestionDialog
from turnwise.tui.screens.trying import TryingScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.criterion_editor import CriterionEditor
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.title_bar import TitleBar
from turnwise.tui.widgets.trial_pane import TrialPane

BESIDE_FROM = 140
"""From so many cells up the trial stands beside the editor; below it stands under it."""
WIDE_FROM = 110
"""From so many cells up the names of criteria have room."""
LOW_BELOW = 32
"""In fewer lines the trial gives its list up while one writes."""
WRITING_KEYS = "esc leaves the text · ctrl+t try · ctrl+s save"


class CriteriaScreen(TryingScreen):
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
        & #wrong.-hint { color: $text-muted; }
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
        & #empty { display: none; height: 1fr; padding: 2 4; max-width: 90; }
        &.-empty #empty { display: block; }
        &.-empty #body { display: none; }
        &:ansi #side > Static { text-style: dim; }
    }
    """

    @dataclass
    class Loaded(Message):
        """The criteria were read."""

        items: list[Item]
        errors: Sequence[FormatError]

    @dataclass
    class Looked(Message):
        """What is stored of a criterion was read. place: of the item, as it was then."""

        place: int
        item: Item
        trial: Trial | None
        sample: Sample

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__(sessions, query)
        self._items: list[Item] = []
        self._place = 0
        self._resumed = False
        self._told = ""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Criteria")
        yield Static(_empty_words(), id="empty", markup=False)
        with Container(id="body"):
            with Vertical(id="side"):
                yield Static("  κ     n  name", markup=False)
                yield ChoiceList(id="criteria")
            with Container(id="work"):
                with Vertical(id="editing"):
                    yield CriterionEditor()
                    yield Static("", id="wrong", markup=False)
                yield TrialPane()
        yield RunLine()
        yield KeyLine("criteria")

    def on_mount(self) -> None:
        """Read the criteria off the loop, and hear of runs."""
        self.app.run_changed.subscribe(self, self._show_run)
        self.app.judge_changed.subscribe(self, lambda _: self._show_title())
        self.query_one(RunLine).show(self.app.runs.state)
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
    def writing(self) -> bool:
        """Whether the keys go to the editor."""
        return self.focused is not None and self.editor in self.focused.ancestors

    @property
    def unsaved(self) -> list[int]:
        """The places of criteria that hold what is not saved; the example as it came is none of them."""
        blank = (CriterionForm(), _example())
        return [at for at, item in enumerate(self._items) if item.edited and item.form not in blank]

    # Reading

    @work(thread=True, exclusive=True, group="load")
    def _load(self) -> None:
        self.post_message(self.Loaded(*load_items(self.app.store, Path.cwd())))

    @on(Loaded)
    def _take_items(self, event: Loaded) -> None:
        self._items = event.items
        for error in event.errors:
            self.app.tell_error(error)
        self._show_list()
        self._show_item()

    @work(thread=True, exclusive=True, group="look")
    def _look(self) -> None:
        """Read what is stored of the criterion under the cursor, and what it would be tried on."""
        item, place = self.item, self._place
        if item is None:
            return
        store = self.app.store
        sample = self._draw(item.name, self._split)
        self.post_message(self.Looked(place, refreshed(store, item), trial_of(store, item), sample))

    @on(Looked)
    def _take_look(self, event: Looked) -> None:
        if event.place >= len(self._items):
            return
        item = self._items[event.place]
        if item.saved == event.item.saved:
            # What was typed meanwhile stays.
            self._items[event.place] = replace(event.item, form=item.form)
        self._show_list()
        if event.place != self._place:
            return
        self._sample = event.sample
        self._show_title()
        if not self._is_trying:
            self._show_trial(event.trial)

    # Showing

    def _show_list(self) -> None:
        self.set_class(not self._items, "-empty")
        self.criteria.show([_choice(at, item) for at, item in enumerate(self._items)])
        if self._items:
            self._place = min(self._place, len(self._items) - 1)
            self.criteria.highlighted = self._place
        self.refresh_bindings()

    def _show_item(self) -> None:
        item = self.item
        if item is not None:
            self.editor.put(item.form, self._place)
            self._sample = None
            self._show_title()
            self._show_wrong()
            if not self._is_trying:
                self._show_trial(None)
            self._look()
        else:
            self._show_title()

    def _show_title(self) -> None:
        bar, item = self.query_one(TitleBar), self.item
        bar.detail = item.name if item is not None else ""
        judge = f"judge: {judge_words(self.app.judge_settings, self.app.judge_trouble)}"
        bar.right = f"{item.version_words()}   {judge}" if item is not None else judge

    def _show_wrong(self) -> None:
        """Say what is wrong with the criterion, or else, while one writes, which keys do not type."""
        line, item = self.query_one("#wrong", Static), self.item
        words = ""
        if item is not None and item.form != CriterionForm():
            try:
                item.criterion()
            except InputError as error:
                words = ". ".join(part for part in (error.detail or error.title, error.next_step) if part)
        line.set_class(not words, "-hint")
        words = words or (WRITING_KEYS if self.writing else "")
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
        if current and event.option_index != self._place and event.option_index < len(self._items):
            self._place = event.option_index
            self._show_item()

    def on_descendant_focus(self) -> None:
        """Make room for what is written."""
        # On the pane alone: a class of the screen would style all of it anew, which is felt.
        self.pane.set_class(self.writing, "-short")
        self.pane.set_class(self.focused is self.pane.tried, "-tall")
        self._show_wrong()

    @on(CriterionEditor.Changed)
    def _take_form(self, event: CriterionEditor.Changed) -> None:
        event.stop()
        if event.place >= len(self._items):
            return
        was = self._items[event.place]
        now = self._items[event.place] = replace(was, form=event.form)
        if (was.name, was.edited) != (now.name, now.edited):
            self._show_list()
        if event.place != self._place:
            return
        self._show_title()
        self._show_wrong()
        criterion, trial = now.criterion_or_none(), self.pane.trial
        if not self._is_trying and criterion is not None and criterion != was.criterion_or_none():
            # A threshold needs no judge: the matrix moves as it is typed.
            self._show_trial((trial.by(criterion) or trial) if trial is not None else None)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now."""
        if not self.is_mounted:
            return True
        if action == "stop":
            return self.app.runs.under_way
        if action == "try":
            return bool(self._items) and not self.app.runs.under_way
        if action in {"open", "draft", "save", "versions", "sample", "test", "undo_all"}:
            return bool(self._items)
        return True

    def _moved(self) -> ChoiceList:
        return self.pane.tried if self.focused is self.pane.tried else self.criteria

    def action_cursor_down(self) -> None:
        """Go to the next one."""
        self._moved().action_cursor_down()

    def action_cursor_up(self) -> None:
        """Go to the one before."""
        self._moved().action_cursor_up()

    def action_page_down(self) -> None:
        """Go down by a page."""
        self._moved().action_page_down()  # type: ignore[no-untyped-call]

    def action_page_up(self) -> None:
        """Go up by a page."""
        self._moved().action_page_up()  # type: ignore[no-untyped-call]

    def action_home(self) -> None:
        """Go to the first."""
        self._moved().action_first()

    def action_end(self) -> None:
        """Go to the last."""
        self._moved().action_last()

    def action_open(self) -> None:
        """Write at the criterion, or read the tried session."""
        if self.focused is self.pane.tried:
            self.pane.open_current()
        elif self.item is not None:
            self.editor.focus_first()

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
            self.app.notify("To draft steps takes a judge. J chooses one.")
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


def _choice(place: int, item: Item) -> Choice:
    kappa = kappa_words(item.standing.kappa)
    mark = "•" if item.edited else " "
    return Choice(str(place), item.name, sign=f"{mark}{kappa:>5} {item.standing.sessions:>3}")


def _example() -> CriterionForm:
    return CriterionForm.of(Criterion.model_validate(EXAMPLE))


def _empty_words() -> Content:
    return Content.assemble(
        ("No criteria yet.\n\n", "bold"),
        "A criterion says in plain words what good means for your chatbot. A judge scores sessions by it, "
        "and what it says is set beside your labels, so that you see where the words are wrong.\n\n",
        ("   n   ", "bold $accent"),
        "write the first one: it begins as an example\n\n",
        ("       name      ", "$text-muted"),
        f"{EXAMPLE['name']}\n",
        ("       criteria  ", "$text-muted"),
        "\n                 ".join(wrap(str(EXAMPLE["criteria"]), 50)) + "\n",
        ("       threshold ", "$text-muted"),
        f"{EXAMPLE['threshold']}\n\n",
        ("It is saved as YAML in ./criteria, where git can keep it.", "$text-muted"),
    )
