"""SessionReader: a session with all that was found about it, read off the loop while keys go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from textual.screen import Screen
from textual.worker import get_current_worker

from turnwise.conversations.errors import DamageError, NotFoundError
from turnwise.conversations.store import (
    AboutPart,
    AssignedMode,
    LabelRow,
    SessionAbout,
    SessionRow,
    Store,
    TurnRow,
)
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.parts.words import moment
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.info_lines import SessionInfo
from turnwise.tui.reading.score_groups import NO_SCORES, SessionScores
from turnwise.tui.session_lists.pages import SessionProvider
from turnwise.tui.session_lists.stored_sessions import Neighbours, neighbours_of
from turnwise.tui.shell.last_reading import LastReading
from turnwise.tui.shell.shell import Shell
from turnwise.tui.textual_screens import lay_out_unseen

SECONDS_TO_DRAW = 0.03
"""So long a session takes at the most to be drawn, once it was read."""
SECONDS_JUST_NOW = 30.0
"""For so long what is told of times may be as it was."""


@dataclass(frozen=True, slots=True)
class SessionFindings:
    """What was found about a session: outcomes, labels of all people oldest first, and failure modes.

    seen_by: who saw the outcomes before they labelled.
    """

    scores: SessionScores = NO_SCORES
    labels: Sequence[LabelRow] = ()
    modes: Sequence[AssignedMode] = ()
    seen_by: frozenset[str] = frozenset()

    @classmethod
    def read(cls, store: Store, session_id: int) -> SessionFindings:
        """Read it from the store."""
        scores = SessionScores.of(store.scores.newest(session_id))
        labels, modes = store.labels.of(session_id), store.modes.of(session_id)
        return cls(scores, labels, modes, store.labels.seen_by(session_id))

    def is_same(self, other: SessionFindings) -> bool:
        """Return whether both were made of the same rows."""
        ours, theirs = (
            ([row.id for row in one.scores.rows], [row.id for row in one.labels], one.modes)
            for one in (self, other)
        )
        return ours == theirs


@dataclass(frozen=True, slots=True)
class SessionRead:
    """A session as it was read."""

    row: SessionRow
    turns: Sequence[TurnRow]
    findings: SessionFindings
    info: SessionInfo = field(default_factory=SessionInfo)
    extent: tuple[int, int] = (0, 0)
    """How long it was."""
    drawn: DrawnTranscript | None = None
    """Its turns, where they were drawn ahead."""


@dataclass(frozen=True, slots=True)
class PlacedSession:
    """A session as it was read, and what stands beside it in the list."""

    read: SessionRead
    near: Neighbours | None


def read_whole(store: Store, session_id: int) -> tuple[SessionRead, DamageError | None]:
    """Read a session with all that was found about it. Call it from a thread.

    Where what was found cannot be read, what was said is there all the same, and the error beside it. Raises
    NotFoundError where there is no such session.
    """
    row = store.sessions.get(session_id)
    extent = store.growing.extent(session_id)
    turns = store.turns.of(session_id)
    damage: DamageError | None = None
    found, about = SessionFindings(), SessionAbout()
    try:
        found = SessionFindings.read(store, session_id)
        about = store.sessions.about(session_id)
    except DamageError as error:
        damage = error
    return SessionRead(row, turns, found, SessionInfo.of(about, _facts(row), turns), extent), damage


@dataclass(frozen=True, slots=True)
class ReadyAhead:
    """What is ready of a session when it is opened.

    read: what was read of it, if that is so still. is_shown: whether the screen shows it as it is now.
    is_old: whether it was shown so long ago that what it says was done just now no longer was.
    shows_another: whether the screen shows another session, or this one as it was.
    """

    read: PlacedSession | None
    is_shown: bool
    is_old: bool
    shows_another: bool


class SessionAhead:
    """A session that is read, shown and drawn in a screen that nobody sees yet, before it is asked for.

    It is good for as long as nothing changes that is told of it.
    """

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        *,
        draw: Callable[[Sequence[TurnRow]], DrawnTranscript],
        show: Callable[[int, SessionProvider | None, PlacedSession], None],
    ) -> None:
        """screen: was made ahead. draw: draws the beginning of a session, in a thread.

        show: shows a session of a list in the screen, without anything that only who sees it does.
        """
        self._screen, self._shell = screen, shell
        self._draw, self._show = draw, show
        self._reading = NewestReading(screen)
        self._asked = LastReading()
        """Of what was asked for the session, the list, and whether the session was in sight."""
        self._read: PlacedSession | None = None
        self._shown = LastReading()
        """What the screen shows."""
        self._shown_at = 0.0

    def expect(self, session_id: int, sessions: SessionProvider | None) -> bool:
        """Do the next thing for a session of a list to be there at once; return whether there was any.

        It is read in a thread, and then shown. What the parts ask for by that is left to who made the screen.
        """
        if self._asked.find_outdated(self._shell, *self._wanted(session_id, sessions)):
            self._read = None
            self._reading.ask(partial(self._read_it, session_id, sessions), self._take)
        elif self._read is not None and self._shown.follow(self._asked):
            self._shown_at = time.monotonic()
            self._show(session_id, sessions, self._read)
            lay_out_unseen(self._screen.app, self._screen)
        else:
            return False
        return True

    def _read_it(self, session_id: int, sessions: SessionProvider | None) -> PlacedSession | None:
        store = self._shell.store
        try:
            found, damage = read_whole(store, session_id)
        except NotFoundError:
            return None
        if damage is not None:
            return None
        near = neighbours_of(store, sessions, session_id)
        return PlacedSession(replace(found, drawn=self._draw(found.turns)), near)

    def _take(self, read: PlacedSession | None) -> None:
        self._read = read

    def let_go(self, session_id: int, sessions: SessionProvider | None) -> ReadyAhead:
        """Return what is ready of a session that is opened, and keep nothing of any."""
        wanted, shell = self._wanted(session_id, sessions), self._shell
        shown, any_shown = not self._shown.is_outdated(shell, *wanted), not self._shown.is_empty
        ready = ReadyAhead(
            read=None if self._asked.is_outdated(shell, *wanted) else self._read,
            is_shown=shown,
            is_old=time.monotonic() - self._shown_at > SECONDS_JUST_NOW,
            shows_another=any_shown and not shown,
        )
        self._reading.drop()
        self._read = None
        self._asked.forget()
        self._shown.forget()
        return ready

    def _wanted(self, session_id: int, sessions: SessionProvider | None) -> tuple[object, ...]:
        return session_id, sessions, session_id in self._shell.sights


class EarlyKeys:
    """Keeps what keys ask for while a session is read, such as its scores, and does it once it is there.

    A label is not kept so: it would be of a session that nobody has seen.
    """

    def __init__(self, is_read: Callable[[], bool]) -> None:
        self._is_read = is_read
        self._asked: list[Callable[[], object]] = []

    def holds(self, act: Callable[[], object]) -> bool:
        """Return whether a session is still being read; what a key asks for then waits until it is."""
        if self._is_read():
            return False
        self._asked.append(act)
        return True

    def do(self) -> None:
        """Do what was asked for, now that the session is there."""
        asked, self._asked = self._asked, []
        for act in asked:
            act()

    def forget(self) -> None:
        """Forget it: another session is read."""
        self._asked = []


class SessionReader:
    """Reads for a screen, and hands over what it read: never from a thread, and in the order it was read.

    Whoever takes it looks whether it still is of the session that is wanted.
    """

    def __init__(
        self,
        screen: Screen[Any],
        store: Store,
        sessions: SessionProvider | None,
        *,
        take: Callable[[SessionRead | NotFoundError], None],
        take_place: Callable[[int, Neighbours | None], None],
        take_findings: Callable[[int, int, SessionFindings], None],
        take_grown: Callable[[SessionRow, Sequence[TurnRow]], None],
    ) -> None:
        """sessions: the list that the session stands in; None for all.

        take: takes a session, or why there is none. take_place, take_findings: take, after a session's id,
        where it stands in the list, and what was found about it, this after how many changes were kept as it
        was asked for. take_grown: takes a session that has grown, and all of its turns.
        """
        self._screen = screen
        self._store = store
        self._sessions = sessions
        self._take = take
        self._take_place = take_place
        self._take_findings = take_findings
        self._take_grown = take_grown
        self._extent: tuple[int, tuple[int, int]] | None = None
        """Which session was read last, and how long it was."""

    def read(self, session_id: int) -> None:
        """Read a session, and then where it stands in the list."""
        self._begin(self._read, session_id, "load")

    def hand_on(self, ahead: PlacedSession) -> None:
        """Let a session be taken that was read ahead."""
        session_id = ahead.read.row.id
        self.know(ahead.read)
        self._screen.call_later(self._take, ahead.read)
        self._screen.call_later(self._take_place, session_id, ahead.near)

    def know(self, read: SessionRead) -> None:
        """Know that a session is shown, and how long it was: it may grow."""
        self._extent = read.row.id, read.extent

    def read_place(self, session_id: int) -> None:
        """Read where a session stands in the list."""
        self._begin(self._read_place, session_id, "place")

    def read_findings(self, session_id: int, kept: int) -> None:
        """Read what was found about a session. kept: how many changes of it were kept so far."""
        self._begin(partial(self._read_findings, kept=kept), session_id, "scores")

    def read_growth(self, session_id: int) -> None:
        """Read a session again where it has grown since it was read."""
        self._begin(self._read_growth, session_id, "growth")

    def _begin(self, read: Callable[[int], None], session_id: int, group: str) -> None:
        self._screen.run_worker(partial(read, session_id), thread=True, exclusive=True, group=group)

    # In a thread

    def _read(self, session_id: int) -> None:
        try:
            read, damage = read_whole(self._store, session_id)
        except NotFoundError as error:
            self._screen.call_later(self._take, error)
            return
        self._extent = session_id, read.extent
        self._screen.call_later(self._take, read)
        # To read on while the session is being drawn would make that take twice as long.
        time.sleep(SECONDS_TO_DRAW)
        # Another session may have been gone to by then, or the screen left.
        if not get_current_worker().is_cancelled:
            self._read_place(session_id)
        if damage is not None:
            # What was said can be read all the same; the app tells of the rest.
            raise damage

    def _read_place(self, session_id: int) -> None:
        near = neighbours_of(self._store, self._sessions, session_id)
        self._screen.call_later(self._take_place, session_id, near)

    def _read_growth(self, session_id: int) -> None:
        extent = session_id, self._store.growing.extent(session_id)
        # Another session may have been asked for since, and be on its way.
        if self._extent is None or self._extent[0] != session_id or self._extent == extent:
            return
        self._extent = extent
        row, turns = self._store.sessions.get(session_id), self._store.turns.of(session_id)
        self._screen.call_later(self._take_grown, row, turns)

    def _read_findings(self, session_id: int, *, kept: int) -> None:
        found = SessionFindings.read(self._store, session_id)
        self._screen.call_later(self._take_findings, session_id, kept, found)


def _facts(row: SessionRow) -> list[AboutPart]:
    """Return what a session is, by name."""
    facts = {
        "session": f"{row.id}",
        "name": row.name,
        "chatbot": row.chatbot_role,
        "file": row.source,
        "kept since": moment(row.created_at),
        "turns": f"{row.turns:,}",
    }
    return [AboutPart(title, text) for title, text in facts.items() if text]
