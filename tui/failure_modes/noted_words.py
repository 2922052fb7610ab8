"""Noted words: what people wrote where a failure mode occurs, beside the mode and beside its rates."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from turnwise.conversations.store import NoteRow

Said = list[tuple[str, str]]
"""Paragraphs, each with its tone; a legend is muted but for the shades that it explains."""
NEXT_NOTE = "next note"
"""The tone of a note that stands below another, from which it is held apart where there is room."""
SAID = "said"
"""The tone of what someone said in a turn, which stands in from who said it."""


def place_words(note: NoteRow) -> str:
    """Say where a note was written, in words between which no line ends: "session 62, turn 2"."""
    turn = f", turn {note.turn}" if note.turn else ""
    return f"session {note.session_id}{turn}".replace(" ", "\xa0")


def noted(notes: Sequence[NoteRow], mode: str, most: int, within: Collection[int] | None = None) -> Said:
    """Return what people wrote who gave a mode, or what it was named from, in the order of the notes.

    within: the sessions of the group whose rate they stand beside; None for all. Only its own notes tell why
    it fails there.
    """
    having = [note for note in notes if mode in note.told and (within is None or note.session_id in within)]
    if not having:
        return []
    group = "" if within is None else ", in this group"
    said: Said = [(f"What people noted where it occurs{group}", "section")]
    for note in having[:most]:
        where = f"{note.author} · {place_words(note)} · {note.session}"
        said += [(note.note, NEXT_NOTE if len(said) > 1 else "text"), (where, "muted")]
    left = len(having) - most
    return [*said, *([(f"… {left:,} more: enter lists the sessions", "muted")] if left > 0 else [])]
