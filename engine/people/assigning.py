"""Assigning: which of several people label which sessions of a queue, so that all have as many to do.

Where a session is given to more than one person, pairs of people meet about as often as each other: agreement
between people then rests on all of them and not on one pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import counted


def checked_people(people: Sequence[str], each: int) -> tuple[str, ...]:
    """Return the people of a queue, each once, in the order they were named in.

    each: how many of them label each session, from 1. Raises SettingError where there are too few of them.
    """
    names = tuple(dict.fromkeys(" ".join(one.split()) for one in people))
    if "" in names:
        raise SettingError("A person needs a name", next_step="For example: --for ada --for ben")
    if not 1 <= each <= len(names):
        raise SettingError(
            f"Each session is to be labelled by {counted(each, 'person', 'people')}, and {len(names)} "
            f"{'is' if len(names) == 1 else 'are'} named",
            detail=f"Named: {', '.join(names) if names else 'nobody'}",
            next_step="Name as many with --for, or make --each smaller.",
        )
    return names


def assign(session_ids: Sequence[int], people: Sequence[str], each: int = 1) -> dict[int, tuple[str, ...]]:
    """Return who labels each session. people: as `checked_people` returns them.

    Nobody gets more than one session more than another, whatever `each` is.
    """
    given: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    assigned: dict[int, tuple[str, ...]] = {}
    for session in session_ids:
        chosen: list[str] = []
        for _ in range(each):
            chosen.append(
                min(
                    (one for one in people if one not in chosen),
                    key=lambda one: (given[one], sum(met[frozenset((one, other))] for other in chosen)),
                )
            )
        given.update(chosen)
        met.update(frozenset((one, other)) for one in chosen for other in chosen if one < other)
        assigned[session] = tuple(chosen)
    return assigned
