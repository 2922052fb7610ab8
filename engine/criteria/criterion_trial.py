"""Trying a criterion: scoring a sample by it and setting every score beside what people say.

sample = draw_sample(store, criterion.name, split="dev")
trial = CriterionTrial(criterion, sample)
async with aclosing(try_criterion(store, criterion, sample, judge, author="ann")) as outcomes:
    async for scored in outcomes:
        trial = trial.with_outcome(scored)
        show(trial.matrix, trial.cost)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import OutcomeWord, Score, outcome_word
from turnwise.conversations.store import CriterionOutcome, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_versions import keep_version
from turnwise.engine.people.agreement import Measures, measure
from turnwise.engine.people.statistics.rater_agreement import Confusion
from turnwise.engine.scoring.judges import judge_settings
from turnwise.engine.scoring.scoring import Scored, score_sessions

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge


@dataclass(frozen=True, slots=True)
class TrialRow:
    """What a criterion found on a session. score, passed: None unless there is one. people: their verdict."""

    session: int
    name: str
    outcome: OutcomeWord
    score: float | None
    passed: bool | None
    people: bool | None
    reason: str

    @property
    def differing(self) -> Literal["", "false pass", "false fail"]:
        """How it differs from people, if it does."""
        if self.passed is None or self.people is None or self.passed == self.people:
            return ""
        return "false pass" if self.passed else "false fail"


@dataclass(frozen=True, slots=True)
class CriterionTrial:
    """A criterion tried on a sample, so far.

    cost: in US dollars, None where no call told its price. seconds: how long it took; None where it has not
    come to its end. began_at: when it began; None until it is stored.
    """

    criterion: Criterion
    sample: Sample
    rows: tuple[TrialRow, ...] = ()
    cost: float | None = None
    seconds: float | None = None
    run_id: int | None = None
    judge: str = ""
    began_at: float | None = None

    def with_outcome(self, scored: Scored) -> CriterionTrial:
        """Count one outcome in."""
        outcome = scored.outcome
        score = outcome.score if isinstance(outcome, Score) else None
        row = TrialRow(
            scored.session_id,
            self.sample.names.get(scored.session_id, ""),
            outcome_word(outcome),
            score,
            self._passes(score),
            self.sample.people.get(scored.session_id),
            outcome.reason,
        )
        spent = None if scored.kept else outcome.cost
        cost = self.cost if spent is None else (self.cost or 0.0) + spent
        return replace(self, rows=(*self.rows, row), cost=cost)

    def with_stored(self, outcomes: Sequence[CriterionOutcome]) -> CriterionTrial:
        """Return it with the outcomes that are stored of it."""
        rows = tuple(
            TrialRow(
                one.session_id,
                one.name,
                one.outcome,
                one.score,
                self._passes(one.score),
                self.sample.people.get(one.session_id),
                one.reason,
            )
            for one in outcomes
        )
        costs = [one.cost for one in outcomes if one.cost is not None]
        judges = dict.fromkeys(one.judge for one in outcomes if one.judge)
        return replace(self, rows=rows, cost=sum(costs) if costs else None, judge=", ".join(judges))

    def by(self, criterion: Criterion) -> CriterionTrial | None:
        """Return this trial as it would be with another version of the criterion.

        None where that differs in more than its threshold, so that sessions would have to be judged again,
        and where it differs in nothing that counts, so that there is no other trial.
        """
        was = self.criterion
        says_other_words = criterion.fingerprint != was.fingerprint and criterion.judges_as(was)
        if criterion.metric().fingerprint != was.metric().fingerprint or says_other_words:
            return None
        rows = tuple(
            replace(row, passed=None if row.score is None else criterion.passes(row.score))
            for row in self.rows
        )
        return replace(self, criterion=criterion, rows=rows)

    def _passes(self, score: float | None) -> bool | None:
        return None if score is None else self.criterion.passes(score)

    @property
    def pairs(self) -> list[tuple[bool, bool]]:
        """What criterion and people say of each session of which both say something."""
        return [
            (row.passed, row.people) for row in self.rows if row.passed is not None and row.people is not None
        ]

    @property
    def matrix(self) -> Confusion:
        """How often criterion and people said what."""
        return Confusion.of(self.pairs)

    @property
    def differing(self) -> list[TrialRow]:
        """The sessions that people see differently: false passes first, then false fails.

        Of each, those first whose score is furthest from the threshold.
        """
        threshold = 1.0 if self.criterion.strict else self.criterion.threshold
        return sorted(
            (row for row in self.rows if row.differing),
            key=lambda row: (
                row.differing == "false fail",
                -abs((row.score or 0.0) - threshold),
                row.session,
            ),
        )

    def measures(self) -> Measures:
        """Return the figures of agreement with their intervals; takes some 50 ms."""
        scored = [row.passed for row in self.rows if row.passed is not None]
        return measure(self.matrix, sum(scored), len(scored))

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {
            "criterion": self.criterion.name,
            "version": self.criterion.fingerprint,
            "run": self.run_id,
            "judge": self.judge,
            "split": self.sample.split,
            "query": self.sample.query,
            "sessions": len(self.sample.session_ids),
            "held_back": self.sample.held_back,
            "labelled": self.sample.labelled,
            "authors": list(self.sample.authors),
            "n": self.matrix.total,
            "matrix": asdict(self.matrix),
            **self.measures().data(),
            "cost": self.cost,
            "seconds": self.seconds,
            "failures": sum(row.outcome == "failure" for row in self.rows),
            "skipped": sum(row.outcome == "skipped" for row in self.rows),
            "false_passes": [asdict(row) for row in self.differing if row.differing == "false pass"],
            "false_fails": [asdict(row) for row in self.differing if row.differing == "false fail"],
        }


async def try_criterion(
    store: Store,
    criterion: Criterion,
    sample: Sample,
    judge: Judge | None,
    *,
    author: str,
    source: str = "",
    again: bool = False,
    tell_of_others: Callable[[int], None] = lambda units: None,
) -> AsyncGenerator[Scored]:
    """Score a sample by a criterion and yield every outcome; what is judged already is not judged again.

    The version is kept, and all outcomes are a run that is named after it. Use of the test split is noted
    before the first outcome: what was looked at is known from then on. author: who tries. source: the file of
    the criterion. tell_of_others: as `score_sessions` takes it. Closing the iterator stops it and keeps what
    landed. Raises what `score_sessions` raises, and SettingError for an empty sample.
    """
    if not sample.session_ids:
        raise SettingError("There is no session to try the criterion on")
    metric = criterion.metric()
    run = await asyncio.to_thread(_begin, store, criterion, sample, judge, author, source)
    scoring = score_sessions(
        store, sample.session_ids, [metric], judge, run=run, again=again, tell_of_others=tell_of_others
    )
    async with aclosing(scoring) as outcomes:
        async for scored in outcomes:
            yield scored
    await asyncio.to_thread(store.runs.finish, run)


def _begin(
    store: Store, criterion: Criterion, sample: Sample, judge: Judge | None, author: str, source: str
) -> int:
    with store.writing():
        version = keep_version(store, criterion, author=author, source=source)
        settings = judge_settings(judge)
        run = store.runs.begin(
            judge=settings.get("model", "none"),
            metrics=[criterion.name],
            judge_settings=settings,
            name=f"{criterion.name} v{version.number}",
            parameters={
                "criterion": criterion.name,
                "criterion_version": version.fingerprint,
                "split": sample.split or "",
                "query": sample.query,
            },
        )
        if sample.split is not None:
            store.splits.note_use(
                sample.split,
                criterion=criterion.name,
                version=version.fingerprint,
                run_id=run,
                sessions=len(sample.session_ids),
                author=author,
            )
    return run
