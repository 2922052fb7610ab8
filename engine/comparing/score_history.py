"""The history of a session's scores: what each metric found of it each time, and what changed in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from turnwise.conversations.store import ScoreRow
from turnwise.engine.comparing.compare import Flip
from turnwise.engine.comparing.judging_changes import NONE, JudgingChange, score_changes
from turnwise.engine.comparing.rejudging import TurnChange, turn_changes


@dataclass(frozen=True, slots=True)
class JudgedOnce:
    """One time that a metric judged, beside the time before; before is None for the first.

    changed: by what they were judged otherwise: judge, threshold, version of the prompt. turns: those of
    which another thing was found; none where one of the two is no score.
    """

    row: ScoreRow
    before: ScoreRow | None = None
    changed: Sequence[JudgingChange] = ()
    turns: Sequence[TurnChange] = ()

    @property
    def flip(self) -> Flip | None:
        """What it turned into; None where it stayed, or one of the two says neither."""
        was = self.before.passed if self.before else None
        if was is None or self.row.passed is None or was == self.row.passed:
            return None
        return "passed" if self.row.passed else "failed"


@dataclass(frozen=True, slots=True)
class ScoreHistory:
    """All that one metric found of a session, or of one exchange of it, the newest first."""

    metric: str
    exchange: int | None
    times: Sequence[JudgedOnce]


def score_histories(rows: Sequence[ScoreRow]) -> list[ScoreHistory]:
    """Return the histories of what was judged more than once, those that flipped last first, then by name.

    rows: all outcomes of one session with their verdicts, the oldest first, as `store.scores.of` has them.
    """
    kept: dict[tuple[str, int | None], list[ScoreRow]] = {}
    for row in rows:
        kept.setdefault((row.metric, row.exchange), []).append(row)
    found = [
        ScoreHistory(metric, exchange, tuple(reversed(_times(times))))
        for (metric, exchange), times in kept.items()
        if len(times) > 1
    ]
    return sorted(found, key=lambda one: (one.times[0].flip is None, one.metric, one.exchange or 0))


def _times(rows: Sequence[ScoreRow]) -> list[JudgedOnce]:
    return [JudgedOnce(rows[0]), *(_beside(before, row) for before, row in pairwise(rows))]


def _beside(before: ScoreRow, row: ScoreRow) -> JudgedOnce:
    changed = [JudgingChange("judge", before.judged_by or NONE, row.judged_by or NONE)]
    both = before.outcome == row.outcome == "score"
    changed += score_changes(before, row) if both else []
    turns = tuple(turn_changes(before.verdicts, row.verdicts)) if both else ()
    return JudgedOnce(row, before, tuple(one for one in changed if one.a != one.b), turns)
