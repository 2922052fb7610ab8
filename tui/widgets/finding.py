"""Finding: words or a regular expression in the turns of a conversation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence

from rich.style import Style

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.transcript_selection import mark_selected
from turnwise.tui.widgets.turn_lines import Line

_REPEATED_REPEAT = re.compile(r"[*+}]\)[*+{]")


def pattern_of(text: str) -> re.Pattern[str]:
    """Return what was typed as a pattern; small letters match capitals too.

    Raises ValueError, in words, for what is no regular expression or could take forever.
    """
    if _REPEATED_REPEAT.search(text):
        raise ValueError("a repeat of a repeat could take forever")
    try:
        with warnings.catch_warnings():
            # A warning about what a later Python may read differently would be printed over the screen.
            warnings.simplefilter("ignore")
            return re.compile(text, 0 if any(map(str.isupper, _plain(text))) else re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        reason = error.msg if isinstance(error, re.error) else "it is too large"
        raise ValueError(f"no regular expression: {reason}") from error


def _plain(text: str) -> str:
    """Return a pattern without its escapes: the S of \\S is no capital letter."""
    return re.sub(r"\\.", "", text)


def found_turns(rows: Sequence[TurnRow], pattern: re.Pattern[str]) -> list[int]:
    """Return which messages hold a match, by their place in `rows`: in words, tools or passages."""
    return [index for index, row in enumerate(rows) if _holds(row, pattern)]


def _holds(row: TurnRow, pattern: re.Pattern[str]) -> bool:
    if pattern.search(row.content) or any(map(pattern.search, row.passages)):
        return True
    return any(
        pattern.search(text)
        for call in row.tools_called
        for text in (call.name, call.arguments, call.output or "")
    )


def mark_found(line: Line, pattern: re.Pattern[str], style: Style) -> Line:
    """Return a drawn line with its matches in `style`."""
    text = "".join(piece.text for piece in line)
    for match in pattern.finditer(text):
        if match.end() > match.start():
            line = mark_selected(line, match.start(), match.end(), style)
    return line
