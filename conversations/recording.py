"""Recording: a conversation that is kept turn by turn while it goes on.

Every turn is on the disk before the next begins, so that a crash loses nothing that was finished.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import TurnRow
from turnwise.conversations.turns import Turn


class Recording:
    """A conversation under way.

    target: what answers, for people. role: what the chatbot is supposed to be. system: the prompt it was
    given. clock: seconds since 1970. The session is made with the first turn; before, session_id is None.
    """

    def __init__(
        self,
        store: Store,
        *,
        target: str,
        role: str = "",
        system: str = "",
        name: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._clock = clock
        self._began = 0.0
        self._name = name
        self._forked_from: dict[str, int] = {}
        self.target = target
        self.role = role
        self.session_id: int | None = None
        self.turns: list[Turn] = []
        self._unsaved: list[tuple[Turn, float | None]] = []
        if system:
            self._unsaved.append((Turn(role="system", content=system), 0.0))

    @property
    def messages(self) -> list[dict[str, str]]:
        """The conversation so far, as a chatbot's API takes it."""
        waiting = [turn for turn, _ in self._unsaved]
        return [{"role": turn.role, "content": turn.content} for turn in [*waiting, *self.turns]]

    def user_says(self, text: str) -> TurnRow:
        """Keep what the user says."""
        return self._keep(Turn(role="user", content=text))

    def assistant_says(self, text: str, *, seconds: float, interrupted: bool = False) -> TurnRow:
        """Keep the chatbot's reply. seconds: from the question to its end. interrupted: it was cut short."""
        latency = round(seconds * 1000, 1)
        turn = Turn(role="assistant", content=text, latency_ms=latency, interrupted=interrupted or None)
        return self._keep(turn)

    def fork(self, before: int) -> Recording:
        """Return a new recording that begins with the turns before a numbered turn, to go on differently."""
        other = Recording(self._store, target=self.target, role=self.role, name=self._name, clock=self._clock)
        if self.session_id is not None:
            other._forked_from = {"forked_from": self.session_id, "forked_before_turn": before}
            rows = self._store.turns.of(self.session_id)
            times = [row.at for row in rows]
            numbers = [row.number for row in rows]
            end = numbers.index(before) if before in numbers else len(numbers)
            other._unsaved = list(zip(self.turns[:end], times[:end], strict=True))
        return other

    def _keep(self, turn: Turn) -> TurnRow:
        now = self._clock()
        if self.session_id is None:
            self._begin(turn, now)
        assert self.session_id is not None  # noqa: S101 - _begin has set it
        self.turns.append(turn)
        return self._store.turns.append(self.session_id, turn, at=round(now - self._began, 3))

    def _begin(self, first: Turn, now: float) -> None:
        """Make the session, with what was there before the first new turn."""
        elapsed = max((at for _, at in self._unsaved if at is not None), default=0.0)
        self._began = now - elapsed
        metadata: dict[str, Any] = {"target": self.target, **self._forked_from}
        spoken = [turn.content for turn, _ in self._unsaved if turn.role == "user"]
        with self._store.writing():
            self.session_id = self._store.sessions.begin(
                name=self._name or next(iter(spoken), first.content),
                role=self.role,
                source="recorded",
                data={"metadata": metadata},
                created_at=self._began,
            )
            for turn, at in self._unsaved:
                self.turns.append(turn)
                self._store.turns.append(self.session_id, turn, at=at)
        self._unsaved = []
