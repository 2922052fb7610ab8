"""Keeping: what became of each case of a suite, as a session with scores, and the answers as they come."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.store import Batch, Identity, Store
from turnwise.conversations.suites import Check, Suite, SuiteCase
from turnwise.conversations.turns import group_exchanges
from turnwise.engine.checks.findings import WHOLE, CaseOutcome, CheckOutcome
from turnwise.engine.judge.evidence import StoredCallBook
from turnwise.engine.scoring.writing import Writer
from turnwise.engine.suites.grouping import sees_history
from turnwise.engine.suites.identity import VERSION, Prints, details_of, least_of, numbered
from turnwise.engine.suites.messages import Said, conversation_of, plain

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge


SUITE = "suite"
"""The parameter of a run that names the file it ran."""


@dataclass(frozen=True, slots=True)
class Landed:
    """Cases that were done together. runs: by their positions in the suite. is_talk: one conversation."""

    runs: Mapping[int, CaseRun]
    is_talk: bool = False


_KeptAnswer = tuple[str, str]
"""The key of an answer, and the answer as JSON."""


_UnitKey = tuple[int, int | None, str, str, str]
"""See `Identity.key`."""


class Keeper:
    """Keeps what lands: answers, the judges' calls, a session for every case or conversation, their scores.

    Use it as `async with`; all that landed is kept when it is left. store: None keeps nothing. judges: those
    whose calls are kept; the first is named as the run's. prints: what its checks are known by. again: what
    was found before is not taken over. stop: set once somebody wants to leave. done: is given the positions
    of what is kept, in its transaction.
    """

    def __init__(
        self,
        suite: Suite,
        store: Store | None,
        judges: Sequence[Judge],
        prints: Prints,
        *,
        again: bool = False,
        stop: asyncio.Event | None = None,
        done: Callable[[Sequence[int]], None] = lambda positions: None,
    ) -> None:
        self._suite = suite
        self._store = store
        self._judges = judges
        self._models = {judge.fingerprint: judge.settings.model for judge in judges}
        self._prints = prints
        self._again = again
        self._done = done
        self._started = time.time()
        self.run_id = self._begin(store) if store else 0
        self._kept: dict[int, CaseRun] = {}
        self._paid: set[str] = set()
        self._writer: Writer[Landed | _KeptAnswer] | None = None
        if store is not None:
            books = [judge.book for judge in judges if isinstance(judge.book, StoredCallBook)]
            self._writer = Writer(store, books, partial(self._write, store), pack=self._pack, stop=stop)

    def _begin(self, store: Store) -> int:
        # The judge's settings come with all the metrics; a suite without a judge does without them.
        settings: dict[str, Any] = {}
        if self._judges:
            from turnwise.engine.scoring.judges import judge_settings

            settings = judge_settings(self._judges[0])
        names = dict.fromkeys(name for case in self._suite.cases for name in _names(case.checks))
        return store.runs.begin(
            judge=settings.get("model", "none"),
            metrics=[WHOLE, *names],
            judge_settings=settings,
            name=self._suite.description or self._suite.source.name,
            parameters={SUITE: suite_key(self._suite)},
        )

    def add(self, landed: Landed) -> None:
        """Have cases kept that were done together."""
        if self._writer is not None:
            self._writer.add(landed)
        else:
            self._kept |= landed.runs

    def add_answer(self, key: str, answer: str) -> None:
        """Have an answer kept, as JSON under its key."""
        if self._writer is not None:
            self._writer.add((key, answer))

    async def taken(self, position: int) -> CaseRun:
        """Return a case that was added, with the session that it is kept as. Raises StoreError."""
        if position not in self._kept and self._writer is not None:
            await self._writer.flush()
        return self._kept.pop(position)

    @property
    def failed(self) -> bool:
        """Whether nothing more can be kept; leaving the `async with` raises why."""
        return self._writer is not None and self._writer.failed

    async def finish(self) -> None:
        """Note that the suite came to its end."""
        if self._store is not None:
            await asyncio.to_thread(self._store.runs.finish, self.run_id)

    async def __aenter__(self) -> Self:
        if self._writer is not None:
            await self._writer.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            await self._writer.__aexit__(kind, error, trace)

    def _pack(self, waiting: Sequence[Landed | _KeptAnswer]) -> tuple[Batch, list[Landed | _KeptAnswer]]:
        """Return what was paid for, and the cases, whose sessions can only be made in the database."""
        answers = tuple(one for one in waiting if not isinstance(one, Landed))
        return Batch(run_id=self.run_id, answers=answers), [one for one in waiting if isinstance(one, Landed)]

    def _write(self, store: Store, batch: list[Landed | _KeptAnswer]) -> None:
        """Keep a batch, in the writer's thread."""
        store.answers.add_all(self.run_id, [one for one in batch if not isinstance(one, Landed)])
        new: list[tuple[Identity, Outcome]] = []
        for landed in batch:
            if isinstance(landed, Landed):
                for positions in self._sessions(landed):
                    runs = [landed.runs[position] for position in positions]
                    self._kept |= dict(zip(positions, self._session(store, runs, new), strict=True))
        store.scores.add_all(self.run_id, new)
        self._done([position for one in batch if isinstance(one, Landed) for position in one.runs])

    def _sessions(self, landed: Landed) -> Iterator[list[int]]:
        """Yield the positions of each session: a whole conversation, or one case."""
        talk: list[int] = []
        for position, run in landed.runs.items():
            if landed.is_talk and sees_history(self._suite, run.case):
                talk.append(position)
            else:
                yield [position]
        if talk:
            yield talk

    def _session(
        self, store: Store, runs: Sequence[CaseRun], new: list[tuple[Identity, Outcome]]
    ) -> list[CaseRun]:
        """Keep runs as one session, and return them with what became of it.

        new: gets those of their outcomes that are to be kept, together with those of other sessions.
        """
        asked = [run for run in runs if run.prompt or run.output is not None]
        if not asked:
            return list(runs)
        case = conversation_of(self._suite, [Said(run.case, run.prompt, run.output) for run in asked])
        added = store.sessions.add(
            case, source=self._suite.source.name, format=self._suite.format, created_at=self._started
        )
        before = _Before()
        if added.what != "new" and not self._again:
            # The same conversation may have come just before this one.
            store.scores.add_all(self.run_id, new)
            new.clear()
            before = _Before.of(store, added.session_id)
        exchanges = _exchanges(case) if len(asked) > 1 else []
        done: dict[int, CaseRun] = {}
        for run, exchange in zip_longest(asked, exchanges[: len(asked)]):
            read = run.read or fingerprint([run.prompt, str(run.output)])
            about = _About(added.session_id, exchange, read, run.case, self._prints)
            found = [self._judged(store, *one) for one in about.outcomes(run.result, run.case.threshold)]
            there = [before.id_of(*one) for one in found]
            new += self._take_over(store, found, there, before)
            costs = [run.cost, *(outcome.cost for _, outcome in found)]
            known = [cost for cost in costs if cost is not None]
            done[id(run)] = replace(
                run,
                session=added.session_id,
                kept=run.kept and None not in there,
                cost=sum(known) if known else None,
            )
        return [done.get(id(run), run) for run in runs]

    def _take_over(
        self,
        store: Store,
        found: Sequence[tuple[Identity, Outcome]],
        there: Sequence[int | None],
        before: _Before,
    ) -> list[tuple[Identity, Outcome]]:
        """Return what is to be kept; outcomes that are there, and stand, become a part of this run too.

        there: the ids of those that were found before, None for the others.
        """
        # Where another came after it, it is added once more, so that it is what stands now.
        if links := [known for known in there if known is not None and known in before.newest]:
            store.scores.link(self.run_id, links)
        return [
            one
            for one, known in zip(found, there, strict=True)
            if known is None or known not in before.newest
        ]

    def _judged(self, store: Store, identity: Identity, outcome: Outcome) -> tuple[Identity, Outcome]:
        """Return an outcome with who judged it, and what its calls cost in this run."""
        if not outcome.calls:
            return identity, outcome
        costs: list[float] = []
        for key in dict.fromkeys(outcome.calls):
            try:
                call = store.calls.get(key)
            except NotFoundError:
                continue
            model = self._models.get(call.judge, call.model)
            identity = replace(identity, judge_fingerprint=call.judge, judge=model)
            # What an earlier run has paid for, or another check of this one, is not paid again.
            if key not in self._paid and call.cost is not None and call.created_at >= self._started:
                costs.append(call.cost)
            self._paid.add(key)
        return identity, replace(outcome, cost=sum(costs) if costs else None)


