"""LinesView: a scrolling widget over lines that are drawn already, with text that can be selected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.reactive import Reactive
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.marks import DISPUTED, FAILED, FAILURE, PASSED, UNSURE
from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.lines import BAR, Line, mark_selected
from turnwise.tui.drawing.palette import component, marks_css
from turnwise.tui.drawing.still import StillView
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.textual_internals.views import resize_without_layout

TONE_OF_SIGN: Mapping[str, str] = {
    PASSED: "passed",
    FAILED: "failed",
    UNSURE: "unsure",
    FAILURE: "unsure",
    DISPUTED: "unsure",
}
"""The name of the tone that a sign has; what is not here is muted."""


@dataclass(frozen=True, slots=True)
class Tones:
    """The styles of lines; each is a component class `lines--NAME`.

    heading: a name, or what stands out among other words. cross: a ✗ among other marks.
    section: what stands over a part of a pane.
    """

    text: Style
    muted: Style
    heading: Style
    bar: Style
    link: Style
    passed: Style
    failed: Style
    cross: Style
    unsure: Style
    section: Style

    def of_sign(self, sign: str) -> Style:
        """Return the style of a sign such as ✓."""
        tone: Style = getattr(self, TONE_OF_SIGN.get(sign, "muted"))
        return tone


TONE_CLASSES = {f"lines--{tone.name}" for tone in fields(Tones)}
TONES_CSS = (
    marks_css("lines--")
    + """
    & .lines--text { color: $text; }
    & .lines--muted { color: $text-muted; }
    & .lines--heading { color: $text; text-style: bold; }
    & .lines--bar { color: $accent; }
    & .lines--link { color: $text; text-style: underline; }
    & .lines--section { color: $text-accent; text-style: bold; }
    &:ansi {
        .lines--muted { text-style: dim; }
    }
"""
)


def read_tones(widget: Widget) -> Tones:
    """Return the tones `widget` has under the theme of now."""
    return Tones(**{tone.name: component(widget, f"lines--{tone.name}") for tone in fields(Tones)})


def paragraph(text: str, width: int, style: Style, *, indent: str = "", most: int = 0) -> list[Line]:
    """Return any text made safe, wrapped and indented, cut with an ellipsis after `most` lines (0: never)."""
    room = max(1, width - len(indent))
    # No more is wrapped than can be shown.
    part = text[: (most + 1) * room] if most else text
    lines = list(wrap(make_safe(part).strip("\n"), room))
    if most and len(lines) > most:
        last = lines[most - 1]
        lines = [*lines[: most - 1], f"{last}…" if cell_len(last) < room else fit(f"{last}…", room)]
    return [[Segment(f"{indent}{line}", style)] for line in lines]


_HANGING = "  "


def hanging(text: str, width: int, style: Style) -> list[Line]:
    """Return any text made safe and wrapped, all lines but the first indented, so that it is seen as one."""
    safe = make_safe(text)
    if cell_len(safe) <= width and "\n" not in safe:
        return [[Segment(safe, style)]]
    first, *rest = wrap(safe, max(1, width - len(_HANGING)))
    return [[Segment(first, style)], *([Segment(f"{_HANGING}{line}", style)] for line in rest)]


def with_bar(strip: Strip, style: Style, bar: str = BAR) -> Strip:
    """Return a row with a bar in its first cell, on the ground that the row has there."""
    ground = next((segment.style for segment in strip.crop(0, 1)), None)
    first = Strip(Segment.apply_style([Segment(bar, style)], ground), 1)
    return Strip.join([first, strip.crop(1)])


LINES_SCROLLED = 3


class Toned(Widget):
    """A widget that knows its tones: to find out what styles inherit takes longer than to draw a line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = TONE_CLASSES
    _tones: Tones | None = None

    @property
    def tones(self) -> Tones:
        """The styles of now."""
        if self._tones is None:
            self._tones = read_tones(self)
        return self._tones

    def read_styles(self) -> None:
        """Find out all styles that it draws in, before it is first drawn."""
        self._tones = read_tones(self)

    def notify_style_update(self) -> None:
        """Read the styles anew where the theme changed."""
        super().notify_style_update()
        self._tones = None


