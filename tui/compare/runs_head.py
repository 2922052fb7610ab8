"""What stands over a comparison: both runs, what of the judging is not alike, and their hyperparameters."""

from __future__ import annotations

from collections.abc import Mapping

from rich.segment import Segment
from textual.geometry import Size

from turnwise.conversations.safe_text import make_safe_line
from turnwise.engine.comparing.compare import RunComparison
from turnwise.engine.comparing.sides import Side
from turnwise.tui.actions import Table
from turnwise.tui.compare.compared_settings import compared_settings, setting_lines
from turnwise.tui.compare.run_words import judged_otherwise, named_sides, prompt_words
from turnwise.tui.compare.side_head import name_line
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.settings.keymap import key_of

LEAST = 4
"""So many lines there may always be; more than half a window are cut."""


def runs_lines(
    sides: Mapping[str, Side],
    comparison: RunComparison | None,
    size: Size,
    tones: Tones,
    actions: Table,
    *,
    is_open: bool,
) -> list[Line]:
    """Return the lines for a window of a size.

    sides: those that are chosen, by letter. comparison: what was compared last, be it of these sides or not.
    is_open: whether all hyperparameters are shown.
    """
    shown, changed = dict(sides), list[str]()
    if comparison is not None and shown == {"A": comparison.a, "B": comparison.b}:
        shown = dict(zip("AB", named_sides(comparison), strict=True))
        prompts = prompt_words(comparison)
        how = f"{key_of(actions, 'compare', 'open')}, then {key_of(actions, 'pair', 'fold')}, shows how"
        told = judged_otherwise(comparison), f"{prompts}: {how}" if prompts else ""
        changed = list(filter(None, told))
    lines = [name_line(letter, side, size.width, tones) for letter, side in sorted(shown.items())]
    for words in changed:
        text = fit(make_safe_line(words), max(1, size.width - 6))
        lines.append([Segment(f"     {text}", tones.text)])
    settings = compared_settings(shown["A"].run, shown["B"].run) if len(shown) == 2 else []
    lines += setting_lines(
        settings, size.width, tones, key_of(actions, "compare", "hyperparameters"), is_open=is_open
    )
    most = max(LEAST, size.height // 2)
    if len(lines) > most:
        more = f"     … {len(lines) - most + 1:,} more: `turnwise compare` prints them all"
        lines = [*lines[: most - 1], [Segment(more, tones.muted)]]
    return lines
