"""The key of a heat map: what letters, marks and shades stand for, and from which score on metrics pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import FAILED, FAILURE, PASSED, SKIPPED
from turnwise.tui.drawing.lines import Line, with_marks
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.overview.heat_rows import SHADES, TONES
from turnwise.tui.overview.overview_words import metric_words
from turnwise.tui.session_lists.metric_keys import ITEM_GAP, legend_lines

_MARKS = f"{PASSED} passes  {FAILED} fails  {SKIPPED} skipped  {FAILURE} not judged"
_LEGENDS = (f"{_MARKS}  · hidden until labelled", f"{_MARKS}  · hidden")
"""What marks mean; the first that has room is shown."""
_LEAST = [1 - (place + 1) / len(SHADES) for place in range(len(SHADES) - 1)]
"""The score above which a fail has a shade; the last shade has none."""


def _shades_told(begin: str, above: str, rest: str) -> str:
    told = [f"{shade} {above}{least:.2f}" for shade, least in zip(SHADES, _LEAST, strict=False)]
    return f"{begin}: {'  '.join(told)}  {SHADES[-1]} {rest}"


_SHADES_TOLD = (_shades_told("a fail", "above ", "the rest"), _shades_told("fails", ">", "rest"))
"""Which scores have which shade; the first that has room is shown."""
_GAP = "   "
_MOST_KEYS = 2
"""The most lines for what the letters over the metrics stand for."""


def names_of_letters(letters: Mapping[str, str], width: int, tones: Tones) -> list[Line]:
    """Return which metrics the letters over the columns stand for. letters: by metric; empty for none."""
    lines = legend_lines(letters, width, _MOST_KEYS)
    return [
        [
            part
            for letter, words in line
            for part in (
                Segment(letter, tones.text if words else tones.muted),
                Segment(f"={words}{' ' * ITEM_GAP}" if words else "", tones.muted),
            )
        ]
        for line in lines
    ]


def key_of_cells(width: int, tones: Tones) -> Line:
    """Return what marks mean, each drawn as it is in the cells."""
    words = next((one for one in _LEGENDS if len(one) <= width), _LEGENDS[-1])
    return with_marks([Segment(words, tones.muted)], _styles(tones))


def key_of_shades(
    thresholds: Mapping[str, Sequence[float]], letters: Mapping[str, str], width: int, tones: Tones
) -> list[Line]:
    """Return from which score on a shade stands for a fail, and from which on metrics pass: a line, or two.

    thresholds: by metric, in some sessions, the lowest first. letters: over the columns, by metric.
    """
    needs = needs_words(thresholds, letters)
    shades = next((one for one in _SHADES_TOLD if cell_len(one) <= width), _SHADES_TOLD[-1])
    both = [f"{one}{_GAP}{needs}" for one in _SHADES_TOLD]
    in_one = next((one for one in both if cell_len(one) <= width), "") if needs else ""
    lines = [in_one] if in_one else [shades, *([fit(needs, width).rstrip()] if needs else [])]
    return [with_marks([Segment(line, tones.muted)], _styles(tones)) for line in lines]


def needs_words(thresholds: Mapping[str, Sequence[float]], letters: Mapping[str, str]) -> str:
    """Say from which score on metrics pass: "passes from 0.50, kt from 0.70"; the most common one first."""
    told = {metric: _span(found) for metric, found in thresholds.items() if found}
    if not told:
        return ""
    [(most, _)] = Counter(told.values()).most_common(1)
    others = [
        f"{letters.get(one) or metric_words(one)} from {span}" for one, span in told.items() if span != most
    ]
    return ", ".join((f"passes from {most}", *others))


def _span(found: Sequence[float]) -> str:
    return f"{found[0]:.2f}" if len(found) == 1 else f"{found[0]:.2f} to {found[-1]:.2f}"


def _styles(tones: Tones) -> Mapping[str, Style]:
    marks: dict[str, Style] = {sign: getattr(tones, tone) for sign, tone in TONES.items()}
    return {**marks, FAILED: tones.cross, **dict.fromkeys(SHADES, tones.failed)}