class LinesView(StillView, Toned, inherit_bindings=False):
    """Shows lines of segments. It has no keys: screens bind its actions."""

    # Textual takes them from the first class that is derived from.
    COMPONENT_CLASSES: ClassVar[set[str]] = TONE_CLASSES
    LINES_KEPT: ClassVar[int] = 1
    """So many lines of a page stay in sight on the next one."""
    DEFAULT_CSS = (
        """
    LinesView {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
    """
        + TONES_CSS
        + "}"
    )

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: Sequence[Line] = ()

    @property
    def lines(self) -> Sequence[Line]:
        """The lines that are shown."""
        return self._lines

    def set_lines(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        """Show other lines, from their start unless the place is kept; what is the same costs no frame."""
        if lines != self._lines:
            self._lines = lines
            self.refresh()
        self._take_length(len(lines))
        if not keep_place:
            self.scroll_to(y=0)

    def _take_length(self, lines: int) -> None:
        size = Size(self.size.width, lines)
        if self.styles.auto_dimensions or (lines > self.size.height) != self.show_vertical_scrollbar:
            self.virtual_size = size
        else:
            # The scroll bar stays, or stays away: nothing moves, and to lay all out would be felt at a key.
            resize_without_layout(self, size)

    # What screens bind keys to

    def action_cursor_down(self) -> None:
        """Go down by a line."""
        self.scroll_to(y=self.scroll_y + 1)

    def action_cursor_up(self) -> None:
        """Go up by a line."""
        self.scroll_to(y=self.scroll_y - 1)

    def action_page_down(self) -> None:
        """Go down by a page."""
        self.scroll_to(y=self.scroll_y + max(1, self.size.height - self.LINES_KEPT))

    def action_page_up(self) -> None:
        """Go up by a page."""
        self.scroll_to(y=self.scroll_y - max(1, self.size.height - self.LINES_KEPT))

    def action_home(self) -> None:
        """Go to the first line."""
        self.scroll_to(y=0)

    def action_end(self) -> None:
        """Go to the last line."""
        self.scroll_to(y=self.max_scroll_y)

    def action_scroll_down(self) -> None:
        """Go down by a few lines."""
        self.scroll_to(y=self.scroll_y + LINES_SCROLLED)

    def action_scroll_up(self) -> None:
        """Go up by a few lines."""
        self.scroll_to(y=self.scroll_y - LINES_SCROLLED)

    def go_to_line(self, first: int, last: int) -> None:
        """Scroll as little as shows the lines from `first` to `last`."""
        top, height = self.scroll_offset.y, self.size.height
        if first < top or last - first >= height:
            self.scroll_to(y=first)
        elif last >= top + height:
            self.scroll_to(y=last - height + 1)

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the window."""
        width = self.size.width
        number = self.scroll_offset.y + y
        if number >= len(self._lines):
            return Strip.blank(width, self.base_style)
        line = list(self._lines[number])
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(number)) is not None:
            line = mark_selected(line, *span, self.screen.get_component_rich_style("screen--selection"))
        strip = Strip(Segment.apply_style(line, self.base_style)).adjust_cell_length(width, self.base_style)
        return strip if self.in_frame else strip.apply_offsets(0, number)

    @property
    def allow_select(self) -> bool:
        """Text can be selected, though a scroll view counts as a container."""
        return True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is drawn."""
        text = "\n".join("".join(piece.text for piece in line) for line in self._lines)
        return selection.extract(text), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected."""
        self.refresh()


class DrawnLines(Toned):
    """A few lines that fill their place and neither scroll nor take the focus."""

    DEFAULT_CSS = "DrawnLines { background: $surface; color: $text;" + TONES_CSS + "}"
    # Without children there is nothing to lay out once more when the size has changed.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), repaint=False)

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._base = Style.null()

    @property
    def lines(self) -> Sequence[Line]:
        """The lines that are shown."""
        return self._lines

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show other lines; what is the same as before costs no frame."""
        if lines != self._lines:
            self._lines = lines
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        if y == 0:
            self._base = self.rich_style
        line = self._lines[y] if y < len(self._lines) else []
        strip = Strip(Segment.apply_style(line, self._base))
        return strip.adjust_cell_length(self.size.width, self._base)
