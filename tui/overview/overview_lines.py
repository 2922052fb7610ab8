"""The lines of the overview: rates as bars, scores as histograms, in the terminal's own characters.

A line has parts, each a text and what it means, so that the app can colour what the command prints plain.
Most lines lead to sessions, by a query. Everything drawn can be left out for those who read: then figures
stand alone.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from rich.cells import cell_len

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import ScoreTally, TurnTally, cost_words
from turnwise.conversations.words import counted
from turnwise.engine.overview import Overview, PassRate
from turnwise.tui.agreement.agreement_words import FEW_IN_SHORT
from turnwise.tui.drawing.bars import (
    INTERVAL_LEGEND,
    SHARE_WIDTH,
    SHORTEST_SCALE,
    bar,
    bar_with_interval,
    columns_of,
    scale,
    share_with_interval,
)
from turnwise.tui.drawing.wrapping import cut_apart, fit, wrap
from turnwise.tui.failure_modes.mode_words import interval, metric_query, mode_query
from turnwise.tui.overview.overview_words import (
    AGAINST_PEOPLE,
    AS_TO_METRIC,
    NEWEST_COUNTS,
    break_interval,
    breaks_query,
    cost_told,
    doubted_words,
    few_words,
    grouped_words,
    has_few,
    has_groups,
    in_short,
    is_over_runs,
    judged_in_order,
    kappa_words,
    left_in_all,
    metric_words,
    missed_words,
    otherwise_words,
    part_of_words,
    runs_in_order,
    share_broken,
    span_words,
)

WIDTH = 78
"""Cells that a line takes at most, where nobody says otherwise."""
_MOST_TURNS = 12
_MOST_MODES = 8
_MOST_QUEUES = 6
_MOST_DAYS = 40
_BAR, _SHORTEST_BAR = 12, 4
_NO_GROUP, _GROUP_GAP = "(none)", 2
_NAME, _SHORTEST, _LEAST = 25, 20, 8
_FIGURES = 1 + SHARE_WIDTH + 9 + 12
"""Cells beside a metric's bar: its pass rate, how many scores, and their histogram."""
_SPLIT_FROM = 110
_BY_LABEL = 24
"""Cells of two histograms more: of what people passed, and of what they failed."""
_BY_LABEL_HEAD = "passed of people's"
"""Stands over two columns of figures, of what people passed and of what they failed."""
_BY_LABEL_LEAST = (len(_BY_LABEL_HEAD) - 2) // 2
_BY_LABEL_TOLD = (
    "passed of people's ✓, ✗: how many of those that people passed, or failed, as to the metric it passed"
)
_SPREAD = "0 spread 1"
_DRAWN = f"{_SPREAD}: how many scores lie where"
_BY_LABEL_DRAWN = (
    "0 … 1: where scores lie, of all, of what people passed (✓) and failed (✗) as to the metric, "
    "each to its own top"
)
_BASE = "."
"""Stands in a histogram where no score lies, so that its ends are seen."""
_JUDGED_HEADS = ("caught of people's ✗", "passed of people's ✓")
_KAPPA = "kappa "
_ABOUT = 12
_SHADES = re.compile("([█▓░])")
_WORDS: tuple[LabelWord, ...] = ("pass", "fail")

Meaning = Literal["text", "section", "heading", "muted", "passed", "failed"]
"""The tone that a part has, as the app's lines have them."""


@dataclass(frozen=True, slots=True)
class ToldPart:
    """A part of a line, and what it means: a heading, something beside the point, or how it came out."""

    text: str
    meaning: Meaning = "text"


@dataclass(frozen=True, slots=True)
class OverviewLine:
    """A line, and the query of the sessions that it is about; empty where it leads to none.

    all_modes: whether it leads to the list of all failure modes.
    """

    parts: tuple[ToldPart, ...] = ()
    query: str = ""
    all_modes: bool = False

    @property
    def text(self) -> str:
        """The line without colours."""
        return "".join(part.text for part in self.parts).rstrip()

    @property
    def leads(self) -> bool:
        """Whether it leads anywhere."""
        return bool(self.query) or self.all_modes


