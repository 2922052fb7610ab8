"""Recording: a conversation that is kept turn by turn while it goes on.

Every turn is in the database before the next begins, so that a crash loses nothing that was finished. Where
another program holds the database, a turn waits in a file beside it rather than being lost.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from turnwise.conversations.errors import StoreBusyError
from turnwise.conversations.store import REPLY, Batch, SaidTurns, Spill, Store, TurnRow, turn_row
from turnwise.conversations.texts import mend_text
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Turn, number_turns

RECORDED = "recorded"
"""Where a session comes from that somebody talked."""


def role_prompt(role: str) -> str:
    """Return the system prompt that tells a chatbot its role; empty for no role."""
    said = role.strip().rstrip(".")
    return f"Your role in this conversation: {said}. Answer as that, and stay in the role." if said else ""


@dataclass(frozen=True, slots=True)
class _Said:
    """A message, and the time of its end in seconds from the start of the session."""

    turn: Turn
    at: float


class Recording:
    """A conversation under way.

    target: what answers, for people. role: what the chatbot is supposed to be. system: the prompt it is
    given, kept as the first turn; None makes one from the role (`role_prompt`), "" gives none.
    name: of the session; by default what the user says first. clock: seconds since 1970. source: where the
    session comes from, for people. about: what else is known of it from the start, as fields of its test
    case. opening: what was said before. key: 32 hex digits that name the session, so that `of_key` finds it.

    The session is made with the first turn that is said; before that `session_id` is None and the database
    holds nothing.
    """

    def __init__(
        self,
        store: Store,
        *,
        target: str,
        role: str = "",
        system: str | None = None,
        name: str = "",
        source: str = RECORDED,
        about: Mapping[str, Any] = MappingProxyType({}),
        opening: Sequence[Turn] = (),
        key: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.target = target
        self.role = role
        self.session_id: int | None = None
        self._store = store
        self._name = name
        self._clock = clock
        self._origin: dict[str, int] = {}
        self._answered_by: dict[str, str] = {}
        self._began: float | None = None
        self._key = key or uuid.uuid4().hex
        self._source = source
        self._known = about
        self._aside = Spill(store.path)
        prompt = role_prompt(role) if system is None else system
        self._said = [_Said(Turn(role="system", content=prompt), 0.0)] if prompt.strip() else []
        self._said += [_Said(turn, 0.0) for turn in opening]

    @classmethod
    def resumed(
        cls, store: Store, session_id: int, *, target: str, clock: Callable[[], float] = time.time
    ) -> Recording:
        """Return a recording that goes on with a kept conversation.

        One that was recorded goes on in its own session; replies of another target than before say whose
        they are. One that came from elsewhere stays as it is: a new session begins with all that was said.
        Raises NotFoundError, and DamageError where not all of it can be read.
        """
        from turnwise.conversations.cases import ConversationalTestCase  # pydantic, which few talks need

        row, case = store.sessions.get(session_id), store.sessions.case(session_id)
        whole = case if isinstance(case, ConversationalTestCase) else ConversationalTestCase(turns=[case])
        times = [turn.at for turn in store.turns.of(session_id)]
        recording = cls(store, target=target, role=row.chatbot_role, system="", clock=clock)
        recording._said = [_Said(turn, at or 0.0) for turn, at in zip(whole.turns, times, strict=True)]
        recording.session_id, recording._began = session_id, row.created_at
        if not store.sessions.was_recorded(session_id):
            recording._name = row.name
            return recording.fork(before=recording.turns + 1)
        if (whole.metadata or {}).get("target") != target:
            recording._answered_by = {"target": target}
        return recording

    @property
    def rows(self) -> list[TurnRow]:
        """All messages so far, whether they are stored yet or not."""
        numbers = number_turns([said.turn for said in self._said])
        return [
            turn_row(position, number, said.turn, at=said.at)
            for position, (number, said) in enumerate(zip(numbers, self._said, strict=True))
        ]

    @property
    def said(self) -> list[Turn]:
        """All messages so far."""
        return [said.turn for said in self._said]

    @property
    def turns(self) -> int:
        """How many turns user and chatbot have said."""
        return sum(said.turn.is_spoken for said in self._said)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation so far, as a chatbot's API takes it; what tools answered is not in it."""
        turns = (said.turn for said in self._said)
        return [{"role": turn.role, "content": turn.content} for turn in turns if turn.role != "tool"]

    @property
    def waits_for_reply(self) -> bool:
        """Whether what was said last was said by the user."""
        return bool(self._said) and self._said[-1].turn.role == "user"

    def user_says(self, text: str) -> TurnRow:
        """Keep what the user says. Raises StoreError where it cannot be kept."""
        return self._keep(Turn(role="user", content=mend_text(text)))

    def assistant_says(
        self,
        text: str,
        *,
        seconds: float,
        interrupted: bool = False,
        tools_called: Sequence[ToolCall] = (),
        account: Mapping[str, Any] = MappingProxyType({}),
    ) -> TurnRow:
        """Keep the chatbot's reply. Raises StoreError where it cannot be kept.

        seconds: from the question to the reply's end. interrupted: it was cut short. account: how the reply
        came where not all is well, as `reply_remark` reads it; kept in the turn's metadata.
        """
        turn = Turn(
            role="assistant",
            content=mend_text(text),
            latency_ms=round(seconds * 1000, 1),
            interrupted=interrupted or None,
            tools_called=list(tools_called) or None,
            metadata={**self._answered_by, **({REPLY: dict(account)} if account else {})} or None,
        )
        return self._keep(turn)

    def fork(self, before: int) -> Recording:
        """Return a new recording that begins with what was said before a numbered turn, to go on differently.

        This one stays as it is. The new one's session is made with its first new turn; its metadata say
        where it came from (forked_from, forked_before_turn). A number that is past the end forks after it.
        """
        numbers = number_turns([said.turn for said in self._said])
        end = numbers.index(before) if before in numbers else len(numbers)
        other = Recording(
            self._store,
            target=self.target,
            role=self.role,
            system="",
            name=self._name,
            about=self._known,
            clock=self._clock,
        )
        other._said = self._said[:end]
        if self.session_id is None:
            other._origin = self._origin
        else:
            other._origin = {"forked_from": self.session_id, "forked_before_turn": before}
        if any(said.turn.is_spoken for said in other._said):
            # The time that passed between the fork and the turn it forks from belongs to neither.
            other._began = self._clock() - _end(other._said)
        return other

    def _keep(self, turn: Turn) -> TurnRow:
        now = self._clock()
        began = now if self._began is None else self._began
        # Clocks are set back now and then; turns never are.
        said = _Said(turn, max(round(now - began, 3), _end(self._said)))
        try:
            self._write(said, began)
        except StoreBusyError as busy:
            self._put_aside(said, began, busy)
        # Only what is on the disk counts as said.
        self._began = began
        self._said.append(said)
        return self.rows[-1]

    def _write(self, said: _Said, began: float) -> None:
        """Keep a turn in the database, and what was put aside before it. Raises StoreError."""
        if self._aside:
            self._keep_aside()
        session_id = self.session_id
        with self._store.writing(durable=True):
            if session_id is None:
                session_id = self._store.sessions.begin(key=self._key, **self._about(said, began))
                for one in self._said:
                    self._store.turns.append(session_id, one.turn, at=one.at)
            self._store.turns.append(session_id, said.turn, at=said.at)
        self.session_id = session_id

    def _put_aside(self, said: _Said, began: float, busy: StoreBusyError) -> None:
        """Keep a turn in the file beside the database. Raises StoreBusyError where that cannot be either."""
        first = self.session_id is None and not self._aside
        turns = tuple((one.turn, one.at) for one in ([*self._said, said] if first else [said]))
        waiting = SaidTurns(
            key=self._key, about=self._about(said, began), session_id=self.session_id, turns=turns
        )
        try:
            self._aside.add(Batch(run_id=0, said=(waiting,)))
        except OSError:
            raise busy from None

    def _keep_aside(self) -> None:
        self._store.spills.keep(self._aside)
        self.session_id = self.session_id or self._store.sessions.of_key(self._key)

    @property
    def is_waiting(self) -> bool:
        """Whether some of it waits in the file beside the database."""
        return bool(self._aside)

    def close(self) -> None:
        """Keep what was put aside, where the database is free again; else leave it to its next opening."""
        if self._aside:
            with suppress(StoreBusyError), self._store.impatient():
                self._keep_aside()
        self._aside.close()

    def _about(self, said: _Said, began: float) -> dict[str, Any]:
        """Return what is known of the session when it begins. said: the turn that is said now."""
        users = (one.turn for one in (*self._said, said) if one.turn.role == "user")
        return {
            "name": self._name or next(users, said.turn).content,
            "role": self.role,
            "source": self._source,
            "data": {
                **self._known,
                "metadata": {"target": self.target, **(self._known.get("metadata") or {}), **self._origin},
            },
            "created_at": began,
        }


def _end(said: Sequence[_Said]) -> float:
    return said[-1].at if said else 0.0
