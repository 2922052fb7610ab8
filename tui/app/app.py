"""TurnwiseApp: the app on one store: its stack of screens, its settings, its judge, its run, and its errors.

Screens know it as a Shell (shell.py). What it needs of Textual's inside stands in textual_internals.
"""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from textual import events, work
from textual.actions import ActionParseResult
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.driver import Driver
from textual.notifications import Notify, SeverityLevel
from textual.screen import Screen
from textual.signal import Signal
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Store
from turnwise.tui.actions import Place, Table, bindings, target_of
from turnwise.tui.app.crash import crash_error, known_error, wants_traceback, write_crash_log
from turnwise.tui.app.drivers import driver_beside
from turnwise.tui.app.going import Going
from turnwise.tui.app.guarding import guard_loop
from turnwise.tui.app.keys_in_turn import KeysInTurn
from turnwise.tui.app.last_place import Returning
from turnwise.tui.app.leaving import Leaving
from turnwise.tui.app.made_later import begin_ahead
from turnwise.tui.app.outside_changes import OutsideChanges
from turnwise.tui.app.pauses import keep_pauses_short
from turnwise.tui.app.style import STYLE
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.judging.run_line import RunLine, ended_words
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.parts.error_words import told_apart
from turnwise.tui.parts.notice import drop_notes_with_screens, make_room, tell_news
from turnwise.tui.settings.keymap import key_of, read_keymap
from turnwise.tui.settings.last_used import UsedMemory
from turnwise.tui.settings.settings import Settings, author_of
from turnwise.tui.settings.themes import DARK
from turnwise.tui.shell.judge_in_use import JudgeInUse
from turnwise.tui.shell.kept_dialogs import KeptDialogs
from turnwise.tui.shell.kept_finding import KeptFinding
from turnwise.tui.shell.look_timer import LookTimer
from turnwise.tui.shell.looks import Looks
from turnwise.tui.shell.runs import Runs, RunState
from turnwise.tui.shell.shell import Followers, Shell
from turnwise.tui.shell.sights import Sights
from turnwise.tui.textual_internals.apps import (
    break_off,
    covers_what_is_below,
    goes_on_where_a_part_is_cancelled,
    keep_for_tests,
    let_timers_end,
    lets_screens_go_quietly,
    on_front_change,
    take_errors,
)
from turnwise.tui.textual_internals.asked import tells_what_opens
from turnwise.tui.textual_internals.fields import answers_in_turn
from turnwise.tui.textual_internals.kept_frames import keep_frames
from turnwise.tui.textual_internals.kept_styles import keep_styles
from turnwise.tui.textual_internals.light_drawing import forget_drawings, make_textual_light, remember_styles
from turnwise.tui.textual_internals.terminals import clear_terminal, draw_in_colour, draw_without_colour
from turnwise.tui.tour.guide import TourGuide

if TYPE_CHECKING:
    from turnwise.engine.comparing.compare import RunComparison
    from turnwise.tui.record.talk_plan import TalkPlan
    from turnwise.tui.shell.mode_steps import ModeSteps

RIGHT_BUTTON = 3
SECONDS_OF_AN_ERROR = 12.0
SECONDS_BETWEEN_REFRESHES = 1.0
"""While a run goes on, screens read scores anew at most this often."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the app shows first.

    record: a talk to record. replay: a session to play. demo: the database is that of the demo. begun: called
    when the app takes the terminal, whatever it shows; returns whether that shows its other screen already.
    """

    record: TalkPlan | None = None
    replay: int | None = None
    demo: bool = False
    begun: Callable[[], bool] = field(default=lambda: False, compare=False)


