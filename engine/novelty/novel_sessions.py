"""Novel sessions: those of a store that are unlike all that was reviewed, in the order to review them.

    order = novel_sessions(store, pool, seed=3)
    next(order)

Of many sessions a sample is looked at: what one in a thousand does wrong is in it five times.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from turnwise.conversations.errors import DamageError
from turnwise.conversations.store import Store
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.novelty.novel_order import novel_order
from turnwise.engine.novelty.signs import NOTHING, Sighting, sighting_of

LOOKED_AT = 5_000
"""So many sessions are looked at, drawn at random where there are more."""
REVIEWED = 2_000
"""So many of those that were reviewed are looked at."""

Told = Callable[[int, int], None]
"""Is told how many sessions have been looked at, and of how many. What it raises ends the search."""


def novel_sessions(
    store: Store, pool: Sequence[int], *, seed: int, told: Told = lambda done, of: None
) -> Iterator[int]:
    """Yield the sessions of a pool, the most novel beside all that has a label first.

    The same pool, labels and seed give the same order. A session that cannot be read shows nothing, and so
    comes late. Looking takes about a millisecond a session.
    """
    draw = random.Random(seed)
    waiting = sorted(pool)
    waiting = draw.sample(waiting, LOOKED_AT) if len(waiting) > LOOKED_AT else waiting
    unlabelled = set(store.sessions.ids("label:none"))
    reviewed = sorted(set(store.sessions.ids()) - unlabelled - set(waiting))
    reviewed = draw.sample(reviewed, REVIEWED) if len(reviewed) > REVIEWED else reviewed
    both = [*waiting, *reviewed]
    sightings = []
    for place, session in enumerate(both):
        told(place, len(both))
        sightings.append(_sighting(store, session))
    for place in novel_order(sightings, range(len(waiting), len(both))):
        yield both[place]


def _sighting(store: Store, session: int) -> Sighting:
    try:
        return sighting_of(Subject.of(store.sessions.case(session)))
    except DamageError:
        return NOTHING
