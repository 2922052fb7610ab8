"""Going on with a run: what is left of one that did not come to its end, and its failures once more.

    left = what_is_left(store, run_id)
    async for scored in go_on(store, left, judge):
        ...

What comes of it belongs to that run, as if it had never been broken off.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.errors import NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.store import RunRow, Store, UsedMetric
from turnwise.engine.criteria.criteria_files import find_criteria
from turnwise.engine.criteria.criterion_versions import criterion_of
from turnwise.engine.learning.learned_metric import PREFIX, is_learned
from turnwise.engine.learning.learned_metric import metric_of as learned_metric_of
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.registry import make_metric
from turnwise.engine.scoring.scoring import Scored, score_sessions

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.engine.scoring.judges import Judges


@dataclass(frozen=True, slots=True)
class LeftOfRun:
    """What of a run is to be judged still: these sessions by these metrics.

    failures: how many of its outcomes are failures, which are tried again.
    """

    run: RunRow
    session_ids: Sequence[int]
    metrics: Sequence[Metric]
    each_turn: bool = False
    failures: int = 0

    @property
    def units(self) -> int:
        """How many outcomes to expect; those that are there already count too."""
        return len(self.session_ids) * len(self.metrics)

    @property
    def needs_judge(self) -> bool:
        """Whether some of the metrics ask a judge."""
        return any(metric.uses_judge for metric in self.metrics)

    def outcomes(
        self,
        store: Store,
        judge: Judge | Judges | None,
        *,
        tell_of_others: Callable[[int], None] = lambda units: None,
    ) -> AsyncGenerator[Scored]:
        """Judge it, and yield every outcome as it lands."""
        return go_on(store, self, judge, tell_of_others=tell_of_others)


def what_is_left(store: Store, run_id: int, *, folder: Path | None = None) -> LeftOfRun:
    """Return what is left of a run, its failures included.

    folder: where files of criteria are looked for, beside the versions that the database knows; the present
    one by default. Raises NotFoundError for a run that is not there, SettingError where nothing is left, and
    where it cannot be gone on with from here.
    """
    run = store.runs.get(run_id)
    failed = store.run_outcomes.failed(run_id)
    asked = store.runs.asked(run_id)
    if not failed and asked is None:
        raise _not_from_here(run)
    if asked is not None:
        done: set[int] = set()
        if not asked.each_turn:
            done = store.run_outcomes.done(run_id, len(run.metrics))
        sessions = [one for one in asked.session_ids if one not in done]
        names: Sequence[str] = run.metrics
    else:
        sessions = list(dict.fromkeys(session for session, _ in failed))
        names = list(dict.fromkeys(metric for _, metric in failed))
    # Sessions may have been deleted since.
    there = set(store.sessions.ids(order=None))
    sessions = [one for one in sessions if one in there]
    metrics = _metrics(store, run_id, names, folder or Path.cwd())
    return LeftOfRun(run, sessions, metrics, asked is not None and asked.each_turn, len(failed))


def what_is_left_for(store: Store, run_id: int, judge: ModelSettings | None) -> LeftOfRun:
    """Return what is left of a run that this judge is to go on with.

    Raises what `what_is_left` raises, and SettingError where the run was judged by another judge.
    """
    left = what_is_left(store, run_id)
    if left.needs_judge:
        check_judge(store, left.run, judge)
    return left


def check_judge(store: Store, run: RunRow, judge: ModelSettings | None) -> None:
    """Raise SettingError where a run was judged by another judge: one run has one judge."""
    settings = store.runs.past([run.id])[run.id].settings
    if others := settings.get("judges_for"):
        raise SettingError(
            f"Run {run.id} asked judges of their own for {', '.join(others)}",
            next_step="`turnwise score` with the same --judge-for goes on: what is judged already is kept.",
        )
    known = settings.get("fingerprint")
    if known is None or (judge is not None and judge.fingerprint == known):
        return
    where = settings.get("address")
    raise SettingError(
        f"Run {run.id} asked another judge",
        detail=f"It asked {run.judge}{f' at {where}' if where else ''}; "
        f"the judge of now is {judge.model if judge else 'none'}.",
        next_step="Choose that judge to go on with it, or judge the sessions anew.",
    )


async def go_on(
    store: Store,
    left: LeftOfRun,
    judge: Judge | Judges | None,
    *,
    tell_of_others: Callable[[int], None] = lambda units: None,
) -> AsyncGenerator[Scored]:
    """Judge what is left of a run, as a part of it, and yield every outcome as it lands.

    Raises what `score_sessions` raises; the run then stays as unfinished as it is.
    """
    run_id = left.run.id
    scored = score_sessions(
        store,
        left.session_ids,
        left.metrics,
        judge,
        each_turn=left.each_turn,
        run=run_id,
        tell_of_others=tell_of_others,
    )
    try:
        async with aclosing(scored) as outcomes:
            async for one in outcomes:
                yield one
    finally:
        # Failures that something came of this time.
        store.runs.let_go_of_replaced(run_id)
    await asyncio.to_thread(store.runs.finish, run_id)


def _not_from_here(run: RunRow) -> TurnwiseError:
    if run.finished_at is not None:
        return SettingError(
            f"Nothing is left of run {run.id}",
            detail=f"It came to its end, and none of its {run.scores + run.skipped:,} outcomes failed.",
        )
    step = "Choose its sessions in the library and judge them: what is judged already is kept."
    if run.name or run.parameters:
        step = "Run its file, or try its criterion, again: what is judged already is kept."
    return SettingError(
        f"What run {run.id} was to judge is not known here",
        detail="It was not begun by `turnwise score` or in the app, or by an earlier version.",
        next_step=step,
    )


def _metrics(store: Store, run_id: int, names: Sequence[str], folder: Path) -> list[Metric]:
    used = {one.name: one for one in store.run_outcomes.used_metrics(run_id)}
    found = {name: _made_again(store, name, used.get(name), folder) for name in names}
    if missing := [name for name, metric in found.items() if metric is None]:
        raise NotFoundError(
            f"Run {run_id} used what is not to be found here: {', '.join(missing)}",
            detail="It is a metric with settings, or a criterion whose file is elsewhere or has changed.",
            next_step="`turnwise score` with the same --metric and --criteria judges what is left.",
        )
    return [metric for metric in found.values() if metric is not None]


def _made_again(store: Store, name: str, used: UsedMetric | None, folder: Path) -> Metric | None:
    for metric in _candidates(store, name, folder):
        if metric.name == name and (used is None or metric.fingerprint == used.fingerprint):
            if used is not None and used.threshold is not None:
                metric.threshold = used.threshold
            return metric
    return None


def _candidates(store: Store, name: str, folder: Path) -> Iterator[Metric]:
    with suppress(SettingError, NotFoundError):
        yield make_metric(name)
    if is_learned(name):
        for signal in reversed(store.learned.versions(name.removeprefix(PREFIX))):
            with suppress(SettingError):
                yield learned_metric_of(signal)
    for version in reversed(store.criteria.versions(name)):
        with suppress(TurnwiseError):
            yield criterion_of(version).metric()
    for file in find_criteria(folder).files:
        yield file.criterion.metric()