@dataclass(frozen=True, slots=True)
class Drawing:
    """How lines are laid out.

    width: cells of a line; drawn: with bars and histograms, or figures alone; longest: cells of the longest
    name, as bars take what names leave; by_label: of what is told of the sessions with one label; to_modes:
    what lists all failure modes from their line, empty where the command does.
    """

    width: int = WIDTH
    drawn: bool = True
    longest: int = WIDTH
    by_label: int = _BY_LABEL // 2 - 2
    to_modes: str = ""

    @property
    def name(self) -> int:
        """Cells of a name."""
        most = _NAME + min(max(0, self.width - WIDTH) // 3, 16)
        if not self.drawn:
            # A figure that is cut would be another one.
            room = self.width - 4 - SHARE_WIDTH - 9 - 2 * (self.by_label + 2)
            return max(_LEAST, min(self.longest, most, room))
        # The interval is what tells how sure a share is: names and bars give way to it.
        room = max(_LEAST, self.width - 4 - _SHORTEST_BAR - 1 - SHARE_WIDTH)
        return min(max(_SHORTEST, min(self.longest, most)), room)

    @property
    def split(self) -> bool:
        """Whether there is room for scores apart by what people said."""
        return not self.drawn or self.width >= _SPLIT_FROM

    @property
    def bar(self) -> int:
        """Cells of a bar."""
        beside = _FIGURES + (_BY_LABEL if self.split else 0)
        return max(_SHORTEST_BAR, min(self.width - self.name - 4 - beside, 40)) if self.drawn else 0

    @property
    def rate(self) -> int:
        """Cells of a share with its interval, and of the gap to what stands beside it."""
        return SHARE_WIDTH + (3 if self.split else 1)

    def name_cell(self, name: str, indent: str = "") -> str:
        """Return a name over the cells of its column; some characters take two. indent: stands before it."""
        return f"  {indent}{fit(make_safe_line(name), self.name - len(indent))}  "

    def bar_cell(self, share: float) -> str:
        """Return a share as a bar and a gap; nothing where nothing is drawn."""
        return f"{bar(share, self.bar)} " if self.drawn else ""

    def rate_cell(self, share: float, ends: tuple[float, float]) -> str:
        """Return a share as a bar with the interval it may lie in, and a gap."""
        return f"{bar_with_interval(share, ends, self.bar)} " if self.drawn else ""


def overview_lines(
    found: Overview, drawing: Drawing | None = None, waiting: str = ""
) -> Iterator[OverviewLine]:
    """Yield the overview line by line: a few plain words first, then every figure that stands behind them.

    waiting: what is said below the metrics of sessions whose scores are hidden elsewhere, if anything.
    """
    drawing = replace(drawing or Drawing(), longest=_longest_name(found))
    if not drawing.drawn:
        drawing = replace(drawing, by_label=_longest_by_label(found))
    yield from _short(found, drawing)
    yield from _metrics(found, drawing, waiting)
    yield from _turns(found, drawing)
    yield from _modes(found, drawing)
    yield from _labels(found, drawing)
    yield from _judged(found, drawing)
    yield from _runs(found, drawing)
    yield from _costs(found, drawing)
    if found.unread:
        yield OverviewLine()
        yield OverviewLine((ToldPart(f"  {found.unread}", "muted"),))


def _longest_by_label(found: Overview) -> int:
    """Return the cells of the longest figure that is told of what people passed, or failed."""
    told = [_passed_of(tally) for one in found.rates for tally in one.by_label.values()]
    return max(_BY_LABEL_LEAST, *map(len, told)) if told else _BY_LABEL_LEAST


def _head_by_label(sign: str, *, drawn: bool) -> str:
    """Return what stands over the scores of what people passed, or failed.

    A histogram has both of its ends told, as the one of all scores has.
    """
    return f"0   {sign}    1" if drawn else sign


def _passed_of(tally: ScoreTally) -> str:
    return f"{tally.passed:,} of {tally.scores:,}"


def _longest_name(found: Overview) -> int:
    """Return the cells of the longest name that stands at the left of a line."""
    names = [
        *(metric_words(one.tally.metric) for one in found.rates),
        *(metric_words(one.metric) for one in found.judged),
        *(one.name for one in found.modes[:_MOST_MODES]),
        *(f"queue {one.name}" for one in found.queues[:_MOST_QUEUES]),
        *(f"  {one.run} {one.name}" for one in found.runs),
        *(f"{one.spent.run} {one.name}" for one in found.costs),
    ]
    return max((cell_len(make_safe(name)) for name in names), default=0)


def _heading(*cells: str, above: str = "") -> Iterator[OverviewLine]:
    """Yield a heading after a blank line, or after what stands above it."""
    yield OverviewLine((ToldPart(above, "muted"),) if above else ())
    title, *rest = cells
    yield OverviewLine((ToldPart(title, "section"), ToldPart("".join(rest), "muted")))


def _short(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    for words in in_short(found):
        about = words.about
        for line in wrap(words.said, drawing.width - _ABOUT - 2):
            yield OverviewLine(
                (ToldPart(f"  {about:<{_ABOUT}}", "heading"), ToldPart(line)),
                words.query if about else "",
            )
            about = ""


def _metrics(found: Overview, drawing: Drawing, waiting: str) -> Iterator[OverviewLine]:
    if not found.rates:
        # Where all wait for a label, this is why nothing is counted.
        yield from _muted("" if found.sessions else waiting, drawing)
        return
    split = drawing.split and any(one.by_label for one in found.rates)
    name, bars = drawing.name + 4, drawing.bar + 1 if drawing.drawn else 0
    title = _metrics_title(found, name, name + bars)
    # Over the names alone where it has room: a title that ended with the bars would read as what they show.
    scaled = len(title) < name and drawing.bar >= SHORTEST_SCALE
    head, over = (
        (title.ljust(name), scale(drawing.bar).ljust(bars)) if scaled else (title.ljust(name + bars), "")
    )
    rest = f"{over}{'passes (interval)':<{SHARE_WIDTH}}{'scores':>9}"
    rest += f"  {'0  all   1' if split else _SPREAD}" if drawing.drawn else ""
    # Two signs alone would not tell what is counted of them.
    above = f"{' ' * (len(head) + len(rest) + 2)}{_BY_LABEL_HEAD}" if split and not drawing.drawn else ""
    yield from _heading(head, rest, _heads_by_label(drawing) if split else "", above=above)
    for one in found.rates:
        yield _rate_line(one, drawing, split=split)
    # First what lets these figures differ from those of other screens, where a small window ends.
    yield from _muted(waiting, drawing)
    yield from _muted(NEWEST_COUNTS if is_over_runs(found) else "", drawing)
    yield from _muted(doubted_words(found), drawing)
    if drawing.drawn:
        # Shades as the bars have them, so that they can be looked up.
        told = _SHADES.split(INTERVAL_LEGEND)
        parts = (ToldPart(one, "passed" if _SHADES.fullmatch(one) else "muted") for one in told)
        yield OverviewLine((ToldPart("  "), *parts))
    if drawing.drawn:
        yield from _muted(_BY_LABEL_DRAWN if split else _DRAWN, drawing)
    elif split:
        yield from _muted(_BY_LABEL_TOLD, drawing)
    if left := left_in_all(found):
        yield from _muted(left.said, drawing, left.query)


def _muted(told: str, drawing: Drawing, query: str = "") -> Iterator[OverviewLine]:
    """Yield words that stand below a table, in as many lines as they take; none for none."""
    for line in wrap(told, drawing.width - 3) if told else ():
        yield OverviewLine((ToldPart(f"  {line}", "muted"),), query)


def _metrics_title(found: Overview, *rooms: int) -> str:
    """Return the title over the metrics, which says their order, in the first room that has enough."""
    titles = ["Metrics, the worst first"]
    if is_over_runs(found):
        over = (
            "Metrics over all runs, worst first",
            "Metrics, all runs, worst first",
            "All runs, worst first",
        )
        titles = [*over, *titles]
    fitting = (title for room in rooms for title in titles if len(title) < room)
    return next(fitting, "Worst first")


def _heads_by_label(drawing: Drawing) -> str:
    heads = [_head_by_label(sign, drawn=drawing.drawn) for sign in "✓✗"]
    return "".join(f"  {head:<{drawing.by_label}}" for head in heads)


def _rate_line(one: PassRate, drawing: Drawing, *, split: bool) -> OverviewLine:
    """Return a metric's line. split: with the scores of what people passed, and of what they failed."""
    name = ToldPart(drawing.name_cell(metric_words(one.tally.metric)))
    if one.rate is None or one.interval is None:
        return OverviewLine((name, ToldPart("no scores", "muted")))
    told = share_with_interval(one.rate, one.interval)
    parts = [
        name,
        ToldPart(drawing.rate_cell(one.rate, one.interval), "passed"),
        ToldPart(f"{told:<{SHARE_WIDTH}}{one.tally.scores:>9,}"),
    ]
    if drawing.drawn:
        parts += _histogram(one.tally, "text")
    if split:
        for label in _WORDS:
            parts += _by_label(one.by_label.get(label), label, drawing)
    return OverviewLine(tuple(parts), metric_query(one.tally.metric, "fail"))


def _histogram(tally: ScoreTally, meaning: Meaning) -> list[ToldPart]:
    """Return how the scores lie from 0 to 1, with a quiet base line where none do."""
    drawn = columns_of(tally.histogram).replace(" ", _BASE)
    pieces = re.split(rf"({re.escape(_BASE)}+)", drawn)
    parts = (ToldPart(one, "muted" if one.startswith(_BASE) else meaning) for one in pieces if one)
    return [ToldPart("  "), *parts]


def _by_label(tally: ScoreTally | None, label: LabelWord, drawing: Drawing) -> list[ToldPart]:
    """Return what is told of the scores of the sessions that people passed, or failed."""
    if tally is not None and drawing.drawn:
        return _histogram(tally, "passed" if label == "pass" else "failed")
    # A figure is no miss because people failed what it is of.
    told = "" if tally is None else _passed_of(tally)
    return [ToldPart(f"  {told:<{drawing.by_label}}")]


def _turns(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    if not found.turns:
        return
    of = f"every failing turn, of all that get there{_over_runs(found)}"
    yield from _heading("Where sessions break: ", of)
    worst = sorted(found.turns, key=lambda one: (-one.failed, one.turn))[:_MOST_TURNS]
    shown = sorted((one for one in worst if one.failed), key=lambda one: one.turn)
    for one in shown:
        yield _turn_line(one, drawing)
    left = sum(1 for one in found.turns if one.failed) - len(shown)
    if left > 0:
        yield OverviewLine((ToldPart(f"  and {counted(left, 'turn')} that fail less often", "muted"),))


def _over_runs(found: Overview) -> str:
    return ", over all runs" if is_over_runs(found) else ""


def _turn_line(one: TurnTally, drawing: Drawing) -> OverviewLine:
    share = share_broken(one)
    sure = break_interval(one)
    told = "–" if sure is None else share_with_interval(share, sure)
    return OverviewLine(
        (
            ToldPart(drawing.name_cell(f"turn {one.turn:,}")),
            ToldPart(drawing.bar_cell(share) if sure is None else drawing.rate_cell(share, sure), "failed"),
            ToldPart(f"{told:<{SHARE_WIDTH}}  {one.failed:,} of {one.sessions:,}"),
        ),
        breaks_query(one.turn),
    )


def _modes(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    if not found.modes:
        return
    grouped = has_groups(found)
    of = f"share of those reviewed, most sessions first{_over_runs(found)}"
    yield from _heading(f"Failure modes{grouped_words(found)}: ", of)
    shown = found.modes[:_MOST_MODES]
    # Where no bars are drawn their column is as wide as the groups need.
    room = drawing.width - drawing.name - SHARE_WIDTH - 20 - _GROUP_GAP
    longest = max(cell_len(make_safe_line(mode.group or _NO_GROUP)) for mode in shown)
    cells = max(drawing.bar + 1 - _GROUP_GAP if drawing.drawn else min(longest, room), _BAR)
    groups = cut_apart([make_safe_line(mode.group or "") for mode in shown], cells)
    for mode, group in zip(found.modes, groups, strict=False):
        sure = interval(mode) or (0.0, 1.0)
        told = share_with_interval(mode.share, sure)
        beside = drawing.rate_cell(mode.share, sure)
        if grouped:
            beside = fit(group or _NO_GROUP, cells) + " " * _GROUP_GAP
        yield OverviewLine(
            (
                ToldPart(drawing.name_cell(mode.name)),
                ToldPart(beside, "text" if grouped else "failed"),
                ToldPart(f"{told:<{SHARE_WIDTH}}  {mode.sessions:,} of {mode.reviewed:,}"),
            ),
            mode_query(mode.name, found.by, mode.group),
        )
    if len(found.modes) > _MOST_MODES:
        left = len(found.modes) - _MOST_MODES
        by = f" --by {shlex.quote(make_safe_line(found.by))}" if found.by else ""
        way = drawing.to_modes or f"turnwise modes{by}"
        more = ToldPart(f"  and {left:,} more: {way}", "muted")
        yield OverviewLine((more,), all_modes=bool(drawing.to_modes))


def _labels(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    if found.unlabelled == found.sessions and not found.queues:
        return
    yield from _heading("Labels: ", "what people have read, and what is left")
    given = found.sessions - found.unlabelled
    yield _left_line("all of these", given, found.sessions, drawing, "label:none")
    for queue in found.queues[:_MOST_QUEUES]:
        yield _left_line(f"queue {queue.name}", queue.done, queue.count, drawing, "")
    if found.labels_by_day:
        days = found.labels_by_day[-_MOST_DAYS:]
        # It is told under the figures above, unless there are more days than a bar has cells.
        shown = f"{columns_of([count for _, count in days]):<{drawing.bar}} " if drawing.drawn else ""
        left = drawing.width - drawing.name - 4 - len(shown)
        told = _days_words([day for day, _ in days], left)
        yield OverviewLine(
            (ToldPart(drawing.name_cell("by day")), ToldPart(shown, "passed"), ToldPart(told, "muted"))
        )


def _days_words(days: Sequence[str], room: int) -> str:
    """Say on how many days labels were given, and from when to when as far as there is room."""
    count = f"{counted(len(days), 'day')} with labels"
    spans = (span_words(days), span_words(days, in_short=True))
    told = (*(f"{span}, {count}" for span in spans), count, "")
    return next(one for one in told if len(one) <= room)


def _left_line(name: str, done: int, whole: int, drawing: Drawing, query: str) -> OverviewLine:
    left = whole - done
    return OverviewLine(
        (
            ToldPart(drawing.name_cell(name)),
            ToldPart(drawing.bar_cell(done / whole if whole else 0.0), "passed"),
            ToldPart(f"{done:,} of {whole:,}"),
            ToldPart(f", {left:,} left" if left else ", all done" if whole else "", "muted"),
        ),
        query if left else "",
    )


def _judged(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    if not found.judged:
        return
    rows = [
        (
            one,
            part_of_words(one.matrix.true_fail, one.matrix.people_failed),
            part_of_words(one.matrix.true_pass, one.matrix.people_passed),
        )
        for one in judged_in_order(found)
    ]
    rate = 2 + max(len(text) for text in (*_JUDGED_HEADS, *(text for _, *both in rows for text in both)))
    longest = max(cell_len(metric_words(one.metric)) for one, *_ in rows)
    room = drawing.width - 4 - 2 * rate
    # Where figures stand alone none is left out: there a name is cut. Else Agreement has kappa too.
    kappas = room - len(_KAPPA) >= min(longest, drawing.name) or not drawing.drawn
    name = max(_LEAST, min(drawing.name, room - len(_KAPPA) * kappas))
    heads = "".join(f"{head:<{rate}}" for head in _JUDGED_HEADS)
    # Checks that need no judge stand here, too.
    title = next(title for title in (AGAINST_PEOPLE, "Metrics") if len(title) < name + 4)
    few_told = few_words(found) if kappas else ""
    if kappas:
        heads += _KAPPA
    if few_told and name + 4 + len(heads) + 1 + len(FEW_IN_SHORT) <= drawing.width:
        heads += f" {FEW_IN_SHORT}"
    yield from _heading(f"{title:<{name + 4}}", heads)
    for one, caught, passed in rows:
        few = has_few(one)
        # A mark stands behind its number, so that the numbers stay one under the other.
        kappa = kappa_words(one) if few else f"{kappa_words(one)} "
        told = f"{caught:<{rate}}{passed:<{rate}}"
        yield OverviewLine(
            (
                ToldPart(f"  {fit(metric_words(one.metric), name)}  "),
                ToldPart(told),
                ToldPart(f"{kappa:>{len(_KAPPA)}}" if kappas else "", "muted" if few else "text"),
            ),
            f"label:fail {metric_query(one.metric, 'pass')}",
        )
    yield from _muted(f"✗ and ✓: {AS_TO_METRIC}", drawing)
    yield from _muted(otherwise_words(found), drawing)
    yield from _muted(few_told, drawing)
    yield from _muted(missed_words(found), drawing)


def _runs(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    ordered = runs_in_order(found)
    several = [(metric, list(runs)) for metric, runs in groupby(ordered, key=lambda one: one.metric)]
    several = [(metric, runs) for metric, runs in several if len(runs) > 1]
    if not several:
        return
    yield from _heading("Runs over time: ", "passes (interval) and scores in each, the oldest first")
    for metric, runs in several:
        yield OverviewLine((ToldPart(f"  {metric_words(metric)}", "heading"),))
        names = _run_names([(one.run, one.name) for one in runs], drawing, indent="  ")
        for one, name in zip(runs, names, strict=True):
            told = share_with_interval(one.rate, one.interval)
            yield OverviewLine(
                (
                    ToldPart(name),
                    ToldPart(drawing.rate_cell(one.rate, one.interval), "passed"),
                    ToldPart(f"{told:<{SHARE_WIDTH}}{one.scores:>8,}"),
                ),
                f"run:{one.run} {metric_query(metric, 'fail')}",
            )


def _run_names(runs: Sequence[tuple[int, str]], drawing: Drawing, *, indent: str = "") -> list[str]:
    """Return the cells of runs: numbers and names, cut so that names that differ are told apart."""
    room = drawing.name - len(indent) - max(len(f"{run} ") for run, _ in runs)
    names = cut_apart([make_safe_line(name) for _, name in runs], room)
    return [
        drawing.name_cell(f"{run} {name}", indent=indent) for (run, _), name in zip(runs, names, strict=True)
    ]


def _costs(found: Overview, drawing: Drawing) -> Iterator[OverviewLine]:
    if not found.costs:
        return
    yield from _heading("What judging cost: ", "the newest run first")
    if found.cost is None:
        # A list of runs would say the same of each.
        told = f"{cost_told(None, found.unpriced)}: nobody has said what its judge charges"
        yield OverviewLine((ToldPart(f"  {told}", "muted"),))
        return
    whole = ToldPart(cost_told(found.cost, found.unpriced))
    yield OverviewLine((ToldPart(drawing.name_cell("all runs")), whole))
    most = max(one.spent.cost or 0.0 for one in found.costs) or 1.0
    names = _run_names([(one.spent.run, one.name) for one in found.costs], drawing)
    for one, cell in zip(found.costs, names, strict=True):
        spent, name = one.spent, ToldPart(cell)
        if spent.cost is None:
            yield OverviewLine((name, ToldPart(cost_told(None, spent.unpriced), "muted")), f"run:{spent.run}")
            continue
        unpriced = f", {spent.unpriced:,} unpriced" if spent.unpriced else ""
        scores = f" for {counted(spent.scores - spent.unpriced, 'score')}{unpriced}"
        drawn = ToldPart(drawing.bar_cell(spent.cost / most), "muted")
        cost = ToldPart(cost_words(spent.cost))
        yield OverviewLine((name, drawn, cost, ToldPart(scores, "muted")), f"run:{spent.run}")
