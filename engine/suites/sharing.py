"""Sharing: of the cases of a suite those that no other run of it on this database is doing at the same time.

A group of cases is claimed before it is asked. Where another run has it, this one waits for what that run
keeps, and takes it over as it takes over what earlier runs kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Suite, SuiteCase
from turnwise.engine.scoring.claiming import SECONDS_BETWEEN_LOOKS, Claimer
from turnwise.engine.suites.grouping import Group
from turnwise.engine.suites.keeping import suite_key

LEAST_AHEAD, MOST_AHEAD = 32, 512
"""So many groups are claimed together, so that the database is not written for each of them."""
SECONDS_AHEAD = 1.0
"""Where those that are claimed together last for less than that, more are claimed the next time."""


class SharedCases:
    """The cases of one suite, of which each group is claimed before it is done. Use it as `async with`.

    groups: in the order in which they are handed out. who: what tells those who answer and judge a case from
    others, by its target. store: None claims nothing. look_again: takes in what other runs have found,
    before the first of newly claimed groups is done. stop: once it is set nothing is waited for. tell: hears
    how many groups are waited for because another run does them.
    """

    def __init__(
        self,
        suite: Suite,
        store: Store | None,
        groups: Iterable[Group],
        who: Callable[[SuiteCase], Any],
        *,
        look_again: Callable[[], None] = lambda: None,
        stop: asyncio.Event | None = None,
        tell: Callable[[int], None] = lambda groups: None,
    ) -> None:
        self._suite = suite
        self._file = suite_key(suite)
        self._claimer = Claimer(store) if store is not None else None
        self._firsts = [group.positions[0] for group in groups]
        self._places = {position: place for place, position in enumerate(self._firsts)}
        self._who = who
        self._look_again = look_again
        self._stop = stop
        self._window = LEAST_AHEAD
        self._claimed_at = 0.0
        self._tell = tell
        self._ahead: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._asked: dict[int, str] = {}
        self._begun: set[int] = set()
        self._waiting = 0
        self._claiming = asyncio.Lock()
        self._stopped = asyncio.Event()

    async def take(self, group: Group) -> bool:
        """Wait until a group is this run's to do; return False where the run is stopped meanwhile.

        Raises StoreError.
        """
        first = group.positions[0]
        if self._claimer is None or await self._claimed(first, self._claimer):
            return True
        self._waiting += 1
        try:
            await self._give_back_ahead(self._claimer)
            self._tell(self._waiting)
            while not (self._stopped.is_set() or (self._stop and self._stop.is_set())):
                if await self._free(first, self._claimer) and await self._claimed(first, self._claimer):
                    return True
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopped.wait(), SECONDS_BETWEEN_LOOKS)
            return False
        finally:
            self._waiting -= 1
            self._tell(self._waiting)

    def stop(self) -> None:
        """Wait for no other run any more."""
        self._stopped.set()

    def give_back(self, positions: Iterable[int]) -> None:
        """Let go of groups that are done, in the transaction that keeps them. Blocks."""
        if self._claimer is not None:
            self._claimer.give_back(
                [self._names.pop(one, "") or self._name(one) for one in positions if one in self._places]
            )

    async def _claimed(self, first: int, claimer: Claimer) -> bool:
        """Claim the group that begins with a case, and others that follow it; return whether it is had."""
        async with self._claiming:
            if first not in self._ahead:
                place = self._places[first]
                # Whoever waits for another run holds back nothing that the other may wait for.
                ahead = 1 if self._waiting else self._next_window()
                wanted = [one for one in self._firsts[place : place + ahead] if one not in self._begun]
                names = {one: self._name(one) for one in wanted if one not in self._ahead}
                mine = await asyncio.to_thread(claimer.take, list(names.values()))
                self._look_again()
                had = {one: name for one, name in names.items() if name in mine}
                self._ahead |= had
                self._names |= had
            if self._ahead.pop(first, None) is None:
                return False
            self._begun.add(first)
            return True

    def _next_window(self) -> int:
        """Return how many groups to claim: what is done in about a second, as far as that is known."""
        now = time.monotonic()
        lasted, self._claimed_at = now - self._claimed_at, now
        wider = self._window * 2 if lasted < SECONDS_AHEAD else self._window // 2
        self._window = min(MOST_AHEAD, max(LEAST_AHEAD, wider))
        return self._window

    async def _free(self, first: int, claimer: Claimer) -> bool:
        return bool(await claimer.may_be_free([self._name(first)]))

    async def _give_back_ahead(self, claimer: Claimer) -> None:
        async with self._claiming:
            names, self._ahead = list(self._ahead.values()), {}
            if names:
                await asyncio.to_thread(claimer.give_back, names)

    def _name(self, position: int) -> str:
        """Return the name under which a group is claimed that begins with a case.

        It need not tell all cases apart: what is kept is looked up by all that a case says.
        """
        case = self._suite.cases[position]
        # The cases of a suite share its targets.
        who = self._asked.get(id(case.target))
        if who is None:
            who = self._asked[id(case.target)] = str(self._who(case))
        place = [self._file, case.index, case.repeat, case.prompt_index, case.prompt_label]
        return f"case {fingerprint([*place, case.prompt, who])}"

    async def __aenter__(self) -> Self:
        if self._claimer is not None:
            await self._claimer.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._claimer is not None:
            await self._claimer.__aexit__(kind, error, trace)
