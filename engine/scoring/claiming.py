"""Claiming: a run says what it is about to do, and leaves alone what another run that lives is doing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Self

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store import Patience, Store, new_owner

SECONDS_BETWEEN_RENEWALS = 2.0
SECONDS_BETWEEN_LOOKS = 0.5
"""So often what other runs are doing is looked at while there is nothing else to do."""

SECONDS_TO_LEAVE = 0.3


class Claimer:
    """The claims of one run. Use it as `async with`: what is still claimed at the end is given back.

    Its lease is renewed by the event loop, so that a run which hangs is taken for dead like one that was
    killed. A run that never claims writes nothing.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._owner = new_owner()
        self._claims = self._over = False
        # A thread that claims may outlive the task that waited for it.
        self._lock = threading.Lock()
        self._renewing: asyncio.Task[None] | None = None

    def take(self, names: Sequence[str]) -> set[str]:
        """Claim what is free, and return what of these this run may do. Blocks. Raises StoreError."""
        with self._lock:
            if self._over:
                return set()
            self._claims = True
            mine = self._store.claims.take(self._owner, names)
        # What a run that is gone could not keep any more may be of these.
        self._store.spills.keep_what_was_left()
        return mine

    def give_back(self, names: Sequence[str]) -> bool:
        """Let go of what is done; return False where another run took this one for dead meanwhile.

        Blocks. It belongs into the transaction that keeps what came of it.
        """
        return self._store.claims.give_back(self._owner, names)

    async def may_be_free(self, names: Iterable[str]) -> set[str]:
        """Return what of these another try might get."""
        return await asyncio.to_thread(self._store.claims.may_be_free, list(names))

    async def __aenter__(self) -> Self:
        self._renewing = asyncio.create_task(self._renew_again_and_again())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._renewing is not None:
            self._renewing.cancel()
        if self._claims:
            # Shielded, because others wait for what a run that is stopped leaves.
            await asyncio.shield(asyncio.to_thread(self._leave))

    def _leave(self) -> None:
        with self._lock:
            self._over = True
            # Where the database is busy, the lease ends by itself.
            with suppress(StoreError), self._store.waiting(Patience(SECONDS_TO_LEAVE)):
                self._store.claims.leave(self._owner)

    async def _renew_again_and_again(self) -> None:
        while True:
            await asyncio.sleep(SECONDS_BETWEEN_RENEWALS)
            # Once a lock that was held too long is gone, others look for late leases within seconds.
            while self._claims and not await asyncio.to_thread(self._renew):
                pass

    def _renew(self) -> bool:
        with self._lock:
            if self._over:
                return True
            with suppress(StoreError), self._store.impatient():
                self._store.claims.renew(self._owner)
                return True
            return False