@dataclass(frozen=True, slots=True)
class _Before:
    """What a session has from earlier runs: outcomes by the key of their unit, and which are the newest."""

    outcomes: Mapping[_UnitKey, tuple[int, Outcome]] = field(default_factory=dict)
    newest: frozenset[int] = frozenset()

    @classmethod
    def of(cls, store: Store, session_id: int) -> Self:
        """Read what a session has."""
        newest = store.scores.newest_ids([session_id])
        return cls(store.scores.done([session_id]), frozenset(newest.values()))

    def id_of(self, identity: Identity, outcome: Outcome) -> int | None:
        """Return the id of the very outcome, where it was found before."""
        score_id, before = self.outcomes.get(identity.key, (0, None))
        if before is None or before.metric != outcome.metric:
            return None
        same = before == outcome or replace(before, cost=outcome.cost, seconds=outcome.seconds) == outcome
        return score_id if same else None


@dataclass(frozen=True, slots=True)
class _About:
    """What the outcomes of one case are about. read: the fingerprint of what was read of it."""

    session: int
    exchange: int | None
    read: str
    case: SuiteCase
    prints: Prints
    seen: Counter[str] = field(default_factory=Counter)

    def outcomes(self, result: CaseOutcome, least: float | None) -> Iterator[tuple[Identity, Outcome]]:
        """Yield the outcome of the case and of each of its checks.

        least: the score from which the case passes; None where that is not told by its score alone.
        """
        passed = {"pass": True, "fail": False}.get(result.word)
        shared: dict[str, Any] = {"metric": WHOLE, "reason": result.reason, "exchange": self.exchange}
        self.seen[WHOLE] += 1
        prints = [self.prints.of(check.check, self.case) for check in result.checks]
        identity = self._identity(WHOLE, self.prints.whole(self.case, result.checks, prints))
        if isinstance(result.outcome, Failure):
            yield identity, Failure(**shared)
        elif passed is None:
            yield identity, Skipped(**shared)
        else:
            yield identity, _score(result.score, least, passed, shared)
        for check, print_ in zip(result.checks, numbered(prints), strict=True):
            yield self._of_check(check, print_)

    def _of_check(self, check: CheckOutcome, print_: str) -> tuple[Identity, Outcome]:
        name = check.metric or check.type
        self.seen[name] += 1
        if self.seen[name] > 1:
            # Lists show the newest outcome of a name, and this is another check.
            name = f"{name}-{self.seen[name]}"
        identity = self._identity(name, print_)
        shared: dict[str, Any] = {
            "metric": name,
            "reason": check.reason,
            "exchange": self.exchange,
            "calls": check.calls,
        }
        if isinstance(check.outcome, Failure):
            return identity, Failure(**shared, next_step=check.next_step)
        if isinstance(check.outcome, Skipped):
            return identity, Skipped(**shared)
        beside = details_of(check)
        return identity, _score(check.score, least_of(check.check), check.passed, shared, beside)

    def _identity(self, name: str, print_: str) -> Identity:
        return Identity(
            session_id=self.session,
            exchange=self.exchange,
            metric=name,
            version=VERSION,
            metric_fingerprint=print_,
            case_fingerprint=self.read,
            judge_fingerprint="",
            judge="",
        )


