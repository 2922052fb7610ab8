"""Entries: one question about many numbered things, and a reply that holds an entry for each of them.

The reply is an object with a key for every thing asked about, so that a judge held to a schema can neither
forget nor double one. A judge that is not held to it may: what is missing is asked again, once, and nothing
else; what is doubled or unknown is noted and left out. Where a conversation is too long for one question of
the judge, it is cut into windows, and each question shows one of them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from turnwise.conversations.errors import MalformedReplyError
from turnwise.conversations.results import Quote
from turnwise.conversations.turns import Turn
from turnwise.engine.judge.questions import (
    TOKENS_A_TURN,
    TOKENS_OF_A_VERDICT,
    TOKENS_OF_RULES,
    Question,
    estimated_tokens,
)
from turnwise.engine.judge.transcripts import RULES, Transcript, fence, fence_mark, render_transcript
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.subject import Subject

T = TypeVar("T")


_NUMBER = re.compile(r"\d+")


_NAMED_NUMBER = re.compile(r"[a-z]*[ _#-]*(\d+)[.:)]?", re.IGNORECASE)


_AGAIN = "\n\nAn earlier answer gave no verdict on what is listed now."


MOST_ITEMS = 150
"""More verdicts than this make a reply that many judges cut off."""


_MAY_LACK = frozenset({"reason", "sentence"})
"""What an entry says beside the verdict, and may leave out."""


TOKENS_OF_A_MARK = 4
"""About how many tokens the number before a sentence takes."""


_LOOKS_BACK = 4
"""One part in four of a window is for the turns before the first that is judged in it."""


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """One thing to give a verdict on: a turn, or a statement in one.

    number: how the judge is to name it. turn: the number of the turn it belongs to. about: its text, empty
    where it is the whole turn. quote: where that text stands in the turn; None where it is not of the turn.
    """

    number: int
    turn: int | None
    about: str = ""
    quote: Quote | None = None

    @property
    def is_turn(self) -> bool:
        """Whether it is a whole turn."""
        return self.turn is not None and not self.about


@dataclass(frozen=True, slots=True)
class EntryForm(Generic[T]):
    """What an entry says about an item, beside its reason.

    fields: the JSON schema of each field of an item's entry, in the order they are written. told: what the
    fields may hold, in words. read: makes of an entry what is asked for; None where it says nothing usable.
    """

    fields: Callable[[JudgedItem], Mapping[str, Any]]
    told: str
    read: Callable[[JudgedItem, Mapping[str, Any]], T | None]


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


@dataclass(frozen=True, slots=True)
class Window:
    """The items of one question, and the numbers of the first and last turn that it shows."""

    items: tuple[JudgedItem, ...]
    first: int
    last: int


async def ask_entries(
    asking: Asking,
    *,
    subject: Subject,
    ask: str,
    noun: str,
    items: Sequence[JudgedItem],
    form: EntryForm[T],
    one: Callable[[JudgedItem], Awaitable[T | None]],
    material: Material | None = None,
    placed: bool = False,
    merge: Callable[[T, T], T] | None = None,
    sentences: Mapping[int, Mapping[int, int]] | None = None,
) -> Entries[T]:
    """Ask for an entry on every item: all in one question, or one by one where the judge is small.

    ask: the question, to which the material, the list of items and the form of the reply are added. noun:
    what an item is called in the reply. one: how a small judge is asked about one item. placed: whether the
    list of items says in which turn each stands. merge: for items that belong to the whole conversation, how
    the answers on its parts become one, where it is too long for one question. sentences: as
    `render_transcript`. Raises MalformedReplyError where not one entry came.
    """
    found: Entries[T] = Entries()
    mark = fence_mark(subject.case.turns, asking.secret)

    async def alone(item: JudgedItem) -> None:
        # The judge was asked twice already where this is raised; the other items still count.
        with suppress(MalformedReplyError):
            answer = await one(item)
            if answer is not None:
                found.answers[item.number] = answer

    async def together(window: Window, more: str = "") -> None:
        transcript = render_transcript(
            subject.case.turns, mark=mark, first=window.first, last=window.last, sentences=sentences
        )
        beside = material.shown(mark, window.first, window.last) if material else ""
        whole = "\n\n".join(part for part in (f"{ask}{more}", beside) if part)
        question = _question(transcript, whole, noun, window.items, form, placed=placed)
        read: Entries[T] = found if merge is None else Entries(details=found.details)
        _take((await asking.ask(question)).value, window.items, form, read)
        if merge is not None:
            for number, answer in read.answers.items():
                before = found.answers.get(number)
                found.answers[number] = answer if before is None else merge(before, answer)

    def windows(wanted: Sequence[JudgedItem]) -> list[Window]:
        sizes, context = turn_sizes(subject, wanted, material), asking.context_tokens
        for turn, starts in (sentences or {}).items():
            if turn in sizes:
                sizes[turn] += TOKENS_OF_A_MARK * len(starts)
        asked = estimated_tokens(ask)
        if merge is not None:
            return cut_spans(wanted, sizes, asked=asked, context=context)
        return cut_windows(wanted, sizes, asked=asked, most=asking.items_per_question, context=context)

    if asking.is_small:
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
    subject: Subject, items: Sequence[JudgedItem] = (), material: Material | None = None
) -> dict[int, int]:
    """Return the tokens of every turn, by its number, with what is shown of it."""
    sizes = {number: TOKENS_A_TURN + estimated_tokens(turn.content) for number, turn in subject.numbered}
    beside = list(material.texts.values()) if material else []
    for turn, text in [*beside, *((item.turn, item.about) for item in items)]:
        if turn in sizes and text:
            sizes[turn] += TOKENS_A_TURN + estimated_tokens(text)
    return sizes


def _question(
    transcript: Transcript,
    ask: str,
    noun: str,
    items: Sequence[JudgedItem],
    form: EntryForm[T],
    *,
    placed: bool,
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


def _says_something(value: Any, items: Sequence[JudgedItem], form: EntryForm[T]) -> bool:
    known = {item.number: item for item in items}
    return any(
        form.read(known.get(number, items[0]), entry) is not None
        for number, entry in _entries(value, items, form)
    )


def _take(value: Any, items: Sequence[JudgedItem], form: EntryForm[T], found: Entries[T]) -> None:
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


def _entries(
    value: Any, items: Sequence[JudgedItem], form: EntryForm[T]
) -> list[tuple[int, Mapping[str, Any]]]:
    wanted = sorted(item.number for item in items)
    fields = {"reason", *form.fields(items[0])}
    if isinstance(value, Mapping):
        found = []
        for name, entry in value.items():
            number = _NUMBER.search(str(name))
            if number and isinstance(entry, Mapping):
                found.append((int(number[0]), entry))
        lists = [item for item in value.values() if isinstance(item, list)]
        alone = len(wanted) == 1 and fields - _MAY_LACK <= set(value)
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


def cut_windows(
    items: Sequence[JudgedItem],
    turns: Mapping[int, int],
    *,
    asked: int,
    most: int | None,
    context: int | None,
) -> list[Window]:
    """Cut items into as few windows as the judge's context allows; one where the context is not known.

    turns: the tokens that every turn takes, with what belongs to it, by its number. asked: the tokens of the
    question itself. most: how many items a question may have. context: the tokens that a question and its
    answer may have together. Every item stands in exactly one window, whose last turn is its own or a later.
    """
    if not items:
        return []
    end = max(turns, default=0)
    most = min(most or MOST_ITEMS, MOST_ITEMS)
    room = None if context is None else max(context - TOKENS_OF_RULES - asked, TOKENS_OF_A_VERDICT)
    if room is None or _tokens(turns, 1, end) + TOKENS_OF_A_VERDICT * min(len(items), most) <= room:
        parts = [tuple(items[start : start + most]) for start in range(0, len(items), most)]
        # What comes after the last item of a part would only be paid for again.
        return [Window(part, 1, end if len(parts) == 1 else max(_places(part, end))) for part in parts]
    windows = []
    ordered = sorted(items, key=lambda item: end if item.turn is None else item.turn)
    while ordered:
        window = _next(ordered, turns, most, room, end)
        windows.append(window)
        ordered = ordered[len(window.items) :]
    return windows


def cut_spans(
    items: Sequence[JudgedItem], turns: Mapping[int, int], *, asked: int, context: int | None
) -> list[Window]:
    """Cut a conversation into as few parts as the judge can take, each with all the items.

    For items that belong to the whole conversation. turns, asked, context: as `cut_windows`.
    """
    if not items:
        return []
    end = max(turns, default=0)
    replied = TOKENS_OF_A_VERDICT * len(items)
    spans = [Window(tuple(items), 1, end)]
    room = None if context is None else max(context - TOKENS_OF_RULES - asked - replied, 1)
    while room is not None and (last := spans[-1]).first < end and _tokens(turns, last.first, end) > room:
        until = last.first
        while _tokens(turns, last.first, until + 1) <= room:
            until += 1
        spans[-1:] = [Window(last.items, last.first, until), Window(last.items, until + 1, end)]
    return spans


def ending_from(numbered: Sequence[tuple[int, Turn]], context: int | None) -> int:
    """Return the number of the turn from which on an ending fits into the judge's context; 1 for all."""
    room = None if context is None else context - 2 * TOKENS_OF_RULES
    for number, turn in reversed(numbered):
        room = None if room is None else room - TOKENS_A_TURN - estimated_tokens(turn.content)
        if room is not None and room < 0:
            return min(number + 1, numbered[-1][0])
    return 1


def _next(ordered: Sequence[JudgedItem], turns: Mapping[int, int], most: int, room: int, end: int) -> Window:
    places = _places(ordered, end)
    first = places[0]
    while first > 1 and _tokens(turns, first - 1, places[0] - 1) <= room // _LOOKS_BACK:
        first -= 1
    count = 1
    while (
        count < min(most, len(ordered))
        and _tokens(turns, first, places[count]) + TOKENS_OF_A_VERDICT * (count + 1) <= room
    ):
        count += 1
    return Window(tuple(ordered[:count]), first, places[count - 1])


def _places(items: Sequence[JudgedItem], end: int) -> list[int]:
    """Return the turns that items belong to; the last where one belongs to the whole."""
    return [end if item.turn is None else item.turn for item in items]


def _tokens(turns: Mapping[int, int], first: int, last: int) -> int:
    return sum(tokens for number, tokens in turns.items() if first <= number <= last)
