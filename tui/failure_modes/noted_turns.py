"""What was said where a note was written: the noted turn and what came before it, as lines under a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.conversations.store import NoteRow, Store, TurnRow
from turnwise.tui.failure_modes.noted_words import SAID


@dataclass(frozen=True, slots=True)
class NotedTurns:
    """The turns that a note is about, oldest first: the noted one and the spoken one before it.

    label_id: the note's. turns: of a note on a whole session, its last two spoken ones; empty where nothing
    was spoken. whole: whether the note is on a whole session.
    """

    label_id: int
    turns: Sequence[TurnRow] = ()
    whole: bool = False

    @classmethod
    def read(cls, store: Store, note: NoteRow) -> NotedTurns:
        """Read them: call it from a thread."""
        return cls(note.label_id, noted_turns(store.turns.of(note.session_id), note.turn), note.turn is None)

    def said(self) -> list[tuple[str, str]]:
        """Return paragraphs, each with its tone: a head, and who said what in each turn."""
        if not self.turns:
            return []
        paragraphs = [("How the session ends" if self.whole else "What was said there", "section")]
        for turn in self.turns:
            calls = ", ".join(f"{call.name}()" for call in turn.tools_called)
            said = turn.content.strip() or (f"calls {calls}" if calls else "(empty)")
            paragraphs += [(f"{turn.number} {turn.role}", "muted"), (said, SAID)]
        return paragraphs


def noted_turns(turns: Sequence[TurnRow], number: int | None) -> list[TurnRow]:
    """Return the spoken turn of a number and the one before it; without a number the last two."""
    spoken = [turn for turn in turns if turn.number is not None]
    if number is not None:
        spoken = [turn for turn in spoken if turn.number is not None and turn.number <= number]
    return spoken[-2:]
