"""What is told of the run under the cursor: who judged, how it ended, each metric, what it cost."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import FAILURE, UNSURE
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import MetricRow, RunFigures, Store, cost_words, value_text
from turnwise.conversations.words import counted, percent
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.scoring.progress import duration
from turnwise.tui.compare.run_words import has_judge, judge_of
from turnwise.tui.drawing.bars import (
    SHARE_WIDTH,
    bar,
    bar_with_interval,
    interval_legend,
    share_with_interval,
)
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.words import ago
from turnwise.tui.runs.run_rows import ListedRun, metrics_words

_BAR, _LONGEST_BAR = 8, 60
_NAME = (12, 26)
"""The least and the most cells of a metric's name."""
_FIGURES = _BAR + 1 + 5 + 2 + 4 + 2
"""The cells of a bar, a percentage and a mean, with what stands between them."""
_SHARE = 5
_BESIDE = 16
"""Cells for what was not judged or skipped."""


@dataclass(frozen=True, slots=True)
class BesideRun:
    """What of a run is read only for the one under the cursor. tokens: sent to the judge, and written by it.

    settings: what is remembered of the judge. without_judge: how many outcomes are not kept for lack of one.
    later: the newest run that judged some of the same later, whose scores stand in lists; None for none.
    """

    tokens: tuple[int, int] = (0, 0)
    settings: Mapping[str, Any] = field(default_factory=dict)
    without_judge: int = 0
    later: int | None = None

    @classmethod
    def read(cls, store: Store, run_id: int) -> BesideRun:
        """Read it: call it from a thread."""
        return cls(
            store.run_outcomes.tokens(run_id),
            store.runs.past([run_id])[run_id].settings,
            store.runs.without_judge(run_id),
            store.run_outcomes.judged_again(run_id),
        )


def detail_lines(listed: ListedRun, beside: BesideRun, width: int, tones: Tones, go_on: str) -> list[Line]:
    """Return the lines on a run, so many cells wide. go_on: the key that goes on with it."""
    run = listed.run
    name = f"run {run.id}" + (f" · {run.name}" if run.name else "")
    lines = paragraph(make_safe_line(name), width, tones.section)
    lines += paragraph(_who(listed, beside), width, tones.muted)
    for text in _what_to_do(listed, go_on):
        lines += paragraph(text, width, tones.unsure)
    if beside.without_judge:
        lines += paragraph(_without_judge(listed, beside.without_judge), width, tones.unsure)
    if listed.figures is not None:
        lines += _in_all(listed.figures, width, tones)
        # That nothing came of it was just said, and why.
        if listed.figures.metrics or not beside.without_judge:
            lines += _metrics(listed, listed.figures, width, tones)
        if beside.later is not None and listed.figures.metrics:
            newest = f"Lists have the scores of run {beside.later}, which judged some of these sessions later"
            lines += paragraph(newest, width, tones.muted)
        if cost := _cost(listed, listed.figures, beside):
            lines += paragraph(cost, width, tones.muted)
    for what, value in run.hyperparameters.items():
        lines += paragraph(make_safe_line(f"{what}: {value_text(value)}"), width, tones.muted, most=2)
    return lines


def _who(listed: ListedRun, beside: BesideRun) -> str:
    run = listed.run
    judge = judge_of(run)
    address = beside.settings.get("address")
    parts = [f"{judge} at {address}" if address and not run.came_from else judge]
    # Of a run whose first outcome is waited for none is known: 0 would be taken for what it judges.
    if listed.figures is not None and (listed.figures.sessions or not listed.under_way):
        parts.append(counted(listed.figures.sessions, "session"))
    parts.append(ago(run.created_at, time.time()))
    if run.finished_at is not None and run.finished_at - run.created_at >= 1:
        parts.append(f"took {duration(run.finished_at - run.created_at)}")
    return make_safe_line(" · ".join(parts))


def _what_to_do(listed: ListedRun, key: str) -> Iterator[str]:
    if listed.ending == "unfinished":
        left = f"{listed.left:,} of {listed.asked:,} left" if listed.left else "it did not come to its end"
        yield f"{UNSURE} unfinished: {left}; {key} goes on"
    failures = listed.figures.failures if listed.figures is not None else 0
    if failures and not listed.under_way:
        them = "it" if failures == 1 else "them"
        yield f"{FAILURE} {failures:,} not judged: {key} tries {them} again"


