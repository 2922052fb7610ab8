"""CriteriaScreen: the workbench: write what good means, try it beside people's labels, change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.segment import Segment
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widgets import OptionList, Static

from turnwise.conversations.errors import InputError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SplitName
from turnwise.engine.criteria.criteria_files import BrokenCriteriaFile
from turnwise.engine.criteria.past_trials import Standing
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.criteria.criteria_layout import STYLES, classes_of, give_room
from turnwise.tui.criteria.criteria_list import (
    HEAD,
    broken_choice,
    broken_words,
    criterion_choice,
    empty_words,
    head_over,
)
from turnwise.tui.criteria.criteria_questions import may_use_test
from turnwise.tui.criteria.criterion_editor import CriterionEditor
from turnwise.tui.criteria.criterion_form import CriterionForm
from turnwise.tui.criteria.criterion_looks import CriterionLooks, Look, look_at
from turnwise.tui.criteria.criterion_words import key_while_writing
from turnwise.tui.criteria.listed_criteria import (
    ListedCriterion,
    WrittenCriteria,
    load_items,
)
from turnwise.tui.criteria.trial_pane import TrialPane
from turnwise.tui.criteria.trying import CriterionTrying
from turnwise.tui.criteria.writing_keys import WritingKeys
from turnwise.tui.drawing.frames import framed
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.empty_words import EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.shell.runs import RunState
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_internals.apps import is_leaving
from turnwise.tui.textual_screens import make_ready_again

ReadCriteria = tuple[list[ListedCriterion], list[BrokenCriteriaFile]]
MORE = "… more below"
"""Said where fields of the criterion are out of sight."""


class CriteriaScreen(PlaceScreen[None]):
    """The criteria, the editor of one, and its trial."""

    PLACE: ClassVar[Place] = "criteria"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("criteria"))
    AUTO_FOCUS = "#criteria"
    DEFAULT_CSS = STYLES

    shell = ShellOfApp()
    trying: CriterionTrying
    writing_keys: WritingKeys
    """What answers the keys that change the text of a criterion."""

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__()
        self.written = WrittenCriteria()
        self.begin(sessions, query)
        self._loaded: ReadCriteria | None = None
        """The criteria as they were read last; until then the list holds none of them."""
        self._begin_when_read = False
        """Whether another criterion was asked for before the list was there."""
        self._told = ""
        self._listed: list[Choice] = []
        """The criteria as the list shows them."""
        self._reading = NewestReading(self)
        self._looks = CriterionLooks()
        self._look_asked: object = None
        """What was asked for last: a place of the list, and what it depends on."""

    def begin(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """Take what to try on; see where it is made."""
        self._sessions, self._query = sessions, query
        if self.is_mounted:
            self.trying.begin(sessions, query)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        pane = TrialPane()
        self.trying = CriterionTrying(self.shell, pane, self.written, self._sessions, self._query)
        self.writing_keys = WritingKeys(
            self,
            self.shell,
            self.written,
            self.trying,
            show_list=self._show_list,
            show_item=self._show_item,
            show_saved=self._show_saved,
        )
        yield PlacesLine("criteria")
        yield TitleBar("Criteria")
        yield EmptyWords("No criteria yet.", empty_words(self.shell))
        with Container(id="body"):
            with Horizontal(id="list-and-editor"):
                with framed(Vertical(id="side"), "Criteria"):
                    yield Static(HEAD, markup=False)
                    yield ChoiceList(id="criteria")
                with framed(Vertical(id="editing"), "Criterion"):
                    yield CriterionEditor()
                    yield Static("", id="wrong", markup=False)
                    yield DrawnLines(id="more")
                yield Static("", id="unreadable", markup=False)
            yield framed(pane, "Trial")
        yield RunLine()
        yield KeyLine("criteria")

    def on_mount(self) -> None:
        """Read the criteria off the loop, and hear of runs."""
        self.shell.followers.follow(self, self.shell.run_changed, self._show_run)
        self.shell.followers.follow(self, self.shell.judge.changed, lambda _: self._show_judge())
        self.query_one(RunLine).show(self.shell.runs.state)
        # A form without a criterion would look as if one could write in it.
        self.query_one("#body").display = False
        self.shell.followers.follow(self, self.shell.came_back, lambda _: self._read_mended())
        self.find_outdated()
        self._load()

    def on_resize(self, event: events.Resize) -> None:
        """Put the trial beside the editor or under it."""
        for name, has in classes_of(event.size).items():
            self.set_class(has, name)
        self._give_room()

    @on(CriterionEditor.Scrolled)
    def _say_more(self, event: CriterionEditor.Scrolled) -> None:
        """Say below the fields, or in their frame, that there are more of them."""
        event.stop()
        if is_leaving(self):
            # Its parts may be gone already.
            return
        self.query_one("#editing").border_subtitle = MORE if event.more else ""
        line = self.query_one("#more", DrawnLines)
        line.set_lines([[Segment(f"  {MORE}", line.tones.muted)]] if event.more else [])

    def on_screen_resume(self) -> None:
        """Labels may have changed while a session was read, or since this was made ahead."""
        if self.is_mounted and self.find_outdated():
            self._looks.clear()
            self._look()

    def open_again(self) -> None:
        """Open it as it was made ahead, and read the files once more: they may have changed since."""
        make_ready_again(self, self._load)

    # Parts

    @property
    def criteria(self) -> ChoiceList:
        """The list of criteria."""
        return self.query_one("#criteria", ChoiceList)

    @property
    def choices(self) -> ChoiceList | RecordTable:
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
        above = self.focused.ancestors if self.focused is not None else ()
        return any(isinstance(one, CriterionEditor) for one in above)

    # Reading

    def _load(self) -> None:
        folder = Path.cwd()
        self._reading.ask(lambda: load_items(self.shell.store, folder), self._take_items)

    def _take_items(self, read: ReadCriteria) -> None:
        if read == self._loaded or self.written.unsaved:
            return
        self._loaded = read
        self.written.items, self.written.unreadable = list(read[0]), read[1]
        self._looks.clear()
        self._show_list()
        self._show_item()
        if self._begin_when_read:
            self._begin_when_read = False
            self.action_new()

    def _read_mended(self) -> None:
        """Read files again that could not be read, when one comes back from where they were mended."""
        if self.written.unreadable and not self.written.unsaved and not self.trying.under_way:
            self._load()

    def _look(self) -> None:
        """Read what is stored of the criterion under the cursor, and what it would be tried on."""
        if (item := self.item) is not None:
            split, stood = self.trying.split, self.shell.store.growing.revision()
            asked = self.written.place, stood, item.form, split
            if asked == self._look_asked and self._reading.under_way:
                # It is being read; asked for once more, it would be read from the beginning.
                return
            self._look_asked = asked
            read = partial(self._looked_at, self.written.place, stood, item, split)
            self._reading.ask(read, partial(self._take_look, split))

    def _looked_at(
        self, place: int, stood: tuple[int, int], item: ListedCriterion, split: SplitName | None
    ) -> Look:
        return look_at(self.shell.store, place, stood, item, self.trying.draw(item.name, split))

    def _take_look(self, split: SplitName | None, look: Look) -> None:
        if look.place >= len(self.written.items):
            return
        self._looks.keep(look, split)
        item = self.written.items[look.place]
        if item.saved == look.item.saved:
            # What was typed meanwhile stays.
            self.written.items[look.place] = replace(look.item, form=item.form)
        if look.place == self.written.place:
            self.trying.sample = look.sample
            self._show_title()
            if not self.trying.under_way:
                self.trying.show(look.trial, look.before)
        self._show_list()

    # Showing

    def _show_list(self) -> None:
        items, unreadable = self.written.items, self.written.unreadable
        some = bool(items or unreadable)
        self.set_class(not some, "-empty")
        self.query_one("#body").display = some
        listed = [criterion_choice(at, item, self._standing(at, item)) for at, item in enumerate(items)]
        listed += [broken_choice(at, one) for at, one in enumerate(unreadable, start=len(items))]
        if listed != self._listed:
            # A list that is filled anew lays the screen out anew, and that is felt at every key.
            self._listed = listed
            self.query_one("#side > Static", Static).update(head_over(listed))
            self.criteria.show(listed)
        if listed:
            self.written.place = min(self.written.place, len(listed) - 1)
            self.criteria.highlighted = self.written.place
        self.refresh_bindings()

    def _standing(self, place: int, item: ListedCriterion) -> Standing:
        """Return what the list tells of a criterion: of the one in the editor what the pane shows."""
        shown = self.pane.trial if place == self.written.place and not self.trying.under_way else None
        return Standing(shown.matrix) if shown is not None else item.standing

    def _show_item(self) -> None:
        item, unreadable = self.item, self.written.unreadable_file
        self.query_one("#editing").display = self.pane.display = unreadable is None
        told = self.query_one("#unreadable", Static)
        told.display = unreadable is not None
        if unreadable is not None:
            told.update(broken_words(unreadable))
        self.refresh_bindings()
        if item is not None:
            self.editor.put(item.form, self.written.place)
            known = self._looks.of(item, self.written.place, self.trying.split)
            self.trying.sample = known.sample if known is not None else None
            self._show_title()
            self._show_wrong()
            if known is not None and not self.trying.under_way:
                self.trying.show(known.trial, known.before)
            elif not self.trying.under_way:
                self.trying.show_reading()
            if known is None or known.stood != self.shell.store.growing.revision():
                self._look()
        else:
            self._show_title()

    def _show_title(self) -> None:
        bar, item = self.query_one(TitleBar), self.item
        unreadable = self.written.unreadable_file
        bar.detail = item.name if item is not None else unreadable.path.name if unreadable is not None else ""
        judge = f"judge: {judge_words(self.shell.judge.settings, self.shell.judge.trouble)}"
        bar.right = f"{item.version_words()}   {judge}" if item is not None else judge

    def _show_saved(self) -> None:
        self._show_list()
        self._show_title()
        self._look()

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
        if current and event.option_index != self.written.place and event.option_index < len(self._listed):
            self.written.place = event.option_index
            self._show_item()

    def on_descendant_focus(self) -> None:
        """Make room for what is written."""
        self._give_room()

    def _give_room(self) -> None:
        in_sessions = self.focused is self.pane.tried
        give_room(self.pane, self.size, writing=self.writing, in_sessions=in_sessions)

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
        criterion = now.criterion_or_none()
        if not self.trying.under_way and criterion is not None and criterion != was.criterion_or_none():
            self.trying.show_by(criterion)
            self._show_list()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that can do something at this moment."""
        if not self.is_mounted:
            return True
        if action == "stop":
            return self.shell.runs.under_way
        if action == "try":
            return self.item is not None and not self.shell.runs.under_way
        if action in ("improve", "locate"):
            return self.item is not None and not self.shell.runs.under_way and not self.writing
        if action in {"open", "draft", "save", "versions", "sample", "test", "undo_all"}:
            return self.item is not None
        return True

    @property
    def key_now(self) -> Callable[[Action], Action]:
        """Gives an action as it is now: by its key while one writes, and by what it does here."""
        writing, reads = self.writing, self.focused is self.pane.tried

        def key_now(action: Action) -> Action:
            if action.name == "open" and reads:
                return replace(action, title="read")
            now = key_while_writing(action) if writing else action
            if action.name == "try" and self.shell.judge.settings is None:
                return replace(now, title="choose judge, try")
            if action.name == "save" and self.item is not None and self.item.file is None:
                return replace(now, title="write file")
            return now

        return key_now

    def action_open(self) -> None:
        """Write at the criterion, or read the tried session."""
        if self.focused is self.pane.tried:
            self.pane.open_current()
        elif self.item is not None:
            self.editor.focus_first()

    # Trying

    def _show_judge(self) -> None:
        """Name the judge in the title, and say of a trial whether one is asked for first."""
        self._show_title()
        self.refresh_bindings()

    def _show_run(self, state: RunState) -> None:
        self.query_one(RunLine).show(state)
        if state.over and self.trying.end():
            self._looks.clear()
            self._look()
        self.refresh_bindings()

    def leads_to(self) -> SessionToRead | None:
        """Return the tried session under the cursor."""
        return self.pane.leads_to(self.shell.store)

    @on(TrialPane.Opened)
    def _read(self, event: TrialPane.Opened) -> None:
        event.stop()
        from turnwise.tui.review.review_screen import ReviewScreen

        if (wanted := self.leads_to()) is not None:
            review = self.shell.kept_dialogs.take(ReviewScreen, *wanted)
            self.app.push_screen(review, self._come_back)

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
        if await may_use_test(self.app, self.shell.store.splits.uses("test")):
            self._try("test")

    def _try(self, split: SplitName | None) -> None:
        self.run_worker(self.trying.start(split), group="try", exclusive=True)

    @work(group="ask", exclusive=True)
    async def action_locate(self) -> None:
        """Find from which turn on the sessions that fail by the criterion are lost, and read one there."""
        criterion = self.trying.criterion_or_told(self.item) if self.item is not None else None
        if criterion is None:
            return
        from turnwise.tui.locating.begin_locating import begin_locating
        from turnwise.tui.review.review_screen import ReviewScreen

        place = await begin_locating(self.app, self.shell, criterion)
        if place is not None:
            among = FoundSessions(self.shell.store, place.among, tells_scores=True)
            review = self.shell.kept_dialogs.take(ReviewScreen, place.session_id, among, turn=place.turn)
            self.app.push_screen(review, self._come_back)

    # Writing, and leaving

    def action_new(self) -> None:
        """Write another criterion; the first one is an example to change."""
        if self._loaded is None:
            # What is read is not taken once another thing is asked for: all other criteria would be gone.
            self._begin_when_read = True
            return
        self.written.add()
        self._show_list()
        self._show_item()
        self.call_after_refresh(self.editor.focus_first)

    def action_next_field(self) -> None:
        """Go on to the next field of the criterion, to the sessions of the trial, or to the list."""
        self.focus_next()

    def action_back(self) -> None:
        """Leave the text for the list, and the list for the screen below."""
        if self.focused is not None and self.focused is not self.criteria and self._listed:
            self.criteria.focus()
        else:
            self.leave_then(self._close)

    def _close(self) -> None:
        self.dismiss(None)

    def leave_then(self, go: Callable[[], None]) -> None:
        """Go elsewhere, once it was asked what becomes of what is not saved."""
        if self.written.unsaved:
            self._ask_and_leave(go)
        else:
            go()

    @work(group="ask", exclusive=True)
    async def _ask_and_leave(self, go: Callable[[], None]) -> None:
        if await self.writing_keys.may_leave():
            go()
