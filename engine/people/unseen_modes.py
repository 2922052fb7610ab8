"""Unseen failure modes: whether reading on still shows new ones, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterator

from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds, unseen_kinds

NO_MODES = (
    "No session that was reviewed has a failure mode yet. Once some have, it is told here how often "
    "reading on shows a new one."
)

_LEAST_SAID = 0.005
"""A smaller share is less than one in a hundred, however it is rounded."""


def unseen_modes(store: Store) -> UnseenKinds | None:
    """Estimate from all sessions that were reviewed what is still unseen; None without a failure mode."""
    return unseen_kinds(store.modes.of_reviewed())


def unseen_words(found: UnseenKinds) -> Iterator[str]:
    """Say what was new lately, how often reading on shows a new mode, and what is unseen; a sentence each."""
    new = "None" if not found.new_lately else f"{found.new_lately:,}"
    last = counted(found.lately, "session")
    yield f"{new} of the last {last} reviewed showed a failure mode that none before had shown."
    most = _at_most(found.high)
    # Else the bound may lie below the share of those that were new lately, and nothing would say why.
    known = "Now each was seen more than once"
    few = most
    if found.once:
        known = f"{found.once:,} of all {found.kinds:,} {'was' if found.once == 1 else 'were'} seen but once"
        few = f"about {_of_hundred(found.chance)}, and {most},"
    yield f"{known}: of 100 more, chosen by chance, {few} would show another one (95 % sure)."
    if round(found.unseen):
        yield f"About {counted(round(found.unseen), 'failure mode')} or more are still unseen."
    if found.has_stopped:
        yield "Reading on has stopped paying."


def unseen_in_short(found: UnseenKinds) -> str:
    """Say at a glance how often reading on would show a new mode; unseen_words says all that is known.

    It says what that rests on, as the queue that it stands under may be of a single session. How many were
    new lately is left out: that share may lie above the bound, and no glance tells why.
    """
    return f"By {found.items:,} reviewed, {_at_most(found.high)} of 100 more fail in a new way (95 % sure)."


def _at_most(share: float) -> str:
    few = _of_hundred(share)
    return f"at most {few}" if few.isdecimal() else few


def _of_hundred(share: float) -> str:
    return f"{round(100 * share)}" if share >= _LEAST_SAID else "fewer than 1"
