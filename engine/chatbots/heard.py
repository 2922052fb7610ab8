"""Heard: what came of a reply piece by piece, and what is to be remembered of how it came."""

from __future__ import annotations

from typing import Any

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.tools import ToolCall, written_call
from turnwise.engine.models.streams import EndedEarly, ReplyPiece, ToolCallPiece, Unreadable


class Heard:
    """A reply as far as it has come.

    unread: how many of its pieces could not be read, or not wholly. reason: why the server ended it early.
    """

    def __init__(self) -> None:
        self.unread = 0
        self.reason = ""
        self._texts: list[str] = []
        self._calls: dict[int, list[ToolCallPiece]] = {}

    def take(self, piece: ReplyPiece) -> None:
        """Take in what came."""
        match piece:
            case str():
                self._texts.append(piece)
            case ToolCallPiece():
                self._calls.setdefault(piece.place, []).append(piece)
            case EndedEarly():
                self.reason = piece.reason
            case Unreadable():
                self.unread += 1

    @property
    def text(self) -> str:
        """The words."""
        return "".join(self._texts)

    @property
    def tools_called(self) -> list[ToolCall]:
        """The tool calls, in the order of their places; one that was cut short has what came of it."""
        return [_call(self._calls[place]) for place in sorted(self._calls)]

    @property
    def is_empty(self) -> bool:
        """Whether neither words nor tool calls have come."""
        return not self._texts and not self._calls

    def account(self, error: TurnwiseError | None = None) -> dict[str, Any]:
        """Return what a turn keeps of how its reply came; nothing where all is well.

        error: what it broke off with.
        """
        # The last line of a detail is the server's own word for it.
        cause = error.detail.splitlines()[-1:] if error else []
        told = ": ".join([error.title, *cause]) if error else ""
        found = {"error": told, "finish_reason": self.reason, "unread_pieces": self.unread}
        return {name: value for name, value in found.items() if value}


def _call(pieces: list[ToolCallPiece]) -> ToolCall:
    name, arguments, identifier = (
        "".join(part) for part in zip(*((one.name, one.arguments, one.id) for one in pieces), strict=True)
    )
    return written_call(name or "(a tool without a name)", arguments or "{}", identifier or None)
