"""People side by side: what each labelled and passed, how far they agree with the others, and who drifts.

for one in people_side_by_side(store).people:
    print(one.author, one.agrees.value, one.drift.is_sure)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import OpinionRow, Store
from turnwise.conversations.words import did_you_mean
from turnwise.engine.metrics.metric_names import meant_metric
from turnwise.engine.people.agreement import Figure, alpha_between, exact_share, kappa_between
from turnwise.engine.people.drifting import Drift, drift_of, others_say
from turnwise.engine.people.opinions import Opinions, disputes, opinions_of, pass_and_fail, people_of
from turnwise.engine.people.statistics.rater_agreement import Confusion

NO_OTHERS = "nobody else labelled the same sessions"


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonBeside:
    """One person beside the others. labels: how many sessions they pass or fail, and `passed` of them.

    matrix: what they say (as the judge of it) and what the majority of the others says, of the sessions where
    there is one. agrees: the share of these on which it is the same. kappa: the same beyond chance.
    """

    author: str
    labels: int
    passed: int
    pass_rate: Figure
    matrix: Confusion
    agrees: Figure
    kappa: Figure
    drift: Drift

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {
            "author": self.author,
            "labels": self.labels,
            "passed": self.passed,
            "pass_rate": self.pass_rate.data(),
            "shared": self.matrix.total,
            "agrees": self.agrees.data(),
            "kappa": self.kappa.data(),
            "drift": self.drift.data(),
        }


@dataclass(frozen=True, slots=True)
class PeopleSideBySide:
    """Everybody who labelled, most labels first. metric: as to which; empty for the whole. alpha: of all."""

    metric: str
    people: tuple[PersonBeside, ...]
    alpha: Figure

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        people = [one.data() for one in self.people]
        return {"metric": self.metric, "alpha": self.alpha.data(), "people": people}


@dataclass(frozen=True, slots=True)
class PeopleTogether:
    """How far all people agree on sessions as a whole. people: who labelled any. alpha: between them.

    disputed: how many sessions they see differently, those that are settled left out.
    """

    people: int
    alpha: Figure
    disputed: int


def people_together(store: Store) -> PeopleTogether:
    """Set all people beside each other, as to sessions as a whole. Call it from a thread."""
    opinions = opinions_of(store.judgements.opinions(""), "")
    alpha = alpha_between(map(pass_and_fail, opinions.values()))
    return PeopleTogether(len(people_of(opinions)), alpha, len(disputes(store)))


def people_side_by_side(store: Store, metric: str = "", *, query: str = "") -> PeopleSideBySide:
    """Set everybody who labelled the sessions of a query side by side.

    metric: as to which; a label of the whole counts where there is none of it. Without one, only labels of
    the whole count. Takes some 0.3 seconds a person: call it from a thread. Raises NotFoundError for a metric
    that nobody judged or labelled by, SettingError for a query that means nothing.
    """
    rows = store.judgements.opinions(None, query=query)
    metric = _known(metric, store.sessions.metrics(), rows) if metric else ""
    opinions = opinions_of(rows, metric)
    passed = store.judgements.passes(query)
    if metric:
        passed = {metric: passed.get(metric, {})}
    people = tuple(_beside(one.author, opinions, passed) for one in people_of(opinions))
    return PeopleSideBySide(metric, people, alpha_between(map(pass_and_fail, opinions.values())))


def _beside(
    author: str, opinions: Mapping[int, Opinions], passed: Mapping[str, Mapping[int, bool]]
) -> PersonBeside:
    own = {session: by[author].word == "pass" for session, by in opinions.items() if author in by}
    others = others_say(author, opinions)
    matrix = Confusion.of((said, others[one] == 1) for one, said in own.items() if others.get(one) in (0, 1))
    passing = sum(own.values())
    alike = "they and the others always give the same word"
    return PersonBeside(
        author=author,
        labels=len(own),
        passed=passing,
        pass_rate=exact_share(passing, len(own), "no labels"),
        matrix=matrix,
        agrees=exact_share(matrix.true_pass + matrix.true_fail, matrix.total, NO_OTHERS),
        kappa=kappa_between(matrix, alike if matrix.total else NO_OTHERS),
        drift=drift_of(author, opinions, passed),
    )


def _known(name: str, scored: Iterable[str], rows: Iterable[OpinionRow]) -> str:
    known = list(dict.fromkeys([*scored, *(row.metric for row in rows if row.metric)]))
    found = meant_metric(name, known)
    if len(found) == 1:
        return found[0]
    if found:
        raise NotFoundError(
            f"{name} could be {' or '.join(found)}", next_step="Write more of the metric's name."
        )
    raise NotFoundError(
        f"Nobody judged or labelled by {name}",
        detail=f"There are scores or labels of: {', '.join(sorted(known))}" if known else "",
        next_step=did_you_mean(name, known) or "Leave --metric out for labels of whole conversations.",
    )
