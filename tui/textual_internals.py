"""All that turnwise takes of the inside of Textual and Rich; of how screens open see textual_screens.py.

No other module of tui touches a private name.

Each function says why what Textual offers to everybody does not do, and names the issue at Textualize/textual
where that is told. When Textual is brought up to date, this is the module to look through; it was written
against 8.2.
"""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import rich.cells
from rich._unicode_data import load as load_cell_table
from rich.segment import Segment
from textual import events
from textual._compositor import ChopsUpdate, Compositor, CompositorMap
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.cache import FIFOCache
from textual.color import Color
from textual.filter import LineFilter, Monochrome, NoColor
from textual.geometry import Region, Size
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets._toast import Toast, ToastRack

if TYPE_CHECKING:
    from turnwise.tui.terminal.graphics import Graphics

SequenceParser = XTermParser
"""Reads keys and the mouse out of what a terminal sends: `feed` takes text, `tick` tells that time went by.

EscapeDriver needs it to ask for the escape key as soon as ESCDELAY is over. Textual's own driver asks ten
times a second, so that every dialog takes a tenth of a second to close. ESCDELAY came with
https://github.com/Textualize/textual/issues/4816; of the time until it is looked at no issue was found.
"""


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
) -> list[dict[int, Strip | None]]:
    lines = range(crop.y, min(crop.bottom, len(compositor.cuts)))
    return _chops(compositor, [(y, crop.x, crop.right) for y in lines if is_rendered_line(y)])


def _chops(compositor: Compositor, spans: Iterable[Span]) -> list[dict[int, Strip | None]]:
    """Return the pieces of each line between the edges of widgets, with what is seen in those of `spans`."""
    cuts = compositor.cuts
    chops: list[dict[int, Strip | None]] = [dict.fromkeys(line[:-1]) for line in cuts]
    bare: dict[int, set[int]] = {}
    """Of each line the pieces that are still without anything to be seen."""
    for y, first, last in spans:
        pieces = zip(cuts[y], cuts[y][1:], strict=False)
        bare.setdefault(y, set()).update(start for start, end in pieces if start < last and end > first)
    # From the front to the back.
    for widget, (region, clip) in compositor.visible_widgets.items():
        left, top, width, height = seen = region.intersection(clip)
        lines = [
            y
            for y in range(top, top + height)
            if y in bare and any(left <= cut < seen.right for cut in bare[y])
        ]
        if not lines:
            continue
        drawn = lines[-1] - lines[0] + 1
        strips = widget.render_lines(Region(left - region.x, lines[0] - region.y, width, drawn))
        for y in lines:
            ends = [cut for cut in cuts[y] if left < cut <= seen.right]
            line, missing = chops[y], bare[y]
            start = left
            for end, piece in zip(
                ends, strips[y - lines[0]].divide([end - left for end in ends]), strict=False
            ):
                if start in missing:
                    line[start] = piece
                    missing.discard(start)
                start = end
            if not missing:
                del bare[y]
    return chops


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
    """Let Textual do less for what is seen: see the four functions that are called."""
    make_strips_light()
    make_frames_light()
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


def pieces_of(screen: Screen[Any]) -> list[list[Strip]]:
    """Return what a screen shows, line by line, each in the pieces that its widgets draw.

    Textual gives that to its own renderables alone. No issue was found.
    """
    chops = _render_chops(screen._compositor, screen._compositor.size.region, lambda _: True)
    return [[piece for piece in line.values() if piece is not None] for line in chops]


class _TakesSize(Protocol):
    def take_size(self) -> None: ...


_App = TypeVar("_App", bound=App[Any])
_View = TypeVar("_View", bound=ScrollView)


def covers_what_is_below(kind: type[_App]) -> type[_App]:
    """Let apps of a class draw nothing of the screens below one that lets nothing through.

    Textual counts the next screen as seen through the top one, whatever that one's background: each change of
    it, as of a list that rereads marks, draws all of the top screen anew. No issue was found.
    """
    usual = cast("property", kind._background_screens).fget

    def seen_through(app: _App) -> list[Screen[Any]]:
        opaque = bool(app._screen_stack) and app._screen_stack[-1].styles.background.a == 1
        return [] if opaque or usual is None else usual(app)

    kind._background_screens = property(seen_through)  # type: ignore[assignment]
    return kind


