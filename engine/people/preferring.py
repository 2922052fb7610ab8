"""Preferences: what people say of pairs, the next pair for somebody, and how strong that makes each group.

say_of_pair(store, "models", 3, "ada", "left", note="answers the question")
found = group_strengths(store, "models")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import log
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import (
    PairedSessions,
    PairQueueRow,
    Preference,
    PreferenceRow,
    Store,
)
from turnwise.conversations.words import counted
from turnwise.engine.people.agreement import Figure, exact_share
from turnwise.engine.people.statistics.bradley_terry import (
    Comparison,
    fitted_strengths,
    linked_groups,
    win_share_intervals,
    win_shares,
)

FEWEST_PAIRS = 4
"""Of fewer pairs of a group no interval is told: it would reach from nearly nothing to nearly all."""


@dataclass(frozen=True, slots=True)
class GroupStrength:
    """One group by what people prefer. said: how many preferences; won, tied, lost: how they came out.

    strength: by Bradley and Terry, in natural logarithms; those of all groups add up to 0. win_share: how
    often it is preferred to the others, with its interval; a tie is half a win. more: how many more of its
    pairs it takes until an interval is told.
    """

    group: str
    said: int
    won: int
    tied: int
    lost: int
    strength: float | None
    win_share: Figure
    more: int


@dataclass(frozen=True, slots=True)
class SideBias:
    """How often one person prefers the left side. chosen: pairs that are no ties. left: the share of them."""

    author: str
    said: int
    chosen: int
    left: Figure

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out that the side makes no difference."""
        low, high = self.left.low, self.left.high
        return low is not None and high is not None and (low > 0.5 or high < 0.5)


@dataclass(frozen=True, slots=True)
class PairStrengths:
    """What came of a queue of pairs. groups: the strongest first. people: who said most first.

    parts: the groups in parts that were never set beside each other; more than one where no strength can be
    told across them. done: pairs of which somebody said something.
    """

    name: str
    by: str
    pairs: int
    done: int
    groups: tuple[GroupStrength, ...]
    people: tuple[SideBias, ...]
    parts: tuple[tuple[str, ...], ...]

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        people = [{**asdict(one), "sure": one.is_sure} for one in self.people]
        return {**asdict(self), "people": people}


def next_pair(store: Store, name: str, author: str) -> tuple[PairQueueRow, PairedSessions | None]:
    """Return the first pair that somebody said nothing of yet; None where there is none.

    Raises NotFoundError for pairs that are not there.
    """
    row = store.pairs.get(name)
    said = preferences_of(store, row.id, author)
    return row, next((pair for pair in store.pairs.pairs(row.id) if pair.place not in said), None)


def preferences_of(store: Store, queue_id: int, author: str) -> dict[int, PreferenceRow]:
    """Return what somebody says by now of the pairs of a queue, by their places."""
    return {one.place: one for one in store.pairs.preferences(queue_id) if one.author == author}


def notes_of(store: Store, queue_id: int, author: str) -> dict[int, str]:
    """Return the notes of somebody on pairs of which they do not say yet which side is better, by place."""
    said = store.pairs.standing(queue_id)
    return {one.place: one.note for one in said if one.author == author and one.preferred is None}


def say_of_pair(
    store: Store, name: str, place: int, author: str, preferred: Preference | None, *, note: str = ""
) -> None:
    """Keep which side somebody prefers; None takes back what they said of the pair, up to a note.

    Raises NotFoundError where there is no such pair, or nothing to take back.
    """
    row = store.pairs.get(name)
    if place not in {pair.place for pair in store.pairs.pairs(row.id)}:
        raise NotFoundError(f"{row.name} has no pair {place}", next_step=f"Pairs are 1 to {row.count}.")
    standing = [(one.place, one.author) for one in store.pairs.standing(row.id)]
    if preferred is None and not note.strip() and (place, author) not in standing:
        raise NotFoundError(
            f"{author} said nothing of pair {place}",
            next_step=f"`turnwise pairs next {row.name}` prints the pair that is next.",
        )
    store.pairs.say(row.id, place, author, preferred, note=note.strip())


def group_strengths(store: Store, name: str) -> PairStrengths:
    """Return how strong each group of a queue is by what people prefer, and how each leans to a side.

    May take seconds with many groups: call it from a thread. Raises NotFoundError for pairs that are not
    there.
    """
    row = store.pairs.get(name)
    pairs = store.pairs.pairs(row.id)
    said = store.pairs.preferences(row.id)
    by_place = {pair.place: pair for pair in pairs}
    groups = sorted({group for pair in pairs for group in (pair.left_group, pair.right_group)})
    found = [_comparison(by_place[one.place], one) for one in said]
    parts = linked_groups(groups, found)
    return PairStrengths(
        name=row.name,
        by=str(row.settings.get("by", "")),
        pairs=len(pairs),
        done=len({one.place for one in said}),
        groups=_strengths(groups, found, linked=len(parts) == 1),
        people=_side_biases(said),
        parts=tuple(map(tuple, parts)),
    )


def _comparison(pair: PairedSessions, said: PreferenceRow) -> Comparison:
    won = {"left": 1.0, "right": 0.0}.get(said.preferred or "", 0.5)
    return Comparison(pair.left_group, pair.right_group, won, pair.place)


def _strengths(
    groups: Sequence[str], found: Sequence[Comparison], *, linked: bool
) -> tuple[GroupStrength, ...]:
    counts = {group: [0, 0, 0] for group in groups}
    evidence: dict[str, set[object]] = {group: set() for group in groups}
    for one in found:
        for group, won in ((one.first, one.won), (one.second, 1 - one.won)):
            counts[group][{1.0: 0, 0.5: 1}.get(won, 2)] += 1
            evidence[group].add(one.evidence)
    strengths = fitted_strengths(groups, found) if linked else {}
    shares = win_shares(strengths)
    intervals = win_share_intervals(groups, found) if linked and found else {}
    told = []
    for group in groups:
        won, tied, lost = counts[group]
        more = max(0, FEWEST_PAIRS - len(evidence[group]))
        if not linked:
            share = Figure(None, why="some groups were never set beside each other")
        elif more:
            share = Figure(shares[group], why=f"needs {counted(more, 'more pair')}")
        else:
            share = Figure(shares[group], *intervals[group])
        strength = log(strengths[group]) if linked else None
        told.append(GroupStrength(group, won + tied + lost, won, tied, lost, strength, share, more))
    return tuple(sorted(told, key=lambda one: (-(one.strength or 0.0), one.group)))


def _side_biases(said: Sequence[PreferenceRow]) -> tuple[SideBias, ...]:
    found = []
    for author in dict.fromkeys(one.author for one in said):
        own = [one.preferred for one in said if one.author == author]
        chosen = [one for one in own if one != "tie"]
        left = exact_share(chosen.count("left"), len(chosen), "preferred neither side of any pair")
        found.append(SideBias(author, len(own), len(chosen), left))
    return tuple(sorted(found, key=lambda one: (-one.said, one.author)))
