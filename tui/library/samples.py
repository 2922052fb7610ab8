"""The sample conversations in a database, and what a judge is offered to judge them by."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.shell.shell import Shell

SOURCE = "samples"
JUDGED_METRICS = (
    "role_adherence",
    "knowledge_retention",
    "turn_relevancy",
    "conversation_completeness",
    "answer_relevancy",
    "faithfulness",
)
"""What a judge is offered to judge the samples by."""


def add_samples(store: Store) -> int:
    """Add the samples that are not there yet, and return how many were added."""
    from turnwise.conversations.samples import load_samples

    at = time.time()
    with store.writing():
        added = [
            store.sessions.add(case, source=SOURCE, format="sample", created_at=at) for case in load_samples()
        ]
    return sum(one.what == "new" for one in added)


def add_and_tell(screen: Screen[Any], shell: Shell, show: Callable[[], None]) -> None:
    """Add the samples, in a thread, and tell it on a screen. show: called there once they are in."""
    try:
        added = add_samples(shell.store)
    except TurnwiseError as error:
        hand_over(screen, shell.tell_error, error)
        return
    text = f"{added} sample conversations are in." if added else "The samples are in already."
    hand_over(screen, screen.app.notify, text)
    hand_over(screen, show)
