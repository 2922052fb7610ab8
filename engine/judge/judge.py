"""Judge: puts questions to a language model and gives back checked answers, every call kept.

An answer comes from the book of calls where it is there; else from one call, shared by all who ask the
same at the same time, within the limit of calls in flight, tried again while there is hope, its reply
checked against the question's schema and asked for once more where it is malformed.
"""

from __future__ import annotations

import asyncio
import secrets
import time
import weakref
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
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
from turnwise.engine.judge.abilities import Abilities, conceded, first_abilities, request_body
from turnwise.engine.judge.calls import CallBook, JudgeCall, MemoryCallBook
from turnwise.engine.judge.faults import Fault, judge_error
from turnwise.engine.judge.flights import Flights
from turnwise.engine.judge.limits import AdaptiveLimit
from turnwise.engine.judge.lookups import NOT_OFFERED, LookUp
from turnwise.engine.judge.pictures import without_image_data
from turnwise.engine.judge.prices import cost_of, has_price
from turnwise.engine.judge.probabilities import compact_tokens, weighted_score
from turnwise.engine.judge.questions import CORRECTION, CORRECTION_OF_LENGTH, Question, messages
from turnwise.engine.judge.replies import parse_reply
from turnwise.engine.judge.retries import with_retries
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.judge.wire import Completion, Wire, usage_in

if TYPE_CHECKING:
    from turnwise.engine.judge.embedded.server import EmbeddedServer, SharedServers

NO_PROBABILITIES = "the judge gives no token probabilities, so the score is the number it wrote"
NO_WEIGHTS = "the token probabilities give no weights for this score, so it is the number the judge wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A checked answer.

    value: the object asked for. call: the call it came in; `call.cached` says whether it was made now.
    weighted: the key `score` weighted by token probability, in the schema's range; None where the question
    does not ask for it or the judge gives no probabilities, and then `note` says so.
    rejected: the calls before it whose replies were malformed.
    """

    value: dict[str, Any]
    call: JudgeCall
    weighted: float | None = None
    note: str = ""
    rejected: tuple[JudgeCall, ...] = ()

    @property
    def cost(self) -> float | None:
        """What was spent now for this answer, in US dollars; None where no price is known."""
        costs = [call.cost for call in (*self.rejected, self.call) if not call.cached]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if known or not costs else None


@dataclass(slots=True)
class _Part:
    """What a judge has in one event loop."""

    limit: AdaptiveLimit
    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    flights: Flights[Answer] = field(default_factory=Flights)
    lookups: Flights[JudgeCall] = field(default_factory=Flights)
    wire: Wire | None = None
    leases: int = 0


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
        self._servers = servers
        self._resources = AsyncExitStack()
        self._server: EmbeddedServer | None = None
        self._address: tuple[str, str] | None = None
        self._sleep = sleep
        # Connections, locks and tasks belong to the loop they were made in, and a library's caller may
        # run each measurement in a loop of its own.
        self._parts: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _Part] = weakref.WeakKeyDictionary()

    @property
    def in_flight(self) -> int:
        """The number of calls in flight in the running event loop."""
        return self._part().limit.in_flight

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
        part = self._part()
        return await part.flights.join(key, lambda: self._answer(key, question, part))

    def _kept(self, key: str, question: Question) -> Answer | None:
        call = self.book.get(key, lasting=question.lasting)
        if call is None:
            return None
        try:
            value = _read(question, call)
        except MalformedReplyError:
            return None
        return _answered(question, value, replace(call, cached=True), ())

    async def _answer(self, key: str, question: Question, part: _Part) -> Answer:
        rejected: list[JudgeCall] = []
        addendum, longer = "", 1
        while True:
            self._check_budget()
            call, declined = await self._call(key, question, part, addendum, longer)
            error: JudgeError
            try:
                if declined:
                    raise _decline(declined, self.settings)
                value = _read(question, call)
            except (MalformedReplyError, JudgeRefusedError) as raised:
                error = raised
            else:
                self.book.add(call)
                return _answered(question, value, call, tuple(rejected))
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
        part = self._part()
        return await part.lookups.join(key, lambda: self._looked_up(key, wanted, part))

    async def _looked_up(self, key: str, wanted: LookUp, part: _Part) -> JudgeCall:
        self._check_budget()
        began = time.perf_counter()

        async def attempt() -> str:
            wire = part.wire or await self._open(part)
            return await wire.post(wanted.path, wanted.body)

        try:
            text = await with_retries(attempt, part.limit, sleep=self._sleep)
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
        self, key: str, question: Question, part: _Part, addendum: str, longer: int
    ) -> tuple[JudgeCall, str]:
        """Make one call; return it and the words in which the judge declined, if it did."""
        while True:
            abilities = self._abilities
            body = request_body(self.settings, question, abilities, addendum, longer)
            began = 0.0

            async def attempt(body: dict[str, Any] = body) -> Completion:
                nonlocal began
                wire = part.wire or await self._open(part)
                began = time.perf_counter()
                try:
                    return await wire.complete(body)
                except Fault as fault:
                    if fault.status is None and not fault.timed_out:
                        await self._revive(part)
                    raise

            try:
                completion = await with_retries(attempt, part.limit, sleep=self._sleep)
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

    def _part(self) -> _Part:
        loop = asyncio.get_running_loop()
        part = self._parts.get(loop)
        if part is None:
            part = self._parts[loop] = _Part(AdaptiveLimit(self.settings.concurrency))
        return part

    async def _open(self, part: _Part) -> Wire:
        async with part.opening:
            if part.wire is None:
                base_url, api_key = await self._reach()
                part.wire = await Wire.open(base_url, api_key, seconds=self.settings.timeout)
            return part.wire

    async def _reach(self) -> tuple[str, str]:
        """Return address and key, the embedded model started where that is the judge."""
        if self.settings.model_file is None:
            return self.settings.base_url, self.settings.api_key
        if self._address is None:
            from turnwise.engine.judge.embedded.server import DEFAULT_CONTEXT, SharedServers

            server = await self._resources.enter_async_context(
                (self._servers or SharedServers()).use(
                    self.settings.model_file,
                    context=self.settings.context_tokens or DEFAULT_CONTEXT,
                    parallel=self.settings.concurrency,
                )
            )
            self._server = server
            self._address = server.base_url, server.api_key
        return self._address

    async def _revive(self, part: _Part) -> None:
        """Start an embedded model anew whose process has ended, so that the next try finds it."""
        if self._server is None:
            return
        await self._server.start()
        address = self._server.base_url, self._server.api_key
        if address != self._address:
            self._address = address
            wire, part.wire = part.wire, None
            if wire is not None:
                await wire.close()

    @asynccontextmanager
    async def lease(self) -> AsyncIterator[Self]:
        """Use a judge that belongs to somebody else; the last to leave closes this loop's connections."""
        part = self._part()
        part.leases += 1
        try:
            yield self
        finally:
            part.leases -= 1
            if not part.leases:
                await self._close_part(part)

    async def close(self) -> None:
        """End what is under way, close the connections and stop an embedded model; it may be asked again."""
        await self._close_part(self._part())
        self._server = self._address = None
        await self._resources.aclose()

    async def _close_part(self, part: _Part) -> None:
        await part.flights.close()
        await part.lookups.close()
        wire, part.wire = part.wire, None
        if wire is not None:
            await wire.close()

    async def __aenter__(self) -> Self:
        self._part().leases += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._part().leases -= 1
        await self.close()


