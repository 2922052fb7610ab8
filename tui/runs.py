"""Runs: the one evaluation that may be under way, owned by the app, so that it outlives every screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.results import Failure, Score, Skipped

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.judge.settings import JudgeSettings
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.scoring import Scored

SECONDS_BETWEEN_REPORTS = 0.1
SECONDS_BETWEEN_TICKS = 1.0
SECONDS_OF_RATE = 20.0
"""The rate is that of so many seconds, because the first calls of a run are slower than the rest."""
ENOUGH_FOR_RATE = 20
"""With fewer outcomes than that, the rate is that of the whole run."""
SLOW = 0.1
"""Below so many outcomes a second, they are told by the minute."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What is to be judged: these sessions by these metrics."""

    session_ids: Sequence[int]
    metrics: Sequence[Metric]
    each_turn: bool = False

    @property
    def units(self) -> int:
        """How many outcomes to expect; more where every turn is judged."""
        return len(self.session_ids) * len(self.metrics)

    @property
    def needs_judge(self) -> bool:
        """Whether some of the metrics ask a judge."""
        return any(metric.uses_judge for metric in self.metrics)


@dataclass(frozen=True, slots=True)
class RunState:
    """How far a run is. kept: of those done, how many were judged before. rate: outcomes a second.

    seconds: since it began. over: the run has ended; stopped: before its end, by the user; error: by
    what made it pointless.
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
    over: bool = False
    stopped: bool = False
    error: TurnwiseError | None = None

    @property
    def seconds_left(self) -> float | None:
        """How long the rest will take; None while that is not known."""
        return (
            (self.expected - self.done) / self.rate if self.rate > 0 and self.done - self.kept >= 3 else None
        )

    def with_outcome(self, scored: Scored) -> RunState:
        """Count one outcome in."""
        done = self.done + 1
        counted = replace(self, done=done, kept=self.kept + scored.kept, expected=max(self.expected, done))
        match scored.outcome:
            case Score() as score if score.passed:
                return replace(counted, passed=self.passed + 1)
            case Score():
                return replace(counted, below=self.below + 1)
            case Skipped():
                return replace(counted, skipped=self.skipped + 1)
            case Failure():
                return replace(counted, failed=self.failed + 1)

    def summary(self) -> str:
        """Return what came of it, in words."""
        parts = [f"{self.passed:,} passed", f"{self.below:,} did not"]
        parts += [f"{self.failed:,} failed"] if self.failed else []
        parts += [f"{self.skipped:,} skipped"] if self.skipped else []
        kept = f" {self.kept:,} were judged before." if self.kept else ""
        return f"{', '.join(parts)}.{kept}"


class Runs:
    """Runs one request at a time and tells how far it is."""

    def __init__(self, store: Store, tell: Callable[[RunState], None]) -> None:
        """tell: hears the state at most ten times a second, and once when the run is over."""
        self._store = store
        self._tell = tell
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self.state: RunState | None = None
        """How far the run under way is; None where none is."""

    @property
    def under_way(self) -> bool:
        """Whether a run is under way."""
        return self._task is not None

    def start(self, request: ScoreRequest, judge: JudgeSettings | None) -> None:
        """Begin a run, unless one is under way. judge: None skips the metrics that need one."""
        if self._task is None:
            self._stopping = False
            self.state = RunState(expected=request.units)
            self._tell(self.state)
            self._task = asyncio.create_task(self._run(request, judge))

    async def stop(self) -> None:
        """End the run; what has landed is kept. Returns when it has ended."""
        if (task := self._task) is not None:
            self._stopping = True
            task.cancel()
            await asyncio.wait({task})

    async def _run(self, request: ScoreRequest, judge: JudgeSettings | None) -> None:
        error: TurnwiseError | None = None
        clock = asyncio.create_task(self._tick())
        try:
            await self._score(request, judge if request.needs_judge else None)
        except TurnwiseError as stopped_by:
            error = stopped_by
        except asyncio.CancelledError:
            if not self._stopping:
                raise
        except Exception as mistake:
            # A run must not take the app down with it, whatever went wrong in it.
            error = TurnwiseError(
                "The run broke off",
                detail=f"{type(mistake).__name__}: {mistake}",
                next_step="What is scored is kept; the next run goes on from there.",
            )
        finally:
            clock.cancel()
            state = self.state or RunState(request.units)
            self._task = self.state = None
            self._tell(replace(state, over=True, stopped=self._stopping, error=error))

    async def _tick(self) -> None:
        """Tell the time that goes by: a slow judge may take minutes for its first outcome."""
        began = time.monotonic()
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            if self.state is not None:
                self.state = replace(self.state, seconds=time.monotonic() - began)
                self._tell(self.state)

    async def _score(self, request: ScoreRequest, settings: JudgeSettings | None) -> None:
        if settings is not None:
            # Loading the client takes half a second, in which keys must be answered.
            await asyncio.to_thread(import_module, "openai")
        from turnwise.engine.evidence import StoredCallBook
        from turnwise.engine.judge.choose import open_judge
        from turnwise.engine.scoring import score_sessions

        rate = _Rate()
        async with open_judge(
            settings, needed=settings is not None, book=StoredCallBook(self._store)
        ) as judge:
            run = score_sessions(
                self._store, request.session_ids, request.metrics, judge, each_turn=request.each_turn
            )
            told = time.monotonic()
            async with aclosing(run) as outcomes:
                async for scored in outcomes:
                    now = time.monotonic()
                    rate.count(now, judged=not scored.kept)
                    assert self.state is not None  # noqa: S101
                    self.state = replace(self.state.with_outcome(scored), rate=rate.at(now))
                    if now - told >= SECONDS_BETWEEN_REPORTS:
                        told = now
                        self._tell(self.state)
                        # Outcomes that were judged before come without a pause, and keys wait for one.
                        await asyncio.sleep(0)


class _Rate:
    """Outcomes a second over the last seconds; those of earlier runs do not count."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._counted = 0

    def count(self, now: float, *, judged: bool) -> None:
        if not judged:
            return
        if now - self._began > 2 * SECONDS_OF_RATE and self._counted >= ENOUGH_FOR_RATE:
            # Half of the window is let go at a time, which needs no list of times.
            self._counted //= 2
            self._began = now - (now - self._began) / 2
        self._counted += 1

    def at(self, now: float) -> float:
        seconds = now - self._began
        return self._counted / seconds if seconds > 0 else 0.0


def pace_text(state: RunState) -> str:
    """Return the rate and what is left of the time, each where it is known, ready to go on from."""
    parts = []
    if state.rate >= SLOW:
        parts.append(f"{state.rate:.1f}/s")
    elif state.rate > 0:
        parts.append(f"{state.rate * 60:.1f}/min")
    elif state.seconds >= 1:
        parts.append(duration(state.seconds))
    if (left := state.seconds_left) is not None and left >= 1:
        parts.append(f"{duration(left)} left")
    return " · ".join([*parts, ""])


def duration(seconds: float) -> str:
    """Return a time to come as people say it: "40 s", "6 min", "2 h 10 min"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02} min"
