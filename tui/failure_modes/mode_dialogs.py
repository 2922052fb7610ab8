"""Dialogs about a failure mode: give and take those of a session, pick one, or write its name and definition.

choose_modes(app, session_id, turn=4, done=lambda changed: ...)
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import AssignedMode, FailureMode, checked_definition, checked_name
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.failure_modes.mode_words import OF_OTHERS, UNDEFINED, had_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

NEW = "new"
"""The choice that makes a mode of what was typed."""
FILTER_HINT = "(type to filter, or a new name)"
DEFINITION_HINT = "(one sentence: it applies when the chatbot …)"

Result = TypeVar("Result")


def choose_modes(
    app: App[object],
    session_id: int,
    turn: int | None = None,
    done: Callable[[bool], None] | None = None,
    *,
    of: str = "the session",
    blind: bool = False,
) -> None:
    """Open the dialog that gives a session its failure modes. done: told whether anything changed.

    turn: the number of the turn at which they show; None for the session as a whole. of: what the title calls
    the session. blind: whether those that others gave are not shown.
    """

    def tell(changed: bool | None) -> None:
        if done is not None:
            done(bool(changed))

    kept = cast("Shell", app).kept_dialogs
    app.push_screen(kept.of(ModeDialog, session_id, turn, of=of, blind=blind), tell)


class _ChoosingDialog(Dialog[Result]):
    """A line to filter by, the modes that match, and a new one of the name that is typed."""

    DEFAULT_CSS = """
    _ChoosingDialog #panel { width: 130; }
    _ChoosingDialog ChoiceList { max-height: 12; min-height: 3; margin-top: 1; }
    _ChoosingDialog #about { margin-top: 1; }
    _ChoosingDialog #means { margin-bottom: 1; }
    _ChoosingDialog.-means ChoiceList { max-height: 9; }
    """

    def begin_with(self, title: str, *, without: int | None = None, means: str = "", asks: str = "") -> None:
        """Take what it asks. without: a mode that is not offered. means: what comes of the choice.

        asks: what is to be chosen, where the cursor stands on no mode until one types or moves it.
        """
        self._title = make_safe_line(title)
        self._asks = asks
        self._means = make_safe_line(means)
        self._without = without
        self._modes: Sequence[FailureMode] = ()

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(self._title), classes="title")
            yield self._told_means(Static(Content(""), id="means", classes="words"))
            yield Input(placeholder=FILTER_HINT, select_on_focus=False)
            yield ChoiceList()
            yield Static(Content(""), id="about", classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine(self.PLACE)

    def on_mount(self) -> None:
        """Read the modes."""
        # The list would take the key that the line needs.
        self.query_one(ChoiceList).can_focus = False
        self.query_one(Input).focus()
        self.read_modes()

    def fill(self) -> None:
        """Read them for something else."""
        rewrite(self.query_one(".title", Static), self._title)
        self._told_means(self.query_one("#means", Static))
        self.query_one(Input).value = ""
        self.read_modes(anew=True)

    def _told_means(self, line: Static) -> Static:
        """Write what comes of the choice into its line, which has no room where nothing is to be said."""
        rewrite(line, self._means)
        line.display = bool(self._means)
        self.set_class(line.display, "-means")
        return line

    def read_modes(self, *, anew: bool = False) -> None:
        """Read the modes anew; there are a few dozen at most. anew: the cursor stands on the first."""
        modes = self.shell.store.modes.all(counted=False)
        self._modes = [mode for mode in modes if mode.id != self._without]
        self._show(anew=anew)

    def sign(self, mode: FailureMode) -> str:
        """Return what stands before a mode."""
        return ""

    def about(self, mode: FailureMode) -> str:
        """Return what stands beside a mode."""
        return mode.definition or UNDEFINED

    @abstractmethod
    def take(self, mode: FailureMode) -> None:
        """Give, take or pick the mode: what the dialog was opened for."""

    def told(self, choices: ChoiceList) -> str:
        """Return what is told of a choice under the cursor: its definition where that is cut in the list."""
        return choices.cut_note or self.rest()

    def rest(self) -> str:
        """Return the words that are shown while the cursor is on no mode."""
        return self._asks if self.query_one(ChoiceList).current is None else ""

    @property
    def _typed(self) -> str:
        return " ".join(self.query_one(Input).value.split())

    def _show(self, *, anew: bool = False) -> None:
        typed = self._typed.casefold()
        found = [mode for mode in self._modes if typed in mode.name.casefold()]
        found.sort(key=lambda mode: not mode.name.casefold().startswith(typed))
        choices = [Choice(str(mode.id), mode.name, self.about(mode), sign=self.sign(mode)) for mode in found]
        if typed and not any(mode.name.casefold() == typed for mode in self._modes):
            choices.append(
                Choice(NEW, self._typed, "a new failure mode; say later when it applies", sign="+")
            )
        listed = self.query_one(ChoiceList)
        listed.show(choices, anew=anew)
        if self._asks and not typed:
            listed.highlighted = None
        # Enter has a name only where it does something.
        self.refresh_bindings()
        if not choices:
            self._tell("No failure modes yet: type a name for the first.")
        else:
            self._tell(self.rest())

    def _tell(self, text: str, *, wrong: bool = False) -> None:
        rewrite(self.query_one("#about", Static), "" if wrong else make_safe_line(text))
        line = self.query_one(".wrong", Static)
        rewrite(line, make_safe_line(text) if wrong else "")
        line.display = wrong

    def on_input_changed(self) -> None:
        """Show what matches."""
        self._show()

    def on_resize(self) -> None:
        """Tell it in the room there is."""
        self.call_after_refresh(self.on_option_list_option_highlighted)

    def on_option_list_option_highlighted(self) -> None:
        """Tell of what is under the cursor, and what enter does with it."""
        choices = self.query_one(ChoiceList)
        if choices.current is not None:
            self._tell(self.told(choices))
        self.refresh_bindings()

    def on_input_submitted(self) -> None:
        """Take what the cursor is on."""
        self._act()

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self._act()

    def _act(self) -> None:
        choice = self.query_one(ChoiceList).current
        if choice is None:
            self._tell(self._asks or "Type a name first.", wrong=True)
            return
        # No key is answered here but what is typed, of which an error would end the program.
        try:
            if choice.id == NEW:
                self._make()
            else:
                self.take(next(mode for mode in self._modes if str(mode.id) == choice.id))
        except TurnwiseError as error:
            self._tell(". ".join(part for part in (error.title, error.next_step) if part), wrong=True)

    def _make(self) -> None:
        # When it applies is clear once some sessions have it: the definition is not asked for now.
        mode_id = self.shell.store.modes.add(self._typed, "", author_of(self.shell.settings))
        self.read_modes()
        self.take(next(mode for mode in self._modes if mode.id == mode_id))

    def action_cancel(self) -> None:
        """Go back."""
        self.leave()

    def action_help(self) -> None:
        """Show all keys."""
        self.shell.action_help()

    def leave(self) -> None:
        """Go back without a choice."""
        self.dismiss(None)


class ModeDialog(_ChoosingDialog[bool]):
    """Gives a session failure modes at a turn and takes them back; ends with whether it did.

    What somebody else gave is marked as theirs, unless the labels of others are hidden. It can be given too,
    and stays theirs whatever is taken back here.
    """

    PLACE: ClassVar[Place] = "mode_choice"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("mode_choice"))

    def begin(
        self, session_id: int, turn: int | None = None, *, of: str = "the session", blind: bool = False
    ) -> None:
        """Take whose modes, as `choose_modes` tells."""
        where = f" at turn {turn}" if turn is not None else ""
        self.begin_with(f"Failure modes{where} of {of}")
        self._session_id = session_id
        self._turn = turn
        self._blind = blind
        self._given: dict[int, AssignedMode] = {}
        self._changed = False

    def read_modes(self, *, anew: bool = False) -> None:
        """Read which modes there are, and which the session has."""
        given = self.shell.store.modes.of(self._session_id)
        me = author_of(self.shell.settings)
        self._given = {one.mode_id: one for one in given if not self._blind or one.is_by(me)}
        super().read_modes(anew=anew)

    def sign(self, mode: FailureMode) -> str:
        """Tick what one gave to the session, and mark what somebody else gave, each with its turn."""
        given = self._given.get(mode.id)
        if given is None:
            return "·"
        mark = OF_OTHERS if self._of_others(given) else "✓"
        return mark if given.turn is None else f"{mark} turn {given.turn}"

    def about(self, mode: FailureMode) -> str:
        """Say before the definition who gave it, where that is somebody else."""
        given, about = self._given.get(mode.id), super().about(mode)
        return f"by {given.author} · {about}" if given is not None and self._of_others(given) else about

    def told(self, choices: ChoiceList) -> str:
        """Say of a mode that somebody else gave what the mark means, and what enter does."""
        return self._told_of_others() or super().told(choices)

    def _told_of_others(self) -> str:
        given = self._under_cursor(self.query_one(ChoiceList).current)
        if given is None or not self._of_others(given):
            return ""
        key = key_of(self.shell.actions, "mode_choice", "give")
        return f"{OF_OTHERS} given by {given.author}: {key} gives it in your name too, and theirs stays."

    def key_now(self, action: Action) -> Action:
        """Say what enter does with the choice under the cursor."""
        if action.name != "give":
            return action
        choice = self.query_one(ChoiceList).current
        if choice is None:
            return replace(action, rank=0)
        given = self._under_cursor(choice)
        if choice.id == NEW:
            return replace(action, title="name and give it")
        if given is None:
            return replace(action, title="give it")
        return replace(action, title="give it too" if self._of_others(given) else "take it back")

    def _under_cursor(self, choice: Choice | None) -> AssignedMode | None:
        """Return the mode of the session that is under the cursor; None where the session has it not."""
        return self._given.get(int(choice.id)) if choice is not None and choice.id != NEW else None

    def rest(self) -> str:
        """Say what the session has, or of what somebody else gave it what enter does."""
        if not self._given:
            return "The session has no failure mode yet."
        if told := self._told_of_others():
            return told
        return "It has: " + ", ".join(map(self._words, self._given.values()))

    def _words(self, given: AssignedMode) -> str:
        at = f" at turn {given.turn}" if given.turn else ""
        return f"{given.name}{at}{f' by {given.author}' if self._of_others(given) else ''}"

    def _of_others(self, given: AssignedMode) -> bool:
        return not given.is_by(author_of(self.shell.settings))

    def take(self, mode: FailureMode) -> None:
        """Give the mode, or take it back where one gave it."""
        modes, me = self.shell.store.modes, author_of(self.shell.settings)
        if not modes.withdraw([self._session_id], mode.id, me):
            modes.assign([self._session_id], mode.id, me, turn=self._turn, too=True)
        self._changed = True
        self.query_one(Input).value = ""
        self.read_modes()

    def action_give(self) -> None:
        """Give or take the mode under the cursor."""
        self._act()

    def leave(self) -> None:
        """Go back; what was chosen is kept already."""
        self.dismiss(self._changed)


class ModePickDialog(_ChoosingDialog[int | None]):
    """Picks one mode; ends with its number, or None."""

    PLACE: ClassVar[Place] = "mode_pick"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("mode_pick"))

    def begin(
        self,
        title: str,
        *,
        without: int | None = None,
        means: str = "",
        does: str = "choose",
        asks: str = "",
        sessions: Sequence[Collection[str]] = (),
    ) -> None:
        """title: what it is picked for. without: a mode that is not offered. means: what comes of it.

        does: in the line of keys, what enter does. asks: what is to be chosen, where none is at first.
        sessions: which modes each of those has that it is picked for, by name, where that is known.
        """
        self.begin_with(title, without=without, means=means, asks=asks)
        self._does = does
        self._chosen = len(sessions)
        self._had = Counter(name for names in sessions for name in set(names))

    def key_now(self, action: Action) -> Action:
        """Say what enter does with the mode, where one is chosen."""
        if action.name != "choose":
            return action
        is_chosen = self.is_mounted and self.query_one(ChoiceList).current is not None
        return replace(action, title=self._does, rank=action.rank if is_chosen else 0)

    def about(self, mode: FailureMode) -> str:
        """Say before the definition how many of the sessions have the mode already."""
        had = had_words(self._had[mode.name], self._chosen)
        return " · ".join(filter(None, (had, super().about(mode))))

    def take(self, mode: FailureMode) -> None:
        """Take the mode."""
        self.dismiss(mode.id)

    def action_choose(self) -> None:
        """Choose the mode under the cursor."""
        self._act()


@dataclass(frozen=True, slots=True)
class WrittenMode:
    """What was written."""

    name: str
    definition: str


class ModeEditDialog(Dialog[WrittenMode | None]):
    """Asks for both lines; ends with what was written, or None where it was cancelled.

    A mode that has a name and no definition yet may be given another name alone.
    """

    PLACE: ClassVar[Place] = "mode_edit"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("mode_edit"))
    DEFAULT_CSS = """
    ModeEditDialog Input { margin-bottom: 1; }
    """

    def begin(self, title: str, name: str = "", definition: str = "") -> None:
        """title: what is done. name and definition: what stands there at first."""
        self._title = title
        self._named = name
        self._definition = definition
        self._may_follow = bool(name) and not definition
        """Whether the definition may still follow."""

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield Static("Name: what the chatbot does, in a few words", classes="words", markup=False)
            yield Input(id="name", placeholder="(such as asks again for what it was told)")
            yield Static(Content(""), id="defines", classes="words")
            yield Input(id="definition", placeholder=DEFINITION_HINT, select_on_focus=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("mode_edit")

    def on_mount(self) -> None:
        """Show what stands there."""
        self.fill()

    def fill(self) -> None:
        """Show what stands there; what is typed first takes the place of the name."""
        rewrite(self.query_one(".title", Static), make_safe_line(self._title))
        later = "; it may follow later" if self._may_follow else ""
        rewrite(self.query_one("#defines", Static), f"Definition: a sentence that people apply alike{later}")
        name, definition = self.query_one("#name", Input), self.query_one("#definition", Input)
        name.value, definition.value = self._named, self._definition
        definition.cursor_position = len(self._definition)
        name.select_all()
        self.set_focus(name)
        self.query_one(".wrong").display = False

    def on_input_submitted(self) -> None:
        """Go on to the definition, or keep both."""
        self.action_keep()

    def action_help(self) -> None:
        """Show all keys."""
        self.shell.action_help()

    def action_next_field(self) -> None:
        """Go on to the other line."""
        other = "#definition" if self.query_one("#name", Input).has_focus else "#name"
        self.query_one(other, Input).focus()

    def action_keep(self) -> None:
        """Keep what was written, once both lines are, or the definition may follow."""
        name, definition = (self.query_one(f"#{field}", Input) for field in ("name", "definition"))
        if name.has_focus and not definition.value.strip():
            definition.focus()
            return
        try:
            follows = self._may_follow and not definition.value.strip()
            defined = "" if follows else checked_definition(definition.value)
            written = WrittenMode(checked_name(name.value), defined)
        except TurnwiseError as error:
            line = self.query_one(".wrong", Static)
            line.update(make_safe_line(f"{error.title}. {error.next_step}"))
            line.display = True
            return
        self.dismiss(written)
