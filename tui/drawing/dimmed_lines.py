"""DimmedLines: what is seen of a screen through the ground of the dialogs above it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import is_

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.renderables.background_screen import BackgroundScreen
from textual.strip import Strip

from turnwise.tui.drawing.lines import joined
from turnwise.tui.textual_internals.kept_frames import pieces_of

Pieces = Sequence[Strip]
"""What a line of a screen is made of, from its left end."""


class DimmedLines:
    """What dialogs draw of one screen; a line that is still made of the same pieces is not dimmed again.

    So a dialog that opens once more over what has not changed draws it without looking at a single word.
    """

    def __init__(self) -> None:
        self._color: Color | None = None
        self._kept: Sequence[tuple[Pieces, Strip]] = ()

    def of(self, below: BackgroundScreen) -> list[Strip]:
        """Return the lines of the screen as it is now, dimmed by a colour."""
        kept = self._kept if below.color == self._color else ()
        now = pieces_of(below.screen)
        self._color = below.color
        self._kept = [
            one
            if one is not None and _are_same(one[0], pieces)
            else (pieces, _dimmed_line(pieces, below.color))
            for one, pieces in zip_longest(kept[: len(now)], now)
        ]
        return [line for _, line in self._kept]


def _are_same(before: Pieces, now: Pieces) -> bool:
    # A strip never changes: what is drawn anew is another one.
    return len(before) == len(now) and all(map(is_, before, now))


def _dimmed_line(pieces: Pieces, color: Color) -> Strip:
    segments = (segment for piece in pieces for segment in piece)
    dimmed = (Segment(text, _dimmed(style or Style.null(), color)) for text, style, _ in segments)
    return Strip(joined(dimmed), sum(piece.cell_length for piece in pieces))


@lru_cache(maxsize=1024)
def _dimmed(style: Style, color: Color) -> Style:
    (only,) = BackgroundScreen.process_segments([Segment(" ", style)], color)
    return only.style or style
