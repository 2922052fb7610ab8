"""Keeping: what a suite's cases became, as sessions with scores, a batch in one transaction."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.conversations.store import Store
from turnwise.conversations.store.scores import Identity
from turnwise.conversations.suites import Check, Suite
from turnwise.conversations.turns import group_exchanges
from turnwise.engine.evidence import StoredCallBook, row_of_call
from turnwise.engine.suites.case_run import CaseRun
from turnwise.engine.suites.grouping import sees_history
from turnwise.engine.suites.messages import Said, conversation_of
from turnwise.engine.suites.results import CaseResult, CheckResult

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

WHOLE = "test"
"""The metric under which the outcome of a whole case is kept, beside those of its checks."""
SUITE = "suite"
"""The parameter of a run that names the file it ran."""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Landed:
    """Cases that were done together. runs: by their positions in the suite. is_talk: one conversation."""

    runs: Mapping[int, CaseRun]
    is_talk: bool = False


class Keeper:
    """Keeps what landed: the judges' calls, a session for every case or conversation, and their scores.

    store: None keeps nothing. judges: those whose calls are kept; the first is named as the run's.
    """

    def __init__(self, suite: Suite, store: Store | None, judges: Sequence[Judge]) -> None:
        self._suite = suite
        self._store = store
        self._judges = judges
        self._started = time.time()
        self._run_id = self._begin(store) if store else 0

    def _begin(self, store: Store) -> int:
        # The judge's settings come with all the metrics; a suite without a judge does without them.
        settings: dict[str, Any] = {}
        if self._judges:
            from turnwise.engine.scoring import judge_settings

            settings = judge_settings(self._judges[0])
        names = dict.fromkeys(name for case in self._suite.cases for name in _names(case.checks))
        return store.runs.begin(
            judge=settings.get("model", "none"),
            metrics=[WHOLE, *names],
            judge_settings=settings,
            name=self._suite.description or self._suite.source.name,
            parameters={SUITE: suite_key(self._suite)},
        )

    def keep(self, batch: Sequence[Landed]) -> dict[int, CaseRun]:
        """Return the batch's runs by position, each with the session that it is kept as."""
        if self._store is None or not batch:
            return {position: run for landed in batch for position, run in landed.runs.items()}
        books = [judge.book for judge in self._judges if isinstance(judge.book, StoredCallBook)]
        held = [(book, book.held()) for book in books]
        kept: dict[int, CaseRun] = {}
        with self._store.writing():
            self._store.calls.add_all([row_of_call(call) for _, calls in held for call in calls])
            found: list[tuple[Identity, Outcome]] = []
            for landed in batch:
                for positions in self._sessions(landed):
                    runs = [landed.runs[position] for position in positions]
                    session = self._session(self._store, runs, found)
                    kept |= {
                        position: replace(run, session=session)
                        for position, run in zip(positions, runs, strict=True)
                    }
            self._store.scores.add_all(self._run_id, found)
        for book, calls in held:
            book.forget(calls)
        return kept

    def finish(self) -> None:
        """Note that the suite came to its end."""
        if self._store is not None:
            self._store.runs.finish(self._run_id)

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
        self, store: Store, runs: Sequence[CaseRun], found: list[tuple[Identity, Outcome]]
    ) -> int | None:
        """Keep runs as one session, add their outcomes to those found, and return its id."""
        asked = [run for run in runs if run.prompt or run.output is not None]
        if not asked:
            return None
        case = conversation_of(self._suite, [Said(run.case, run.prompt, run.output) for run in asked])
        added = store.sessions.add(
            case, source=self._suite.source.name, format=self._suite.format, created_at=self._started
        )
        exchanges = _exchanges(case) if len(asked) > 1 else []
        for run, exchange in zip_longest(asked, exchanges[: len(asked)]):
            about = _About(added.session_id, exchange, fingerprint([run.prompt, str(run.output)]))
            judged = {check.type for check in run.result.checks if check.calls}
            judge = self._judges[0] if judged and self._judges else None
            found += about.outcomes(run.result, judge)
        return added.session_id


@dataclass(frozen=True, slots=True)
class _About:
    """What the outcomes of one case are about."""

    session: int
    exchange: int | None
    content: str
    seen: Counter[str] = field(default_factory=Counter)

    def outcomes(self, result: CaseResult, judge: Judge | None) -> Iterator[tuple[Identity, Outcome]]:
        """Yield the outcome of the case and of each of its checks."""
        passed = {"pass": True, "fail": False}.get(result.outcome)
        shared: dict[str, Any] = {"metric": WHOLE, "reason": result.reason, "exchange": self.exchange}
        self.seen[WHOLE] += 1
        if result.outcome == "failure":
            yield self._identity(WHOLE, None), Failure(**shared)
        elif passed is None:
            yield self._identity(WHOLE, None), Skipped(**shared)
        else:
            yield self._identity(WHOLE, None), _score(result.score, None, passed, shared)
        for check in result.checks:
            yield self._of_check(check, judge)

    def _of_check(self, check: CheckResult, judge: Judge | None) -> tuple[Identity, Outcome]:
        name = check.metric or check.type
        self.seen[name] += 1
        if self.seen[name] > 1:
            # Lists show the newest outcome of a name, and this is another check.
            name = f"{name}-{self.seen[name]}"
        identity = self._identity(name, judge if check.calls else None)
        shared: dict[str, Any] = {
            "metric": name,
            "reason": check.reason,
            "exchange": self.exchange,
            "calls": check.calls,
        }
        if check.failure:
            return identity, Failure(**shared, next_step=check.next_step)
        if check.skipped:
            return identity, Skipped(**shared)
        return identity, _score(check.score, check.threshold, check.passed, shared)

    def _identity(self, name: str, judge: Judge | None) -> Identity:
        return Identity(
            session_id=self.session,
            exchange=self.exchange,
            metric=name,
            version=_VERSION,
            metric_fingerprint=f"suite:{name}",
            case_fingerprint=self.content,
            judge_fingerprint=judge.fingerprint if judge else "",
            judge=judge.settings.model if judge else "",
        )


def suite_key(suite: Suite) -> str:
    """Return what the runs of one file have in common."""
    return str(suite.source.resolve())


def _score(score: float, threshold: float | None, passed: bool, shared: Mapping[str, Any]) -> Score:
    """Return a score that passes as the check did, whose own rule may be another than score and threshold."""
    kept = 0.0 if math.isnan(score) else min(max(score, 0.0), 1.0)
    if not passed and kept >= 1.0:
        kept = 0.0
    wanted = 0.5 if threshold is None else threshold
    if not 0.0 <= wanted <= 1.0 or (kept >= wanted) != passed:
        # A check may pass for another reason than its score; the threshold then follows what it said.
        wanted = min(kept, 0.5) if passed else 1.0
    details = {} if kept == score else {"score": str(score) if math.isnan(score) else score}
    return Score(**shared, score=kept, threshold=wanted, details=details)


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
