"""What is asked of a queue: whether to forget one that was begun, and whether to make one by a single key."""

from __future__ import annotations

from typing import Any

from textual.app import App

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import QueueRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import ACTIONS, Table
from turnwise.tui.settings.keymap import key_of


async def is_to_be_forgotten(app: App[Any], queue: QueueRow) -> bool:
    """Ask whether a queue is to go, unless it is not begun. Call it from a worker."""
    if not queue.is_begun:
        return True
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import ask

    are = "is" if queue.done == 1 else "are"
    off = f", {queue.put_off:,} put off" if queue.put_off else ""
    words = (
        f"{queue.done:,} of its {counted(queue.count, 'session')} {are} labelled{off}; what was said stays. "
        "The list of sessions, who they were for and how they were drawn are lost for good."
    )
    answers = [Choice("keep", "Keep it"), Choice("forget", "Forget it")]
    title = f"Forget the queue “{make_safe_line(queue.name)}”?"
    return await ask(app, title, answers, words=words) == "forget"


async def may_make_queue_of_disputed(app: App[Any], disputed: int) -> bool:
    """Ask whether to make a queue of all sessions that people dispute. Call it from a worker."""
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import ask

    actions: Table = getattr(app, "actions", ACTIONS)
    queues, forget = key_of(actions, "agreement", "review_queues"), key_of(actions, "queues", "remove")
    words = (
        "You read each with what everybody said of it, without names, and your word then counts. "
        f"The queue stands in Queues (press {queues}) until it is done; {forget} forgets it there, and "
        "labels stay."
    )
    answers = [Choice("make", "Make it and begin"), Choice("leave", "Make no queue")]
    title = f"Make a queue of the {counted(disputed, 'session')} that people dispute?"
    return await ask(app, title, answers, words=words) == "make"
