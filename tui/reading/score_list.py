"""ScoreList: all outcomes of a session as a list with a cursor, and links to the turns that reasons name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.store import LabelRow
from turnwise.engine.people.labelling import CurrentLabel, LabelSubject
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.lines import BAR, Line, mark_selected
from turnwise.tui.drawing.lines_view import LinesView, Tones, paragraph
from turnwise.tui.reading.score_groups import ScoreGroup
from turnwise.tui.reading.score_lines import MOST_REASON, ScoreItem, ScoreLines, score_lines
from turnwise.tui.reading.turn_links import links_in, turn_at

REVEAL = "shows them"
"""The words that show what is hidden when they are clicked."""


class ScoreList(LinesView):
    """All outcomes, with a cursor over them and over the turns that failed."""

    DEFAULT_CSS = "ScoreList { background: $surface; }"
    LINES_KEPT: ClassVar[int] = 0

    @dataclass
    class Chosen(Message):
        """A failing turn was clicked, or a turn that a reason names."""

        turn: int

    @dataclass
    class RevealAsked(Message):
        """The words that show what is hidden were clicked."""

    @dataclass
    class Moved(Message):
        """The cursor stands on another outcome, or came or went."""

    def __init__(
        self,
        clock: Callable[[], float],
        empty: str,
        *,
        key: str = "",
        id: str | None = None,  # noqa: A002
    ) -> None:
        """key: what goes to the list, where a key does."""
        super().__init__(id=id)
        self._key = key
        self._clock = clock
        self._empty = empty
        self._groups: Sequence[ScoreGroup] = ()
        self._labels: Sequence[LabelRow] = ()
        self._mine: Mapping[LabelSubject, CurrentLabel] = {}
        self._last = 0
        self._wanted: tuple[str, int] | None = None
        self._drawn = ScoreLines()
        self._cursor = 0
        self._spare: int | None = None
        self._most = MOST_REASON
        self._room: int | None = None
        """The lines that it was given; None where it has those of its place."""
        self._bar = Style.null()

    def draw_in(self, room: int) -> int:
        """Take so many lines of room, which decide how much stands there; return how many are taken."""
        self._room = room
        self._most = MOST_REASON
        for spare in (None, 0):
            self._spare = spare
            self._draw()
            if len(self._drawn.lines) <= room:
                break
        # Cut is only what has no room, and what failed last.
        self._lengthen(room)
        if self._spare is not None and (left := room - len(self._drawn.lines)) > 0:
            self._spare = left
            self._draw()
        return len(self._drawn.lines)

    def draw_in_place(self) -> None:
        """Let the lines of its place decide how much stands there."""
        self._room = self._spare = None
        self._most = MOST_REASON
        self._draw()
        self._lengthen(self.size.height)

    def _lengthen(self, room: int) -> None:
        """Let reasons that are cut have the lines that are left in so much room."""
        left = room - len(self._drawn.lines)
        while left > 0 and self._drawn.is_cut:
            self._most = MOST_REASON + left
            self._draw()
            if len(self._drawn.lines) <= room:
                return
            left //= 2
        if self._most != MOST_REASON:
            self._most = MOST_REASON
            self._draw()

    @property
    def current(self) -> ScoreItem | None:
        """What the cursor is on; None where there are no scores."""
        return self._drawn.items[self._cursor] if self._cursor < len(self._drawn.items) else None

    def show(
        self,
        groups: Sequence[ScoreGroup],
        labels: Sequence[LabelRow],
        mine: Mapping[LabelSubject, CurrentLabel],
        last: int,
        empty: str,
    ) -> None:
        """Show outcomes; the cursor stays where it was among them.

        labels: what others say of metrics. mine: what the one who labels says of them. last: the number of
        the last turn. empty: what to say where there is nothing.
        """
        self._groups, self._labels, self._mine = groups, labels, mine
        self._last, self._empty = last, empty
        self.on_resize()

    def move(self, by: int) -> None:
        """Move the cursor by so many items."""
        top, left = self.scroll_offset.y, self.focus_lines()
        self._cursor = max(0, min(self._cursor + by, len(self._drawn.items) - 1))
        if item := self.current:
            # The first item brings what stands over it into sight, the last what stands under it.
            at_end = self._cursor == len(self._drawn.items) - 1
            last = len(self._drawn.lines) - 1 if at_end else item.last
            self.go_to_line(item.first if self._cursor else 0, last)
        self.post_message(self.Moved())
        if self.scroll_offset.y != top:
            self.refresh()
            return
        for line in {*left, *self.focus_lines()}:
            self.refresh(Region(0, line, self.size.width, 1))

    def focus_lines(self) -> Iterable[int]:
        """Return the lines in sight of what the cursor is on, and the one that says that more follows."""
        if (item := self.current) is None:
            return ()
        top = self.scroll_offset.y
        lines = range(max(0, item.first - top), min(item.last - top + 1, self.size.height))
        return {*lines, self.size.height - 1} if self._follows else lines

    @property
    def _follows(self) -> bool:
        """Whether the list goes on below what has room."""
        return len(self._drawn.lines) > self.scroll_offset.y + self.size.height > 1

    def action_cursor_down(self) -> None:
        """Go to the next item."""
        self.move(1)

    def action_cursor_up(self) -> None:
        """Go to the item before."""
        self.move(-1)

    def action_home(self) -> None:
        """Go to the first item."""
        self.move(-len(self._drawn.items))

    def action_end(self) -> None:
        """Go to the last item."""
        self.move(len(self._drawn.items))

    def go_to(self, letter: str, turn: int) -> None:
        """Put the cursor on what a metric says of a turn, else on the metric, as soon as it is drawn."""
        self._wanted = (letter, turn)
        self._go_to_wanted()

    def _go_to_wanted(self) -> None:
        if self._wanted is None or not self._drawn.items:
            return
        (letter, turn), self._wanted = self._wanted, None
        metric = next((group.metric for group in self._groups if group.letter == letter), None)
        places = [place for place, item in enumerate(self._drawn.items) if item.row.metric == metric]
        exact = [place for place in places if self._drawn.items[place].turn == turn]
        for place in (exact or places)[:1]:
            self._cursor = place
            self.move(0)

    def jump_places(self) -> list[JumpPlace]:
        """Return the outcomes in sight, and the turns that their reasons name."""
        top, height = self.scroll_offset.y, self.size.height
        places = [
            JumpPlace(0, item.first - top, partial(self._jump, index))
            for index, item in enumerate(self._drawn.items)
            if top <= item.first < top + height
        ]
        # A verdict goes to its turn by itself: the name of that turn at its head needs no letter of its own.
        led_to = {item.first - top: item.turn for item in self._drawn.items}
        for number, line in enumerate(self._drawn.lines[top : top + height]):
            for start, _, turn in links_in(line, self._last):
                if turn == led_to.get(number):
                    continue
                places.append(JumpPlace(start, number, partial(self.post_message, self.Chosen(turn))))
        return places

    def _jump(self, index: int) -> None:
        item = self._drawn.items[index]
        self._cursor = index
        if item.turn is None:
            self.focus()
        else:
            self.post_message(self.Chosen(item.turn))
        self.post_message(self.Moved())
        self.refresh()

    def rewind(self) -> None:
        """Put the cursor on the first item."""
        self._cursor = 0
        self.scroll_to(y=0)

    def on_resize(self) -> None:
        """Wrap anew."""
        if self._room is None:
            self.draw_in_place()
        else:
            self._draw()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.move(0)

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.post_message(self.Moved())

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if not self.is_mounted or not width:
            return
        tones = self.tones
        self._bar = tones.bar
        if self._groups or self._labels:
            self._drawn = score_lines(
                self._groups,
                self._labels,
                width,
                tones,
                self._clock(),
                self._mine,
                self._last,
                spare=self._spare,
                most=self._most,
            )
        else:
            self._drawn = ScoreLines(empty_lines(self._empty, width, tones))
        self._cursor = max(0, min(self._cursor, len(self._drawn.items) - 1))
        self.set_lines(self._drawn.lines, keep_place=True)
        self._go_to_wanted()

    def notify_style_update(self) -> None:
        """Draw anew where the theme changed."""
        super().notify_style_update()
        self._draw()

    def render_line(self, y: int) -> Strip:
        """Draw one line, with the bar beside what the cursor is on."""
        if y == self.size.height - 1 and self._follows and not self.has_focus:
            line = [Segment(more_words(self._drawn, self.scroll_offset.y + y, self._key), self.tones.muted)]
            strip = Strip(Segment.apply_style(line, self.base_style))
            return strip.adjust_cell_length(self.size.width, self.base_style)
        strip = super().render_line(y)
        item = self.current
        number = self.scroll_offset.y + y
        if item is None or not self.has_focus or not item.first <= number <= item.last:
            return strip
        bar = Segment(BAR, self.base_style + self._bar)
        return Strip.join([Strip([bar], 1), strip.crop(1)]).adjust_cell_length(
            self.size.width, self.base_style
        )

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on what was clicked, and follow it where it leads to a turn."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        number = self.scroll_offset.y + offset.y
        line = self._drawn.lines[number] if number < len(self._drawn.lines) else []
        if not self._groups and is_reveal(line, offset.x):
            self.post_message(ScoreList.RevealAsked())
            return
        if (turn := turn_at(line, offset.x, self._last)) is not None:
            self.post_message(self.Chosen(turn))
            return
        for index, item in enumerate(self._drawn.items):
            if item.first <= number <= item.last:
                self._cursor = index
                self.post_message(self.Moved())
                self.refresh()
                if item.turn is not None:
                    self.post_message(self.Chosen(item.turn))
                return


def more_words(drawn: ScoreLines, line: int, key: str) -> str:
    """Say that a list goes on from a line, with how many metrics that have no line before it.

    key: what goes to the list, where a key does.
    """
    begun = {item.row.metric for item in drawn.items if item.first < line}
    left = len({item.row.metric for item in drawn.items} - begun)
    more = f"{left:,} more" if left else "more"
    return f"  … {key} shows {more}" if key else f"  … {more}"


def empty_lines(text: str, width: int, tones: Tones) -> list[Line]:
    """Return what to say where there are no outcomes: its first line as a heading if others follow."""
    first, _, rest = text.partition("\n")
    lines = paragraph(first, width - 1, tones.heading if rest else tones.muted, indent="  ")
    if rest:
        lines += paragraph(rest, width - 1, tones.muted, indent="  ")
    return [link_words(line, tones.link) for line in lines]


def link_words(line: Line, style: Style) -> Line:
    """Return a line with the words that show what is hidden in `style`, and the key before them."""
    start, end = _reveal_span(line)
    return mark_selected(line, start, end, style) if end else line


def is_reveal(line: Line, cell: int) -> bool:
    """Return whether the words that show what is hidden stand at a cell of a line."""
    start, end = _reveal_span(line)
    return start <= cell < end


def _reveal_span(line: Line) -> tuple[int, int]:
    """Return where the key and the words that show what is hidden stand; (0, 0) where they do not."""
    text = "".join(piece.text for piece in line)
    words = text.find(REVEAL)
    return (text.rfind(" ", 0, max(0, words - 1)) + 1, words + len(REVEAL)) if words >= 0 else (0, 0)
