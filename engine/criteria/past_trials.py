"""Past trials: what is stored of trying a criterion: the newest trial, the one before, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from turnwise.conversations.errors import FormatError
from turnwise.conversations.store import CriterionOutcome, RunRow, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import LabelledSessions, Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.criteria.criterion_versions import criterion_of, matrix_of_scores, untested_scores
from turnwise.engine.people.opinions import people_verdicts
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of


@dataclass(frozen=True, slots=True)
class Standing:
    """How a criterion stands beside people: what it and they say of the same sessions."""

    matrix: Confusion = field(default_factory=Confusion)

    @property
    def sessions(self) -> int:
        """How many sessions both say something of."""
        return self.matrix.total

    @property
    def kappa(self) -> float:
        """Their agreement beyond chance; nan where it cannot be told."""
        return kappa_of(self.matrix)


def last_trial(store: Store, criterion: Criterion) -> CriterionTrial | None:
    """Return the newest trial of a criterion as it stands, by the labels of now; None without one."""
    for run_id in store.runs.ids_with("criterion_version", criterion.fingerprint):
        # One that was stopped before its first outcome says nothing.
        if outcomes := store.criteria.outcomes_of_run(run_id, criterion.metric().name):
            return _stored(store, criterion, store.runs.get(run_id), outcomes)
    return None


def trial_of(store: Store, criterion: Criterion | None, name: str) -> CriterionTrial | None:
    """Return the newest trial of a criterion, or else of the newest version of that name that was tried.

    criterion: as it is now; None where what is typed is none. Where the versions differ in their threshold
    alone, the trial is told by that of now.
    """
    if criterion is not None and (found := last_trial(store, criterion)) is not None:
        return found
    for version in reversed(store.criteria.versions(name)):
        with suppress(FormatError):
            if (found := last_trial(store, criterion_of(version))) is not None:
                return (found.by(criterion) or found) if criterion is not None else found
    return None


def trial_before(store: Store, trial: CriterionTrial) -> CriterionTrial | None:
    """Return the trial that one is set beside: the newest earlier one by other rules or another judge.

    Only of those which scored a session that this one scored too, or is to score; None where there is none.
    """
    scored = {row.session for row in trial.rows if row.passed is not None} or {*trial.sample.session_ids}
    for run_id in store.runs.ids_with("criterion", trial.criterion.name):
        if trial.run_id is not None and run_id > trial.run_id:
            continue
        run = store.runs.get(run_id)
        criterion = _tried_criterion(store, run)
        same = criterion is not None and criterion.judges_as(trial.criterion) and run.judge == trial.judge
        if criterion is None or same:
            continue
        outcomes = store.criteria.outcomes_of_run(run_id, criterion.metric().name)
        if any(one.session_id in scored and one.score is not None for one in outcomes):
            return _stored(store, criterion, run, outcomes)
    return None


def standing(store: Store, criterion: Criterion) -> Standing:
    """Return how a criterion stands as it is now: by its newest trial, never one on the sessions of the test.

    Where it was never tried, by its newest score of each labelled session.
    """
    trial = last_trial(store, criterion)
    if trial is not None and trial.sample.split != "test":
        return Standing(trial.matrix)
    outcomes = untested_scores(store, criterion)
    return Standing(matrix_of_scores(criterion, outcomes, people_verdicts(store, criterion.name)))


def _tried_criterion(store: Store, run: RunRow) -> Criterion | None:
    wanted = run.parameters.get("criterion_version")
    for version in store.criteria.versions(str(run.parameters.get("criterion") or "")):
        if version.fingerprint == wanted:
            with suppress(FormatError):
                return criterion_of(version)
    return None


def _stored(
    store: Store, criterion: Criterion, run: RunRow, outcomes: Sequence[CriterionOutcome]
) -> CriterionTrial:
    labels = LabelledSessions.of(store, criterion.name)
    sessions = tuple(one.session_id for one in outcomes)
    sample = Sample(
        sessions,
        {one.session_id: one.name for one in outcomes},
        {session: labels.verdicts[session] for session in sessions if session in labels.verdicts},
        run.parameters.get("split") or None,
        str(run.parameters.get("query") or ""),
        authors=labels.authors(sessions),
        passed_otherwise=labels.passed_otherwise(sessions),
    )
    seconds = None if run.finished_at is None else run.finished_at - run.created_at
    trial = CriterionTrial(criterion, sample, run_id=run.id, seconds=seconds).with_stored(outcomes)
    return replace(trial, judge=run.judge, began_at=run.created_at)
