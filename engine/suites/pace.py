"""Pace: how often, how many at once and how fast a file wants its cases to be asked."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.suites import Suite

_SECTIONS = ("evaluateOptions", "commandLineOptions")
_MOST_REPEATS = 1000


@dataclass(frozen=True, slots=True)
class Pace:
    """How a suite is gone through.

    repeat: how often every case is asked. at_once: the most at a time; None is as many as the target takes.
    delay: seconds between two cases, which are then asked one at a time.
    """

    repeat: int = 1
    at_once: int | None = None
    delay: float = 0.0


def pace_of(suite: Suite) -> Pace:
    """Return the pace that a file asks for; what is no number, or makes no sense, counts as not said."""
    repeat, at_once = _number(suite, "repeat"), _number(suite, "maxConcurrency")
    delay = _number(suite, "delay")
    return Pace(
        repeat=min(int(repeat), _MOST_REPEATS) if repeat is not None and repeat >= 1 else 1,
        at_once=int(at_once) if at_once is not None and at_once >= 1 else None,
        # Files give it in milliseconds.
        delay=delay / 1000 if delay is not None and delay > 0 else 0.0,
    )


def _number(suite: Suite, name: str) -> float | None:
    found: float | None = None
    for section in _SECTIONS:
        options = suite.settings.get(section)
        given = options.get(name) if isinstance(options, dict) else None
        if isinstance(given, int | float) and not isinstance(given, bool):
            found = given
    return found
