"""Nearest colours: where a terminal has 256, each colour becomes the one of them that looks most like it.

Rich looks for whatever has a little hue in a cube of six steps alone, far from all that is dark: the ground
of nord, a dark blue grey, became teal. Among the 24 shades of grey is one that can hardly be told from it.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color, ColorSystem, ColorType

OF_256 = "256"
"""What Rich calls a terminal of so many colours."""
_FIRST = 16
"""The colours before it are the terminal's own, and look different in each."""


@lru_cache(maxsize=4_096)
def nearest_of_256(color: Color) -> Color:
    """Return which of the 256 colours looks most like a colour."""
    red, green, blue = color.get_truecolor()

    def distance(number: int) -> float:
        other = Color.from_ansi(number).get_truecolor()
        half = (red + other.red) / 512
        # The eye sees differences of red and blue the more, the redder or the less red both are.
        return (
            (2 + half) * (red - other.red) ** 2
            + 4 * (green - other.green) ** 2
            + (3 - half) * (blue - other.blue) ** 2
        )

    return Color.from_ansi(min(range(_FIRST, 256), key=distance))


def take_nearest_colors() -> None:
    """Let Rich take these, for as long as the program runs."""
    Color.downgrade = _downgrade  # type: ignore[method-assign, assignment]


_downgrade_of_rich = Color.downgrade


def _downgrade(color: Color, system: ColorSystem) -> Color:
    if system == ColorSystem.EIGHT_BIT and color.type == ColorType.TRUECOLOR:
        return nearest_of_256(color)
    return _downgrade_of_rich(color, system)
