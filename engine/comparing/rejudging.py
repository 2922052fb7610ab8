"""Re-judging: what was found of a session before, beside what another judge or threshold finds now."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from turnwise.conversations.results import Outcome, Score, outcome_passed, outcome_word
from turnwise.conversations.store import ScoreRow, Store
from turnwise.engine.comparing.compare import Flip
from turnwise.engine.comparing.judging_changes import NONE, JudgingChange
from turnwise.engine.metrics.metric_names import same_name

if TYPE_CHECKING:
    from turnwise.engine.metrics.metric import Metric

_ORDER: Mapping[bool | None, int] = {False: 0, None: 1, True: 2}


class FoundVerdict(Protocol):
    """What a verdict says, whether it is stored or was just given."""

    @property
    def turn(self) -> int | None:
        """The turn that it is about."""
        ...

    @property
    def passed(self) -> bool | None:
        """Whether it counts for the chatbot."""
        ...

    @property
    def word(self) -> str:
        """The verdict as it was given."""
        ...

    @property
    def reason(self) -> str:
        """Why."""
        ...


@dataclass(frozen=True, slots=True)
class TurnChange:
    """A turn of which something else is found now. a, b: the worst verdict before and now. reason: of now."""

    turn: int
    a: str
    b: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rejudged:
    """One outcome beside the one that stood before it; before is None where there was none.

    changed: by what they were judged otherwise. turns: where their verdicts differ.
    """

    session_id: int
    before: ScoreRow | None
    after: Outcome
    changed: Sequence[JudgingChange] = ()
    turns: Sequence[TurnChange] = ()

    @property
    def delta(self) -> float | None:
        """How far the score moved; None where one of the two is no score."""
        if self.before is None or self.before.score is None or not isinstance(self.after, Score):
            return None
        return self.after.score - self.before.score

    @property
    def flip(self) -> Flip | None:
        """What it turned into; None where it stayed, or one of the two says neither."""
        was = self.before.passed if self.before else None
        now = outcome_passed(self.after)
        if was is None or now is None or was == now:
            return None
        return "passed" if now else "failed"

    @property
    def is_changed(self) -> bool:
        """Whether anything of what was found is another now, or there is a score on one side alone."""
        other_outcome = self.before is not None and self.before.outcome != outcome_word(self.after)
        return bool(self.flip or self.delta or self.turns or other_outcome)

    def data(self) -> dict[str, Any]:
        """Return the difference as JSON-ready values."""
        before = self.before
        return {
            "before": None
            if before is None
            else {
                "metric": before.metric,
                "outcome": before.outcome,
                "score": before.score,
                "passed": before.passed,
                "threshold": before.threshold,
                "judge": before.judge or None,
                "reason": before.reason,
            },
            "delta": self.delta,
            "flip": self.flip,
            "changed": [one.data() for one in self.changed],
            "turns": [{"turn": one.turn, "a": one.a, "b": one.b, "reason": one.reason} for one in self.turns],
        }


@dataclass(frozen=True)
class Rejudging:
    """What stood when a run began, found as its outcomes land.

    judge: the one that judges now. against: a metric whose scores are compared; empty for each its own.
    judges: those of metrics that have one of their own, by their names.
    """

    store: Store
    metrics: Sequence[Metric]
    judge: str
    against: str = ""
    judges: Mapping[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.time)

    def beside(self, session_id: int, after: Outcome) -> Rejudged:
        """Return an outcome beside what stood before."""
        before = self._standing(session_id, after)
        if before is None:
            return Rejudged(session_id, None, after)
        verdicts = after.verdicts if isinstance(after, Score) else ()
        # Of what is no score now, nothing is found about any turn.
        turns = tuple(turn_changes(before.verdicts, verdicts)) if isinstance(after, Score) else ()
        return Rejudged(session_id, before, after, tuple(self._changes(before, after)), turns)

    def _standing(self, session_id: int, after: Outcome) -> ScoreRow | None:
        found: ScoreRow | None = None
        wanted = [self.against or after.metric]
        for row in self.store.scores.of(session_id):
            named = same_name(row.metric, wanted) is not None
            if named and row.exchange == after.exchange and row.created_at < self.began:
                found = row
        return found

    def _changes(self, before: ScoreRow, after: Outcome) -> Iterable[JudgingChange]:
        metric = next(one for one in self.metrics if one.name == after.metric)
        if before.metric != after.metric:
            yield JudgingChange("metric", before.metric, after.metric)
        judge = self.judges.get(metric.name, self.judge) if metric.uses_judge else ""
        yield from _changed("judge", before.judge, judge)
        if isinstance(after, Score) and before.outcome == "score":
            yield from _changed("threshold", before.threshold, after.threshold)
        if before.metric == after.metric and not before.came_from:
            yield from _changed("prompt", f"version {before.version}", f"version {metric.version}")


def _changed(name: str, a: object, b: object) -> Iterable[JudgingChange]:
    first, second = (NONE if value in (None, "") else str(value) for value in (a, b))
    if first != second:
        yield JudgingChange(name, first, second)


def turn_changes(before: Sequence[FoundVerdict], after: Sequence[FoundVerdict]) -> Iterable[TurnChange]:
    """Yield the turns of which the worst verdict says another thing now."""
    was, now = _worst(before), _worst(after)
    for turn in sorted({*was, *now}):
        a, b = was.get(turn), now.get(turn)
        if (a and a.passed) != (b and b.passed) or (a is None) != (b is None):
            yield TurnChange(turn, a.word if a else NONE, b.word if b else NONE, b.reason if b else "")


def _worst(verdicts: Sequence[FoundVerdict]) -> dict[int, FoundVerdict]:
    """Return the worst verdict about each turn, the first of equals."""
    found: dict[int, FoundVerdict] = {}
    for one in verdicts:
        if one.turn is not None and (
            one.turn not in found or _ORDER[one.passed] < _ORDER[found[one.turn].passed]
        ):
            found[one.turn] = one
    return found
