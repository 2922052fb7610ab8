"""Entries: one question about many numbered things, and a reply that holds an entry for each of them.

The reply is an object with a key for every thing asked about, so that a judge held to a schema can neither
forget nor double one. A judge that is not held to it may: what is missing is asked again, once, and nothing
else; what is doubled or unknown is noted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from turnwise.conversations.errors import MalformedReplyError
from turnwise.engine.judge.questions import Question
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.windows import Window, cut_spans, cut_windows
from turnwise.engine.tokens import TOKENS_A_TURN, estimated_tokens
from turnwise.engine.transcripts import RULES, Transcript, fence, fence_mark, render_transcript

T = TypeVar("T")
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
class Form(Generic[T]):
    """What an entry says about an item, beside its reason.

    fields: the JSON schema of each field of an item's entry, in the order they are written. told: what the
    fields may hold, in words. read: makes of an entry what is asked for; None where it says nothing usable.
    """

    fields: Callable[[Item], Mapping[str, Any]]
    told: str
    read: Callable[[Item, Mapping[str, Any]], T | None]


@dataclass(frozen=True, slots=True)
class Material:
    """Texts that belong to a conversation and are shown beside it: passages, calls of tools.

    noun: what one of them is called. texts: the turn it came with and the text, by its number from 1.
    """

    noun: str
    texts: Mapping[int, tuple[int, str]]

    def shown(self, mark: str, first: int, last: int) -> str:
        """Write those that came with the turns `first` to `last`, fenced; empty where there are none."""
        texts = {
            number: f"(turn {turn}) {text}"
            for number, (turn, text) in self.texts.items()
            if first <= turn <= last
        }
        return fence(mark, self.noun, texts) if texts else ""


@dataclass(slots=True)
class Entries(Generic[T]):
    """What was read, by the number of the item, and what was odd about the replies."""

    answers: dict[int, T] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)


async def ask_entries(
    asking: Asking,
    *,
    subject: Subject,
    ask: str,
    noun: str,
    items: Sequence[Item],
    form: Form[T],
    one: Callable[[Item], Awaitable[T | None]],
    material: Material | None = None,
    placed: bool = False,
    merge: Callable[[T, T], T] | None = None,
) -> Entries[T]:
    """Ask for an entry on every item: all in one question, or one by one where the judge is small.

    ask: the question, to which the material, the list of items and the form of the reply are added. noun:
    what an item is called in the reply. one: how a small judge is asked about one item. placed: whether the
    list of items says in which turn each stands. merge: for items that belong to the whole conversation, how
    the answers on its parts become one, where it is too long for one question. Raises MalformedReplyError
    where not one entry came.
    """
    found: Entries[T] = Entries()
    mark = fence_mark(subject.case.turns, asking.secret)

    async def alone(item: Item) -> None:
        # The judge was asked twice already where this is raised; the other items still count.
        with suppress(MalformedReplyError):
            answer = await one(item)
            if answer is not None:
                found.answers[item.number] = answer

    async def together(window: Window, more: str = "") -> None:
        transcript = render_transcript(subject.case.turns, mark=mark, first=window.first, last=window.last)
        beside = material.shown(mark, window.first, window.last) if material else ""
        whole = "\n\n".join(part for part in (f"{ask}{more}", beside) if part)
        question = _question(transcript, whole, noun, window.items, form, placed=placed)
        read: Entries[T] = found if merge is None else Entries(details=found.details)
        _take((await asking.ask(question)).value, window.items, form, read)
        if merge is not None:
            for number, answer in read.answers.items():
                before = found.answers.get(number)
                found.answers[number] = answer if before is None else merge(before, answer)

    def windows(wanted: Sequence[Item]) -> list[Window]:
        sizes, context = turn_sizes(subject, wanted, material), asking.context_tokens
        asked = estimated_tokens(ask)
        if merge is not None:
            return cut_spans(wanted, sizes, asked=asked, context=context)
        return cut_windows(wanted, sizes, asked=asked, most=asking.items_per_question, context=context)

    if asking.items_per_question == 1:
        await asking.each(items, alone)
    else:
        await asking.each(windows(items), together)
        if missing := [item for item in items if item.number not in found.answers]:
            found.details["asked_again"] = [item.number for item in missing]
            # Other words than the first time, or the kept reply to the same question would come back. No
            # verdict at all this time still leaves those of the first.
            with suppress(MalformedReplyError):
                await asking.each(windows(missing), lambda window: together(window, _AGAIN))
    if still := [item.number for item in items if item.number not in found.answers]:
        found.details["missing"] = still
        if len(still) == len(items):
            raise MalformedReplyError(
                "The judge gave no verdict on anything it was asked about",
                detail=f"Asked about: {noun} {', '.join(str(number) for number in still)}",
                next_step="Try again, or take a stronger judge.",
            )
    return found


def turn_sizes(
    subject: Subject, items: Sequence[Item] = (), material: Material | None = None
) -> dict[int, int]:
    """Return the tokens of every turn, by its number, with what is shown of it."""
    sizes = {number: TOKENS_A_TURN + estimated_tokens(turn.content) for number, turn in subject.numbered}
    beside = list(material.texts.values()) if material else []
    for turn, text in [*beside, *((item.turn, item.about) for item in items)]:
        if turn in sizes and text:
            sizes[turn] += TOKENS_A_TURN + estimated_tokens(text)
    return sizes


def _question(
    transcript: Transcript, ask: str, noun: str, items: Sequence[Item], form: Form[T], *, placed: bool
) -> Question:
    names = [f"{noun}_{item.number}" for item in items]
    numbers = ", ".join(f"{noun} {item.number}" for item in items)
    texts = {
        item.number: f"(turn {item.turn}) {item.about}" if placed else item.about
        for item in items
        if item.about
    }
    listed = f"{fence(transcript.mark, noun, texts)}\n\n" if texts else ""
    schemas = {
        name: {"reason": {"type": "string"}, **form.fields(item)}
        for name, item in zip(names, items, strict=True)
    }
    shown = ", ".join(f'"{name}": {_sample(schema)}' for name, schema in schemas.items())
    return Question(
        rules=RULES,
        transcript=transcript.text,
        ask=f"{ask}\n\n{listed}Give a verdict on: {numbers}.\n\n{form.told}\n"
        f"Answer with this JSON and nothing else: {{{shown}}}",
        name=f"{noun.replace(' ', '_')}_verdicts",
        schema=_object({name: _object(schema) for name, schema in schemas.items()}),
        accept={"type": "object"},
        usable=lambda value: _says_something(value, items, form),
    )


def _sample(schema: Mapping[str, Any]) -> str:
    """Write the form of an entry, with no value in it that could be taken for an answer."""
    shown = {"integer": "...", "array": "[...]"}
    texts = [shown.get(str(one.get("type")), '"..."') for one in schema.values()]
    return "{" + ", ".join(f'"{name}": {text}' for name, text in zip(schema, texts, strict=True)) + "}"


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _says_something(value: Any, items: Sequence[Item], form: Form[T]) -> bool:
    known = {item.number: item for item in items}
    return any(
        form.read(known.get(number, items[0]), entry) is not None
        for number, entry in _entries(value, items, form)
    )


def _take(value: Any, items: Sequence[Item], form: Form[T], found: Entries[T]) -> None:
    """Read a reply: an object by number, or a list that names or follows the numbers."""
    known = {item.number: item for item in items}
    for number, entry in _entries(value, items, form):
        item = known.get(number)
        answer = form.read(item, entry) if item else None
        if item is None:
            found.details.setdefault("unknown", []).append(number)
        elif answer is None:
            found.details.setdefault("unreadable", []).append(number)
        elif number in found.answers:
            found.details.setdefault("doubled", []).append(number)
        else:
            found.answers[number] = answer


def _entries(value: Any, items: Sequence[Item], form: Form[T]) -> list[tuple[int, Mapping[str, Any]]]:
    wanted = sorted(item.number for item in items)
    fields = {"reason", *form.fields(items[0])}
    if isinstance(value, Mapping):
        found = []
        for name, entry in value.items():
            number = _NUMBER.search(str(name))
            if number and isinstance(entry, Mapping):
                found.append((int(number[0]), entry))
        lists = [item for item in value.values() if isinstance(item, list)]
        alone = len(wanted) == 1 and fields - {"reason"} <= set(value)
        if not found and alone:
            return [(wanted[0], value)]
        if not found and len(lists) == 1:
            return _entries(lists[0], items, form)
        return found
    entries = [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []
    named = [_named_number(entry, fields) for entry in entries]
    if entries and all(number is None for number in named):
        return list(zip(wanted, entries, strict=True)) if len(entries) == len(wanted) else []
    return [(number, entry) for number, entry in zip(named, entries, strict=True) if number is not None]


def _named_number(entry: Mapping[str, Any], fields: set[str]) -> int | None:
    given = [item for name, item in entry.items() if name not in fields]
    # A number is surer than a text that holds one.
    given.sort(key=lambda item: isinstance(item, str))
    numbers = (number_named(item) for item in given)
    return next((number for number in numbers if number is not None), None)


def number_named(given: Any) -> int | None:
    """Return the number by which a judge names a thing, as 4, "4" or "turn_4"; None where it names none."""
    if isinstance(given, str):
        name = _NAMED_NUMBER.fullmatch(given.strip())
        return int(name[1]) if name else None
    return given if type(given) is int else None
