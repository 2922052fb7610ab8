"""Runs: the one evaluation that may be under way, owned by the app, so that it outlives every screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from turnwise.conversations.errors import TurnwiseError
from turnwise.engine.scoring.progress import Rate, Tally

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.scoring.judges import Judges
    from turnwise.engine.scoring.scoring import Scored

SECONDS_BETWEEN_REPORTS = 0.1
SECONDS_BETWEEN_TICKS = 1.0
_LOADED = (
    "turnwise.engine.judge.evidence",
    "turnwise.engine.scoring.judges",
    "turnwise.engine.scoring.scoring",
)
"""What scores, whoever judges."""


def hear_nothing(outcomes: int) -> None:
    """Do nothing with how many outcomes are waited for."""


class RunRequest(Protocol):
    """What a run of the app is asked to judge."""

    @property
    def units(self) -> int:
        """How many outcomes to expect."""

    @property
    def needs_judge(self) -> bool:
        """Whether the judge of all metrics has to be asked for some of them."""

    def outcomes(
        self,
        store: Store,
        judge: Judge | Judges | None,
        *,
        tell_of_others: Callable[[int], None] = hear_nothing,
    ) -> AsyncGenerator[Scored]:
        """Judge, and yield every outcome as it lands.

        tell_of_others: hears how many outcomes are waited for because another run judges them.
        """


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What is to be judged: these sessions by these metrics.

    judges: those of metrics that have one of their own, by the names of the metrics.
    """

    session_ids: Sequence[int]
    metrics: Sequence[Metric]
    each_turn: bool = False
    judges: Mapping[str, ModelSettings] = field(default_factory=dict)

    @property
    def units(self) -> int:
        """How many outcomes to expect; more where every turn is judged."""
        return len(self.session_ids) * len(self.metrics)

    @property
    def needs_judge(self) -> bool:
        """Whether some of the metrics ask a judge that is none of their own."""
        return any(metric.uses_judge and metric.name not in self.judges for metric in self.metrics)

    def outcomes(
        self,
        store: Store,
        judge: Judge | Judges | None,
        *,
        tell_of_others: Callable[[int], None] = hear_nothing,
    ) -> AsyncGenerator[Scored]:
        """Judge, and yield every outcome as it lands."""
        from turnwise.engine.scoring.scoring import score_sessions

        return score_sessions(
            store,
            self.session_ids,
            self.metrics,
            judge,
            each_turn=self.each_turn,
            tell_of_others=tell_of_others,
        )


@dataclass(frozen=True, slots=True)
class RunState(Tally):
    """How far a run is.

    waiting: what the judge is waited for, where that is worth a word. retrying: for how many seconds it has
    failed to answer. over: the run has ended; stopped: before its end, by the user; error: by what made it
    pointless. asked: whether a judge is asked.
    """

    waiting: str = ""
    retrying: float = 0.0
    asked: bool = False
    over: bool = False
    stopped: bool = False
    error: TurnwiseError | None = None


class Runs:
    """Runs one request at a time and tells how far it is."""

    def __init__(self, store: Store, tell: Callable[[RunState], None]) -> None:
        """tell: hears the state at most ten times a second, and once when the run is over."""
        self._store = store
        self._tell = tell
        self._task: asyncio.Task[None] | None = None
        self._stopping = False
        self._judges: Sequence[Judge] = ()
        self.state: RunState | None = None
        """How far the run under way is; None where none is."""
        self.request: RunRequest | None = None
        """What the run under way was asked to judge; None where none is."""
        self.began = 0.0
        """When the run under way began, in seconds since 1970."""

    @property
    def under_way(self) -> bool:
        """Whether a run is under way."""
        return self._task is not None

    def start(
        self,
        request: RunRequest,
        judge: ModelSettings | None,
        judges: Mapping[str, ModelSettings] | None = None,
    ) -> None:
        """Begin a run, unless one is under way.

        judge: None skips the metrics that need one. judges: of metrics that have one of their own.
        """
        if self._task is None:
            self._stopping = False
            self.request, self.began = request, time.time()
            usual, own = judge if request.needs_judge else None, judges or {}
            self.state = RunState(expected=request.units, asked=usual is not None or bool(own))
            self._tell(self.state)
            self._task = asyncio.create_task(self._run(request, usual, own))

    async def stop(self) -> None:
        """End the run; what has landed is kept. Returns when it has ended."""
        if (task := self._task) is not None:
            self._stopping = True
            task.cancel()
            await asyncio.wait({task})

    async def _run(
        self, request: RunRequest, judge: ModelSettings | None, own: Mapping[str, ModelSettings]
    ) -> None:
        error: TurnwiseError | None = None
        clock = asyncio.create_task(self._tick())
        try:
            await self._score(request, judge, own)
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
            self._task = self.state = self.request = None
            self._judges = ()
            self._tell(replace(state, over=True, stopped=self._stopping, error=error))

    def _tell_of_others(self, outcomes: int) -> None:
        if self.state is not None:
            self.state = replace(self.state, by_others=outcomes)
            self._tell(self.state)

    async def _tick(self) -> None:
        """Tell the time that goes by: a slow judge may take minutes for its first outcome."""
        began = time.monotonic()
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_TICKS)
            if self.state is not None:
                self.state = replace(
                    self.state,
                    seconds=time.monotonic() - began,
                    waiting=next((judge.waiting for judge in self._judges if judge.waiting), ""),
                    retrying=max((judge.retrying for judge in self._judges), default=0.0),
                )
                self._tell(self.state)

    async def _score(
        self, request: RunRequest, settings: ModelSettings | None, own: Mapping[str, ModelSettings]
    ) -> None:
        # To load what scores takes a moment, and seconds from a cold disk: keys must be answered meanwhile,
        # and the line of the run be drawn.
        for name in (*_LOADED, *(("openai",) if settings is not None or own else ())):
            await asyncio.to_thread(import_module, name)
        from turnwise.engine.judge.evidence import StoredCallBook
        from turnwise.engine.scoring.judges import open_judges

        rate = Rate()
        async with open_judges(settings, own, book=StoredCallBook(self._store)) as judges:
            self._judges = judges.all
            run = request.outcomes(self._store, judges, tell_of_others=self._tell_of_others)
            told = time.monotonic()
            async with aclosing(run) as outcomes:
                async for scored in outcomes:
                    assert self.state is not None  # noqa: S101
                    self.state = self.state.counted(scored, rate)
                    now = time.monotonic()
                    if now - told >= SECONDS_BETWEEN_REPORTS:
                        told = now
                        self._tell(self.state)
                        # Outcomes that were judged before come without a pause, and keys wait for one.
                        await asyncio.sleep(0)
