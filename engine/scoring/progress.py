"""Progress: what a run has brought so far, how fast, and how long the rest will take, in words.

rate, tally = Rate(), Tally(expected=len(sessions) * len(metrics))
async for scored in outcomes:
    tally = tally.counted(scored, rate)
    show(tally.line())
tell(tally.summary())
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from turnwise.engine.scoring.scoring import Scored

SECONDS_OF_RATE = 20.0
"""The rate is that of so many seconds, because the first calls of a run are slower than the rest."""
ENOUGH_FOR_RATE = 20
"""With fewer outcomes than that, the rate is that of the whole run."""
ENOUGH_FOR_END = 3
"""With fewer outcomes than that, nothing is said of the time left."""
SLOW = 0.1
"""Below so many outcomes a second, they are told by the minute."""


class Rate:
    """Outcomes a second over the last seconds; those of earlier runs do not count. clock: in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = self._began = clock()
        self._counted = 0

    def count(self) -> None:
        """Count one outcome that was judged now."""
        now = self._clock()
        if now - self._began > 2 * SECONDS_OF_RATE and self._counted >= ENOUGH_FOR_RATE:
            # Half of the window is let go at a time, which needs no list of times.
            self._counted //= 2
            self._began = now - (now - self._began) / 2
        self._counted += 1

    @property
    def per_second(self) -> float:
        """The rate of now."""
        seconds = self._clock() - self._began
        return self._counted / seconds if seconds > 0 else 0.0

    @property
    def seconds(self) -> float:
        """How long it has been since the run began."""
        return self._clock() - self._start


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run has brought.

    expected: outcomes to come in all. kept: of those done, how many were judged before. below: scores below
    their threshold. rate: outcomes a second. seconds: since the run began. cost: dollars spent in this run,
    None where no call told its price. by_others: what is waited for because another run judges it.
    """

    expected: int
    done: int = 0
    kept: int = 0
    passed: int = 0
    below: int = 0
    skipped: int = 0
    failed: int = 0
    rate: float = 0.0
    seconds: float = 0.0
    cost: float | None = None
    by_others: int = 0

    def with_outcome(self, scored: Scored) -> Self:
        """Count one outcome in."""
        # Words of how far a run is need none of these, and the app shows such words before any run.
        from turnwise.conversations.results import Failure, Score, Skipped

        done = self.done + 1
        cost = None if scored.kept else scored.outcome.cost
        counted = replace(
            self,
            done=done,
            kept=self.kept + scored.kept,
            expected=max(self.expected, done),
            cost=self.cost if cost is None else (self.cost or 0.0) + cost,
        )
        match scored.outcome:
            case Score() as score if score.passed:
                return replace(counted, passed=self.passed + 1)
            case Score():
                return replace(counted, below=self.below + 1)
            case Skipped():
                return replace(counted, skipped=self.skipped + 1)
            case Failure():
                return replace(counted, failed=self.failed + 1)

    def counted(self, scored: Scored, rate: Rate) -> Self:
        """Count one outcome in, and how fast they come."""
        if not scored.kept:
            rate.count()
        return replace(self.with_outcome(scored), rate=rate.per_second, seconds=rate.seconds)

    @property
    def not_passed(self) -> int:
        """How many scores are below their threshold or could not be had."""
        return self.below + self.failed

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; None while that is not known."""
        known = self.rate > 0 and self.done - self.kept >= ENOUGH_FOR_END
        return (self.expected - self.done) / self.rate if known else None

    def pace(self) -> str:
        """Return the rate and the time left, each where it is known: "2.1/s · 6 min left"."""
        return _pace(self.rate, self.seconds, self.seconds_left)

    @property
    def time_gone(self) -> str:
        """How long it has been: "2 min so far"; empty within the first second."""
        return f"{duration(self.seconds)} so far" if self.seconds >= 1 else ""

    @property
    def time_left(self) -> str:
        """How long the rest will take: "6 min left"; empty while that is not known."""
        return _left(self.seconds_left)

    def line(self) -> str:
        """Return how far the run is, in a line."""
        far = f"scoring {self.done:,} of {self.expected:,}"
        failed = f"{self.failed:,} not judged" if self.failed else ""
        parts = (far, self.pace(), others_words(self.by_others), failed)
        return " · ".join(part for part in parts if part)

    def summary(self) -> str:
        """Return what came of it, in words."""
        parts = [f"{self.passed:,} passed", f"{self.below:,} below threshold"]
        parts += [f"{self.failed:,} could not be judged"] if self.failed else []
        parts += [f"{self.skipped:,} skipped"] if self.skipped else []
        kept = f", {self.kept:,} of them judged before" if self.kept else ""
        cost = f"; ${self.cost:.4f}" if self.cost else ""
        return f"{', '.join(parts)}{kept}{cost}."


def others_words(number: int, done: str = "judged") -> str:
    """Return in words how much is waited for because another run does it; empty for nothing."""
    return f"{number:,} being {done} by another run" if number else ""


def pace_words(rate: Rate, *, done: int, left: int) -> str:
    """Return a rate and the time left in words. done: what was counted in it; left: what is to come."""
    known = rate.per_second > 0 and done >= ENOUGH_FOR_END
    return _pace(rate.per_second, rate.seconds, left / rate.per_second if known else None)


def rate_words(rate: float) -> str:
    """Return how many outcomes come a second, or a minute where they are slow; empty for none."""
    if rate >= SLOW:
        return f"{rate:.1f}/s"
    return f"{rate * 60:.1f}/min" if rate > 0 else ""


def _pace(rate: float, seconds: float, seconds_left: float | None) -> str:
    fast = rate_words(rate) or (duration(seconds) if seconds >= 1 else "")
    return " · ".join(part for part in (fast, _left(seconds_left)) if part)


def _left(seconds: float | None) -> str:
    return f"{duration(seconds)} left" if seconds is not None and seconds >= 1 else ""


def duration(seconds: float) -> str:
    """Return a time to come as people say it: "40 s", "6 min", "2 h 10 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
