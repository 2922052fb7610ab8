"""Pairing: sessions of different groups that answer the same thing, to be read side by side without names.

    pairs = choose_pairs(store, PairPlan(by="model", size=40))

Two sessions answer the same thing where they have the same scenario, or else where the user begins with the
same words. Which of them stands on the left is drawn, as often the one group as the other.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import PairedSessions, Store
from turnwise.conversations.words import counted
from turnwise.engine.people.queues import round_robin

USUAL_PAIRS = 40
MOST_GROUPS = 12
"""Of more groups each pair of groups would get too few pairs to say anything."""
_Candidate = tuple[str, str, int, int]
"""Two groups, and a session of each."""


@dataclass(frozen=True, slots=True)
class PairPlan:
    """What pairs are to be made. by: of which groups, such as model, meta.KEY or tag. query: which sessions.

    size: how many pairs at the most, from 1. seed: the same one makes the same pairs of the same database.
    """

    by: str
    query: str = ""
    size: int = USUAL_PAIRS
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """Return the settings that are stored with the pairs."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PairingWay:
    """One way to make pairs. groups: those that stand in a pair. pairs: how many can be made at the most."""

    groups: Sequence[str]
    pairs: int


def ways_to_pair(store: Store, query: str = "") -> dict[str, PairingWay]:
    """Return by what pairs can be made of the sessions that a query finds, what makes most of them first.

    Left out is what makes too few or too many groups, or groups of one session each, and what makes groups
    whose sessions never answer the same thing. Of ways that make equally many those stand first whose
    sessions are of one group each, as versions are and tags often are not: their pairs differ in nothing
    else that groups. Raises SettingError where the query means nothing.
    """
    wanted = set(store.sessions.ids(query))
    together = _by_question(store, wanted)
    found: dict[str, PairingWay] = {}
    shared: set[str] = set()
    for way in store.sessions.groupings():
        groups: defaultdict[int, set[str]] = defaultdict(set)
        sizes: Counter[str] = Counter()
        for session, group in store.sessions.groups(way):
            if group and session in wanted and group not in groups[session]:
                groups[session].add(group)
                sizes[group] += 1
        # A group that holds all parts nothing.
        names = sorted(name for name, size in sizes.items() if size < len(wanted))
        alone = len(names) > 2 and max(sizes.values()) == 1
        if 2 <= len(names) <= MOST_GROUPS and not alone and (pairs := _possible(together, groups)):
            met = {name for two in pairs for name in two}
            found[way] = PairingWay(sorted(met), pairs.total())
            if any(len(of_one) > 1 for of_one in groups.values()):
                shared.add(way)
    return {way: found[way] for way in sorted(found, key=lambda way: (-found[way].pairs, way in shared))}


def _possible(together: Iterable[Sequence[int]], groups: Mapping[int, set[str]]) -> Counter[tuple[str, str]]:
    """Return how many pairs `_across` makes of each two groups, by how many sessions are of the same groups.

    It is asked of every way to pair, and most sessions are of few kinds.
    """
    found: Counter[tuple[str, str]] = Counter()
    for sessions in together:
        kinds = Counter(frozenset(groups.get(session, ())) for session in sessions)
        for one, other in combinations(sorted(frozenset().union(*kinds)), 2):
            first = sum(size for kind, size in kinds.items() if one in kind and other not in kind)
            second = sum(size for kind, size in kinds.items() if other in kind and one not in kind)
            if first and second:
                found[one, other] += min(first, second)
    return found


def choose_pairs(store: Store, plan: PairPlan) -> list[PairedSessions]:
    """Return pairs by a plan, each pair of groups as often as the others as long as there are some.

    Raises SettingError where the query or the groups mean nothing, and where no two sessions of different
    groups answer the same thing.
    """
    wanted = set(store.sessions.ids(plan.query))
    groups: defaultdict[int, set[str]] = defaultdict(set)
    for session, group in store.sessions.groups(plan.by):
        if session in wanted and group:
            groups[session].add(group)
    names = sorted(set().union(*groups.values()))
    _check_groups(plan, names, len(wanted))
    draw = random.Random(plan.seed)
    candidates: list[_Candidate] = []
    for sessions in _by_question(store, groups):
        candidates += _across(sessions, groups, draw)
    if not candidates:
        raise SettingError(
            "No two sessions of different groups answer the same thing",
            detail=f"Groups by {plan.by}: {', '.join(names)}",
            next_step="Pairs need the same scenario, or the same first words of the user.",
        )
    draw.shuffle(candidates)
    kinds = ((place, f"{one}\0{other}") for place, (one, other, _, _) in enumerate(candidates))
    chosen = [candidates[place] for place in round_robin(range(len(candidates)), kinds)[: plan.size]]
    return _on_sides(chosen, draw)


def _check_groups(plan: PairPlan, names: Sequence[str], sessions: int) -> None:
    """Raise SettingError where there are no sessions, or too few or too many groups of them for pairs."""
    if not sessions:
        raise SettingError(
            f"No session matches {plan.query}" if plan.query else "There are no sessions to compare yet",
            next_step="`turnwise sessions` lists those there are, and `turnwise import FILE` brings some in.",
        )
    if 2 <= len(names) <= MOST_GROUPS:
        return
    found = "there is 1" if len(names) == 1 else f"there are {len(names):,}" if names else "there are none"
    raise SettingError(
        f"Pairs need 2 to {MOST_GROUPS} groups: by {plan.by} {found} in {counted(sessions, 'session')}",
        detail=", ".join(names[:MOST_GROUPS]),
        next_step="Group by something else, or take a filter that finds sessions of some groups.",
    )


def _by_question(store: Store, sessions: Iterable[int]) -> list[list[int]]:
    """Return the sessions that answer the same thing together, in an order that the database decides."""
    openings = store.pairs.openings()
    scenarios = {session: told for session, told in store.sessions.groups("scenario") if told}
    together: defaultdict[tuple[bool, str], list[int]] = defaultdict(list)
    for session in sorted(sessions):
        scenario = scenarios.get(session, "")
        words = " ".join((scenario or openings.get(session, "")).casefold().split())
        if words:
            together[bool(scenario), words].append(session)
    return list(together.values())


def _across(
    sessions: Sequence[int], groups: defaultdict[int, set[str]], draw: random.Random
) -> list[_Candidate]:
    """Return pairs across groups; for each two groups a session is in one of them at the most."""
    found: list[_Candidate] = []
    for one, other in combinations(sorted(set().union(*(groups[session] for session in sessions))), 2):
        # What is of both groups tells nothing of their difference.
        first = [session for session in sessions if one in groups[session] and other not in groups[session]]
        second = [session for session in sessions if other in groups[session] and one not in groups[session]]
        draw.shuffle(first)
        draw.shuffle(second)
        found += [(one, other, *pair) for pair in zip(first, second, strict=False)]
    return found


def _on_sides(chosen: Sequence[_Candidate], draw: random.Random) -> list[PairedSessions]:
    """Return the pairs with their sides drawn: each group stands on either side equally often, give or take
    one pair of each two groups.
    """
    places: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for place, (one, other, _, _) in enumerate(chosen):
        places[one, other].append(place)
    swapped: set[int] = set()
    for of_two in places.values():
        draw.shuffle(of_two)
        swapped.update(of_two[: (len(of_two) + draw.randrange(2)) // 2])
    return [
        PairedSessions(place + 1, second, first, other, one)
        if place in swapped
        else PairedSessions(place + 1, first, second, one, other)
        for place, (one, other, first, second) in enumerate(chosen)
    ]
