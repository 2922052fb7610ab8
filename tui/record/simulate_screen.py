"""SimulateScreen: simulated users talk to a chatbot; what comes of each scenario shows as it ends."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.frames import LOWER
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.drawing.record_table import Cell, RecordTable
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.notice import Notice, note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.record.played_rows import PlayedScenarios, played_cells, played_columns, played_lines
from turnwise.tui.record.simulate_dialog import AskedSimulation, SimulateDialog
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import ShellOfApp

if TYPE_CHECKING:
    from turnwise.engine.chatbots.talk import Talker
    from turnwise.engine.simulating import SimulationTally
    from turnwise.tui.record.simulation_plan import SimulationPlan
    from turnwise.tui.shell.shell import Shell

SECONDS_TO_CONFIRM = 4.0
SECONDS_BETWEEN_WORDS = 0.5


class SimulateScreen(StillScreen[int | None]):
    """Plays scenarios. It ends with the session that was read last, or None."""

    PLACE: ClassVar[Place] = "simulation"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("simulation"))
    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    SimulateScreen {
        & #body { height: 1fr; }
        & RecordTable { height: 1fr; margin-top: 1; }
        & LinesView { height: 7; padding: 0 2; background: $surface; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, asked: AskedSimulation) -> None:
        """asked: what is to be played."""
        super().__init__()
        self._asked = asked
        self._played = PlayedScenarios(())
        self._stop: asyncio.Event | None = None
        """Ends the simulation under way once it is set; None while none is."""
        self._talker: Talker | None = None
        self._asked_to_leave = 0.0
        self._session: int | None = None

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield TitleBar("Simulate")
        with Vertical(id="body"):
            yield RecordTable()
            yield LinesView(classes=LOWER)
        yield Notice()
        yield RunLine()
        yield KeyLine("simulation")

    @property
    def table(self) -> RecordTable:
        """The scenarios, which answer what moves about."""
        return self.query_one(RecordTable)

    def on_mount(self) -> None:
        """Play what was asked for."""
        self.shell.followers.follow(self, self.shell.run_changed, self.query_one(RunLine).show)
        self.set_interval(SECONDS_BETWEEN_WORDS, self._tell_talker)
        self._begin(self._asked)

    def on_resize(self) -> None:
        """Take the columns that fit."""
        self.call_after_refresh(self._show_rows)

    def _begin_anew(self, asked: AskedSimulation | None) -> None:
        if asked is not None:
            self._begin(asked)

    def _begin(self, asked: AskedSimulation) -> None:
        self._asked, self._played = asked, PlayedScenarios(asked.plan.scenarios)
        self.query_one(Notice).tell("\n".join(asked.remarks))
        self.query_one(TitleBar).right = ""
        self._show_rows(0)
        self._play(asked.plan)

    # Playing

    @work(group="play", exclusive=True)
    async def _play(self, plan: SimulationPlan) -> None:
        from turnwise.engine.simulating import SimulationTally

        stop, tally, bar = asyncio.Event(), SimulationTally(len(plan.scenarios)), self.query_one(TitleBar)
        self._stop = stop
        self.refresh_bindings()
        try:
            bar.detail = "looking for the chatbot …"
            async with plan.opened(self.shell.store) as opened:
                bar.detail = f"loading {opened.talker.name} …" if opened.talker.loads else ""
                await opened.talker.open()
                if isinstance(plan.target, str):
                    self.shell.used.chatbot(plan.target)
                playing = opened.simulation.sessions(plan.scenarios, at_once=plan.at_once, stop=stop)
                self._talker = opened.talker
                self._tell(tally)
                async with aclosing(playing) as landing:
                    async for one in landing:
                        tally.count(one)
                        self._played.take(one)
                        self._show_rows()
                        self._tell(tally)
            self._tell_end(tally, opened.simulation.spent)
        except TurnwiseError as error:
            again = key_of(self.shell.actions, "simulation", "new")
            self.query_one(Notice).tell_error(error, f"{again} goes on.")
        finally:
            self._stop = self._talker = None
            if self.is_attached:
                self.refresh_bindings()

    def _tell(self, tally: SimulationTally) -> None:
        self.query_one(TitleBar).right = tally.line()
        self._tell_talker()

    def _tell_talker(self) -> None:
        """Say whom the users talk to, and what is waited for where it does not answer at once."""
        if self._talker is not None:
            waiting = f", {self._talker.waiting}" if self._talker.waiting else ""
            self.query_one(TitleBar).detail = f"with {self._talker.name}{waiting}"

    def _tell_end(self, tally: SimulationTally, spent: float) -> None:
        cost = f", ${spent:.4f}" if spent else ""
        key = key_of(self.shell.actions, "simulation", "new")
        left = tally.total - tally.done
        failed = f"; {counted(tally.failed, 'conversation')} failed" if tally.failed else ""
        stopped = f"; {left:,} not finished, {key} goes on" if left else ""
        self.query_one(Notice).tell(f"{tally.done:,} ended{failed}{cost}{stopped}.")

    # What is shown

    def _show_rows(self, cursor: int | None = None) -> None:
        if not self.is_attached:
            return
        played, width = self._played, self.table.size.width

        def draw(row: int) -> list[Cell]:
            return played_cells(played, row, width)

        at = self.table.cursor if cursor is None else cursor
        self.table.show(played_columns(width), len(played.scenarios), draw, cursor=at)
        self._show_details()
        self.refresh_bindings()

    def on_record_table_highlighted(self) -> None:
        """Tell of the scenario under the cursor."""
        self._show_details()
        self.refresh_bindings()

    def _show_details(self) -> None:
        view, row = self.query_one(LinesView), self.table.cursor
        if row < len(self._played.scenarios):
            width = max(20, view.scrollable_content_region.width)
            view.set_lines(played_lines(self._played, row, width, view.tones))

    # Keys

    @property
    def _current(self) -> int | None:
        """The session of the scenario under the cursor, where it has one."""
        row = self.table.cursor
        one = self._played.found[row] if row < len(self._played.found) else None
        return one.session if one is not None else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        if not self.is_mounted:
            return True
        match action:
            case "stop":
                return self._stop is not None and not self._stop.is_set()
            case "new":
                return self._stop is None
            case "open":
                return self._current is not None
            case "next_failed" | "previous_failed":
                return any(one is not None and one.failed for one in self._played.found)
            case "score":
                return self._stop is None and bool(self._played.ended)
        return True

    def action_stop(self) -> None:
        """Begin nothing more, and end every talk with the reply under way."""
        if self._stop is not None:
            self._stop.set()
            self.query_one(Notice).tell("Every talk ends with the reply under way; nothing more is begun.")
            self.refresh_bindings()

    def on_record_table_opened(self) -> None:
        """Read the conversation that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """Read the conversation of the scenario under the cursor."""
        if (session := self._current) is not None:
            self._session = session
            self.shell.open_session(session)

    def action_next_failed(self) -> None:
        """Go to the next conversation in which somebody failed."""
        self._go_to_failed(1, "after")

    def action_previous_failed(self) -> None:
        """Go back to one."""
        self._go_to_failed(-1, "before")

    def _go_to_failed(self, step: int, where: str) -> None:
        row = self._played.next_failed(self.table.cursor, step)
        if row is None:
            note(self, f"Nobody failed {where} this one.")
        else:
            self.table.move_cursor(row)

    def action_score(self) -> None:
        """Judge the conversations that ended."""
        self.shell.score(self._played.ended)

    def action_new(self) -> None:
        """Ask for scenarios again, with all that was typed."""
        dialog = self.shell.kept_dialogs.of(SimulateDialog, self._asked.typed)
        self.app.push_screen(dialog, self._begin_anew)

    def action_back(self) -> None:
        """Go back; while users are played that is asked twice."""
        now = time.monotonic()
        if self._stop is not None and now - self._asked_to_leave > SECONDS_TO_CONFIRM:
            self._asked_to_leave = now
            leave = key_of(self.shell.actions, "simulation", "back")
            note(
                self, f"Users are still played. {leave} again drops the replies under way; the rest is kept."
            )
            return
        self.dismiss(self._session)


def simulate(app: App[Any], shell: Shell, then: Callable[[int | None], None] = lambda _: None) -> None:
    """Ask what is to be simulated, and play it. shell: the app. then: gets the session that was read last."""

    def begin(asked: AskedSimulation | None) -> None:
        if asked is not None:
            app.push_screen(SimulateScreen(asked), then)

    used = shell.used.last.chatbots
    # The screen would open in a frame of its own before the dialog does.
    app.push_screen(shell.kept_dialogs.of(SimulateDialog, {"target": used[0]} if used else {}), begin)
