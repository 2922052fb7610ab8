"""What the workbench asks before it does what cannot be taken back; each answer is awaited in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from textual.app import App

from turnwise.conversations.store import SplitUse
from turnwise.tui.criteria.criterion_words import uses_words
from turnwise.tui.criteria.listed_criteria import ListedCriterion
from turnwise.tui.parts.choice_list import Choice
from turnwise.tui.parts.question_dialog import ask


async def may_use_test(app: App[object], uses: Sequence[SplitUse]) -> bool:
    """Ask whether to try on the test split. uses: when it was used before."""
    answers = [
        Choice("no", "not yet", "change it on dev until it agrees with you"),
        Choice("yes", "use it"),
    ]
    words = (
        "These labels were kept out of every trial: they tell how the criterion does on sessions that it was "
        "not changed for. Look once, at the end: a change made after that is measured by nothing. The test "
        f"split is {uses_words(uses)}."
    )
    return await ask(app, "Use the test split?", answers, words=words) == "yes"


async def may_drop(app: App[object], item: ListedCriterion) -> bool:
    """Ask whether to drop what was typed in a criterion."""
    known = "go back to what is saved" if item.saved is not None else "it was never saved"
    answers = [Choice("stay", "keep the changes"), Choice("drop", "drop them", known)]
    return await ask(app, f"Drop what changed in {item.name}?", answers) == "drop"


async def how_to_leave(app: App[object], names: Sequence[str]) -> Literal["save", "drop", "stay"]:
    """Ask what becomes of what is not saved. names: of the criteria.

    The cursor is on what loses and writes nothing: an enter in haste may be meant for what was in front.
    """
    answers = [
        Choice("stay", "go on writing"),
        Choice("save", "save", "as YAML in their files" if len(names) > 1 else "as YAML in its file"),
        Choice("drop", "drop the changes", "versions that were tried are kept in the database"),
    ]
    answer = await ask(app, f"Not saved: {', '.join(names)}", answers)
    return cast("Literal['save', 'drop', 'stay']", answer or "stay")
