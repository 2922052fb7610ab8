"""How the screen below is seen beside a panel that stands over it: dimmed, and drawn once a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from textual.geometry import Region
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import ModalScreen, Screen
from textual.strip import Strip

from turnwise.tui.drawing.dimmed_lines import DimmedLines
from turnwise.tui.drawing.still import StillScreen
from turnwise.tui.textual_internals.views import bare_lines, before_each_frame, draw_whole_lines

LEAST_BESIDE = 8
"""From so many cells on either side of the panel on, the screen below is seen beside it: fewer tear words."""

_Screen = TypeVar("_Screen", bound=Screen[Any])


class _Below:
    """What is seen of the screen below another one, as of the frame that is drawn."""

    def __init__(self, screen: Screen[Any]) -> None:
        below = screen.render()
        self.lines = _lines_of(below) if isinstance(below, BackgroundScreen) else ()


def dims_below(
    panel: str, drawn_over: Callable[[Any, int, Strip], Strip] = lambda screen, y, line: line
) -> Callable[[type[_Screen]], type[_Screen]]:
    """Let screens of a class dim the screen below them, once a frame, whatever asks for its lines.

    Textual does so in a way that is right for anything, and takes twice as long as a key may. panel: what
    stands over it, as a query names that. drawn_over: draws on a dimmed line, by its number, what the screen
    has there itself.
    """

    def blank_beside_panel(screen: _Screen) -> None:
        before, blank = screen.__dict__.get("_blank_below", range(0)), _beside_panel(screen, panel)
        screen.__dict__["_blank_below"] = blank
        # Also what stands beside a panel comes or goes with its lines.
        draw_whole_lines(screen, set(before).symmetric_difference(blank))

    def dimming(kind: type[_Screen]) -> type[_Screen]:
        def render_lines(screen: _Screen, crop: Region) -> list[Strip]:
            screen.__dict__.pop("_dims_below", None)
            lines = bare_lines(screen, crop) if screen.styles.background.a < 1 else None
            return super(kind, screen).render_lines(crop) if lines is None else lines

        def render_line(screen: _Screen, y: int) -> Strip:
            below: _Below | None = screen.__dict__.get("_dims_below")
            if below is None:
                below = screen.__dict__["_dims_below"] = _Below(screen)
            if below.lines and y in screen.__dict__.get("_blank_below", ()):
                return Strip.blank(screen.size.width, screen.rich_style)
            if y >= len(below.lines):
                return super(kind, screen).render_line(y)
            line, width = below.lines[y], screen.size.width
            # In another size of the terminal the screen below may not be laid out yet.
            fitting = line if line.cell_length == width else line.adjust_cell_length(width)
            return drawn_over(screen, y, fitting)

        kind.render_lines = render_lines  # type: ignore[method-assign, assignment]
        kind.render_line = render_line  # type: ignore[method-assign, assignment]
        before_each_frame(kind, blank_beside_panel)
        return kind

    return dimming


def _beside_panel(screen: Screen[Any], panel: str) -> range:
    """Return the lines in which so little is left beside the panel that only torn words would be seen.

    Over another dialog these are all lines: what is left of that one would be a frame around the panel's own.
    """
    region = next((one.region for one in screen.query(panel)), Region())
    if not region.width or screen.size.width - region.width >= 2 * LEAST_BESIDE:
        return range(0)
    return range(screen.size.height) if _is_over_dialog(screen) else range(region.y, region.bottom)


def _is_over_dialog(screen: Screen[Any]) -> bool:
    stack = screen.app.screen_stack
    return screen in stack[1:] and isinstance(stack[stack.index(screen) - 1], ModalScreen)


def _lines_of(below: BackgroundScreen) -> Sequence[Strip]:
    seen = below.screen
    return (seen.dimmed if isinstance(seen, StillScreen) else DimmedLines()).of(below)
