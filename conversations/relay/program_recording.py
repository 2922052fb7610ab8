"""Recording from within a program: `with turnwise.recording(role=...)`, and what its clients say is kept.

    with turnwise.recording(role="A pool's desk") as recording:
        client = OpenAI(http_client=recording.http_client())
        ...

Nothing of a client is replaced: they take an HTTP client of their owner's, and that is where is listened.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.live import require_packages
from turnwise.conversations.relay.call_spool import CallSpool
from turnwise.conversations.relay.relayed_call import CallNames, RelayedCall
from turnwise.conversations.relay.sessions_of_calls import TakenCalls
from turnwise.conversations.store import Patience, Store, default_path

if TYPE_CHECKING:
    import httpx2

SOURCE = "python"
"""Where the sessions come from, for people."""
SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_TO_WAIT = 5.0
"""So long a database that is in use is waited for at the end; what is not in it by then comes in later."""
_LOG = logging.getLogger("turnwise.recording")
Client = TypeVar("Client")


class ProgramRecording:
    """What is said within a `with` or `async with`, from its first call to its end.

    sessions: those that were made or grew, once they are in the database. problem: why something is not in it
    yet; empty where all is. Recording never makes a call fail.
    """

    def __init__(self, *, role: str, name: str, database: Path, metadata: Mapping[str, Any]) -> None:
        self.sessions: list[int] = []
        self.problem = ""
        self._role = role
        self._name = name
        self._metadata = dict(metadata)
        self._database = database
        self._id = uuid.uuid4().hex
        self._spool: CallSpool | None = None
        self._news = threading.Event()
        self._ended = threading.Event()
        self._taking: threading.Thread | None = None

    def http_client(self, **settings: Any) -> httpx2.Client:
        """Return an HTTP client for `OpenAI(http_client=...)` or `Anthropic(http_client=...)`.

        settings: as of httpx2.Client, such as a timeout or a proxy.
        """
        from turnwise.conversations.relay.recording_clients import recording_client

        return recording_client(self._keep, self._named, **settings)

    def async_http_client(self, **settings: Any) -> httpx2.AsyncClient:
        """Return the same for `AsyncOpenAI` and `AsyncAnthropic`."""
        from turnwise.conversations.relay.recording_clients import async_recording_client

        return async_recording_client(self._keep, self._named, **settings)

    def listening(self, client: Client) -> Client:
        """Return a client like one that is there already, by its own `with_options`, that is listened to.

        Raises SettingError for what has no such method.
        """
        copied = getattr(client, "with_options", None)
        if not callable(copied):
            raise SettingError(
                f"A {type(client).__name__} cannot be listened to",
                next_step="Give a client of openai or anthropic, or pass it recording.http_client().",
            )
        is_async = type(client).__name__.startswith("Async")
        inner = self.async_http_client() if is_async else self.http_client()
        listened: Client = copied(http_client=inner)
        return listened

    def __enter__(self) -> Self:
        # Whatever is wrong with the database is said before the first call.
        Store.open(self._database).close()
        self._spool = CallSpool(self._database)
        self._taking = threading.Thread(target=self._take_in, name="turnwise recording", daemon=True)
        self._taking.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._news.set()
        if self._taking is not None:
            self._taking.join()
        if self._spool is not None:
            if waiting := self._spool.waiting + self._spool.lost:
                self._tell(f"{waiting} calls could not be kept: {self._spool.fault}")
            self._spool.close()
            self._spool = None

    async def __aenter__(self) -> Self:
        return await asyncio.to_thread(self.__enter__)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.__exit__, kind, error, trace)

    def _named(self, said: CallNames) -> CallNames:
        lane = f"{self._id}:{threading.get_ident()}"
        metadata = {**self._metadata, **said.metadata}
        return replace(said, title=self._name, role=self._role, lane=lane, source=SOURCE, metadata=metadata)

    def _keep(self, call: RelayedCall) -> None:
        # What is said after the end belongs to nobody.
        if (spool := self._spool) is not None:
            spool.add(call)
            self._news.set()

    def _take_in(self) -> None:
        assert self._spool is not None  # noqa: S101
        try:
            with Store.open(self._database, patience=Patience(SECONDS_TO_WAIT)) as store:
                taken = TakenCalls(store, self._spool)
                while True:
                    self._news.wait()
                    is_last = self._ended.is_set()
                    self._news.clear()
                    self._take(taken)
                    if is_last:
                        return
                    # Many calls in a row are taken in together.
                    self._ended.wait(SECONDS_BETWEEN_LOOKS)
                    if self._ended.is_set():
                        self._news.set()
        except TurnwiseError as error:
            self._tell(str(error))

    def _take(self, taken: TakenCalls) -> None:
        try:
            for one in taken.take_in():
                if one.session not in self.sessions:
                    self.sessions.append(one.session)
            self.problem = ""
        except TurnwiseError as error:
            self._tell(f"{error.title}. What was said waits beside the database and comes in later.")

    def _tell(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            _LOG.warning("%s", problem)


def recording(
    *,
    role: str = "",
    name: str = "",
    database: str | Path | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> ProgramRecording:
    """Record what clients of OpenAI and Anthropic say, as sessions that grow with every call.

    role: what the chatbot is supposed to be. name: of the sessions; by default the user's first words.
    database: by default TURNWISE_DB, or turnwise.db in the data folder. metadata: of the sessions. A client
    is given `http_client()` or `async_http_client()` of it, or is made by `listening(client)`. Raises
    SettingError where a package is missing, StoreError where the database cannot be opened.
    """
    require_packages(("httpx2",), what="Recording", extra="proxy")
    path = Path(database) if database is not None else default_path()
    return ProgramRecording(role=role, name=name, database=path, metadata=metadata or {})
