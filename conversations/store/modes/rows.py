"""Rows of failure modes: what they are, where they were found, what happened to them, how often.

And their names: what a name may be, when two are the same, and which was meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.marks import LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store.modes.standing import NO_MODE
from turnwise.conversations.texts import mend_text
from turnwise.conversations.words import did_you_mean

ChangeWord = Literal[
    "added", "renamed", "defined", "merged", "took in", "retired", "restored", "assigned", "taken away"
]


@dataclass(frozen=True, slots=True)
class FailureMode:
    """A way to go wrong that people named.

    definition: one sentence; empty where nobody wrote it yet. author, created_at: who named it first, and
    when. sessions: how many have it, those of the modes that were merged into it included. merged_into: the
    mode that it counts as now. proposed_by: the judge that proposed it, empty where a person thought of it.
    """

    id: int
    name: str
    definition: str
    author: str
    created_at: float
    sessions: int = 0
    merged_into: int | None = None
    retired: bool = False
    proposed_by: str = ""

    @property
    def active(self) -> bool:
        """Whether it can be assigned."""
        return self.merged_into is None and not self.retired


@dataclass(frozen=True, slots=True)
class AssignedMode:
    """A failure mode of a session. turn: the turn at which it shows, None for the session as a whole.

    author: who gave it last. givers: all who did and did not take that back.
    """

    mode_id: int
    name: str
    turn: int | None
    author: str
    created_at: float
    givers: tuple[str, ...] = ()

    def is_by(self, author: str) -> bool:
        """Return whether somebody gave it, be it alone or as others did."""
        return author == self.author or author in self.givers


@dataclass(frozen=True, slots=True)
class ModeDone:
    """What somebody did about a failure mode of a session. given: whether they give it from then on.

    mode: as it counts by now, with the turn they gave, and by whom and when that was done.
    """

    mode: AssignedMode
    given: bool


@dataclass(frozen=True, slots=True)
class SessionModeRow:
    """One change of what failure modes a session has: somebody gave it one, or took one away.

    mode: its name by now, which is that of the mode it counts as. turn: the turn at which it shows, None for
    the session as a whole. stays: whether the session has it still, because others gave it too, where its
    author took back no more than their own.
    """

    id: int
    session_id: int
    mode: str
    given: bool
    turn: int | None
    author: str
    created_at: float
    stays: bool = False

    @property
    def words(self) -> str:
        """What happened, in plain words."""
        at = f" at turn {self.turn}" if self.turn and self.given else ""
        how = "" if self.given else " taken back" if self.stays else " taken away"
        return f"failure mode{how}: {self.mode}{at} by {self.author}"


@dataclass(frozen=True, slots=True)
class ModeEvent:
    """Something that happened to a failure mode.

    text: the name, the new one, the definition, or the other mode's name. sessions: how many it was assigned
    to or taken from. again: "undo" or "redo" where it took an earlier change back, or made it again.
    """

    at: float
    author: str
    what: ChangeWord
    text: str = ""
    sessions: int = 0
    again: Literal["", "undo", "redo"] = ""

    @property
    def words(self) -> str:
        """What happened, in plain words."""
        counted = f"{self.sessions:,} session{'s' * (self.sessions != 1)}"
        told = {
            "added": f"added as {self.text}",
            "renamed": f"renamed to {self.text}",
            "defined": f"defined: {self.text}",
            "merged": f"merged into {self.text}",
            "took in": f"took in {self.text}",
            "assigned": f"assigned to {counted}",
            "taken away": f"taken from {counted}",
        }.get(self.what, self.what)
        return f"{told} ({self.again})" if self.again else told


@dataclass(frozen=True, slots=True)
class ModeChange:
    """A change that was taken back or made again.

    what: as events say it. mode: the first mode's name. kept: why nothing of it was, because of
    what somebody did since; empty where something was.
    """

    what: str
    mode: str
    sessions: int
    kept: str = ""

    @property
    def words(self) -> str:
        """The change in plain words."""
        more = f", {self.sessions:,} session{'s' * (self.sessions != 1)}" if self.sessions else ""
        return f"{self.mode}: {self.what}{more}"

    def told(self, done: str) -> str:
        """Say what was done with it. done: what that is called, such as "Taken back"."""
        if self.kept:
            return f"Not {done.lower()}: {self.words}, as {self.kept}."
        return f"{done}: {self.words}."


@dataclass(frozen=True, slots=True)
class ModeRate:
    """How often a failure mode occurs.

    group: the group that is looked at, such as a role, None for all. sessions: those that have it.
    reviewed: those that a person looked at, by a label or a failure mode.
    """

    mode_id: int
    name: str
    group: str | None
    sessions: int
    reviewed: int

    @property
    def share(self) -> float:
        """The share of reviewed sessions that have it, from 0 to 1."""
        return self.sessions / self.reviewed if self.reviewed else 0.0


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note that somebody wrote about a session, with the failure modes that the session has by now.

    told: those of them that the note may tell of: what its author gave, and what nobody gave who wrote a note
    of the session, as somebody else named it then from what was noted. others: the rest of them, each with
    who gave it, such as "ann" or "ann, bob".
    """

    label_id: int
    session_id: int
    session: str
    note: str
    author: str
    created_at: float
    label: LabelWord | None
    turn: int | None
    modes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()


LONGEST_MODE_NAME = 60


def is_same_name(one: str, other: str) -> bool:
    """Whether two names mean the same mode: case and spaces make no difference."""
    return _plain(one) == _plain(other)


def checked_name(name: str) -> str:
    """Return a name as it is kept, on one line and safe to edit. Raises SettingError."""
    plain = make_safe_line(" ".join(mend_text(name).split()))
    if not plain:
        raise SettingError(
            "A failure mode needs a name", next_step="A few words: asks again for what it was told"
        )
    if len(plain) > LONGEST_MODE_NAME:
        raise SettingError(
            f"The name is longer than {LONGEST_MODE_NAME} characters",
            detail=plain,
            next_step="Keep the name short; the definition says the rest.",
        )
    if set('"<>') & set(plain) or _plain(plain) == NO_MODE:
        raise SettingError(
            f"A failure mode cannot be called {plain}",
            next_step='Leave out ", < and >, and do not call it "none": the filter needs them.',
        )
    return plain


def checked_definition(definition: str) -> str:
    """Return a definition as it is kept, on one line. Raises SettingError where it is empty."""
    plain = make_safe_line(" ".join(mend_text(definition).split()))
    if not plain:
        raise SettingError(
            "A failure mode needs a definition",
            next_step="One sentence that says when it applies, so that two people would agree.",
        )
    return plain


def unknown_mode(name: str, known: Sequence[str], *, several: bool = False) -> NotFoundError:
    """Return the error for a name that no mode has, or that several may mean."""
    if several:
        return NotFoundError(
            f"{name} could be {' or '.join(sorted(known))}", next_step="Write more of the name."
        )
    return NotFoundError(
        f"There is no failure mode called {name}",
        detail=f"Known: {', '.join(known)}" if known else "",
        next_step=did_you_mean(_plain(name), [_plain(one) for one in known])
        or "`turnwise modes` lists them; `turnwise modes add` makes one.",
    )


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
