"""Scoring sessions when they come to rest: nothing was said in them for a while."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Patience, Store
from turnwise.conversations.words import counted, in_one_line
from turnwise.tui.cli.judging.limits import JudgeLimits
from turnwise.tui.cli.options import gathered
from turnwise.tui.cli.output import narrate, say

if TYPE_CHECKING:
    from turnwise.engine.metrics.metric import Metric

FC = TypeVar("FC", bound=Callable[..., Any])
SECONDS_TO_STOP = 10.0
"""So long the scores under way may take once ctrl+c was pressed a second time."""
_SECONDS_TO_WAIT = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RestOptions:
    """By what sessions are scored, and after so many seconds without a word."""

    metrics: tuple[str, ...]
    criteria: tuple[Path, ...]
    judge_name: str | None
    rest: float

    @property
    def is_asked_for(self) -> bool:
        """Whether anything is scored."""
        return bool(self.metrics or self.criteria)


def rest_options(function: FC) -> FC:
    """Add --metric, --criteria, --judge and --rest; the command takes them together, as `resting`."""
    return gathered(
        function,
        "resting",
        RestOptions,
        click.option(
            "--metric",
            "metrics",
            multiple=True,
            metavar="NAME[:SETTINGS]",
            help="Score every session by it when it comes to rest; may be given several times.",
        ),
        click.option(
            "--criteria",
            multiple=True,
            type=click.Path(dir_okay=False, path_type=Path),
            help="A YAML file of criteria to score them by.",
        ),
        click.option("--judge", "judge_name", metavar="JUDGE", help="The model that judges, or none."),
        click.option(
            "--rest",
            type=click.FloatRange(min=0),
            default=30.0,
            metavar="SECONDS",
            help="A session is at rest after so long without a word. Default: 30.",
        ),
    )


class RestingScores:
    """Scores sessions of a database in a thread of its own, so that nothing else waits for a judge."""

    def __init__(
        self,
        database: Path,
        metrics: Sequence[Metric],
        options: RestOptions,
        *,
        as_json: bool,
        tell: Callable[[str], None] = say,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._metrics = metrics
        self._options = options
        self._as_json = as_json
        self._tell = tell
        self._clock = clock
        self._said: dict[int, float] = {}
        self._running: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def note(self, session: int) -> None:
        """Hear that something was said in a session."""
        self._said[session] = self._clock()

    def look(self, *, ending: bool = False) -> None:
        """Begin to score what is at rest, where nothing is being scored. ending: then everything is."""
        if not self._metrics or (self._running is not None and self._running.is_alive()):
            return
        now = self._clock()
        due = [one for one, said in self._said.items() if ending or now - said >= self._options.rest]
        if not due:
            return
        for one in due:
            del self._said[one]
        self._running = threading.Thread(target=self._score, args=(sorted(due),), daemon=True)
        self._running.start()

    def end(self, dropped: threading.Event) -> None:
        """Score what is left; a set event drops it."""
        while True:
            self.look(ending=True)
            running = self._running
            if running is None or not running.is_alive():
                return
            narrate("Scoring what was said; ctrl+c drops it.")
            while running.is_alive() and not dropped.wait(0.1):
                pass
            if dropped.is_set():
                self._drop()
                running.join(SECONDS_TO_STOP)
                return

    def _drop(self) -> None:
        loop, stop = self._loop, self._stop
        if loop is not None and stop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(stop.set)

    def _score(self, sessions: list[int]) -> None:
        try:
            asyncio.run(self._scored(sessions))
        except TurnwiseError as error:
            told = in_one_line(
                "\n".join(part for part in (error.title, error.detail, error.next_step) if part)
            )
            narrate(f"{counted(len(sessions), 'session')} could not be scored: {told}")

    async def _scored(self, sessions: list[int]) -> None:
        from turnwise.tui.cli.judging.score import score

        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        with Store.open(self._database, patience=Patience(_SECONDS_TO_WAIT)) as store:
            await score(
                store,
                [one for one in sessions if one in store.sessions],
                self._metrics,
                self._options.judge_name,
                limits=JudgeLimits(),
                stop=self._stop,
                as_json=self._as_json,
                tell=self._tell,
            )
