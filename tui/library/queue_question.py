"""Whether a queue is to be forgotten: asked where somebody has begun with it, as it cannot be made again."""

from __future__ import annotations

from typing import Any

from textual.app import App

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import QueueRow


async def is_to_be_forgotten(app: App[Any], queue: QueueRow) -> bool:
    """Ask whether a queue is to go, unless nothing of it is labelled yet. Call it from a worker."""
    if not queue.done:
        return True
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import QuestionDialog

    words = (
        f"{queue.done:,} of its {queue.count:,} sessions are labelled; those labels stay. The list of "
        "sessions, who they were for and how they were drawn are lost for good."
    )
    answers = [Choice("keep", "Keep it"), Choice("forget", "Forget it")]
    asked = QuestionDialog(f"Forget the queue “{make_safe_line(queue.name)}”?", answers, words=words)
    return await app.push_screen_wait(asked) == "forget"
