"""Rows of the runs screen: how a run ended, in a mark and a few words, and the columns that fit."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from rich.cells import cell_len

from turnwise.conversations.marks import FAILURE, UNSURE
from turnwise.conversations.store import RunFigures, RunRow, cost_words
from turnwise.conversations.words import percent
from turnwise.engine.scoring.progress import duration
from turnwise.tui.compare.run_words import has_judge, judge_of
from turnwise.tui.drawing.bars import bar
from turnwise.tui.drawing.record_table import Cell, TableColumn, left_in
from turnwise.tui.parts.words import ago

Ending = Literal["finished", "failures", "unfinished", "under way"]

CHOSEN = "●"
"""Stands at a run that is chosen to be compared."""
_MARKS: dict[Ending, tuple[str, str]] = {
    "finished": (" ", "muted"),
    "failures": (FAILURE, "unsure"),
    "unfinished": (UNSURE, "unsure"),
    "under way": ("▸", "bar"),
}
"""The mark of each ending, and its tone. One that finished has none: a ✓ would say that it passed."""
WITH_SESSIONS_FROM, WITH_JUDGE_FROM, WITH_BAR_FROM, WITH_COST_FROM, WITH_ALL_FROM = 90, 102, 112, 124, 140
"""From so many cells on it is told of how many sessions and who judged; pass rates have a bar; it is told how
long a run took and what it cost, where only one of them has room in place of the bar; and all of this.
"""
_ENDED, _ENDED_WIDE, _WIDE_FROM = 12, 14, 88
_BAR, _LONGEST_BAR = 8, 40
_LONGEST_NAME = 40
"""Of a longer name so much is wanted before a bar goes."""
_PASSES, _SCORES_PASS = "passes", "scores that pass"
"""The head over the share: of which things it is, where there is room to say so."""
ROOMY_FROM = WITH_ALL_FROM + len(_SCORES_PASS) - len(_PASSES)
"""From so many cells on there is, and bars grow."""


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run as the screen lists it.

    figures: how it came out; None while that is being counted. asked: how many outcomes it was to bring;
    None where that is not known. under_way: whether this program judges it now.
    """

    run: RunRow
    figures: RunFigures | None = None
    asked: int | None = None
    under_way: bool = False

    @property
    def ending(self) -> Ending:
        """How it ended."""
        if self.under_way:
            return "under way"
        if self.run.finished_at is None:
            return "unfinished"
        return "failures" if self.figures is not None and self.figures.failures else "finished"

    @property
    def left(self) -> int | None:
        """How many outcomes it lacks; None where that is not known."""
        if self.asked is None or self.figures is None:
            return None
        found = self.figures.scores + self.figures.skipped + self.figures.failures
        return max(0, self.asked - found)

    @property
    def about(self) -> str:
        """What it is called; where nobody named it, by which metrics it judged."""
        return self.run.name or metrics_words(self.run.metrics)


def metrics_words(metrics: Sequence[str]) -> str:
    """Name metrics in a line: the first, and how many more there are."""
    if not metrics:
        return "no metric"
    more = f" +{len(metrics) - 1} more" if len(metrics) > 1 else ""
    return metrics[0].replace("_", " ") + more


def scored_words(done: int, expected: int, width: int) -> str:
    """Say how far the run under way is: where there is room as the line at the foot of the screens does.

    In a narrow window names of runs need the room, as their ends tell them apart.
    """
    return f"{'scoring ' if width >= _WIDE_FROM else ''}{done:,} of {expected:,}"


def ending_words(listed: ListedRun, progress: str = "", go_on: str = "", *, short: bool = False) -> str:
    """Say how a run ended in a few words: "3 not judged", "120 left: r goes on".

    progress: how far it is, where it is under way. go_on: the key that goes on with one that was broken off.
    short: only that it does is said of such a one, as the mark of its row says that it did not end.
    """
    match listed.ending:
        case "failures":
            return f"{listed.figures.failures:,} not judged" if listed.figures else ""
        case "unfinished":
            way = f"{go_on} goes on"
            left = "unfinished" if listed.left is None else f"{listed.left:,} left"
            return way if short and go_on else f"{left}: {way}" if go_on else left
        case "under way" if progress:
            return progress
        case other:
            return other


def longest_left(listed: ListedRun, go_on: str) -> int:
    """Return the cells of the longest words on a run that was broken off, now or once it is counted."""
    return max(
        cell_len(ending_words(replace(listed, figures=figures), go_on=go_on))
        for figures in (None, RunFigures())
    )


