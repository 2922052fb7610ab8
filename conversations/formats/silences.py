"""Silences: where nobody wrote for long within what stands in a file as one conversation."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, NamedTuple

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.times import moment_of

LONG_SILENCE = 6 * 3600.0
"""Seconds. People who come back after so long mostly begin anew: it is what is told, and what is advised."""

_SPAN = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)\s*([mhdw])", re.I)
_SECONDS = {"m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


class Silence(NamedTuple):
    """A time in which nobody wrote.

    before, after: where the last words before it and the first after it stand: "line 8".
    """

    seconds: float
    before: str
    after: str


@dataclass(slots=True)
class SilencesFound:
    """The long silences within the sessions of an import.

    first, within: the first of them, and the name of the file that it is in. seconds: how long each is.
    """

    first: Silence | None = None
    within: str = ""
    seconds: array[float] = field(default_factory=lambda: array("f"))

    def __len__(self) -> int:
        return len(self.seconds)

    def add(self, silences: Sequence[Silence], within: str) -> None:
        """Count the silences of a session in."""
        if silences and self.first is None:
            self.first, self.within = silences[0], within
        self.seconds.extend(silence.seconds for silence in silences)

    def join(self, other: SilencesFound) -> None:
        """Count another import's silences in."""
        if self.first is None:
            self.first, self.within = other.first, other.within
        self.seconds.extend(other.seconds)

    def of_at_least(self, seconds: float) -> int:
        """Return how many last so long or longer."""
        return sum(one >= seconds for one in self.seconds)


def read_silence(text: str) -> float:
    """Return the seconds of a span such as 30m, 6h, 2d or 1w. Raises SettingError for what is none."""
    found = _SPAN.fullmatch(text.strip())
    seconds = float(found[1]) * _SECONDS[found[2].lower()] if found else 0.0
    if not seconds:
        raise SettingError(
            f"--split-after takes a span of time, and not {text.strip() or 'nothing'}",
            next_step="Give minutes, hours, days or weeks: 30m, 6h, 2d, 1w.",
        )
    return seconds


def seconds_at(value: Any) -> float | None:
    """Return the moment that a value means in seconds; None for none. Without a zone it is in UTC."""
    moment = moment_of(value)
    if moment is None:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def ends_of_silences(moments: Sequence[float | None], least: float) -> list[tuple[int, float]]:
    """Return which of the moments come so many seconds or more after the one before, and how many.

    moments: in seconds, in the order of the file; None where nobody knows.
    """
    found: list[tuple[int, float]] = []
    before: float | None = None
    for place, at in enumerate(moments):
        if at is not None and before is not None and at - before >= least:
            found.append((place, at - before))
        before = before if at is None else at
    return found


def long_silences(moments: Sequence[float | None], where: Callable[[int], str]) -> tuple[Silence, ...]:
    """Return the long silences between moments. where: says where what was said at a moment stands."""
    return tuple(
        Silence(seconds, where(place - 1), where(place))
        for place, seconds in ends_of_silences(moments, LONG_SILENCE)
    )
