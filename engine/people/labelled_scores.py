"""Labelled scores: every metric beside people in short, from labels that are read once.

read = LabelledScores.read(store)
read.overview()[0].matrix, read.by_label()[0].histogram
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from turnwise.conversations.store import LabelledOutcomes, OpinionRow, ScoreTally, Store, tallies_by_label
from turnwise.engine.people.agreement import NO_PAIRS, Figure, exact_share, kappa_of_matrix
from turnwise.engine.people.opinions import is_of_whole, opinions_of, settled_of, verdicts_of
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of, share

WEAK_KAPPA = 0.4
"""Up to this kappa, what a metric says is little better than chance."""
_FEWEST_TO_DOUBT = 10
"""By fewer labels no metric is doubted: one more might say the opposite."""


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """One metric in short, on the sessions that it scored and people labelled. kappa: nan for none.

    whole_misses: of the sessions that people failed and it passed, those whose labels are all of the session
    as a whole, which may have failed for something that the metric does not look for. failed_otherwise: how
    many of the sessions that it scored people failed as a whole, but not as to this metric.
    """

    metric: str
    matrix: Confusion
    kappa: float
    whole_misses: int = 0
    failed_otherwise: int = 0


@dataclass(frozen=True, slots=True)
class MeasuredInShort:
    """How far one metric says what people say, with intervals.

    whole_misses, failed_otherwise: as in MetricAgreement.
    """

    metric: str
    matrix: Confusion
    kappa: Figure
    tpr: Figure
    tnr: Figure
    whole_misses: int = 0
    failed_otherwise: int = 0

    @property
    def surely_meant(self) -> Confusion:
        """The counts without the fails of whole sessions that the metric passed.

        These may be for something that it does not look for. A pass of a whole session is one of every part
        of it, so all passes are counted.
        """
        return replace(self.matrix, false_pass=self.matrix.false_pass - self.whole_misses)

    @property
    def is_doubted(self) -> bool:
        """Whether its figures are to be doubted, as it hardly agrees with what is surely meant of it.

        Where people only passed, or only failed, kappa is 0 by one difference: there chance is a coin's.
        """
        counts = self.surely_meant
        if counts.total < _FEWEST_TO_DOUBT:
            return False
        if counts.people_passed and counts.people_failed:
            return kappa_of(counts) <= WEAK_KAPPA
        return 2 * share(counts.true_pass + counts.true_fail, counts.total) - 1 <= WEAK_KAPPA

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        figures = {"kappa": self.kappa.data(), "tpr": self.tpr.data(), "tnr": self.tnr.data()}
        return {
            "metric": self.metric,
            "n": self.matrix.total,
            "matrix": asdict(self.matrix),
            **figures,
            "whole_misses": self.whole_misses,
            "doubted": self.is_doubted,
        }


def measured_in_short(found: MetricAgreement) -> MeasuredInShort:
    """Return the measures of a metric that are worth a glance, with their intervals; takes some 15 ms."""
    matrix = found.matrix
    none = NO_PAIRS if not matrix.total else ""
    return MeasuredInShort(
        found.metric,
        matrix,
        kappa=kappa_of_matrix(matrix, none),
        tpr=exact_share(matrix.true_pass, matrix.people_passed, none or "people passed none of them"),
        tnr=exact_share(matrix.true_fail, matrix.people_failed, none or "people failed none of them"),
        whole_misses=found.whole_misses,
        failed_otherwise=found.failed_otherwise,
    )


@dataclass(frozen=True, slots=True)
class _SaidAsTo:
    """What people say of sessions as to one metric: whether they pass it, on which they are split evenly, and
    of which they say it of the whole alone.
    """

    verdicts: Mapping[int, bool]
    split: Collection[int]
    of_whole: Collection[int]


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """What metrics and people say of the sessions that have labels, read once for several overviews.

    outcomes: by metric. passed: of those, whether a session that was scored passes. opinions: in the order
    they were given in.
    """

    outcomes: Mapping[str, LabelledOutcomes]
    passed: Mapping[str, Mapping[int, bool]]
    opinions: Sequence[OpinionRow]
    _known: dict[tuple[str | None, bool], Mapping[str, _SaidAsTo]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """What people say, by whose labels count and whether only blind ones do."""

    @classmethod
    def read(cls, store: Store, query: str = "") -> LabelledScores:
        """Read them of the sessions of a query; takes a quarter of a second for ten thousand labels: call it
        from a thread.
        """
        outcomes = store.judgements.labelled(query)
        passed = {metric: one.passed for metric, one in outcomes.items()}
        return cls(outcomes, passed, store.judgements.opinions(None, query=query))

    def overview(self, *, author: str | None = None, blind_only: bool = False) -> list[MetricAgreement]:
        """Return every metric that scored sessions which people labelled, those with most of them first.

        author, blind_only: as in `agreement`, but an author who labelled nothing is no error.
        """
        said, found = self._said(author, blind_only=blind_only), []
        for metric, passed in self.passed.items():
            told = said.get(metric, said[""])
            verdicts = {one: verdict for one, verdict in told.verdicts.items() if one in passed}
            matrix = Confusion.of((passed[session], verdict) for session, verdict in verdicts.items())
            if matrix.total:
                missed = sum(passed.get(one, False) and not told.verdicts[one] for one in told.of_whole)
                otherwise = sum(
                    session in passed and not verdict and verdicts.get(session, True)
                    for session, verdict in said[""].verdicts.items()
                )
                found.append(MetricAgreement(metric, matrix, kappa_of(matrix), missed, otherwise))
        return sorted(found, key=lambda one: (-one.matrix.total, one.metric))

    def by_label(self) -> list[ScoreTally]:
        """Count the outcomes of each metric by what people say as to it: "pass", "fail" or "disputed"."""
        said = self._said(None, blind_only=False)
        words = {metric: _words(told) for metric, told in said.items()}
        return tallies_by_label(
            (metric, outcomes, words.get(metric, words[""])) for metric, outcomes in self.outcomes.items()
        )

    def _said(self, author: str | None, *, blind_only: bool) -> Mapping[str, _SaidAsTo]:
        """Return what people say by the metric that it is said as to; empty for the whole, which counts for
        every metric without labels of its own.
        """
        whose = author, blind_only
        if whose not in self._known:
            with_own = {row.metric for row in self.opinions}
            self._known[whose] = {
                metric: self._said_as_to(metric, author, blind_only=blind_only)
                for metric in ("", *(one for one in self.outcomes if one in with_own))
            }
        return self._known[whose]

    def _said_as_to(self, metric: str, author: str | None, *, blind_only: bool) -> _SaidAsTo:
        settled = settled_of(self.opinions, metric, blind_only=blind_only)
        opinions = opinions_of(self.opinions, metric, blind_only=blind_only)
        verdicts = verdicts_of(opinions, author, settled)[0]
        split = [one for one in opinions if one not in verdicts]
        return _SaidAsTo(
            verdicts, split, [one for one in verdicts if is_of_whole(opinions.get(one, {}), author)]
        )


def _words(said: _SaidAsTo) -> dict[int, str]:
    words = {session: "pass" if verdict else "fail" for session, verdict in said.verdicts.items()}
    return words | dict.fromkeys(said.split, "disputed")
