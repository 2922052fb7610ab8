"""Masking: a case without what speaks to whoever judges, as a judge is shown it.

What only may speak to whoever judges (`engine/judge/doubtful.py`) is shown once and left out once.

What is stored stays as it is. A sentence of a turn, a passage or the result of a tool that speaks to the
judge (`engine/judge/addressed.py`) is left out. Everything that a metric asks of a judge is made from
the masked case, and so is the fingerprint of what it reads: only where something was left out is a case
another one than before.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.results import Quote, Verdict
from turnwise.conversations.tools import ToolCall
from turnwise.conversations.turns import ExchangeFields, Passage, RetrievedContext, Turn, number_turns
from turnwise.engine.judge.addressed import Addressed, find_addressed, find_split, join_parts
from turnwise.engine.judge.doubtful import find_doubtful
from turnwise.engine.judge.masked_words import (
    FindParts,
    MaskedWords,
    NoteParts,
    mask_text,
    mask_value,
    noting_parts,
)
from turnwise.engine.metrics.subject import Subject

_MCP = ("mcp_tools_called", "mcp_resources_called", "mcp_prompts_called")
_FIELDS = {"metadata": "metadata field", "context": "text of the context"}
"""Fields that a judge is shown only where a criterion names them, and what their entries are called."""
NO_NAME = "tool"
"""Stands for the name of a tool that speaks to whoever judges: a judge reads the names of all."""
_MASKED, _DOUBTED = "masked", "doubted"
"""Under these names a subject remembers its masked cases."""
_BEFORE = 6
"""How many turns before it tell whether a reply in JSON was asked for."""


@dataclass(frozen=True, slots=True)
class MaskedCase:
    """A case as a judge sees it. left_out: what it is without, in order; empty where it is as it was."""

    case: ConversationalTestCase
    left_out: tuple[MaskedWords, ...]


def mask_case(case: ConversationalTestCase, find: FindParts | None = None) -> MaskedCase:
    """Return a case without what speaks to whoever judges; the same case where nothing does.

    find: what knows such words; those that surely speak to a judge are left out where it is not given.
    """
    find = find or find_addressed
    turns: list[Turn] = []
    left_out: list[MaskedWords] = []
    split = _split_orders(case.turns, find)
    for at, (turn, number) in enumerate(zip(case.turns, number_turns(case.turns), strict=True)):
        before = [earlier.content for earlier in case.turns[max(0, at - _BEFORE) : at]]
        masked, found = _mask_turn(turn, number, before, split.get(at, ()), find)
        turns.append(masked)
        left_out += found
    fields = _masked_fields(case, None, left_out, find)
    if not left_out:
        return MaskedCase(case, ())
    return MaskedCase(case.model_copy(update={"turns": turns, **fields}), tuple(left_out))


def masked_subject(subject: Subject, named: Collection[str] = ()) -> tuple[Subject, tuple[MaskedWords, ...]]:
    """Return a subject as a judge sees it, and what of that it is without.

    named: the fields that are read of it; of metadata and context nothing is told unless they are among them.
    """
    return _as_masked(subject, _masked(subject), named)


def undoubted_subject(
    subject: Subject, named: Collection[str] = ()
) -> tuple[Subject, tuple[MaskedWords, ...]] | None:
    """Return a masked subject also without what only may speak to whoever judges, and what that is.

    None where nothing is in doubt, or nothing of what is read of it. named: as in `masked_subject`.
    """
    doubted = subject.memory.get(_DOUBTED)
    if doubted is None:
        doubted = subject.memory[_DOUBTED] = mask_case(_masked(subject).case, find_doubtful)
    without, told = _as_masked(subject, doubted, named)
    reads = tuple(named)
    return (without, told) if told and without.reads(reads) != _seen(subject, reads).reads(reads) else None


def judged_print(subject: Subject, named: tuple[str, ...]) -> str:
    """Name by a fingerprint what a judge is shown of a subject, with and without what is in doubt."""
    seen = _seen(subject, named).reads(named)
    undoubted = undoubted_subject(subject, named)
    return fingerprint([seen, undoubted[0].reads(named)]) if undoubted else seen


def _seen(subject: Subject, named: Collection[str]) -> Subject:
    return masked_subject(subject, named)[0]


def _masked(subject: Subject) -> MaskedCase:
    """Return the case of a subject masked, which is done once for all its subjects."""
    masked: MaskedCase | None = subject.memory.get(_MASKED)
    if masked is None:
        masked = subject.memory[_MASKED] = mask_case(subject.case)
    return masked


def _as_masked(
    subject: Subject, masked: MaskedCase, named: Collection[str]
) -> tuple[Subject, tuple[MaskedWords, ...]]:
    """Return a subject of a masked case, and what of that it is without."""
    if not masked.left_out:
        return subject, ()
    nothing = MaskedCase(masked.case, ())
    seen = replace(subject, case=masked.case, memory={_MASKED: nothing, _DOUBTED: nothing})
    if subject.exchange is not None:
        number = subject.exchange.number
        seen = seen.at(next(one for one in masked.case.numbered_exchanges if one.number == number))
    last = subject.last_turn
    unread = {where for name, where in _FIELDS.items() if name not in named}
    told = [
        one
        for one in masked.left_out
        if (one.turn is None or last is None or one.turn <= last) and one.where not in unread
    ]
    return (seen, tuple(told)) if told else (subject, ())


def quotes_as_written(verdicts: Sequence[Verdict], subject: Subject, shown: Subject) -> list[Verdict]:
    """Return verdicts on a masked subject with their quotes where they stand in the turns as they were said.

    subject: the one that was masked. shown: what was judged of it. A quote that holds the note stands
    nowhere, and is left out.
    """
    said = {number: turn.content for number, turn in subject.numbered}
    seen = {number: turn.content for number, turn in shown.numbered}

    def placed(quote: Quote) -> Quote | None:
        before = seen.get(quote.turn, "")[: quote.start].count(quote.text)
        content, start = said.get(quote.turn, ""), -1
        for _ in range(before + 1):
            later = content.find(quote.text, start + 1)
            start = later if later >= 0 else start
        return replace(quote, start=start, end=start + len(quote.text)) if start >= 0 else None

    return [replace(one, quote=placed(one.quote)) if one.quote else one for one in verdicts]


def _split_orders(turns: Sequence[Turn], find: FindParts) -> dict[int, list[Addressed]]:
    """Return by position the parts of turns that make an instruction with the same speaker's other turn."""
    found: dict[int, list[Addressed]] = {}
    before: dict[str, int] = {}
    for at, turn in enumerate(turns):
        if not turn.is_spoken:
            continue
        last = before.get(turn.role)
        before[turn.role] = at
        if last is None:
            continue
        for place, parts in zip((last, at), find_split(turns[last].content, turn.content, find), strict=True):
            if parts:
                found.setdefault(place, []).extend(parts)
    return found


