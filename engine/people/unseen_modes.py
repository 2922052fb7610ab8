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


def unseen_modes(store: Store) -> UnseenKinds | None:
    """Estimate from all sessions that were reviewed what is still unseen; None without a failure mode."""
    return unseen_kinds(store.modes.of_reviewed())


def unseen_words(found: UnseenKinds) -> Iterator[str]:
    """Say what was new lately, how often reading on shows a new mode, and what is unseen; a sentence each."""
    new = "none" if not found.new_lately else f"{found.new_lately:,}"
    yield f"Of the last {counted(found.lately, 'review')} {new} showed a failure mode not seen before."
    about = f"about one in {_one_in(found.chance)} would show a new one, " if found.once else ""
    most = f"at most one in {_one_in(found.high)}" + ("" if about else " would show a new one")
    yield f"Of sessions read at random, {about}{most}."
    if round(found.unseen):
        yield f"About {counted(round(found.unseen), 'failure mode')} or more are still unseen."
    if found.has_stopped:
        yield "Reading on has stopped paying."


def _one_in(share: float) -> str:
    return f"{max(1, round(1 / share)):,}"
