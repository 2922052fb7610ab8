"""A learned signal as drawn lines: AUC with its interval, the reliability curve, and what it rests on."""

from __future__ import annotations

from rich.segment import Segment

from turnwise.conversations.store import SignalVersion
from turnwise.conversations.words import percent
from turnwise.engine.learning.learned_signal import LearnedSignal
from turnwise.engine.people.statistics.intervals import share_interval
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
from turnwise.tui.learning.learned_words import (
    FORETOLD,
    MAY_BE_CHANCE,
    MOST_LISTED,
    RESTS_ON,
    lighter_words,
    summary_words,
)

_BAR = (10, 40)
"""The fewest and the most cells of a bar."""
_WEIGHT_BAR = 12
_SAID = 9
"""Cells of a foretold probability, or of a weight."""


def signal_drawing(version: SignalVersion, signal: LearnedSignal, width: int, tones: Tones) -> list[Line]:
    """Return a signal in `width` cells."""
    first, second = summary_words(version, signal)
    lines = [*paragraph(first, width, tones.heading), *paragraph(second, width, tones.text)]
    if not signal.measured.is_better_than_chance:
        lines += paragraph(MAY_BE_CHANCE, width, tones.unsure)
    lines += [[], [Segment(FORETOLD, tones.section)], *_reliability(signal, width, tones)]
    lines += [[], [Segment(fit(RESTS_ON, width).rstrip(), tones.section)], *_weights(signal, width, tones)]
    return lines


def _reliability(signal: LearnedSignal, width: int, tones: Tones) -> list[Line]:
    room = width - _SAID - SHARE_WIDTH - len(" of 0,000") - 4
    cells = min(_BAR[1], room) if room >= _BAR[0] else 0
    head = f"{'foretold':>{_SAID}}  {'':{cells}}{'  ' if cells else ''}{'passed':<{SHARE_WIDTH}} of"
    lines: list[Line] = [[Segment(head, tones.muted)]]
    for step in signal.measured.reliability:
        share, interval = step.passed / step.sessions, share_interval(step.passed, step.sessions)
        lines.append(
            [
                Segment(f"{percent(step.foretold):>{_SAID}}  ", tones.text),
                Segment(f"{bar_with_interval(share, interval, cells)}  " if cells else "", tones.bar),
                Segment(f"{share_with_interval(share, interval):<{SHARE_WIDTH}}", tones.text),
                Segment(f" {step.sessions:,}", tones.muted),
            ]
        )
    return [*lines, interval_legend(tones.bar, tones.muted)] if cells else lines


def _weights(signal: LearnedSignal, width: int, tones: Tones) -> list[Line]:
    resting = signal.rests_on()
    heaviest = max((abs(weight) for _, weight in resting), default=0.0) or 1.0
    lines: list[Line] = []
    for words, weight in resting[:MOST_LISTED]:
        # The sign says it too, so that nothing rests on colour alone.
        tone = tones.passed if weight >= 0 else tones.failed
        room = max(1, width - _SAID - _WEIGHT_BAR - 4)
        lines.append(
            [
                Segment(f"{weight:>+{_SAID}.2f}  ", tones.text),
                Segment(f"{bar(abs(weight) / heaviest, _WEIGHT_BAR)}  ", tone),
                Segment(fit(words, room).rstrip(), tones.text),
            ]
        )
    more = lighter_words(signal)
    return [*lines, [Segment(f"{'':{_SAID}}  {more}", tones.muted)]] if more else lines
