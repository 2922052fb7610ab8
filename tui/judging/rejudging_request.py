"""RejudgingRequest: a run that sets each outcome beside the one that stood before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from turnwise.tui.judging.rejudged_lines import RejudgedCount
from turnwise.tui.shell.runs import ScoreRequest, hear_nothing

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.comparing.rejudging import Rejudged
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.scoring.judges import Judges
    from turnwise.engine.scoring.scoring import Scored


@dataclass(frozen=True, slots=True)
class RejudgedRun:
    """What a run found of sessions, beside what stood before.

    kept: how many outcomes were there already, so that nobody was asked. covered: how many more are not
    told, because their sessions wait in a queue for a blind label.
    """

    found: Sequence[Rejudged]
    kept: int = 0
    covered: int = 0

    @property
    def words(self) -> str:
        """What changed, counted."""
        count = reduce(RejudgedCount.counted, self.found, RejudgedCount())
        parts = [f"Compared with what was found before: {count.words or 'nothing'}."]
        if self.kept:
            parts.append(f"{self.kept:,} kept from an earlier run, without asking anybody.")
        if self.covered:
            parts.append(f"{self.covered:,} more hidden: their sessions wait in a queue for your label.")
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class RejudgingRequest:
    """A request to judge once more.

    judge: the model that judges; empty for none. covered: finds the sessions whose scores are hidden; it is
    called in a thread. show: hears the differences when the run has come to its end; a run that is stopped
    or broken off shows none, and what it scored is kept.
    """

    request: ScoreRequest
    judge: str
    covered: Callable[[], frozenset[int]]
    show: Callable[[RejudgedRun], None]

    @property
    def units(self) -> int:
        """How many outcomes to expect."""
        return self.request.units

    @property
    def needs_judge(self) -> bool:
        """Whether a judge has to be asked for some of them."""
        return self.request.needs_judge

    async def outcomes(
        self,
        store: Store,
        judge: Judge | Judges | None,
        *,
        tell_of_others: Callable[[int], None] = hear_nothing,
    ) -> AsyncGenerator[Scored]:
        """Judge, yield every outcome as it lands, and at the end show what is different."""
        from turnwise.engine.comparing.rejudging import Rejudging

        own = {name: one.model for name, one in self.request.judges.items()}
        beside = Rejudging(store, self.request.metrics, self.judge, judges=own)
        found: list[Rejudged] = []
        kept: list[Rejudged] = []
        run = self.request.outcomes(store, judge, tell_of_others=tell_of_others)
        async with aclosing(run) as outcomes:
            async for scored in outcomes:
                one = await asyncio.to_thread(beside.beside, scored.session_id, scored.outcome)
                found.append(one)
                if scored.kept:
                    kept.append(one)
                yield scored
        hidden = await asyncio.to_thread(self.covered)
        told = [one for one in found if one.session_id not in hidden]
        of_kept = sum(one.session_id not in hidden for one in kept)
        self.show(RejudgedRun(told, of_kept, len(found) - len(told)))
