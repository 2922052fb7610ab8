"""Change lines: by what two sides judged differently, drawn over a conversation that both judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.engine.comparing.judging_changes import SHORT, JudgingChange
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.word_diff import emphasise, word_diff
from turnwise.tui.drawing.wrapping import fit, wrap

SAME_JUDGING = "Nothing is known to differ in how they judged: what came out otherwise is the judge's own."
FEWEST_LINES = 8
"""So many lines of what changed are shown in the lowest window; more where there is room."""
REST = "V in Criteria shows two versions whole"
_SHARE = 3
"""What changed has a third of the window's lines, and the transcript most of the rest."""
_NAMES = 12
_INDENT = "   "


def judging_change_lines(
    changes: Sequence[JudgingChange], width: int, tones: Tones, *, height: int, folded: bool = False
) -> list[Line]:
    """Return what changed: short things with an arrow between, long ones below each other, words marked.

    height: of the window; of what has no room in it the lines that differ come first, as many of each text.
    folded: whether short things stand behind each other, as in a window that is low.
    """
    most = max(FEWEST_LINES, height // _SHARE)
    if not changes:
        return paragraph(SAME_JUDGING, width - 1, tones.muted, indent=_INDENT)
    if folded and all(map(_is_short, changes)):
        told = " · ".join(f"{change.name} {change.a} → {change.b}" for change in changes)
        return paragraph(make_safe_line(told), width - 1, tones.muted, indent=_INDENT, most=most)
    texts = [text for change in changes for text in _texts(change, width, tones)]
    if sum(len(text.lines) for text in texts) <= most:
        return [line for text in texts for line in text.shown(range(len(text.lines)))]
    shares = _shares([len(text.telling) for text in texts], most - 1)
    kept = [
        line for text, share in zip(texts, shares, strict=True) for line in text.shown(text.telling[:share])
    ]
    rest = sum(len(text.lines) for text in texts) - len(kept)
    told = f"{_INDENT}… {rest:,} line{'s' * (rest != 1)} more: {REST}"
    return [*kept, [Segment(fit(told, width), tones.muted)]]


@dataclass(frozen=True, slots=True)
class _Text:
    """What is said of a change, as lines behind what names it. telling: those in which something differs."""

    head: Segment
    lines: list[Line]
    telling: Sequence[int]

    def shown(self, numbers: Sequence[int]) -> list[Line]:
        """Return some of the lines; the first of them is named."""
        blank = Segment(" " * cell_len(self.head.text))
        return [[self.head if place == 0 else blank, *self.lines[at]] for place, at in enumerate(numbers)]


def _shares(wanted: Sequence[int], room: int) -> list[int]:
    """Return how many lines each text has: one after another takes one more while there is room."""
    given = [0] * len(wanted)
    while room > 0 and given != list(wanted):
        for at, most in enumerate(wanted):
            if given[at] < most and room > 0:
                given[at] += 1
                room -= 1
    return given


def _is_short(change: JudgingChange) -> bool:
    return max(len(change.a), len(change.b)) <= SHORT and "\n" not in change.a + change.b


def _name(text: str) -> str:
    return f"{_INDENT}{fit(make_safe_line(text), _NAMES)} "


def _texts(change: JudgingChange, width: int, tones: Tones) -> list[_Text]:
    """Return both sides in one text with an arrow between where they fit into a line, else one of each."""
    words = f"{make_safe_line(change.a)} → {make_safe_line(change.b)}"
    if _is_short(change) and cell_len(_name(change.name) + words) <= width:
        return [_Text(Segment(_name(change.name), tones.muted), [[Segment(words, tones.text)]], [0])]
    room = max(1, width - len(_INDENT) - _NAMES - 5)
    wrapped = [list(wrap(make_safe(text), room)) for text in (change.a, change.b)]
    spans = word_diff(*wrapped)
    texts: list[_Text] = []
    for side, letter in enumerate("AB"):
        own = spans[side] if spans else {}
        head = Segment(f"{_name('' if side else change.name)}{letter}  ", tones.muted)
        lines = [
            emphasise([Segment(text, tones.text)], own.get(at, []), tones.text, tones.link + tones.heading)
            for at, text in enumerate(wrapped[side])
        ]
        texts.append(_Text(head, lines, (sorted(own) or [0]) if spans else range(len(lines))))
    return texts
