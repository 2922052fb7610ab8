"""What is worked out of a session before it is replayed, in a thread: a long one takes a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from turnwise.conversations.store import Event, TurnRow
from turnwise.engine.replay import Replay
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.replay.replayed_session import ReplayedSession, without_findings
from turnwise.tui.replay.timeline import Stop, stops_of, times_later, times_of

Draw = Callable[[Sequence[TurnRow]], DrawnTranscript]
"""Draws the beginning of a session as it will be shown."""


@dataclass(frozen=True, slots=True)
class ReplayRead:
    """A session as it is replayed. happened: all that happened to it, be it shown or not.

    said: what of that is shown. replay: a place in it. stops, times: what stands on the line of events, and
    what its moments are called. drawn: its turns.
    """

    happened: Sequence[Event] = ()
    said: Sequence[Event] = ()
    replay: Replay = field(default_factory=lambda: Replay(()))
    session: ReplayedSession = field(default_factory=ReplayedSession)
    stops: Sequence[Stop] = ()
    times: Sequence[str] = ("0",)
    drawn: DrawnTranscript = field(default_factory=DrawnTranscript)

    @property
    def hides(self) -> bool:
        """Whether something that was found is left out, as the session waits for a label that is blind."""
        return len(self.said) < len(self.happened)

    def told_now(self) -> ReplayRead:
        """Return it with what its moments are called now: some are told by how long ago they were."""
        return replace(self, times=times_later(self.times, self.said, time.time()))

    @classmethod
    def of(cls, happened: Sequence[Event], author: str, draw: Draw, *, hides: bool) -> ReplayRead:
        """Work it out of the events. hides: whether only what this author said of the session is shown."""
        said = without_findings(happened, author) if hides else happened
        session = ReplayedSession.of(said)
        return cls(
            happened,
            said,
            Replay(said),
            session,
            stops_of(said),
            times_of(said, time.time()),
            draw(session.turns),
        )
