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
from dataclasses import dataclass, field, replace
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
from turnwise.engine.judge.calls import CallBook, JudgeCall, MemoryCallBook
from turnwise.engine.judge.pictures import without_image_data
from turnwise.engine.judge.probabilities import compact_tokens
from turnwise.engine.judge.questions import (
    CORRECTION,
    CORRECTION_OF_LENGTH,
    JudgeAnswer,
    Question,
    answer_in,
    messages,
    opening_of,
    refusal,
)
from turnwise.engine.models.choose import choose_model
from turnwise.engine.models.faults import Fault, model_error
from turnwise.engine.models.limits import AdaptiveLimit, Flights, with_retries
from turnwise.engine.models.prices import cost_of, has_price
from turnwise.engine.models.provider import NOT_OFFERED, ByLoop, LookUp, Means, ModelReply, ModelRequest
from turnwise.engine.models.providers import open_provider
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.models.wire import usage_in

if TYPE_CHECKING:
    from turnwise.engine.models.embedded.server import SharedServers


@dataclass(slots=True)
class _Connection:
    """What a judge has in one event loop.

    limit: of the calls in flight. flights, lookups: what is under way. leases: how many use it.
    """

    limit: AdaptiveLimit
    flights: Flights[JudgeAnswer] = field(default_factory=Flights)
    lookups: Flights[JudgeCall] = field(default_factory=Flights)
    leases: int = 0

    async def end(self) -> None:
        """End what is under way."""
        await self.flights.close()
        await self.lookups.close()


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
        settings: ModelSettings,
        book: CallBook | None = None,
        *,
        servers: SharedServers | None = None,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self.fingerprint = settings.fingerprint
        self.book: CallBook = MemoryCallBook() if book is None else book
        if settings.is_offline and settings.context_tokens is None:
            # Its server is not asked how much it can hold, and only the same questions have kept replies.
            settings = replace(settings, context_tokens=self.book.context_tokens(self.fingerprint))
        self.settings = settings
        self.secret = secrets.token_hex(16)
        self.spent = 0.0
        self.calls_made = 0
        means = Means(servers=servers, kept=lambda: self.book.requests(self.fingerprint))
        self._provider = open_provider(settings, means)
        self._connections = ByLoop(lambda: _Connection(AdaptiveLimit(settings.concurrency)))
        self._sleep = sleep

    @property
    def in_flight(self) -> int:
        """The number of calls in flight in the running event loop."""
        return self._connections.here().limit.in_flight

    def key_of(self, question: Question) -> str:
        """Return the key under which the answer to a question is kept."""
        wanted = [question.schema, question.token_probabilities, question.max_tokens]
        return fingerprint([self.fingerprint, messages(question), *wanted])

    async def ask(self, question: Question) -> JudgeAnswer:
        """Return the answer to a question.

        Raises JudgeUnavailableError, JudgeRefusedError, MalformedReplyError (asked twice), BudgetSpentError,
        and SettingError where a budget is set and no price is known.
        """
        key = self.key_of(question)
        if (kept := self._kept(key, question)) is not None:
            return kept
        connection = self._connections.here()
        return await connection.flights.join(key, lambda: self._answer(key, question, connection))

    def _kept(self, key: str, question: Question) -> JudgeAnswer | None:
        call = self.book.get(key, lasting=question.lasting or self.settings.is_offline)
        if call is None:
            return None
        try:
            return answer_in(question, replace(call, cached=True))
        except MalformedReplyError:
            return None

    async def _answer(self, key: str, question: Question, connection: _Connection) -> JudgeAnswer:
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
        if (kept := self.book.get(key, lasting=self.settings.is_offline)) is not None:
            return replace(kept, cached=True)
        connection = self._connections.here()
        return await connection.lookups.join(key, lambda: self._looked_up(key, wanted, connection))

    async def _looked_up(self, key: str, wanted: LookUp, connection: _Connection) -> JudgeCall:
        self._check_budget()
        began = time.perf_counter()

        async def attempt() -> str:
            return await self._provider.look_up(wanted.path, wanted.body)

        try:
            text = await with_retries(attempt, connection.limit, sleep=self._sleep)
        except Fault as fault:
            error = model_error(fault, self.settings)
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
        self, key: str, question: Question, connection: _Connection, addendum: str, longer: int
    ) -> tuple[JudgeCall, str]:
        """Make one call; return it and the words in which the judge declined, if it did."""
        most = question.max_tokens or self.settings.max_tokens
        request = ModelRequest(
            messages=messages(question),
            shared=question.transcript,
            addendum=addendum,
            schema=question.schema,
            schema_name=question.name,
            token_probabilities=question.token_probabilities,
            temperature=self.settings.temperature,
            seed=self.settings.seed,
            max_tokens=None if most is None else most * longer,
            options=self.settings.extra_body,
        )

        async def attempt() -> ModelReply:
            return await self._provider.complete(request)

        # A model of one's own keeps what it has read: questions that begin alike are asked in a row.
        kind = opening_of(question) if self.settings.model_file else ""
        try:
            reply = await with_retries(attempt, connection.limit, kind=kind, sleep=self._sleep)
        except Fault as fault:
            raise model_error(fault, self.settings) from None
        cost = cost_of(reply.usage, self.settings, reply.model)
        self.spent += cost or 0.0
        self.calls_made += 1
        call = JudgeCall(
            key=key,
            judge=self.fingerprint,
            model=reply.model or self.settings.model,
            request=without_image_data(reply.request),
            reply=reply.text,
            usage=reply.usage,
            seconds=reply.seconds,
            cost=cost,
            created_at=time.time(),
            tokens=compact_tokens(reply.log_probabilities),
            finish_reason=reply.finish_reason,
        )
        return call, reply.declined

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
                await connection.end()
                await self._provider.leave()

    async def close(self) -> None:
        """End what is under way, close the connections and stop an embedded model; it may be asked again."""
        await self._connections.here().end()
        await self._provider.close()

    async def __aenter__(self) -> Self:
        self._connections.here().leases += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connections.here().leases -= 1
        await self.close()


@asynccontextmanager
async def open_judge(
    model: Judge | ModelSettings | str | None, *, needed: bool = True, book: CallBook | None = None
) -> AsyncIterator[Judge | None]:
    """Give the judge that is meant, and close it afterwards if it was made here.

    model: a judge, settings, or what `choose_model` takes. needed: without need None is given. Raises what
    choose_model raises.
    """
    if not needed:
        yield None
    elif isinstance(model, Judge):
        async with model.lease() as judge:
            yield judge
    else:
        settings = model if isinstance(model, ModelSettings) else await choose_model(model)
        if settings is None:
            yield None
        else:
            async with Judge(settings, book) as judge:
                yield judge
