"""Review queues: which of many sessions are worth a person's time, and in what order.

    plan = QueuePlan(sampler="uncertain", size=50, query="role:airline")
    store.queues.add("tuesday", choose(store, plan), sampler=plan.sampler, settings=plan.settings())

Nothing is asked of a judge here: all follows from what the store holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, get_args

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store, terms_of
from turnwise.engine.metrics.metric_names import near_name, same_name
from turnwise.engine.people.opinions import disputes

if TYPE_CHECKING:
    from turnwise.conversations.store import StandingScore
    from turnwise.engine.novelty.novel_sessions import Told

SamplerWord = Literal["random", "failures", "uncertain", "tags", "unlabelled", "disputed", "next", "new"]
SAMPLERS: tuple[SamplerWord, ...] = get_args(SamplerWord)
ABOUT: dict[SamplerWord, str] = {
    "random": "each as likely as the others",
    "failures": "worst scores first, those without one last",
    "uncertain": "near a threshold, or judge and checks differ",
    "tags": "the same number from each tag",
    "unlabelled": "all that nobody labelled, as they are listed",
    "disputed": "people differ, and nobody has settled it",
    "next": "one by one: the fewest labels for a pass rate",
    "new": "unlike any reviewed yet, in words or tools",
}
"""What each sampler takes, in words."""
TITLES: dict[SamplerWord, str] = {
    "random": "at random",
    "failures": "failures first",
    "uncertain": "uncertain ones",
    "tags": "evenly by tag",
    "unlabelled": "unlabelled ones",
    "disputed": "disputed ones",
    "next": "most informative",
    "new": "something new",
}
"""What each sampler is called where it is chosen from a list."""
USUAL_SIZE = 50
AS_DOUBTFUL = 0.05
"""Where judge and checks disagree, a session counts as one whose score is this far from its threshold."""
_UNGROUPED = ""


@dataclass(frozen=True, slots=True)
class QueuePlan:
    """What a queue is to hold.

    size: how many sessions at the most, from 1. query: the filter that they match. metric: the one whose
    scores count; empty for all. seed: the same seed chooses the same sessions of the same database. by: of
    which groups as many are taken of each as of the others, such as meta.language; empty for none.
    """

    sampler: SamplerWord = "random"
    size: int = USUAL_SIZE
    query: str = ""
    metric: str = ""
    seed: int = 0
    by: str = ""

    def __post_init__(self) -> None:
        """Refuse what means nothing: SettingError."""
        if self.sampler not in SAMPLERS:
            raise SettingError(
                f"There is no sampler {self.sampler}", next_step=f"Samplers are {', '.join(SAMPLERS)}."
            )
        if self.size < 1:
            raise SettingError("A queue holds at least one session", detail=f"Given: {self.size}")

    def settings(self) -> dict[str, Any]:
        """Return the settings that are stored with the queue; those left at their defaults are left out."""
        return {name: value for name, value in asdict(self).items() if name != "sampler" and value != ""}


def choose(
    store: Store,
    plan: QueuePlan,
    among: Sequence[int] | None = None,
    *,
    told: Told = lambda done, of: None,
) -> list[int]:
    """Return the sessions that a plan takes, in the order in which they are to be reviewed.

    Of `next` these are all that may be drawn. among: ids to choose from, None for those that the plan's query
    finds. Sessions that have a label already are left out, unless the query asks for labels by itself, and
    the sampler for others than unlabelled ones; disputed ones all have some. told: hears how many sessions
    have been looked at, and of how many, where they have to be read; what it raises ends it.

    Raises SettingError where the query means nothing, or nothing is left to choose from.
    """
    pool = _disputed(store, plan, among) if plan.sampler == "disputed" else _pool(store, plan, among)
    match plan.sampler:
        case "disputed" | "unlabelled" | "next":
            chosen = pool
        case "random":
            chosen = shuffled(pool, plan.seed)
        case "new":
            # What it reads a conversation with is heavy, and the library opens without it.
            from turnwise.engine.novelty.novel_sessions import novel_sessions

            order = novel_sessions(store, pool, seed=plan.seed, told=told)
            # With `by`, as many of each are taken out of the whole order.
            chosen = list(order if plan.by else islice(order, plan.size))
        case "tags":
            chosen = round_robin(shuffled(pool, plan.seed), store.queues.tags())
        case "failures" | "uncertain":
            weigh = worst_first if plan.sampler == "failures" else doubtful_first
            chosen = weigh(pool, store.queues.scores(scored_metrics(store, plan.metric)))
            if not chosen:
                raise SettingError(
                    f"None of these {len(pool):,} sessions has a score to choose by",
                    next_step="Judge them first, or choose at random.",
                )
    if plan.by:
        chosen = round_robin(chosen, ((one, group) for one, group in store.sessions.groups(plan.by) if group))
    return chosen[: plan.size]


def _disputed(store: Store, plan: QueuePlan, among: Sequence[int] | None) -> list[int]:
    found = _in_dispute(store, plan.metric, plan.query, among)
    if not found:
        raise SettingError(
            "People see no session differently that is not settled",
            next_step="Let two people label the same sessions: `turnwise queue new NAME --for ... --each 2`.",
        )
    return found


def _in_dispute(store: Store, metric: str, query: str, among: Sequence[int] | None) -> list[int]:
    differing = disputes(store, metric, query=query)
    found = [one for one in store.sessions.ids(query) if one in differing]
    if among is not None:
        found = [one for one in found if one in set(among)]
    return found


def left_to_choose(
    store: Store, sampler: SamplerWord, query: str, among: Sequence[int] | None = None
) -> Sequence[int]:
    """Return the sessions that a sampler has to choose from: those without a label, or those in dispute.

    query and among are as in `choose`. Takes some hundredths of a second of many sessions, and longer for
    those in dispute: call it from a thread. Raises SettingError for a query that means nothing.
    """
    if sampler == "disputed":
        return _in_dispute(store, "", query, among)
    found = store.sessions.ids(query, None) if among is None else among
    return _worth_a_label(store, sampler, query, found)


def takes_labelled(sampler: SamplerWord, query: str) -> bool:
    """Return whether labelled sessions are not left out: the query says which labels it wants."""
    return sampler != "unlabelled" and any(
        term.text.removeprefix("-").startswith("label:") for term in terms_of(query)
    )


def _pool(store: Store, plan: QueuePlan, among: Sequence[int] | None) -> list[int]:
    found = store.sessions.ids(plan.query) if among is None else list(among)
    if not found:
        raise SettingError("No session matches", detail=plan.query, next_step="Take another filter.")
    pool = _worth_a_label(store, plan.sampler, plan.query, found)
    if not pool:
        raise SettingError(
            f"All {len(found):,} of these sessions have a label",
            next_step="To look at some again, filter by label, as in label:fail.",
        )
    return pool


def _worth_a_label(store: Store, sampler: SamplerWord, query: str, found: Sequence[int]) -> list[int]:
    """Return those of the sessions found that have no label; all of them where labelled ones are wanted."""
    if takes_labelled(sampler, query):
        return list(found)
    unlabelled = set(store.sessions.ids("label:none", None))
    return [session for session in found if session in unlabelled]


def scored_metrics(store: Store, named: str) -> list[str]:
    """Return the metric of a name that has scores, or all that have. Raises SettingError without one."""
    metrics = store.sessions.metrics()
    if not named:
        return metrics
    if (found := same_name(named, metrics)) is not None:
        return [found]
    near = near_name(named, metrics)
    raise SettingError(
        f"There are no scores of {named}",
        detail=f"Metrics with scores: {', '.join(metrics) if metrics else 'none yet'}",
        next_step=f"Did you mean {near}?" if near else "",
    )


def shuffled(pool: Sequence[int], seed: int) -> list[int]:
    """Return all of a pool in an order that follows from the seed and from nothing else."""
    # Sorted first: where a session stands in a list must not decide.
    mixed = sorted(pool)
    random.Random(seed).shuffle(mixed)
    return mixed


def round_robin(pool: Sequence[int], groups_of: Iterable[tuple[int, str]]) -> list[int]:
    """Return a pool so that each group has its turn: one session of each, then a second one, and so on.

    Within a group the order of the pool stays. A session of several groups counts for the one that has the
    fewest; those of none are a group too.
    """
    members: dict[str, set[int]] = {}
    places = {session: place for place, session in enumerate(pool)}
    for session, group in groups_of:
        if session in places:
            members.setdefault(group, set()).add(session)
    members[_UNGROUPED] = set(places).difference(*members.values())
    groups: list[list[int]] = []
    taken: set[int] = set()
    for name in sorted(members, key=lambda name: (len(members[name]), name)):
        groups.append(sorted(members[name] - taken, key=places.__getitem__))
        taken |= members[name]
    most = max(map(len, groups))
    return [group[place] for place in range(most) for group in groups if place < len(group)]


def worst_first(pool: Sequence[int], scores: Iterable[StandingScore]) -> list[int]:
    """Return a pool by how far the worst score of each is below its threshold; those without any last.

    A score without a threshold is taken as it is, against one half, as far as it says whether it passed.
    """
    margins: dict[int, float] = {}
    for one in scores:
        margin = _margin(one)
        margins[one.session_id] = min(margin, margins.get(one.session_id, margin))
    return _by_weight(pool, margins)


def doubtful_first(pool: Sequence[int], scores: Iterable[StandingScore]) -> list[int]:
    """Return a pool by how near a score of each is to its threshold; those without any last.

    Where all that a judge scored passed and all that checks scored did not, or the other way round, the
    session counts as one whose score is AS_DOUBTFUL from its threshold.
    """
    doubts: dict[int, float] = {}
    said: dict[int, set[tuple[bool, bool]]] = {}
    for one in scores:
        margin = _margin(one)
        if not one.by_check or 0.0 < one.score < 1.0:
            # A check that says yes or no is not in doubt at either end.
            doubts[one.session_id] = min(abs(margin), doubts.get(one.session_id, 2.0))
        else:
            doubts.setdefault(one.session_id, 2.0)
        said.setdefault(one.session_id, set()).add((one.by_check, one.passed))
    for session, words in said.items():
        if words in ({(True, True), (False, False)}, {(True, False), (False, True)}):
            doubts[session] = min(doubts[session], AS_DOUBTFUL)
    return _by_weight(pool, doubts)


def _margin(one: StandingScore) -> float:
    margin = one.score - (0.5 if one.threshold is None else one.threshold)
    return max(margin, 0.0) if one.passed else min(margin, 0.0)


def _by_weight(pool: Sequence[int], weights: dict[int, float]) -> list[int]:
    """Return a pool with those that have no weight last; nothing where none of them has any."""
    places = {session: place for place, session in enumerate(pool)}
    scored = [session for session in pool if session in weights]
    if not scored:
        return []
    ordered = sorted(scored, key=lambda session: (weights[session], places[session]))
    # A person who asks for so many gets so many: nothing was found in these that would keep them out.
    return ordered + [session for session in pool if session not in weights]
