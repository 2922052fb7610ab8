"""DrawnTranscript: the turns of a conversation as lines, drawn when they are asked for and then kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from textual.cache import LRUCache
from textual.geometry import Offset

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.lines import Line, line_text
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.virtual_scroll import Heights, WindowPlace
from turnwise.tui.drawing.wrapping import ELLIPSIS
from turnwise.tui.reading.quoted_lines import QuoteMarks, underline
from turnwise.tui.reading.tool_words import is_call_alone
from turnwise.tui.reading.turn_lines import REST, DrawnTurn, TurnDrawer, estimate_height, folds_of

if TYPE_CHECKING:
    from turnwise.conversations.store import TurnRow

MOST_LOOKED_AT = 1_000
"""Turns that are looked through for what can be folded while a key waits."""


@dataclass(slots=True)
class TurnGroup:
    """A drawn turn, and the tool messages after it whose text its tool calls already show."""

    row: TurnRow
    outputs: list[TurnRow] = field(default_factory=list)


class TurnGroups:
    """The drawn turns of a conversation in order, growing message by message."""

    def __init__(self, rows: Iterable[TurnRow] = (), *, each_alone: bool = False) -> None:
        """each_alone: whether every message is a turn of its own, as where they were grouped already."""
        self._each_alone = each_alone
        self._groups: list[TurnGroup] = []
        self._owner: TurnGroup | None = None
        self._awaited = 0
        self._starts: list[int] = []
        self._messages = 0
        for row in rows:
            self.add(row)

    def add(self, row: TurnRow) -> bool:
        """Take the next message; return whether it is drawn as a turn of its own."""
        position = self._messages
        self._messages += 1
        if row.role == "tool" and self._owner is not None and self._awaited and not self._each_alone:
            self._owner.outputs.append(row)
            self._awaited -= 1
            return False
        group = TurnGroup(row)
        self._groups.append(group)
        self._starts.append(position)
        if row.role != "tool":
            self._owner = group
            self._awaited = sum(call.output is not None for call in row.tools_called)
        return True

    def replace_last(self, row: TurnRow) -> None:
        """Put another row in the place of the last drawn turn's, which is still being written."""
        self._groups[-1].row = row

    @property
    def messages(self) -> int:
        """How many messages there are, those that belong to others included."""
        return self._messages

    def shown_until(self, messages: int) -> tuple[int, int]:
        """Return how many groups begin in the first `messages`, and how many outputs the last has then."""
        groups = bisect_left(self._starts, messages)
        return groups, messages - self._starts[groups - 1] - 1 if groups else 0

    def goes_on(self, index: int) -> bool:
        """Return whether a turn only calls tools and so does the one before: they stand under one head."""
        if self._each_alone or not 0 < index < len(self._groups):
            return False
        return is_call_alone(self._groups[index].row) and is_call_alone(self._groups[index - 1].row)

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, index: int) -> TurnGroup:
        return self._groups[index]

    def __iter__(self) -> Iterator[TurnGroup]:
        return iter(self._groups)


KEPT_TURNS = 256
GAP = 1
"""Empty lines after a turn; none between turns that stand under one head."""
MOST_SELECTED = 200
"""A selection over more turns takes the text of those between from their rows: drawing all would be felt."""
_TURN_BITS = 24


def line_number(turn: int, line: int) -> int:
    """Return a line of a turn, both counted from 0, as one number.

    The numbers keep the order of the lines, so that a height that is corrected moves no selection.
    """
    return (turn << _TURN_BITS) | line


def turn_and_line(number: int) -> tuple[int, int]:
    """Return the turn and the line that a number of `line_number` stands for."""
    return number >> _TURN_BITS, number & ((1 << _TURN_BITS) - 1)


