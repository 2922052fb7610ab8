"""Versions of a criterion: kept each time it says something else, and set side by side with their scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from turnwise.conversations.errors import FormatError
from turnwise.conversations.store import CriterionOutcome, CriterionVersion, Store
from turnwise.engine.criteria.criteria import Criterion, parse_criteria
from turnwise.engine.criteria.criteria_files import criterion_text
from turnwise.engine.people.agreement import Measures, measure
from turnwise.engine.people.opinions import people_verdicts
from turnwise.engine.people.statistics.rater_agreement import Confusion


@dataclass(frozen=True, slots=True)
class Compared:
    """One version beside another: figures on the sessions that both scored and people labelled.

    scored: how many sessions it scored in all. judges: who judged those that are compared.
    """

    criterion: Criterion
    measures: Measures
    scored: int
    judges: tuple[str, ...]


def keep_version(
    store: Store, criterion: Criterion, *, author: str, source: str = "", at: float | None = None
) -> CriterionVersion:
    """Keep what a criterion says as a version, unless it is one already, and return it.

    at: when it was written, in seconds since 1970; None for now.
    """
    return store.criteria.keep(
        name=criterion.name,
        fingerprint=criterion.fingerprint,
        metric_fingerprint=criterion.metric().fingerprint,
        text=criterion_text(criterion),
        author=author,
        source=source,
        at=at,
    )


def criterion_of(version: CriterionVersion) -> Criterion:
    """Return what a version says. Raises FormatError where this program no longer understands it."""
    return parse_criteria(version.text, Path(f"{version.name} v{version.number}"))[0]


def kept_criteria(
    store: Store, *, without: Collection[str] = ()
) -> Iterator[tuple[CriterionVersion, Criterion]]:
    """Return what each criterion says that was saved or tried, as its newest version, the newest first.

    without: names that are passed over, as those of criteria in files. One that this program no longer
    understands is left out: another turnwise wrote it, and `turnwise criteria` shows its text.
    """
    for name in store.criteria.names():
        if name not in without:
            newest = store.criteria.versions(name)[-1]
            with suppress(FormatError):
                yield newest, criterion_of(newest)


def compare_versions(store: Store, first: Criterion, second: Criterion) -> tuple[Compared, Compared]:
    """Set two versions side by side, on the labelled sessions that both scored, but those of the test."""
    sides = [(criterion, untested_scores(store, criterion)) for criterion in (first, second)]
    both = sides[0][1].keys() & sides[1][1].keys()
    compared = []
    for criterion, outcomes in sides:
        people = people_verdicts(store, criterion.name)
        common = {session: outcomes[session] for session in both if session in people}
        matrix = matrix_of_scores(criterion, common, people)
        scores = [one.score for one in common.values() if one.score is not None]
        passed = sum(criterion.passes(score) for score in scores)
        judges = tuple(dict.fromkeys(one.judge for one in common.values()))
        compared.append(Compared(criterion, measure(matrix, passed, len(scores)), len(outcomes), judges))
    return compared[0], compared[1]


def untested_scores(store: Store, criterion: Criterion) -> dict[int, CriterionOutcome]:
    """Return the scores of a version by session, without those of sessions that are for the test."""
    metric = criterion.metric()
    members = store.splits.members()
    return {
        one.session_id: one
        for one in store.criteria.outcomes(metric.name, metric.fingerprint)
        if one.score is not None and members.get(one.session_id) != "test"
    }


def matrix_of_scores(
    criterion: Criterion, outcomes: Mapping[int, CriterionOutcome], people: Mapping[int, bool]
) -> Confusion:
    """Return how often a version and people said what of the sessions that both say something of."""
    return Confusion.of(
        (criterion.passes(one.score), people[session])
        for session, one in outcomes.items()
        if one.score is not None and session in people
    )
