"""Earlier modes: which failure modes somebody gave to a session before this sitting, for an undo.

It follows from the rows in the store alone. An undo looks there as any other change does; so a change back to
what held before the newest one that stands counts as its undo, as it does with labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.engine.people.labelling import WHOLE, PersonLabels
from turnwise.tui.shell.mode_steps import ModesGiven

if TYPE_CHECKING:
    from turnwise.conversations.store import AssignedMode, LabelRow, ModeDone

AT_ONCE = 1.0
"""Changes within this many seconds may be of one key: what a pass takes away, or a move to another turn."""


def earlier_steps(
    done: Iterable[ModeDone], labels: Iterable[LabelRow], author: str, *, adjudicating: bool
) -> list[ModesGiven]:
    """Return the changes of failure modes that stand, oldest first.

    done: what was done about the failure modes of a session, oldest first. labels: all of that session.
    author, adjudicating: as of PersonLabels. Who settles takes back only what they gave since they began to.
    """
    told = _Retelling(labels, author, adjudicating=adjudicating)
    for one in done:
        told.take(one)
    return [step for step in told.end() if step.after or not adjudicating]


class _Retelling:
    """Goes through labels and failure modes of somebody in the order of their times."""

    def __init__(self, labels: Iterable[LabelRow], author: str, *, adjudicating: bool) -> None:
        self._author = author
        own = (row for row in labels if row.author == author and row.adjudicates is adjudicating)
        self._labels = list(own)[::-1]
        """Those to come, the next one last."""
        self._mine = PersonLabels(author, adjudicating=adjudicating)
        self._passed_at: float | None = None
        """When a fail became a pass, if no label came after it."""
        self._now: dict[int, AssignedMode] = {}
        self._burst: list[ModeDone] = []
        """What was done at once, as far as it was read."""
        self._standing: list[ModesGiven] = []
        self._undone: list[ModesGiven] = []

    def take(self, done: ModeDone) -> None:
        """Take in what was done next."""
        at, is_own = done.mode.created_at, done.mode.author == self._author
        if self._burst and (
            not is_own
            or at > self._burst[0].mode.created_at + AT_ONCE
            or (self._labels and self._labels[-1].created_at <= at)
            or (done.given and self._went_with_label())
        ):
            self._end_burst()
        while self._labels and self._labels[-1].created_at <= at:
            self._take_label(self._labels.pop())
        if is_own:
            self._burst.append(done)
        else:
            self._take_away(done.mode.mode_id)

    def end(self) -> Sequence[ModesGiven]:
        """Return what stands in the end."""
        self._end_burst()
        return self._standing

    def _take_label(self, row: LabelRow) -> None:
        was = self._mine.whole.word
        if not self._mine.take(row):
            self._undone.clear()
        passed = not row.metric and (was, self._mine.of(WHOLE).word) == ("fail", "pass")
        self._passed_at = row.created_at if passed else None

    def _went_with_label(self) -> bool:
        """Whether a pass took away what was done at once."""
        if self._passed_at is None or any(one.given for one in self._burst):
            return False
        return self._burst[0].mode.created_at <= self._passed_at + AT_ONCE

    def _end_burst(self) -> None:
        if not self._burst:
            return
        given: dict[int, AssignedMode] = {}
        taken: dict[int, AssignedMode] = {}
        for mode_id in dict.fromkeys(one.mode.mode_id for one in self._burst):
            last = [one for one in self._burst if one.mode.mode_id == mode_id][-1]
            before, after = self._now.pop(mode_id, None), last.mode if last.given else None
            if after is not None:
                self._now[mode_id] = after
            if (before and before.turn, before is None) == (after and after.turn, after is None):
                continue
            if before is not None:
                taken[mode_id] = before
            if after is not None:
                given[mode_id] = after
        whole = ModesGiven(
            tuple(given.values()),
            tuple(taken.values()),
            self._mine.standing,
            with_label=self._went_with_label(),
            earlier=True,
        )
        self._burst = []
        if whole.with_label or self._takes_back(whole) or self._makes_again(whole):
            parts = [whole] if given or taken else []
        else:
            parts = [_of(whole, {mode_id}) for mode_id in dict.fromkeys((*taken, *given))]
        for part in parts:
            self._step(part)

    def _step(self, step: ModesGiven) -> None:
        if self._takes_back(step):
            self._undone.append(self._standing.pop())
        elif self._makes_again(step):
            self._standing.append(self._undone.pop())
        else:
            self._standing.append(step)
            self._undone.clear()

    def _takes_back(self, step: ModesGiven) -> bool:
        """Whether it goes back to what held before the newest that stands, and no label came in between."""
        if not self._standing or self._standing[-1].after < self._mine.standing:
            return False
        last = self._standing[-1]
        return _means(replace(last, given=last.taken, taken=last.given)) == _means(step)

    def _makes_again(self, step: ModesGiven) -> bool:
        return bool(self._undone) and _means(self._undone[-1]) == _means(step)

    def _take_away(self, mode_id: int) -> None:
        """Leave out a failure mode that somebody else took from the session: it is not here to take back."""
        self._now.pop(mode_id, None)
        for steps in (self._standing, self._undone):
            left = [
                _of(one, {mode.mode_id for mode in (*one.given, *one.taken)} - {mode_id}) for one in steps
            ]
            steps[:] = [one for one in left if one.given or one.taken]


def _of(step: ModesGiven, mode_ids: set[int]) -> ModesGiven:
    """Return the part of a step that is about these failure modes."""
    given, taken = (
        tuple(one for one in modes if one.mode_id in mode_ids) for modes in (step.given, step.taken)
    )
    return replace(step, given=given, taken=taken)


def _means(step: ModesGiven) -> tuple[frozenset[tuple[int, int | None]], ...]:
    """Return what a step changes, whenever that was."""
    return tuple(frozenset((one.mode_id, one.turn) for one in modes) for modes in (step.given, step.taken))
