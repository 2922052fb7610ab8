"""Sharing: of the units of a plan those that no other run on this database is judging at the same time.

What others judge is left to the end. What they kept by then becomes a part of this run too; what they left
behind is judged here.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence

from turnwise.conversations.results import Outcome, Score
from turnwise.conversations.store import Identity, Store, claim_of
from turnwise.engine.scoring.claiming import SECONDS_BETWEEN_LOOKS, Claimer
from turnwise.engine.scoring.planning import Place, Plan, StoredUnit

UNITS_WITHOUT_JUDGE = 500
"""So many units are claimed together where no judge takes its time over each."""
MOST_LOOKED_AT = 100
"""So many units, those that are judged already among them, pass by at most before some are claimed."""
MOST_TURNS = 5_000
"""With so many turns of conversations in hand, no more are gathered."""
_Found = tuple[Identity, Outcome]


class SharedUnits:
    """The units that this run is to judge or to take over, each claimed before it is handed out.

    at_once: how many are claimed together. tell: hears how many units this run waits for while others judge
    them, and 0 when that is over. What was kept from the moment on that this is made counts as kept, even
    where the plan judges again what is judged already.
    """

    def __init__(
        self,
        store: Store,
        plan: Plan,
        claimer: Claimer,
        *,
        at_once: int,
        tell: Callable[[int], None],
    ) -> None:
        self._store = store
        self._plan = plan
        self._claimer = claimer
        self._at_once = at_once
        self._tell = tell
        self._since = store.scores.newest_id()
        self._most_passed = max(MOST_LOOKED_AT, at_once)
        self._left: dict[str, Place] = {}

    async def units(self) -> AsyncIterator[StoredUnit]:
        """Yield all units of the plan, each once, with what is kept of it."""
        async for unit in self._claimed(self._plan.units()):
            yield unit
        waited = False
        while left := len(self._left):
            free = await self._claimer.may_be_free(self._left)
            if len(free) < left:
                waited = True
                self._tell(left - len(free))
            if free:
                places = {self._left.pop(name) for name in free}
                async for unit in self._claimed(self._plan.units(places)):
                    yield unit
            if len(self._left) == left:
                await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        if waited:
            self._tell(0)

    def settle(
        self, found: Sequence[tuple[Identity, Outcome]]
    ) -> tuple[Sequence[tuple[Identity, Outcome]], Sequence[int]]:
        """Give back the claims of outcomes that landed, in the transaction that keeps them.

        Returns which of them are to be kept, and the ids of those that others kept in their place, having
        taken this run for dead.
        """
        if self._claimer.give_back([claim_of(identity) for identity, _ in found]):
            return found, ()
        kept = self._store.scores.kept_since(self._since, [identity for identity, _ in found])
        theirs = {
            identity.key: kept[identity.key][0]
            for identity, outcome in found
            if identity.key in kept and _is_measured_alike(outcome, kept[identity.key][1])
        }
        return [one for one in found if one[0].key not in theirs], tuple(theirs.values())

    async def _claimed(self, units: AsyncIterator[StoredUnit]) -> AsyncIterator[StoredUnit]:
        """Yield what is kept, and what could be claimed; note what others are judging."""
        batch: list[StoredUnit] = []
        passed = turns = session = claimed = 0
        async for unit in units:
            if unit.is_new:
                batch.append(unit)
                # The metrics of a session share its turns.
                turns += len(unit.subject.case.turns) if unit.session_id != session else 0
                session = unit.session_id
            else:
                yield unit
            passed += bool(batch)
            if len(batch) >= self._next_batch(claimed) or passed >= self._most_passed or turns > MOST_TURNS:
                for one in await asyncio.to_thread(self._take, batch):
                    yield one
                claimed += len(batch)
                batch, passed, turns, session = [], 0, 0, 0
        if batch:
            for one in await asyncio.to_thread(self._take, batch):
                yield one

    def _next_batch(self, claimed: int) -> int:
        """Return how many units are claimed together after so many.

        The first at once, and then as many again, so that the judge is asked while long sessions are still
        read; up to as many as are under way at once, which leaves the rest to other runs.
        """
        left = self._at_once - claimed
        return min(max(claimed, 1), left) if left > 0 else self._at_once

    def _take(self, batch: Sequence[StoredUnit]) -> list[StoredUnit]:
        """Claim units, and return those that are this run's to do, or that another run has done meanwhile."""
        names = [claim_of(unit.identity) for unit in batch]
        mine = self._claimer.take(names)
        # Only now: whoever claimed one of them before kept what came of it before giving it back.
        kept = self._store.scores.kept_since(self._since, [unit.identity for unit in batch])
        units = []
        for name, unit in zip(names, batch, strict=True):
            if unit.identity.key in kept:
                units.append(unit.with_kept(*kept[unit.identity.key]))
            elif name in mine:
                units.append(unit)
            else:
                self._left[name] = self._plan.place_of(unit)
        done = [unit for unit in units if not unit.is_new]
        if done:
            self._claimer.give_back([claim_of(unit.identity) for unit in done])
        return units


def _is_measured_alike(outcome: Outcome, other: Outcome) -> bool:
    return not (
        isinstance(outcome, Score) and isinstance(other, Score) and outcome.threshold != other.threshold
    )
