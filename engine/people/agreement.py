"""Agreement: how far a metric says of sessions what people say of them, and where it does not.

    found = agreement(store, "role_adherence")
    found.measures.kappa.value, found.false_passes

Only scores are compared; failures and skips are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from typing import Any, Literal

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import NewestOutcome, SplitName, Store
from turnwise.engine.metrics.metric_names import meant_metric, near_name, spelled
from turnwise.engine.people.drifting import Drift, drift_of
from turnwise.engine.people.opinions import (
    Opinions,
    Person,
    is_of_whole,
    opinions_of,
    pass_and_fail,
    passed_otherwise,
    people_of,
    settled_of,
    verdicts_of,
)
from turnwise.engine.people.statistics.corrected_rates import corrected_rate, corrected_rate_interval
from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.people.statistics.rater_agreement import (
    Confusion,
    alpha_of_patterns,
    kappa_of_weights,
    share,
)
from turnwise.engine.people.statistics.unseen import Counts, interval_of_counts


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A session that a metric and people see differently.

    threshold: None where the check itself states whether it passes. reason: the metric's. note: what people
    wrote about it, if anything. of_whole: what people say is said of the session as a whole, by no label of
    the metric.
    """

    session: int
    name: str
    kind: Literal["false pass", "false fail"]
    score: float
    threshold: float | None
    reason: str
    note: str
    of_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A metric against people.

    query, split, run, author, blind_only: what it was asked of; author None for the majority of all people.
    people: everybody who labelled, most labels first. alpha: how far they agree with each other.
    failures, skipped: sessions of which the metric's newest outcome is no score. unscored: labelled
    sessions without a score. undecided: labelled sessions on which as many people say pass as fail.
    whole_fails: of the sessions that people failed, those whose labels are all of the session as a whole,
    which may have failed for something that the metric does not look for. failed_otherwise,
    disputed_otherwise: of the sessions that people passed as to the metric, how many they failed as a whole,
    and how many as many of them passed as failed. drift: of the one author whose labels these are; None for
    a majority. replaced: how many of all the metric's newest scores a model gave that no longer answers for
    its judge, by the model that does now. by_check: no judge gave any of them.
    """

    metric: str
    query: str
    split: SplitName | None
    run: int | None
    author: str | None
    blind_only: bool
    measures: Measures
    people: tuple[Person, ...]
    alpha: Figure
    failures: int
    skipped: int
    unscored: int
    undecided: int
    false_passes: tuple[Disagreement, ...]
    false_fails: tuple[Disagreement, ...]
    whole_fails: int = 0
    failed_otherwise: int = 0
    disputed_otherwise: int = 0
    drift: Drift | None = None
    replaced: Mapping[str, int] = field(default_factory=dict)
    by_check: bool = False

    @property
    def matrix(self) -> Confusion:
        """How often metric and people said what."""
        return self.measures.matrix

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {
            "metric": self.metric,
            "query": self.query,
            "split": self.split,
            "run": self.run,
            "author": self.author,
            "blind_only": self.blind_only,
            "n": self.matrix.total,
            "matrix": asdict(self.matrix),
            **self.measures.data(),
            "alpha": self.alpha.data(),
            "people": [asdict(person) for person in self.people],
            "scored": self.measures.scored,
            "failures": self.failures,
            "skipped": self.skipped,
            "unscored": self.unscored,
            "undecided": self.undecided,
            "whole_fails": self.whole_fails,
            "failed_otherwise": self.failed_otherwise,
            "disputed_otherwise": self.disputed_otherwise,
            **({} if self.drift is None else {"drift": self.drift.data()}),
            **({"replaced": dict(self.replaced)} if self.replaced else {}),
            "false_passes": [asdict(one) for one in self.false_passes],
            "false_fails": [asdict(one) for one in self.false_fails],
        }


def agreement(
    store: Store,
    metric: str,
    *,
    query: str = "",
    split: SplitName | None = None,
    run: int | None = None,
    author: str | None = None,
    blind_only: bool = False,
) -> Agreement:
    """Compare a metric's newest scores with people's labels.

    query: which sessions, in the language of filters. split: only those of one split. run: outcomes of that
    run alone. author: whose labels; None for the majority. blind_only: labels that were given while the
    scores were hidden.
    Takes about half a second for a hundred thousand scored sessions: call it from a thread.
    Raises NotFoundError for a metric, run or author that is not there, SettingError for a query that means
    nothing.
    """
    metric = _known_metric(store, metric)
    if run is not None:
        store.runs.get(run)
    rows = store.judgements.opinions(metric, query=query, split=split)
    opinions = opinions_of(rows, metric, blind_only=blind_only)
    people = people_of(opinions)
    if author is not None and not any(person.author == author for person in people):
        raise _no_such_author(author, people)
    outcomes = {
        row.session_id: row for row in store.judgements.outcomes(metric, query=query, split=split, run=run)
    }
    verdicts, undecided = verdicts_of(opinions, author, settled_of(rows, metric, blind_only=blind_only))
    pairs = [
        (outcome, verdict)
        for session, verdict in verdicts.items()
        if (outcome := outcomes.get(session)) is not None and outcome.passed is not None
    ]
    matrix = Confusion.of((bool(outcome.passed), verdict) for outcome, verdict in pairs)
    counts = store.judgements.count(metric, query=query, split=split, run=run)
    differing = [(outcome, verdict) for outcome, verdict in pairs if outcome.passed != verdict]
    told = _disagreements(store, differing, opinions, author)
    failed_otherwise, disputed_otherwise = passed_otherwise(
        rows, {outcome.session_id for outcome, verdict in pairs if verdict}, author, blind_only=blind_only
    )
    return Agreement(
        metric=metric,
        query=query,
        split=split,
        run=run,
        author=author,
        blind_only=blind_only,
        measures=measure(matrix, counts.passed, counts.scores),
        people=people,
        alpha=alpha_between(map(pass_and_fail, opinions.values())),
        failures=counts.failures,
        skipped=counts.skipped,
        unscored=len(verdicts) - len(pairs),
        undecided=undecided,
        false_passes=tuple(one for one in told if one.kind == "false pass"),
        false_fails=tuple(one for one in told if one.kind == "false fail"),
        whole_fails=sum(
            not verdict and is_of_whole(opinions.get(outcome.session_id, {}), author)
            for outcome, verdict in pairs
        ),
        failed_otherwise=failed_otherwise,
        disputed_otherwise=disputed_otherwise,
        drift=None if author is None else drift_of(author, opinions, _passed(metric, outcomes)),
        replaced=store.scores.judged_by_others(metric),
        by_check=store.scores.is_check(metric),
    )


def _passed(metric: str, outcomes: Mapping[int, NewestOutcome]) -> dict[str, dict[int, bool]]:
    told = {session: row.passed for session, row in outcomes.items() if row.passed is not None}
    return {metric: told}


def note_look(store: Store, found: Agreement, *, author: str) -> None:
    """Record in the store that somebody looked at the figures of a split; a trial on it is recorded likewise.

    author: who looked. Nothing is recorded for figures that are of no split or of no run.
    """
    run_id = found.run if found.run is not None else store.runs.newest_of(found.metric)
    if found.split is None or run_id is None:
        return
    store.splits.note_use(
        found.split,
        criterion=found.metric,
        version=str(store.runs.get(run_id).parameters.get("criterion_version") or ""),
        run_id=run_id,
        sessions=found.matrix.total,
        author=author,
    )


def _known_metric(store: Store, name: str) -> str:
    metrics = store.sessions.metrics()
    found = meant_metric(name, metrics)
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFoundError(
            f"{name} could be {' or '.join(found)}", next_step="Write more of the metric's name."
        )
    from turnwise.engine.metrics.registry import metric_keys  # 50 ms, and only for a slip

    known = metric_keys()
    near = near_name(name, metrics if spelled(name) in map(spelled, known) else [*metrics, *known])
    raise NotFoundError(
        f"No session was judged by {name}",
        detail=f"Judged by: {', '.join(metrics)}" if metrics else "",
        next_step=f"Did you mean {near}?"
        if near
        else f"Judge first: `turnwise score --all --metric {name}`.",
    )


def _no_such_author(author: str, people: Sequence[Person]) -> NotFoundError:
    return NotFoundError(
        f"{author} labelled none of these sessions",
        detail=f"Labelled by: {', '.join(person.author for person in people)}" if people else "",
        next_step="Leave --author out for all people, or name one of them."
        if people
        else "Label some first: `turnwise label SESSION pass`.",
    )


def _disagreements(
    store: Store,
    differing: Sequence[tuple[NewestOutcome, bool]],
    opinions: Mapping[int, Opinions],
    author: str | None,
) -> list[Disagreement]:
    """Return what to show of differing sessions, first those whose score is furthest from its threshold."""
    reasons = store.judgements.reasons([outcome.score_id for outcome, _ in differing])
    names = store.judgements.names([outcome.session_id for outcome, _ in differing])
    found = []
    for outcome, verdict in differing:
        score, threshold = outcome.score or 0.0, outcome.threshold
        by = opinions.get(outcome.session_id, {})
        notes = [
            row.note.strip()
            for row in by.values()
            if row.note.strip() and author in (None, row.author) and (row.word == "pass") == verdict
        ]
        found.append(
            Disagreement(
                outcome.session_id,
                names.get(outcome.session_id, ""),
                "false fail" if verdict else "false pass",
                score,
                threshold,
                reasons.get(outcome.score_id, ""),
                "\n".join(dict.fromkeys(notes)),
                of_whole=is_of_whole(by, author),
            )
        )
    return sorted(found, key=lambda one: (-_sureness(one), one.session))


def _sureness(one: Disagreement) -> float:
    """Return how far a score is from its threshold; from one half where there is none."""
    return abs(one.score - (0.5 if one.threshold is None else one.threshold))


NO_PAIRS = "no session has both a score and a label"
NONE_PASSED = "neither judge nor people passed any of them"
NOTHING_APART = "TPR + TNR is 1 or less: the judge tells nothing apart"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval.

    value: None where it cannot be computed; `why` then says the reason in plain words. low, high: None where
    there is no interval. sessions: on how many it rests, where nothing beside it says so.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""
    sessions: int | None = None

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {name: told for name, told in asdict(self).items() if name != "sessions" or told is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All that follows from a matrix of judge and people, and from how many sessions the judge passed.

    tpr, tnr, precision, pass_rate, f1: with exact intervals. kappa: with one that allows for what was not
    seen (`statistics/unseen.py`). corrected_pass_rate: with one by formula
    (`statistics/corrected_rates.py`). pass_rate is the judge's, over all `scored` sessions; the corrected one
    is what people would find.
    """

    matrix: Confusion
    passed: int
    scored: int
    tpr: Figure
    tnr: Figure
    precision: Figure
    f1: Figure
    kappa: Figure
    pass_rate: Figure
    corrected_pass_rate: Figure

    def data(self) -> dict[str, Any]:
        """Return the figures as JSON-ready values."""
        names = ("tpr", "tnr", "precision", "f1", "kappa", "pass_rate", "corrected_pass_rate")
        return {name: getattr(self, name).data() for name in names}


