"""Masking: a case without what speaks to whoever judges, as a judge is shown it.

What is stored stays as it is. A sentence of a turn, a passage or the result of a tool that speaks to the
judge (`engine/judge/addressed.py`) is left out. Everything that a metric asks of a judge is made from
the masked case, and so is the fingerprint of what it reads: only where something was left out is a case
another one than before.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.results import Quote, Verdict
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import Passage, RetrievedContext, Turn, number_turns
from turnwise.engine.judge.addressed import Addressed, find_addressed
from turnwise.engine.metrics.subject import Subject

NOTE = "[A sentence that speaks to whoever judges was left out]"
"""What stands in the place of a text of which every sentence was left out."""
LEFT_OUT = "left_out"
"""The key of a score's details under which the left out sentences stand."""
_MCP = ("mcp_tools_called", "mcp_resources_called", "mcp_prompts_called")
_LONGEST = 300
_BEFORE = 6
"""How many turns before it tell whether a reply in JSON was asked for."""


@dataclass(frozen=True, slots=True)
class MaskedWords:
    """What the judge was not shown.

    turn: the number of the turn it stands in or came with; None for a message that has none. where: turn,
    passage, tool call or MCP call. text: the words, shortened. why: by what it was known.
    """

    turn: int | None
    where: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class MaskedCase:
    """A case as a judge sees it. left_out: what it is without, in order; empty where it is as it was."""

    case: ConversationalTestCase
    left_out: tuple[MaskedWords, ...]


def mask_case(case: ConversationalTestCase) -> MaskedCase:
    """Return a case without what speaks to whoever judges; the same case where nothing does."""
    turns: list[Turn] = []
    left_out: list[MaskedWords] = []
    for at, (turn, number) in enumerate(zip(case.turns, number_turns(case.turns), strict=True)):
        before = [earlier.content for earlier in case.turns[max(0, at - _BEFORE) : at]]
        masked, found = _mask_turn(turn, number, before)
        turns.append(masked)
        left_out += found
    if not left_out:
        return MaskedCase(case, ())
    return MaskedCase(case.model_copy(update={"turns": turns}), tuple(left_out))


def masked_subject(subject: Subject) -> tuple[Subject, tuple[MaskedWords, ...]]:
    """Return a subject as a judge sees it, and what of that it is without."""
    masked = subject.memory.get("masked")
    if masked is None:
        masked = subject.memory["masked"] = mask_case(subject.case)
    if not masked.left_out:
        return subject, ()
    seen = replace(subject, case=masked.case, memory={"masked": MaskedCase(masked.case, ())})
    if subject.exchange is not None:
        number = subject.exchange.number
        seen = seen.at(next(one for one in masked.case.numbered_exchanges if one.number == number))
    last = subject.last_turn
    told = [one for one in masked.left_out if one.turn is None or last is None or one.turn <= last]
    return (seen, tuple(told)) if told else (subject, ())


def mask_text(text: str, parts: Sequence[Addressed]) -> str:
    """Return a text without its parts; only where no word of it is left, the note stands for all of it.

    A note beside other words sways small judges as well, so they are shown exactly what stands around it.
    """
    kept, at = [], 0
    for start, end in [*((part.start, part.end) for part in parts), (len(text), len(text))]:
        kept.append(text[at:start])
        at = end
    return "".join(kept).rstrip() if any(re.search(r"\w", piece) for piece in kept) else NOTE


def quotes_as_written(verdicts: Sequence[Verdict], subject: Subject) -> list[Verdict]:
    """Return verdicts on a masked subject with their quotes where they stand in the turns as they were said.

    subject: the one that was masked. A quote that holds the note stands nowhere, and is left out.
    """
    said = {number: turn.content for number, turn in subject.numbered}
    seen = {number: turn.content for number, turn in masked_subject(subject)[0].numbered}

    def placed(quote: Quote) -> Quote | None:
        before = seen.get(quote.turn, "")[: quote.start].count(quote.text)
        content, start = said.get(quote.turn, ""), -1
        for _ in range(before + 1):
            later = content.find(quote.text, start + 1)
            start = later if later >= 0 else start
        return replace(quote, start=start, end=start + len(quote.text)) if start >= 0 else None

    return [replace(one, quote=placed(one.quote)) if one.quote else one for one in verdicts]