def _mask_turn(
    turn: Turn, number: int | None, before: Sequence[str], split: Sequence[Addressed], find: FindParts
) -> tuple[Turn, list[MaskedWords]]:
    left_out: list[MaskedWords] = []
    noting = partial(noting_parts, left_out, number)
    changes: dict[str, Any] = {}
    parts = find(turn.content, before=before, given=not turn.is_spoken)
    if split:
        parts = join_parts([*parts, *split], turn.content)
    if parts:
        noting("turn")(turn.content, parts)
        changes["content"] = mask_text(turn.content, parts)
    passages = [_masked_passage(one, noting("passage"), find) for one in turn.retrieval_context or []]
    calls = [_masked_call(one, noting("tool call"), find) for one in turn.tools_called or []]
    uses = {
        name: mask_value(getattr(turn, name), noting("MCP call"), find)
        for name in _MCP
        if getattr(turn, name)
    }
    fields = _masked_fields(turn.exchange, number, left_out, find) if turn.exchange else {}
    if not left_out:
        return turn, []
    changes |= {"retrieval_context": passages} if passages else {}
    changes |= {"tools_called": calls} if calls else {}
    changes |= {"exchange": turn.exchange.model_copy(update=fields)} if turn.exchange else {}
    return turn.model_copy(update={**changes, **uses}), left_out


def _masked_fields(
    holder: ConversationalTestCase | ExchangeFields,
    number: int | None,
    left_out: list[MaskedWords],
    find: FindParts,
) -> dict[str, Any]:
    """Return the fields that a criterion may name, masked. number: of the turn that they came with."""
    return {
        name: mask_value(value, noting_parts(left_out, number, where), find)
        for name, where in _FIELDS.items()
        if (value := getattr(holder, name))
    }


def _masked_passage(passage: Passage, note: NoteParts, find: FindParts) -> Passage:
    if isinstance(passage, RetrievedContext):
        return passage.model_copy(update={"context": mask_value(passage.context, note, find)})
    return str(mask_value(passage, note, find))


def _masked_call(call: ToolCall, note: NoteParts, find: FindParts) -> ToolCall:
    changes = {
        name: mask_value(getattr(call, name), note, find)
        for name in ("output", "input_parameters", "raw_arguments", "reasoning", "description")
        if getattr(call, name) not in (None, "", {})
    }
    if parts := find(call.name, given=True):
        note(call.name, [Addressed(0, len(call.name), f"{parts[0].why}, as the name of a tool")])
        changes["name"] = NO_NAME
    return call.model_copy(update=changes) if changes else call
