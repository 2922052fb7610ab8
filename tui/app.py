"""The app: its stack of screens, what is opened first, and what every screen can go to."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.screen import Screen
from textual.worker import WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.actions import Place, bindings
from turnwise.tui.commands import Commands
from turnwise.tui.guarding import guard_loop, guarded_threads
from turnwise.tui.judging_app import JudgingApp
from turnwise.tui.key_words import key_of
from turnwise.tui.pauses import keep_pauses_short
from turnwise.tui.screens.arranging import ArrangingScreen
from turnwise.tui.screens.library import LibraryScreen
from turnwise.tui.settings import Settings, load_settings
from turnwise.tui.themes import DARK, choose_theme
from turnwise.tui.usual_judge import BY_OPTION

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings

RIGHT_BUTTON = 3
SECONDS_TO_CONFIRM = 2.0


@dataclass(frozen=True, slots=True)
class Opening:
    """What the app shows first.

    record: target, role, system prompt and name of a talk to record. replay: a session to play. demo: the
    samples are in the database, and a judge is offered.
    """

    record: tuple[str | None, str, str | None, str] | None = None
    replay: int | None = None
    demo: bool = False


class TurnwiseApp(JudgingApp):
    """turnwise in the terminal."""

    TITLE = "turnwise"
    # Above the run line and the line of keys; in a talk at the top, away from what is written.
    CSS = """
    ToastRack { margin-bottom: 2; }
    SearchIcon { display: none; }
    CommandPalette #--input { border: hkey $border-blurred; &.--list-visible { border-bottom: none; } }
    CommandPalette CommandList { border-bottom: hkey $border-blurred; scrollbar-size-vertical: 1; }
    CommandPalette > .command-palette--help-text { color: $text-muted; text-style: not bold; }
    CommandPalette:ansi > .command-palette--help-text { text-style: dim not bold; }
    Input:ansi > .input--cursor { background: ansi_default; color: ansi_default; text-style: reverse; }
    TextArea:ansi .text-area--placeholder { text-style: dim; }
    Input:nocolor > .input--selection, Screen:nocolor > .screen--selection { text-style: reverse; }
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
        super().__init__(store, settings, theme)
        self.guarded = False
        """Whether signals and failed tasks are the app's to hear; not in tests, which share a process."""
        self.opening = opening or Opening()
        self._asked_to_quit = 0.0

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
            leave = key_of(self.actions, "everywhere", "quit_soon")
            self.notify(f"A run is under way; its marks appear here. {leave} twice leaves turnwise.")
            return
        kept = f"Kept as session {recorded}: turnwise show {recorded}"
        self.exit(0, message=kept if recorded is not None else None)

    def _begin(self) -> None:
        if not gc.isenabled():
            # It was stopped for the first paint.
            keep_pauses_short(self)
        if not self.judge_chosen:
            self.find_judge()
        elif self.opening.demo:
            self._offer_judging()

    def judge_found(self) -> None:
        """Offer to judge the samples, where they are what was opened."""
        if self.opening.demo and not self.judge_chosen:
            self._offer_judging()

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

    def on_click(self, event: events.Click) -> None:
        """Offer all that can be done here to those who hold the mouse: the line of keys shows only some."""
        if event.button == RIGHT_BUTTON:
            self.action_command_palette()


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
            app.set_judge(judge, BY_OPTION)
        with store.impatient(), guarded_threads(app):
            code = app.run(mouse=mouse and settings.mouse)
        if app.error is not None:
            raise app.error
        return code or app.return_code or 0