def measure(matrix: Confusion, passed: int, scored: int) -> Measures:
    """Return the measures of a matrix. passed: how many of `scored` sessions the judge passed.

    Takes some 50 ms, whatever the counts are.
    """
    none = NO_PAIRS if not matrix.total else ""
    nobody_passed = none or ("" if matrix.people_passed else "people passed none of them")
    nobody_failed = none or ("" if matrix.people_failed else "people failed none of them")
    return Measures(
        matrix=matrix,
        passed=passed,
        scored=scored,
        tpr=exact_share(matrix.true_pass, matrix.people_passed, nobody_passed),
        tnr=exact_share(matrix.true_fail, matrix.people_failed, nobody_failed),
        precision=exact_share(matrix.true_pass, matrix.judge_passed, none or "the judge passed none of them"),
        f1=_f1(matrix, none or NONE_PASSED),
        kappa=kappa_of_matrix(matrix, none),
        pass_rate=exact_share(passed, scored, "no session has a score"),
        corrected_pass_rate=_corrected(matrix, passed, scored, nobody_passed or nobody_failed),
    )


def alpha_between(opinions: Iterable[Sequence[int]]) -> Figure:
    """Return Krippendorff's alpha between people, with its interval, on the sessions that several labelled.

    opinions: per session how many people pass it and how many fail it.
    """
    patterns = Counter(one for given in opinions if sum(one := tuple(given)) > 1)
    if not patterns:
        return Figure(None, why="no session was labelled by two people")
    # One more session may be any of these: all alike, or as divided as can be.
    most = max(map(sum, patterns))
    kinds = list(dict.fromkeys([(most, 0), (0, most), (most // 2, most - most // 2), *patterns]))
    found = _drawn(
        [[patterns[kind] for kind in kinds]],
        lambda groups: alpha_of_patterns(dict(zip(kinds, groups[0], strict=True))),
        "all labels are the same",
    )
    return replace(found, sessions=patterns.total())


def exact_share(part: int, whole: int, why: str) -> Figure:
    """Return a share with its exact interval. why: what is said where the whole is 0."""
    return Figure(share(part, whole), *share_interval(part, whole)) if whole else Figure(None, why=why)


def _drawn(
    groups: Sequence[Sequence[int]],
    statistic: Callable[[Sequence[Counts]], float],
    why: str,
) -> Figure:
    value = statistic(groups)
    if isnan(value):
        return Figure(None, why=why)
    low, high = interval_of_counts(groups, statistic, lowest=-1.0, highest=1.0)
    return Figure(value) if isnan(low) else Figure(value, low, high)


def _f1(matrix: Confusion, why: str) -> Figure:
    """Return F1, which grows with the share that both passed of what either did, and that share is exact."""
    value = matrix.f1
    if isnan(value):
        return Figure(None, why=why)
    either = matrix.true_pass + matrix.false_pass + matrix.false_fail
    low, high = (2 * one / (1 + one) for one in share_interval(matrix.true_pass, either))
    return Figure(value, low, high)


def kappa_of_matrix(matrix: Confusion, none: str) -> Figure:
    """Return the kappa of judge and people, with its interval. none: why nothing can be said, if so."""
    alike = "passed" if matrix.true_pass else "failed"
    return kappa_between(matrix, none or f"judge and people {alike} all of them")


def kappa_between(matrix: Confusion, why: str) -> Figure:
    """Return Cohen's kappa with its interval. why: what is said where both gave one and the same word."""
    return _drawn([matrix.counts], lambda groups: kappa_of_weights(*groups[0]), why)


def _corrected(matrix: Confusion, passed: int, scored: int, none: str) -> Figure:
    value = corrected_rate(share(passed, scored), matrix.tpr, matrix.tnr)
    if isnan(value):
        return Figure(None, why=none or NOTHING_APART)
    counts = (matrix.true_pass, matrix.people_passed), (matrix.true_fail, matrix.people_failed)
    return Figure(value, *corrected_rate_interval(*counts, (passed, scored)))
