"""GoingOn: what follows a label: the next session, at once or by enter.

Where labels go on by themselves, a pass or a defer opens the next session. A fail waits everywhere, because
there is more to say of it: which failure modes, and a note. After each label that waits, enter, or the enter
that keeps the note, goes on. In a queue the next session is the next one without a label; elsewhere it is the
next of the list.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, Protocol

from turnwise.conversations.marks import LabelWord
from turnwise.engine.people.labelling import LabelStep
from turnwise.tui.review.session_walk import SessionWalk
from turnwise.tui.settings.settings import Settings, keep_setting

Waiting = Literal["", "label", "fail", "unexplained fail"]
"""What label a session has from which enter goes on; a fail is unexplained until it has a note."""


class HoldsSettings(Protocol):
    """What the settings of this sitting are kept in."""

    settings: Settings


class GoingOn:
    """Knows whether a label goes on by itself, what waits for more words, and where one came from."""

    def __init__(self, walk: SessionWalk, holder: HoldsSettings, *, in_queue: bool) -> None:
        """walk: goes from session to session. in_queue: whether a queue is reviewed."""
        self._walk = walk
        self._holder = holder
        self._setting = "next_in_queue" if in_queue else "next_after_label"
        self._waiting: int | None = None
        """The session that was labelled last and stays, until one goes on."""
        self._left: list[int] = []
        """The sessions that labels led on from, the last one at the end."""
        self._touched: int | None = None
        """The session that something was said of since it was opened."""
        self._stepping: tuple[int, LabelStep] | None = None
        """The session that is gone to, and what is to be made in it there."""
        self._told = ""
        self._led_here = False
        """Whether a label led to the session that is read."""

    @property
    def on(self) -> bool:
        """Whether a label opens the next session by itself: in all reviews of this kind alike."""
        is_on: bool = getattr(self._holder.settings, self._setting)
        return is_on

    def toggle(self) -> None:
        """Go on by itself from now on, or no longer, and keep that in the settings. Raises SettingError."""
        is_on = not self.on
        changed: dict[str, Any] = {self._setting: is_on}
        self._holder.settings = replace(self._holder.settings, **changed)
        keep_setting(self._setting, is_on)

    def leads_on(self, word: LabelWord) -> bool:
        """Return whether such a label opens the next session at once."""
        return self.on and word != "fail"

    def said(self, session_id: int, word: LabelWord) -> bool:
        """Take that a session got a label; return whether the next one is to be opened now."""
        goes_on = self.leads_on(word)
        self._waiting = None if goes_on else session_id
        return goes_on

    def touched(self, session_id: int) -> None:
        """Take that something was said of a session: an undo there takes that back first."""
        self._touched = session_id

    def waits(self, session_id: int) -> bool:
        """Return whether a session was labelled and stays, so that enter goes on from it.

        After each label and in each list: what enter does there is learnt once, and whoever presses it where
        it did something else would label the same session once more.
        """
        return self._waiting == session_id

    def go(self, session_id: int, words: str) -> bool:
        """Open the next session; return whether there is one, or it is not known yet.

        words: what was said of the one that is left.
        """
        self._waiting = None
        if not self._walk.go_on():
            return False
        self._left.append(session_id)
        self._told = words
        return True

    @property
    def passes_by(self) -> bool:
        """Whether keys lead on from the session that is read, which is not what the next key is meant for."""
        return self._walk.passes_by

    def stay(self) -> None:
        """Take that there was nowhere to go, once that is known."""
        if self._left:
            self._left.pop()
        self._told = ""

    def arrive(self) -> str:
        """Return, once, the label that led here, in words."""
        told, self._told = self._told, ""
        self._led_here = bool(told)
        return told

    # Back

    def step_back(self, session_id: int, *, said_here: bool) -> bool:
        """Go back to the session that the last label led on from, to undo it; return whether there is one.

        said_here: whether something that was said of the session that is read stands. That is undone first,
        as its line offers, unless a label has just led here: then that one is what was said last.
        """
        has_led = (self._led_here or bool(self._told)) and self._touched != session_id
        if not self._left or self._stepping is not None or (said_here and not has_led):
            return False
        self._step(self._left.pop(), "undo")
        return True

    def step_forward(self, session_id: int, to: int, *, said_here: bool) -> None:
        """Go to the session where a change is to be made again. said_here: as for `step_back`, which leads
        back to what is left so.
        """
        if said_here:
            self.forget(session_id)
            self._left.append(session_id)
        self._step(to, "redo")

    def _step(self, to: int, step: LabelStep) -> None:
        self._stepping, self._touched = (to, step), to
        self._walk.go_to(to)

    def forget(self, session_id: int) -> None:
        """Take that nothing said of a session in this sitting stands: no undo leads back to it."""
        self._left = [one for one in self._left if one != session_id]

    def goes_back_to(self, session_id: int) -> bool:
        """Return whether a session is being gone back to so that its label is undone."""
        return self._stepping == (session_id, "undo")

    def step_in(self, session_id: int) -> LabelStep:
        """Return, once, what is to be made in a session that is there now and was gone to for that."""
        stepping, self._stepping = self._stepping, None
        return stepping[1] if stepping is not None and stepping[0] == session_id else ""
