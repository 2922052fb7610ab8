"""HelpList: keys with what they do, of which each can be chosen, and marks with what they mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from turnwise.tui.actions import Action
from turnwise.tui.actions.legends import Explained
from turnwise.tui.actions.synonyms import also_called
from turnwise.tui.drawing.lines import BAR, Line
from turnwise.tui.drawing.lines_view import LinesView, Tones
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.wrapping import wrap
from turnwise.tui.textual_internals.views import expect_lines, resize_without_layout

KEY_CELLS = 15
LEAST_HELP = 20
MARGIN = 2
ITEM_GAP = 3
TITLE_GAP = 3
FREE_CELLS = 2
"""At the end of a line: that of a scroll bar, not known of as lines are written, and one before it."""


@dataclass(frozen=True, slots=True)
class HelpKey:
    """An action as help tells it. barred: why it cannot be done now; empty where it can."""

    action: Action
    barred: str = ""

    @property
    def keys(self) -> str:
        """Its keys as people write them."""
        return " ".join(self.action.all_keys)

    @property
    def words(self) -> str:
        """What it does, and why it does not now."""
        return f"{self.action.help} ({self.barred})" if self.barred else self.action.help

    @property
    def synonyms(self) -> str:
        """Words by which it is found, though it says others."""
        return also_called(self.action.title)


@dataclass(frozen=True, slots=True)
class HelpSection:
    """What stands under one heading: explained marks, keys, or plain lines."""

    heading: str
    explained: Sequence[Explained] = ()
    keys: Sequence[HelpKey] = ()
    plain: Sequence[str] = ()

    def like(self, words: str) -> HelpSection:
        """Return what of it holds all of these words, be they of a key, a title, a synonym or a sentence."""
        wanted = words.lower().split()

        def holds(*texts: str) -> bool:
            text = " ".join(texts).lower()
            return all(word in text for word in wanted)

        return HelpSection(
            self.heading,
            [one for one in self.explained if holds(one.sign, one.words)],
            [one for one in self.keys if holds(one.keys, one.action.title, one.words, one.synonyms)],
            [line for line in self.plain if holds(line)],
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands under the heading."""
        return not (self.explained or self.keys or self.plain)


@dataclass(frozen=True, slots=True)
class _Span:
    """The lines that a key takes, the first and the last of them."""

    key: HelpKey
    first: int
    last: int


_Written = tuple[list[Line], list[_Span], dict[str, int]]
"""Lines, which of them are of which key, and the line of each heading."""