def _answered(
    question: Question, value: dict[str, Any], call: JudgeCall, rejected: tuple[JudgeCall, ...]
) -> Answer:
    weighted, note = _weighted(question, call) if question.token_probabilities else (None, "")
    return Answer(value=value, call=call, weighted=weighted, note=note, rejected=rejected)


def _read(question: Question, call: JudgeCall) -> dict[str, Any]:
    """Return the answer in a call. Raises MalformedReplyError where there is none, or none of any use."""
    value = parse_reply(call.reply, question.accepted, call.finish_reason)
    if question.usable is not None and not question.usable(value):
        raise MalformedReplyError(
            "The judge's reply is not what was asked for",
            detail=f"nothing in it answers the question\nreply: {call.reply[:200]!r}",
            next_step="Try again, or use another judge.",
        )
    return value


def _weighted(question: Question, call: JudgeCall) -> tuple[float | None, str]:
    if not call.tokens:
        return None, NO_PROBABILITIES
    schema = question.schema.get("properties", {}).get("score", {})
    low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 10))
    score = weighted_score(call.tokens, call.reply, low=low, high=high)
    return score, "" if score is not None else NO_WEIGHTS


def _decline(declined: str, settings: JudgeSettings) -> JudgeRefusedError:
    return JudgeRefusedError(
        "The judge declines to judge this conversation",
        detail=f"{settings.model}: {declined[:200]!r}",
        next_step="Use another judge for it.",
    )
