"""CompareScreen: two runs, metric by metric, and the pairs of scores between them, flips first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from turnwise.engine.comparing.compare import MetricChange, RunComparison, ScoredPair, ScoredPairs, compare
from turnwise.engine.comparing.sides import Side, default_sides
from turnwise.tui.actions import Place, bindings, target_of
from turnwise.tui.compare.changed_metrics import ChangedMetrics
from turnwise.tui.compare.pair_reasons import PairReasons, reason_lines, telling_reason
from turnwise.tui.compare.pair_rows import COUNTED_ABOVE, change_cells, change_columns, pairs_title
from turnwise.tui.compare.run_words import (
    NO_CASE,
    NO_PAIR,
    NO_RUNS,
    ONE_RUN,
    STRANGERS,
    left_out_words,
    named_sides,
)
from turnwise.tui.compare.runs_head import runs_lines
from turnwise.tui.compare.summary_words import clear_first, summary_lines
from turnwise.tui.drawing.fitted_lines import FittedLines
from turnwise.tui.drawing.frames import framed, has_frames
from turnwise.tui.drawing.lines_view import DrawnLines
from turnwise.tui.drawing.record_table import Cell, RecordTable
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.parts.empty_words import EmptyWords
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.title_bar import TitleBar
from turnwise.tui.places.place_screen import PlaceScreen
from turnwise.tui.places.places_line import PlacesLine
from turnwise.tui.session_lists.covered import covered_sessions, waiting_words
from turnwise.tui.shell.kept_finding import KeptFinding
from turnwise.tui.shell.shell import ShellOfApp
from turnwise.tui.shell.sights import is_in_sight
from turnwise.tui.textual_screens import make_ready_again

if TYPE_CHECKING:
    from turnwise.tui.compare.choose_run_dialog import OfferedSide

PAIRS_ROOM = 9
"""Lines that the pairs have before the metrics do: one above, a head, five of them, and their reasons."""
LOW = 30
"""Below so many lines a blank one is left to the pairs."""
READING = "Comparing …", ""
_OF_PAIRS = frozenset({"open", "next_metric", "previous_metric"})
NO_SETTINGS = "No hyperparameters, such as the chatbot's model, were kept with these runs."


class _MetricsOverPairs(Vertical):
    """The metrics with the pairs below them, which have room first."""

    def on_resize(self) -> None:
        """Share the height anew."""
        self.share()

    def share(self) -> None:
        """Give the metrics what the pairs, and what is told below them, leave."""
        metrics = self.query_one(ChangedMetrics)
        # In a low window what is said below the metrics parts them from the pairs.
        parts = metrics.has_note and self.app.size.height < LOW
        self.query_one("#pairs").styles.margin = (0 if parts else 1, 0, 0, 0)
        below = PAIRS_ROOM - parts + self.query_one("#left-out").display
        metrics.leave_room(self.size.height - below)


class CompareScreen(PlaceScreen[None]):
    """Compares two runs, at first those that are named, else the last two that share cases."""

    PLACE: ClassVar[Place] = "compare"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("compare"))
    AUTO_FOCUS = "RecordTable"
    CSS = """
    CompareScreen {
        & #runs { height: auto; margin: 1 0 0 0; background: $background; }
        & #sure { height: auto; margin: 1 0 0 0; background: $background; }
        & #table { height: 1fr; }
        & ChangedMetrics { margin: 1 0 0 0; }
        & #pairs { height: 1fr; margin: 1 0 0 0; }
        & RecordTable { height: 1fr; }
        & #reasons { height: 2; background: $surface; }
        &.-high #reasons { height: 4; margin: 1 0 0 0; }
        & #left-out { height: 1; background: $background; }
        &.-low #runs, &.-low #sure, &.-low ChangedMetrics { margin: 0; }
        /* Without a line between them a ground of its own holds what was found apart from runs and table. */
        &.-low #sure { background: $surface; }
        &.-empty #table, &.-empty #sure { display: none; }
    }
    """

    shell = ShellOfApp()

    def __init__(self, sides: tuple[Side, Side] | None = None) -> None:
        """sides: A and B; None for the last two that share cases."""
        super().__init__()
        self._sides: dict[str, Side] = {}
        self.begin(sides)
        self._comparison: RunComparison | None = None
        self._metric = 0
        """0 for all metrics, else a metric's place from 1."""
        self._runs = 0
        self._settings_open = False
        """Whether all hyperparameters are shown."""
        self._pairs: Sequence[ScoredPair] = ()
        self._covered: frozenset[int] = frozenset()
        """The sessions that wait for a label that is to be blind: their pairs are not listed."""
        self._waiting: int | None = None
        """How many of them have a pair; None until they were counted."""
        self._listed: dict[str, ScoredPairs] = {}
        """The pairs that are listed, by metric; of all under an empty name."""
        self._reading = NewestReading(self)
        self._covering = NewestReading(self)
        self._offering = NewestReading(self)
        self._offered: KeptFinding[list[OfferedSide]] = KeptFinding()
        """The runs that can be compared, as long as nothing was written since they were read."""

    def begin(self, sides: tuple[Side, Side] | None = None) -> None:
        """sides: as where it is made."""
        self._sides = dict(zip("AB", sides, strict=True)) if sides else {}

    def expect(self, sides: tuple[Side, Side]) -> bool:
        """Compare what is compared next, most likely; return whether that was still to be done.

        It is for a screen that was made ahead.
        """
        self.begin(sides)
        return self._compare_outdated()

    def open_again(self) -> None:
        """Show what it was begun with in the parts that were made ahead, at once where that was expected."""
        make_ready_again(self, self._compare_outdated)

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield PlacesLine("compare")
        yield TitleBar("Compare", right="reading the runs …")
        yield DrawnLines(id="runs")
        yield DrawnLines(id="sure")
        with _MetricsOverPairs(id="table"):
            yield framed(ChangedMetrics(), "Metrics")
            with framed(Vertical(id="pairs"), pairs_title("")):
                yield RecordTable()
                yield FittedLines(id="reasons")
            yield DrawnLines(id="left-out")
        yield EmptyWords()
        yield KeyLine("compare")

    def on_mount(self) -> None:
        """Compare, unless it is made ahead."""
        if is_in_sight(self):
            self._compare_outdated()

    def _compare_outdated(self) -> bool:
        """Compare the runs that are named, else the last two that share cases, unless that was done.

        Return whether it was still to be done, or is once more.
        """
        if not self.find_outdated(*((side.run.id, side.target) for _, side in sorted(self._sides.items()))):
            return False
        if self._comparison is not None:
            self._comparison, self._pairs = None, ()
            self._show_empty(READING)
        if self._sides:
            self._compare_chosen()
        else:
            self._compare_last()
        return True

    def on_resize(self) -> None:
        """Take the columns that fit."""
        self.set_class(self.app.size.height < LOW, "-low")
        self._tell_sides()
        self._tell_sure()
        if self._comparison is not None:
            self._tell_left_out(self._comparison)
        self._show_pairs(self.list.cursor)

    @property
    def reading(self) -> NewestReading | None:
        """What is read of the runs that are chosen, while others are compared still, or none."""
        found = self._comparison
        is_there = found is not None and self._sides == {"A": found.a, "B": found.b}
        return self._reading if self._reading.holds_keys and not is_there else None

    @cached_property
    def _reasons(self) -> PairReasons:
        return PairReasons(self.shell.store)

    # Comparing, off the loop

    def _compare_last(self) -> None:
        store = self.shell.store

        def read() -> RunComparison | int:
            sides = default_sides(store)
            return self._comparison_of(*sides) if sides is not None else store.runs.count()

        self._read(read)

    def _compare(self, a: Side, b: Side) -> None:
        self._read(lambda: self._comparison_of(a, b))

    def _comparison_of(self, a: Side, b: Side) -> RunComparison:
        """Compare, in a thread, or return what was compared last, where that would be found again."""
        store, kept = self.shell.store, self.shell.compared
        # Asked before it is read: what is written meanwhile is not in it for sure.
        stood = (store.run_outcomes.standing(a.run.id), store.run_outcomes.standing(b.run.id))
        found_for = a.run.id, a.target, b.run.id, b.target, stood
        if (found := kept.of(found_for)) is None:
            found = compare(store, a, b)
            kept.keep(found_for, found)
        return replace(found, a=a, b=b)

    def _read(self, read: Callable[[], RunComparison | int]) -> None:
        shell = self.shell
        self._reading.ask(lambda: (covered_sessions(shell, shell.store), read()), self._show)

    def _show(self, read: tuple[frozenset[int], RunComparison | int]) -> None:
        """Show what changed, or how many runs there are of which no two share cases."""
        covered, found = read
        self._take_covered(covered)
        if isinstance(found, RunComparison):
            self._show_compared(found)
        else:
            self._show_unrelated(found)

    def on_screen_resume(self) -> None:
        """List what was hidden until it was labelled, and hide what waits for a label since."""
        super().on_screen_resume()
        if self._comparison is not None:
            # What was told as it was made ahead is seen from now on.
            self._see()
            # A thread that reads takes turns with the frame, which would be there later.
            self.call_after_refresh(self._look_for_covered)

    def _look_for_covered(self) -> None:
        shell = self.shell
        self._covering.ask(lambda: covered_sessions(shell, shell.store), self._take_covered_anew)

    def _take_covered(self, covered: frozenset[int]) -> None:
        self._covered, self._listed, self._waiting = covered, {}, None

    def _take_covered_anew(self, covered: frozenset[int]) -> None:
        if covered != self._covered and self._comparison is not None:
            cursor = self.list.cursor
            self._take_covered(covered)
            self._show_metric(self._metric)
            self.list.move_cursor(min(cursor, max(0, len(self._pairs) - 1)))
            self._tell_left_out(self._comparison)

    def _show_unrelated(self, runs: int) -> None:
        """Say what to do."""
        self._runs = runs
        self.query_one(TitleBar).right = f"{runs:,} run{'s' * (runs != 1)}"
        self._show_empty({0: NO_RUNS, 1: ONE_RUN}.get(runs, STRANGERS))
        self.refresh_bindings()

    def _show_compared(self, comparison: RunComparison) -> None:
        """Show what changed, unless other sides were chosen meanwhile."""
        if self._sides and self._sides != {"A": comparison.a, "B": comparison.b}:
            return
        self._runs = max(2, self._runs)
        self._sides = {"A": comparison.a, "B": comparison.b}
        self._comparison = comparison
        cases = f"{comparison.cases:,} case{'s' * (comparison.cases != 1)} in both"
        self.query_one(TitleBar).right = cases
        self._tell_sides()
        self._metric = 0
        if not comparison.pairs:
            self._show_empty(NO_PAIR if comparison.cases else NO_CASE)
        else:
            self.remove_class("-empty")
            self._tell_sure()
            self._show_metric(0)
            self._tell_left_out(comparison)
        self.refresh_bindings()

    def _show_empty(self, words: tuple[str, str]) -> None:
        self.add_class("-empty")
        self.query_one(EmptyWords).tell(*words)

    def _tell_sides(self) -> None:
        runs, size = self.query_one("#runs", DrawnLines), self.app.size
        lines = runs_lines(
            self._sides, self._comparison, size, runs.tones, self.shell.actions, is_open=self._settings_open
        )
        runs.display = bool(lines)
        runs.styles.height = len(lines)
        runs.set_lines(lines)

    def _tell_sure(self) -> None:
        """Say in a few words what got worse, what got better, and how sure that is."""
        if self._comparison is None or not self._comparison.pairs:
            return
        sure, width = self.query_one("#sure", DrawnLines), self.app.size.width
        room = max(1, width - 3)
        lines = [line for told in summary_lines(self._comparison, room) for line in wrap(told, room)]
        sure.styles.height = len(lines)
        sure.set_lines([[Segment(f"  {line}", sure.tones.text)] for line in lines])

    def _tell_left_out(self, comparison: RunComparison) -> None:
        line = self.query_one("#left-out", DrawnLines)
        left_out = left_out_words(comparison)
        # Where the list has a frame, its title says that.
        hidden = 0 if has_frames(self.app.size) else self._hidden
        parts = (
            waiting_words(hidden, COUNTED_ABOVE, named=True),
            f"not compared: {left_out}" if left_out else "",
        )
        words = " · ".join(filter(None, parts))
        line.display = bool(words)
        told = fit(words, max(1, self.app.size.width - 3))
        line.set_lines([[Segment(f"  {told}", line.tones.muted)]] if words else [])
        self.query_one(_MetricsOverPairs).share()

    # The metrics

    def _show_metric(self, metric: int) -> None:
        """Show the pairs of one metric, or of all for 0."""
        if self._comparison is None:
            return
        changes = self._compared
        self._metric = metric % (len(changes) + 1)
        self.query_one(ChangedMetrics).show(changes, self._metric)
        name = changes[self._metric - 1].metric if self._metric else ""
        self._pairs = self._listed_of(self._comparison, name)
        # Not as markup, of which a metric's name may have signs.
        self.query_one("#pairs").border_title = Content(pairs_title(name, self._hidden)).markup
        self._show_pairs(0)

    @property
    def _hidden(self) -> int:
        """How many sessions wait for a label that is to be blind, so that their pairs are not listed."""
        if self._comparison is None:
            return 0
        if self._waiting is None:
            # Each is looked up on both sides, which thousands of them would make felt at every key.
            self._waiting = len(self._comparison.pairs.judged(self._covered))
        return self._waiting

    def _listed_of(self, comparison: RunComparison, metric: str) -> ScoredPairs:
        """Return the pairs of a metric, of all for an empty name, that no label is to be given blind of."""
        if metric not in self._listed:
            pairs = comparison.by_metric[metric] if metric else comparison.pairs
            hidden = pairs.judged(self._covered)
            self._listed[metric] = pairs.without(hidden) if hidden else pairs
        return self._listed[metric]

    def _show_pairs(self, cursor: int) -> None:
        metrics = [change.metric for change in self._compared]
        columns = change_columns(metrics if not self._metric else metrics[:1], self.app.size.width)
        pairs, reasons = self._pairs, self._reasons

        def draw(row: int) -> Sequence[Cell]:
            return change_cells(
                pairs[row], columns, lambda: telling_reason(pairs[row], reasons.of(pairs, row))
            )

        self.list.show(columns, len(pairs), draw, cursor=cursor)
        self._show_reasons()

    def _show_reasons(self) -> None:
        """Say below the list why the pair under the cursor came out so on both sides."""
        pairs, at = self._pairs, self.list.cursor
        pair = pairs[at] if at < len(pairs) else None
        why = self._reasons.of(pairs, at) if pair is not None else ("", "")
        view = self.query_one("#reasons", FittedLines)
        view.show(lambda size, tones: reason_lines(pair, why, size, tones))

    @property
    def _compared(self) -> Sequence[MetricChange]:
        """The metrics that scored a case on both sides, those that changed for sure first."""
        return clear_first(self._comparison.metrics) if self._comparison else []

    @property
    def list(self) -> RecordTable:
        """The pairs."""
        return self.query_one(RecordTable)

    def action_next_metric(self) -> None:
        """Show only the pairs of the next metric."""
        self._show_metric(self._metric + 1)

    def action_previous_metric(self) -> None:
        """Show only the pairs of the metric before."""
        self._show_metric(self._metric - 1)

    def on_changed_metrics_chosen(self, event: ChangedMetrics.Chosen) -> None:
        """Show the pairs of the metric that was clicked."""
        self._show_metric(event.row)

    # The pairs

    def prepare_next(self) -> bool:
        """Read ahead what a key asks for; return whether there was anything to do."""
        return self._expect_pair() or self._expect_choice()

    def _expect_pair(self) -> bool:
        from turnwise.tui.compare.pair_screen import PairScreen

        ahead, comparison, row = self.shell.kept_dialogs.ahead(PairScreen), self._comparison, self.list.cursor
        if ahead is None or comparison is None or row >= len(self._pairs):
            return False
        return ahead.expect(*named_sides(comparison), self._pairs, row)

    def action_open(self) -> None:
        """Read both transcripts of the pair."""
        from turnwise.tui.compare.pair_screen import PairScreen

        if self._comparison is not None and self._pairs:
            a, b = named_sides(self._comparison)
            screen = self.shell.kept_dialogs.take(PairScreen, a, b, self._pairs, self.list.cursor)
            self.app.push_screen(screen, self._go_to_pair)

    def on_record_table_highlighted(self) -> None:
        """Show why the pair under the cursor came out so."""
        if self.list.cursor < len(self._pairs):
            self._show_reasons()
            self._see()

    def on_rows_view_other_rows(self) -> None:
        """Take that the figures of other pairs are seen now."""
        self._see()

    def _see(self) -> None:
        """Take that the figures of the pairs in sight were seen: labels of these are no longer blind."""
        for row in self.list.in_sight if is_in_sight(self) else ():
            for outcome in (self._pairs[row].a, self._pairs[row].b):
                self.shell.sights.add(outcome.session_id, "in Compare")

    def on_record_table_opened(self, event: RecordTable.Opened) -> None:
        """Read both transcripts of the pair that was clicked twice."""
        self.action_open()

    def _go_to_pair(self, row: int | None) -> None:
        if row is not None:
            self.list.move_cursor(row)

    # The sides

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what means nothing now, or not yet."""
        if self.reading is not None and (action in _OF_PAIRS or target_of("compare", action) == "list"):
            return False
        if action in _OF_PAIRS:
            return self._comparison is not None and bool(self._comparison.pairs)
        if action in {"choose_a", "choose_b"}:
            return self._runs > 0
        return len(self._sides) == 2 if action in {"swap", "hyperparameters"} else True

    @property
    def idle(self) -> frozenset[str]:
        """The actions that would show nothing now."""
        some = any(side.run.hyperparameters for side in self._sides.values())
        return frozenset() if some else frozenset({"hyperparameters"})

    def action_hyperparameters(self) -> None:
        """Show the hyperparameters of both runs, or only what differs."""
        if self.idle:
            note(self, NO_SETTINGS)
            return
        self._settings_open = not self._settings_open
        self._tell_sides()

    def action_choose_a(self) -> None:
        """Choose what is compared."""
        self._choose("A")

    def action_choose_b(self) -> None:
        """Choose what it is compared with."""
        self._choose("B")

    def action_swap(self) -> None:
        """Look from the other side."""
        self._sides = {"A": self._sides["B"], "B": self._sides["A"]}
        self._compare_chosen()

    @work(group="ask", exclusive=True)
    async def _choose(self, letter: str) -> None:
        """Ask for a run."""
        from turnwise.tui.compare.choose_run_dialog import ChooseRunDialog, offered_sides

        store = self.shell.store
        if (offered := self._offered.of(store.growing.revision())) is None:
            offered = await asyncio.to_thread(offered_sides, store)
        dialog = self.shell.kept_dialogs.of(ChooseRunDialog, letter, offered, self._sides)
        self.app.push_screen(dialog, partial(self._take_side, letter))

    def _expect_choice(self) -> bool:
        """Read which runs can be chosen: many scores take longer than a key may."""
        from turnwise.tui.compare.choose_run_dialog import offered_sides

        store = self.shell.store
        # A run that writes all the time would have them read all the time.
        if self._runs == 0 or self.shell.runs.under_way or self._offering.under_way:
            return False
        if self._offered.of(stood := store.growing.revision()) is not None:
            return False
        self._offering.ask(lambda: offered_sides(store), partial(self._offered.keep, stood))
        return True

    def _take_side(self, letter: str, side: Side | None) -> None:
        if side is None:
            return
        self._sides = {**self._sides, letter: side}
        self._tell_sides()
        if len(self._sides) == 2:
            self._compare_chosen()
        else:
            self._choose("B" if letter == "A" else "A")

    def _compare_chosen(self) -> None:
        self._tell_sides()
        self.query_one(TitleBar).right = "comparing …"
        self._compare(self._sides["A"], self._sides["B"])

    def action_back(self) -> None:
        """Go back."""
        self.dismiss(None)
