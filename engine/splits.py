"""Splits: labelled sessions divided into some to learn from, some to try on, and some for the last test.

A criterion is changed until it agrees with people on `dev`; only sessions that it was never changed for tell
how well it will do, and those are `test`. `train` is for examples to be shown to a judge.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping

from turnwise.conversations.store import Store
from turnwise.conversations.store.splits import SPLITS, SplitName

SHARES: Mapping[SplitName, float] = {"train": 0.2, "dev": 0.4, "test": 0.4}
"""Most go where they are counted: rates of few sessions have wide intervals."""


def divide(
    verdicts: Mapping[int, bool], fingerprints: Mapping[int, str], members: Mapping[int, SplitName]
) -> dict[int, SplitName]:
    """Return a split for each labelled session that has none yet.

    verdicts: whether people pass it. fingerprints: of its content. members: those that are in a split, which
    stay there. Sessions that pass and sessions that fail are divided each by themselves, as near to the
    shares as their number allows; which goes where is told by the fingerprint alone. One content, one split.
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
    """Return sessions in an order that only their contents tell: any first part of it is a fair sample."""
    return sorted(sessions, key=lambda session: (_chance(fingerprints.get(session, "")), session))


def _next_split(counts: Mapping[SplitName, int], chance: float) -> SplitName:
    """Return the split for one more, among those that have less than their share, the likelier the less."""
    total = sum(counts.values()) + 1
    lacking = [(split, max(0.0, SHARES[split] * total - counts[split])) for split in SPLITS]
    left = chance * sum(lack for _, lack in lacking)
    for split, lack in lacking:
        if left < lack:
            return split
        left -= lack
    return max(lacking, key=lambda one: one[1])[0]


def _chance(fingerprint: str) -> float:
    """Return a number from 0 to below 1 that looks like chance, the same for the same content."""
    # Hashed once more, because fingerprints that came with a file may be anything.
    digest = hashlib.sha256(f"split {fingerprint}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:6]) / 2**48
