"""Leaving: the question that is asked before turnwise ends while a run goes on."""

from __future__ import annotations

from textual.app import App

from turnwise.tui.judging.run_line import left_words
from turnwise.tui.shell.runs import RunState


async def leaves_run(app: App[int], state: RunState | None, key: str) -> bool:
    """Ask whether to leave although a run goes on. Call it from a worker. key: goes on in the runs screen."""
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import QuestionDialog

    answers = [Choice("stay", "stay", "the run goes on"), Choice("leave", "leave", "the run stops")]
    # Whoever leaves is not to fear for what is paid for.
    words = f"{left_words(state, key)}What is scored is kept."
    question = QuestionDialog("A run is under way. Leave turnwise?", answers, words=words)
    return await app.push_screen_wait(question) == "leave"
