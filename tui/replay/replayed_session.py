"""ReplayedSession: what a replay of a session needs to know of its events, found out once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.conversations.store import Event, LabelRow, ScoreRow, SessionModeRow, SessionRow, TurnRow
from turnwise.tui.reading.margin import TurnMarks, failing
from turnwise.tui.reading.score_groups import group_scores, newest_scores, turn_marks
from turnwise.tui.replay.replay_lines import Later
from turnwise.tui.session_lists.metric_keys import metric_words

KINDS: Mapping[str, str] = {
    "failed": "✗",
    "tool": "tool call",
    "user": "user's turn",
    "score": "score",
    "label": "label",
    "mode": "failure mode",
}
"""The kinds of events that one can go through, and what the line of keys calls each."""


@dataclass(frozen=True, slots=True)
class ReplayedSession:
    """The events of a session, and what they come to.

    name: the session's. turns: its messages. last_number: the number of its last turn, 0 without any. scores:
    all outcomes in the order they came, each with its place among the events. later: what was found in the
    end. letters: those that the metrics have in the end. places: those of the events of each kind; the failed
    are the turns with a verdict that failed in the end, and the scores that failed. room: marks of no turn,
    which keep room in the margin for all that will come, so that no text moves when they do.
    """

    events: Sequence[Event] = ()
    name: str = ""
    turns: Sequence[TurnRow] = ()
    last_number: int = 0
    scores: Sequence[tuple[int, ScoreRow]] = ()
    later: Later = field(default_factory=lambda: Later({}))
    letters: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Sequence[int]] = field(default_factory=dict)
    room: Mapping[int, TurnMarks] = field(default_factory=dict)

    @classmethod
    def of(cls, happened: Sequence[Event]) -> ReplayedSession:
        """Take it from the events, in the order they happened."""
        scores = [
            (place, event.row) for place, event in enumerate(happened) if isinstance(event.row, ScoreRow)
        ]
        newest = group_scores(newest_scores([row for _, row in scores]))
        marks = turn_marks(newest)
        failed = frozenset(failing(marks))
        turns = [event.row for event in happened if isinstance(event.row, TurnRow)]
        return cls(
            events=happened,
            name=next((event.row.name for event in happened if isinstance(event.row, SessionRow)), ""),
            turns=turns,
            last_number=max((row.number or 0 for row in turns), default=0),
            scores=scores,
            later=Later.of(newest),
            letters={group.metric: group.letter for group in newest},
            places={
                kind: [place for place, event in enumerate(happened) if kind in _kinds_of(event, failed)]
                for kind in KINDS
            },
            room={0: [mark for found in marks.values() for mark in found]},
        )

    def scores_until(self, shown: int) -> list[ScoreRow]:
        """Return the newest outcomes among the first `shown` events."""
        return newest_scores([row for _, row in self.scores[: self.scored_until(shown)]])

    def scored_until(self, shown: int) -> int:
        """Return how many of the first `shown` events are outcomes."""
        return bisect_left(self.scores, shown, key=lambda pair: pair[0])

    def labels_until(self, shown: int) -> list[LabelRow]:
        """Return the labels among the first `shown` events."""
        return [event.row for event in self.events[:shown] if isinstance(event.row, LabelRow)]

    @property
    def names(self) -> Mapping[str, str]:
        """The names that the letters of the metrics stand for in the end."""
        return {letter: metric_words(metric) for metric, letter in self.letters.items()}

    @property
    def has_modes(self) -> bool:
        """Whether the session ever had a failure mode."""
        return bool(self.places.get("mode"))

    def modes_until(self, shown: int) -> list[SessionModeRow]:
        """Return the failure modes that stand after the first `shown` events, each as it was given last."""
        standing: dict[str, SessionModeRow] = {}
        for event in self.events[:shown]:
            if isinstance(event.row, SessionModeRow):
                if not event.row.stays:
                    standing.pop(event.row.mode, None)
                if event.row.given:
                    standing[event.row.mode] = event.row
        return list(standing.values())


def _kinds_of(event: Event, failed_turns: frozenset[int]) -> set[str]:
    """Return of which kinds an event is: a score, a turn of the user with a verdict that failed ..."""
    match event.row:
        case TurnRow() as row:
            held = {
                "failed": row.number in failed_turns,
                "tool": row.tools_called,
                "user": row.role == "user",
            }
            return {kind for kind, holds in held.items() if holds}
        case ScoreRow() as score:
            return {"score", "failed"} if score.passed is False else {"score"}
        case LabelRow():
            return {"label"}
        case SessionModeRow():
            return {"mode"}
        case _:
            return set()


def without_findings(happened: Sequence[Event], author: str) -> list[Event]:
    """Return what happened without outcomes and without what others than this author said of the session."""
    return [
        event
        for event in happened
        if not isinstance(event.row, ScoreRow)
        and not (isinstance(event.row, LabelRow | SessionModeRow) and event.row.author != author)
    ]
