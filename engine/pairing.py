"""Pairing: which session of one run is the same case as which of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence

from turnwise.conversations.store.run_outcomes import SubjectRow

Pair = tuple[SubjectRow, SubjectRow]
_Key = Callable[[SubjectRow], Hashable | None]


def pair_subjects(left: Sequence[SubjectRow], right: Sequence[SubjectRow]) -> list[Pair]:
    """Return the sessions of two runs that are the same case, each in one pair at most.

    In this order: the very same session; a suite's case of the same name and variables; a suite's case at
    the same place; the same name and first words; a given name that each run has once. Where a case was
    answered several times, by targets or prompts, like is paired with like; unlike only where each run has
    one of them.
    """
    pairs: list[Pair] = []
    for key in (_session, _same_case, _same_place, _same_words, *_given_once(left, right)):
        found = list(_paired(left, right, key))
        pairs += found
        taken = {row.session_id for row, _ in found}, {row.session_id for _, row in found}
        left = [row for row in left if row.session_id not in taken[0]]
        right = [row for row in right if row.session_id not in taken[1]]
    return pairs


def _session(row: SubjectRow) -> Hashable | None:
    return row.session_id


def _same_case(row: SubjectRow) -> Hashable | None:
    if not row.suite:
        return None
    # A conversation of several cases is told by how it begins; it has no variables of its own.
    return row.suite, row.given, row.vars, row.repeat, row.opening if row.place < 0 else ""


def _same_place(row: SubjectRow) -> Hashable | None:
    return (row.suite, row.place, row.repeat) if row.suite and row.place >= 0 else None


def _same_words(row: SubjectRow) -> Hashable | None:
    return row.name, row.opening


def _given_once(left: Sequence[SubjectRow], right: Sequence[SubjectRow]) -> Iterator[_Key]:
    """Yield the key of given names that stand once on each side: people play a case in other words."""
    counts = [Counter(row.given for row in rows) for rows in (left, right)]
    yield lambda row: row.given if row.given and all(count[row.given] == 1 for count in counts) else None


def _paired(left: Sequence[SubjectRow], right: Sequence[SubjectRow], key: _Key) -> Iterator[Pair]:
    sides = [_grouped(rows, key) for rows in (left, right)]
    for case, first in sides[0].items():
        second = sides[1].get(case)
        if second is None:
            continue
        if len(first) == len(second) == 1:
            # Nearly all are so, and to look for variants takes most of the time.
            yield first[0], second[0]
        else:
            yield from _variants(first, second)


def _grouped(rows: Sequence[SubjectRow], key: _Key) -> dict[Hashable, list[SubjectRow]]:
    groups: dict[Hashable, list[SubjectRow]] = {}
    for row in rows:
        if (case := key(row)) is not None:
            groups.setdefault(case, []).append(row)
    return groups


def _variants(left: list[SubjectRow], right: list[SubjectRow]) -> Iterator[Pair]:
    """Pair the answers to one case: same prompt and target, then same prompt, same target, then the rest."""
    likenesses: tuple[_Key, ...] = (_variant, lambda row: row.prompt, lambda row: row.target, lambda row: ())
    for likeness in likenesses:
        sides = [_grouped(rows, likeness) for rows in (left, right)]
        for variant, first in sides[0].items():
            second = sides[1].get(variant, [])
            if len({*map(_variant, first)}) == 1 and len({*map(_variant, second)}) == 1:
                yield from zip(first, second, strict=False)
                left = _without(left, first[: len(second)])
                right = _without(right, second[: len(first)])


def _variant(row: SubjectRow) -> Hashable | None:
    return row.prompt, row.target


def _without(rows: list[SubjectRow], taken: Sequence[SubjectRow]) -> list[SubjectRow]:
    ids = {row.session_id for row in taken}
    return [row for row in rows if row.session_id not in ids]
