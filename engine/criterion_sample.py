"""Criterion sample: the sessions that a criterion is tried on, and what people say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.store import Store
from turnwise.conversations.store.splits import SplitName
from turnwise.engine.opinions import Opinions, opinions_of, people_of, verdicts_of
from turnwise.engine.splits import in_chance_order, settle_splits


@dataclass(frozen=True, slots=True)
class Sample:
    """Sessions to try a criterion on.

    names: of the sessions. people: whether people pass them, where they say so. split: the split they are of;
    None for sessions of a filter. query: the filter, as it was typed. held_back: how many sessions of the
    filter were left out because they are for the test. authors: who labelled them, most labels first.
    """

    session_ids: tuple[int, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, bool] = field(default_factory=dict)
    split: SplitName | None = None
    query: str = ""
    held_back: int = 0
    authors: tuple[str, ...] = ()

    @property
    def labelled(self) -> int:
        """How many of them people labelled."""
        return len(self.people)


@dataclass(frozen=True, slots=True)
class LabelledSessions:
    """What people say of every session as to one criterion: each of them, and by majority."""

    opinions: Mapping[int, Opinions]
    verdicts: Mapping[int, bool]

    @classmethod
    def of(cls, store: Store, name: str) -> LabelledSessions:
        """Read what people say as to the criterion of that name."""
        opinions = opinions_of(store.judgements.opinions(name), name)
        return cls(opinions, verdicts_of(opinions, None)[0])

    def authors(self, sessions: Sequence[int]) -> tuple[str, ...]:
        """Return who labelled these sessions, most labels first."""
        people = people_of({one: self.opinions[one] for one in sessions if one in self.opinions})
        return tuple(person.author for person in people)


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
    sessions; None for all. query: how they were found, to be told. most: how many, drawn as by chance; None
    for all. May take half a second with many labels: call it from a thread.
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
    if most is not None and len(chosen) > most:
        chosen = sorted(in_chance_order(chosen, store.criteria.fingerprints(chosen))[:most])
    return Sample(
        tuple(chosen),
        store.judgements.names(chosen),
        {session: verdicts[session] for session in chosen if session in verdicts},
        split,
        query,
        held_back,
        labels.authors(chosen),
    )
