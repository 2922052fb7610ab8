"""The sample conversations in a database, and what a judge is offered to judge them by."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.settings.keymap import key_of
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


def lacking_samples(store: Store) -> int:
    """Return how many of the samples are not there yet."""
    from turnwise.conversations.samples import load_samples

    return sum(store.sessions.of_content(case) is None for case in load_samples())


async def are_wanted(screen: Screen[Any], shell: Shell) -> bool:
    """Ask whether samples are to stand among sessions of one's own, where any are there and samples lack.

    Call it from a worker. The key may have been pressed by accident, and each sample had to be forgotten.
    """
    total = shell.store.sessions.count()
    if not total or not (lacking := await asyncio.to_thread(lacking_samples, shell.store)):
        return True
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import ask

    yours = "the one session that is" if total == 1 else f"the {total:,} sessions that are"
    forget = key_of(shell.actions, "library", "remove")
    words = (
        f"They are made up, to try things out on, and would stand among {yours} here. The filter "
        f"source:{SOURCE} finds them again, and {forget} forgets what is selected."
    )
    answers = [Choice("leave", "Leave the library as it is"), Choice("add", "Bring them in")]
    title = f"Bring in {counted(lacking, 'sample conversation')}?"
    return await ask(screen.app, title, answers, words=words) == "add"


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
