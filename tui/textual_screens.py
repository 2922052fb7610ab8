"""What turnwise takes of the inside of Textual's screens: how they open, open again, and are made unseen.

As in textual_internals, each function says why what Textual offers to everybody does not do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from turnwise.tui.textual_internals.kept_frames import whole_lines

_Screen = TypeVar("_Screen", bound=Screen[Any])
SECONDS_TO_READ = 0.05
"""So long nothing is drawn of what is opened, so that its first frame has what is yet to be read."""


def was_laid_out(screen: Screen[Any]) -> bool:
    """Whether a screen was laid out at all: there is nothing of it to draw anew before."""
    return bool(screen._compositor.size)


def can_be_drawn(screen: Screen[Any]) -> bool:
    """Whether all that a screen would draw is there: a part that was taken away stays until the next layout.

    Textual lays a screen out before it draws it by itself; whoever draws it at another time has to ask.
    """
    return was_laid_out(screen) and all(part.is_attached for part in screen._compositor.visible_widgets)


def composes_nothing(screen: Screen[Any]) -> bool:
    """Whether a screen gets no parts anymore, as it is taken away or the app ends, but is told of its mount.

    Of an app that was asked to end and still runs Textual says nothing, nor of a screen that is being closed.
    """
    return screen.app._exit or not screen.app.is_running or screen._closing or screen._pruning


def read_styles(app: App[Any], screen: Screen[Any]) -> bool:
    """Read what a screen's class says of its looks, before one is opened; return False where that was done.

    All styles are looked up anew for that. Textual has no other way than to open the screen.
    """
    before = len(app.stylesheet.source)
    app._load_screen_css(screen)
    return len(app.stylesheet.source) != before


def mount_unseen(app: App[Any], screen: Screen[Any]) -> None:
    """Make the parts of an installed screen before it is opened. Textual has no other way than to open it."""
    # What the parts are to fit into: nothing is laid out yet.
    screen._size = app.size
    app._get_screen(screen)


def lay_out_unseen(app: App[Any], screen: Screen[Any]) -> None:
    """Lay an installed screen out before it is opened, so that its parts know how large they are."""
    screen._refresh_layout(app.size)
    screen._layout_required = False
    # A timer draws what has changed. It waits for its time only once it is asked to go on, so that the first
    # frame would come later than all others.
    screen._update_timer.resume()


def draw_unseen(screen: Screen[Any]) -> None:
    """Draw a screen that was laid out unseen: its first frame draws no more than what has changed since."""
    if can_be_drawn(screen):
        whole_lines(screen)


def draw_parts_unseen(screen: Screen[Any]) -> Iterator[None]:
    """Draw the parts of a dialog that was laid out unseen, one after another; each remembers its lines.

    What is seen through the ground of the dialog is not known before it is opened.
    """
    if not can_be_drawn(screen):
        return
    for part, (region, _) in list(screen._compositor.visible_widgets.items()):
        if part is not screen and part.is_attached:
            part.render_lines(region.size.region)
            yield


def settle_unseen(app: App[Any], screen: Screen[Any]) -> bool:
    """Lay a screen out and draw it again where its parts ask for it, as they do once they have read all.

    Return whether they did. Opened, it is seen at once then.
    """
    if not screen._layout_required and not (was_laid_out(screen) and screen._dirty_widgets):
        return False
    if screen._layout_required:
        _takes_layouts(screen)
        lay_out_unseen(app, screen)
    screen._dirty_widgets.clear()
    draw_unseen(screen)
    return True


def make_ready_again(screen: Screen[Any], fill: Callable[[], object]) -> None:
    """Let `fill` change what a kept screen shows, so that it opens with that, in one frame.

    Textual keeps screens that are installed. But each part tells such a screen by a message of its own what
    is to be drawn, so that it opens as it was, and shows what is so now in later frames. No issue was found.
    """
    fill()
    if isinstance(screen.focused, Input):
        screen.focused._restart_blink()
    again = _takes_layouts(screen)
    screen._repaint_required = False
    screen.__dict__["_opens_again"] = again


def _takes_layouts(screen: Screen[Any]) -> bool:
    """Take from all parts of a screen what they ask to be drawn; return whether it is to be laid out anew."""
    again = screen._layout_required or not was_laid_out(screen)
    for part in screen.walk_children(Widget):
        if part._layout_required:
            again = True
            for ancestor in part.ancestors:
                if isinstance(ancestor, Widget):
                    ancestor._clear_arrangement_cache()
                    ancestor._layout_updates += 1
        part._layout_required = part._repaint_required = False
    return again


def hold_frames(app: App[Any]) -> Callable[[], None]:
    """Draw nothing until what is returned is called, for SECONDS_TO_READ at the most.

    Textual holds frames within a `with` only, which cannot wait for what is yet to be read.
    """
    held = True

    def let_go() -> None:
        nonlocal held
        if held:
            held = False
            app._end_batch()

    app._begin_batch()
    app.set_timer(SECONDS_TO_READ, let_go)
    return let_go


def stop_blinking(screen: Screen[Any]) -> None:
    """Let no cursor blink in a screen that is kept while it is not seen; it goes on once it is made ready.

    Textual does so where its line loses the focus, for which styles are looked up anew. No issue was found.
    """
    if isinstance(screen.focused, Input):
        screen.focused._pause_blink(visible=True)


def opens_in_one_frame(kind: type[_Screen]) -> type[_Screen]:
    """Let screens of a class open in one frame, once all their parts have said what they show.

    Textual lays a new screen out and draws it before they have. Then it looks up all styles a second time,
    tells the screen of the layout as of another size, lays it out for that again, with all that is seen below
    it, and draws all of it anew, and once more because the screen below asks for it. No issue was found.
    """

    def on_resume(screen: Screen[Any], event: events.ScreenResume) -> None:
        again: bool | None = screen.__dict__.pop("_opens_again", None)
        if screen.stack_updates and again is None:
            return
        event.prevent_default()
        screen.stack_updates += 1
        screen.app._refresh_notifications()
        screen._update_auto_focus()
        # A screen that has no size is not laid out.
        screen._size = screen.app.size
        screen._set_dirty()
        # Textual asks that the screen below be drawn anew once this one is over it: its first frame does so.
        for below in screen.app._background_screens:
            below._repaint_required = False
            below._dirty_widgets.clear()
        if again is None:
            # What was asked for before it had any parts is in its first frame.
            screen._repaint_required = False
            screen.refresh(layout=True, repaint=False)
            return
        screen._compositor._dirty_regions.add(screen.app.size.region)
        screen._dirty_widgets.add(screen)
        screen._layout_required |= again
        screen.check_idle()

    def on_resize(screen: Screen[Any], event: events.Resize) -> None:
        if screen._compositor.size == event.size == screen.size:
            event.stop()
            event.prevent_default()

    # Textual calls the handlers of each class in turn, up to one that prevents the next.
    kind._on_screen_resume = on_resume  # type: ignore[method-assign, assignment]
    kind._on_resize = on_resize  # type: ignore[method-assign, assignment]
    return kind
