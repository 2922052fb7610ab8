"""Drafting: a judge turns a criterion in plain words into steps, which a person then edits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.criteria import Criterion

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings


@dataclass(frozen=True, slots=True)
class Draft:
    """Steps that a judge drafted. cost: in US dollars, None where the price is not known."""

    steps: tuple[str, ...]
    cost: float | None


async def draft_steps(store: Store, criterion: Criterion, judge: JudgeSettings) -> Draft:
    """Let a judge draft steps from the plain words of a criterion; the call is kept in the database.

    The same words and judge give the same steps again, those by which it would score without steps of its
    own. Raises SettingError where there are no plain words, JudgeError where no answer can be had.
    """
    from turnwise.engine.evidence import StoredCallBook
    from turnwise.engine.judge.choose import open_judge
    from turnwise.engine.metrics.asking import Asking

    if not (criterion.criteria or "").strip():
        raise SettingError(
            f"{criterion.name} says nothing in plain words to draft steps from",
            next_step="Write in a sentence or two what good means.",
        )
    metric = criterion.model_copy(update={"steps": None}).metric()
    book = StoredCallBook(store)
    try:
        async with open_judge(judge, book=book) as opened:
            asking = Asking(opened, secret=store.secret)
            steps = await metric.steps(asking)
    finally:
        book.write()
    return Draft(tuple(step.strip() for step in steps if step.strip()), asking.cost)
