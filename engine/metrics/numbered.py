"""Numbered questions: one question about many numbered things, a verdict in one word on each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import Form, Item, Material, ask_entries
from turnwise.engine.metrics.narrow import Narrow, narrow_question
from turnwise.engine.metrics.subject import Subject

__all__ = [
    "Found",
    "Item",
    "NarrowFor",
    "Words",
    "ask_narrow",
    "ask_numbered",
    "share_passed",
    "verdicts_of",
    "word_form",
]


@dataclass(frozen=True, slots=True)
class Words:
    """The words that a verdict may be, each with what it counts for: passed, failed, or None (left out)."""

    passing: Mapping[str, bool | None]

    @property
    def all(self) -> list[str]:
        """The words in the order they are offered."""
        return list(self.passing)


@dataclass(slots=True)
class Found:
    """The verdicts in the order of the items, and what was odd about the replies."""

    verdicts: list[Verdict]
    details: dict[str, Any] = field(default_factory=dict)


def word_form(words: Words) -> Form[tuple[str, str]]:
    """Return the form of an entry that gives one of the words; it is read as the word and its reason."""
    schema = {"verdict": {"type": "string", "enum": words.all}}

    def read(item: Item, entry: Mapping[str, Any]) -> tuple[str, str] | None:
        word = _word(entry.get("verdict"), words)
        return (word, str(entry.get("reason") or "").strip()) if word else None

    return Form(lambda item: schema, f"The verdict is one word of: {', '.join(words.all)}.", read)


NarrowFor = Narrow | Callable[[Item], Narrow]
"""How a small judge is asked: about every item alike, or as the item wants it."""


async def ask_narrow(
    asking: Asking, subject: Subject, narrow: NarrowFor, item: Item, words: Sequence[str]
) -> tuple[str, str]:
    """Ask a small judge about one item and return the metric's word with its reason."""
    narrow = narrow if isinstance(narrow, Narrow) else narrow(item)
    said = subject.said_before(item.turn, narrow.window)
    question = narrow_question(narrow, said=said, about=item.about, words=words)
    answer = (await asking.ask(question)).value
    return narrow.word(answer["verdict"]), answer["reason"]


async def ask_numbered(
    asking: Asking,
    *,
    subject: Subject,
    ask: str,
    noun: str,
    items: Sequence[Item],
    words: Words,
    narrow: NarrowFor,
    material: Material | None = None,
    placed: bool = False,
) -> Found:
    """Ask for a verdict on every item: all in one question, or one by one where the judge is small.

    narrow: how a small judge is asked about one item. The rest, and what is raised: as `ask_entries`.
    """
    found = await ask_entries(
        asking,
        subject=subject,
        ask=ask,
        noun=noun,
        items=items,
        form=word_form(words),
        one=lambda item: ask_narrow(asking, subject, narrow, item, words.all),
        material=material,
        placed=placed,
    )
    return Found(verdicts_of(items, found.answers, words), found.details)


def verdicts_of(items: Sequence[Item], answers: Mapping[int, tuple[str, str]], words: Words) -> list[Verdict]:
    """Return the verdicts that words are, in the order of the items; items without an answer have none."""
    return [
        Verdict(
            turn=item.turn,
            passed=words.passing[answers[item.number][0]],
            word=answers[item.number][0],
            reason=answers[item.number][1],
            about=item.about,
        )
        for item in items
        if item.number in answers
    ]


def share_passed(verdicts: Sequence[Verdict]) -> float:
    """Return passed / counted; 1 where nothing counts. Verdicts left out (passed None) do not count."""
    counted = [verdict for verdict in verdicts if verdict.passed is not None]
    return sum(verdict.passed is True for verdict in counted) / len(counted) if counted else 1.0


def _word(given: Any, words: Words) -> str | None:
    """Return the verdict word that a reply starts with, whatever its case; idk is borderline."""
    found = re.match(r"[a-z]+", str(given).lower().lstrip(" \t\n*_\"'`("))
    word = {"idk": "borderline", "true": "yes", "false": "no"}.get(found[0], found[0]) if found else ""
    return word if word in words.passing else None