def goes_on_where_a_part_is_cancelled(kind: type[_App]) -> type[_App]:
    """Let apps of a class go on where a part of a screen that goes was cancelled, as a dialog on its way is.

    Textual waits for all of its parts, and what one of them was cancelled with would end the app unheard. No
    issue was found.
    """
    usual = kind._replace_screen

    async def replace_screen(app: _App, screen: Screen[Any]) -> Screen[Any]:
        try:
            return await usual(app, screen)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return screen

    kind._replace_screen = replace_screen  # type: ignore[assignment, method-assign]
    return kind


def takes_size_at_once(kind: type[_View]) -> type[_View]:
    """Let views of a class take a new size before the frame that shows it, and leave alone one that stays.

    Their `take_size` is called with each new size. Textual tells a widget of its size after that frame, so
    that what it holds is drawn twice. And whenever anything at all is laid out, it works out every scrolled
    widget's bars anew, and draws them in a frame of their own, since it takes what is scrolled to be as large
    as what is seen. No issue was found.
    """
    usual = kind._size_updated

    def size_updated(
        view: _View, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        seen = size - view.styles.gutter.totals
        if view.styles.overflow_y == "scroll" and (view._size, view._container_size) == (size, seen):
            return False
        is_another = view._size != size
        told = usual(view, size, virtual_size, container_size, layout)
        if is_another:
            cast("_TakesSize", view).take_size()
            if view.screen.is_current and not view.app._batch_count:
                # The frame that shows it draws all of it, and needs no second one.
                view._repaint_required = view.vertical_scrollbar._repaint_required = False
        return told

    kind._size_updated = size_updated  # type: ignore[method-assign, assignment]
    return kind


class _ShowsFocus(Protocol):
    def focus_lines(self) -> Iterable[int]: ...


def shows_focus_in_lines(kind: type[_View]) -> type[_View]:
    """Let views of a class draw only those lines anew that show who has the focus, when it comes or goes.

    Their `focus_lines` says which. Textual draws all of such a widget anew. No issue was found.
    """

    def take(view: _View, event: events.Focus | events.Blur) -> None:
        event.prevent_default()
        view.has_focus = has_focus = isinstance(event, events.Focus)
        for line in cast("_ShowsFocus", view).focus_lines():
            view.refresh(Region(0, line, view.size.width, 1))
        if view.parent is not None:
            view.parent.post_message(
                events.DescendantFocus(view) if has_focus else events.DescendantBlur(view)
            )

    # Textual calls the handlers of each class in turn, up to one that prevents the next.
    kind._on_focus = kind._on_blur = take  # type: ignore[method-assign, assignment]
    return kind


def bare_lines(view: Widget, crop: Region) -> list[Strip] | None:
    """Return the lines of a view as it draws them, only those anew that changed; None where it has an edge.

    Textual makes another strip of each line, for borders, padding and tints that it may have. So a line that
    is drawn again is not known again: it is cut up anew, and what is sent to the terminal made anew. No issue
    was found.
    """
    styles = view.styles
    if styles.gutter or styles.tint.a or view.opacity != 1 or styles.has_rule("hatch"):
        return None
    kept, width = view._styles_cache, view.size.width
    if width != kept._width:
        kept.clear()
        kept._width = width
    _, background = view.background_colors
    filters = view.get_line_filters()
    lines = []
    for y in crop.line_range:
        if (line := kept._cache.get(y)) is None or kept.is_dirty(y):
            kept._cache[y] = line = view.render_line(y)
        for one in filters:
            line = line.apply_filter(one, background)
        lines.append(line)
    kept._dirty_lines.difference_update(crop.line_range)
    first, last = crop.column_span
    return lines if (first, last) == (0, width) else [line.crop(first, last) for line in lines]


def draw_without_colour(app: App[Any]) -> None:
    """Draw all in the terminal's own two colours, whether or not Textual saw NO_COLOR itself.

    Textual draws in shades of grey, which the terminal may not show well:
    https://github.com/Textualize/textual/issues/839.
    """
    app._filters = [*_filters_without_grey(app), NoColor()]


def draw_in_colour(app: App[Any]) -> None:
    """Draw in colours, also where Textual saw a NO_COLOR that asks for nothing because it is empty."""
    app._filters = _filters_without_grey(app)


class _Unlinked(LineFilter):
    """Takes the links out of what is drawn."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            Segment(text, style.update_link(None) if style is not None and style.link else style, control)
            for text, style, control in segments
        ]


def draw_without_links(app: App[Any]) -> None:
    """Draw links as the text that they are."""
    app._filters = [*app._filters, _Unlinked()]


def _filters_without_grey(app: App[Any]) -> list[LineFilter]:
    return [one for one in app._filters if not isinstance(one, Monochrome | NoColor)]


async def screen_is_there(screen: Screen[Any], seconds: float) -> None:
    """Wait for the parts of a screen that is only just opened, so long at most.

    Keys of one burst are for the screen that the first of them opens. No issue was found; Textual offers
    `is_mounted`, which can be asked, but nothing to wait for.
    """
    if not screen.is_mounted:
        with suppress(TimeoutError):
            await asyncio.wait_for(screen._mounted_event.wait(), seconds)


async def answer_key(app: App[Any], key: str) -> bool:
    """Do what a key is bound to, before the next one is read; return whether it is bound to anything.

    Textual sends the key to the widget with the focus as a message. On its way there and back it would be
    overtaken by the keys of the same burst: what is typed after the key that opens a line would not reach
    that line. No issue was found.
    """
    app.screen._clear_tooltip()
    return await app._check_bindings(key, priority=True) or await app._check_bindings(key)


def own_scroll_bar(widget: Widget, make: Callable[[], ScrollBar]) -> ScrollBar:
    """Return a widget's vertical scroll bar, which is made by `make` when it is first asked for.

    Textual makes one of its own kind; what draws it can be changed, but not what a click on it does. No issue
    was found.
    """
    if widget._vertical_scrollbar is None:
        widget._vertical_scrollbar = bar = make()
        bar.display = False
        widget.app._start_widget(widget, bar)
    return widget._vertical_scrollbar


def resize_without_layout(widget: Widget, size: Size) -> None:
    """Tell a scrolled widget how large what it shows is, without laying the screen out anew.

    Setting `virtual_size` lays all widgets out, which takes longer than a key may. It is for widgets whose
    scroll bar always stands, so that no other one moves. No issue was found; how scroll bars come to know of
    a size is told in https://github.com/Textualize/textual/issues/1616.
    """
    if size != widget.virtual_size:
        widget.set_reactive(Widget.virtual_size, size)
        widget._scroll_update(size)


def expect_lines(view: ScrollView, size: Size) -> None:
    """Tell a view, while it is asked for its height, how large what it shows is; then its bar has its place.

    Textual finds out that lines need a bar when it has laid them out without one. Then it lays all out again,
    in two frames more for each dialog that opens. No issue was found.
    """
    most = view.styles.max_height
    needs_bar = most is not None and most.is_cells and size.height > most.value
    if needs_bar:
        view.vertical_scrollbar.styles.inline.set_rule("display", "block")
    view.set_reactive(Widget.virtual_size, size)
    view.set_reactive(Widget.show_vertical_scrollbar, needs_bar)


def is_leaving(node: MessagePump) -> bool:
    """Whether a screen or widget is being taken away, or is gone: its parts may no longer be there.

    Parts go before what holds them, so a screen that is still attached may have none left. What Textual
    offers to ask (`is_running`, `is_attached`, `is_mounted`) still says yes then. No issue was found.
    """
    return node._closing or node._closed or getattr(node, "_pruning", False)


def drop_toasts(app: App[Any], goes: Callable[[Notification], bool]) -> None:
    """Take away the toasts that are to go.

    They heap up otherwise until they cover the screen. Textual offers to clear all of them or none, and
    leaves the line in which each stood, so that the next one stands further off; no issue was found.
    """
    for told in filter(goes, list(app._notifications)):
        app._unnotify(told, refresh=False)
    racks = (part for part in app.screen.children if isinstance(part, ToastRack)) if app.screen_stack else ()
    for held in [holder for rack in racks for holder in rack.children]:
        toasts = (toast for toast in held.children if isinstance(toast, Toast))
        if all(toast._notification not in app._notifications for toast in toasts):
            held.remove()


def clear_terminal(app: App[Any]) -> None:
    """Wipe the terminal, so that nothing stays that was drawn beside the cells where Textual thinks it is.

    Textual draws only what it knows to have changed. No issue was found.
    """
    send_code(app, "\x1b[2J")


def send_code(app: App[Any], code: str) -> None:
    """Send a terminal a code that draws nothing, such as one that makes it tell its user something.

    Textual offers the bell alone. No issue was found.
    """
    if code and app._driver is not None and not app.is_headless:
        app._driver.write(code)
        app._driver.flush()


def ask_graphics(app: App[Any], heard: Callable[[Graphics], object]) -> None:
    """Ask the terminal which pictures it draws; `heard` is called in another thread, where it answers.

    Only the driver reads what the terminal sends, and Textual offers no way to it. No issue was found.
    """
    if (ask := getattr(app._driver, "ask_graphics", None)) is not None:
        ask(heard)


def count_spacing_marks(*, as_cells: bool) -> None:
    """Count vowel signs that stand beside their letter, as in Hindi, as a cell each, or as none.

    Terminals do the one or the other; Rich takes them to have no width, and has no way to be told otherwise.
    No issue was found.
    """
    load = _table_with_marks if as_cells else load_cell_table
    rich.cells.load_cell_table = load  # type: ignore[attr-defined]
    rich.cells.get_character_cell_size.cache_clear()
    rich.cells.cached_cell_len.cache_clear()


@cache
def _table_with_marks(version: str = "auto") -> rich.cells.CellTable:
    table = load_cell_table(version)
    return table._replace(widths=[row for given in table.widths for row in _without_marks(*given)])


def _without_marks(first: int, last: int, width: int) -> Iterator[tuple[int, int, int]]:
    """Leave the marks out of a row of the table: what stands in no row takes a cell."""
    if width:
        yield first, last, width
        return
    codes = (code for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Mc")
    for _, run in groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0]):
        kept = [code for _, code in run]
        yield kept[0], kept[-1], width


# Errors

Take = Callable[[Exception], Exception | None]


def take_errors(app: App[Any], take: Take) -> None:
    """Let `take` hear of each error that nothing caught; what it returns is left to Textual.

    Textual prints a traceback for every exception and has no hook to put words in its place:
    https://github.com/Textualize/textual/issues/5325 and https://github.com/Textualize/textual/issues/2818.
    """
    usual = app._handle_exception

    def handle(error: Exception) -> None:
        if (left := take(error)) is not None:
            usual(left)

    app._handle_exception = handle  # type: ignore[method-assign]


def hand_error(app: App[Any], error: Exception) -> None:
    """Treat an error as one that came up in the app's own code. Call it in the app's loop."""
    app._handle_exception(error)


def keep_for_tests(app: App[Any], error: Exception) -> None:
    """Let a test that runs the app raise its first error again, as Textual does with those it prints."""
    if app._exception is None:
        app._exception = error
        app._exception_event.set()


def break_off(app: App[Any], code: int) -> None:
    """End the app at once with an exit code, as Textual ends it after a traceback.

    `exit` would wait for a loop that may have broken off: https://github.com/Textualize/textual/issues/5325.
    """
    app._return_code = code
    app._close_messages_no_wait()
