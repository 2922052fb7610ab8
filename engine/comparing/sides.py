"""Sides: the two that are compared, how they are named, and which sessions of both are the same case.

A side is a run, or one target of a run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import RunRow, Store, SubjectRow
from turnwise.conversations.words import did_you_mean

LOOKED_THROUGH = 8
"""How many of the newest runs are searched for two that share cases."""
_LAST = re.compile(r"last(?:-(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two that are compared. target: only what this target answered; empty for all."""

    run: RunRow
    target: str = ""

    def judged(self, store: Store) -> list[SubjectRow]:
        """Return the sessions of this side."""
        rows = store.run_outcomes.subjects(self.run.id)
        return [row for row in rows if not self.target or row.target == self.target]


def find_side(store: Store, text: str) -> Side:
    """Return what a person means by a run's number, its name, `last`, `last-1`, or any of these with :TARGET.

    Of several runs of one name the newest is meant; a target is found by a part of its name that no other
    has. Raises NotFoundError.
    """
    runs = store.runs.all()
    if not runs:
        raise NotFoundError(
            "There are no runs yet",
            next_step="`turnwise score --all --metric NAME` makes one, and so does `turnwise run FILE`.",
        )
    if run := _run(runs, text):
        return Side(run)
    for colon in re.finditer(":", text):
        if run := _run(runs, text[: colon.start()]):
            return Side(run, _target(store, run, text[colon.end() :]))
    names = list(dict.fromkeys(run.name for run in runs if run.name))
    raise NotFoundError(
        f"There is no run {text}",
        detail=f"There are {len(runs)}, the newest is run {runs[0].id}",
        next_step=did_you_mean(text, names) or "`turnwise runs` lists them.",
    )


def default_sides(store: Store) -> tuple[Side, Side] | None:
    """Return the last two runs that judged the same cases by the same metric, the older one first.

    Where no two did, the first two targets of the newest run that has several; None where there is none.
    """
    newest = store.runs.newest(LOOKED_THROUGH)
    cases: dict[int, set[Hashable]] = {}
    for place, run in enumerate(newest):
        for earlier in newest[place + 1 :]:
            if not set(run.metrics) & set(earlier.metrics):
                continue
            for one in (run, earlier):
                if one.id not in cases:
                    cases[one.id] = {key for row in store.run_outcomes.subjects(one.id) for key in _keys(row)}
            if cases[run.id] & cases[earlier.id]:
                return Side(earlier), Side(run)
    for run in newest:
        if len(targets := store.run_outcomes.targets(run.id)) > 1:
            return Side(run, targets[0]), Side(run, targets[1])
    return None


def _run(runs: Sequence[RunRow], text: str) -> RunRow | None:
    """Find a run among all, which stand newest first."""
    if text.isdecimal():
        return next((run for run in runs if run.id == int(text)), None)
    if last := _LAST.fullmatch(text):
        back = int(last[1] or 0)
        return runs[back] if back < len(runs) else None
    wanted = text.strip().casefold()
    return next((run for run in runs if wanted and run.name.casefold() == wanted), None)


def _target(store: Store, run: RunRow, text: str) -> str:
    known = store.run_outcomes.targets(run.id)
    found = [name for name in known if name == text]
    found = found or [name for name in known if text.casefold() in name.casefold()]
    if len(found) == 1:
        return found[0]
    raise NotFoundError(
        f"{text} could be {' or '.join(found)}" if found else f"Run {run.id} has no target {text}",
        detail=f"Its targets: {', '.join(known)}" if known else "Its sessions name no target",
        next_step="Write the target's name, or a part of it that no other has." if known else "",
    )


def _keys(row: SubjectRow) -> list[Hashable]:
    """Return the keys of a session; two sessions that have one in common are taken for the same case."""
    keys: list[Hashable] = [row.session_id, (row.name, row.opening)]
    keys += [row.given] if row.given else []
    return [*keys, (row.suite, row.place, row.vars)] if row.suite else keys


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
    """Yield a key that pairs sessions by a given name which each side has once, whatever their words are."""
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
