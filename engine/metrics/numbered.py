"""Numbered questions: one question about many numbered things, one verdict for each of them.

The reply is an object with a key for every thing asked about, so that a judge held to a schema can neither
forget nor double one. A judge that is not held to it may: what is missing is asked again, once, and nothing
else; what is doubled or unknown is noted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import MalformedReplyError
from turnwise.conversations.results import Verdict
from turnwise.engine.judge.questions import Question
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.narrow import Narrow, narrow_question
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import RULES, Transcript, fence

_NUMBER = re.compile(r"\d+")
_NAMED_NUMBER = re.compile(r"[a-z]*[ _#-]*(\d+)[.:)]?", re.IGNORECASE)
_AGAIN = "\n\nAn earlier answer gave no verdict on what is listed now."


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to give a verdict on: a turn, or a statement in one.

    number: how the judge is to name it. turn: the number of the turn it belongs to. about: its text, empty
    where it is the whole turn.
    """

    number: int
    turn: int | None
    about: str = ""


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


async def ask_numbered(
    asking: Asking,
    *,
    subject: Subject,
    ask: str,
    noun: str,
    items: Sequence[Item],
    words: Words,
    narrow: Narrow,
) -> Found:
    """Ask for a verdict on every item: all in one question, or one by one where the judge is small.

    ask: the question, to which the list of items and the form of the reply are added. noun: what an item is
    called in the reply ("turn", "sentence"). narrow: how a small judge is asked about one item. Raises
    MalformedReplyError where not one verdict came.
    """
    answers: dict[int, tuple[str, str]] = {}
    details: dict[str, Any] = {}
    transcript = subject.transcript(asking.secret)

    async def one(item: Item) -> None:
        said = subject.said_before(item.turn, narrow.window)
        question = narrow_question(narrow, said=said, about=item.about, words=words.all)
        try:
            answer = (await asking.ask(question)).value
        except MalformedReplyError:
            # The judge was asked twice already; the other items still count.
            return
        answers[item.number] = (narrow.word(answer["verdict"]), answer["reason"])

    async def many(part: Sequence[Item], more: str = "") -> None:
        question = _question(transcript, f"{ask}{more}", noun, part, words)
        value = (await asking.ask(question)).value
        _take(value, {item.number for item in part}, words, answers, details)

    if asking.items_per_question == 1:
        await asking.each(items, one)
    else:
        await asking.each(_parts(items, asking.items_per_question), many)
        if missing := [item for item in items if item.number not in answers]:
            details["asked_again"] = [item.number for item in missing]
            # Other words than the first time, or the kept reply to the same question would come back. No
            # verdict at all this time still leaves those of the first.
            with suppress(MalformedReplyError):
                parts = _parts(missing, asking.items_per_question)
                await asking.each(parts, lambda part: many(part, _AGAIN))
    if still := [item.number for item in items if item.number not in answers]:
        details["missing"] = still
        if len(still) == len(items):
            raise MalformedReplyError(
                "The judge gave no verdict on anything it was asked about",
                detail=f"Asked about: {noun} {', '.join(str(number) for number in still)}",
                next_step="Try again, or take a stronger judge.",
            )
    verdicts = [
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
    return Found(verdicts, details)


def share_passed(verdicts: Sequence[Verdict]) -> float:
    """Return passed / counted; 1 where nothing counts. Verdicts left out (passed None) do not count."""
    counted = [verdict for verdict in verdicts if verdict.passed is not None]
    return sum(verdict.passed is True for verdict in counted) / len(counted) if counted else 1.0


def _parts(items: Sequence[Item], size: int | None) -> list[Sequence[Item]]:
    if not items:
        return []
    size = size or len(items)
    return [items[start : start + size] for start in range(0, len(items), size)]


def _question(transcript: Transcript, ask: str, noun: str, items: Sequence[Item], words: Words) -> Question:
    names = [f"{noun}_{item.number}" for item in items]
    numbers = ", ".join(f"{noun} {item.number}" for item in items)
    listed = fence(transcript.mark, noun, {item.number: item.about for item in items if item.about})
    named = (
        f"{listed}\n\nGive a verdict on: {numbers}." if items[0].about else f"Give a verdict on: {numbers}."
    )
    form = ", ".join(f'"{name}": {{"reason": "...", "verdict": "..."}}' for name in names)
    verdict = {
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "verdict": {"type": "string", "enum": words.all},
        },
        "required": ["reason", "verdict"],
        "additionalProperties": False,
    }
    return Question(
        rules=RULES,
        transcript=transcript.text,
        ask=f"{ask}\n\n{named}\n\nThe verdict is one word of: {', '.join(words.all)}.\n"
        f"Answer with this JSON and nothing else: {{{form}}}",
        name=f"{noun}_verdicts",
        schema={
            "type": "object",
            "properties": dict.fromkeys(names, verdict),
            "required": names,
            "additionalProperties": False,
        },
        accept={"type": "object"},
        usable=lambda value: any(
            _word(entry.get("verdict"), words)
            for _, entry in _entries(value, [item.number for item in items])
        ),
    )


def _take(
    value: Any, wanted: set[int], words: Words, answers: dict[int, tuple[str, str]], details: dict[str, Any]
) -> None:
    """Read a reply into `answers`: an object by number, or a list that names or follows the numbers."""
    for number, entry in _entries(value, sorted(wanted)):
        word = _word(entry.get("verdict"), words)
        if number not in wanted:
            details.setdefault("unknown", []).append(number)
        elif word is None:
            details.setdefault("unreadable", []).append(number)
        elif number in answers:
            details.setdefault("doubled", []).append(number)
        else:
            answers[number] = (word, str(entry.get("reason") or "").strip())


def _entries(value: Any, wanted: Sequence[int]) -> list[tuple[int, Mapping[str, Any]]]:
    if isinstance(value, Mapping):
        found = []
        for name, entry in value.items():
            number = _NUMBER.search(str(name))
            if number and isinstance(entry, Mapping):
                found.append((int(number[0]), entry))
        lists = [item for item in value.values() if isinstance(item, list)]
        if not found and len(lists) == 1:
            return _entries(lists[0], wanted)
        if not found and "verdict" in value and len(wanted) == 1:
            return [(wanted[0], value)]
        return found
    entries = [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []
    named = [_named_number(entry) for entry in entries]
    if entries and all(number is None for number in named):
        return list(zip(wanted, entries, strict=True)) if len(entries) == len(wanted) else []
    return [(number, entry) for number, entry in zip(named, entries, strict=True) if number is not None]


def _named_number(entry: Mapping[str, Any]) -> int | None:
    given = [item for name, item in entry.items() if name not in ("reason", "verdict")]
    for item in given:
        if type(item) is int:
            return item
    names = (_NAMED_NUMBER.fullmatch(item.strip()) for item in given if isinstance(item, str))
    return next((int(name[1]) for name in names if name), None)


def _word(given: Any, words: Words) -> str | None:
    """Return the verdict word that a reply starts with, whatever its case; idk is borderline."""
    found = re.match(r"[a-z]+", str(given).lower().lstrip(" \t\n*_\"'`("))
    word = {"idk": "borderline", "true": "yes", "false": "no"}.get(found[0], found[0]) if found else ""
    return word if word in words.passing else None
