"""Reasons: one plain sentence for a score, made from its verdicts, so that it names only turns that exist."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.conversations.results import Verdict

_NAMED = 6
_SIBILANTS = ("s", "x", "z", "ch", "sh")


def turns_reason(verdicts: Sequence[Verdict], *, good: str, bad: str, noun: str = "reply") -> str:
    """Say how many stay good and which do not: "2 of 12 replies break role (turns 4, 9): …".

    good, bad: what the things do, as verbs in the plural. noun: what one of them is called.
    """
    counted = [verdict for verdict in verdicts if verdict.passed is not None]
    failed = [verdict for verdict in counted if verdict.passed is False]
    if not counted:
        return f"There is no {noun} to judge."
    if not failed:
        return f"{_all(len(counted), noun)} {_verb(good, len(counted))}."
    turns = sorted({verdict.turn for verdict in failed if verdict.turn is not None})
    first = next((verdict.reason for verdict in failed if verdict.reason), "")
    place = f" ({turns_named(turns)})" if turns else ""
    head = f"{len(failed)} of {len(counted)} {_plural(noun)} {_verb(bad, len(failed))}{place}"
    return f"{head}: {first}" if first else f"{head}."


def _all(count: int, noun: str) -> str:
    return f"The only {noun}" if count == 1 else f"All {count} {_plural(noun)}"


def _verb(phrase: str, count: int) -> str:
    """Put the verb that a phrase begins with into the singular where only one thing does it."""
    if count != 1:
        return phrase
    verb, _, rest = phrase.partition(" ")
    singular = {"are": "is", "do": "does", "have": "has"}.get(
        verb, f"{verb}es" if verb.endswith(_SIBILANTS) else f"{verb}s"
    )
    return f"{singular} {rest}".strip()


def _plural(noun: str) -> str:
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def turns_named(turns: Sequence[int]) -> str:
    """Name turns by their numbers, the first six of them: "turn 4", "turns 4, 9"."""
    named = ", ".join(str(turn) for turn in turns[:_NAMED])
    more = f" and {len(turns) - _NAMED} more" if len(turns) > _NAMED else ""
    return f"turn {named}" if len(turns) == 1 else f"turns {named}{more}"
