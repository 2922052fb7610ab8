"""Judge: puts questions to a language model and gives back checked answers, every call kept.

An answer comes from the book of calls where it is there; else from one call, shared by all who ask the
same at the same time, within the limit of calls in flight, tried again while there is hope, its reply
checked against the question's schema and asked for once more where it is malformed.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from turnwise.conversations.errors import JudgeError, JudgeRefusedError, MalformedReplyError, SettingError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.engine.judge.budget import Budget, Purse, guessed_tokens, tokens_of_text
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
    odd_answer,
    opening_of,
    refusal,
)
from turnwise.engine.judge.usual_judge import kept_wishes, usual_judge, within_limits
from turnwise.engine.models.choose import choose_model
from turnwise.engine.models.faults import Fault, model_error
from turnwise.engine.models.limits import AdaptiveLimit, Flights, RetryLimits, with_retries
from turnwise.engine.models.provider import (
    NOT_OFFERED,
    ByLoop,
    LookUp,
    Means,
    ModelReply,
    ModelRequest,
    Provider,
)
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
    provider: what asks the model, where the settings alone do not say.
    purse: of the judges that share a budget with this one.
    sleep: how to wait between tries.
    secret: a random key for whoever asks without a database, from which fences are derived.
    """

    def __init__(
        self,
        settings: ModelSettings,
        book: CallBook | None = None,
        *,
        servers: SharedServers | None = None,
        provider: Provider | None = None,
        purse: Purse | None = None,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self.fingerprint = settings.fingerprint
        self.book: CallBook = MemoryCallBook() if book is None else book
        if settings.is_offline and settings.context_tokens is None:
            # Its server is not asked how much it can hold, and only the same questions have kept replies.
            settings = replace(settings, context_tokens=self.book.context_tokens(self.fingerprint))
        self.settings = settings
        self.secret = secrets.token_hex(16)
        self._budget = Budget(settings, purse)
        self._patience = RetryLimits(settings.tries, settings.longest_wait)
        means = Means(servers=servers, kept=lambda: self.book.requests(self.fingerprint))
        self._provider = open_provider(settings, means) if provider is None else provider
        self._connections = ByLoop(lambda: _Connection(AdaptiveLimit(settings.concurrency)))
        self._sleep = sleep

    @property
    def in_flight(self) -> int:
        """The number of calls in flight in the running event loop."""
        return self._connections.here().limit.in_flight

    @property
    def spent(self) -> float:
        """US dollars."""
        return self._budget.spent

    @property
    def calls_made(self) -> int:
        """The number of calls that were answered."""
        return self._budget.calls

    @property
    def waiting(self) -> str:
        """What is waited for in the running event loop, where that is worth a word; see `Waits.words`."""
        return self._connections.here().limit.waits.words(self.settings.noun)

    @property
    def retrying(self) -> float:
        """For how many seconds tries have failed in the running event loop; see `Waits.retrying`."""
        return self._connections.here().limit.waits.retrying

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
            call, reply = await self._call(key, question, connection, addendum, longer)
            error: JudgeError
            try:
                if reply.odd:
                    raise odd_answer(reply.odd, self.settings)
                if reply.declined:
                    raise refusal(reply.declined, self.settings)
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
            if isinstance(error, JudgeRefusedError) or len(rejected) == 2:
                error.calls = tuple(one.key for one in rejected)
                if isinstance(error, MalformedReplyError):
                    error.replies = tuple(one.reply for one in rejected)
                raise error
            cut = call.finish_reason == "length"
            addendum, longer = (CORRECTION_OF_LENGTH, 2) if cut else (CORRECTION, 1)

    async def load(self) -> None:
        """Import what a question needs, before work that would keep that waiting; see `Provider.load`."""
        await self._provider.load()

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
        began = time.perf_counter()
        model = wanted.model or self.settings.model

        async def attempt() -> str:
            return await self._provider.look_up(wanted.path, wanted.body)

        def sent() -> int:
            return tokens_of_text(json.dumps(dict(wanted.body), ensure_ascii=False))

        async with self._budget.reserved(sent, longest=0, model=model) as settle:
            try:
                text = await with_retries(
                    attempt, connection.limit, patience=self._patience, sleep=self._sleep
                )
            except Fault as fault:
                error = model_error(fault, self.settings)
                if fault.status in NOT_OFFERED:
                    title = f"The judge's server gives no {wanted.noun}"
                    error = JudgeRefusedError(title, detail=error.detail, next_step=wanted.next_step)
                raise error from None
            usage = usage_in(text)
            cost = settle(usage, model)
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
    ) -> tuple[JudgeCall, ModelReply]:
        """Make one call; return it and the reply as it came."""
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
        reserving = self._budget.reserved(
            lambda: guessed_tokens(request), longest=request.max_tokens, model=self.settings.model
        )
        async with reserving as settle:
            try:
                reply = await with_retries(
                    attempt, connection.limit, kind=kind, patience=self._patience, sleep=self._sleep
                )
            except Fault as fault:
                raise model_error(fault, self.settings) from None
            cost = settle(reply.usage, reply.model)
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
        return call, reply

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


JudgeNamed = Judge | ModelSettings | str | object | None
"""What a judge may be named by, a model of one's own among it; see `open_judge`."""


@asynccontextmanager
async def open_judge(
    model: JudgeNamed, *, needed: bool = True, book: CallBook | None = None
) -> AsyncIterator[Judge | None]:
    """Give the judge that is meant, and close it afterwards if it was made here.

    model: a judge, settings, what `choose_model` takes, or a model of one's own as `OwnModel` asks it; None
    is the usual judge. needed: without need None is given. Raises what choose_model raises, and SettingError
    for what is no judge.
    """
    if not needed:
        yield None
    elif isinstance(model, Judge):
        async with model.lease() as judge:
            yield judge
    elif not isinstance(model, ModelSettings | str | None):
        from turnwise.engine.models.own_model import OwnModel  # few programs bring a model

        settings = _settings_of_own(model)
        async with Judge(settings, book, provider=OwnModel(model, settings)) as judge:
            yield judge
    else:
        chosen = model if isinstance(model, ModelSettings) else await _named(model)
        if chosen is None:
            yield None
        else:
            async with Judge(chosen, book) as judge:
                yield judge


async def _named(text: str | None) -> ModelSettings | None:
    """Return the judge of that name, the usual one where there is none, within the limits of the settings."""
    wishes = kept_wishes()
    chosen = await choose_model(usual_judge(wishes, os.environ)[0] if text is None else text)
    return within_limits(chosen, wishes) if chosen else None


def _settings_of_own(model: object) -> ModelSettings:
    from turnwise.engine.models.own_model import is_own_model, own_settings  # few programs bring a model

    if not is_own_model(model):
        kind = model.__name__ if isinstance(model, type) else type(model).__name__
        raise SettingError(
            "That is no judge",
            detail=f"Given: {'the class' if isinstance(model, type) else 'an object of the class'} {kind}",
            next_step="Give an object with generate(prompt) or a_generate(prompt), a function of a prompt, a "
            "Judge, or a text such as a server's address.",
        )
    return own_settings(model)
