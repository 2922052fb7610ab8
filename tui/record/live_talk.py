"""LiveTalk: a talk under way: the chatbot, what was recorded, and the reply as far as it has come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from turnwise.conversations.recording import Recording
from turnwise.conversations.store import ScoreRow, Store, TurnRow
from turnwise.engine.chatbots.talk import answer
from turnwise.tui.drawing.wrapping import ELLIPSIS
from turnwise.tui.record.branches import branches_of
from turnwise.tui.record.talk_plan import TalkPlan

if TYPE_CHECKING:
    from turnwise.engine.chatbots.talk import Talker


class LiveTalk:
    """Knows no widgets: a screen shows what it holds. One reply at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.target: Talker | None = None
        self.recording: Recording | None = None
        self.kept: Recording | None = None
        """The recording that was stored last; a fork is stored only once something new is said in it."""
        self.replying = False
        self.pieces: list[str] = []
        """The reply under way."""
        self._began = 0.0

    async def choose(self, plan: TalkPlan) -> None:
        """Find the chatbot and begin an empty recording, or go on with the kept one.

        Raises what `TalkPlan.talker` and `Recording.resumed` raise.
        """
        self.target = await plan.talker()
        self.recording = plan.recording(self._store, self.target.title)
        self.kept = self.recording if self.recording.session_id is not None else None

    async def close(self) -> None:
        """Give the chatbot back; a model in this process takes a moment to end."""
        target, self.target = self.target, None
        if target is not None:
            await target.close()
        if self.recording is not None:
            # The database may be in use, and nobody shall have to wait for it here.
            await asyncio.to_thread(self.recording.close)

    @property
    def waiting(self) -> str:
        """What is waited for before the reply comes, where that is worth a word."""
        return self.target.waiting if self.target is not None and not self.pieces else ""

    @property
    def turns(self) -> int:
        """How many turns user and chatbot have said."""
        return self.recording.turns if self.recording else 0

    @property
    def rows(self) -> list[TurnRow]:
        """All messages so far, the reply under way excepted."""
        return self.recording.rows if self.recording else []

    @property
    def session_id(self) -> int | None:
        """The session that is recorded to; None before anything was said in it."""
        return self.recording.session_id if self.recording else None

    @property
    def seconds(self) -> float:
        """How long the reply has taken so far."""
        return time.monotonic() - self._began

    @property
    def writing(self) -> TurnRow:
        """The reply under way, as the turn it will be."""
        return TurnRow(len(self.rows), self.turns + 1, "assistant", "".join(self.pieces) or ELLIPSIS)

    def message_before(self, number: int) -> TurnRow | None:
        """Return the user's last message before a numbered turn."""
        spoken = (row for row in reversed(self.rows) if row.role == "user")
        return next((row for row in spoken if (row.number or 0) < number), None)

    def say(self, text: str, *, instead_of: int | None = None) -> None:
        """Keep what the user says. instead_of: the turn it stands for, in a fork. Raises StoreError."""
        assert self.recording is not None  # noqa: S101 - a screen offers it only then
        recording = self.recording if instead_of is None else self.recording.fork(before=instead_of)
        recording.user_says(text)
        self.recording = self.kept = recording

    def branches(self) -> list[int]:
        """Return the sessions that go other ways from the same talk, this one among them, oldest first."""
        return branches_of(self._store, self.kept.session_id) if self.kept and self.kept.session_id else []

    def go_on_in(self, session_id: int) -> None:
        """Go on in another branch, as far as it was kept. Raises what `Recording.resumed` raises."""
        assert self.recording is not None  # noqa: S101 - a screen offers it only then
        left, title = self.recording, self.recording.target
        self.recording = self.kept = Recording.resumed(self._store, session_id, target=title)
        left.close()

    def take_back_reply(self) -> None:
        """Go on in a fork without the last turn, if that was the chatbot's."""
        if self.recording is not None and self.rows and self.rows[-1].role == "assistant":
            self.recording = self.recording.fork(before=self.rows[-1].number or 0)

    async def listen(self) -> None:
        """Let the chatbot answer what was said last; what comes stands in `pieces` at once.

        Raises what `answer` raises; what came before is kept, also when this is cancelled.
        """
        assert self.recording is not None  # noqa: S101
        assert self.target is not None  # noqa: S101
        self.pieces, self.replying, self._began = [], True, time.monotonic()
        try:
            async with aclosing(answer(self.target, self.recording)) as pieces:
                async for piece in pieces:
                    self.pieces.append(piece)
        finally:
            self.replying = False
            if self.recording.session_id is not None:
                self.kept = self.recording

    def scores(self) -> Sequence[ScoreRow]:
        """Return the newest outcomes of the session."""
        return self._store.scores.newest(self.session_id) if self.session_id else ()

    def judged_turns(self, scores: Sequence[ScoreRow]) -> int:
        """Return how many turns had been said when the newest of these outcomes was judged."""
        if not scores or self.session_id is None:
            return 0
        began = self._store.sessions.get(self.session_id).created_at
        last = max(score.created_at for score in scores) - began
        return sum(row.number is not None and (row.at or 0.0) <= last for row in self.rows)