class HelpList(LinesView, can_focus=True, inherit_bindings=False):
    """Lines of help with a cursor that stands on keys.

    What is explained below the last of them has no cursor: the keys that move it scroll there.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"help--section", "help--cursor"}
    DEFAULT_CSS = """
    HelpList {
        height: auto;
        background: $surface;
        & .help--section { color: $accent; text-style: bold; }
        & .help--cursor { background: $panel; text-style: bold; }
    }
    """

    @dataclass
    class Chosen(Message):
        """A key was clicked."""

        key: HelpKey

    def __init__(self) -> None:
        super().__init__()
        self._sections: Sequence[HelpSection] = ()
        self._spans: Sequence[_Span] = ()
        self._starts: Mapping[str, int] = {}
        self._cursor = 0
        self._written: dict[int, _Written] = {}
        """The lines by the cells that they have: their number is asked for more than once a frame."""

    @property
    def current(self) -> HelpKey | None:
        """The key under the cursor."""
        return self._spans[self._cursor].key if self._spans else None

    def show(self, sections: Sequence[HelpSection]) -> None:
        """Show these, from their start."""
        shown = [one for one in sections if not one.is_empty]
        if self._cursor or shown != self._sections:
            self.refresh()
        self._cursor = 0
        if shown != self._sections:
            self._sections = shown
            self._written.clear()
            self._fill()
        self.scroll_to(y=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines there are in so many cells."""
        expect_lines(self, Size(width, len(self._lines_in(width)[0])))
        return max(1, len(self._lines_in(width - 1)[0]))

    def take_size(self) -> None:
        """Use the room, in the very frame that shows it."""
        self._lines = self._place_in(self.size.width)
        resize_without_layout(self, Size(self.size.width, len(self._lines)))

    def notify_style_update(self) -> None:
        """Write in the styles of another theme."""
        super().notify_style_update()
        self._written.clear()
        if self.is_mounted:
            self._fill()

    def _fill(self) -> None:
        if self.size.width:
            self.set_lines(self._place_in(self.size.width), keep_place=True)

    def _place_in(self, width: int) -> Sequence[Line]:
        lines, self._spans, self._starts = self._lines_in(width)
        self._cursor = max(0, min(self._cursor, len(self._spans) - 1))
        return lines

    def _lines_in(self, width: int) -> _Written:
        if width not in self._written:
            self._written[width] = self._write(width)
        return self._written[width]

    def _write(self, width: int) -> _Written:
        tones, section = self.tones, component(self, "help--section")
        lines: list[Line] = []
        spans: list[_Span] = []
        starts: dict[str, int] = {}
        keys = [key for one in self._sections for key in one.keys]
        titles = max((cell_len(key.action.title) for key in keys), default=0)
        for one in self._sections:
            if one.heading:
                lines += [[], [Segment(f"{' ' * MARGIN}{one.heading}", section)]] if lines else []
                lines = lines or [[Segment(f"{' ' * MARGIN}{one.heading}", section)]]
                starts[one.heading] = len(lines) - 1
            room = width - FREE_CELLS
            lines += explained_lines(one.explained, room, tones)
            for key in one.keys:
                first = len(lines)
                lines += key_lines(key, titles, room, tones)
                spans.append(_Span(key, first, len(lines) - 1))
            plain = (line for text in one.plain for line in wrap(text, room - MARGIN))
            lines += [[Segment(f"{' ' * MARGIN}{line}", tones.muted)] for line in plain]
        nothing = [[Segment(f"{' ' * MARGIN}Nothing here is like this.", tones.muted)]]
        return lines or nothing, spans, starts

    # What the keys do

    def action_cursor_down(self) -> None:
        """Go to the next key; below the last one, scroll."""
        if self._cursor >= len(self._spans) - 1:
            self._scroll(1)
        else:
            self._go(self._cursor + 1)

    def action_cursor_up(self) -> None:
        """Go to the key before; from below the last one, scroll back to that."""
        if self._is_below_keys:
            self._scroll(-1)
        else:
            self._go(self._cursor - 1)

    def action_page_down(self) -> None:
        """Go one window down."""
        if self._cursor >= len(self._spans) - 1:
            self._scroll(self._page)
        else:
            self._go_by(self._page)

    def action_page_up(self) -> None:
        """Go one window up."""
        if self._is_below_keys:
            self._scroll(-self._page)
        else:
            self._go_by(-self._page)

    def action_home(self) -> None:
        """Go to the start."""
        self._go(0)

    def action_end(self) -> None:
        """Go to the end, also of what is explained below the last key."""
        self._go(len(self._spans) - 1)
        self.scroll_to(y=self.max_scroll_y)

    def go_to_section(self, heading: str) -> None:
        """Show what stands under a heading from its start; the cursor waits at the last key above it."""
        start = self._starts.get(heading)
        if start is not None:
            above = [place for place, span in enumerate(self._spans) if span.last < start]
            self._cursor = above[-1] if above else 0
            self.scroll_to(y=min(start, self.max_scroll_y))
            self.refresh()

    def seek_cursor(self) -> bool:
        """Show the key under the cursor where it is out of sight; return whether it was."""
        if not self._is_below_cursor:
            return False
        self._go(self._cursor)
        return True

    @property
    def _is_below_cursor(self) -> bool:
        """Whether the key under the cursor was left above the window."""
        return bool(self._spans) and self._spans[self._cursor].first < self.scroll_offset.y

    @property
    def _is_below_keys(self) -> bool:
        """Whether what is explained below the last key is read."""
        return self._cursor >= len(self._spans) - 1 and (not self._spans or self._is_below_cursor)

    def _scroll(self, lines: int) -> None:
        self.scroll_to(y=max(0, min(self.scroll_offset.y + lines, self.max_scroll_y)))

    @property
    def _page(self) -> int:
        return max(1, self.size.height - self.LINES_KEPT)

    def _go_by(self, lines: int) -> None:
        if not self._spans:
            return
        wanted = self._spans[self._cursor].first + lines
        nearest = min(range(len(self._spans)), key=lambda place: abs(self._spans[place].first - wanted))
        self._go(nearest)

    def _go(self, place: int) -> None:
        if not self._spans:
            return
        self._cursor = max(0, min(place, len(self._spans) - 1))
        span = self._spans[self._cursor]
        if self._cursor == 0:
            # A heading stands above the first key.
            self.scroll_to(y=0)
        else:
            self.go_to_line(max(0, span.first - 1), span.last)
        self.refresh()

    # Drawing and the mouse

    def render_line(self, y: int) -> Strip:
        """Draw a line; those of the key under the cursor stand on a ground of their own."""
        strip = super().render_line(y)
        line = self.scroll_offset.y + y
        if not self._spans or not self._spans[self._cursor].first <= line <= self._spans[self._cursor].last:
            return strip
        ground = component(self, "help--cursor")
        behind = Segment.apply_style(strip, post_style=Style(bgcolor=ground.bgcolor))
        strip = Strip(behind, strip.cell_length)
        if line > self._spans[self._cursor].first:
            return strip
        bar = Strip([Segment(BAR, self.base_style + Style(bgcolor=ground.bgcolor) + self.tones.bar)], 1)
        return Strip.join([bar, strip.crop(1)])

    def on_click(self, event: events.Click) -> None:
        """Take the key that was clicked."""
        offset = event.get_content_offset(self)
        line = self.scroll_offset.y + (offset.y if offset is not None else -1)
        for place, span in enumerate(self._spans):
            if span.first <= line <= span.last:
                self._cursor = place
                self.refresh()
                self.post_message(self.Chosen(span.key))


