"""Overview: what is known of many sessions at a glance: how metrics came out, and where conversations break.

    for found in overview_steps(store, "role:airline"):
        show(found)

Shares come with their exact 95 % interval, as only some of all possible conversations were seen. What takes
longest comes last, so that a screen can show the rest meanwhile.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwise.conversations.store import asks_for_run
from turnwise.engine.people.labelled_scores import LabelledScores, MeasuredInShort, measured_in_short
from turnwise.engine.people.statistics.intervals import share_interval

if TYPE_CHECKING:
    from turnwise.conversations.marks import LabelWord
    from turnwise.conversations.store import (
        ModeRate,
        QueueRow,
        RunSpending,
        ScoreTally,
        Store,
        TurnTally,
    )

LABELS: tuple[LabelWord, ...] = ("pass", "fail", "defer")
MOST_RUNS = 8
"""So many runs, the newest ones, stand over time."""
_MOST_THREADS = 4
_Fields = dict[str, Any]
"""Some fields of an overview by their names: what one thread has read."""


@dataclass(frozen=True, slots=True)
class PassRate:
    """How a metric came out over the sessions that it scored.

    tally: of all of them. by_label: of those that people pass as to this metric, of those that they fail, and
    of disputed ones, where any are.
    """

    tally: ScoreTally
    by_label: Mapping[str, ScoreTally] = field(default_factory=dict)

    @property
    def rate(self) -> float | None:
        """The share of scores that pass, from 0 to 1; None without scores."""
        return self.tally.passed / self.tally.scores if self.tally.scores else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The exact 95 % interval of the rate; None without scores."""
        return share_interval(self.tally.passed, self.tally.scores) if self.tally.scores else None

    def unjudged(self, sessions: int) -> int:
        """Return how many of so many sessions have no outcome of the metric yet."""
        tally = self.tally
        return max(0, sessions - tally.scores - tally.failures - tally.skipped)

    @property
    def unlabelled(self) -> int:
        """How many of the scores nobody has set beside a label, as far as labels were read."""
        return self.tally.scores - sum(tally.scores for tally in self.by_label.values())

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        low, high = self.interval or (None, None)
        return {
            "metric": self.tally.metric,
            "n": self.tally.scores,
            "passed": self.tally.passed,
            "rate": self.rate,
            "low": low,
            "high": high,
            "failures": self.tally.failures,
            "skipped": self.tally.skipped,
            "histogram": list(self.tally.histogram),
            "by_label": {label: list(tally.histogram) for label, tally in self.by_label.items()},
        }


@dataclass(frozen=True, slots=True)
class RunRate:
    """How a metric came out in a run. name: the run's, or its judge's without one; at: when it began."""

    run: int
    name: str
    at: float
    metric: str
    scores: int
    passed: int

    @property
    def rate(self) -> float:
        """The share of scores that pass, from 0 to 1."""
        return self.passed / self.scores

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of the rate."""
        return share_interval(self.passed, self.scores)

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        low, high = self.interval
        return {
            "run": self.run,
            "name": self.name,
            "at": self.at,
            "metric": self.metric,
            "n": self.scores,
            "passed": self.passed,
            "rate": self.rate,
            "low": low,
            "high": high,
        }


@dataclass(frozen=True, slots=True)
class RunCost:
    """What judging cost in a run. name: the run's, or its judge's without one. spent: in it."""

    name: str
    spent: RunSpending

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values; the cost is in US dollars, None where it is not known."""
        spent = self.spent
        return {
            "run": spent.run,
            "name": self.name,
            "n": spent.scores,
            "unpriced": spent.unpriced,
            "cost": spent.cost,
        }


