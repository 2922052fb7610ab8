"""LabelKeys: what the keys do by which one labels a session, and its metrics, in a review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.marks import LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import AssignedMode
from turnwise.tui.parts.notice import drop_notes, note
from turnwise.tui.parts.title_bar import named_in_title
from turnwise.tui.review.going_on import GoingOn, Waiting
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.queue_mode import QueueMode
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.review.session_reader import EarlyKeys
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell
from turnwise.tui.textual_internals.apps import is_leaving

GOES_ON = "From now on a pass or defer opens the next session; a fail stays."
TOO_EARLY = "Nothing was kept: the session was not on the screen yet."
STAYS = "From now on a session stays after each label; enter goes on."


class LabelKeys:
    """Answers the actions of a review that say pass, fail or defer, take it back, and go on after it.

    All are awaited, so that labels are kept in the order in which keys were pressed.
    """

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        panes: Panes,
        labels: SessionLabels,
        going_on: GoingOn,
        queue: QueueMode,
        early: EarlyKeys,
        *,
        show: Callable[[], None],
        say_no_scores: Callable[[], None],
    ) -> None:
        """screen: the review. panes: its transcript and its scores.

        show: shows what is said of its session. say_no_scores: says why there are no scores in sight.
        """
        self._screen = screen
        self._shell = shell
        self._panes = panes
        self._labels = labels
        self._going_on = going_on
        self._queue = queue
        self._early = early
        self._show = show
        self._say_no_scores = say_no_scores
        self._came_early = False
        """Whether a key came while its session was not reached, and that is still to be said."""

    # The whole conversation

    async def action_label_pass(self) -> None:
        """Say that the conversation passes."""
        await self._judge("pass")

    async def action_label_fail(self) -> None:
        """Say that it fails, first at the current turn."""
        await self._judge("fail")

    async def action_label_defer(self) -> None:
        """Put the decision off."""
        await self._judge("defer")

    async def _judge(self, word: LabelWord) -> None:
        session_id, seen = self._labels.session.id, self._labels.session.modes_in_sight
        if self._is_on_screen():
            # What was told before would stand over the keys that follow a label.
            drop_notes(self._screen.app)
            leads_on = self._going_on.leads_on(word)
            gone = await self._labels.judge(word, self._panes.failing_number, leads_on=leads_on)
            if session_id != self._labels.session.id or is_leaving(self._screen):
                return
            # At the label, and not as a toast, which would cover a line of what is read.
            if kept_as := self._kept_as():
                self._labels.tell(f"kept {kept_as}")
            if self._going_on.said(session_id, word):
                self.go_on(kept_as)
            self._show_all()
            if gone:
                note(self._screen, f"Taken away with it: {_names(gone)}; {self._key('undo')} undoes it.")
            elif word == "pass" and seen:
                # A pass of what has them may be meant, or a slip: nobody else would tell.
                stays = "failure mode stays" if len(seen) == 1 else "failure modes stay"
                undo = self._key("undo")
                note(self._screen, f"Passed, and its {stays}: {_names(seen)}; {undo} undoes the pass.")

    def _is_on_screen(self) -> bool:
        """Return whether the session that a key is meant for is there; say so where it is not."""
        if self._labels.is_read and not self._going_on.passes_by:
            return True
        # Of what nobody has seen nothing is to be said, nor of a session that was only passed by.
        note(self._screen, TOO_EARLY)
        self._came_early = self._going_on.passes_by
        return False

    def arrived(self) -> None:
        """Say again, once, that a key came too early: what was told is dropped as a session is read."""
        if self._came_early and not self._going_on.passes_by:
            self._came_early = False
            note(self._screen, TOO_EARLY)

    def _kept_as(self) -> str:
        """Return, once, under which name a label is kept, where nobody chose it."""
        name = self._labels.session.author
        if self._shell.settings.author is not None or not self._shell.used.labels_as(name):
            return ""
        key = key_of(self._shell.actions, "everywhere", "settings")
        return f"under the name {make_safe_line(name)} ({key} changes it)"

    async def action_anchor(self) -> None:
        """Say that the current turn is the first that fails, or that no single turn is."""
        number = self._panes.failing_number
        if self._labels.session.mine.whole.word != "fail":
            fail = self._key("label_fail")
            note(self._screen, f"The first failure goes with a label: {fail} says that it fails here.")
        elif number is None:
            note(self._screen, "This message has no number: go to a turn.")
        else:
            await self._labels.anchor(number)

    async def action_at_fault(self) -> None:
        """Say of a fail who failed; pressed again, the next one there is, and in the end nobody."""
        if self._labels.session.mine.whole.word != "fail":
            fail = self._key("label_fail")
            note(self._screen, f"Who failed goes with a fail: {fail} says that it fails.")
        else:
            await self._labels.blame_next()

    # Going on

    @property
    def waits(self) -> Waiting:
        """What label the session has, where it was given last and stays, so that enter goes on."""
        word = self._labels.session.mine.whole.word
        if word is None or not self._going_on.waits(self._labels.session.id):
            return ""
        if word != "fail":
            return "label"
        return "fail" if self._labels.note else "unexplained fail"

    @property
    def fail_waits(self) -> bool:
        """Whether there is more to say of a fail before enter goes on."""
        return "fail" in self.waits

    def go_on(self, kept_as: str = "") -> None:
        """Open the session that a label leads to, or tell that there is none.

        kept_as: under which name the label is kept, where that is told.
        """
        word = self._labels.session.mine.whole.word or ""
        if not self._going_on.go(self._labels.session.id, f"{word} {kept_as}".strip()):
            self._tell_end()

    def nowhere_to_go(self) -> None:
        """Tell that the session that a label leads to, which was asked for before it was known, is none."""
        self._going_on.stay()
        self._tell_end()

    def _tell_end(self) -> None:
        self._labels.stayed()
        if self._queue.is_on:
            self._queue.end()
        else:
            note(self._screen, "This was the last session of the list.")

    def action_go_on_by_itself(self) -> None:
        """Let labels open the next session by themselves, or not."""
        try:
            self._going_on.toggle()
        except TurnwiseError as error:
            self._shell.tell_error(error)
        else:
            # The line of keys may have no room to tell.
            note(self._screen, GOES_ON if self._going_on.on else STAYS)
        self._show_all()

    # Back and forth

    async def action_undo(self) -> None:
        """Take back the last change of one's labels, be it of a session that a label led on from."""
        steps_back = self._going_on.step_back(self._labels.session.id, said_here=self._labels.said_here)
        if not steps_back and not self._waits_to(self.action_undo):
            await self.undo_here()

    async def undo_here(self) -> None:
        """Take back the last change of one's labels of the session that is read."""
        session_id = self._labels.session.id
        drop_notes(self._screen.app)
        if not await self._labels.undo():
            note(self._screen, "There is nothing to undo.")
        elif session_id == self._labels.session.id and self._labels.is_read and not self._labels.said_here:
            self._going_on.forget(session_id)

    async def action_redo(self) -> None:
        """Make the change again that was undone last, be it of a session that an undo led back from."""
        if self._waits_to(self.action_redo):
            return
        if (to := self._labels.redo_leads_to) is None:
            await self.redo_here()
        else:
            here, said_here = self._labels.session.id, self._labels.said_here
            self._going_on.step_forward(here, to, said_here=said_here)

    async def redo_here(self) -> None:
        """Make the change again that was undone last in the session that is read."""
        # What was told of the key before, as that there is nothing to undo, is so no longer.
        drop_notes(self._screen.app)
        if not await self._labels.redo():
            note(self._screen, "There is nothing to do again.")

    def _waits_to(self, act: Callable[[], Awaitable[None]]) -> bool:
        """Return whether a session is still being read; what a key asks for then comes after what is made
        in that one.
        """
        return self._early.holds(partial(self._screen.call_later, act))

    # Failure modes

    def action_modes(self) -> None:
        """Give the session failure modes, or take them away."""
        from turnwise.tui.failure_modes.mode_dialogs import choose_modes

        session_id, turn = self._labels.session.id, self._panes.failing_number
        blind = self._labels.hides_scores
        of = named_in_title(self._screen)
        choose_modes(self._screen.app, session_id, turn, self._modes_chosen, of=of, blind=blind)

    async def give_near_mode(self, number: int) -> None:
        """Give the session the failure mode that bears a digit, or take it away; 0 is no digit of any."""
        if not self._is_on_screen():
            return
        session_id, turn = self._labels.session.id, self._panes.failing_number
        async with self._labels.change() as is_meant:
            if not is_meant:
                return
            given = await self._queue.give(number, session_id, turn, self._labels.session.author)
            if given is None or session_id != self._labels.session.id or is_leaving(self._screen):
                return
            self._going_on.touched(session_id)
            self._labels.take_modes(given[0])
            self._labels.tell(given[1])
            self._show()

    def _modes_chosen(self, changed: bool) -> None:
        session_id = self._labels.session.id
        if changed:
            self._labels.take_modes(self._shell.store.modes.of(session_id))
            self._going_on.touched(session_id)
            self._queue.offer(self._panes.transcript.rows)
            self._show()

    # Metrics

    async def action_agree(self) -> None:
        """Say that a metric's score is right."""
        await self._side_with(agree=True)

    async def action_disagree(self) -> None:
        """Say that a metric's score is wrong."""
        await self._side_with(agree=False)

    async def _side_with(self, *, agree: bool) -> None:
        row = self._panes.chosen_score
        if row is None:
            if self._panes.scores.groups:
                note(self._screen, f"{self._key('other_pane')} goes to the scores: choose one.")
            else:
                self._say_no_scores()
        elif row.passed is None:
            name = row.metric.replace("_", " ")
            note(self._screen, f"{name} neither passed nor failed: nothing is right or wrong there.")
        elif self._is_on_screen():
            await self._labels.side_with(row, agree=agree)

    def _show_all(self) -> None:
        self._show()
        self._screen.refresh_bindings()

    def _key(self, name: str) -> str:
        return key_of(self._shell.actions, "review", name)


def _names(modes: Iterable[AssignedMode]) -> str:
    """Return the names of failure modes, each once."""
    return ", ".join(f"“{name}”" for name in dict.fromkeys(make_safe_line(one.name) for one in modes))
