"""Finding: words or a regular expression in the turns of a conversation."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from itertools import islice

from rich.style import Style

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.transcript_selection import mark_selected
from turnwise.tui.widgets.turn_lines import Line

MOST_MATCHES = 1_000
"""So many matches of one message are counted."""
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


def found_turns(
    rows: Sequence[TurnRow], pattern: re.Pattern[str], stop: Callable[[], bool] = lambda: False
) -> dict[int, int]:
    """Return which messages hold a match, by their place in `rows`: in words, tools or passages.

    Each with the number of its matches, MOST_MATCHES at the most. stop: says that nobody waits any longer.
    """
    found: dict[int, int] = {}
    for index, row in enumerate(rows):
        if stop():
            break
        if count := _matches(row, pattern):
            found[index] = count
    return found


def _matches(row: TurnRow, pattern: re.Pattern[str]) -> int:
    texts = [row.content, *row.passages]
    texts += [text for call in row.tools_called for text in (call.name, call.arguments, call.output or "")]
    matches = (match for text in texts if text for match in pattern.finditer(text) if match[0])
    return sum(1 for _ in islice(matches, MOST_MATCHES))


def mark_found(line: Line, pattern: re.Pattern[str], style: Style) -> Line:
    """Return a drawn line with its matches in `style`."""
    text = "".join(piece.text for piece in line)
    for match in pattern.finditer(text):
        if match.end() > match.start():
            line = mark_selected(line, match.start(), match.end(), style)
    return line
