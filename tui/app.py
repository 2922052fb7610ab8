"""The app: one store, a stack of screens, one run at a time, and what all of them share."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, SystemCommand
from textual.binding import BindingType
from textual.screen import Screen
from textual.signal import Signal
from textual.worker import WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.actions import ACTIONS, Place, bindings
from turnwise.tui.commands import SessionCommands
from turnwise.tui.runs import Runs, RunState
from turnwise.tui.screens.library import LibraryScreen
from turnwise.tui.themes import DARK, THEMES
from turnwise.tui.widgets.safe_text import make_safe

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings

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
    RecordScreen ToastRack { dock: top; align: right top; margin: 1 0 0 0; }
    """
    ENABLE_COMMAND_PALETTE = True
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS = App.COMMANDS | {SessionCommands}
    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in bindings("everywhere") if binding.action != "command_palette"
    ]

    def __init__(self, store: Store, opening: Opening | None = None) -> None:
        super().__init__()
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = DARK
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
        self.error: TurnwiseError | None = None
        """What ended the app, where a person can do something about it."""
        self._asked_to_quit = 0.0
        self._refreshed = 0.0

    def get_default_screen(self) -> LibraryScreen:
        """Return the library: the first thing that is drawn."""
        return LibraryScreen()

    def on_mount(self) -> None:
        """Show what was asked for above the library, and look for a judge meanwhile."""
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
            self.notify("A run is under way; its marks appear here. q q leaves turnwise.")
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
        import asyncio

        from turnwise.engine.judge.choose import choose_judge

        try:
            settings = asyncio.run(choose_judge(None))
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
        self.notify(
            make_safe(text) or " ",
            title=make_safe(error.title),
            severity="error",
            timeout=SECONDS_OF_AN_ERROR,
            markup=False,
        )

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
        names = {action.name for action in ACTIONS[place]}
        for action in ACTIONS[place]:
            method = getattr(screen, f"action_{action.name}", None)
            if action.is_move or method is None or screen.check_action(action.name, ()) is False:
                continue
            yield SystemCommand(f"{action.title} ({action.key_text})", action.help, method)
        yield SystemCommand("help (?)", "Show all keys of this screen.", self.action_help)
        if "judge" not in names:
            yield SystemCommand("judge", "Choose the model that judges.", self.action_choose_judge)
        if self.runs.under_way and "stop" not in names:
            yield SystemCommand("stop the run", "What is scored is kept.", self.action_stop_run)
        for command in super().get_system_commands(screen):
            if command.title in ("Theme", "Quit"):
                yield command

    def action_help(self) -> None:
        """Show all keys of the present screen."""
        from turnwise.tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.place))

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

    def _handle_exception(self, error: Exception) -> None:
        # Textual prints a traceback for every exception; one of ours has words for the person instead.
        ours = error if isinstance(error, TurnwiseError) else getattr(error, "error", None)
        if isinstance(ours, TurnwiseError):
            self.error = ours
            self._return_code = ours.exit_code
            # As Textual ends after its own traceback: `exit` would wait for a loop that may have broken off.
            self._close_messages_no_wait()
        else:
            super()._handle_exception(error)


def run_app(
    db: Path | None = None,
    *,
    record: tuple[str | None, str, str | None, str] | None = None,
    replay: int | None = None,
    demo: bool = False,
    mouse: bool = True,
    judge: JudgeSettings | None = None,
) -> int:
    """Run the app on a database and return its exit code.

    mouse: without it the terminal's own selecting works. judge: the one that runs use.
    Raises StoreError, NotFoundError for a replay, and whatever TurnwiseError ended the app, when the
    terminal is as it was.
    """
    with Store.open(db) as store:
        if replay is not None:
            store.sessions.get(replay)
        app = TurnwiseApp(store, Opening(record, replay, demo))
        if judge is not None:
            app.judge_settings, app.judge_chosen = judge, True
        code = app.run(mouse=mouse)
        if app.error is not None:
            raise app.error
        return code or app.return_code or 0
