"""Turn groups: which messages of a conversation are drawn, and which belong to the turn before them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from turnwise.conversations.store.rows import TurnRow


@dataclass(slots=True)
class TurnGroup:
    """A drawn turn, and the tool messages after it whose text its tool calls already show."""

    row: TurnRow
    outputs: list[TurnRow] = field(default_factory=list)


class TurnGroups:
    """The drawn turns of a conversation in order, growing message by message."""

    def __init__(self, rows: Iterable[TurnRow] = ()) -> None:
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
        if row.role == "tool" and self._owner is not None and self._awaited:
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

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, index: int) -> TurnGroup:
        return self._groups[index]

    def __iter__(self) -> Iterator[TurnGroup]:
        return iter(self._groups)


class SlotGroups(TurnGroups):
    """Messages that are each drawn as a turn of their own, such as those that were grouped already."""

    def add(self, row: TurnRow) -> bool:
        """Take the next message."""
        self._groups.append(TurnGroup(row))
        self._starts.append(self._messages)
        self._messages += 1
        return True
