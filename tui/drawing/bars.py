"""Bars: shares and counts drawn in cells, and said with the interval that they may lie in.

A line of them is a place that a cursor stands on, which a picture of a library for plots is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.words import percent, percent_range
from turnwise.tui.drawing.lines import Line, with_marks

_BLOCKS = " ▏▎▍▌▋▊▉"
# No higher, so that columns of lines below each other do not touch.
_HEIGHTS = "▁▂▃▄▅▆▇"
LEFT = "─"
"""A cell of what is yet to be done. Where there are few colours, a shade would look as full as the bar."""


def bar(share: float, width: int) -> str:
    """Draw a share from 0 to 1 as a bar in `width` cells, fine to an eighth; never empty for a share."""
    eighths = round(share * width * 8)
    eighths = max(eighths, 1) if share > 0 else 0
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_BLOCKS[rest] if rest else "")).ljust(width)


def progress(share: float, width: int) -> str:
    """Draw how much of something is done, from 0 to 1, with what is left of it in sight."""
    return bar(share, width).replace(" ", LEFT)


def columns_of(counts: Sequence[int]) -> str:
    """Draw counts as columns, the highest for the largest; a count that is not 0 is never empty."""
    most = max(counts, default=0)
    return "".join(_HEIGHTS[_height(count, most)] if count else " " for count in counts)


def column_of(share: float) -> str:
    """Draw a share from 0 to 1 as one column; never empty."""
    return _HEIGHTS[_height(share, 1)]


def _height(count: float, most: float) -> int:
    return min(int(count / most * len(_HEIGHTS)), len(_HEIGHTS) - 1)


def share_with_interval(share: float, interval: tuple[float, float]) -> str:
    """Say a share with its interval: "30 % (17 to 48 %)"."""
    return f"{percent(share)} ({percent_range(*interval)})"


SHARE_WIDTH = len("100 % (92 to 100 %)")
"""Cells that the longest of these takes."""


def bar_with_interval(share: float, interval: tuple[float, float], width: int) -> str:
    """Draw a share on a scale from 0 to 100 % in `width` cells, with the interval that it may lie in.

    Full cells are sure; shaded ones reach to the share, and light ones as far as it may be. A cell is as much
    as it holds most of; a share is never empty, and one below 100 % never reaches the end, where a light cell
    is the most there is. Where a share is not sure its last cell is shaded also in a short bar, so that none
    looks surer than it is, unless a light one follows.
    """
    low, high = interval
    told = max(min(round(share * width), width - (share < 1)), 1 if share > 0 else 0)
    most = max(round(high * width), told)
    sure = min(round(low * width), told - (low < share and most == told))
    return ("█" * sure + "▓" * (told - sure) + "░" * (most - told)).ljust(width)


_RANGE = "0–100 %"
SHORTEST_SCALE = len(_RANGE)
"""Cells of a bar from which on its scale has room over it."""


def scale(width: int) -> str:
    """Return what stands over such bars of `width` cells: each end of it over that end of their room.

    Without its end in sight a bar that is as long as its head looks full. Where both ends would read as one
    number, or the second as the count of what is named beside it, they are told as a range.
    """
    return _RANGE.ljust(width) if width <= SHORTEST_SCALE + 1 else "0" + "100 %".rjust(width - 1)


INTERVAL_LEGEND = "█ at least  ▓ found  ░ at most, 95 % sure"
"""What the shades of such a bar mean: each ends at one of the three figures of "94 % (79 to 99 %)"."""


def interval_legend(shades: Style, words: Style) -> Line:
    """Return the legend as a line, its shades in the colour of the bars that it explains."""
    return with_shades([Segment(INTERVAL_LEGEND, words)], shades)


def with_shades(line: Line, shades: Style) -> Line:
    """Return a line with the shades of bars in the style in which bars are drawn."""
    return with_marks(line, dict.fromkeys("█▓░", shades))
