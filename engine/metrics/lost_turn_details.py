"""What the details of a score say of the turn where the conversation was lost, and of it as of earlier turns.

Screens read it from the store: nothing that asks a judge is loaded for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

LOST = "lost"
"""Under this name the details of a score say where the conversation was lost."""
AS_OF = "as_of"
"""Under this name they hold what the conversation scored as of earlier turns: pairs of turn and score."""


@dataclass(frozen=True, slots=True)
class LostTurn:
    """From which turn on a conversation that fails is no longer what is asked for.

    turn: its number; None where nobody could tell. sure: whether the judge named it, and was in no two minds.
    by: "reply" where the reply with the score says so, "prefixes" where prefixes were judged.
    """

    turn: int | None
    sure: bool
    by: str = "reply"

    def data(self) -> dict[str, Any]:
        """Return it as the details of a score keep it."""
        return asdict(self)


def lost_turn_of(details: Mapping[str, Any]) -> LostTurn | None:
    """Return what the details of a score say of where the conversation was lost; None where nothing."""
    told = details.get(LOST)
    if not isinstance(told, Mapping):
        return None
    turn = told.get("turn")
    return LostTurn(
        turn if type(turn) is int else None, bool(told.get("sure")), str(told.get("by") or "reply")
    )


def curve_of(details: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Return what the conversation scored as of earlier turns, in order; empty where nobody asked."""
    told = details.get(AS_OF)
    pairs = [pair for pair in told if isinstance(pair, list) and len(pair) == 2] if told else []
    found = [(turn, value) for turn, value in pairs if type(turn) is int and isinstance(value, int | float)]
    return sorted((turn, float(value)) for turn, value in found)


def score_as_of(curve: Sequence[tuple[int, float]], turn: int) -> float | None:
    """Return the last score of a curve at or before a turn; None before the first."""
    known = [value for at, value in curve if at <= turn]
    return known[-1] if known else None
