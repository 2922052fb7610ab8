"""The app: one store, a stack of screens, one run at a time, and what all of them share."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.actions import ActionParseResult
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.filter import Monochrome, NoColor
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.signal import Signal
from textual.worker import WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.actions import Place, Table, bindings
from turnwise.tui.commands import Commands
from turnwise.tui.crash import crash_error, known_error, wants_traceback, write_crash_log
from turnwise.tui.guarding import guard_loop, guarded_threads
from turnwise.tui.keymap import read_keymap
from turnwise.tui.runs import Runs, RunState
from turnwise.tui.screens.arranging import ArrangingScreen
from turnwise.tui.screens.library import LibraryScreen
from turnwise.tui.settings import Settings, keep_theme, load_settings
from turnwise.tui.themes import DARK, PREFIX, THEMES, choose_theme, wants_no_color
from turnwise.tui.widgets.safe_text import make_safe

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings

RIGHT_BUTTON = 3
SECONDS_TO_CONFIRM = 2.0
SECONDS_BETWEEN_REFRESHES = 1.0
SECONDS_OF_AN_ERROR = 12.0


@dataclass(frozen=True, slots=True)
class Opening:
    """What the app shows first.

    record: target, role, system prompt and name of a talk to record. replay: a session to play. demo: the
    samples are in the database, and a judge is offered.
    """

    record: tuple[str | None, str, str | None, str] | None = None
    replay: int | None = None
    demo: bool = False


class TurnwiseApp(App[int]):
    """turnwise in the terminal."""

    TITLE = "turnwise"
    # Above the run line and the line of keys; in a talk at the top, away from what is written.
    CSS = """
    ToastRack { margin-bottom: 2; }
    SearchIcon { display: none; }
    CommandPalette #--input { border: hkey $border-blurred; &.--list-visible { border-bottom: none; } }
    CommandPalette CommandList { border-bottom: hkey $border-blurred; scrollbar-size-vertical: 1; }
    CommandPalette CommandList:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    TurnwiseApp.-theme-turnwise-high-contrast Dialog #panel {
        border: round $text-muted; padding: 0 1; max-height: 100%;
    }
    RecordScreen ToastRack { dock: top; align: right top; margin: 1 0 0 0; }
    """
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS: ClassVar[set[Any]] = {Commands}
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
        for one in THEMES:
            self.register_theme(one)
        self.settings = settings or Settings()
        self._take_no_color()
        self.theme = theme
        keymap = read_keymap(self.settings.keymap)
        self.actions: Table = keymap.table
        """The registry's actions with the keys of the user's keymap."""
        self.set_keymap(keymap.bindings())
        self.guarded = False
        """Whether signals and failed tasks are the app's to hear; not in tests, which share a process."""
        self.ended_by: signal.Signals | None = None
        """The signal that ended the app."""
        self.store = store
        self.opening = opening or Opening()
        self.judge_settings: JudgeSettings | None = None
        """The judge that runs use; None where there is none."""
        self.judge_trouble: TurnwiseError | None = None
        """Why the judge that the environment names could not be had."""
        self.judge_chosen = False
        """Whether a person chose it in this sitting, be it none."""
        self.judge_changed: Signal[JudgeSettings | None] = Signal(self, "judge_changed")
        self.run_changed: Signal[RunState] = Signal(self, "run_changed")
        """Tells how far the run is, at most ten times a second."""
        self.sessions_changed: Signal[None] = Signal(self, "sessions_changed")
        """Tells that sessions or their scores may have changed, at most once a second while a run goes on."""
        self.runs = Runs(store, self._hear_run)
        self.last_metrics: tuple[str, ...] = ()
        """The metrics that were ticked last in this sitting."""
        self.seen: set[int] = set()
        """The sessions whose scores or labels were shown in this sitting: no label of theirs is blind now."""
        self.error: TurnwiseError | None = None
        """What ended the app, where a person can do something about it."""
        self._asked_to_quit = 0.0
        self._refreshed = 0.0

    def get_default_screen(self) -> LibraryScreen:
        """Return the library: the first thing that is drawn."""
        return LibraryScreen()

    def on_mount(self) -> None:
        """Show what was asked for above the library, and look for a judge meanwhile."""
        if self.guarded:
            guard_loop(self)
        # After the first paint, which it would hold up.
        self.call_after_refresh(self._begin)
        if self.opening.replay is not None:
            from turnwise.tui.screens.replay import ReplayScreen

            self.push_screen(ReplayScreen(self.opening.replay), lambda _: self._leave(None))
        if self.opening.record is not None:
            from turnwise.tui.screens.record import RecordScreen

            target, role, system, name = self.opening.record
            self.push_screen(
                RecordScreen(target, role=role, system=system, name=name),
                self._leave,
            )

    def _leave(self, recorded: int | None) -> None:
        """End the program with what was asked for on the command line. recorded: the session to name."""
        self.run_worker(self._end(recorded))

    async def _end(self, recorded: int | None) -> None:
        from turnwise.tui.screens.record import CLOSING

        for worker in [worker for worker in self.workers if worker.group == CLOSING]:
            with suppress(WorkerFailed):
                await worker.wait()
        if self.runs.under_way:
            self.library.go_to_session(recorded)
            self.notify("A run is under way; its marks appear here. ctrl+c twice leaves turnwise.")
            return
        kept = f"Kept as session {recorded}: turnwise show {recorded}"
        self.exit(0, message=kept if recorded is not None else None)

    def _begin(self) -> None:
        if not gc.isenabled():
            # It was stopped for the first paint; what is there now is there for good.
            gc.freeze()
            gc.enable()
        if not self.judge_chosen:
            self.find_judge()
        elif self.opening.demo:
            self._offer_judging()

    # The judge

    @work(thread=True, group="judge", exit_on_error=False)
    def find_judge(self) -> None:
        """Find the judge that a run would take without being told: what the environment names, or a model."""
        from turnwise.engine.judge.choose import choose_judge

        try:
            settings = asyncio.run(choose_judge(self.settings.judge))
        except TurnwiseError as error:
            # The title says so in two words, and the judge dialog why.
            self.call_from_thread(self._take_found_judge, None, error)
        else:
            self.call_from_thread(self._take_found_judge, settings)

    def _take_found_judge(self, settings: JudgeSettings | None, trouble: TurnwiseError | None = None) -> None:
        if not self.judge_chosen:
            self.judge_settings, self.judge_trouble = settings, trouble
            self.judge_changed.publish(settings)
        if self.opening.demo and not self.judge_chosen:
            self._offer_judging()

    def set_judge(self, settings: JudgeSettings | None) -> None:
        """Take a judge that a person chose; None is none."""
        self.judge_settings, self.judge_chosen, self.judge_trouble = settings, True, None
        self.judge_changed.publish(settings)

    async def ask_judge(self) -> bool:
        """Let the judge be chosen; return whether it was. Call it from a worker."""
        from turnwise.tui.screens.judge import JudgeDialog

        chosen = await self.push_screen_wait(JudgeDialog(self.judge_settings, self.judge_trouble))
        if chosen is None:
            return False
        self.set_judge(chosen.settings)
        return True

    @work(group="ask", exclusive=True)
    async def action_choose_judge(self) -> None:
        """Let the judge be chosen."""
        await self.ask_judge()

    # Runs

    @work(group="ask", exclusive=True)
    async def score(self, session_ids: Sequence[int], *, metrics: Sequence[str] = ()) -> None:
        """Ask what to judge these sessions by, and begin. metrics: those ticked at first."""
        from turnwise.tui.screens.score import ScoreDialog

        if self.runs.under_way:
            self.notify("A run is under way. Stop it with x in the library, or wait for its end.")
            return
        if not session_ids:
            self.notify("There is no session to judge.")
            return
        request = await self.push_screen_wait(ScoreDialog(session_ids, ticked=metrics))
        if request is None:
            return
        undecided = request.needs_judge and self.judge_settings is None and not self.judge_chosen
        if undecided and not await self.ask_judge():
            return
        self.runs.start(request, self.judge_settings)

    @work(group="ask", exclusive=True)
    async def _offer_judging(self) -> None:
        """In the demo: offer a judge where there is none, then the metrics that need one."""
        from turnwise.tui.samples import JUDGED_METRICS, is_judged
        from turnwise.tui.screens.score import ScoreDialog

        if is_judged(self.store):
            return
        if self.judge_settings is None and (not await self.ask_judge() or self.judge_settings is None):
            return
        request = await self.push_screen_wait(ScoreDialog(self.store.sessions.ids(), ticked=JUDGED_METRICS))
        if request is not None:
            self.runs.start(request, self.judge_settings)

    async def action_stop_run(self) -> None:
        """Stop the run that is under way."""
        if self.runs.under_way:
            await self.runs.stop()
        else:
            self.notify("No run is under way.")

    def _hear_run(self, state: RunState) -> None:
        if not self.is_running:
            return
        self.run_changed.publish(state)
        now = time.monotonic()
        if state.over or now - self._refreshed >= SECONDS_BETWEEN_REFRESHES:
            self._refreshed = now
            self.sessions_changed.publish(None)
        if not state.over:
            return
        if state.error is not None:
            self.tell_error(state.error)
        elif state.stopped:
            self.notify(f"{state.summary()} The next run goes on from there.", title="Stopped", markup=False)
        else:
            bad = state.failed > 0
            self.notify(
                state.summary(), title="Judged", severity="warning" if bad else "information", markup=False
            )

    def tell_error(self, error: TurnwiseError) -> None:
        """Show an error as a toast: what happened, where, and the next step."""
        text = "\n".join(
            part for part in (error.detail, f"→ {error.next_step}" if error.next_step else "") if part
        )
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
        """Show a toast. Its text is drawn as it is, whatever it holds: names and replies stand in many."""
        super().notify(
            make_safe(message), title=make_safe(title), severity=severity, timeout=timeout, markup=False
        )

    # Themes

    def _take_no_color(self) -> None:
        """Draw without colour where NO_COLOR asks for it: Textual would draw in shades of grey."""
        kept = [one for one in self._filters if not isinstance(one, Monochrome | NoColor)]
        self.no_color = wants_no_color(os.environ)
        self._filters = [*kept, NoColor()] if self.no_color else kept

    def take_theme(self, name: str) -> None:
        """Change the theme, by the name that people use, and keep it in the settings."""
        if self.no_color:
            self.notify("NO_COLOR is set: there are no colours to change.")
            return
        self.theme = PREFIX + name
        try:
            keep_theme(name)
        except TurnwiseError as error:
            self.tell_error(error)

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

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Offer the actions of the present screen in the command palette."""
        place: Place = getattr(screen, "PLACE", "everywhere")
        names = {action.name for action in self.actions[place]}
        # Those of the line of keys first.
        for action in sorted(self.actions[place], key=lambda action: action.rank or 100):
            method = getattr(screen, f"action_{action.name}", None)
            if action.is_move or method is None or screen.check_action(action.name, ()) is False:
                continue
            yield SystemCommand(f"{action.title} ({action.key_text})", action.help, method)
        if isinstance(screen, ArrangingScreen):
            for title, about, take in screen.commands():
                yield SystemCommand(title, about, take)
        for action in self.actions["everywhere"]:
            if action.name in ("help", "jump"):
                title = f"{action.title} ({action.key_text})"
                yield SystemCommand(title, action.help, getattr(self, f"action_{action.name}"))
        if "judge" not in names:
            yield SystemCommand("judge", "Choose the model that judges.", self.action_choose_judge)
        if "agreement" not in names and place != "agreement":
            yield SystemCommand(
                "agreement", "Measure metrics against people's labels.", self.action_agreement
            )
        if "compare" not in names and place not in ("compare", "pair"):
            yield SystemCommand("compare", "Compare two runs, and read what flipped.", self.action_compare)
        if "criteria" not in names and place not in ("criteria", "versions"):
            help_text = "Write what good means, and try it against labels."
            yield SystemCommand("criteria", help_text, self.library.action_criteria)
        if self.runs.under_way and "stop" not in names:
            yield SystemCommand("stop the run", "What is scored is kept.", self.action_stop_run)
        if "quit_soon" not in names:
            yield SystemCommand("quit", "Leave turnwise.", self.action_quit)

    def action_agreement(self) -> None:
        """Measure metrics against people's labels."""
        from turnwise.tui.screens.agreement import AgreementScreen

        self.push_screen(AgreementScreen())

    def action_compare(self) -> None:
        """Compare two runs."""
        from turnwise.tui.screens.compare import CompareScreen

        self.push_screen(CompareScreen())

    def action_help(self) -> None:
        """Show all keys of the present screen."""
        from turnwise.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.place, self.focused))

    def action_jump(self) -> None:
        """Show a letter at every place that can be gone to."""
        from turnwise.tui.screens.jump import JumpScreen, targets_of

        targets = targets_of(self.screen)
        if targets:
            self.push_screen(JumpScreen(targets), lambda go: go() if go is not None else None)
        else:
            self.notify("There is nowhere to jump to.")

    def open_session(self, session_id: int) -> None:
        """Read a session. Tells where there is none of that number."""
        from turnwise.tui.screens.review import ReviewScreen

        try:
            self.store.sessions.get(session_id)
        except TurnwiseError as error:
            self.tell_error(error)
        else:
            self.push_screen(ReviewScreen(session_id), self.library.go_to_session)

    async def action_quit_soon(self) -> None:
        """Leave on the second press within two seconds, so that one slip loses nothing."""
        now = time.monotonic()
        if now - self._asked_to_quit < SECONDS_TO_CONFIRM:
            await self.action_quit()
            return
        self._asked_to_quit = now
        self.notify("Press again to leave turnwise.", timeout=SECONDS_TO_CONFIRM)

    async def action_quit(self) -> None:
        """Leave, once a run that is under way has kept what it has."""
        await self.runs.stop()
        self.exit(0)

    def on_click(self, event: events.Click) -> None:
        """Offer all that can be done here to those who hold the mouse: the line of keys shows only some."""
        if event.button == RIGHT_BUTTON:
            self.action_command_palette()

    async def on_event(self, event: events.Event) -> None:
        """Make what is pasted safe before any line to type in draws it as it is."""
        if isinstance(event, events.Paste):
            event.text = make_safe(event.text)
        await super().on_event(event)

    # What goes wrong

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key or a click asks for; where that cannot be done, say so and go on."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            # A full disk or a locked database may be well again at the next key.
            if (ours := known_error(error)) is None:
                raise
            self.tell_error(ours)
            return True

    def tell_mistake(self, error: Exception) -> None:
        """Tell of something that failed unheard in the background, and keep its traceback."""
        if (ours := known_error(error)) is not None:
            self.tell_error(ours)
        elif (log := write_crash_log(error)) is not None:
            self.notify(
                f"{type(error).__name__}: {error}\nSee {log}", title="Something failed", severity="error"
            )

    def end_by_signal(self, number: signal.Signals) -> None:
        """Leave because the system says so, once what a run has is kept."""
        self.ended_by = number
        self.run_worker(self._end_by_signal(number), exit_on_error=False)

    async def _end_by_signal(self, number: signal.Signals) -> None:
        await self.runs.stop()
        self.exit(return_code=128 + number)

    def _handle_exception(self, error: Exception) -> None:
        ours = known_error(error)
        if ours is not None and isinstance(error, WorkerFailed) and self.is_running:
            # A worker ends alone: the screens live on, and the next key may do better.
            self.tell_error(ours)
            return
        if ours is None and wants_traceback():
            super()._handle_exception(error)
            return
        if ours is None:
            if self._exception is None:
                # A test raises it again, as Textual has it.
                self._exception = error
                self._exception_event.set()
            ours = crash_error(error)
        # Textual prints a traceback for every exception; a person gets words instead. The first is the cause.
        self.error = self.error or ours
        self._return_code = ours.exit_code
        # As Textual ends after its own traceback: `exit` would wait for a loop that may have broken off.
        self._close_messages_no_wait()


def run_app(
    db: Path | None = None,
    *,
    record: tuple[str | None, str, str | None, str] | None = None,
    replay: int | None = None,
    demo: bool = False,
    mouse: bool = True,
    judge: JudgeSettings | None = None,
    theme: str | None = None,
) -> int:
    """Run the app on a database and return its exit code.

    mouse: without it the terminal's own selecting works. judge: the one that runs use. theme: one of
    THEME_NAMES; None for that of the settings, else one that suits the terminal. Raises StoreError,
    SettingError, NotFoundError for a replay, and whatever TurnwiseError ended the app, when the terminal is
    as it was.
    """
    settings = load_settings()
    theme = choose_theme(theme, settings.theme, os.environ)
    with Store.open(db) as store:
        if replay is not None:
            store.sessions.get(replay)
        app = TurnwiseApp(store, Opening(record, replay, demo), settings=settings, theme=theme)
        app.guarded = True
        if judge is not None:
            app.judge_settings, app.judge_chosen = judge, True
        with guarded_threads(app):
            code = app.run(mouse=mouse and settings.mouse)
        if app.error is not None:
            raise app.error
        return code or app.return_code or 0
