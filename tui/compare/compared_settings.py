"""Compared settings: the hyperparameters of two runs side by side, those that differ first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import RunRow, value_text
from turnwise.conversations.words import counted
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit
from turnwise.tui.reading.turn_lines import triangle

NONE = "–"
"""Stands for what a run says nothing of."""
MOST_NAME = 24
LONGEST_SAID = 24
"""Characters of a value in the line that says what differs."""
CONTEXT = 8
"""So many characters stand before those that differ, of long texts that begin alike."""
HEAD = "hyperparameters"
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
    """Say what differs: "model gpt-4o → mistral · prompt differs · 3 the same"."""
    parts = [_difference(one) for one in settings if one.differs]
    same = sum(not one.differs for one in settings)
    if same:
        parts.append(f"{same:,} the same" if parts else f"{counted(same, 'hyperparameter')}, the same")
    return " · ".join(parts)


def _difference(one: ComparedSetting) -> str:
    if max(len(one.a), len(one.b)) > LONGEST_SAID:
        return f"{one.name} differs"
    return f"{one.name} {one.a} → {one.b}"


def setting_lines(
    settings: Sequence[ComparedSetting], width: int, tones: Tones, key: str, *, is_open: bool
) -> list[Line]:
    """Return the line that says what differs; where that is open, every hyperparameter stands under it."""
    if not settings:
        return []
    room = max(1, width - len(_INDENT) - len(key) - 3)
    told = HEAD if is_open else make_safe_line(difference_words(settings))
    head: Line = [
        Segment(f"  {triangle(is_open)}  ", tones.muted),
        Segment(fit(told, room), tones.muted if is_open else tones.text),
        Segment(f"  {key}", tones.muted),
    ]
    return [head, *(_setting_line(one, width, tones) for one in (settings if is_open else ()))]


def _setting_line(one: ComparedSetting, width: int, tones: Tones) -> Line:
    side = max(1, (width - len(_INDENT) - MOST_NAME - 4) // 2)
    tone = tones.text if one.differs else tones.muted
    left, right = apart(make_safe_line(one.a), make_safe_line(one.b), side)
    return [
        Segment(_INDENT + fit(make_safe_line(one.name), MOST_NAME - 1) + " ", tones.muted),
        Segment(fit(left, side), tone),
        Segment(" ≠ " if one.differs else "   ", tones.unsure),
        Segment(fit(right, side), tone),
    ]


def apart(a: str, b: str, width: int) -> tuple[str, str]:
    """Return two texts so that where they differ is seen in so many cells, without what begins them both."""
    same = next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if same < width - len(ELLIPSIS) or same < CONTEXT or a == b:
        return a, b
    return ELLIPSIS + a[same - CONTEXT :], ELLIPSIS + b[same - CONTEXT :]
