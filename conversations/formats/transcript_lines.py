"""The lines of a transcript: who begins to speak in a line, in which style, and what only parts or titles.

Styles: stamped (`[12:03] Anna: Hello`, `Anna (12:03): Hello`), bold (`**User:** Hello`), heading (`### User`)
and plain (`User: Hello`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

STYLES = ("stamped", "bold", "heading", "plain")

_NAME = r"[^\W\d_][^:*_\[\]()<>{}\"#|=,;!?]{0,39}?"
_DAY = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?[APap]\.?[Mm]\.?)?(?:Z|[+-]\d{2}:?\d{2})?"
_TIME = rf"(?:{_DAY}[T,]?\s*)?{_CLOCK}"
_MARKS = r"(?:\*\*|__)"
_PATTERNS = (
    ("stamped", re.compile(rf"[\[(](?P<time>{_TIME})[\])]\s*[-–]?\s*{_MARKS}?(?P<name>{_NAME}){_MARKS}?:")),
    ("stamped", re.compile(rf"(?P<time>{_TIME})\s*[-–]?\s+{_MARKS}?(?P<name>{_NAME}){_MARKS}?:")),
    ("stamped", re.compile(rf"{_MARKS}?(?P<name>{_NAME}){_MARKS}?\s*[\[(](?P<time>{_TIME})[\])]\s*:")),
    ("bold", re.compile(rf"(?:{_MARKS})(?P<name>{_NAME})(?::{_MARKS}|{_MARKS}\s*:)")),
    ("bold", re.compile(rf"(?:{_MARKS})(?P<name>{_NAME}){_MARKS}\s*$")),
    ("heading", re.compile(r"(?P<level>#{1,6})\s+(?:\*\*)?(?P<name>[^#*:=,]{1,40}?):?(?:\*\*)?:?\s*#*\s*$")),
    ("plain", re.compile(rf"(?P<name>{_NAME})\s?:(?=\s|$)")),
)
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_RULE = re.compile(r"\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
_TITLE = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_MOST_WORDS = 4
_LONGEST_TITLE = 200
# Searched no further, so that no line takes long, whatever it holds.
_LOOKED_AT = 200


class Label(NamedTuple):
    """The beginning of a turn: who speaks, in which style, when (as written), and the words behind it."""

    style: str
    name: str
    time: str
    rest: str


class Line(NamedTuple):
    """One line. label: who begins to speak in it, if anybody. title: of a heading. number: from 1."""

    number: int
    text: str
    label: Label | None = None
    title: str = ""
    level: int = 0
    is_rule: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written in it."""
        return not self.text.strip()


def lines_of(texts: Iterable[str]) -> Iterator[Line]:
    """Yield every line; within fences of code nobody speaks."""
    fence = ""
    for number, given in enumerate(texts, start=1):
        text = given.rstrip("\r\n")
        if found := _FENCE.match(text):
            fence = "" if fence == found[1] else fence or found[1]
            yield Line(number, text)
        elif fence:
            yield Line(number, text)
        elif _RULE.match(text):
            yield Line(number, text, is_rule=True)
        else:
            title = _TITLE.match(text) if len(text) <= _LONGEST_TITLE else None
            yield Line(
                number,
                text,
                label_of(text),
                title[2] if title else "",
                len(title[1]) if title else 0,
            )


def label_of(text: str) -> Label | None:
    """Return who begins to speak in a line; None for a line that nobody's name begins."""
    # Most lines are prose without a mark of any style in reach of a name.
    if ":" not in text[:_LOOKED_AT] and text[:1] not in ("#", "*", "_"):
        return None
    for style, pattern in _PATTERNS:
        if found := pattern.match(text[:_LOOKED_AT]):
            name = " ".join(found["name"].split())
            if not name or len(name.split()) > _MOST_WORDS:
                continue
            if found.end() == _LOOKED_AT and pattern.pattern.endswith("$"):
                continue  # The line goes on.
            time = found.groupdict().get("time") or ""
            return Label(style, name, time, text[found.end() :].removeprefix(" "))
    return None