def left_out_details(left_out: Sequence[MaskedWords]) -> dict[str, Any]:
    """Return what was left out as a part of a score's details; nothing where nothing was."""
    return {LEFT_OUT: [asdict(one) for one in left_out]} if left_out else {}


def left_out_reason(left_out: Sequence[MaskedWords]) -> str:
    """Say what was kept from the judge, as a sentence behind a score's reason; empty without any."""
    if not left_out:
        return ""
    count = len(left_out)
    places = Counter(f"turn {one.turn}" if one.turn else f"a {one.where}" for one in left_out)
    what = "1 passage that speaks" if count == 1 else f"{count} passages that speak"
    return f" Kept from the judge: {what} to whoever judges ({', '.join(places)})."


def _mask_turn(turn: Turn, number: int | None, before: Sequence[str]) -> tuple[Turn, list[MaskedWords]]:
    left_out: list[MaskedWords] = []

    def noting(where: str) -> Callable[[str, Sequence[Addressed]], None]:
        def note(text: str, parts: Sequence[Addressed]) -> None:
            left_out.extend(
                MaskedWords(number, where, _cut(text[part.start : part.end].strip()), part.why)
                for part in parts
            )

        return note

    changes: dict[str, Any] = {}
    parts = find_addressed(turn.content, before=before, given=not turn.is_spoken)
    if parts:
        noting("turn")(turn.content, parts)
        changes["content"] = mask_text(turn.content, parts)
    passages = [_masked_passage(one, noting("passage")) for one in turn.retrieval_context or []]
    calls = [_masked_call(one, noting("tool call")) for one in turn.tools_called or []]
    uses = {name: _masked(getattr(turn, name), noting("MCP call")) for name in _MCP if getattr(turn, name)}
    if not left_out:
        return turn, []
    changes |= {"retrieval_context": passages} if passages else {}
    changes |= {"tools_called": calls} if calls else {}
    return turn.model_copy(update={**changes, **uses}), left_out


_Note = Callable[[str, Sequence[Addressed]], None]


def _masked_passage(passage: Passage, note: _Note) -> Passage:
    if isinstance(passage, RetrievedContext):
        return passage.model_copy(update={"context": _masked(passage.context, note)})
    return str(_masked(passage, note))


def _masked_call(call: ToolCall, note: _Note) -> ToolCall:
    changes = {
        name: _masked(getattr(call, name), note)
        for name in ("output", "input_parameters", "raw_arguments", "reasoning", "description")
        if getattr(call, name) not in (None, "", {})
    }
    return call.model_copy(update=changes) if changes else call


def _masked(value: Any, note: _Note) -> Any:
    """Return a value of any shape with its texts masked; objects of other libraries stay as they are."""
    if isinstance(value, str):
        inner = _object_or_list(value)
        if inner is not None:
            masked = _masked(inner, note)
            return value if masked == inner else json.dumps(masked, ensure_ascii=False)
        parts = find_addressed(value, given=True)
        if not parts:
            return value
        note(value, parts)
        return mask_text(value, parts)
    if isinstance(value, list | tuple):
        items = [_masked(item, note) for item in value]
        left = [seen for item, seen in zip(value, items, strict=True) if not _is_gone(item, seen)]
        return left or items
    if isinstance(value, Mapping):
        entries = {key: _masked_entry(str(key), item, note) for key, item in value.items()}
        kept = {key: seen for key, seen in entries.items() if not _is_gone(value[key], seen)}
        return kept or entries
    if hasattr(value, "model_copy") and hasattr(value, "model_dump"):
        changes = {name: _masked(getattr(value, name), note) for name in type(value).model_fields}
        return value.model_copy(update=changes)
    return value


def _is_gone(item: Any, seen: Any) -> bool:
    """Whether nothing is left of an entry. Beside others it goes with its name: a note would sway a judge."""
    return isinstance(seen, str) and seen == NOTE and item != NOTE


def _masked_entry(key: str, item: Any, note: _Note) -> Any:
    """Mask an entry of an object, of which the key may be what tells whom the text is for."""
    if not isinstance(item, str):
        return _masked(item, note)
    masked = _masked(item, note)
    words = key.replace("_", " ").replace("-", " ")
    if masked == item and (parts := find_addressed(f"{words}: {item}", given=True)):
        note(item, [Addressed(0, len(item), parts[0].why)])
        return NOTE
    return masked


def _object_or_list(text: str) -> Any:
    """Return what a text holds that is written as JSON; None where it is no object and no list."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
