"""Plain prose: text that Markdown leaves as it is, told apart without a parser.

Most of what is said in a conversation is such text, and to parse and lay it out as Markdown takes longer than
all else that is drawn of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.wrapping import wrap

# Letters of one cell and their marks, without any that Markdown reads wherever they stand.
_LETTER = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
_SIGN = "0-9.,;:?!'\"()%$€£/+=@\u2013\u2014\u2018\u2019\u201c\u201d\u2026-"
# By its first character a line is no item, heading, quote, rule or code.
_LINE = rf"[{_LETTER}\"'(\u2018\u201c](?:[{_LETTER}{_SIGN}]| (?! |$))*"
_PROSE = re.compile(rf"{_LINE}(?:\n+{_LINE})*", re.MULTILINE)

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+", re.MULTILINE)


def plain_title(text: str) -> str:
    """Return a text made safe and on one line, where the marks of Markdown's headings would head nothing."""
    return make_safe_line(without_heading_marks(text))


def without_heading_marks(text: str) -> str:
    """Return a text without the marks of its headings."""
    return _HEADING.sub("", text) if "#" in text else text


def prose_lines(text: str, width: int) -> Iterator[str] | None:
    """Return the lines of plain prose, with one empty line between paragraphs; None for any other text.

    They are those that the text has as Markdown, where a line break of the writer's is kept.
    """
    text = text.strip("\n")
    if _PROSE.fullmatch(text) is None or max(map(len, text.split()), default=0) > width:
        return None
    return _lines(text, width)


def _lines(text: str, width: int) -> Iterator[str]:
    for is_empty, lines in groupby(text.split("\n"), key=lambda line: not line):
        if is_empty:
            yield ""
        else:
            for line in lines:
                yield from wrap(line, width)
