"""Criterion sample: the sessions that a criterion is tried on, and what people say of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.store import SPLITS, OpinionRow, SplitName, Store
from turnwise.engine.people.opinions import (
    Opinions,
    is_of_whole,
    opinions_of,
    passed_otherwise,
    people_of,
    settled_of,
    verdicts_of,
)


@dataclass(frozen=True, slots=True)
class Sample:
    """Sessions to try a criterion on.

    names: of the sessions. people: whether people pass them, where they say so. split: the split they are of;
    None for sessions of a filter. query: the filter, as it was typed. held_back: how many sessions of the
    filter were left out because they are for the test. drawn_from: how many these were drawn from; 0 where
    they are all of them. authors: who labelled them, most labels first. divided: how many of
    all labelled sessions are in each split. whole_fails: of those that people fail, how many nobody labelled
    by this criterion, but only as a whole: they may have failed for something else. passed_otherwise: of
    those that people pass as to it, how many they did not pass as a whole. undecided: of how
    many labelled sessions as many people pass as fail; they are in no split. said_at: when people last said
    something of each.
    """

    session_ids: tuple[int, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, bool] = field(default_factory=dict)
    split: SplitName | None = None
    query: str = ""
    held_back: int = 0
    drawn_from: int = 0
    authors: tuple[str, ...] = ()
    divided: Mapping[SplitName, int] = field(default_factory=dict)
    whole_fails: int = 0
    passed_otherwise: int = 0
    undecided: int = 0
    said_at: Mapping[int, float] = field(default_factory=dict)

    @property
    def labelled(self) -> int:
        """How many of them people labelled."""
        return len(self.people)


@dataclass(frozen=True, slots=True)
class LabelledSessions:
    """What people say of every session as to one criterion: each of them, and by majority."""

    opinions: Mapping[int, Opinions]
    verdicts: Mapping[int, bool]
    rows: Sequence[OpinionRow] = ()

    @classmethod
    def of(cls, store: Store, name: str) -> LabelledSessions:
        """Read what people say as to the criterion of that name."""
        rows = store.judgements.opinions(name)
        opinions = opinions_of(rows, name)
        return cls(opinions, verdicts_of(opinions, None, settled_of(rows, name))[0], rows)

    def authors(self, sessions: Sequence[int]) -> tuple[str, ...]:
        """Return who labelled these sessions, most labels first."""
        people = people_of({one: self.opinions[one] for one in sessions if one in self.opinions})
        return tuple(person.author for person in people)

    def passed_otherwise(self, sessions: Sequence[int]) -> int:
        """Return how many of these sessions pass as to the criterion alone, and not as a whole."""
        return sum(passed_otherwise(self.rows, [one for one in sessions if self.verdicts.get(one)]))

    def said_at(self, sessions: Sequence[int]) -> dict[int, float]:
        """Return when people last said something of these sessions."""
        wanted = set(sessions)
        found: dict[int, float] = {}
        for row in self.rows:
            if row.session_id in wanted:
                found[row.session_id] = max(row.at, found.get(row.session_id, 0.0))
        return found


def draw_sample(
    store: Store,
    name: str,
    *,
    split: SplitName | None = "dev",
    among: Sequence[int] | None = None,
    query: str = "",
    most: int | None = None,
) -> Sample:
    """Return sessions to try a criterion of that name on, the same ones every time.

    split: labelled sessions of it; None takes any, labelled or not, but those of the test. among: only these
    sessions; None for all. query: how they were found, to be told. most: how many, drawn as if at random;
    None for all. May take half a second with many labels: call it from a thread.
    """
    labels = LabelledSessions.of(store, name)
    verdicts = labels.verdicts
    members = settle_splits(store, verdicts)
    if split is None:
        wanted = list(among) if among is not None else store.sessions.ids()
        chosen = [session for session in wanted if members.get(session) != "test"]
        held_back = len(wanted) - len(chosen)
    else:
        within = None if among is None else set(among)
        chosen = [
            session
            for session in sorted(verdicts)
            if members.get(session) == split and (within is None or session in within)
        ]
        held_back = 0
    drawn_from = 0
    if most is not None and len(chosen) > most:
        drawn_from = len(chosen)
        chosen = sorted(in_chance_order(chosen, store.criteria.fingerprints(chosen))[:most])
    return Sample(
        tuple(chosen),
        store.judgements.names(chosen),
        {session: verdicts[session] for session in chosen if session in verdicts},
        split,
        query,
        held_back,
        drawn_from,
        labels.authors(chosen),
        Counter(members[session] for session in verdicts if session in members),
        sum(
            not verdicts.get(session, True) and is_of_whole(labels.opinions.get(session, {}))
            for session in chosen
        ),
        labels.passed_otherwise(chosen),
        sum(session not in verdicts for session in labels.opinions),
        labels.said_at(chosen),
    )


SHARES: Mapping[SplitName, float] = {"train": 0.2, "dev": 0.4, "test": 0.4}
"""The share of sessions in each split. dev and test get most: rates of few sessions have wide intervals."""


def divide(
    verdicts: Mapping[int, bool], fingerprints: Mapping[int, str], members: Mapping[int, SplitName]
) -> dict[int, SplitName]:
    """Return a split for each labelled session that has none yet.

    verdicts: whether people pass it. fingerprints: of its content. members: those that are in a split, which
    stay there. Sessions that pass and sessions that fail are divided each by themselves, as near to the
    shares as their number allows; which goes where follows from the fingerprint
    alone. Sessions of the same content get the same split.
    """
    counts = {
        verdict: Counter(
            members[session] for session, said in verdicts.items() if said == verdict and session in members
        )
        for verdict in (True, False)
    }
    of_content = {
        fingerprints[session]: split for session, split in members.items() if session in fingerprints
    }
    found: dict[int, SplitName] = {}
    for session in in_chance_order([session for session in verdicts if session not in members], fingerprints):
        print_ = fingerprints[session]
        stratum = counts[verdicts[session]]
        split = of_content.setdefault(print_, _next_split(stratum, _chance(print_)))
        stratum[split] += 1
        found[session] = split
    return found


def settle_splits(store: Store, verdicts: Mapping[int, bool]) -> dict[int, SplitName]:
    """Put labelled sessions that have no split into one; return the split of every session that has one."""
    members = store.splits.members()
    if any(session not in members for session in verdicts):
        fingerprints = store.criteria.fingerprints([*members, *verdicts])
        with store.writing():
            # Read again under the lock: another program may have divided them meanwhile.
            members = store.splits.members()
            store.splits.add(divide(verdicts, fingerprints, members))
        members = store.splits.members()
    return members


def in_chance_order(sessions: list[int], fingerprints: Mapping[int, str]) -> list[int]:
    """Return sessions in an order that is as good as random, yet always the same for the same contents."""
    return sorted(sessions, key=lambda session: (_chance(fingerprints.get(session, "")), session))


def _next_split(counts: Mapping[SplitName, int], chance: float) -> SplitName:
    """Return the split for one more session.

    It is drawn among the splits that have less than their share, with chances as large as what they lack.
    chance: a number from 0 to below 1 that makes the draw.
    """
    total = sum(counts.values()) + 1
    lacking = [(split, max(0.0, SHARES[split] * total - counts[split])) for split in SPLITS]
    left = chance * sum(lack for _, lack in lacking)
    for split, lack in lacking:
        if left < lack:
            return split
        left -= lack
    return max(lacking, key=lambda one: one[1])[0]


def _chance(fingerprint: str) -> float:
    """Return a number from 0 to below 1 that is as good as random, yet the same for the same content."""
    # Hashed once more, because fingerprints that came with a file may be anything.
    digest = hashlib.sha256(f"split {fingerprint}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6]) / 2**48
