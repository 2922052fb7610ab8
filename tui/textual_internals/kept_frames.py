"""Kept frames: of a screen that is drawn whole once more, only those parts that have changed are drawn.

Textual draws all parts of a screen anew whenever it comes to the front, each as it is and then cut up by what
stands over it. That takes three quarters of the time between a key and the last byte of its answer, though a
screen that comes back shows in most places what it showed before. No issue was found.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual._compositor import Compositor, LayoutUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.textual_internals.light_drawing import Line, draw_pieces

Place = tuple[Widget, tuple[Region, Region]]
"""A part of a screen, with where it lies and what of that may be seen."""


@dataclass(slots=True)
class _Frame:
    """A screen as it was last drawn whole."""

    ground: Hashable
    """What all parts are drawn by: the theme, and what changes their colours."""
    places: Sequence[Place]
    looks: Sequence[Hashable]
    """What stands for the looks of each part; another one, where it has changed."""
    lines: list[Line]
    owners: Sequence[Mapping[int, Widget]]
    """Of each line the parts whose pieces are seen, by the cells that these begin at."""


def keep_frames() -> None:
    """Let screens that are drawn whole take from their last whole frame what has not changed since.

    A widget of which `DRAWN_IN_EACH_FRAME` is true is always drawn anew.
    """
    if Compositor.render_full_update is not _render_full_update:
        Compositor.render_full_update = _render_full_update  # type: ignore[method-assign, assignment]
        Widget._set_dirty = _set_dirty  # type: ignore[method-assign, assignment]


def pieces_of(screen: Screen[Any]) -> list[list[Strip]]:
    """Return what a screen shows, line by line, each in the pieces that its widgets draw.

    Textual gives that to its own renderables alone. No issue was found.
    """
    return [[piece for piece in line.values() if piece is not None] for line in whole_lines(screen)]


def look_changed(widget: Widget) -> None:
    """Say that a part looks otherwise than in the frame that is kept, where Textual was not told of it."""
    widget.__dict__["_look_number"] = widget.__dict__.get("_look_number", 0) + 1


def whole_lines(screen: Screen[Any]) -> list[Line]:
    """Return all lines of a screen as they are now, and keep them where an app keeps frames."""
    compositor = screen._compositor
    if Widget._set_dirty is not _set_dirty:
        # Nothing tells which parts have changed.
        return _drawn_whole(compositor, (), ()).lines
    places = compositor.visible_widgets
    looks = [_look_of(widget) for widget in places]
    ground = (screen.app.theme, *screen.app.get_line_filters())
    kept: _Frame | None = compositor.__dict__.get("_kept_frame")
    # Also the order of the parts, from the front to the back, has to be the same.
    if kept is None or kept.ground != ground or kept.places != list(places.items()):
        kept = _drawn_whole(compositor, ground, looks)
        compositor.__dict__["_kept_frame"] = kept
    elif kept.looks != looks:
        _draw_changed(compositor, kept, looks)
    return kept.lines


def _drawn_whole(compositor: Compositor, ground: Hashable, looks: Sequence[Hashable]) -> _Frame:
    starts = [line[:-1] for line in compositor.cuts]
    lines: list[Line] = [dict.fromkeys(line) for line in starts]
    owners: list[dict[int, Widget]] = [{} for _ in starts]
    bare = {y: set(line) for y, line in enumerate(starts)}
    draw_pieces(compositor, lines, compositor.visible_widgets, bare, owners)
    return _Frame(ground, list(compositor.visible_widgets.items()), looks, lines, owners)


def _draw_changed(compositor: Compositor, kept: _Frame, looks: Sequence[Hashable]) -> None:
    changed = {
        widget: place
        for (widget, place), before, now in zip(kept.places, kept.looks, looks, strict=True)
        if before != now
    }
    bare = {
        y: {start for start, owner in line.items() if owner in changed} for y, line in enumerate(kept.owners)
    }
    draw_pieces(compositor, kept.lines, changed, {y: starts for y, starts in bare.items() if starts})
    kept.looks = looks


_usual_full_update = Compositor.render_full_update
_usual_set_dirty = Widget._set_dirty


def _render_full_update(compositor: Compositor, simplify: bool = False) -> LayoutUpdate:
    screen = compositor.root
    if simplify or not isinstance(screen, Screen):
        return _usual_full_update(compositor, simplify)
    compositor._dirty_regions.clear()
    return LayoutUpdate(list(pieces_of(screen)), compositor.size.region)


def _set_dirty(widget: Widget, *regions: Region) -> None:
    look_changed(widget)
    _usual_set_dirty(widget, *regions)


def _look_of(widget: Widget) -> Hashable:
    # What is seen through the ground of a screen may have changed.
    is_ground = isinstance(widget, Screen) and widget.styles.background.a < 1
    if is_ground or getattr(widget, "DRAWN_IN_EACH_FRAME", False):
        return object()
    return widget.__dict__.get("_look_number", 0), widget.scroll_offset