def suite_key(suite: Suite) -> str:
    """Return what the runs of one file have in common."""
    return str(suite.source.resolve())


def _score(
    score: float,
    threshold: float | None,
    passed: bool,
    shared: Mapping[str, Any],
    beside: Mapping[str, Any] = MappingProxyType({}),
) -> Score:
    """Return a score as it was found; where passing does not follow from the threshold, it is stated.

    beside: what a check gave beside its score, for the details. The table takes scores from 0 to 1; one
    beyond is kept at the border, and as it was in the details.
    """
    kept = 0.0 if math.isnan(score) else min(max(score, 0.0), 1.0)
    threshold = None if threshold is None or math.isnan(threshold) else threshold
    follows = threshold is not None and (kept >= threshold) == passed == (score >= threshold)
    details = dict(beside)
    if kept != score:
        details["score"] = str(score) if math.isnan(score) else score
    return Score(
        **shared, score=kept, threshold=threshold, stated=None if follows else passed, details=details
    )


def _names(checks: Iterable[Check]) -> Iterator[str]:
    for check in checks:
        yield check.metric or (f"not-{check.type}" if check.negate else check.type)
        yield from _names(check.children)


def _exchanges(case: ConversationalTestCase) -> list[int]:
    """Return the number of the exchange that each case of a conversation ended, in order."""
    numbers = []
    for number, positions in enumerate(group_exchanges(case.turns), start=1):
        numbers += [number for position in positions if case.turns[position].exchange is not None]
    return numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRun:
    """What became of one case.

    prompt: as it was asked. output: None without an answer. session: its id, None where it is kept nowhere.
    kept: its answer and all that was found were there from an earlier run. cost: US dollars that were spent
    on it in this run; None where nobody told a price. read: the fingerprint of what its checks read.
    """

    case: SuiteCase
    prompt: str
    output: Any
    result: CaseOutcome
    session: int | None = None
    kept: bool = False
    cost: float | None = None
    read: str = ""

    def data(self) -> dict[str, Any]:
        """Return the run as the command line prints it."""
        case, result = self.case, self.result
        return {
            "index": case.index,
            "description": case.description,
            "vars": plain(case.vars),
            "prompt": self.prompt,
            "output": plain(self.output),
            "outcome": result.word,
            "score": result.score,
            "reason": result.reason,
            "checks": [
                {
                    "type": check.type,
                    "metric": check.metric,
                    "passed": check.passed,
                    "score": check.score,
                    "reason": check.reason,
                    "next_step": check.next_step,
                }
                for check in result.checks
            ],
            "named_scores": dict(result.named_scores),
            "metadata": plain(case.metadata),
            "prompt_label": case.prompt_label,
            "target": case.target.name if case.target else None,
            "session": self.session,
            "kept": self.kept,
        }