def _without_judge(listed: ListedRun, skipped: int) -> str:
    nothing = listed.figures is not None and not listed.figures.metrics
    them = metrics_words(listed.run.metrics) if nothing else "their metrics"
    need = "needs" if nothing and len(listed.run.metrics) == 1 else "need"
    return make_safe_line(f"– {skipped:,} skipped: {them} {need} a judge, and there was none")


def _in_all(figures: RunFigures, width: int, tones: Tones) -> list[Line]:
    """Say of what the list tells the share that passes, and of how many scores; an empty line for none."""
    if not figures.scores:
        return [[]]
    by = f", of {counted(len(figures.metrics), 'metric')}" if len(figures.metrics) > 1 else ""
    told = f"passes {percent(figures.passed / figures.scores)}: {figures.passed:,} of all"
    return paragraph(f"{told} {counted(figures.scores, 'score')} of the run{by}", width, tones.muted)


def _metrics(listed: ListedRun, figures: RunFigures, width: int, tones: Tones) -> list[Line]:
    if not figures.metrics:
        # One that has ended gets none any more: outcomes go with sessions that are forgotten.
        if listed.run.finished_at is not None:
            nothing = "no outcome is left: none came, or its sessions were forgotten"
        else:
            names = ", ".join(metric.replace("_", " ") for metric in listed.run.metrics)
            nothing = f"no outcome yet; it judges by {names}" if names else "no outcome yet"
        return [*paragraph(make_safe_line(nothing), width, tones.muted), []]
    longest = max(cell_len(one.metric) for one in figures.metrics)
    room = max(_NAME[0], min(_NAME[1], longest, width - _FIGURES))
    # How sure a share is stands beside it where that costs no name.
    sure = room + _FIGURES + SHARE_WIDTH - _SHARE <= width
    share = SHARE_WIDTH if sure else _SHARE
    # What is left beside the figures makes the bars longer, and they show how sure they are.
    beside = _BESIDE if any(one.failures or one.skipped for one in figures.metrics) else 0
    long = max(_BAR, min(_LONGEST_BAR, width - room - _FIGURES + _BAR - share - beside)) if sure else _BAR
    title = "passes (interval)" if sure else "passes"
    head = f"{'worst first':<{room}}  {'':<{long + 1}}{title:<{share}}  mean"
    lines: list[Line] = [[Segment(head, tones.muted)]]
    lines += [_metric(one, room, long, share, tones) for one in sorted(figures.metrics, key=_passing)]
    shaded = sure and any(one.scores for one in figures.metrics)
    legend = [[], interval_legend(tones.passed, tones.muted)] if shaded else []
    return [*lines, *legend, []]


def _passing(one: MetricRow) -> float:
    """Return which share of a metric's scores passes; what has none comes after all others."""
    return one.passed / one.scores if one.scores else 2.0


def _metric(one: MetricRow, room: int, long: int, width: int, tones: Tones) -> Line:
    """Return the line of a metric. room, long, width: cells of its name, its bar and its share."""
    name = fit(make_safe_line(one.metric.replace("_", " ")), room)
    line = [Segment(f"{name}  ", tones.text)]
    if one.scores and one.mean is not None:
        share = one.passed / one.scores
        drawn, told = bar(share, long), f"{percent(share):>{_SHARE}}"
        if width > _SHARE:
            between = share_interval(one.passed, one.scores)
            drawn, told = bar_with_interval(share, between, long), share_with_interval(share, between)
        line.append(Segment(drawn, tones.passed))
        line.append(Segment(f" {told:<{width}}  {one.mean:.2f}  ", tones.text))
    else:
        line.append(Segment("no scores  ", tones.muted))
    if one.failures:
        line.append(Segment(f"{FAILURE} {one.failures:,}  ", tones.unsure))
    if one.skipped:
        line.append(Segment(f"– {one.skipped:,} skipped", tones.muted))
    return line


def _cost(listed: ListedRun, figures: RunFigures, beside: BesideRun) -> str:
    """Say what a run cost; nothing where nobody was asked who takes money."""
    sent, written = beside.tokens
    if figures.cost is None and not has_judge(listed.run) and not (sent or written):
        return ""
    cost = "not known" if figures.cost is None else cost_words(figures.cost)
    tokens = f" · {sent:,} tokens sent, {written:,} written" if sent or written else ""
    return f"cost: {cost}{tokens}"
