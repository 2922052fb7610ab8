"""Labelling: what one person says of a session by now, and what they can undo and redo.

All of it follows from the rows of labels in the store, which are only ever added to: an undo adds a row that
says again what held before. So it is the same after a restart, and whichever program wrote the rows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.store import Store
from turnwise.conversations.undo import ChangeHistory

if TYPE_CHECKING:
    from turnwise.conversations.store import LabelRow, TurnRow

LabelSubject = tuple[str, int | None]
"""What a label is about: a metric, and the turn of an exchange; ("", None) is the conversation."""
WHOLE: LabelSubject = ("", None)
LabelStep = Literal["", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class CurrentLabel:
    """What somebody says of a subject by now.

    word: None where they gave none or took it back. turn: the number of the turn at which it shows. note: in
    their own words. blind: whether the scores were hidden when the word was given. value: a rating, where
    the label came from a file that has one. at_fault: who failed, of a fail; None where nobody said.
    """

    word: LabelWord | None = None
    turn: int | None = None
    note: str = ""
    blind: bool = False
    value: float | None = None
    at_fault: AtFault | None = None

    def says_as(self, other: CurrentLabel) -> bool:
        """Return whether both say the same, however they came to it."""
        return replace(self, blind=False) == replace(other, blind=False)


NOTHING = CurrentLabel()


@dataclass(frozen=True, slots=True)
class LabelChange:
    """What somebody says of a subject changed from `before` to `after`."""

    subject: LabelSubject
    before: CurrentLabel
    after: CurrentLabel


class PersonLabels:
    """The labels of one author on one session."""

    def __init__(self, author: str, rows: Iterable[LabelRow] = (), *, adjudicating: bool = False) -> None:
        """rows: the session's labels, oldest first; those of others are left out.

        adjudicating: it is about what they say to settle where people differ, not about their own opinion.
        """
        self.author = author
        self.adjudicating = adjudicating
        self._now: dict[LabelSubject, CurrentLabel] = {}
        self._history = ChangeHistory[LabelChange]()
        for row in rows:
            self.take(row)

    def take(self, row: LabelRow, step: LabelStep | None = None) -> LabelStep:
        """Take the next row in; return what it was. step: that, where it is known without the row."""
        if row.author != self.author or row.adjudicates is not self.adjudicating:
            return ""
        subject, after = row.subject, current_label_of(row)
        before = self.of(subject)
        if before.says_as(after):
            self._now[subject] = after
            return ""
        change = LabelChange(subject, before, after)
        if step is None:
            step = self._step_of(change)
        if step == "undo" and self._history.to_undo:
            self._history.undo()
        elif step == "redo" and self._history.to_redo:
            self._history.redo()
        else:
            step = ""
            self._history.make(change)
        self._now[subject] = after
        return step

    def _step_of(self, change: LabelChange) -> LabelStep:
        if (last := self._history.to_undo) and _goes_back(change, last):
            return "undo"
        # What was undone and is said once more was done again.
        if (last := self._history.to_redo) and _goes_back(change, _turned(last)):
            return "redo"
        return ""

    @property
    def whole(self) -> CurrentLabel:
        """What they say of the conversation."""
        return self.of(WHOLE)

    def of(self, subject: LabelSubject) -> CurrentLabel:
        """Return what they say of a subject."""
        return self._now.get(subject, NOTHING)

    @property
    def of_metrics(self) -> dict[LabelSubject, CurrentLabel]:
        """What they say of metrics, where they say a word."""
        return {one: said for one, said in self._now.items() if one[0] and said.word}

    @property
    def to_undo(self) -> LabelChange | None:
        """The change that an undo takes back; None without one."""
        last = self._history.to_undo
        return _turned(last) if last else None

    @property
    def standing(self) -> int:
        """How many of their changes stand."""
        return self._history.standing

    @property
    def to_redo(self) -> LabelChange | None:
        """The change that a redo makes again; None without one."""
        return self._history.to_redo


def keep_label(
    store: Store,
    session_id: int,
    author: str,
    subject: LabelSubject,
    said: CurrentLabel,
    *,
    adjudicates: bool = False,
) -> None:
    """Add a row that says this of a subject of a session.

    adjudicates: to settle where people differ. Who does so has their labels in sight, so it is never blind.
    """
    metric, turn = subject
    store.labels.add(
        session_id,
        said.word,
        author=author,
        blind=said.blind and not adjudicates,
        turn=turn if metric else said.turn,
        note=said.note,
        metric=metric,
        value=said.value,
        at_fault=said.at_fault,
        adjudicates=adjudicates,
    )


def judged(was: CurrentLabel, word: LabelWord, turn: int | None, *, hidden: bool) -> CurrentLabel:
    """Return the opinion after somebody said pass, fail or defer; only a fail has a turn.

    hidden: whether the scores are hidden now.
    """
    # Who says the same once more does not know more about it.
    blind = was.blind if was.word == word else hidden
    fails = word == "fail"
    at_fault = was.at_fault if fails else None
    return replace(was, word=word, turn=turn if fails else None, blind=blind, value=None, at_fault=at_fault)


def failing_turn(here: TurnRow, following: Iterable[TurnRow]) -> int | None:
    """Return the number of the turn that fails, where somebody says so while they look at a message.

    following: the messages after it. Of what the user says or a tool returns, it is the reply that follows:
    the chatbot is what is judged. What nobody answers stands for itself, and a system prompt for no turn.
    """
    if here.role in ("user", "tool"):
        replies = (one.number for one in following if one.role == "assistant" and one.number is not None)
        return next(replies, here.number)
    return here.number


def noted(was: CurrentLabel, note: str, *, hidden: bool) -> CurrentLabel:
    """Return the opinion with another note; the word, and whether it was given blind, stay."""
    return replace(was, note=note.strip(), blind=was.blind if was.word else hidden)


def rebased(now: CurrentLabel, before: CurrentLabel, after: CurrentLabel) -> CurrentLabel:
    """Return what is said now with the change from `before` to `after` made to it.

    Another window may have kept a word or a note meanwhile; only what was changed here takes its place.
    """
    told = [replace(one, note="", blind=False) for one in (before, after)]
    said = now if told[0] == told[1] else after
    return replace(said, note=now.note if after.note == before.note else after.note)


def change_words(change: LabelChange, step: LabelStep) -> str:
    """Return in a few words what was undone or done again. change: what the step does."""
    metric, turn = change.subject
    # An undo is named by what it takes back.
    one, other = (change.before, change.after) if step == "undo" else (change.after, change.before)
    about = f"{metric.replace('_', ' ')} " if metric else ""
    place = turn or one.turn
    at = f" at turn {place}" if place and (metric or one.word == "fail") else ""
    if one.word != other.word:
        return f"{about}{one.word or 'no label'}{at}"
    if one.turn != other.turn:
        return f"first failure{at or ' at no single turn'}"
    if one.at_fault != other.at_fault:
        return f"the {one.at_fault} failed" if one.at_fault else "nobody said to have failed"
    return f"{about}note"


def brought_back(change: LabelChange) -> str:
    """Return the word that an undo brings back, such as "fail at turn 4"; empty where it brings back none."""
    after = change.after
    if change.before.word == after.word or not after.word:
        return ""
    return f"{after.word} at turn {after.turn}" if after.word == "fail" and after.turn else after.word


def current_label_of(row: LabelRow) -> CurrentLabel:
    """Return what a label says."""
    if row.label is None and not row.note:
        return NOTHING
    return CurrentLabel(row.label, row.turn, row.note, row.blind, row.value, row.at_fault)


def labels_of_others(rows: Iterable[LabelRow], author: str) -> dict[str, LabelRow]:
    """Return what the other people say of the conversation by now, by their names; no adjudications."""
    newest = {
        row.author: row for row in rows if not row.metric and not row.adjudicates and row.author != author
    }
    return {name: row for name, row in newest.items() if row.label or row.note}


def _goes_back(change: LabelChange, last: LabelChange) -> bool:
    return (
        change.subject == last.subject
        and change.after.says_as(last.before)
        and change.before.says_as(last.after)
    )


def _turned(change: LabelChange) -> LabelChange:
    return LabelChange(change.subject, change.after, change.before)
