"""Mode steps: which failure modes somebody gave to a session or took from it, to be taken back in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import AssignedMode, Store
from turnwise.conversations.undo import ChangeHistory
from turnwise.engine.people.labelling import LabelStep


@dataclass(frozen=True, slots=True)
class ModesGiven:
    """The failure modes that one step gave to a session, and those that it took from it.

    after: how many changes of labels stood then; it comes after these and before the next. with_label: it
    was a part of the last of these, and is taken back and made again with it. earlier: whether it was made
    before this sitting.
    """

    given: tuple[AssignedMode, ...]
    taken: tuple[AssignedMode, ...]
    after: int
    with_label: bool = False
    earlier: bool = False

    @property
    def words(self) -> str:
        """What was done, in a narrow line: the mode that was given, "no" and the one that was taken away."""
        names = [make_safe_line(one.name) for one in self.given]
        kept = {one.mode_id for one in self.given}
        names += [f"no {make_safe_line(one.name)}" for one in self.taken if one.mode_id not in kept]
        return ", ".join(names)

    def make(self, store: Store, session_id: int, author: str, step: LabelStep) -> None:
        """Take it back, or make it again, in the store; what others gave stands."""
        gone, back = (self.given, self.taken) if step == "undo" else (self.taken, self.given)
        with store.impatient(), store.writing():
            for one in gone:
                store.modes.withdraw([session_id], one.mode_id, author)
            for one in back:
                store.modes.assign([session_id], one.mode_id, author, turn=one.turn, too=True)


class ModeSteps:
    """Knows the changes that were made to failure modes while sessions are reviewed, each session's apart."""

    def __init__(self, author: str) -> None:
        """author: whose changes are known."""
        self._author = author
        self._of: dict[int, ChangeHistory[ModesGiven]] = {}
        self._begun: set[int] = set()
        """The sessions whose changes of earlier sittings are known too."""

    def of(self, session_id: int) -> ChangeHistory[ModesGiven]:
        """Return the changes of a session."""
        return self._of.setdefault(session_id, ChangeHistory())

    def lacks_earlier(self, session_id: int) -> bool:
        """Whether an undo has to know what was changed in earlier sittings, and it is not known yet."""
        return session_id not in self._begun and self.of(session_id).to_undo is None

    def begin_with(self, session_id: int, earlier: Iterable[ModesGiven]) -> None:
        """Take in what was changed in earlier sittings and stands, oldest first."""
        self._begun.add(session_id)
        self.of(session_id).begin_with(earlier)

    def took(
        self, session_id: int, before: Sequence[AssignedMode], now: Sequence[AssignedMode], after: int
    ) -> None:
        """Note what a key changed of what its author gave. after: how many changes of labels stand."""
        own, owned = ([one for one in modes if one.is_by(self._author)] for modes in (now, before))
        given = tuple(one for one in own if one not in owned)
        taken = tuple(one for one in owned if one not in own)
        # One by one, also where a dialog changed several: whoever mistypes the last wants the others to stay.
        for mode_id in dict.fromkeys(one.mode_id for one in (*taken, *given)):
            gave, took = (tuple(one for one in modes if one.mode_id == mode_id) for modes in (given, taken))
            self.of(session_id).make(ModesGiven(gave, took, after))

    def went(self, session_id: int, taken: Sequence[AssignedMode], after: int) -> None:
        """Note what a label took away with it. after: how many changes of labels stand, that one too."""
        if taken:
            self.of(session_id).make(ModesGiven((), tuple(taken), after, with_label=True))

    def to_undo(self, session_id: int, standing: int) -> ModesGiven | None:
        """Return what an undo takes back, where that is newer than the changes of labels that stand."""
        last = self.of(session_id).to_undo
        return last if last is not None and last.after >= standing else None

    def to_redo(self, session_id: int, standing: int) -> ModesGiven | None:
        """Return what a redo makes again, where it came before the next change of labels."""
        last = self.of(session_id).to_redo
        return last if last is not None and last.after <= standing else None
