"""Change lines: by what two sides judged differently, drawn over a conversation that both judged."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.engine.comparing.judging_changes import SHORT, JudgingChange
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.reading.word_diff import emphasise, word_diff

SAME_JUDGING = "Nothing is known to differ in how they judged: what came out otherwise is the judge's own."
MOST_LINES = 8
"""More of what changed is cut: `V` in the criteria shows two versions in full."""
_NAMES = 12
_INDENT = "   "


def judging_change_lines(
    changes: Sequence[JudgingChange], width: int, tones: Tones, *, folded: bool = False
) -> list[Line]:
    """Return what changed: short things with an arrow between, long ones below each other, words marked.

    folded: whether short things stand behind each other, as in a window that is low.
    """
    if not changes:
        return [[Segment(fit(f"{_INDENT}{SAME_JUDGING}", width), tones.muted)]]
    lines: list[Line] = []
    if folded and all(map(_is_short, changes)):
        told = " · ".join(f"{change.name} {change.a} → {change.b}" for change in changes)
        return paragraph(make_safe_line(told), width - 1, tones.muted, indent=_INDENT, most=2)
    for change in changes:
        lines += [_arrow(change, width, tones)] if _is_short(change) else _two(change, width, tones)
    if len(lines) > MOST_LINES:
        rest = f"{_INDENT}… {len(lines) - MOST_LINES + 1:,} lines more"
        lines = [*lines[: MOST_LINES - 1], [Segment(rest, tones.muted)]]
    return lines


def _is_short(change: JudgingChange) -> bool:
    return max(len(change.a), len(change.b)) <= SHORT and "\n" not in change.a + change.b


def _name(text: str) -> str:
    return f"{_INDENT}{fit(make_safe_line(text), _NAMES)} "


def _arrow(change: JudgingChange, width: int, tones: Tones) -> Line:
    room = max(1, width - len(_INDENT) - _NAMES - 1)
    words = f"{make_safe_line(change.a)} → {make_safe_line(change.b)}"
    return [Segment(_name(change.name), tones.muted), Segment(fit(words, room), tones.text)]


def _two(change: JudgingChange, width: int, tones: Tones) -> list[Line]:
    room = max(1, width - len(_INDENT) - _NAMES - 4)
    wrapped = [list(wrap(make_safe(text), room)) for text in (change.a, change.b)]
    spans = word_diff(*wrapped) or ({}, {})
    lines: list[Line] = []
    for side, letter in enumerate("AB"):
        for at, text in enumerate(wrapped[side]):
            name = _name(change.name if side == at == 0 else "")
            words = emphasise(
                [Segment(text, tones.text)], spans[side].get(at, []), tones.text, tones.link + tones.heading
            )
            lines.append([Segment(f"{name}{letter if at == 0 else ' '}  ", tones.muted), *words])
    return lines
