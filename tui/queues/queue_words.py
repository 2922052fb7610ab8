"""Words of queues: what opening one does, what a new one is called and made of, and why there is none."""

from __future__ import annotations

import time
from collections.abc import Sequence

from turnwise.conversations.store import QueueRow
from turnwise.engine.people.queues import TITLES, SamplerWord, takes_labelled


def step_words(queue: QueueRow) -> str:
    """Say what opening a queue is: to begin with it, to go on, or to look back on one that is finished."""
    if queue.done >= queue.count:
        return "look back"
    return "go on" if queue.is_begun else "begin"


def new_name(sampler: SamplerWord, queues: Sequence[QueueRow]) -> str:
    """Return a name for a queue that none of these has: of what it takes, and of today."""
    name = f"{TITLES[sampler]} {time.strftime('%d %b', time.localtime(time.time()))}"
    taken = {row.name for row in queues}
    numbered = (f"{name} {number}" for number in range(2, len(taken) + 3))
    return next(one for one in (name, *numbered) if one not in taken)


def whose_words(chosen: Sequence[int] | None, matching: int | None, total: int, unlisted: int = 0) -> str:
    """Say of which sessions a queue is made.

    chosen: those that are selected; None where none are. matching: how many a filter found; None without a
    filter. total: how many there are. unlisted: how many of the selected the list does not show.
    """
    if chosen is not None:
        hidden = f" ({unlisted:,} of them not in this list)" if unlisted else ""
        return f"the {len(chosen):,} selected{hidden}"
    if matching is None:
        return f"all {total:,} sessions"
    return "the one that matches" if matching == 1 else f"the {matching:,} that match"


def from_words(sampler: SamplerWord, whose: str, query: str, left: int | None) -> str:
    """Say from what a queue is chosen: "the 17 without a label among all 64 sessions".

    whose: as `whose_words` says it. left: how many there are to choose from, where that is known.
    """
    if sampler != "disputed" and takes_labelled(sampler, query):
        return f"{whose}, labelled or not, as the filter asks for labels"
    without = "in dispute" if sampler == "disputed" else "without a label"
    return f"{'those' if left is None else f'the {left:,}'} {without} among {whose}"


def none_left_words(sampler: SamplerWord, whose: str, query: str) -> str:
    """Say why there is nothing to make a queue of, and what there is to do."""
    if sampler == "disputed":
        return f"Of {whose} none is seen differently by two people and not settled."
    if takes_labelled(sampler, query):
        return "No session matches. Take another filter."
    return (
        f"Nothing is left to review: of {whose} none is without a label. To look at some again, filter by "
        "label, as in label:fail."
    )
