"""Sides: the two that are compared, each a run or one target of a run, and how they are named."""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import RunRow
from turnwise.conversations.store.run_outcomes import SubjectRow

LOOKED_THROUGH = 8
"""Runs, from the newest, among which two are looked for that share cases."""
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
    near = difflib.get_close_matches(text, names, n=1)
    raise NotFoundError(
        f"There is no run {text}",
        detail=f"There are {len(runs)}, the newest is run {runs[0].id}",
        next_step=f"Did you mean {near[0]}?" if near else "`turnwise runs` lists them.",
    )


def default_sides(store: Store) -> tuple[Side, Side] | None:
    """Return the last two runs that judged the same cases by the same metric, the older one first.

    Where no two did, the first two targets of the newest run that has several; None where there is none.
    """
    newest = store.runs.all()[:LOOKED_THROUGH]
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
    """Return what a session of another run may share, where both are the same case."""
    keys: list[Hashable] = [row.session_id, (row.name, row.opening)]
    keys += [row.given] if row.given else []
    return [*keys, (row.suite, row.place, row.vars)] if row.suite else keys
