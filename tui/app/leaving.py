"""Leaving: the question that is asked before turnwise ends while a run goes on."""

from __future__ import annotations

from textual.app import App

from turnwise.tui.shell.runs import RunState


def left_words(state: RunState | None) -> str:
    """Say what a run that is broken off leaves, and that nothing of it is lost."""
    if state is None:
        return ""
    left = max(0, state.expected - state.done)
    kept = "What is scored is kept; r in the runs goes on with the rest."
    return f"{left:,} of {state.expected:,} are left. {kept}"


async def leaves_run(app: App[int], state: RunState | None) -> bool:
    """Ask whether to leave although a run goes on. Call it from a worker."""
    from turnwise.tui.parts.choice_list import Choice
    from turnwise.tui.parts.question_dialog import QuestionDialog

    answers = [Choice("stay", "stay", "the run goes on"), Choice("leave", "leave", "the run stops")]
    question = QuestionDialog("A run is under way. Leave turnwise?", answers, words=left_words(state))
    return await app.push_screen_wait(question) == "leave"
