"""The lines of a history, in a dialog that is as high as they are and opens in one frame."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import LinesView

AROUND = 8
"""The lines of a dialog that are none of its history."""
LEAST = 3


def show_history(view: LinesView, lines: Sequence[Line], height: int, most: int, *, anew: bool) -> None:
    """Show the lines of a history. height: that of the terminal. most: so many lines it has at most.

    anew: from the first line on.
    """
    room = min(most, max(LEAST, height - AROUND))
    view.styles.height = min(len(lines), room)
    # A bar that came as long as the view is as low as it was the last time would go in a second frame.
    view.styles.overflow_y = "auto" if len(lines) > room else "hidden"
    view.set_lines(lines, keep_place=not anew)
