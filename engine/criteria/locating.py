"""Locating: from which turn on stored conversations are no longer what a criterion asks for.

located = await locate(store, criterion.metric(), session_id, judge, run=run)

A conversation that fails and whose reply named the turn costs nothing more. Else prefixes are judged, and
what is found is added as a new outcome with the same score: nothing that was kept is overwritten.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import JudgeError
from turnwise.conversations.results import Score, Verdict
from turnwise.conversations.turns import number_turns
from turnwise.engine.metrics.lost_turn_details import AS_OF, LOST, LostTurn, lost_turn_of
from turnwise.engine.metrics.lost_turns import first_failing
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.judge.judge import Judge

LOST_WORD = "lost"
"""The word of the verdict about the turn from which on a conversation is lost."""


@dataclass(frozen=True, slots=True)
class Located:
    """Where a conversation was lost, and what it scored as of some turns.

    asked: how many prefixes were judged for it. calls: the keys of the judge's calls. cost: in US dollars.
    seconds: how long it took.
    """

    lost: LostTurn
    as_of: tuple[tuple[int, float], ...] = ()
    asked: int = 0
    calls: tuple[str, ...] = ()
    cost: float | None = None
    seconds: float = 0.0

    def added_to(self, score: Score) -> Score:
        """Return a score with what was found: as details, and as a verdict about the turn."""
        details = {**score.details, LOST: self.lost.data()}
        if self.as_of:
            details[AS_OF] = [list(pair) for pair in self.as_of]
        return replace(
            score,
            details=details,
            verdicts=_with_lost(score.verdicts, self.lost.turn, score.reason),
            calls=(*score.calls, *self.calls),
            # The score itself was paid for in the run that found it.
            cost=self.cost,
            seconds=self.seconds,
        )


def _with_lost(verdicts: Sequence[Verdict], turn: int | None, reason: str) -> tuple[Verdict, ...]:
    # What an earlier search found gives way.
    others = [
        replace(one, word="lowers", reason=reason) if one.word == LOST_WORD else one for one in verdicts
    ]
    if turn is None:
        return tuple(others)
    told = f"Lost from here on. {reason}"
    found = [replace(one, word=LOST_WORD, reason=told) if one.turn == turn else one for one in others]
    if not any(one.turn == turn for one in found):
        found.append(Verdict(turn=turn, passed=False, word=LOST_WORD, reason=told))
    return tuple(sorted(found, key=lambda one: one.turn or 0))


def prefix_ends(case: ConversationalTestCase) -> list[int]:
    """Return the turns at which prefixes of a conversation end: its replies, and its last turn."""
    numbers = [
        (number, turn.role)
        for number, turn in zip(number_turns(case.turns), case.turns, strict=True)
        if number is not None
    ]
    ends = [number for number, role in numbers if role == "assistant"]
    last = numbers[-1][0] if numbers else 0
    return [*ends, last] if last and last not in ends else ends


def prefix_of(case: ConversationalTestCase, end: int) -> ConversationalTestCase:
    """Return the conversation as it stood once a numbered turn had been said."""
    numbers = number_turns(case.turns)
    place = numbers.index(end)
    # What tools gave belongs to the turn that asked for it.
    while place + 1 < len(numbers) and numbers[place + 1] is None and case.turns[place + 1].role == "tool":
        place += 1
    return case.model_copy(update={"turns": case.turns[: place + 1]})


async def locate_in(
    metric: Metric, case: ConversationalTestCase, score: Score, judge: Judge, *, whole_curve: bool = False
) -> Located:
    """Find from which turn on a conversation with this failing score is lost.

    Nothing is asked where the reply with the score named the turn and was sure. Else prefixes are judged, at
    most log2 of the replies, rounded up. whole_curve: judge the prefix of every reply, to draw the score as
    of each. Raises JudgeError where a prefix cannot be judged.
    """
    told = lost_turn_of(score.details)
    if told is not None and told.sure and not whole_curve:
        return Located(told)
    ends, began = prefix_ends(case), time.perf_counter()
    as_of = {ends[-1]: score.score} if ends else {}
    calls: list[str] = []
    costs: list[float] = []

    async def value(end: int) -> float:
        outcome = await metric.judge(Subject.of(prefix_of(case, end)), judge, secret=judge.secret)
        calls.extend(outcome.calls)
        costs.extend([outcome.cost] if outcome.cost is not None else [])
        if not isinstance(outcome, Score):
            raise JudgeError(
                f"{metric.name} could not be judged as of turn {end}",
                detail=outcome.reason,
                next_step="Try again, or take a stronger judge.",
            )
        as_of[end] = outcome.score
        return outcome.score

    async def passes(end: int) -> bool:
        bar = score.threshold if score.threshold is not None else metric.threshold
        return (as_of[end] if end in as_of else await value(end)) >= bar

    if whole_curve:
        for end in ends[:-1]:
            await value(end)
    turn = await first_failing(ends, passes)
    found = told if told is not None and told.sure else LostTurn(turn, sure=turn is not None, by="prefixes")
    return Located(
        found,
        as_of=tuple(sorted(as_of.items())),
        asked=len(as_of) - bool(ends),
        calls=tuple(calls),
        cost=sum(costs) if costs else None,
        seconds=time.perf_counter() - began,
    )


async def locate(
    store: Store, metric: Metric, session_id: int, judge: Judge, *, run: int, whole_curve: bool = False
) -> Located | None:
    """Find where a stored conversation was lost and keep it; None where its newest score does not fail.

    run: the run that the new outcome is a part of. The rest, and what is raised: as `locate_in`.
    """

    def newest() -> tuple[int, Any] | None:
        rows = [row for row in store.scores.newest(session_id) if row.metric == metric.name]
        return (rows[-1].id, store.scores.outcome(rows[-1].id)) if rows else None

    found = await asyncio.to_thread(newest)
    if found is None or not isinstance(found[1], Score) or found[1].passed:
        return None
    score_id, score = found
    case = Subject.of(await asyncio.to_thread(store.sessions.case, session_id)).case
    located = await locate_in(metric, case, score, judge, whole_curve=whole_curve)
    told = located.added_to(score)
    if (told.details, told.verdicts) != (score.details, score.verdicts):
        identity = await asyncio.to_thread(store.scores.identity, score_id)
        await asyncio.to_thread(store.scores.add_all, run, [(identity, told)])
    return located
