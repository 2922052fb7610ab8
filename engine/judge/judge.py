"""Judge: puts questions to a language model and gives back checked answers, every call kept.

An answer comes from the book of calls where it is there; else from one call, shared by all who ask the
same at the same time, within the limit of calls in flight, tried again while there is hope, its reply
checked against the question's schema and asked for once more where it is malformed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from turnwise.conversations.errors import (
    BudgetSpentError,
    JudgeError,
    JudgeRefusedError,
    MalformedReplyError,
    SettingError,
)
from turnwise.conversations.fingerprints import fingerprint
from turnwise.engine.judge.abilities import Abilities, conceded, first_abilities, request_body
from turnwise.engine.judge.answers import Answer, answer_in, refusal
from turnwise.engine.judge.calls import CallBook, JudgeCall, MemoryCallBook
from turnwise.engine.judge.connections import Connection, Connections
from turnwise.engine.judge.faults import Fault, judge_error
from turnwise.engine.judge.lookups import NOT_OFFERED, LookUp
from turnwise.engine.judge.pictures import without_image_data
from turnwise.engine.judge.prices import cost_of, has_price
from turnwise.engine.judge.probabilities import compact_tokens
from turnwise.engine.judge.questions import (
    CORRECTION,
    CORRECTION_OF_LENGTH,
    Question,
    messages,
    opening_of,
)
from turnwise.engine.judge.retries import with_retries
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.judge.wire import Completion, usage_in

if TYPE_CHECKING:
    from turnwise.engine.judge.embedded.server import SharedServers


class Judge:
    """A language model that judges. Ask it from any event loop; close it, or use it as `async with`.

    book: where calls are kept and found again; by default one in memory.
    servers: the running embedded models to share with others; by default the judge's own.
    sleep: how to wait between tries.
    secret: a random key for whoever asks without a database, from which fences are derived.
    After the asking: spent, US dollars; calls_made, the calls that were answered; in_flight.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        book: CallBook | None = None,
        *,
        servers: SharedServers | None = None,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self.fingerprint = settings.fingerprint
        self.book: CallBook = MemoryCallBook() if book is None else book
        self.secret = secrets.token_hex(16)
        self.spent = 0.0
        self.calls_made = 0
        self._abilities = first_abilities(settings)
        self._connections = Connections(settings, servers)
        self._sleep = sleep

    @property
    def in_flight(self) -> int:
        """The number of calls in flight in the running event loop."""
        return self._connections.here().limit.in_flight

    def key_of(self, question: Question) -> str:
        """Return the key under which the answer to a question is kept."""
        wanted = [question.schema, question.token_probabilities, question.max_tokens]
        return fingerprint([self.fingerprint, messages(question), *wanted])

    async def ask(self, question: Question) -> Answer:
        """Return the answer to a question.

        Raises JudgeUnavailableError, JudgeRefusedError, MalformedReplyError (asked twice), BudgetSpentError,
        and SettingError where a budget is set and no price is known.
        """
        key = self.key_of(question)
        if (kept := self._kept(key, question)) is not None:
            return kept
        connection = self._connections.here()
        return await connection.flights.join(key, lambda: self._answer(key, question, connection))

    def _kept(self, key: str, question: Question) -> Answer | None:
        call = self.book.get(key, lasting=question.lasting)
        if call is None:
            return None
        try:
            return answer_in(question, replace(call, cached=True))
        except MalformedReplyError:
            return None

    async def _answer(self, key: str, question: Question, connection: Connection) -> Answer:
        rejected: list[JudgeCall] = []
        addendum, longer = "", 1
        while True:
            self._check_budget()
            call, declined = await self._call(key, question, connection, addendum, longer)
            error: JudgeError
            try:
                if declined:
                    raise refusal(declined, self.settings)
                answer = answer_in(question, call, tuple(rejected))
            except (MalformedReplyError, JudgeRefusedError) as raised:
                error = raised
            else:
                if not question.lasting:
                    self.book.add(call)
                    return answer
                return answer_in(question, self.book.settle(call), tuple(rejected))
            # A key of its own: kept as evidence, never found as the answer.
            call = replace(call, key=f"{key}.{time.time_ns():x}", answered=False)
            self.book.add(call)
            rejected.append(call)
            if declined or len(rejected) == 2:
                error.calls = tuple(one.key for one in rejected)
                if isinstance(error, MalformedReplyError):
                    error.replies = tuple(one.reply for one in rejected)
                raise error
            cut = call.finish_reason == "length"
            addendum, longer = (CORRECTION_OF_LENGTH, 2) if cut else (CORRECTION, 1)

    async def look_up(self, wanted: LookUp) -> JudgeCall:
        """Return what the judge's server answers to something else than a question, kept like an answer.

        Raises JudgeUnavailableError, JudgeRefusedError, MalformedReplyError, BudgetSpentError, SettingError.
        """
        key = fingerprint([self.fingerprint, wanted.path, dict(wanted.body)])
        if (kept := self.book.get(key)) is not None:
            return replace(kept, cached=True)
        connection = self._connections.here()
        return await connection.lookups.join(key, lambda: self._looked_up(key, wanted, connection))

    async def _looked_up(self, key: str, wanted: LookUp, connection: Connection) -> JudgeCall:
        self._check_budget()
        began = time.perf_counter()

        async def attempt() -> str:
            wire = await self._connections.wire()
            return await wire.post(wanted.path, wanted.body)

        try:
            text = await with_retries(attempt, connection.limit, sleep=self._sleep)
        except Fault as fault:
            error = judge_error(fault, self.settings)
            if fault.status in NOT_OFFERED:
                title = f"The judge's server gives no {wanted.noun}"
                error = JudgeRefusedError(title, detail=error.detail, next_step=wanted.next_step)
            raise error from None
        model, usage = wanted.model or self.settings.model, usage_in(text)
        cost = cost_of(usage, replace(self.settings, model=model), model)
        self.spent += cost or 0.0
        self.calls_made += 1
        call = JudgeCall(
            key=key,
            judge=self.fingerprint,
            model=model,
            request=wanted.body,
            reply=text,
            usage=usage,
            seconds=time.perf_counter() - began,
            cost=cost,
            created_at=time.time(),
        )
        try:
            wanted.check(text)
        except MalformedReplyError as malformed:
            call = replace(call, key=f"{key}.{time.time_ns():x}", answered=False)
            malformed.calls, malformed.replies = (call.key,), (text,)
            self.book.add(call)
            raise
        self.book.add(call)
        return call

    async def _call(
        self, key: str, question: Question, connection: Connection, addendum: str, longer: int
    ) -> tuple[JudgeCall, str]:
        """Make one call; return it and the words in which the judge declined, if it did."""
        while True:
            abilities = self._abilities
            body = request_body(self.settings, question, abilities, addendum, longer)
            began = 0.0

            async def attempt(body: dict[str, Any] = body) -> Completion:
                nonlocal began
                wire = await self._connections.wire()
                began = time.perf_counter()
                try:
                    return await wire.complete(body)
                except Fault as fault:
                    if fault.status is None and not fault.timed_out:
                        await self._connections.revive()
                    raise

            # A model of one's own keeps what it has read: questions that begin alike are asked in a row.
            kind = opening_of(question) if self.settings.model_file else ""
            try:
                completion = await with_retries(attempt, connection.limit, kind=kind, sleep=self._sleep)
            except Fault as fault:
                self._concede(abilities, fault, body)
                continue
            break
        cost = cost_of(completion.usage, self.settings, completion.model)
        self.spent += cost or 0.0
        self.calls_made += 1
        call = JudgeCall(
            key=key,
            judge=self.fingerprint,
            model=completion.model or self.settings.model,
            request=without_image_data(body),
            reply=completion.text,
            usage=completion.usage,
            seconds=time.perf_counter() - began,
            cost=cost,
            created_at=time.time(),
            tokens=compact_tokens(completion.log_probabilities),
            finish_reason=completion.finish_reason,
        )
        return call, completion.declined

    def _concede(self, tried: Abilities, fault: Fault, body: dict[str, Any]) -> None:
        """Ask for less from now on, where the refusal says of what. Raises the JudgeError otherwise."""
        weaker = conceded(tried, fault, body, fixed_style=self.settings.style != "auto")
        if weaker is None:
            raise judge_error(fault, self.settings) from None
        # Many calls may be refused at once; what another has learned meanwhile is not to be undone.
        if self._abilities == tried:
            self._abilities = weaker

    def _check_budget(self) -> None:
        budget = self.settings.budget
        if budget is None:
            return
        if self.calls_made == 0 and not (self.settings.is_local or has_price(self.settings)):
            raise SettingError(
                "A budget needs a price, and none is known for this judge",
                detail=f"{self.settings.model} at {self.settings.address}",
                next_step="Leave the budget out, or give the price for a million tokens.",
            )
        if self.spent >= budget:
            raise BudgetSpentError(
                "The budget is spent",
                detail=f"${self.spent:.4f} of ${budget:.4f} after {self.calls_made} calls",
                next_step="What is scored is kept; go on with a larger budget.",
            )

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Self]:
        """Use a judge that belongs to somebody else; the last to leave closes this loop's connections."""
        connection = self._connections.here()
        connection.leases += 1
        try:
            yield self
        finally:
            connection.leases -= 1
            if not connection.leases:
                await connection.close()

    async def close(self) -> None:
        """End what is under way, close the connections and stop an embedded model; it may be asked again."""
        await self._connections.close()

    async def __aenter__(self) -> Self:
        self._connections.here().leases += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connections.here().leases -= 1
        await self.close()
