"""Copying: what the review puts on the clipboard, and says of it."""

from __future__ import annotations

from typing import Any

from textual.screen import Screen

from turnwise.conversations.store import TurnRow
from turnwise.tui.parts.notice import note
from turnwise.tui.reading.turn_lines import turn_name, turn_text


def copy_selected(screen: Screen[Any], reason: str | None, turn: TurnRow | None) -> None:
    """Copy what is selected with the mouse; else a reason, or the text of a turn, whichever is there."""
    if selected := screen.get_selected_text():
        screen.app.copy_to_clipboard(selected)
        screen.clear_selection()
        note(screen, f"Selection copied: {len(selected):,} characters.")
    elif reason is not None:
        screen.app.copy_to_clipboard(reason)
        note(screen, "Reason copied.")
    elif turn is not None:
        text = turn_text(turn)
        screen.app.copy_to_clipboard(text)
        note(screen, f"{turn_name(turn)} copied: {len(text):,} characters.")
