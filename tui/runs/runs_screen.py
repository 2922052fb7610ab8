"""RunsScreen: what was judged, when and by whom, how it ended, and what can be done about it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import RunFigures, RunRow, Store
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.drawing.frames import FRAME, LOWER, framed, has_frames
from turnwise.tui.drawing.lines_view import LinesView
from turnwise.tui.drawing.record_table import RecordTable
from turnwise.tui.drawing.rows_view import HEADER
from turnwise.tui.judging.run_line import RunLine
from turnwise.tui.parts.empty_words import EmptyWords, with_beginning
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.listing_screen import ListingScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.runs.run_details import BesideRun, detail_lines
from turnwise.tui.runs.run_rows import (
    ListedRun,
    RunsRoom,
    longest_left,
    run_cells,
    run_columns,
    scored_words,
)
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.runs import Runs, RunState
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.textual_internals.apps import is_leaving

if TYPE_CHECKING:
    from turnwise.engine.comparing.sides import Side

SHORT = 0.5
"""A list that takes less than so much of the height leaves the rest to the details."""
BESIDE_FROM = 220
"""From so many cells on the details stand beside the table, else below it."""
NO_RUNS = (
    "No runs yet.",
    "A run scores sessions by metrics. Press `{library.score}` in the library to score what is listed there, "
    "or run a file of test cases: `turnwise run FILE`.\n\n"
    "Each run is then listed here with what it found, what failed and what it cost. One that broke off can "
    "be taken up again, and any two can be compared.",
)


@dataclass(frozen=True, slots=True)
class RunsView:
    """How the runs stood: the numbers of the run under the cursor, and of those chosen to compare."""

    here: int
    chosen: tuple[int, ...]


class RunsScreen(ListingScreen[RunsView]):
    """Lists the runs, newest first, each with its sessions."""

    PLACE: ClassVar[Place] = "runs"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("runs"))
    AUTO_FOCUS = "RecordTable"
    DEFAULT_CSS = """
    RunsScreen {
        & #body { height: 1fr; layout: vertical; }
        & RecordTable { height: 1fr; }
        & LinesView { height: 45%; padding: 0 2; background: $surface; }
        &.-beside #body { layout: horizontal; }
        &.-beside RecordTable { width: 1fr; }
        &.-beside LinesView.lower { border-top: none; }
        &.-beside LinesView { width: 43%; max-width: 92; height: 1fr; padding: 1 2; }
        &.-empty #body { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, left: RunsView | None = None) -> None:
        """left: how it was left that is gone back to."""
        super().__init__()
        self.listed: list[ListedRun] = []
        """The runs, newest first."""
        self._begin_at = left.here if left is not None else 0
        """The number of the run that the cursor is to be put on once runs are there."""
        self._counted: dict[int, tuple[RunRow, RunFigures]] = {}
        """The figures of runs, each with the run as it was when they were counted."""
        self.chosen = list(left.chosen) if left is not None else []
        """The numbers of the runs to compare, the one chosen first in front."""
        self._beside: tuple[int, BesideRun] = 0, BesideRun()
        self._reading = NewestReading(self)
        self._progress: tuple[int, int] | None = None
        """How many outcomes the run under way has, and how many it will have."""

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        self.set_class(self.app.size.width >= BESIDE_FROM, "-beside")
        yield PlacesLine("runs")
        yield TitleBar("Runs", right="reading the runs …")
        with Container(id="body"):
            yield framed(RecordTable(), "All runs")
            yield framed(LinesView(classes=LOWER), "Details")
        yield EmptyWords()
        yield RunLine()
        yield KeyLine("runs")

    @property
    def table(self) -> RecordTable:
        """The runs, which answer what moves about."""
        return self.query_one(RecordTable)

    @property
    def current(self) -> ListedRun | None:
        """The run under the cursor."""
        return self.listed[self.table.cursor] if self.table.cursor < len(self.listed) else None

    def on_mount(self) -> None:
        """Read the runs, and hear of the one under way."""
        followers = self.shell.followers
        followers.follow(self, self.shell.run_changed, self._show_run)
        followers.follow(self, self.shell.sessions_changed, lambda _: self._read())
        self._show_run(self.shell.runs.state)
        if self.find_outdated():
            self._count()

    def on_screen_resume(self) -> None:
        """Show what changed while another screen was above this one."""
        if self.find_outdated():
            self._read()

    def on_resize(self) -> None:
        """Take the columns that fit."""
        self.set_class(self.app.size.width >= BESIDE_FROM, "-beside")
        self.call_after_refresh(self._show_rows)

    # Reading, off the loop

    def _read(self) -> None:
        if self.is_current:
            self._count()

    @work(exclusive=True, group="count")
    async def _count(self) -> None:
        """Read the runs, then count each, the newest first; what was counted before is shown meanwhile."""
        store, known = self.shell.store, dict(self._counted)
        runs = await asyncio.to_thread(_listed, store, known, _of_this_program(self.shell.runs))
        sessions = await asyncio.to_thread(store.sessions.count) if not runs else 0
        # A thread cannot be stopped: the screen may have gone meanwhile.
        if is_leaving(self):
            return
        self._take_runs(runs)
        if not runs:
            title, words = NO_RUNS
            self.query_one(EmptyWords).tell(title, with_beginning(words, sessions=sessions))
        for place, listed in enumerate(runs):
            if listed.under_way or not is_settled(listed.run, known):
                figures = await asyncio.to_thread(store.run_outcomes.figures, listed.run.id)
                if is_leaving(self):
                    return
                self._take_figures(place, replace(listed, figures=figures))

    def _take_runs(self, runs: list[ListedRun]) -> None:
        here = self.current.run.id if self.current else self._begin_at
        self.listed = runs
        self.set_class(not runs, "-empty")
        self.query_one(TitleBar).right = counted(len(runs), "run")
        if len(runs) != self.shell.places.counts.get("runs", len(runs)):
            # One that began since the places were counted is in the list: their line is to say the same.
            self.shell.places.count()
        places = {listed.run.id: place for place, listed in enumerate(runs)}
        self.chosen = [one for one in self.chosen if one in places]
        self._show_rows(places.get(here, 0))

    def _take_figures(self, place: int, listed: ListedRun) -> None:
        if place < len(self.listed) and self.listed[place].run.id == listed.run.id:
            self.listed[place] = listed
            assert listed.figures is not None  # noqa: S101
            self._counted[listed.run.id] = listed.run, listed.figures
            self.table.refresh()
            if place == self.table.cursor:
                self._show_details()

    # What is shown

    def _show_rows(self, cursor: int | None = None) -> None:
        width = self.table.size.width

        def draw(row: int) -> object:
            listed = self.listed[row]
            chosen = listed.run.id in self.chosen
            progress = scored_words(*self._progress, width) if self._progress is not None else ""
            return run_cells(listed, room, chosen=chosen, progress=progress)

        at = self.table.cursor if cursor is None else cursor
        state = self.shell.runs.state
        longest = scored_words(state.expected, state.expected, width) if state is not None else ""
        go_on = key_of(self.shell.actions, "runs", "go_on")
        broken_off = [one for one in self.listed if one.ending == "unfinished"]
        room = RunsRoom(
            width,
            longest,
            name=max((cell_len(listed.about) for listed in self.listed), default=0),
            number=max((listed.run.id for listed in self.listed), default=0),
            go_on=go_on,
            unfinished=max((longest_left(one, go_on) for one in broken_off), default=0),
        )
        self.table.show(run_columns(room), len(self.listed), draw, cursor=at)  # type: ignore[arg-type]
        self._share_room()
        self._show_details()

    def _share_room(self) -> None:
        """Give a short list the lines that it takes, and the details below it the rest."""
        lines = len(self.listed) + HEADER + (FRAME if has_frames(self.app.size) else 1)
        fits = lines <= self.query_one("#body").size.height * SHORT
        is_short = fits and not self.has_class("-beside")
        self.table.styles.height = lines if is_short else None
        self.query_one(LinesView).styles.height = "1fr" if is_short else None

    def on_record_table_highlighted(self) -> None:
        """Tell of the run under the cursor."""
        self._show_details()
        self.refresh_bindings()

    def _show_details(self) -> None:
        view, listed = self.query_one(LinesView), self.current
        if listed is None:
            view.set_lines([])
            return
        number, beside = self._beside
        if number != listed.run.id:
            beside = BesideRun()
            store = self.shell.store
            self._reading.ask(partial(_read_beside, store, listed.run.id), self._take_beside)
        go_on = key_of(self.shell.actions, "runs", "go_on")
        width = max(20, view.scrollable_content_region.width)
        lines = detail_lines(listed, beside, width, view.tones, go_on)
        view.set_lines(lines, keep_place=True)

    def _take_beside(self, found: tuple[int, BesideRun]) -> None:
        self._beside = found
        if self.current is not None and self.current.run.id == found[0]:
            self._show_details()

    def _show_run(self, state: RunState | None) -> None:
        self.query_one(RunLine).show(state)
        progress = (state.done, state.expected) if state is not None and not state.over else None
        if progress != self._progress:
            self._progress = progress
            for place, listed in enumerate(self.listed):
                if listed.under_way:
                    self.table.refresh_row(place)
        self.refresh_bindings()

    # What can be done

    def key_now(self, action: Action) -> Action:
        """Say what enter and r do here."""
        if action.name == "compare" and len(self.chosen) == 2:
            # Enter says it already.
            return replace(action, rank=0)
        if action.name == "open" and len(self.chosen) == 2:
            return replace(action, title="compare")
        listed = self.current if self.is_mounted else None
        if action.name == "go_on" and listed is not None and listed.ending == "failures":
            return replace(action, title="try again")
        return action

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what means something to the run under the cursor."""
        if not self.is_mounted:
            return True
        listed = self.current
        match action:
            case "open" | "choose" | "rename":
                return listed is not None
            case "compare":
                return self.compared is not None
            case "go_on":
                return listed is not None and listed.ending in ("unfinished", "failures")
            case "stop":
                return self.shell.runs.under_way
            case _:
                return True

    def on_record_table_opened(self) -> None:
        """List the sessions of the run that was clicked twice."""
        self.action_open()

    def action_open(self) -> None:
        """List the sessions of the run, or compare the two that are chosen."""
        if len(self.chosen) == 2:
            self.action_compare()
        elif self.current is not None:
            here = self.current.run.id
            self.list_sessions(f"run:{here}", RunsView(here, tuple(self.chosen)))

    def action_choose(self) -> None:
        """Choose the run under the cursor, or leave it; of three the one chosen first goes."""
        if (listed := self.current) is None:
            return
        number = listed.run.id
        if number in self.chosen:
            self.chosen.remove(number)
        else:
            self.chosen = [*self.chosen[-1:], number]
        self.table.refresh()
        self.refresh_bindings()

    @property
    def compared(self) -> tuple[int, int] | None:
        """The numbers of the runs to compare, the older one first; None where there are none.

        Those that are chosen; the one chosen and the one under the cursor; else this one and the newest
        before it that judged by a metric of it.
        """
        if len(self.chosen) == 2:
            first, second = sorted(self.chosen)
            return first, second
        if (listed := self.current) is None:
            return None
        here = listed.run
        if self.chosen and self.chosen != [here.id]:
            return min(here.id, *self.chosen), max(here.id, *self.chosen)
        before = [one.run for one in self.listed if one.run.id < here.id]
        with_it = [run.id for run in before if set(run.metrics) & set(here.metrics)]
        return (max(with_it), here.id) if with_it else None

    def _compared_sides(self) -> tuple[Side, Side] | None:
        from turnwise.engine.comparing.sides import Side

        runs = {one.run.id: one.run for one in self.listed}
        a, b = [runs.get(number) for number in self.compared or (0, 0)]
        return (Side(a), Side(b)) if a is not None and b is not None else None

    def prepare_next(self) -> bool:
        """Compare ahead what `action_compare` compares now; return whether there was anything to do."""
        from turnwise.tui.compare.compare_screen import CompareScreen

        ahead, sides = self.shell.kept_dialogs.ahead(CompareScreen), self._compared_sides()
        return ahead is not None and sides is not None and ahead.expect(sides)

    def action_compare(self) -> None:
        """Compare two runs, the older one as A."""
        from turnwise.tui.compare.compare_screen import CompareScreen

        if (sides := self._compared_sides()) is not None:
            self.app.push_screen(self.shell.kept_dialogs.take(CompareScreen, sides))

    def action_rename(self) -> None:
        """Give the run another name."""
        if (listed := self.current) is not None:
            title, kept = f"Name of run {listed.run.id}", self.shell.kept_dialogs
            dialog = kept.of(NamingDialog, title, name=listed.run.name)
            self.app.push_screen(dialog, partial(self._rename, listed.run.id))

    def _rename(self, number: int, name: str | None) -> None:
        if name is None:
            return
        try:
            self.shell.store.runs.rename(number, name)
        except TurnwiseError as error:
            self.shell.tell_error(error)
        self._read()

    @work(exclusive=True, group="go on")
    async def action_go_on(self) -> None:
        """Judge what is left of the run, and its failures once more."""
        from turnwise.engine.resuming import what_is_left_for

        if (listed := self.current) is None:
            return
        if self.shell.runs.under_way:
            stop = key_of(self.shell.actions, "runs", "stop")
            self.notify(f"A run is under way. Stop it with {stop}, or wait for its end.")
            return
        judge = self.shell.judge.settings
        try:
            left = await asyncio.to_thread(what_is_left_for, self.shell.store, listed.run.id, judge)
        except TurnwiseError as error:
            self.shell.tell_error(error)
            return
        self.shell.runs.start(left, judge)
        self._read()

    def action_stop(self) -> None:
        """Stop the run that is under way."""
        self.app.run_worker(self.shell.action_stop_run())

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.shell.action_choose_judge()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)


def is_settled(run: RunRow, known: dict[int, tuple[RunRow, RunFigures]]) -> bool:
    """Return whether the figures that are known of a run still hold: it is over, and nobody went on."""
    before = known.get(run.id)
    return run.finished_at is not None and before is not None and before[0].finished_at == run.finished_at


def _of_this_program(runs: Runs) -> Callable[[Sequence[RunRow]], int | None]:
    """Return what finds the run under way among all: by its number where it goes on, else by its time.

    Runs that were broken off, and those of other programs, are open too.
    """
    resumed = getattr(runs.request, "run", None)
    began = runs.began if runs.request is not None else None

    def found(listed: Sequence[RunRow]) -> int | None:
        if isinstance(resumed, RunRow):
            return resumed.id
        since = (run.id for run in listed if run.finished_at is None and run.created_at >= (began or 0.0))
        return min(since, default=None) if began is not None else None

    return found


def _listed(
    store: Store,
    known: dict[int, tuple[RunRow, RunFigures]],
    under_way: Callable[[Sequence[RunRow]], int | None],
) -> list[ListedRun]:
    runs = store.runs.uncounted()
    now = under_way(runs)
    return [
        ListedRun(
            run,
            known[run.id][1] if run.id in known else None,
            _asked(store, run) if run.finished_at is None else None,
            run.id == now,
        )
        for run in runs
    ]


def _asked(store: Store, run: RunRow) -> int | None:
    asked = store.runs.asked(run.id)
    # How many exchanges there are is not known before they are read.
    return None if asked is None or asked.each_turn else len(asked.session_ids) * len(run.metrics)


def _read_beside(store: Store, run_id: int) -> tuple[int, BesideRun]:
    return run_id, BesideRun.read(store, run_id)