@dataclass(frozen=True, slots=True)
class NewestRun:
    """What is known of the sessions of the newest run alone, where others were judged before it.

    sessions: of it. turns, modes: as of all sessions.
    """

    run: int
    sessions: int
    turns: Sequence[TurnTally] = ()
    modes: Sequence[ModeRate] = ()

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {
            "run": self.run,
            "sessions": self.sessions,
            "by_turn": _turns_data(self.turns),
            "modes": _modes_data(self.modes, None),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What is known of the sessions that a query means.

    rates: the metric that fails most often first. labels: sessions by the newest label that people gave them,
    without disputed ones. disputed: how many one person passes and another fails, where nobody settled
    that. labels_by_day: how many sessions were labelled first on which day. queues: of the whole database.
    modes: failure modes of those that people reviewed, the most frequent first. by: what the modes are
    grouped by, such as role, None for all together. of_run: whether the query asks for the sessions of one
    run. groupings: what they can be grouped by. judged: how far metrics say what people say, most labels
    first. runs: the newest that judged these sessions, counted over them alone. newest: of the newest of
    them, where it judged some of these sessions only, as of a new version of the chatbot; None else. cost:
    of all scores, in US dollars; None where no price is known. ended: by number whether the newest runs
    ended, those without a score too unless a query was asked; of a query, those that `runs` holds.
    unpriced: how many scores came from judges of unknown price. costs: of the newest runs that asked a
    judge, the newest first. unread: what is still being read, in words; empty once all is there. replaced:
    of each metric with such scores, how many of the newest ones of all sessions a model gave that no longer
    answers for its judge, by the one that does now.
    """

    sessions: int
    rates: Sequence[PassRate] = ()
    turns: Sequence[TurnTally] = ()
    labels: Mapping[LabelWord, int] = field(default_factory=dict)
    disputed: int = 0
    labels_by_day: Sequence[tuple[str, int]] = ()
    queues: Sequence[QueueRow] = ()
    modes: Sequence[ModeRate] = ()
    by: str | None = None
    of_run: bool = False
    groupings: Sequence[str] = ()
    judged: Sequence[MeasuredInShort] = ()
    runs: Sequence[RunRate] = ()
    newest: NewestRun | None = None
    ended: Mapping[int, bool] = field(default_factory=dict)
    cost: float | None = None
    unpriced: int = 0
    costs: Sequence[RunCost] = ()
    unread: str = ""
    replaced: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def unlabelled(self) -> int:
        """How many sessions nobody has labelled."""
        return self.sessions - sum(self.labels.values()) - self.disputed

    @property
    def labelled(self) -> int:
        """How many sessions people labelled pass or fail, disputed ones too."""
        return self.labels.get("pass", 0) + self.labels.get("fail", 0) + self.disputed

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {
            "sessions": self.sessions,
            "labels": {**{word: self.labels.get(word, 0) for word in LABELS}, "none": self.unlabelled},
            "disputed": self.disputed,
            "labels_by_day": [{"day": day, "sessions": count} for day, count in self.labels_by_day],
            "queues": [
                {"queue": queue.name, "sessions": queue.count, "done": queue.done} for queue in self.queues
            ],
            "metrics": [
                {
                    **rate.data(),
                    "not_judged": rate.unjudged(self.sessions),
                    "not_labelled": None if self.unread else rate.unlabelled,
                }
                for rate in self.rates
            ],
            "by_turn": _turns_data(self.turns),
            "modes": _modes_data(self.modes, self.by),
            "judged": [one.data() for one in self.judged],
            "runs": [run.data() for run in self.runs],
            "newest_run": self.newest.data() if self.newest is not None else None,
            "cost": self.cost,
            "unpriced": self.unpriced,
            "costs": [one.data() for one in self.costs],
            **(
                {"replaced": {one: dict(counts) for one, counts in self.replaced.items()}}
                if self.replaced
                else {}
            ),
        }


def _turns_data(turns: Sequence[TurnTally]) -> list[dict[str, Any]]:
    return [{"turn": turn.turn, "sessions": turn.sessions, "failed": turn.failed} for turn in turns]


def _modes_data(modes: Sequence[ModeRate], by: str | None) -> list[dict[str, Any]]:
    return [
        {
            "mode": mode.name,
            **({} if by is None else {by: mode.group}),
            "sessions": mode.sessions,
            "reviewed": mode.reviewed,
        }
        for mode in modes
    ]


def overview(store: Store, query: str = "", *, by: str | None = None) -> Overview:
    """Read the overview of the sessions that a query finds; of all for an empty one.

    by: within what failure modes are counted: role, tag, meta.KEY ...; None for over all. It takes a second
    for a million scores: call it from a thread. Raises SettingError where the query means nothing.
    """
    *_, found = overview_steps(store, query, by=by)
    return found


def overview_steps(store: Store, query: str = "", *, by: str | None = None) -> Iterator[Overview]:
    """Read the same in steps: each holds more than the one before, and the last one all."""
    disputed = Counter(store.tallies.disputed(query))
    found = Overview(
        sessions=store.sessions.count(query),
        labels=Counter(store.tallies.labels(query)) - disputed,
        disputed=disputed.total(),
        labels_by_day=store.tallies.labels_by_day(query),
        queues=store.queues.all(),
        modes=_modes(store, query, by),
        by=by,
        of_run=asks_for_run(query),
        groupings=store.sessions.groupings(),
        unread="counting scores …",
    )
    yield found
    tallied = store.tallies.scores(query, threads=min(_MOST_THREADS, os.cpu_count() or 1))
    rates = sorted(map(PassRate, tallied), key=_worst_first)
    found = replace(found, rates=rates, unread="reading turns and labels …")
    yield found
    readings = [partial(_turns, store, query), partial(_said, store, query, rates)]
    found = replace(found, **_joined(store.tallies.in_threads(readings)), unread="reading runs …")
    yield found
    readings = [
        partial(_spent, store, query),
        partial(_runs, store, query, found.sessions),
        partial(_replaced, store, rates),
    ]
    yield replace(found, **_joined(store.tallies.in_threads(readings)), unread="")


def _turns(store: Store, query: str) -> _Fields:
    return {"turns": store.tallies.turns(query)}


def _joined(parts: Sequence[_Fields]) -> _Fields:
    return {name: value for part in parts for name, value in part.items()}


def _worst_first(one: PassRate) -> tuple[float, str]:
    return 2.0 if one.rate is None else one.rate, one.tally.metric


def _modes(store: Store, query: str, by: str | None) -> list[ModeRate]:
    among = store.sessions.ids(query, None) if query.strip() else None
    read = [rate for rate in store.modes.rates(by, among=among) if rate.reviewed]
    return sorted(read, key=lambda mode: -mode.sessions)


def _said(store: Store, query: str, rates: Sequence[PassRate]) -> _Fields:
    """Read what people say, beside what metrics say of the same sessions."""
    read = LabelledScores.read(store, query)
    found: dict[str, dict[str, ScoreTally]] = {}
    for tally in read.by_label():
        found.setdefault(tally.metric, {})[tally.label] = tally
    return {
        "rates": [replace(rate, by_label=found.get(rate.tally.metric, {})) for rate in rates],
        "judged": [measured_in_short(one) for one in read.overview()],
    }


def _spent(store: Store, query: str) -> _Fields:
    spent = store.tallies.spending(query)
    known = [one.cost for one in spent if one.cost is not None]
    newest = spent[:MOST_RUNS]
    told = store.runs.named(one.run for one in newest)
    return {
        "cost": sum(known) if known else None,
        "unpriced": sum(one.unpriced for one in spent),
        "costs": [RunCost(told[one.run][0], one) for one in newest],
    }


def _runs(store: Store, query: str, sessions: int) -> _Fields:
    tallies = store.tallies.runs(MOST_RUNS, query)
    told = store.runs.named(dict.fromkeys(one.run for one in tallies))
    runs = [
        RunRate(one.run, told[one.run][0], told[one.run][1], one.metric, one.scores, one.passed)
        for one in tallies
    ]
    judged = {run: store.runs.has_ended(run) for run in told}
    ended = judged if query.strip() else store.runs.ended_of_newest(MOST_RUNS) | judged
    return {"runs": runs, "newest": _newest(store, query, sessions, runs, judged), "ended": ended}


def _newest(
    store: Store, query: str, sessions: int, runs: Sequence[RunRate], states: Mapping[int, bool]
) -> NewestRun | None:
    """Read of the newest run what is read of all; nothing where it judged all, or is the only one.

    It is the newest that judged some of the sessions by a metric by which another run judged before, and no
    later one: what a check finds of all sessions tells of no new version of the chatbot. A run that was
    stopped, or is under way, says little of its few sessions: it is left out where another one ended. states:
    by number whether each of the runs ended.
    """
    ended = {run for run, has_ended in states.items() if has_ended}
    by_metric: dict[str, set[int]] = {}
    for one in runs:
        if one.run in ended or not ended:
            by_metric.setdefault(one.metric, set()).add(one.run)
    for newest in sorted({max(judged) for judged in by_metric.values() if len(judged) > 1}, reverse=True):
        among = f"{query} run:{newest}".strip()
        if (count := store.sessions.count(among)) < sessions:
            return NewestRun(newest, count, store.tallies.turns(among), _modes(store, among, None))
    return None


def _replaced(store: Store, rates: Sequence[PassRate]) -> _Fields:
    metrics = [rate.tally.metric for rate in rates]
    counts = {metric: store.scores.judged_by_others(metric) for metric in metrics}
    return {"replaced": {metric: found for metric, found in counts.items() if found}}
