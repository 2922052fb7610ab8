"""Quoted lines: the words that verdicts rest on, underlined where a turn is drawn.

A turn is drawn as Markdown, wrapped and without its marks, so that places in its text are not places in its
lines. What the two have in common are their letters and digits, in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style

from turnwise.conversations.results import Quote
from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.lines import line_text, mark_selected
from turnwise.tui.reading.turn_lines import DrawnTurn

QuoteMarks = Sequence[tuple[str, Quote]]
"""The quotes from one turn: the metric's letter, and the words that its verdict rests on."""

UNDERLINED = Style(underline=True)


def underline(drawn: DrawnTurn, content: str, quotes: QuoteMarks) -> None:
    """Underline quotes in a drawn turn as far as they are in sight, and note on which lines they stand."""
    letters, places = _drawn_letters(drawn)
    for letter, quote in quotes:
        place = quote.place_in(content)
        wanted = _letters(quote.text)
        if place is None or not wanted:
            continue
        start = _nearest(letters, wanted, len(_letters(content[: place[0]])))
        if start is None:
            continue
        spans = _spans(places[start : start + len(wanted)])
        for line, (first, last) in spans.items():
            said = line_text(drawn.lines[line])
            # What ends a sentence belongs to it.
            while last < len(said) and not said[last].isalnum() and not said[last].isspace():
                last += 1
            drawn.lines[line] = mark_selected(drawn.lines[line], first, last, UNDERLINED)
            drawn.quoted[line] = "".join(dict.fromkeys(drawn.quoted.get(line, "") + letter))


def _letters(text: str) -> str:
    """Return the letters and digits of a text as it is drawn."""
    return "".join(filter(str.isalnum, make_safe(text)))


def _drawn_letters(drawn: DrawnTurn) -> tuple[str, list[tuple[int, int]]]:
    """Return the letters and digits of what a turn says as it is drawn, and the line and place of each."""
    found = [
        (sign, (line, place))
        for line in range(*drawn.said)
        if line not in drawn.folds
        for place, sign in enumerate(line_text(drawn.lines[line]))
        if sign.isalnum()
    ]
    return "".join(sign for sign, _ in found), [place for _, place in found]


def _nearest(letters: str, wanted: str, near: int) -> int | None:
    """Return where a text stands in another, nearest to a place; None where it does not."""
    after = letters.find(wanted, near)
    before = letters.rfind(wanted, 0, near + len(wanted))
    found = [place for place in (before, after) if place >= 0]
    return min(found, key=lambda place: abs(place - near), default=None)


def _spans(places: Sequence[tuple[int, int]]) -> Mapping[int, tuple[int, int]]:
    """Return from where to where letters go on each line that they stand on."""
    spans: dict[int, tuple[int, int]] = {}
    for line, place in places:
        first, _ = spans.get(line, (place, 0))
        spans[line] = first, place + 1
    return spans
