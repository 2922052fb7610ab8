"""Lines of a written transcript: which of them name a speaker, and which speakers take part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from turnwise.conversations.formats.speakers import Names, roles_of

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
_TIME_FIRST = re.compile(rf"[\[(]?(?P<time>(?:(?P<day>{_DAY})[T,]?\s*)?{_CLOCK})(?![\w:])")
_BRACKETS_FIRST = re.compile(r"\[(?P<name>[^\W\d_][^\[\]]{1,38})\]\s+\S")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_RULE = re.compile(r"\s{0,3}(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
_TITLE = re.compile(r"(#{1,6})\s+(.+?)\s*#*\s*$")
_MOST_WORDS = 4
_LONGEST_TITLE = 200
# Only the beginning of a line is searched, so that no line takes long whatever it holds.
_LOOKED_AT = 200
_SURE = ("user", "human", "assistant", "ai", "bot", "q", "a")
"""Small words that are surely speakers; others, such as `model`, may be the names of settings."""


class SpeakerLabel(NamedTuple):
    """The beginning of a turn: who speaks, in which style, when (as written), and the words behind it."""

    style: str
    name: str
    time: str
    rest: str


class TranscriptLine(NamedTuple):
    """One line. label: who begins to speak in it, if anybody. title: of a heading. number: from 1.

    is_code: whether it stands within a fence of code, where nobody speaks.
    """

    number: int
    text: str
    label: SpeakerLabel | None = None
    title: str = ""
    level: int = 0
    is_rule: bool = False
    is_code: bool = False

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written in it."""
        return not self.text.strip()


def lines_of(texts: Iterable[str]) -> Iterator[TranscriptLine]:
    """Yield every line; within fences of code nobody speaks."""
    fence = ""
    for number, given in enumerate(texts, start=1):
        text = given.rstrip("\r\n")
        if found := _FENCE.match(text):
            fence = "" if fence == found[1] else fence or found[1]
            yield TranscriptLine(number, text, is_code=True)
        elif fence:
            yield TranscriptLine(number, text, is_code=True)
        elif _RULE.match(text):
            yield TranscriptLine(number, text, is_rule=True)
        else:
            title = _TITLE.match(text) if len(text) <= _LONGEST_TITLE else None
            yield TranscriptLine(
                number,
                text,
                label_of(text),
                title[2] if title else "",
                len(title[1]) if title else 0,
            )


def label_of(text: str) -> SpeakerLabel | None:
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
            return SpeakerLabel(style, name, time, text[found.end() :].removeprefix(" "))
    return None


def why_no_turn(line: TranscriptLine, before: SpeakerLabel) -> str:
    """Say what is odd about a line of a log that begins like a turn and is none; empty for any other line.

    before: the beginning of the turn that the line was added to, which has a time. A clock alone is nothing
    odd where turns have a date: people write about times.
    """
    if line.is_code or not before.time:
        return ""
    if line.label is not None and line.label.time:
        return f"begins with a time, and nobody said who {line.label.name} is"
    if found := _TIME_FIRST.match(line.text[:_LOOKED_AT]):
        dated = re.match(_DAY, before.time) is not None
        return "begins with a time but names no speaker" if found["day"] or not dated else ""
    if found := _BRACKETS_FIRST.match(line.text[:_LOOKED_AT]):
        return f"begins with [{found['name']}] but with no time"
    return ""


@dataclass(slots=True)
class Cast:
    """Who speaks in a file: the style that begins a turn, the roles by name, and names without a role.

    names: all names that begin a line in that style. level: of the headings that begin turns. decorated:
    whether rules stand within conversations too. turns: how many turns each name begins.
    """

    style: str
    roles: dict[str, str]
    unknown: list[str]
    names: list[str]
    level: int = 0
    decorated: bool = False
    turns: dict[str, int] = field(default_factory=dict)

    def speaks(self, line: TranscriptLine) -> bool:
        """Whether a turn begins with this line."""
        return line.label is not None and line.label.style == self.style and line.label.name in self.roles


def cast_of(lines: Iterable[TranscriptLine], given: Names) -> Cast | None:
    """Return who speaks in these lines; None where nobody seems to.

    given: names by role. They, and common words for speakers, are known. Another name counts where it comes
    twice, or where without it somebody would have nobody to speak with. Where both sides are known, it is a
    word like any other if names were given, and in headings.
    """
    counts: dict[str, Counter[str]] = {style: Counter() for style in STYLES}
    levels: dict[str, int] = {}
    order: list[tuple[str, str] | None] = []
    # The same pair is kept once, so that a long file takes little more than a reference a turn.
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    for line in lines:
        if line.label:
            counts[line.label.style][line.label.name] += 1
            levels[line.label.name] = line.level
            pair = (line.label.style, line.label.name)
            order.append(pairs.setdefault(pair, pair))
        elif line.is_rule:
            order.append(None)
    style = _style(counts, given)
    if style is None:
        return None
    names = list(counts[style])
    known = [name for name in names if _is_known(name, given)]
    if style == "heading":
        of_speakers = {levels[name] for name in known}
        names = [name for name in names if levels[name] in of_speakers]
    often = [name for name in names if name in known or counts[style][name] > 1 or style == "stamped"]
    roles, unknown = roles_of(known, given)
    if not (both_sides(roles) and (given or style == "heading")):
        roles, unknown = roles_of(often, given)
        if not both_sides(roles):
            roles, unknown = roles_of(names, given)
    cast = Cast(style, roles, unknown, names, turns={name: counts[style][name] for name in names})
    if style == "heading":
        cast.level = min((levels[name] for name in roles), default=0)
    cast.decorated = _is_decorated(order, cast)
    return cast


def both_sides(roles: dict[str, str]) -> bool:
    """Whether somebody is the user and somebody the assistant."""
    return {"user", "assistant"} <= set(roles.values())


def _is_known(name: str, given: Names) -> bool:
    return not roles_of([name], given)[1]


def _style(counts: dict[str, Counter[str]], given: Names) -> str | None:
    """Return the style in which most turns of known speakers begin, else the first in which two speak."""
    known = {
        style: sum(count for name, count in names.items() if _is_known(name, given))
        for style, names in counts.items()
    }
    best = max(STYLES, key=lambda style: known[style])
    if known[best]:
        return best
    return next((style for style in ("stamped", "bold", "plain") if len(counts[style]) >= 2), None)


def _is_decorated(order: list[tuple[str, str] | None], cast: Cast) -> bool:
    """Whether a rule stands between what a user says and the reply to it."""
    asked = ruled = False
    for item in order:
        if item is None:
            ruled = True
        elif item[0] == cast.style and item[1] in cast.roles:
            role = cast.roles[item[1]]
            if asked and ruled and role == "assistant":
                return True
            asked, ruled = role == "user", False
    return False


def are_surely_speakers(lines: list[TranscriptLine], cast: Cast) -> bool:
    """Whether plain `name:` line beginnings are speakers, and not settings such as `model: x`."""
    names = [line.label.name for line in lines if line.label and cast.speaks(line)]
    sure = {name for name in names if name in _SURE or name != name.lower() or names.count(name) > 1}
    return both_sides({name: cast.roles[name] for name in sure})