@dataclass(frozen=True)
class RunsRoom:
    """What the columns share: the cells of the table, and what is to have room in them.

    longest: the longest words that will tell how far the run under way is; empty where there is none.
    name: the cells of the longest name. number: the highest number of a run. go_on: the key that goes on with
    a run that was broken off. unfinished: the cells of the longest words on such a one; 0 for none. What it
    says is worked out once, and not for each row.
    """

    width: int
    longest: str = ""
    name: int = 0
    number: int = 0
    go_on: str = ""
    unfinished: int = 0

    @cached_property
    def ended(self) -> int:
        """The cells that tell how runs ended."""
        return self._ended_least if self.is_short else max(self._ended_least, self.unfinished)

    @cached_property
    def _ended_least(self) -> int:
        return max(_ENDED_WIDE if self.width >= _WIDE_FROM else _ENDED, cell_len(self.longest))

    @cached_property
    def is_short(self) -> bool:
        """Whether a run that was broken off has fewer words, as names of runs would be cut for more."""
        if self.unfinished <= self._ended_least:
            return False
        width = self.width
        bar_cells = _BAR if width >= WITH_ALL_FROM or WITH_BAR_FROM <= width < WITH_COST_FROM else 0
        others = replace(self, unfinished=0)
        columns = _columns(others, bar_cells, judge=width >= WITH_JUDGE_FROM, cost=width >= WITH_COST_FROM)
        left = left_for_name(columns, width) - (self.unfinished - self._ended_least)
        return left < min(self.name, _LONGEST_NAME)

    @cached_property
    def has_judge(self) -> bool:
        """Whether it is told who judged: in a window that is just wide enough, not where a name would be cut
        for it. The details below name the judge as well.
        """
        if not WITH_JUDGE_FROM <= self.width < WITH_BAR_FROM:
            return self.width >= WITH_JUDGE_FROM
        return left_for_name(_columns(self, 0, judge=True), self.width) >= min(self.name, _LONGEST_NAME)

    @cached_property
    def has_cost(self) -> bool:
        """Whether it is told how long runs took and what they cost, which gives way as the judge does."""
        if not WITH_COST_FROM <= self.width < WITH_ALL_FROM:
            return self.width >= WITH_COST_FROM
        columns = _columns(self, 0, judge=True, cost=True)
        return left_for_name(columns, self.width) >= min(self.name, _LONGEST_NAME)

    @cached_property
    def bar(self) -> int:
        """The cells of a bar, of what is left half; 0 for none, as where a name would be cut for one.

        The share beside it says the same, and names of runs are told apart by their ends.
        """
        width = self.width
        if not (width >= WITH_ALL_FROM or WITH_BAR_FROM <= width < WITH_COST_FROM):
            return 0
        free = width - WITH_ALL_FROM - len(_SCORES_PASS) + len(_PASSES)
        longest = max(_BAR, min(_LONGEST_BAR, _BAR + free // 2))
        left = left_for_name(_columns(self, longest, judge=True, cost=width >= WITH_COST_FROM), width)
        # The longer ones grow in what names leave; the shortest is there or not.
        fitting = longest - max(0, min(self.name, _LONGEST_NAME) - left)
        return fitting if fitting >= _BAR else 0


def left_for_name(columns: Sequence[TableColumn], width: int) -> int:
    """Return the cells that the other columns leave for the names of runs."""
    return left_in(width, len(columns), sum(column.width for column in columns))


def run_columns(room: RunsRoom) -> list[TableColumn]:
    """Return the columns of the table."""
    return _columns(room, room.bar, judge=room.has_judge, cost=room.has_cost)


def _columns(room: RunsRoom, bar_cells: int, *, judge: bool, cost: bool = False) -> list[TableColumn]:
    width = room.width
    return [
        TableColumn("", 2),
        TableColumn("run", max(len("run"), len(str(room.number))), right=True),
        TableColumn("when", 10),
        TableColumn("what", keeps_end=True),
        *([TableColumn("judge", 18)] if judge else []),
        *([TableColumn("sessions", 8, right=True)] if width >= WITH_SESSIONS_FROM else []),
        TableColumn(_share_head(width), len(_share_head(width)), right=True),
        *([TableColumn("", bar_cells)] if bar_cells else []),
        *([TableColumn("took", 8, right=True), TableColumn("cost", 10, right=True)] if cost else []),
        TableColumn("ended", room.ended),
    ]


def run_cells(listed: ListedRun, room: RunsRoom, *, chosen: bool = False, progress: str = "") -> list[Cell]:
    """Return the cells of a run for those columns.

    chosen: whether it is chosen to be compared. progress: how far it is, where it is under way.
    """
    run, figures, width = listed.run, listed.figures, room.width
    mark, tone = _MARKS[listed.ending]
    return [
        Cell(f"{CHOSEN if chosen else ' '}{mark}", tone),
        Cell(str(run.id), "muted"),
        Cell(ago(run.created_at, time.time()), "muted"),
        Cell(listed.about),
        *([Cell(judge_of(run), "muted")] if room.has_judge else []),
        *([Cell(_sessions(figures), "muted")] if width >= WITH_SESSIONS_FROM else []),
        Cell(_passed(figures)),
        *([Cell(_bar_of(figures, room.bar), "passed")] if room.bar else []),
        *([Cell(_took(run), "muted"), Cell(_cost(run, figures), "muted")] if room.has_cost else []),
        Cell(ending_words(listed, progress, room.go_on, short=room.is_short), tone),
    ]


def _share_head(width: int) -> str:
    return _SCORES_PASS if width >= ROOMY_FROM else _PASSES


def _sessions(figures: RunFigures | None) -> str:
    return "…" if figures is None else f"{figures.sessions:,}"


def _passed(figures: RunFigures | None) -> str:
    if figures is None:
        return "…"
    return percent(figures.passed / figures.scores) if figures.scores else "–"


def _took(run: RunRow) -> str:
    if run.finished_at is None:
        return ""
    seconds = run.finished_at - run.created_at
    return duration(seconds) if seconds >= 1 else "< 1 s"


def _cost(run: RunRow, figures: RunFigures | None) -> str:
    if figures is None:
        return "…"
    if figures.cost is None:
        return "–" if has_judge(run) else ""
    return cost_words(figures.cost)


def _bar_of(figures: RunFigures | None, cells: int) -> str:
    return bar(figures.passed / figures.scores, cells) if figures is not None and figures.scores else ""
