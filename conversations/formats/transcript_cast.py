"""Who speaks in a transcript: the style in which turns begin, and the role of every name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from turnwise.conversations.formats.speakers import Names, roles_of
from turnwise.conversations.formats.transcript_lines import STYLES, Line

_SURE = ("user", "human", "assistant", "ai", "bot", "q", "a")
"""Small words that are surely speakers; others, such as `model`, may be the names of settings."""


@dataclass(slots=True)
class Cast:
    """Who speaks in a file: the style that begins a turn, the roles by name, and names without a role.

    names: all that begin a line in that style. level: of the headings that begin turns. decorated: whether
    rules stand within conversations too.
    """

    style: str
    roles: dict[str, str]
    unknown: list[str]
    names: list[str]
    level: int = 0
    decorated: bool = False

    def speaks(self, line: Line) -> bool:
        """Whether a turn begins with this line."""
        return line.label is not None and line.label.style == self.style and line.label.name in self.roles


def cast_of(lines: Iterable[Line], given: Names) -> Cast | None:
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
    cast = Cast(style, roles, unknown, names)
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


def are_surely_speakers(lines: list[Line], cast: Cast) -> bool:
    """Whether names without any mark are those of speakers, and not settings such as `model: x`."""
    names = [line.label.name for line in lines if line.label and cast.speaks(line)]
    sure = {name for name in names if name in _SURE or name != name.lower() or names.count(name) > 1}
    return both_sides({name: cast.roles[name] for name in sure})
