"""Switches: words that are each on or off, gone through by keys and turned by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.drawing.palette import component

ON, OFF, FOLDED = "[✓]", "[ ]", "+"
"""Boxes, as a point between two words would read as one that parts them."""
CHOSEN, NOT_CHOSEN = "(•)", "( )"
"""The same where one of several is chosen."""
_GAP = 3


class Switches(Widget, can_focus=True):
    """Several words to turn on and off, or, where it is `single`, to choose one of.

    Words that are folded away are counted behind the others, and one key shows them; what is on is in sight.
    """

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"switches--on", "switches--off", "switches--here"}
    DEFAULT_CSS = """
    Switches {
        height: auto;
        background: $panel;
        color: $text;
        & .switches--on { color: $text; text-style: bold; }
        & .switches--off { color: $text-muted; }
        & .switches--here { color: $text; text-style: bold reverse; }
        &:ansi {
            .switches--off { text-style: dim; }
        }
    }
    """

    @dataclass
    class Changed(Message):
        """Something was turned."""

        switches: Switches

        @property
        def control(self) -> Switches:
            """The switches that sent it."""
            return self.switches

    def __init__(
        self,
        words: Sequence[tuple[str, str]],
        *,
        single: bool = False,
        first: int | None = None,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """words: what each is called in code, and to people. first: how many of them are not folded away."""
        super().__init__(id=id)
        self._words = tuple(words)
        self._first = first
        """How many words are in sight whether they are on or not; None for all."""
        self._single = single
        self._on: frozenset[str] = frozenset(name for name, _ in words[:1]) if single else frozenset()
        self._here = 0

    @property
    def on(self) -> tuple[str, ...]:
        """What is on, in the order of the words."""
        return tuple(name for name, _ in self._words if name in self._on)

    def put(self, names: Sequence[str]) -> None:
        """Turn these on and all others off, telling nobody."""
        on = frozenset(names)
        if on != self._on:
            before, self._on = self._in_sight, on
            self.refresh(layout=self._in_sight != before)

    @property
    def _in_sight(self) -> list[tuple[str, str]]:
        """The words that are shown; the last of them has no name where it stands for those folded away."""
        if self._first is None:
            return list(self._words)
        shown = [one for place, one in enumerate(self._words) if place < self._first or one[0] in self._on]
        left = len(self._words) - len(shown)
        return [*shown, ("", f"{left:,} more")] if left else shown

    def _unfold(self) -> None:
        """Show all words; the cursor goes to the first that was folded away."""
        shown = {name for name, _ in self._in_sight}
        self._first = None
        self._here = next(place for place, (name, _) in enumerate(self._words) if name not in shown)
        self.refresh(layout=True)

    def _turn(self, place: int) -> None:
        name = self._in_sight[place][0]
        if not name:
            self._unfold()
            return
        self._here = place
        on = frozenset({name}) if self._single else self._on ^ {name}
        if on != self._on:
            self._on = on
            self.post_message(self.Changed(self))
        self.refresh()

    def _rows(self, width: int) -> list[list[tuple[int, int, int]]]:
        """Return by line the places of words, with the cells where each begins and ends.

        Words of several lines stand below each other where that takes no line more.
        """
        wrapped = self._wrapped(width)
        longs = [cell_len(self._told(*one)) for one in self._in_sight]
        step = max(longs) + _GAP
        columns = (width - 2 + _GAP) // step
        if len(wrapped) == 1 or columns < 2 or ceil(len(longs) / columns) > len(wrapped):
            return wrapped
        cells = [(place, 1 + place % columns * step, long) for place, long in enumerate(longs)]
        return [
            [(place, x, x + long) for place, x, long in cells[first : first + columns]]
            for first in range(0, len(cells), columns)
        ]

    def _told(self, name: str, words: str) -> str:
        """Return words with the box before them; what stands for those folded away has none."""
        on, off = (CHOSEN, NOT_CHOSEN) if self._single else (ON, OFF)
        return f"{(on if name in self._on else off) if name else FOLDED} {words}"

    def _wrapped(self, width: int) -> list[list[tuple[int, int, int]]]:
        """Return the same with words behind each other, as many as fit."""
        rows: list[list[tuple[int, int, int]]] = [[]]
        x = 1
        for place, one in enumerate(self._in_sight):
            long = cell_len(self._told(*one))
            if rows[-1] and x + long > width - 1:
                rows.append([])
                x = 1
            rows[-1].append((place, x, x + long))
            x += long + _GAP
        return rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the words take."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        base, width = self.rich_style, self.size.width
        rows, shown = self._rows(width), self._in_sight
        segments: list[Segment] = []
        x = 0
        for place, start, end in rows[y] if y < len(rows) else []:
            on = shown[place][0] in self._on
            here = self.has_focus and place == self._here
            style = component(self, f"switches--{'here' if here else 'on' if on else 'off'}")
            segments += [Segment(" " * (start - x)), Segment(self._told(*shown[place]), style)]
            x = end
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def on_key(self, event: events.Key) -> None:
        """Go among the words, and turn one."""
        step = {"right": 1, "l": 1, "left": -1, "h": -1}.get(event.key)
        if step is not None:
            self._here = (self._here + step) % len(self._in_sight)
            self.refresh()
        elif event.key in ("space", "enter"):
            self._turn(self._here)
        else:
            return
        event.stop()

    def on_click(self, event: events.Click) -> None:
        """Turn the word that was clicked."""
        rows = self._rows(self.size.width)
        for place, start, end in rows[event.y] if event.y < len(rows) else []:
            if start <= event.x < end:
                event.stop()
                self._turn(place)

    def on_focus(self) -> None:
        """Show where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """Show that they go elsewhere."""
        self.refresh()
