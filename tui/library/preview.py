"""Preview: the session under the cursor, drawn as the review draws it, and scrolled beside the list."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.strip import Strip

from turnwise.conversations.store import Store
from turnwise.tui.drawing.palette import COMPONENT_CLASSES, Palette, component, palette_css, read_palette
from turnwise.tui.drawing.still import Keyless, StillView
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.textual_internals.views import resize_without_layout

if TYPE_CHECKING:
    from turnwise.tui.library.drawn_glance import DrawnGlance
    from turnwise.tui.library.glance import Glance

KEPT_IN_SIGHT = 2
"""Lines of a page that stay in sight on the next one."""
SIDE = 1
"""Cells that stay free before the scroll bar."""

PREVIEW_FROM = 120
"""Below so many cells the names of sessions and the marks of metrics need all the room."""


class Preview(StillView, Keyless, can_focus=False, inherit_bindings=False):
    """Draws what is in sight of a glance. Its actions are bound by the screen; it never has the keys."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES | {"preview--found"}
    DEFAULT_CSS = """
    Preview {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $surface;
        scrollbar-background: $surface;
        scrollbar-background-hover: $surface;
        scrollbar-background-active: $surface;
        color: $text;
        &.-nothing { background: $background; scrollbar-size-vertical: 0; }
        & .preview--found { color: $text-accent; text-style: bold underline; }
    }
    """ + palette_css("Preview")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._glance: Glance | None = None
        self._drawn: DrawnGlance | None = None
        self._store: Store | None = None
        self._palette: Palette | None = None
        self._settling = False
        self._reading = NewestReading(self)

    def show(self, glance: Glance | None, store: Store | None = None) -> None:
        """Show another session from its start, the same one where it stands, or nothing.

        store: where more of it is read once it scrolls.
        """
        self._glance, self._store = glance, store
        # A box without a session in it would look like one that is still being read.
        self.set_class(glance is None, "-nothing")
        self._draw(anew=True)
        self._settle()
        self.refresh()

    @property
    def is_scrolled(self) -> bool:
        """Whether the beginning is out of sight."""
        return self._drawn is not None and self._drawn.place.top > 0

    # What screens bind keys to

    def action_right_later(self) -> None:
        """Go down by a page."""
        self._go_to_line(round(self.scroll_y) + self._page)

    def action_right_earlier(self) -> None:
        """Go up by a page."""
        self._go_to_line(round(self.scroll_y) - self._page)

    @property
    def _page(self) -> int:
        return max(1, self.size.height - KEPT_IN_SIGHT)

    # Layout

    def on_resize(self) -> None:
        """Take the room that there is now."""
        self._lay_out()

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        self._palette = None
        if self.is_mounted:
            self._draw(anew=True)
            self._settle()
            self.refresh()

    def _lay_out(self) -> None:
        self._draw()
        self._settle()

    def _draw(self, *, anew: bool = False) -> None:
        """Lay the glance out in the room there is, where it is not yet; what was there keeps its place.

        anew: also where it fits.
        """
        before = self._drawn
        width, height = self.scrollable_content_region.width - SIDE, self.size.height
        if self._glance is None or width < 1 or not height:
            self._drawn = None
            return
        if not anew and before is not None and (before.width, before.window) == (width, height):
            return
        # An empty library draws none, and what draws turns takes a while to load.
        from turnwise.tui.library.drawn_glance import DrawnGlance

        if self._palette is None:
            # To find out what styles inherit takes longer than to draw a session.
            self._palette = read_palette(self)
        found = component(self, "preview--found")
        self._drawn = DrawnGlance(self._glance, width, height, self._palette, found)
        if before is not None and before.is_of(self._glance):
            self._drawn.go_as(before)
            if self.is_scrolled:
                # What was being read is for what was drawn before.
                self._read_on()

    # Scrolling: the place decides, the scroll bar follows

    def _go_to_line(self, line: int) -> None:
        if self._drawn is None:
            return
        self._drawn.place.go_to_line(max(0, line), self.size.height)
        self._settle()
        self._read_on()

    def _settle(self) -> None:
        if not self.is_mounted:
            return
        place = self._drawn.place if self._drawn is not None else None
        self._settling = True
        try:
            resize_without_layout(self, Size(self.size.width, place.lines if place is not None else 0))
            self.scroll_y = self.scroll_target_y = place.top if place is not None else 0
        finally:
            self._settling = False
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow the wheel and the scroll bar; correct the line they asked for once heights are known."""
        drawn = self._drawn
        if not self._settling and drawn is not None and round(new_value) != drawn.place.top:
            self._go_to_line(round(new_value))
        super().watch_scroll_y(old_value, self.scroll_y)

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    def _read_on(self) -> None:
        """Read the rest of a session that somebody scrolls, and lay it out, in a thread."""
        glance, drawn, store = self._glance, self._drawn, self._store
        if glance is None or drawn is None or store is None or glance.is_whole or glance.sought:
            return
        self._reading.ask(
            lambda: drawn.with_all_turns(store.turns.of(glance.row.id)), partial(self._take_rest, drawn)
        )

    def _take_rest(self, beginning: DrawnGlance, whole: DrawnGlance) -> None:
        if self._drawn is beginning:
            self._glance, self._drawn = whole.glance, whole
            whole.go_as(beginning)
            self._settle()

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines of the window that have changed."""
        # The first frame is drawn before the first resize is told.
        self._draw()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the window."""
        width = self.size.width
        drawn = self._drawn
        absolute = y + (drawn.place.top if drawn is not None else 0)
        if drawn is None or self._palette is None or absolute >= drawn.place.lines:
            return Strip.blank(width, self.base_style)
        line, by_user = drawn.line(absolute)
        ground = self.base_style + self._palette.said if by_user else self.base_style
        return Strip(Segment.apply_style(line, ground)).adjust_cell_length(width, ground)

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Open or fold what was clicked."""
        offset = event.get_content_offset(self)
        if offset is not None and self._drawn is not None:
            absolute = self._drawn.place.top + offset.y
            if absolute < self._drawn.place.lines and self._drawn.toggle_at(absolute):
                self._settle()
