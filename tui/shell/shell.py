"""Shell: what the screens, dialogs and commands of turnwise ask of the app that they are shown in.

The app imports the screens that it opens. They in turn know the app by this protocol alone, so that no circle
of imports comes to be, and so that it is said in one place what a screen may ask for. What any Textual app
offers (`push_screen`, `notify`, `size` ...) is asked of `self.app` as anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

if TYPE_CHECKING:
    from textual.app import SystemCommand
    from textual.command import Provider
    from textual.message_pump import MessagePump
    from textual.screen import Screen
    from textual.signal import Signal

    from turnwise.conversations.errors import TurnwiseError
    from turnwise.conversations.store import Store
    from turnwise.engine.comparing.compare import RunComparison
    from turnwise.tui.actions import Place, Table
    from turnwise.tui.settings.last_used import UsedMemory
    from turnwise.tui.settings.settings import Settings
    from turnwise.tui.shell.judge_in_use import JudgeInUse
    from turnwise.tui.shell.kept_dialogs import KeptDialogs
    from turnwise.tui.shell.kept_finding import KeptFinding
    from turnwise.tui.shell.look_timer import LookTimer
    from turnwise.tui.shell.looks import Looks
    from turnwise.tui.shell.mode_steps import ModeSteps
    from turnwise.tui.shell.runs import Runs, RunState
    from turnwise.tui.shell.sights import Sights

Told = TypeVar("Told")


@dataclass(eq=False)
class _Following:
    """One screen that follows one signal."""

    screen: Screen[Any]
    signal: Signal[Any]
    callback: Callable[[Any], object]
    missed: list[Any] = field(default_factory=list)
    """What was told last while the screen was away; empty for nothing."""


class Followers:
    """Who follows which signal, while they are there: a screen that was away hears the last word once it is.

    A signal alone keeps a screen that is gone, and the long conversation in it, until it is next published.
    And it would have a screen that is kept while it is closed read again and again what nobody sees.
    """

    def __init__(self, there: Callable[[], Sequence[Screen[Any]]]) -> None:
        """there: gives the screens that are open, from the lowest on."""
        self._there = there
        self._followed: list[_Following] = []

    def follow(self, screen: Screen[Any], signal: Signal[Told], callback: Callable[[Told], object]) -> None:
        """Call back with whatever a signal tells, as long as the screen is there."""
        one = _Following(screen, signal, callback)

        def hear(told: Told) -> None:
            if screen in self._there():
                callback(told)
            else:
                one.missed = [told]

        signal.subscribe(screen, hear)
        self._followed.append(one)

    def let_go(self, kept: Collection[Screen[Any]]) -> None:
        """Forget all screens but those that are there, and those that are kept to come again.

        To those that have come it is told what they missed.
        """
        there = self._there()
        for one in self._followed:
            if one.screen in there:
                missed, one.missed = one.missed, []
                for told in missed:
                    one.callback(told)
            elif one.screen not in kept:
                one.signal.unsubscribe(one.screen)
        self._followed = [one for one in self._followed if one.screen in there or one.screen in kept]


class PlacesOfShell(Protocol):
    """The numbered places: how to go there, and how much each holds."""

    counted: Signal[None]
    """Tells that the counts changed."""

    @property
    def counts(self) -> Mapping[Place, int]:
        """How much each place holds, where that is known."""

    def show(self, action: str) -> bool:
        """Show the screen of an action above what is open; return whether it is one that can stand there."""

    def count(self) -> None:
        """Count what the places hold, in a thread."""

    def go(self, place: Place) -> None:
        """Go to a place. What is open there now is left first, which may ask and stay."""


class Shell(Protocol):
    """The app as screens know it; TurnwiseApp is what it is made of."""

    store: Store
    settings: Settings
    """What the user wants."""
    actions: Table
    """The actions of every place, with the keys of the user's keymap."""
    looks: Looks
    """The theme, how much moves, and what the terminal's title says."""
    no_color: bool
    """Whether all is drawn without colours, because NO_COLOR asks for it."""
    seen: set[int]
    """The sessions whose scores or labels are shown in reviews of this sitting."""
    digits: Sequence[int | None]
    """The failure modes that the digits give in queues of this sitting, by number, from 1; None for none."""
    mode_steps: dict[str, ModeSteps]
    """What somebody, by name, gave to sessions and took from them in this sitting."""
    looking: LookTimer
    """How long somebody looks at a queue."""
    sights: Sights
    """The sessions that somebody saw with their scores: a label of theirs is not blind."""

    judge: JudgeInUse
    """The judge that runs use."""
    runs: Runs
    """The one run that may be under way."""
    run_changed: Signal[RunState]
    """Tells how far the run is, at most ten times a second."""
    sessions_changed: Signal[None]
    """Tells that sessions or their scores may have changed, at most once a second while a run goes on."""
    came_back: Signal[None]
    """Tells that one came back to the terminal from another window."""
    kept_dialogs: KeptDialogs
    """Dialogs that are kept when they close."""
    compared: KeptFinding[RunComparison]
    """What was compared last: of many scores it takes seconds, and a closed comparison is opened again."""
    used: UsedMemory
    """What was used last: judges, chatbots, metrics and the folder of imports."""

    @property
    def places(self) -> PlacesOfShell:
        """The numbered places."""

    @property
    def followers(self) -> Followers:
        """Lets a screen hear of the signals above."""

    def tour_commands(self) -> Iterable[SystemCommand]:
        """Return what the command palette offers of the tour."""

    def tell_error(self, error: TurnwiseError) -> None:
        """Show an error as a toast: what happened, where, and the next step."""

    def tell_mistake(self, error: Exception) -> None:
        """Tell of something that failed unheard in the background, and keep its traceback."""

    def open_session(self, session_id: int, told: Sequence[int] = (), *, turn: int | None = None) -> None:
        """Read a session, at a turn where one is named. Tells where there is none of that number.

        told: sessions beside it of which what people say was told already, so that nothing is hidden of them;
        without any, the library goes to what was read.
        """

    def open_queue(self, queue_id: int) -> None:
        """Review a queue from its first session that is not done, or at its end."""

    def open_replay(self, session_id: int, *, hides: bool = False) -> None:
        """Play a session again. hides: whether what was found is hidden where one comes from."""

    def score(
        self, session_ids: Sequence[int], *, metrics: Sequence[str] = (), compared: bool = False
    ) -> object:
        """Ask what to judge these sessions by, and begin.

        metrics: those ticked at first. compared: shows at the end how outcomes differ from those before.
        """

    async def ask_judge(self, why: str = "", none: str = "") -> bool:
        """Let the judge be chosen, and keep the choice; return whether it was. Call it from a worker.

        why: a sentence that says what takes a judge and goes on once there is one. none: what goes on without
        one; empty where nothing does, so that none is not offered.
        """

    def action_choose_judge(self) -> object:
        """Let the judge be chosen."""

    def action_stop_run(self) -> Coroutine[Any, Any, None]:
        """Stop the run that is under way."""

    def action_jump(self) -> None:
        """Show a letter at every place that can be gone to."""

    def action_help(self) -> None:
        """Show all keys of the present screen."""


class ShellOfApp:
    """Put as `shell` into a class that has an `app`, it is that app, known as a Shell."""

    def __get__(self, part: MessagePump | Provider, kind: type[object]) -> Shell:
        """Return the app that a screen, dialog or provider of commands belongs to."""
        return cast("Shell", part.app)
