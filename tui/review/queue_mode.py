"""QueueMode: what a review has while it goes through a queue: failure modes by digits, and an end.

Elsewhere it is there too, and does nothing: the screen need not ask which of the two it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from turnwise.conversations.store import AssignedMode, FailureMode, TurnRow
from turnwise.engine.people.near_modes import KnownModes, numbered
from turnwise.engine.people.queue_summary import QueueSummary, sum_up
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.notice import note
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.session_lists.pages import SessionProvider
from turnwise.tui.session_lists.stored_sessions import Neighbours, QueueSessions
from turnwise.tui.settings.keymap import fill_keys
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import Shell
from turnwise.tui.shell.sights import is_in_sight

if TYPE_CHECKING:
    from turnwise.tui.review.queue_end import EndStep

NONE_THERE = "is the number of no failure mode. {review.modes} gives any, and names new ones."
NO_QUEUE = "gives a failure mode in queues; {review.modes} does here. {review.back} leads back to the places."


class QueueMode:
    """Offers the nearest failure modes to each session of a queue, and shows what came of it at its end."""

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        sessions: SessionProvider | None,
        *,
        go_to: Callable[[int], None],
        leave: Callable[[], None],
    ) -> None:
        """screen: has one NearModesLine. sessions: the list that is reviewed.

        go_to: reads a session of the list. leave: goes back to where the list was opened.
        """
        self._screen = screen
        self._shell = shell
        self._queue_id = sessions.queue.id if isinstance(sessions, QueueSessions) else None
        self._go_to, self._leave = go_to, leave
        self._reading = NewestReading(screen)
        self._opened = False
        self._nearest: Sequence[FailureMode] = ()
        """The failure modes that are offered, the nearest first."""

    @property
    def is_on(self) -> bool:
        """Whether a queue is reviewed."""
        return self._queue_id is not None

    @property
    def digits(self) -> int | None:
        """The last digit that gives a failure mode, 0 for none; None where no queue is reviewed."""
        return self._line.last_digit if self.is_on else None

    @property
    def _line(self) -> NearModesLine:
        return self._screen.query_one(NearModesLine)

    # Failure modes by digits

    def offer(self, turns: Sequence[TurnRow]) -> None:
        """Offer the failure modes that are nearest to a session; they are looked up in a thread."""
        store = self._shell.store

        def read() -> list[FailureMode]:
            return KnownModes.read(store).nearest(turn.content for turn in turns)

        if self.is_on:
            self._reading.ask(read, self._offer)
        else:
            # A review that was shown ahead may have been that of a queue.
            self._line.offer(())

    def _offer(self, nearest: Sequence[FailureMode]) -> None:
        """Offer modes, each under the digit that it has in this sitting."""
        if getattr(self._screen, "queue", self) is not self:
            # Looked up for a session that is not the one that was opened in the end.
            return
        self._nearest = nearest
        modes = {mode.id: mode for mode in nearest}
        digits = numbered(self._shell.digits, list(modes))
        self._line.offer([None if one is None else modes[one] for one in digits])
        if is_in_sight(self._screen):
            self._shell.digits = digits
            self._screen.refresh_bindings()

    def look(self) -> None:
        """Take that one looks at the queue from here on, where it is in front and there is one."""
        if self._queue_id is None:
            self.look_away()
        elif self._screen.is_current:
            self._shell.looking.look(self._queue_id)

    def look_away(self) -> None:
        """Take that something else is in front."""
        self._shell.looking.look_away()

    def come_in_sight(self) -> None:
        """Offer again what was offered before anybody saw it: digits may have been given since."""
        self.look()
        if self._nearest:
            self._screen.call_later(self._offer, self._nearest)

    def show(self, given: Sequence[AssignedMode], author: str, *, deciding: bool) -> None:
        """Show which failure modes the session has, and which of them this author gave.

        deciding: whether a fail waits for them.
        """
        if self.is_on:
            self._line.show({one.mode_id: one.is_by(author) for one in given}, deciding=deciding)

    async def give(
        self, number: int, session_id: int, turn: int | None, author: str
    ) -> tuple[Sequence[AssignedMode], str] | None:
        """Give a session the failure mode that bears a digit, or take back that this author gave it.

        Return those it then has, and what was done in words. What somebody else gave is given too, and stays
        theirs. turn: the number of the turn at which it shows. None where no mode bears the digit.
        """
        mode, store = self._line.mode_at(number), self._shell.store
        if mode is None:
            words = NONE_THERE if self.is_on else NO_QUEUE
            note(self._screen, f"{number} {fill_keys(words, self._shell.actions)}")
            return None
        mode_id = mode.id

        def change() -> tuple[Sequence[AssignedMode], str]:
            # The keys wait for it.
            with store.impatient(), store.writing():
                if store.modes.withdraw([session_id], mode_id, author):
                    told = f"taken back: {mode.name}"
                else:
                    store.modes.assign([session_id], mode_id, author, turn=turn, too=True)
                    told = f"given: {mode.name}"
            return store.modes.of(session_id), told

        return await asyncio.to_thread(change)

    # The end

    def opened(self, near: Neighbours | None) -> None:
        """Show the end where a queue is done already when it is opened. near: the place of its session."""
        first, self._opened = not self._opened, True
        if first and near is not None and near.is_done:
            self.end(labelled=False)

    def end(self, *, labelled: bool = True) -> None:
        """Show what the queue came to; it is looked up in a thread. labelled: whether a label led there."""
        if (queue_id := self._queue_id) is not None:
            show, author = partial(self._show_end, labelled=labelled), author_of(self._shell.settings)
            NewestReading(self._screen).ask(lambda: sum_up(self._shell.store, queue_id, author), show)

    def _show_end(self, summary: QueueSummary, *, labelled: bool) -> None:
        from turnwise.tui.review.queue_end import QueueEndDialog

        if self._screen.is_current:
            dialog = QueueEndDialog(summary, labelled=labelled)
            self._screen.app.push_screen(dialog, partial(self._go_on_to, summary))

    def _go_on_to(self, summary: QueueSummary, chosen: EndStep | None) -> None:
        """Go where one chose to at the end."""
        app, shell = self._screen.app, self._shell
        if chosen == "look_back":
            if summary.put_off:
                self._go_to(summary.put_off[0])
            return
        if chosen == "undo":
            # As the key does that has the same name in a review.
            app.call_later(app.run_action, "undo", self._screen)
            return
        self._leave()
        if chosen == "modes":
            app.call_later(shell.places.go, "failure_modes")
        elif chosen == "agreement":
            app.call_later(shell.places.go, "agreement")
        elif chosen == "next_queue" and summary.following is not None:
            app.call_later(shell.open_queue, summary.following.id)
