"""Agreement overview: every metric against people's labels in short, for one person or another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnwise.conversations.store import Store
from turnwise.conversations.store.judgements import OpinionRow
from turnwise.engine.opinions import opinions_of, verdicts_of
from turnwise.engine.statistics.kappa import kappa_of
from turnwise.engine.statistics.rates import Confusion


@dataclass(frozen=True, slots=True)
class Overview:
    """One metric in short: how many sessions it scored that people labelled, and the kappa; nan for none."""

    metric: str
    matrix: Confusion
    kappa: float


@dataclass(frozen=True, slots=True)
class LabelledScores:
    """What metrics and people say of the sessions that have labels, read once for several overviews.

    passed: by metric, whether a session that it scored passes. opinions: what was said last at the end.
    """

    passed: Mapping[str, Mapping[int, bool]]
    opinions: Sequence[OpinionRow]

    @classmethod
    def read(cls, store: Store) -> LabelledScores:
        """Read them; takes a quarter of a second for ten thousand labels: call it from a thread."""
        passed: dict[str, dict[int, bool]] = {}
        for outcome in store.judgements.outcomes(None):
            if outcome.passed is not None:
                passed.setdefault(outcome.metric, {})[outcome.session_id] = outcome.passed
        return cls(passed, store.judgements.opinions(None))

    def overview(self, *, author: str | None = None, blind_only: bool = False) -> list[Overview]:
        """Return every metric that scored sessions which people labelled, those with most of them first.

        author, blind_only: as in `agreement`, but an author who labelled nothing is no error.
        """
        with_own = {row.metric for row in self.opinions}
        of_the_whole = self._verdicts("", author, blind_only=blind_only)
        found = []
        for metric, passed in self.passed.items():
            # Most metrics have no labels of their own, and what people say of the whole is the same for all.
            verdicts = (
                self._verdicts(metric, author, blind_only=blind_only) if metric in with_own else of_the_whole
            )
            matrix = Confusion.of(
                (passed[session], verdict) for session, verdict in verdicts.items() if session in passed
            )
            if matrix.total:
                found.append(Overview(metric, matrix, kappa_of(matrix)))
        return sorted(found, key=lambda one: (-one.matrix.total, one.metric))

    def _verdicts(self, metric: str, author: str | None, *, blind_only: bool) -> Mapping[int, bool]:
        return verdicts_of(opinions_of(self.opinions, metric, blind_only=blind_only), author)[0]
