"""SessionLabels: what the one who reviews says of the session that is read, and takes back.

Every change is kept at once, as a row of its own. What of the session is in sight meanwhile, `BlindSession`
knows.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import partial

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.marks import AT_FAULT, LabelWord
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import AssignedMode, LabelRow, ScoreRow
from turnwise.engine.people.labelling import (
    WHOLE,
    CurrentLabel,
    LabelChange,
    LabelStep,
    LabelSubject,
    PersonLabels,
    brought_back,
    change_words,
    judged,
    keep_label,
    noted,
    rebased,
)
from turnwise.engine.people.queue_summary import add_time
from turnwise.tui.labels.label_lines import WILL_NOT_BE_BLIND, LabelView
from turnwise.tui.labels.people_lines import SaidByOther
from turnwise.tui.labels.undone_sessions import UndoneSessions
from turnwise.tui.parts.one_by_one import OneByOne
from turnwise.tui.reading.score_groups import said_by, subject_of_row
from turnwise.tui.review.blind_session import BlindSession
from turnwise.tui.review.nameless import mode_words, modes_by
from turnwise.tui.review.session_reader import SessionFindings
from turnwise.tui.session_lists.pages import SessionProvider
from turnwise.tui.session_lists.stored_sessions import QueueSessions
from turnwise.tui.shell.earlier_modes import earlier_steps
from turnwise.tui.shell.mode_steps import ModesGiven, ModeSteps
from turnwise.tui.shell.shell import Shell


class SessionLabels:
    """Reads and writes the labels of one session at a time. It draws nothing.

    All that writes is awaited and waits for what was asked for before it, so that labels are kept in the
    order in which keys were pressed.
    """

    def __init__(
        self,
        shell: Shell,
        session_id: int,
        changed: Callable[[bool], None],
        sessions: SessionProvider | None = None,
    ) -> None:
        """changed: called after a label was written, with whether its session is still the one read.

        sessions: as of a BlindSession.
        """
        self._shell = shell
        self._sessions = sessions
        self.session = BlindSession(shell, session_id, sessions)
        """What was found and said of the session, and what of it is in sight."""
        self._changed = changed
        self.changes = OneByOne()
        """Where each change takes its place, so that they are made in the order of their keys."""
        self.kept = 0
        """How many changes of labels and failure modes were kept here."""
        self.undone = UndoneSessions()
        """Where changes were undone since one was made, so that a redo finds them."""
        self._told = ""
        """What the last key did, where that is not seen at once."""
        self._last = ""
        """What was said of the session before, until something is said of this one."""
        self._loaded: int | None = None
        # The app knows them: who leaves a session and comes back takes back what was done last all the same.
        self._modes = shell.mode_steps.setdefault(self.session.author, ModeSteps(self.session.author))
        self._stood: dict[int, int] = {}
        """How many changes of labels stood before this sitting, by session; without those undone since."""
        self._unkept: dict[int, str] = {}
        """Notes that could not be written, by session: the next look at the note begins with them."""

    def take(self, found: SessionFindings) -> None:
        """Take what was read of the session."""
        known = [row.id for row in self.session.rows]
        self.session.found = found
        if self._loaded != self.session.id or known != [row.id for row in self.session.rows]:
            self._loaded, self._told, self._last = self.session.id, "", ""
            self.session.mine = PersonLabels(
                self.session.author, self.session.rows, adjudicating=self.session.mine.adjudicating
            )
            self._stood.setdefault(self.session.id, self.session.mine.standing)

    @property
    def hides_scores(self) -> bool:
        """Whether there are scores or labels of others, and they are hidden."""
        return self.session.hides_scores

    @property
    def said_here(self) -> bool:
        """Whether something that was said of the session in this sitting stands, for an undo to take back."""
        if not self.is_read:
            return False
        more = self.session.mine.standing > self._stood[self.session.id]
        last = self._modes.of(self.session.id).to_undo
        return more or (last is not None and not last.earlier)

    def came_back(self, *, to_undo: bool) -> None:
        """Show the scores that a label has earned; not where one comes back only to take it back."""
        if not to_undo and self.session.mine.whole.word is not None:
            self.session.unshown.discard(self.session.id)

    def stayed(self) -> None:
        """Show the scores after a label that was to lead on and led nowhere."""
        if self.is_read and self.session.id in self.session.unshown:
            self.session.unshown.discard(self.session.id)
            self._changed(True)

    def tell(self, words: str) -> None:
        """Tell what a key did elsewhere, until the next one."""
        self._say(make_safe_line(words))

    def came_from(self, word: str, name: str) -> None:
        """Tell which label of which session led here, if one did, until something is said of this one."""
        self._last = make_safe_line(f"{word}, {name}") if word else ""

    def _say(self, words: str) -> None:
        self._told, self._last = words, ""

    def take_modes(self, modes: Sequence[AssignedMode]) -> None:
        """Take the failure modes that the session has after some were given or taken away."""
        self._last = ""
        self.kept += 1
        self.undone.take(self.session.id, "")
        self._modes.took(self.session.id, self.session.found.modes, modes, self.session.mine.standing)
        self.session.found = replace(self.session.found, modes=modes)

    @property
    def is_read(self) -> bool:
        """Whether what is said of the session was read, and it is not still on its way."""
        return self._loaded == self.session.id

    def view(
        self, score: ScoreRow | None, here: int | None, *, in_reply: bool, keeps_room: bool
    ) -> LabelView:
        """Return what the pane of labels shows, as LabelView names it. score: the one under the cursor."""
        settles, hidden = self.session.mine.adjudicating, self.hides_scores
        own = [
            row
            for row in self.session.rows
            if row.author == self.session.author and not row.metric and row.adjudicates is settles
        ]
        said, told = self.session.said_by_others(hidden=hidden), self.session.modes_told
        own_modes = [one for one in told if one.is_by(self.session.author)]
        # What was given by whom the pane names stands beside their label.
        elsewhere = [one for one in told if one not in own_modes and not any(map(one.is_by, said))]
        is_blind = (
            self.session.mine.whole.blind if self.session.mine.whole.word else self.session.labels_blind
        )
        return LabelView(
            mine=self.session.mine.whole,
            at=own[-1].created_at if own else 0.0,
            others={name: SaidByOther(row, modes_by(name, row, told)) for name, row in said.items()},
            settles=settles,
            not_blind=self._shell.settings.blind and not is_blind,
            modes=[mode_words(one, self.session.author) for one in own_modes],
            given_by_others=[mode_words(one, self.session.author) for one in elsewhere],
            can_undo=self.session.mine.to_undo is not None
            or self._modes.of(self.session.id).to_undo is not None
            or bool(own_modes),
            can_redo=self.can_redo,
            any_history=bool(own) or (bool(self.session.rows) and (settles or not hidden)),
            here=here,
            in_reply=in_reply,
            told=self._told,
            last=self._last,
            score=(score.metric.replace("_", " "), self._said_of(score)) if score else None,
            keeps_room=keeps_room,
        )

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again, here or in a session that an undo led back from."""
        return self._can_redo_here or self.redo_leads_to is not None

    @property
    def _can_redo_here(self) -> bool:
        return self.session.mine.to_redo is not None or self._modes.of(self.session.id).to_redo is not None

    @property
    def redo_leads_to(self) -> int | None:
        """The session that a redo makes its change in; None where that is the one that is read."""
        return self.undone.leads_to(self.session.id, can_redo=self._can_redo_here)

    def _said_of(self, row: ScoreRow) -> str:
        label = self.session.mine.of_metrics.get(subject_of_row(row))
        return said_by(row, label) if label else ""

    # What is said

    @asynccontextmanager
    async def change(self) -> AsyncIterator[bool]:
        """Wait for the changes before this one; tell whether the session it is meant for is still read."""
        session_id = self.session.id
        async with self.changes.place():
            yield session_id == self.session.id and self.is_read

    async def judge(
        self, word: LabelWord, turn: int | None, *, leads_on: bool = False
    ) -> Sequence[AssignedMode]:
        """Say pass, fail or defer of the conversation; return the failure modes that are taken away with it.

        turn: the number of the one that is looked at; a fail shows there first. Who passes what they failed
        means what went wrong there no longer: the failure modes that nobody else gave go with the fail.
        leads_on: whether the next session follows at once. What is hidden then stays so: it would be in
        sight for a moment only, and who comes back to take the label back has seen nothing.
        """
        async with self.change() as is_meant:
            if not is_meant:
                return ()
            hidden = self.session.labels_blind
            if leads_on and self.hides_scores:
                self.session.unshown.add(self.session.id)
            elif not leads_on:
                self.session.unshown.discard(self.session.id)
            return await self._judge(word, turn, hidden=hidden)

    async def _judge(self, word: LabelWord, turn: int | None, *, hidden: bool) -> Sequence[AssignedMode]:
        was, session_id, standing = self.session.mine.whole, self.session.id, self.session.mine.standing
        after = judged(was, word, turn, hidden=hidden)
        if (was.word, word) != ("fail", "pass"):
            await self._keep(WHOLE, after)
            return ()
        store, gone = self._shell.store, list[AssignedMode]()

        def let_modes_go() -> None:
            gone.extend(store.modes.only_by(session_id, self.session.author))
            for one in gone:
                store.modes.unassign([session_id], one.mode_id, self.session.author)

        await self._keep(WHOLE, after, also=let_modes_go)
        self._modes.went(session_id, gone, standing + 1)
        if gone and session_id == self.session.id:
            left = [one for one in self.session.found.modes if one not in gone]
            self.session.found = replace(self.session.found, modes=left)
        return gone

    async def anchor(self, turn: int) -> None:
        """Say that a conversation that fails does so first at this turn; at no single one, if it was this."""
        async with self.change() as is_meant:
            was = self.session.mine.whole
            if is_meant:
                await self._keep(WHOLE, replace(was, turn=None if was.turn == turn else turn))

    async def blame_next(self) -> None:
        """Say that another one failed: the next there is, from nobody on and back to nobody."""
        order = (None, *AT_FAULT)
        async with self.change() as is_meant:
            was = self.session.mine.whole
            at_fault = order[(order.index(was.at_fault) + 1) % len(order)]
            if is_meant:
                await self._keep(WHOLE, replace(was, at_fault=at_fault))

    async def side_with(self, row: ScoreRow, *, agree: bool) -> None:
        """Say of a metric what its score says, or the opposite; said once more, it is taken back.

        row: a score that passed or failed.
        """
        word: LabelWord = "pass" if row.passed is agree else "fail"
        subject = subject_of_row(row)
        async with self.change() as is_meant:
            if is_meant and not await self._keep(subject, CurrentLabel(word, subject[1], blind=False)):
                await self._keep(subject, CurrentLabel())

    @property
    def note(self) -> str:
        """The note so far, be it kept or not."""
        return self._unkept.get(self.session.id, self.session.mine.whole.note)

    async def write_note(
        self,
        text: str,
        about: int,
        place: AbstractAsyncContextManager[None],
        *,
        adds: bool = False,
        told: str = "",
    ) -> bool:
        """Keep a note; return whether it is one of the session that is read.

        about: the id of its session, which may be another than the one that is read. place: of the changes,
        taken when the note was ended. adds: it goes behind the note so far. told: what is said of it where
        it is another than before. Raises TurnwiseError where it cannot be written; `note` then gives it.
        """
        async with place:
            if here := about == self.session.id and self.is_read:
                if await self._write_note(text, adds=adds) and told:
                    self._say(told)
                    self._changed(True)
            else:
                other = SessionLabels(self._shell, about, lambda _: self._changed(False), self._sessions)
                other._unkept, other.undone = self._unkept, self.undone
                other.take(await asyncio.to_thread(SessionFindings.read, self._shell.store, about))
                await other._write_note(text, adds=adds)
        return here

    async def _write_note(self, text: str, *, adds: bool) -> bool:
        session_id, was = self.session.id, self.session.mine.whole
        if adds:
            text = self.note + text
        self._unkept.pop(session_id, None)
        # The line shows what it can; what it cannot show is no change.
        if make_safe(was.note).strip() == text.strip():
            return False
        try:
            return await self._keep(WHOLE, noted(was, text, hidden=self.session.labels_blind))
        except TurnwiseError:
            self._unkept[session_id] = text
            raise

    async def undo(self) -> bool:
        """Take back the last change, of one's labels or of failure modes; return whether there was one."""
        async with self.change() as is_meant:
            return await self._undo() if is_meant else True

    async def _undo(self) -> bool:
        session_id = self.session.id
        await self._find_earlier()
        modes = self._modes.to_undo(session_id, self.session.mine.standing)
        if modes:
            await self._step_modes(modes, "undo")
            if not modes.with_label or session_id != self.session.id:
                return True
        return await self._step(self.session.mine.to_undo, "undo", modes)

    async def _find_earlier(self) -> None:
        """Look up which failure modes were given in earlier sittings, once nothing of this one is left."""
        session, author = self.session, self.session.author
        if self._modes.lacks_earlier(session.id):
            session_id, labels, settles = session.id, session.rows, session.mine.adjudicating
            done = await asyncio.to_thread(self._shell.store.modes.done_by, session_id, author)
            self._modes.begin_with(session_id, earlier_steps(done, labels, author, adjudicating=settles))

    async def redo(self) -> bool:
        """Make the change again that was undone last; return whether there was one."""
        async with self.change() as is_meant:
            return await self._redo() if is_meant else True

    async def _redo(self) -> bool:
        if modes := self._modes.to_redo(self.session.id, self.session.mine.standing):
            await self._step_modes(modes, "redo")
            return True
        session_id = self.session.id
        done = await self._step(self.session.mine.to_redo, "redo")
        modes = self._modes.to_redo(session_id, self.session.mine.standing)
        if modes and modes.with_label and session_id == self.session.id:
            words = f"{self._told}, {modes.words}"
            await self._step_modes(modes, "redo", words)
        return done

    async def _step_modes(self, change: ModesGiven, step: LabelStep, words: str = "") -> None:
        session_id, store = self.session.id, self._shell.store
        make = partial(change.make, store, session_id, self.session.author, step)
        await asyncio.to_thread(make)
        history = self._modes.of(session_id)
        if step == "undo":
            history.undo()
        else:
            history.redo()
        modes = await asyncio.to_thread(store.modes.of, session_id)
        self.kept += 1
        if not change.with_label:
            self.undone.take(session_id, step)
        if here := session_id == self.session.id:
            self._say(words or _step_words(step, change.words))
            self.session.found = replace(self.session.found, modes=modes)
        self._changed(here)

    async def _step(
        self, change: LabelChange | None, step: LabelStep, modes: ModesGiven | None = None
    ) -> bool:
        """modes: those that came back with it."""
        if change is None:
            return False
        words = change_words(change, step)
        if step == "undo" and (back := brought_back(change)):
            words += f"; again: {back}"
        takes_label = step == "undo" and change.subject == WHOLE and change.after.word is None
        if takes_label and self._shell.settings.blind and not self.session.is_unseen:
            # The label showed the scores, and taking it back makes nobody forget them.
            self._shell.sights.add(self.session.id, "here")
            words += f"; {WILL_NOT_BE_BLIND}"
        if modes is not None:
            words += f", with {', '.join(make_safe_line(one.name) for one in modes.taken)}"
        if step == "redo" and change.after.word is not None:
            self.session.unshown.discard(self.session.id)
        # Not a toast: one may go through many, and a toast takes longer than a key may.
        self._say(_step_words(step, words))
        await self._keep(change.subject, change.after, step)
        return True

    async def _keep(
        self,
        subject: LabelSubject,
        after: CurrentLabel,
        step: LabelStep = "",
        also: Callable[[], None] | None = None,
    ) -> bool:
        """Keep what is said of a subject from here on; return whether that changed anything.

        also: is written with it, or not at all.
        """
        session_id = self.session.id
        if self.session.mine.of(subject).says_as(after):
            return False
        rows = await asyncio.to_thread(
            self._write,
            session_id,
            subject,
            self.session.mine.of(subject),
            after,
            also,
            self._shell.looking.take(),
        )
        self.kept += 1
        self.undone.take(session_id, step)
        here = session_id == self.session.id
        if here:
            if not step:
                self._say("")
                self._modes.of(session_id).forget_undone()
            known = {row.id for row in self.session.rows}
            self.session.found = replace(self.session.found, labels=rows)
            written = max(row.id for row in rows if row.author == self.session.author)
            for row in rows:
                if row.id not in known:
                    self.session.mine.take(row, step if row.id == written else None)
            self._stood[session_id] = min(self._stood[session_id], self.session.mine.standing)
        self._changed(here)
        return True

    def _write(
        self,
        session_id: int,
        subject: LabelSubject,
        before: CurrentLabel,
        after: CurrentLabel,
        also: Callable[[], None] | None,
        looked: float,
    ) -> Sequence[LabelRow]:
        """looked: how many seconds somebody looked at a queue before."""
        store = self._shell.store
        # The keys wait for it.
        with store.impatient(), store.writing():
            settles = self.session.mine.adjudicating
            rows = store.labels.of(session_id)
            said = PersonLabels(self.session.author, rows, adjudicating=settles).of(subject)
            changed = rebased(said, before, after)
            keep_label(store, session_id, self.session.author, subject, changed, adjudicates=settles)
            if also is not None:
                also()
            if isinstance(self._sessions, QueueSessions):
                add_time(store, self._sessions.queue, self.session.author, looked)
        return store.labels.of(session_id)


def _step_words(step: LabelStep, words: str) -> str:
    return f"{'undone' if step == 'undo' else 'done again'}: {words}"
