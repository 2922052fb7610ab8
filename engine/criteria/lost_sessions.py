"""Lost sessions: those that fail by a criterion, what it takes to locate where, and the search itself.

    seek = seek_lost(store, criterion, failing_sessions(store, criterion), judge)
    async with aclosing(seek) as found:
        async for sought in found:
            ...

Everything that is found is kept as soon as it is: who stops goes on from there the next time.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.store import ScoreRow, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.locating import Located, locate, prefix_ends
from turnwise.engine.metrics.lost_turn_details import curve_of, lost_turn_of
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.scoring.estimate import estimate_run

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.models.settings import ModelSettings

Tell = Callable[[str, int, int], None]
"""Hears what is done now, and of how many sessions it is done by now, of how many."""


def tell_nobody(words: str, done: int, of: int) -> None:
    """Say nothing."""


@dataclass(frozen=True, slots=True)
class LostSession:
    """A session that fails by a criterion, and what is known by now of where it was lost.

    row: its newest outcome. replies: how many beginnings of it there are. judge: the fingerprint of the one
    that gave the score.
    """

    session_id: int
    name: str
    row: ScoreRow
    replies: int
    judge: str

    @property
    def turn(self) -> int | None:
        """The turn from which on it is lost; None where that is not known for certain."""
        lost = lost_turn_of(self.row.details)
        return lost.turn if lost is not None and lost.sure else None

    def calls(self, judge: str, *, whole_curve: bool = False) -> int:
        """Return how many calls it takes at most. judge: the fingerprint of the one that is asked."""
        anew = self.judge != judge
        if whole_curve:
            wanted = 0 if not anew and len(curve_of(self.row.details)) >= self.replies else self.replies - 1
        else:
            # Halving: log2 of the beginnings, rounded up.
            wanted = 0 if self.turn is not None and not anew else max(0, self.replies - 1).bit_length()
        return max(0, wanted) + anew


@dataclass(frozen=True, slots=True)
class Sought:
    """What a search found of one session.

    located: where it was lost; None where it passes, where the criterion does not apply, or where it could
    not be judged. outcome: what the criterion finds of the whole. trouble: why it could not be located.
    """

    session_id: int
    outcome: Outcome | None
    located: Located | None = None
    trouble: str = ""


def check_can_be_lost(criterion: Criterion) -> None:
    """Raise SettingError where a criterion judges single exchanges."""
    if criterion.scope != "conversation":
        raise SettingError(
            f"{criterion.name} judges single exchanges, which fail at once or not at all",
            next_step="Take a criterion that judges conversations.",
        )


def failing_sessions(store: Store, criterion: Criterion) -> list[int]:
    """Return the sessions whose newest score by a criterion as it stands fails, in their order.

    Raises SettingError where it judges single exchanges.
    """
    check_can_be_lost(criterion)
    metric = criterion.metric()
    found = store.criteria.outcomes(metric.name, metric.fingerprint)
    return [one.session_id for one in found if one.score is not None and not criterion.passes(one.score)]


def read_lost(store: Store, criterion: Criterion, session_ids: Sequence[int]) -> list[LostSession]:
    """Return what is known of sessions that fail; those whose newest outcome does not are left out."""
    found = []
    for session in session_ids:
        rows = [row for row in store.scores.newest(session) if row.metric == criterion.name]
        if not rows or rows[-1].score is None or rows[-1].passed:
            continue
        ends = prefix_ends(Subject.of(store.sessions.case(session)).case)
        by = store.scores.identity(rows[-1].id).judge_fingerprint
        found.append(LostSession(session, store.sessions.get(session).name, rows[-1], len(ends), by))
    return found


def cost_of_calls(
    store: Store, criterion: Criterion, lost: Sequence[LostSession], calls: int, settings: ModelSettings
) -> float | None:
    """Return about what so many calls cost, in US dollars; None where no price is known.

    A beginning is no longer than the whole, so that it is rather less.
    """
    if not lost or not calls:
        return None
    whole = estimate_run(store, [one.session_id for one in lost], [criterion.metric()], settings)
    return None if whole.cost is None else whole.cost / max(1, whole.questions) * calls


async def seek_lost(
    store: Store,
    criterion: Criterion,
    session_ids: Sequence[int],
    judge: Judge,
    *,
    whole_curve: bool = False,
    tell: Tell = tell_nobody,
) -> AsyncGenerator[Sought]:
    """Judge sessions that were not judged, find from which turn on those that fail are lost, and keep it.

    One that cannot be judged or located is told and left; a judge that is away, or a budget that is spent,
    ends it with a JudgeError.
    """
    from turnwise.engine.scoring.judges import judge_settings
    from turnwise.engine.scoring.scoring import score_sessions

    check_can_be_lost(criterion)
    metric, told = criterion.metric(), judge_settings(judge)
    run = await asyncio.to_thread(
        store.runs.begin,
        judge=told.get("model", "none"),
        metrics=[metric.name],
        judge_settings=told,
        name=f"{criterion.name}: where it fails",
    )
    judged: dict[int, Outcome] = {}
    async with aclosing(score_sessions(store, session_ids, [metric], judge, run=run)) as outcomes:
        async for scored in outcomes:
            judged[scored.session_id] = scored.outcome
            tell("judged as a whole", len(judged), len(session_ids))
    for done, session in enumerate(session_ids):
        tell("searched", done, len(session_ids))
        outcome = judged.get(session)
        if isinstance(outcome, Failure):
            yield Sought(session, outcome, trouble=outcome.reason)
        elif isinstance(outcome, Skipped) or (isinstance(outcome, Score) and outcome.passed):
            yield Sought(session, outcome)
        else:
            try:
                located = await locate(store, metric, session, judge, run=run, whole_curve=whole_curve)
            except JudgeError as error:
                if error.stops_run:
                    raise
                yield Sought(session, outcome, trouble=f"{error.title}. {error.detail}")
            else:
                yield Sought(session, outcome, located)
    await asyncio.to_thread(store.runs.finish, run)
