"""Light drawing: Textual made to draw, lay out and look up no more than what is seen asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor, CompositorMap
from textual._styles_cache import StylesCache
from textual.app import App
from textual.cache import FIFOCache
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget


def forget_drawings() -> None:
    """Let go of what Textual remembers of widgets that are gone.

    A cache of colours holds the last 1,024 widgets with all their lines, some 400 MB where they are long:
    https://github.com/Textualize/textual/issues/6665. Colours are found anew where they are needed.
    """
    StylesCache.get_inner_outer.cache_clear()


_CACHES = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}
"""What a Strip may remember, and of each how many."""


def make_strips_light() -> None:
    """Let a Strip, a drawn line, make each of its seven memories when it is first asked for it.

    Ten strips are made for each line that a frame draws, and most are asked once. Making and freeing fourteen
    objects with each is an eighth of what a page takes. No issue was found.
    """
    if Strip.__init__ is not _init_light:
        Strip.__init__ = _init_light  # type: ignore[assignment, method-assign]
        Strip.__getattr__ = _remember  # type: ignore[attr-defined]


def _init_light(strip: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
    strip._segments = list(segments)
    strip._cell_length = cell_length
    strip._render_cache = strip._link_ids = strip._cell_count = None


def _remember(strip: Strip, name: str) -> FIFOCache[Any, Any]:
    """Return a memory that is asked for first: only what was never set is looked for here."""
    if name not in _CACHES:
        raise AttributeError(name)
    kept: FIFOCache[Any, Any] = FIFOCache(_CACHES[name])
    setattr(strip, name, kept)
    return kept


Line = dict[int, Strip | None]
"""A line of a screen in pieces, by the cells that these begin at; None for one that is not drawn."""
Span = tuple[int, int, int]
"""A part of a line of the screen: the line, its first cell, and the cell after its last."""


def make_frames_light() -> None:
    """Let a frame ask only those widgets for lines of which something is to be seen in what it draws.

    Textual asks all that lie in the rectangle around everything that changed, for all of their lines, and
    cuts up what stands behind others and is not seen. No issue was found.

    Where a place is asked for before what has just come or moved is laid out, Textual counts that as drawn
    already: a notice that comes as the app starts was never seen, and what moved stayed where it had been as
    well. So it counts as changed here. No issue was found.
    """
    if Compositor.render_partial_update is not _render_partial_update:
        Compositor.render_partial_update = _render_partial_update  # type: ignore[method-assign, assignment]
        Compositor._render_chops = _render_chops  # type: ignore[method-assign, assignment]
        Compositor.full_map = property(_full_map)  # type: ignore[assignment]


_usual_full_map = cast("property", Compositor.full_map).fget


def _full_map(compositor: Compositor) -> CompositorMap:
    if not compositor._full_map_invalidated:
        return compositor._full_map
    before = compositor._full_map
    now: CompositorMap = _usual_full_map(compositor) if _usual_full_map else before
    changed = (place.clip.intersection(place.region) for _, place in now.items() ^ before.items())
    compositor._dirty_regions.update(region for region in changed if region)
    return now


def _render_partial_update(compositor: Compositor) -> ChopsUpdate | None:
    screen = compositor.size.region
    regions = [screen.intersection(region) for region in compositor._dirty_regions]
    compositor._dirty_regions.clear()
    spans = list(compositor._regions_to_spans(region for region in regions if region))
    if not spans:
        return None
    return ChopsUpdate(_chops(compositor, spans), spans, [cuts[1:] for cuts in compositor.cuts])


def _render_chops(
    compositor: Compositor, crop: Region, is_rendered_line: Callable[[int], bool]
) -> list[Line]:
    lines = range(crop.y, min(crop.bottom, len(compositor.cuts)))
    return _chops(compositor, [(y, crop.x, crop.right) for y in lines if is_rendered_line(y)])


def _chops(compositor: Compositor, spans: Iterable[Span]) -> list[Line]:
    """Return the pieces of each line between the edges of widgets, with what is seen in those of `spans`."""
    cuts = compositor.cuts
    lines: list[Line] = [dict.fromkeys(line[:-1]) for line in cuts]
    bare: dict[int, set[int]] = {}
    for y, first, last in spans:
        pieces = zip(cuts[y], cuts[y][1:], strict=False)
        bare.setdefault(y, set()).update(start for start, end in pieces if start < last and end > first)
    draw_pieces(compositor, lines, compositor.visible_widgets, bare)
    return lines


def draw_pieces(
    compositor: Compositor,
    lines: Sequence[Line],
    places: Mapping[Widget, tuple[Region, Region]],
    bare: dict[int, set[int]],
    owners: Sequence[dict[int, Widget]] = (),
) -> None:
    """Put what is seen of some widgets into the lines of a screen.

    places: the widgets from the front to the back, each with where it lies and what of that may be seen.
    bare: of each line the cells at which the pieces begin that are to be drawn; emptied of those that are.
    owners: where the widgets are put that drew a piece, by line and cell.
    """
    cuts = compositor.cuts
    for widget, (region, clip) in places.items():
        left, top, width, height = seen = region.intersection(clip)
        due = [
            y
            for y in range(top, top + height)
            if y in bare and any(left <= start < seen.right for start in bare[y])
        ]
        if not due:
            continue
        drawn = due[-1] - due[0] + 1
        strips = widget.render_lines(Region(left - region.x, due[0] - region.y, width, drawn))
        for y in due:
            ends = [cut for cut in cuts[y] if left < cut <= seen.right]
            line, missing = lines[y], bare[y]
            start = left
            for end, piece in zip(
                ends, strips[y - due[0]].divide([end - left for end in ends]), strict=False
            ):
                if start in missing:
                    line[start] = piece
                    missing.discard(start)
                    if owners:
                        owners[y][start] = widget
                start = end
            if not missing:
                del bare[y]


_usual_check_refresh = Widget._check_refresh
_usual_compositor_refresh = Screen._compositor_refresh


def make_frames_whole() -> None:
    """Let a frame show all that has changed by the time it is drawn.

    A widget tells its screen in a message that it is to be drawn anew, once it has nothing else to answer.
    What the screen reads after the frame waits for the next one, later than a key may take: a scroll bar came
    after its lines. No issue was found.
    """
    Widget._check_refresh = _check_refresh  # type: ignore[method-assign, assignment]
    Screen._compositor_refresh = _compositor_refresh  # type: ignore[method-assign, assignment]


def _check_refresh(widget: Widget) -> None:
    if widget._repaint_required and widget.is_attached and not widget._closing:
        screen = widget.screen
        # One that has no place yet is laid out first, and told of it.
        if screen is not widget and widget in screen._compositor._full_map:
            widget._repaint_required = False
            if widget.display:
                screen._dirty_widgets.add(widget)
                screen.check_idle()
    _usual_check_refresh(widget)


def _compositor_refresh(screen: Screen[Any]) -> None:
    if screen is screen.app.screen and not screen.app.is_inline:
        seen = screen._compositor.visible_widgets
        changed = {one for one in seen if one._repaint_required and one is not screen}
        for one in changed:
            one._repaint_required = False
        screen._compositor.update_widgets(changed | (screen._dirty_widgets & seen.keys()))
    _usual_compositor_refresh(screen)


_usual_set_pointer_shape = App._set_pointer_shape


def make_pointer_quiet() -> None:
    """Let the shape of the mouse pointer be sent only where it is another than the terminal has.

    Textual sends it with each screen that is made, also with one that is not seen. No issue was found.
    """
    App._set_pointer_shape = _set_pointer_shape  # type: ignore[method-assign, assignment]


def _set_pointer_shape(app: App[Any], shape: str) -> None:
    if shape != app.__dict__.get("_pointer_sent", "default"):
        app.__dict__["_pointer_sent"] = shape
        _usual_set_pointer_shape(app, shape)


_usual_size_updated = Widget._size_updated


def make_layouts_light() -> None:
    """Let a screen be laid out once where its parts get other sizes.

    Textual lays all of it out again because of each part that has another size now, and draws that in a frame
    of its own, though scroll bars that come or go ask for it themselves. No issue was found.
    """
    Widget._size_updated = _size_updated  # type: ignore[method-assign, assignment]


def _size_updated(
    widget: Widget, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
) -> bool:
    return _usual_size_updated(widget, size, virtual_size, container_size, layout=False)


def make_textual_light() -> None:
    """Let Textual do less for what is seen: see the five functions that are called."""
    make_strips_light()
    make_frames_light()
    make_frames_whole()
    make_layouts_light()
    make_pointer_quiet()


_KINDS_REMEMBERED = 1024


def remember_styles(app: App[Any]) -> None:
    """Let the app remember the style of every kind of widget and screen that it has read.

    Textual remembers those of 64, and whenever a screen brings a new one it goes through all of them in turn.
    Where there are more, each is forgotten before its turn comes, and all are read again: a second for a
    screen of several new kinds. A screen with a style of its own has all of them read again in any case. The
    memory came with https://github.com/Textualize/textual/pull/3575, and is emptied where a theme gives other
    colours; of its size no issue was found.
    """
    stylesheet = app.stylesheet
    stylesheet._parse_cache.maxsize = _KINDS_REMEMBERED
    stylesheet.reparse = stylesheet.parse  # type: ignore[method-assign]