class DrawnTranscript:
    """Drawn turns by their index, which parts of them are open, and the place in them.

    Pure of widgets: nothing is drawn before `lay_out` has told the width and the styles.
    """

    def __init__(self, rows: Iterable[TurnRow] | TurnGroups = ()) -> None:
        self.groups = rows if isinstance(rows, TurnGroups) else TurnGroups(rows)
        self.by_number = {
            group.row.number: index for index, group in enumerate(self.groups) if group.row.number is not None
        }
        self.place = WindowPlace(Heights([1 + GAP] * len(self.groups)), self._measure)
        self.quotes: Mapping[int, QuoteMarks] = {}
        """By the number of a turn the words in it that verdicts rest on; `set_quotes` gives others."""
        self.opener = "space"
        """The key that opens what is folded, as people write it."""
        self._opened: dict[int, frozenset[str]] = {}
        self._opened_before: dict[int, frozenset[str]] = {}
        """What was open of turns before a search opened more of them; what one folds oneself is not here."""
        self._outputs: int | None = None
        self._foldable: dict[int, frozenset[str]] | None = None
        """What can be folded in the turns that have anything; None before it was looked for."""
        self._typed: int | None = None
        self._note = ""
        self._drawer: TurnDrawer | None = None
        self._kept: LRUCache[tuple[int, frozenset[str], int | None], DrawnTurn] = LRUCache(KEPT_TURNS)

    @property
    def shown(self) -> int:
        """How many turns, from the first, are shown."""
        return self.place.shown

    def row(self, turn: int) -> TurnRow:
        """Return the message of a drawn turn."""
        return self.groups[turn].row

    def gap(self, turn: int) -> int:
        """Return how many empty lines stand after a turn."""
        return 0 if self.groups.goes_on(turn + 1) else GAP

    @property
    def can_be_drawn(self) -> bool:
        """Whether it is known how wide turns are drawn, and in which styles."""
        return self._drawer is not None

    def is_laid_out(self, width: int, palette: Palette) -> bool:
        """Return whether turns are drawn so wide, in these styles."""
        drawer = self._drawer
        return drawer is not None and (drawer.width, drawer.palette) == (width, palette)

    def lay_out(self, width: int, palette: Palette, window: int) -> None:
        """Draw turns `width` cells wide from now on; the place stays, in a window of so many lines."""
        self.take_styles(width, palette)
        self.estimate_anew(window)

    def take_styles(self, width: int, palette: Palette) -> None:
        """Draw turns so wide and in these styles; what heights are known no longer hold."""
        self.take_drawer(TurnDrawer(width, palette, opener=self.opener))

    def take_drawer(self, drawer: TurnDrawer) -> None:
        """Let turns be drawn by it from now on; what heights are known no longer hold."""
        self._drawer = drawer
        self._kept.clear()

    def estimate_anew(self, window: int) -> None:
        """Take all heights as estimates; the place stays, in a window of so many lines."""
        old = self.place
        heights = Heights(map(self._estimate, range(len(self.groups))))
        self.place = WindowPlace(heights, self._measure)
        self.place.shown = old.shown
        self.place.go(old.item, old.line, window)

    def draw(self, turn: int) -> DrawnTurn:
        """Return the turn's lines, from those kept if it has been drawn lately."""
        if self._drawer is None:
            return DrawnTurn()
        if self._typed is not None and turn == self.shown - 1:
            # What is being typed changes at once again: it is drawn and not kept.
            return self._drawer.draw(typed(self.row(turn), self._typed), frozenset({REST}))
        # Without tools nothing of it is still to come, and it is drawn as it was ahead.
        outputs = self._outputs if turn == self.shown - 1 and self.row(turn).tools_called else None
        key = (turn, self._opened.get(turn, frozenset()), outputs)
        drawn = self._kept.get(key)
        if drawn is None:
            note = self._note if turn == len(self.groups) - 1 else ""
            goes_on = self.groups.goes_on(turn)
            row = self.row(turn)
            drawn = self._drawer.draw(row, key[1], outputs, note, goes_on=goes_on)
            if quotes := self.quotes.get(row.number or 0):
                underline(drawn, row.content, quotes)
            self._kept[key] = drawn
        return drawn

    def set_quotes(self, quotes: Mapping[int, QuoteMarks]) -> None:
        """Underline other words; no line changes its place."""
        if quotes != self.quotes:
            self.quotes = quotes
            self._kept.clear()

    def quoted_lines(self, turn: int) -> list[int]:
        """Return the lines of a turn with words that verdicts rest on, opening what hides them."""
        if self.quotes.get(self.row(turn).number or 0) and not self.draw(turn).quoted:
            self.open_rest(turn)
        return sorted(self.draw(turn).quoted)

    def add(self, row: TurnRow) -> bool:
        """Take the next message; return whether it is drawn as a turn of its own."""
        all_shown = self.shown == len(self.groups)
        self._foldable = None
        if not self.groups.add(row):
            return False
        turn = len(self.groups) - 1
        if row.number is not None:
            self.by_number[row.number] = turn
        if self.groups.goes_on(turn):
            self.place.forget(turn - 1)
        self.place.append(self._estimate(turn))
        if all_shown:
            self.place.shown = turn + 1
        return True

    def replace_last(self, row: TurnRow, note: str) -> None:
        """Show the last turn as it is now. note: stands at its right instead of the time."""
        self.groups.replace_last(row)
        self._foldable = None
        self._note = note
        turn = len(self.groups) - 1
        # What is being written is read at its end.
        self._opened[turn] = self._opened.get(turn, frozenset()) | {REST}
        for key in [key for key in self._kept.keys() if key[0] == turn]:  # noqa: SIM118 - no mapping
            self._kept.discard(key)
        self.place.forget(turn)

    def show_until(self, messages: int | None) -> None:
        """Show the first `messages` messages only, or all for None."""
        before = self.shown
        self._typed = None
        if messages is None or messages >= self.groups.messages:
            self.place.shown, self._outputs = len(self.groups), None
        else:
            self.place.shown, self._outputs = self.groups.shown_until(max(0, messages))
        for last in (before - 1, self.shown - 1):
            if 0 <= last < len(self.groups):
                self.place.forget(last)

    def type_last(self, characters: int | None) -> None:
        """Show only so many characters of the last shown turn, without its tools; None shows all."""
        self._typed = characters
        if self.shown:
            self.place.forget(self.shown - 1)

    def toggle(self, turn: int, fold: str | None) -> None:
        """Open or fold one part of a turn; for None what is folded in it: it opens one step deeper, and once
        all is open it folds.
        """
        opened = self._opened.get(turn, frozenset())
        self._opened_before.pop(turn, None)
        if fold is not None:
            opened ^= {fold}
        else:
            if self.open_deeper(turn):
                return
            opened = frozenset()
        self._opened[turn] = opened
        self.place.forget(turn)

    def open_deeper(self, turn: int) -> bool:
        """Open what is folded in a turn, one step; return whether anything was."""
        opened = self._opened.get(turn, frozenset())
        closed = frozenset(self.draw(turn).folds.values()) - opened
        if closed:
            self._opened[turn] = opened | closed
            self.place.forget(turn)
        return bool(closed)

    def open_for_search(self, turn: int) -> None:
        """Let what is opened of a turn from here on be folded by `fold_after_search`."""
        self._opened_before.setdefault(turn, self._opened.get(turn, frozenset()))

    def fold_after_search(self, but: int | None = None) -> bool:
        """Fold again what a search opened; return whether that was anything. but: a turn that stays open."""
        before, self._opened_before = self._opened_before, {}
        if but in before:
            self._opened_before[but] = before.pop(but)
        changed = {turn: opened for turn, opened in before.items() if self._opened.get(turn) != opened}
        self._opened.update(changed)
        for turn in changed:
            self.place.forget(turn)
        return bool(changed)

    def open_rest(self, turn: int) -> None:
        """Open the rest of what a turn says, where that is folded."""
        opened = self._opened.get(turn, frozenset())
        if REST in frozenset(self.draw(turn).folds.values()) - opened:
            self._opened[turn] = opened | {REST}
            self.place.forget(turn)

    @property
    def is_open(self) -> bool:
        """Whether all parts of all turns are open, so that `toggle_all` folds them."""
        # It is asked at every key: where nothing was opened, or much is to be looked through, it is not.
        if not any(self._opened.values()) or (self._foldable is None and len(self.groups) > MOST_LOOKED_AT):
            return False
        return all(names <= self._opened.get(turn, frozenset()) for turn, names in self._folds.items())

    @property
    def _folds(self) -> dict[int, frozenset[str]]:
        """What can be folded in the turns that have anything."""
        if self._foldable is None:
            # Once for all keys: ten thousand turns take longer to look through than a key may.
            self._foldable = {
                turn: names for turn, group in enumerate(self.groups) if (names := folds_of(group.row))
            }
        return self._foldable

    def toggle_all(self) -> bool:
        """Open all parts of all turns; fold them where all are open. Return whether they are open."""
        folds = self._folds
        self._opened_before.clear()
        opened = not self.is_open
        for turn, names in folds.items():
            before = self._opened.get(turn, frozenset())
            self._opened[turn] = before | names if opened else before - names
            # Its height is measured when it comes into sight: to estimate ten thousand would be felt.
            self.place.forget(turn)
        return opened

    def selected_text(self, start: Offset, end: Offset) -> str:
        """Return the text from one place to another, each a character and the number of a line."""
        return "\n".join(self._selected(start, end))

    def _selected(self, start: Offset, end: Offset) -> Iterator[str]:
        (first, first_line), (last, last_line) = turn_and_line(start.y), turn_and_line(end.y)
        for turn in range(max(0, first), min(last, self.shown - 1) + 1):
            if first < turn < last and last - first > MOST_SELECTED:
                row = self.row(turn)
                yield f"{row.role}\n{make_safe(row.content)}\n"
                continue
            gap: list[Line] = [[]] * self.gap(turn)
            drawn = [line_text(line).rstrip() for line in [*self.draw(turn).lines, *gap]]
            for number, text in enumerate(drawn):
                if (turn == first and number < first_line) or (turn == last and number > last_line):
                    continue
                stop = end.x if (turn, number) == (last, last_line) else len(text)
                begin = start.x if (turn, number) == (first, first_line) else 0
                yield text[max(0, begin) : max(0, stop)]

    def _estimate(self, turn: int) -> int:
        width = self._drawer.width if self._drawer else 80
        height = estimate_height(self.row(turn), width, self._opened.get(turn, frozenset()))
        if not self.row(turn).tools_called:
            return height + GAP
        return height - self.groups.goes_on(turn) + self.gap(turn)

    def _measure(self, turn: int) -> int:
        return len(self.draw(turn).lines) + self.gap(turn)


def typed(row: TurnRow, characters: int) -> TurnRow:
    """Return a message as far as it is typed: without its tools, an ellipsis before its first letter."""
    begun = row.content[:characters] or ELLIPSIS
    return replace(row, content=begun, tools_called=(), passages=(), reasoning=(), files=(), told="")
