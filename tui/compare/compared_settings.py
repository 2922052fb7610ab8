"""Compared settings: the hyperparameters of two runs side by side, those that differ first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import RunRow, value_text
from turnwise.conversations.words import counted
from turnwise.tui.parts.lines import Line
from turnwise.tui.parts.lines_view import Tones
from turnwise.tui.parts.wrapping import fit

NONE = "–"
"""Stands for what a run says nothing of."""
MOST_NAME = 24
LONGEST_SAID = 40
"""Characters of a value in the line that says what differs."""
_INDENT = "     "


@dataclass(frozen=True, slots=True)
class ComparedSetting:
    """One hyperparameter: what run A and run B say of it."""

    name: str
    a: str
    b: str

    @property
    def differs(self) -> bool:
        """Whether they say different things."""
        return self.a != self.b


def compared_settings(a: RunRow, b: RunRow) -> list[ComparedSetting]:
    """Return the hyperparameters of two runs, those that differ first; else in the order of the runs."""
    first, second = a.hyperparameters, b.hyperparameters
    found = [
        ComparedSetting(
            name,
            value_text(first[name]) if name in first else NONE,
            value_text(second[name]) if name in second else NONE,
        )
        for name in dict.fromkeys([*first, *second])
    ]
    return sorted(found, key=lambda one: not one.differs)


def difference_words(settings: Sequence[ComparedSetting]) -> str:
    """Say what differs: "model gpt-4o → gpt-4o-mini · 3 the same"."""
    parts = [f"{one.name} {_short(one.a)} → {_short(one.b)}" for one in settings if one.differs]
    same = sum(not one.differs for one in settings)
    parts += (
        [f"{same:,} the same"]
        if same and parts
        else [counted(same, "hyperparameter") + ", the same"]
        if same
        else []
    )
    return " · ".join(parts)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SAID else line[: LONGEST_SAID - 1] + "…"


def setting_lines(
    settings: Sequence[ComparedSetting], width: int, tones: Tones, key: str, *, is_open: bool
) -> list[Line]:
    """Return the line that says what differs, and under it, where that is open, every hyperparameter."""
    if not settings:
        return []
    sign = "▾" if is_open else "▸"
    room = max(1, width - len(_INDENT) - len(key) - 3)
    told = make_safe_line(difference_words(settings))
    lines: list[Line] = [
        [
            Segment(f"  {sign}  ", tones.muted),
            Segment(fit(told, room), tones.text),
            Segment(f"  {key}", tones.muted),
        ]
    ]
    for one in settings if is_open else ():
        side = max(1, (width - len(_INDENT) - MOST_NAME - 6) // 2)
        tone = tones.text if one.differs else tones.muted
        lines.append(
            [
                Segment(_INDENT + fit(make_safe_line(one.name), MOST_NAME), tones.muted),
                Segment(fit(make_safe_line(one.a), side), tone),
                Segment(" ≠ " if one.differs else "   ", tones.unsure),
                Segment(fit(make_safe_line(one.b), side), tone),
            ]
        )
    return lines
