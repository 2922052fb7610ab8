"""SimulateDialog: which scenarios are to be played, against which chatbot, by whom, and how far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.safe_text import make_safe
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.importing.import_words import file_words
from turnwise.tui.importing.path_choices import completed, from_home, paths_for
from turnwise.tui.judging.judge_words import judge_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.record.simulation_plan import AT_ONCE, MOST_TURNS, SimulationPlan
from turnwise.tui.settings.keymap import fill_keys

if TYPE_CHECKING:
    from turnwise.conversations.scenarios import LoadedScenarios

SUFFIXES = frozenset({".yaml", ".yml", ".json", ".jsonl", ".csv"})
"""Ends of files that may hold scenarios."""
READY = "{simulate.start} plays the scenarios of this file."
CHOOSE = (
    "A scenario says who a user is, what it wants and when it stops: docs/how-to/simulate.md shows how "
    "one is written. {simulate.start} chooses a file of scenarios, and pressed again plays them."
)


@dataclass(frozen=True, slots=True)
class AskedSimulation:
    """What is to be simulated. typed: the lines as they were typed. remarks: on the file that was read."""

    plan: SimulationPlan
    typed: dict[str, str]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Line:
    id: str
    label: str
    hint: str
    told: str = ""
    """What it means, said while it is typed into."""


_LINES = (
    _Line("target", "chatbot", "http://…/v1, PROVIDER:MODEL, python:FILE.py, FILE.yaml"),
    _Line("user", "user model", ""),
)
_NUMBERS = (
    _Line("turns", "turns at most", str(MOST_TURNS), "The most turns of one conversation."),
    _Line("seconds", "seconds at most", "no limit", "The most seconds that one conversation may take."),
    _Line("at_once", "at the same time", str(AT_ONCE), "How many conversations take place at the same time."),
    _Line("seed", "random seed", "0", "Another number deals what chance decides anew."),
)


class SimulateDialog(Dialog[AskedSimulation | None]):
    """Ask what is to be simulated; the result is None where it was cancelled."""

    PLACE: ClassVar[Place] = "simulate"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("simulate"))
    DEFAULT_CSS = """
    SimulateDialog {
        & ChoiceList { height: 6; margin: 1 0; }
        & .field { height: 1; }
        & .label { width: 13; padding: 0 1; color: $text-muted; }
        & .field.-here .label { color: $accent; text-style: bold; }
        & .field > Input { width: 1fr; }
        & #limits { margin-top: 1; }
        & .numbers { height: 1; }
        & .numbers .field { width: 1fr; margin-right: 2; }
        & .numbers .label { width: 18; }
        & #status { margin-top: 1; }
        & #wrong { height: auto; max-height: 6; display: none; }
        & #wrong > .wrong { display: block; }
        &.-wrong #wrong { display: block; }
        &.-wrong ChoiceList { height: 4; }
        &.-wrong #status { display: none; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.begin({})

    def begin(self, typed: dict[str, str]) -> None:
        """typed: what stands in the lines at first."""
        self._typed = typed
        self._reading = False

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static("Let simulated users talk to a chatbot", classes="title", markup=False)
            yield from self._line(_Line("path", "scenarios", "path/to/scenarios.yaml"))
            yield ChoiceList()
            for line in _LINES:
                yield from self._line(line)
            for name, lines in (("limits", _NUMBERS[:2]), ("others", _NUMBERS[2:])):
                with Horizontal(id=name, classes="numbers"):
                    for line in lines:
                        yield from self._line(line)
            yield Static("", id="status", classes="words", markup=False)
            with VerticalScroll(id="wrong", can_focus=False):
                yield Static("", classes="wrong", markup=False)
            yield KeyLine("simulate")

    def _line(self, line: _Line) -> ComposeResult:
        with Horizontal(classes="field"):
            yield Static(line.label, classes="label")
            yield Input(placeholder=f"({line.hint})" if line.hint else "", select_on_focus=False, id=line.id)

    def on_mount(self) -> None:
        """Show what it was begun with; the keys stay with the lines."""
        self.choices.can_focus = False
        with self.prevent(Input.Changed):
            self.fill()

    def fill(self) -> None:
        """Show the files of the working folder, and who plays users where nobody is named."""
        for line in self.query(Input):
            line.value = make_safe(self._typed.get(line.id or "", ""))
        judge = self.shell.judge.settings
        named = (
            f"the judge: {judge_words(judge)}"
            if judge
            else "none: only scenarios with a script can be played"
        )
        self.query_one("#user", Input).placeholder = f"({named})"
        self.set_focus(self._path)
        self._path.cursor_position = len(self._path.value)
        self._show_paths(anew=True)
        self._tell_what_is_next()

    @property
    def _path(self) -> Input:
        return self.query_one("#path", Input)

    @property
    def _file(self) -> Path:
        return Path(self._path.value.strip()).expanduser()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Show by its label which line has the keys."""
        for field in self.query(".field"):
            field.set_class(event.widget in field.children, "-here")
        # What is wrong stays in sight until something is typed.
        if not self.has_class("-wrong"):
            self._tell_what_is_next()
        self.refresh_bindings()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show what the path may go on to."""
        if event.input.id == "path":
            self._show_paths()
        self._tell_what_is_next()
        self.refresh_bindings()

    def on_option_list_option_highlighted(self) -> None:
        """Say what enter does with what the cursor is on now."""
        self.refresh_bindings()

    def _show_paths(self, *, anew: bool = False) -> None:
        paths = paths_for(self._path.value, Path.cwd(), data=SUFFIXES)
        choices = [
            Choice(str(one), f"{one.name}/", "")
            if one.is_dir()
            else Choice(str(one), one.name, file_words(one))
            for one in paths
            if one.is_dir() or one.suffix.lower() in SUFFIXES
        ]
        typed = self._path.value
        if not typed:
            lacking = f"no file of scenarios in {from_home(Path.cwd())}"
        elif typed.endswith("/") and self._file.is_dir():
            lacking = f"no file of scenarios in {make_safe(typed)}"
        else:
            lacking = "no folder or file of scenarios begins like this"
        self.choices.show(choices or [Choice("", lacking, disabled=True)], anew=anew)

    def _tell_what_is_next(self) -> None:
        """Say with which key it begins, also while no file is named yet."""
        here = self.focused.id if self.focused else ""
        told = next((line.told for line in _NUMBERS if line.id == here), "")
        self._say(told or fill_keys(READY if self._names_file else CHOOSE, self.shell.actions))

    def _say(self, text: str, *, wrong: bool = False) -> None:
        self.query_one("#status", Static).update("" if wrong else text)
        self.query_one(".wrong", Static).update(make_safe(text) if wrong else "")
        self.set_class(wrong, "-wrong")

    # Keys

    def key_now(self, action: Action) -> Action:
        """Name what enter does with what is named or under the cursor, and what tab does here."""
        if action.name == "complete":
            return replace(action, title="complete" if self._completion else "next field")
        if action.name != "start":
            return action
        if self._names_file:
            return replace(action, title="play")
        if self.focused is not self._path:
            return replace(action, title="choose file")
        choice = self.choices.current
        if choice is None or choice.disabled:
            return replace(action, rank=0)
        return replace(action, title="open folder" if choice.name.endswith("/") else "choose file")

    @property
    def _names_file(self) -> bool:
        """Whether a file of the name that is typed is there."""
        return bool(self._path.value.strip()) and self._file.is_file()

    @property
    def _completion(self) -> str:
        """The path with more of what it may go on to; empty where there is nothing to add."""
        more = completed(self._path.value, Path.cwd(), data=SUFFIXES)
        return more if self.focused is self._path and more != self._path.value else ""

    def action_complete(self) -> None:
        """Complete the path; where there is nothing more to add, go to the next line."""
        if more := self._completion:
            self._set_path(more)
        else:
            self.focus_next()

    def action_line_before(self) -> None:
        """Go to the line before."""
        self.focus_previous()

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self._take_choice()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what enter does wherever the cursor is."""
        event.stop()
        self.action_start()

    def action_start(self) -> None:
        """Open the folder, or read the file and begin."""
        if self._reading:
            return
        if self._names_file:
            try:
                numbers = self._numbers()
            except SettingError as error:
                self._say(error.title, wrong=True)
                return
            self._reading = True
            self._say(f"Reading {make_safe(self._file.name)} …")
            self._read(
                self._file, {one.id: one.value.strip() for one in self.query(Input) if one.id}, numbers
            )
        elif self.focused is self._path:
            self._take_choice()
        else:
            self.set_focus(self._path)
            self._say(self._no_file_words, wrong=True)

    @property
    def _no_file_words(self) -> str:
        """Why what is typed names no file that can be read."""
        typed = self._path.value.strip()
        if not typed:
            return "No file of scenarios is named yet: choose one."
        if self._file.is_dir():
            return f"{typed} is a folder: choose a file of scenarios in it."
        return f"There is no file {self._file}."

    def _take_choice(self) -> None:
        choice = self.choices.current
        if choice is None or choice.disabled:
            self._say("There is no such file.", wrong=True)
            return
        parent = self._path.value.rpartition("/")[0]
        under = f"{parent}/" if parent or self._path.value.startswith("/") else ""
        self._set_path(f"{under}{choice.name}")
        if not choice.name.endswith("/"):
            self.query_one("#target", Input).focus()

    def _set_path(self, text: str) -> None:
        self._path.value = text
        self._path.cursor_position = len(text)

    def _numbers(self) -> dict[str, int | None]:
        """Return the numbers that were typed. Raises SettingError for what is none."""
        found: dict[str, int | None] = {}
        for line in _NUMBERS:
            typed = self.query_one(f"#{line.id}", Input).value.strip()
            least = 0 if line.id == "seed" else 1
            if typed and not (typed.isdecimal() and len(typed) < 10 and int(typed) >= least):
                raise SettingError(f"{line.label}: {typed} is no whole number from {least} on")
            found[line.id] = int(typed) if typed else None
        return found

    # Beginning

    @work(thread=True, exclusive=True, exit_on_error=False)
    def _read(self, path: Path, typed: dict[str, str], numbers: dict[str, int | None]) -> None:
        from turnwise.conversations.scenarios import load_scenarios

        worker, why = get_current_worker(), ""
        try:
            loaded = load_scenarios(path)
        except (TurnwiseError, OSError) as error:
            why = str(error)
        if worker.is_cancelled:
            return
        if why:
            hand_over(self, self._refuse, why)
        else:
            hand_over(self, self._choose, loaded, typed, numbers)

    def _refuse(self, why: str) -> None:
        self._reading = False
        self._say(why, wrong=True)

    @work(exclusive=True, exit_on_error=False)
    async def _choose(
        self, loaded: LoadedScenarios, typed: dict[str, str], numbers: dict[str, int | None]
    ) -> None:
        """Find who plays the users, and hand over what is to be done."""
        from turnwise.engine.models.choose import choose_model

        judge = self.shell.judge.settings
        needed = any(scenario.script is None for scenario in loaded.scenarios)
        try:
            named = (
                await choose_model(typed["user"], noun="user model") if needed and typed["user"] else judge
            )
        except TurnwiseError as error:
            self._refuse(str(error))
            return
        if needed and named is None:
            self._refuse("No model is there to play the users: name one, or choose a judge.")
            return
        plan = SimulationPlan(
            scenarios=loaded.scenarios,
            target=typed["target"] or None,
            user_model=named if needed else None,
            seed=numbers["seed"] or 0,
            at_once=numbers["at_once"] or AT_ONCE,
            turns=numbers["turns"] or MOST_TURNS,
            seconds=numbers["seconds"],
        )
        self.dismiss(AskedSimulation(plan, typed, loaded.remarks))

    def action_cancel(self) -> None:
        """Go back; what is being read is not played."""
        self.end_work()
        super().action_cancel()

    def action_help(self) -> None:
        """Show all keys."""
        self.shell.action_help()
