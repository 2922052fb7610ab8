"""Connections: how a judge reaches its server from any event loop; an embedded model is started for it."""

from __future__ import annotations

import asyncio
import weakref
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from turnwise.engine.judge.answers import Answer
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.flights import Flights
from turnwise.engine.judge.limits import AdaptiveLimit
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.judge.wire import Wire

if TYPE_CHECKING:
    from turnwise.engine.judge.embedded.server import EmbeddedServer, SharedServers


@dataclass(slots=True)
class Connection:
    """What a judge has in one event loop.

    limit: of the calls in flight. flights, lookups: what is under way. leases: how many use it.
    """

    limit: AdaptiveLimit
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    flights: Flights[Answer] = field(default_factory=Flights)
    lookups: Flights[JudgeCall] = field(default_factory=Flights)
    wire: Wire | None = None
    leases: int = 0

    async def close(self) -> None:
        """End what is under way and close the wire; it is opened anew when it is needed again."""
        await self.flights.close()
        await self.lookups.close()
        wire, self.wire = self.wire, None
        if wire is not None:
            await wire.close()


class Connections:
    """The connections of one judge.

    servers: the running embedded models to share with others; by default the judge's own.
    """

    def __init__(self, settings: JudgeSettings, servers: SharedServers | None = None) -> None:
        self._settings = settings
        self._servers = servers
        self._resources = AsyncExitStack()
        self._server: EmbeddedServer | None = None
        self._address: tuple[str, str] | None = None
        # Connections, locks and tasks belong to the loop they were made in, and a library's caller may
        # run each measurement in a loop of its own.
        self._by_loop: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Connection] = (
            weakref.WeakKeyDictionary()
        )

    def here(self) -> Connection:
        """Return the connection of the running event loop."""
        loop = asyncio.get_running_loop()
        connection = self._by_loop.get(loop)
        if connection is None:
            connection = self._by_loop[loop] = Connection(AdaptiveLimit(self._settings.concurrency))
        return connection

    async def wire(self) -> Wire:
        """Return this loop's wire, opened where it is not yet."""
        connection = self.here()
        if connection.wire is not None:
            return connection.wire
        async with connection.opening:
            if connection.wire is None:
                base_url, api_key = await self._reach()
                connection.wire = await Wire.open(base_url, api_key, seconds=self._settings.timeout)
            return connection.wire

    async def _reach(self) -> tuple[str, str]:
        """Return address and key, the embedded model started where that is the judge."""
        if self._settings.model_file is None:
            return self._settings.base_url, self._settings.api_key
        if self._address is None:
            from turnwise.engine.judge.embedded.server import DEFAULT_CONTEXT, SharedServers

            server = await self._resources.enter_async_context(
                (self._servers or SharedServers()).use(
                    self._settings.model_file,
                    context=self._settings.context_tokens or DEFAULT_CONTEXT,
                    parallel=self._settings.concurrency,
                )
            )
            self._server = server
            self._address = server.base_url, server.api_key
        return self._address

    async def revive(self) -> None:
        """Start an embedded model anew whose process has ended, so that the next try finds it."""
        if self._server is None:
            return
        await self._server.start()
        address = self._server.base_url, self._server.api_key
        if address != self._address:
            self._address = address
            connection = self.here()
            wire, connection.wire = connection.wire, None
            if wire is not None:
                await wire.close()

    async def close(self) -> None:
        """Close this loop's connection and stop an embedded model; both come back when they are needed."""
        await self.here().close()
        self._server = self._address = None
        await self._resources.aclose()
