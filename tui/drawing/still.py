"""What keeps keys quick: screens and lists that draw only what changes, and lists without own keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Protocol, Self

from rich.style import Style
from textual import events
from textual.await_complete import AwaitComplete
from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.screen import Screen, ScreenResultType
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.drawing.dimmed_lines import DimmedLines
from turnwise.tui.drawing.frames import COLUMNS, FRAMES, HIGH, ROOMY, ROWS
from turnwise.tui.drawing.line_bar import LineBar
from turnwise.tui.textual_internals.apps import is_leaving
from turnwise.tui.textual_internals.sent_keys import answer_sent, keep_with_screen
from turnwise.tui.textual_internals.views import (
    bare_lines,
    own_scroll_bar,
    shows_focus_in_lines,
    takes_size_at_once,
)
from turnwise.tui.textual_screens import composes_nothing, opens_in_one_frame, was_laid_out


def laid_out_once() -> Reactive[Size]:
    """Return the `virtual_size` of what never scrolls: it is laid out once for each size."""
    return Reactive(Size(0, 0), repaint=False)


class Ends(Protocol):
    """Something that is being read."""

    async def end(self, seconds: float) -> None:
        """Wait until it is read, so long at most."""


def reading_of(screen: Screen[Any]) -> Ends | None:
    """Return what a screen reads that keys mean something of only then."""
    return screen.reading if isinstance(screen, StillScreen) and screen.is_mounted else None


@opens_in_one_frame
class StillScreen(Screen[ScreenResultType]):
    """Is laid out and drawn once when it opens, and then draws only what changes; it ends once.

    It leaves it to the two widgets that lose and get the focus to draw themselves anew. A plain screen then
    draws all there is, which takes longer than a key may.
    """

    DEFAULT_CSS = f"StillScreen {{{FRAMES}}}"
    # Textual does not say that these are of the class.
    HORIZONTAL_BREAKPOINTS = [(COLUMNS, ROOMY)]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(ROWS, HIGH)]  # noqa: RUF012
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    virtual_size: Reactive[Size] = laid_out_once()

    @cached_property
    def dimmed(self) -> DimmedLines:
        """What is seen of it through the ground of a dialog."""
        return DimmedLines()

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """End the screen, and what was opened above it; one that has ended stays so.

        Textual would take away whatever stands above all, also where that is another screen: that above this
        one, or the one below where Enter comes a second time before the first is answered.
        """
        stack = self.app.screen_stack
        if self not in stack:
            return AwaitComplete()
        for above in reversed(stack[stack.index(self) + 1 :]):
            above.dismiss(None)
        return super().dismiss(result)

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Draw anew what has been drawn: the first frame shows all there is by itself."""
        drawn = was_laid_out(self)
        return super().refresh(*regions, repaint=repaint and drawn, layout=layout, recompose=recompose)

    async def on_event(self, event: events.Event) -> None:
        """Answer an event. A screen that comes to be, or to the front, at its end has no parts to fill."""
        fills = isinstance(event, events.Mount | events.Resize | events.ScreenResume)
        if fills and composes_nothing(self):
            return
        is_answered_here = self.is_modal and isinstance(event, events.Key)
        if is_answered_here:
            keep_with_screen(event)
        await super().on_event(event)
        if is_answered_here:
            await answer_sent(self, event)

    def on_compose(self) -> None:
        """Give panes their frames before their styles are looked up for the first time."""
        size = self.app.size
        # Only panes look otherwise by these, and there is none yet.
        self.set_class(size.width >= COLUMNS, ROOMY, update=False)
        self.set_class(size.height >= ROWS, HIGH, update=False)

    def call_after_refresh(self, callback: Callable[..., Any], *args: Any, **kwargs: Any) -> bool:
        """Call back once what changed is drawn; not where the screen has gone by then with its parts."""

        def unless_gone() -> Any:
            return None if is_leaving(self) else callback(*args, **kwargs)

        return super().call_after_refresh(unless_gone)

    @property
    def reading(self) -> Ends | None:
        """What is being read that keys mean something of only then; None for nothing, as in most screens."""
        return None

    def after_move(self) -> None:
        """Show, in the frame that is drawn next, what goes with the place that a key has moved to.

        Called after an action was answered by the widget that it names as its target.
        """


@takes_size_at_once
@shows_focus_in_lines
class StillView(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows the focus in what it draws, as its lines' marks and colours, and has no styles of its own for it.

    Textual would look up all its styles again, and then draw its scroll bars in a frame of their own, later
    than a key may take.
    """

    base_style = Style.null()
    """The style of the widget itself, as of the frame that is drawn."""
    in_frame = False
    """Whether lines are drawn to be seen. One that the mouse asks for tells which cell is of which text."""
    _size_in_frame: Size | None = None

    @property
    def size(self) -> Size:
        """The size of the window; it stays while a frame is drawn."""
        return self._size_in_frame or super().size

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines of the window that have changed."""
        # Once a frame: what a style inherits takes longer to find out than a line takes to draw, and so do
        # two or three times the size.
        self.base_style, self._size_in_frame = self.rich_style, self.size
        self.in_frame = True
        try:
            lines = bare_lines(self, crop)
            return super().render_lines(crop) if lines is None else lines
        finally:
            self.in_frame, self._size_in_frame = False, None

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Leave the styles as they are."""

    def focus_lines(self) -> Iterable[int]:
        """Return the lines of the window that show whether the view has the focus; none do by themselves."""
        return ()

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scroll bar."""
        return own_scroll_bar(self, LineBar)

    def take_size(self) -> None:
        """Fit what is held to the size of now; called before the frame that shows another size."""


class StillColumn(Vertical):
    """Holds widgets under each other, and never scrolls."""

    virtual_size: Reactive[Size] = laid_out_once()


class Keyless:
    """Marks a list or a text that takes no key by itself: the actions of its screen move about in it.

    The app need not ask such a widget what it does with a key, and answers the key at once.
    """
