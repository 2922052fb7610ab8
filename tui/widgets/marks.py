"""Marks: pass, fail and unsure as signs, so that nothing rests on colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

TurnMarks = Sequence[tuple[str, bool | None]]
"""The verdicts of one turn: the metric's letter and whether it passed, None for unsure."""

PASSED, FAILED, UNSURE = "✓", "✗", "~"


def sign(passed: bool | None) -> str:
    """Return the sign of a verdict."""
    return UNSURE if passed is None else PASSED if passed else FAILED


def merge(verdicts: TurnMarks) -> dict[str, bool | None]:
    """Return one outcome a letter: the worst where a metric gave a turn several verdicts."""
    merged: dict[str, bool | None] = {}
    for letter, passed in verdicts:
        if letter not in merged or severity(passed) > severity(merged[letter]):
            merged[letter] = passed
    return merged


def severity(passed: bool | None) -> int:
    """Return how much a verdict asks to be looked at: 2 failed, 1 unsure, 0 passed."""
    return 1 if passed is None else 0 if passed else 2


def letters(verdicts: Iterable[TurnMarks]) -> tuple[str, ...]:
    """Return the metrics' letters in the order they first appear."""
    return tuple(dict.fromkeys(letter for turn in verdicts for letter, _ in turn))


def margin_marks(verdicts: TurnMarks, order: Sequence[str], room: int) -> list[tuple[str, bool | None]]:
    """Return what the margin of a turn shows: (text, passed) pieces, in `room` cells at most.

    One metric shows its sign alone. Several show sign and letter, each in a column of its own where all
    have room, else the worst first.
    """
    merged = merge(verdicts)
    if len(order) <= 1:
        return [(sign(passed), passed) for passed in merged.values()]
    if 2 * len(order) <= room:
        return [
            (sign(merged[letter]) + letter, merged[letter]) if letter in merged else ("  ", None)
            for letter in order
        ]
    worst = sorted(merged.items(), key=lambda item: -severity(item[1]))
    return [(sign(passed) + letter, passed) for letter, passed in worst[: room // 2]]


def failing(verdicts: Mapping[int, TurnMarks]) -> list[int]:
    """Return the numbers of the turns with a verdict that failed, in order."""
    return sorted(number for number, turn in verdicts.items() if any(passed is False for _, passed in turn))
