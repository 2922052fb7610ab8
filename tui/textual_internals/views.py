"""Views: what scrolled widgets do about their size, their focus, their lines and their bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar, cast

from textual import events
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import OptionList

from turnwise.tui.textual_internals.kept_frames import look_changed


class _TakesSize(Protocol):
    def take_size(self) -> None: ...


_View = TypeVar("_View", bound=ScrollView)


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


_List = TypeVar("_List", bound=OptionList)


def draws_options_once(kind: type[_List]) -> type[_List]:
    """Let lists of a class, whose options take a line each, draw them once where they get another width.

    Textual draws them as they were in the old width, tells the list of its size, and draws them all again.
    No issue was found.
    """
    usual, own = kind.render_lines, kind.__dict__.get("on_resize")

    def render_lines(listed: _List, crop: Region) -> list[Strip]:
        width = listed.scrollable_content_region.width
        if listed.__dict__.get("_drawn_for") != width:
            listed.__dict__["_drawn_for"] = width
            listed._option_render_cache.clear()
        return usual(listed, crop)

    def on_resize(listed: _List, event: events.Resize) -> None:
        # Of the two names that a handler may have Textual calls one.
        if own is not None:
            own(listed)
        if listed.__dict__.get("_drawn_for") == listed.scrollable_content_region.width:
            event.prevent_default()

    kind.render_lines = render_lines  # type: ignore[method-assign, assignment]
    kind._on_resize = on_resize  # type: ignore[method-assign, assignment]
    return kind


def count_lines(listed: OptionList) -> None:
    """Let a list that was laid out know how many lines its options take, and get its scroll bar by that.

    Textual counts them as it draws them, so that all is laid out once more for the bar. No issue was found.
    """
    listed._update_lines()


def replace_line(listed: OptionList, place: int, prompt: VisualType) -> None:
    """Write one option of a list anew, which takes one line before and after, and draw that line alone.

    Textual lays the screen out and draws all lines of the list. No issue was found.
    """
    option = listed.get_option_at_index(place)
    option._set_prompt(prompt)
    # What was drawn of the others stays; that of this one is known by its styles too.
    drawn = listed._option_render_cache
    stale = [key for key in list(drawn.keys()) if key[0] is option]
    for key in stale:
        drawn.discard(key)
    listed.refresh_line(place)


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


def draw_whole_lines(screen: Screen[Any], lines: Iterable[int]) -> None:
    """Let the frame that is about to be drawn show lines of a screen anew, from edge to edge.

    Where a part of a screen gets another size, Textual takes that only the cells changed in which it stands
    or stood. No issue was found.
    """
    for y in lines:
        look_changed(screen)
        screen._styles_cache._cache.pop(y, None)
        screen._compositor._dirty_regions.add(Region(0, y, screen.size.width, 1))


_Screen = TypeVar("_Screen", bound=Screen[Any])


def before_each_frame(kind: type[_Screen], prepare: Callable[[_Screen], object]) -> None:
    """Call `prepare` with a screen of a class before each frame of it, once all parts have their places.

    Textual tells of frames only after they are drawn. No issue was found.
    """

    def compositor_refresh(screen: _Screen) -> None:
        prepare(screen)
        # Looked up in each frame: what draws frames is exchanged once the app begins.
        Screen._compositor_refresh(screen)

    kind._compositor_refresh = compositor_refresh  # type: ignore[method-assign, assignment]


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