def explained_lines(explained: Sequence[Explained], width: int, tones: Tones) -> Iterator[Line]:
    """Yield marks with what they mean, as many in a line as fit."""
    line: Line = []
    used = 0
    for one in explained:
        needed = cell_len(one.sign) + 1 + cell_len(one.words)
        if line and used + ITEM_GAP + needed > width - 1:
            yield line
            line, used = [], 0
        gap = " " * (ITEM_GAP if line else MARGIN)
        sign, *more = (
            one.sign,
            *wrap(one.words, max(LEAST_HELP, width - used - len(gap) - 1 - cell_len(one.sign))),
        )
        tone = tones.of_sign(sign)
        line += [
            Segment(f"{gap}{sign} ", tone if tone != tones.muted else tones.heading),
            Segment(more[0] if more else "", tones.muted),
        ]
        used += len(gap) + needed
        for rest in more[1:]:
            yield line
            line, used = [Segment(f"{' ' * (MARGIN + cell_len(sign) + 1)}{rest}", tones.muted)], width
    if line:
        yield line


def key_lines(key: HelpKey, titles: int, width: int, tones: Tones) -> Iterator[Line]:
    """Yield a key, its title and its help in columns; what is longer goes on in its own column.

    titles: the cells that the longest title of all takes.
    """
    keys = _in_column(key.action.all_keys)
    left = MARGIN + KEY_CELLS + titles + TITLE_GAP
    said, named = (tones.muted, tones.muted) if key.barred else (tones.heading, tones.text)
    words = list(wrap(key.words, max(LEAST_HELP, width - left - 1)))
    for place in range(max(len(keys), len(words))):
        written = keys[place] if place < len(keys) else ""
        title = key.action.title if place == 0 else ""
        yield [
            Segment(" " * MARGIN),
            Segment(written.ljust(KEY_CELLS), said),
            Segment(title.ljust(titles + TITLE_GAP), named),
            Segment(words[place] if place < len(words) else "", tones.muted),
        ]


def _in_column(keys: Sequence[str]) -> list[str]:
    """Return keys as they stand below each other, as many in a line as have room."""
    lines: list[str] = []
    for key in keys:
        if lines and cell_len(lines[-1]) + 1 + cell_len(key) <= KEY_CELLS - 2:
            lines[-1] += f" {key}"
        else:
            lines.append(key)
    return lines
