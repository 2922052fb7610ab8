"""A replay as an asciicast, which asciinema and its player on web pages play.

The format is version 2 of asciicast: a line of JSON that describes the terminal, then one for every piece
that appears, [seconds, "o", text], and for every place to jump to, [seconds, "m", name]
(https://docs.asciinema.org/manual/asciicast/v2/).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO

from turnwise.conversations.store import Event, TurnRow, pause_before
from turnwise.tui.drawing.wrapping import wrap

COLUMNS, LINES = 100, 30
_INDENT = 5
"""Cells before what is said, in a printed conversation."""
_SECONDS_AT_THE_END = 2.0


def asciicast(
    events: Sequence[Event], draw: Callable[[Event], None], *, name: str, speed: float = 1.0
) -> Iterator[str]:
    """Yield the lines of a cast of all events, at their recorded pace; the same lines every time.

    draw: prints an event on standard output. name: of the session. speed: 2 is twice as fast.
    """
    yield _line({"version": 2, "width": COLUMNS, "height": LINES, "title": name})
    at = 0.0
    for place, event in enumerate(events):
        at += pause_before(events, place) / speed
        if isinstance(event.row, TurnRow) and event.row.number:
            yield _line([round(at, 3), "m", f"turn {event.row.number}"])
        yield _line([round(at, 3), "o", _drawn(event, draw)])
    # A player stops at the last piece: what was said last is to be read too.
    yield _line([round(at + _SECONDS_AT_THE_END, 3), "o", ""])


def _drawn(event: Event, draw: Callable[[Event], None]) -> str:
    """Return what is printed of an event, broken at spaces, as a terminal takes it."""
    with redirect_stdout(StringIO()) as printed:
        draw(event)
    return "".join(f"{line}\r\n" for text in printed.getvalue().splitlines() for line in _broken(text))


def _broken(text: str) -> Iterator[str]:
    indent = " " * _INDENT
    head, said = (text[:_INDENT], text[_INDENT:]) if text.startswith(" ") else ("", text)
    for place, line in enumerate(wrap(said, COLUMNS - _INDENT) if said else [""]):
        yield f"{head if place == 0 else indent}{line}".rstrip()


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
