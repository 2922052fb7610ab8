"""Agreement: how far a metric says of sessions what people say of them, and where it does not.

    found = agreement(store, "role_adherence")
    found.measures.kappa.value, found.false_passes

Only scores are compared; failures and skips are counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.conversations.store.judgements import OutcomeRow
from turnwise.conversations.store.splits import SplitName
from turnwise.engine.agreement_measures import Figure, Measures, alpha_between, measure
from turnwise.engine.metric_names import meant_metric, near_name, spelled
from turnwise.engine.opinions import Opinions, Person, opinions_of, pass_and_fail, people_of, verdicts_of
from turnwise.engine.statistics.rates import Confusion


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A session that a metric and people see differently.

    reason: the metric's. note: what people wrote about it, if anything.
    """

    session: int
    name: str
    kind: Literal["false pass", "false fail"]
    score: float
    threshold: float
    reason: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """A metric against people.

    query, split, run, author, blind_only: what it was asked of; author None for the majority of all people.
    people: everybody who labelled, most labels first. alpha: how far they agree with each other.
    failures, skipped: sessions of which the metric's newest outcome is no score. unscored: labelled
    sessions without a score. undecided: labelled sessions on which as many people say pass as fail.
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
    opinions = opinions_of(
        store.judgements.opinions(metric, query=query, split=split), metric, blind_only=blind_only
    )
    people = people_of(opinions)
    if author is not None and not any(person.author == author for person in people):
        raise _no_such_author(author, people)
    outcomes = {
        row.session_id: row for row in store.judgements.outcomes(metric, query=query, split=split, run=run)
    }
    verdicts, undecided = verdicts_of(opinions, author)
    pairs = [
        (outcome, verdict)
        for session, verdict in verdicts.items()
        if (outcome := outcomes.get(session)) is not None and outcome.passed is not None
    ]
    matrix = Confusion.of((bool(outcome.passed), verdict) for outcome, verdict in pairs)
    counts = store.judgements.count(metric, query=query, split=split, run=run)
    differing = [(outcome, verdict) for outcome, verdict in pairs if outcome.passed != verdict]
    told = _disagreements(store, differing, opinions, author)
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
    )


def note_look(store: Store, found: Agreement, *, author: str) -> None:
    """Note that the figures of a split were looked at, as a trial on it is noted. author: who looked."""
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
    differing: Sequence[tuple[OutcomeRow, bool]],
    opinions: Mapping[int, Opinions],
    author: str | None,
) -> list[Disagreement]:
    """Return what to show of each, the surest errors of the metric first."""
    reasons = store.judgements.reasons([outcome.score_id for outcome, _ in differing])
    names = store.judgements.names([outcome.session_id for outcome, _ in differing])
    found = []
    for outcome, verdict in differing:
        score, threshold = outcome.score or 0.0, outcome.threshold or 0.0
        by = opinions[outcome.session_id]
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
            )
        )
    return sorted(found, key=lambda one: (-abs(one.score - one.threshold), one.session))