@goes_on_where_a_part_is_cancelled
@lets_screens_go_quietly
@covers_what_is_below
@tells_what_opens
class TurnwiseApp(App[int]):
    """turnwise in the terminal. It never shows raw text, and no traceback where words will do."""

    TITLE = "turnwise"
    CSS = STYLE
    # It has one of its own, which is kept.
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("everywhere"))

    def __init__(
        self,
        store: Store,
        opening: Opening | None = None,
        *,
        settings: Settings | None = None,
        theme: str = DARK,
    ) -> None:
        """settings: what the user wants; None for all as it comes. theme: by the name it is registered as."""
        super().__init__()
        make_textual_light()
        keep_frames()
        answers_in_turn(Input)
        let_timers_end()
        keep_styles(self)
        remember_styles(self)
        self.settings = settings or Settings()
        self.looks = Looks(self, self.settings, self.tell_error)
        """The theme, how much moves, and what the terminal's title says."""
        self.no_color = self.looks.no_color
        (draw_without_colour if self.no_color else draw_in_colour)(self)
        self.looks.begin(theme)
        keymap = read_keymap(self.settings.keymap)
        self.actions: Table = keymap.table
        """The registry's actions with the keys of the user's keymap."""
        self.set_keymap(keymap.bindings())
        self.store = store
        self.opening = opening or Opening()
        take_errors(self, self._take_error)
        self.error: TurnwiseError | None = None
        """What ended the app, where a person can do something about it."""
        self.guarded = False
        """Whether signals and failed tasks are the app's to hear; not in tests, which share a process."""
        self.heard_at = time.monotonic()
        """When a key or the mouse was heard last, on the clock of `time.monotonic`."""
        self.kept_dialogs = KeptDialogs(self, lambda: (self.theme, self.size, self.looks.reduced_motion))
        """Dialogs that are kept when they close."""
        self.compared: KeptFinding[RunComparison] = KeptFinding()
        """What was compared last."""
        self.used = UsedMemory()
        """What was used last, offered first."""
        self.judge = JudgeInUse(self, self.settings, self.tell_error, self.used, store)
        """The judge that runs use."""
        self.runs = Runs(store, self._hear_run)
        """The one run that may be under way, whatever screen is open."""
        self.run_changed: Signal[RunState] = Signal(self, "run_changed")
        """Tells how far the run is, at most ten times a second."""
        self.sessions_changed: Signal[None] = Signal(self, "sessions_changed")
        """Tells that sessions or their scores may have changed, at most once a second while a run goes on."""
        self.came_back: Signal[None] = Signal(self, "came_back")
        """Tells that one came back to the terminal from another window."""
        self.places = Going(self, store)
        """The numbered places."""
        self.followers = Followers(lambda: self.screen_stack)
        """The screens that hear of these."""
        self.looking = LookTimer()
        """How long somebody looks at a queue."""
        self.sights = Sights(store, lambda: author_of(self.settings))
        """The sessions that somebody saw with their scores: a label of theirs is not blind."""
        self.seen: set[int] = set()
        """The sessions whose scores or labels are shown in reviews of this sitting."""
        self.digits: Sequence[int | None] = ()
        self._keys_in_turn = KeysInTurn(self, self.actions)
        self.mode_steps: dict[str, ModeSteps] = {}
        self.tour = TourGuide(self, store, keymap.table, lambda: self.library.show_query(""))
        """Leads a newcomer through the app, where it is wanted."""
        self.returning = Returning(self, store, keymap.moved)
        self.leaving = Leaving(
            self,
            self.runs,
            self.returning,
            self.sights,
            key=key_of(keymap.table, "runs", "go_on"),
            soon=key_of(keymap.table, "everywhere", "quit_soon"),
        )
        self._refreshed = 0.0
        self._outside = OutsideChanges(self, store, self.runs, lambda: self.sessions_changed.publish(None))

    def get_driver_class(self) -> type[Driver]:
        """Read the terminal so that the escape key answers at once, where Textual has no other way there."""
        return driver_beside(super().get_driver_class())

    def begun(self) -> bool:
        """Take the terminal; return whether it shows words on its other screen already."""
        return self.opening.begun()

    def refresh(self, *, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Lay the screen out without drawing all of it: below a screen that goes that has just been done."""
        return super().refresh(repaint=repaint and not layout, layout=layout, recompose=recompose)

    # What is opened first

    def get_default_screen(self) -> LibraryScreen:
        """Return the library: the first thing that is drawn."""
        return LibraryScreen(self.store)

    def on_mount(self) -> None:
        """Show what was asked for above the library, and look for a judge meanwhile."""
        # Draw everything again whenever the terminal was another program's.
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))
        self.looks.follow()
        drop_notes_with_screens(self)
        on_front_change(self, self._let_go)
        on_front_change(self, self.tour.follow)
        if self.guarded:
            guard_loop(self.tell_mistake, self.end_by_signal)
        # After the first paint, which it would hold up.
        self.call_after_refresh(self._begin)
        if self.opening.replay is not None:
            from turnwise.tui.replay.replay_screen import ReplayScreen

            self.push_screen(ReplayScreen(self.opening.replay), lambda _: self._leave(None))
        if self.opening.record is not None:
            from turnwise.tui.record.record_screen import RecordScreen

            self.push_screen(RecordScreen(self.opening.record), self._leave)

    def _leave(self, recorded: int | None) -> None:
        """End the program with what was asked for on the command line. recorded: the session to name."""
        self.run_worker(self.leaving.with_what_was_opened(recorded, self.library.go_to_session))

    def _begin(self) -> None:
        if not gc.isenabled():
            # It was stopped for the first paint.
            keep_pauses_short(self, lambda: self.heard_at)
        begin_ahead(self, self, lambda: self.heard_at)
        self._outside.begin()
        self.tour.begin(at_first=self.opening.demo)
        if self.opening == Opening():
            self.returning.offer()
        if not self.judge.chosen:
            self.find_judge()

    def action_last_place(self) -> None:
        """Go to where one was last time."""
        self.returning.go()

    def watch_app_focus(self, focused: bool) -> None:
        """Tell that one came back."""
        if focused:
            self.looking.came_back()
            self.came_back.publish(None)
        else:
            self.looking.heard()

    def find_judge(self) -> None:
        """Look for a judge; whoever wants something judged is asked where none is found."""
        self.judge.look_for(lambda: None)

    def _let_go(self) -> None:
        # Nothing is kept of a screen that is gone: memory would grow with every dialog that is opened.
        forget_drawings()
        self.followers.let_go(self.kept_dialogs.screens)
        self.kept_dialogs.let_go(self.screen_stack)

    # What every screen has

    @property
    def library(self) -> LibraryScreen:
        """The screen below all others."""
        library = self.screen_stack[0]
        assert isinstance(library, LibraryScreen)  # noqa: S101
        return library

    @property
    def place(self) -> Place:
        """Which screen's keys hold now."""
        place: Place = getattr(self.screen, "PLACE", "everywhere")
        return place

    def action_command_palette(self) -> None:
        """Find an action by its name, a session or a turn."""
        from turnwise.tui.app.action_palette import open_palette

        open_palette(self, self)

    def action_menu(self) -> None:
        """Offer what can be done where the focus is."""
        from turnwise.tui.app.pointer_menu import open_menu_at_focus

        open_menu_at_focus(self, self, self.place)

    def tour_commands(self) -> Iterable[SystemCommand]:
        """Return what the command palette offers of the tour."""
        return self.tour.commands()

    def action_tour(self) -> None:
        """Begin the tour, or end it."""
        self.tour.turn()

    def action_compare(self) -> None:
        """Compare two runs."""
        self.places.go("compare")

    def action_help(self) -> None:
        """Show what the present screen's marks mean and what its keys do."""
        from turnwise.tui.app.help import open_help

        if self.place != "help":
            open_help(self, self, self.place)

    def action_redraw(self) -> None:
        """Draw all of the screen anew, where the terminal lost a part of it."""
        clear_terminal(self)
        # What a part has drawn, and the screen of its parts, is drawn again only where it has changed.
        for part in self.screen.walk_children(Widget):
            part.refresh()
        self.screen.refresh(layout=True)

    def action_jump(self) -> None:
        """Show a letter at every place that can be gone to."""
        from turnwise.tui.app.jump import JumpScreen, key_lines_of, lines_of, targets_of

        targets = targets_of(self.screen)
        if targets:
            seen = key_lines_of(self.screen), lines_of(self.screen)
            screen = self.kept_dialogs.of(JumpScreen, targets, *seen)
            self.push_screen(screen, lambda go: go() if go is not None else None)
        else:
            self.notify("There is nowhere to jump to.")

    def open_session(self, session_id: int, told: Sequence[int] = (), *, turn: int | None = None) -> None:
        """Read a session, at a turn where one is named. Tells where there is none of that number.

        told: sessions beside it that hide nothing; without any, the library goes to what was read.
        """
        from turnwise.tui.review.review_screen import ReviewScreen
        from turnwise.tui.session_lists.stored_sessions import FoundSessions

        try:
            self.store.sessions.get(session_id)
        except TurnwiseError as error:
            self.tell_error(error)
        else:
            left = None if told else self.library.go_to_session
            found = FoundSessions(self.store, told, tells_scores=True) if told else None
            self.push_screen(self.kept_dialogs.take(ReviewScreen, session_id, found, turn=turn), left)

    def open_queue(self, queue_id: int) -> None:
        """Review a queue from its first session that is not done, or at its end."""
        from turnwise.tui.queues.queue_opening import open_queue

        open_queue(self, self, queue_id, self.library.go_to_session)

    def open_replay(self, session_id: int, *, hides: bool = False) -> None:
        """Play a session again."""
        from turnwise.tui.replay.replay_screen import ReplayScreen

        self.push_screen(self.kept_dialogs.take(ReplayScreen, session_id, hides=hides))

    # Judging

    async def ask_judge(self, why: str = "", none: str = "") -> bool:
        """Let the judge be chosen, and keep the choice; return whether it was. See Shell.ask_judge."""
        from turnwise.tui.judging.judge_dialog import JudgeDialog

        now = self.judge
        about = now.settings, now.source, now.trouble
        chosen = await self.push_screen_wait(self.kept_dialogs.take(JudgeDialog, *about, why=why, none=none))
        if chosen is not None:
            now.keep(chosen.settings)
        return chosen is not None

    @work(group="ask", exclusive=True)
    async def action_choose_judge(self) -> None:
        """Let the judge be chosen."""
        await self.ask_judge()

    @work(group="ask", exclusive=True)
    async def score(
        self, session_ids: Sequence[int], *, metrics: Sequence[str] = (), compared: bool = False
    ) -> None:
        """Ask what to judge these sessions by, and begin. For the parameters see Shell.score."""
        from turnwise.tui.judging.begin_scoring import begin_scoring

        await begin_scoring(self, self, session_ids, metrics, compared=compared)

    async def action_stop_run(self) -> None:
        """Stop the run that is under way."""
        if self.runs.under_way:
            await self.runs.stop()
        else:
            self.notify("No run is under way.")

    def _hear_run(self, state: RunState) -> None:
        if not self.is_running:
            return
        self.judge.hear(state)
        self.run_changed.publish(state)
        now = time.monotonic()
        if state.over or now - self._refreshed >= SECONDS_BETWEEN_REFRESHES:
            self._refreshed = now
            self.sessions_changed.publish(None)
        if not state.over:
            return
        if not state.stopped:
            self.looks.tell_end(state.error.title if state.error else ended_words(state), state.seconds)
        if state.error is not None:
            self.tell_error(state.error)
        elif not self.screen.query(RunLine):
            # Elsewhere the line of the run tells it, where it covers no result.
            tell_news(self, ended_words(state), warns=bool(state.failed))

    # What is told

    def tell_error(self, error: TurnwiseError) -> None:
        """Show an error as a toast: what happened, where, and the next step."""
        step = f"→ {error.next_step}" if error.next_step else ""
        text = "\n".join(filter(None, (error.detail, step)))
        self.notify(text or " ", title=error.title, severity="error", timeout=SECONDS_OF_AN_ERROR)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a toast. Its text is drawn as it is, whatever it holds: names and replies stand in many.

        What is told in passing takes the place of what was told before, and equal words that of each other.
        """
        title, message = told_apart(severity, title, message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def on_notify(self, event: Notify) -> None:
        """Make room for what is told now, which Textual adds to what was told before."""
        make_room(self, event.notification)

    # Looks

    def action_settings(self) -> None:
        """Choose the theme, how much moves, and what the terminal is told."""
        from turnwise.tui.app.settings_dialog import SettingsDialog

        if self.place != "settings":
            self.push_screen(self.kept_dialogs.of(SettingsDialog))

    def on_title_bar_changed(self) -> None:
        """Say it in the terminal's title."""
        # A title may still be told of when the last screen has gone.
        if self.screen_stack:
            self.looks.say_place(self.screen)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Let nothing blink where nothing is to move."""
        self.looks.heed_focus(event.widget)

    # What is typed and pasted

    async def on_event(self, event: events.Event) -> None:
        """Answer keys in turn; make what is pasted safe before any line to type in draws it as it is."""
        if isinstance(event, events.InputEvent):
            self.heard_at = time.monotonic()
            self.looking.heard()
        if isinstance(event, events.Paste):
            event.text = make_safe(event.text)
        if isinstance(event, events.Key) and await self._keys_in_turn.take(event):
            return
        await super().on_event(event)

    def on_click(self, event: events.Click) -> None:
        """Offer what can be done here to those who hold the mouse: the line of keys shows only some."""
        if event.button == RIGHT_BUTTON:
            from turnwise.tui.app.pointer_menu import open_menu

            open_menu(self, self, self.place, event.screen_offset)

    # What goes wrong

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key or a click asks for; where that cannot be done, say so and go on.

        An action with a target is answered by that part of the screen.
        """
        # One that is slow to open has no parts yet: a key that comes before it is seen is meant for none.
        if isinstance(default_namespace, Screen) and not default_namespace.is_mounted:
            return False
        if isinstance(action, str):
            self.tour.hear(self.place, action)
        try:
            if isinstance(default_namespace, StillScreen) and isinstance(action, str):
                place: Place | None = getattr(default_namespace, "PLACE", None)
                if target := target_of(place, action):
                    return await self._move(default_namespace, action, target)
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            # A full disk or a locked database may be well again at the next key.
            if (ours := known_error(error)) is None:
                raise
            self.tell_error(ours)
            return True

    async def _move(self, screen: StillScreen[Any], action: str, target: str) -> bool:
        """Let the part `target` of a screen answer an action; return whether it did."""
        if not screen.check_action(action, ()):
            return False
        part: object = getattr(screen, target)
        if isinstance(part, DOMNode):
            answered = await super().run_action(action, part)
        else:
            if isawaitable(done := getattr(part, f"action_{action}")()):
                await done
            answered = True
        if answered:
            screen.after_move()
        return answered

    def tell_mistake(self, error: Exception) -> None:
        """Tell of something that failed unheard in the background, and keep its traceback."""
        if (ours := known_error(error)) is not None:
            self.tell_error(ours)
        elif (log := write_crash_log(error)) is not None:
            self.notify(
                f"{type(error).__name__}: {error}\nSee {log}", title="Something failed", severity="error"
            )

    def _take_error(self, error: Exception) -> Exception | None:
        """Take an error that nothing caught; return it where Textual is to print its traceback."""
        ours = known_error(error)
        if ours is not None and isinstance(error, WorkerFailed) and self.is_running:
            # A worker ends alone: the screens live on, and the next key may do better.
            self.tell_error(ours)
            return None
        if ours is None and wants_traceback():
            return error
        if ours is None:
            keep_for_tests(self, error)
            ours = crash_error(error)
        # The first is the cause.
        self.error = self.error or ours
        break_off(self, ours.exit_code)
        return None

    # Leaving

    async def action_quit_soon(self) -> None:
        """Leave on the second press within two seconds, so that one slip loses nothing."""
        await self.leaving.soon()

    async def action_quit(self) -> None:
        """Leave; while a run goes on, once it was asked."""
        if self.runs.under_way:
            self._ask_to_quit()
        else:
            await self.leaving.now()

    @work(group="ask", exclusive=True)
    async def _ask_to_quit(self) -> None:
        await self.leaving.when_meant()

    def end_by_signal(self, number: signal.Signals) -> None:
        """Leave because the system says so, once what a run has is kept."""
        self.run_worker(self.leaving.by_signal(number), exit_on_error=False)


if TYPE_CHECKING:
    # Screens know the app as a Shell: the types are checked here, where a part of it would be missing.
    _app_is_a_shell: type[Shell] = TurnwiseApp
