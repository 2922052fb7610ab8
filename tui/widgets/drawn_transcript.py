"""DrawnTranscript: the turns of a conversation as lines, drawn when they are asked for and then kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from textual.cache import LRUCache

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.heights import Heights
from turnwise.tui.widgets.palette import Palette
from turnwise.tui.widgets.turn_groups import TurnGroups
from turnwise.tui.widgets.turn_lines import DrawnTurn, TurnDrawer, estimate_height, folds_of
from turnwise.tui.widgets.virtual_scroll import Place
from turnwise.tui.widgets.wrapping import ELLIPSIS

KEPT_TURNS = 512
GAP = 1
"""Empty lines after a turn."""


class DrawnTranscript:
    """Drawn turns by their index, which parts of them are open, and the place in them.

    Pure of widgets: nothing is drawn before `lay_out` has told the width and the styles.
    """

    def __init__(self, rows: Iterable[TurnRow] | TurnGroups = ()) -> None:
        self.groups = rows if isinstance(rows, TurnGroups) else TurnGroups(rows)
        self.by_number = {
            group.row.number: index for index, group in enumerate(self.groups) if group.row.number is not None
        }
        self.place = Place(Heights([1 + GAP] * len(self.groups)), self._measure)
        self._opened: dict[int, frozenset[str]] = {}
        self._outputs: int | None = None
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

    def is_laid_out(self, width: int, palette: Palette) -> bool:
        """Return whether turns are drawn so wide, in these styles."""
        return self._drawer == TurnDrawer(width, palette)

    def lay_out(self, width: int, palette: Palette, window: int) -> None:
        """Draw turns `width` cells wide from now on; the place stays, in a window of so many lines."""
        self.take_styles(width, palette)
        self.estimate_anew(window)

    def take_styles(self, width: int, palette: Palette) -> None:
        """Draw turns so wide and in these styles; what heights are known no longer hold."""
        self._drawer = TurnDrawer(width, palette)
        self._kept.clear()

    def estimate_anew(self, window: int) -> None:
        """Take all heights as estimates; the place stays, in a window of so many lines."""
        old = self.place
        heights = Heights(self._estimate(turn) for turn in range(len(self.groups)))
        self.place = Place(heights, self._measure)
        self.place.shown = old.shown
        self.place.go(old.item, old.line, window)

    def draw(self, turn: int) -> DrawnTurn:
        """Return the turn's lines, from those kept if it has been drawn lately."""
        if self._drawer is None:
            return DrawnTurn()
        if self._typed is not None and turn == self.shown - 1:
            # What is being typed changes at once again: it is drawn and not kept.
            return self._drawer.draw(typed(self.row(turn), self._typed), frozenset())
        outputs = self._outputs if turn == self.shown - 1 else None
        key = (turn, self._opened.get(turn, frozenset()), outputs)
        drawn = self._kept.get(key)
        if drawn is None:
            note = self._note if turn == len(self.groups) - 1 else ""
            drawn = self._kept[key] = self._drawer.draw(self.row(turn), key[1], outputs, note)
        return drawn

    def add(self, row: TurnRow) -> bool:
        """Take the next message; return whether it is drawn as a turn of its own."""
        all_shown = self.shown == len(self.groups)
        if not self.groups.add(row):
            return False
        turn = len(self.groups) - 1
        if row.number is not None:
            self.by_number[row.number] = turn
        self.place.append(self._estimate(turn))
        if all_shown:
            self.place.shown = turn + 1
        return True

    def replace_last(self, row: TurnRow, note: str) -> None:
        """Show the last turn as it is now. note: stands at its right instead of the time."""
        self.groups.replace_last(row)
        self._note = note
        turn = len(self.groups) - 1
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
        """Open or fold one part of a turn; for None all its parts: they open if any is folded."""
        opened = self._opened.get(turn, frozenset())
        if fold is not None:
            opened ^= {fold}
        else:
            # A turn that folds nothing opens and closes its text, where that was cut.
            names = folds_of(self.row(turn)) or frozenset(self.draw(turn).folds.values())
            opened = frozenset() if names <= opened else opened | names
        self._opened[turn] = opened
        self.place.forget(turn)

    def toggle_all(self) -> bool:
        """Open all parts of all turns; fold them where all are open. Return whether they are open."""
        folds = {turn: names for turn, group in enumerate(self.groups) if (names := folds_of(group.row))}
        opened = any(not names <= self._opened.get(turn, frozenset()) for turn, names in folds.items())
        for turn, names in folds.items():
            before = self._opened.get(turn, frozenset())
            self._opened[turn] = before | names if opened else before - names
            # Its height is measured when it comes into sight: to estimate ten thousand would be felt.
            self.place.forget(turn)
        return opened

    def _estimate(self, turn: int) -> int:
        width = self._drawer.width if self._drawer else 80
        return estimate_height(self.row(turn), width, self._opened.get(turn, frozenset())) + GAP

    def _measure(self, turn: int) -> int:
        return len(self.draw(turn).lines) + GAP


def typed(row: TurnRow, characters: int) -> TurnRow:
    """Return a message as far as it is typed: without its tools, an ellipsis before its first letter."""
    return replace(row, content=row.content[:characters] or ELLIPSIS, tools_called=(), passages=())
