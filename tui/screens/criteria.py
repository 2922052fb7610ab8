"""CriteriaScreen: the workbench: write what good means, try it beside people's labels, change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from turnwise.conversations.errors import FormatError, InputError
from turnwise.conversations.store.splits import SplitName
from turnwise.engine.criterion_sample import Sample
from turnwise.engine.criterion_trial import Trial
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.criterion_form import CriterionForm
from turnwise.tui.criterion_items import Item, load_items, refreshed, trial_of
from turnwise.tui.criterion_words import EXAMPLE, kappa_words, key_while_writing
from turnwise.tui.judge_words import judge_words
from turnwise.tui.key_words import key_of
from turnwise.tui.newest_reading import NewestReading
from turnwise.tui.screens.writing import WritingScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.choice_list import Choice, ChoiceList
from turnwise.tui.widgets.criterion_editor import CriterionEditor
from turnwise.tui.widgets.empty_words import EmptyWords
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


@dataclass(frozen=True, slots=True)
class _Look:
    """What is stored of a criterion. place: of the item, as it was when it was read."""

    place: int
    item: Item
    trial: Trial | None
    sample: Sample


class CriteriaScreen(WritingScreen):
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

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__(sessions, query)
        self._resumed = False
        self._told = ""
        self._listed: list[Choice] = []
        """The criteria as the list shows them."""
        self._reading = NewestReading(self)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Criteria")
        yield EmptyWords("No criteria yet.", _empty_words(key_of(self.app.actions, "criteria", "new")))
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
        self.app.followers.follow(self, self.app.run_changed, self._show_run)
        self.app.followers.follow(self, self.app.judge_changed, lambda _: self._show_title())
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
    def writing(self) -> bool:
        """Whether the keys go to the editor."""
        return self.focused is not None and self.editor in self.focused.ancestors

    # Reading

    def _load(self) -> None:
        folder = Path.cwd()
        self._reading.ask(lambda: load_items(self.app.store, folder), self._take_items)

    def _take_items(self, read: tuple[list[Item], Sequence[FormatError]]) -> None:
        self._items, errors = read
        for error in errors:
            self.app.tell_error(error)
        self._show_list()
        self._show_item()

    def _look(self) -> None:
        """Read what is stored of the criterion under the cursor, and what it would be tried on."""
        if (item := self.item) is not None:
            self._reading.ask(partial(self._looked_at, self._place, item, self._split), self._take_look)

    def _looked_at(self, place: int, item: Item, split: SplitName | None) -> _Look:
        store = self.app.store
        sample = self._draw(item.name, split)
        return _Look(place, refreshed(store, item), trial_of(store, item), sample)

    def _take_look(self, look: _Look) -> None:
        if look.place >= len(self._items):
            return
        item = self._items[look.place]
        if item.saved == look.item.saved:
            # What was typed meanwhile stays.
            self._items[look.place] = replace(look.item, form=item.form)
        self._show_list()
        if look.place != self._place:
            return
        self._sample = look.sample
        self._show_title()
        if not self._is_trying:
            self._show_trial(look.trial)

    # Showing

    def _show_list(self) -> None:
        self.set_class(not self._items, "-empty")
        listed = [_choice(at, item) for at, item in enumerate(self._items)]
        if listed != self._listed:
            # A list that is filled anew lays the screen out anew, and that is felt at every key.
            self._listed = listed
            self.criteria.show(listed)
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
        if current and event.option_index != self._place and event.option_index < len(self._items):
            self._place = event.option_index
            self._show_item()

    def on_descendant_focus(self) -> None:
        """Make room for what is written."""
        # On the pane alone: a class of the screen would style all of it anew, which is felt.
        self.pane.set_class(self.writing, "-short")
        self.pane.set_class(self.focused is self.pane.tried, "-tall")

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

    def key_now(self, action: Action) -> Action:
        """Return an action with the key that it has while one writes."""
        return key_while_writing(action) if self.writing else action

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


def _choice(place: int, item: Item) -> Choice:
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
