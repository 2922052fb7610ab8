"""Masked words: a text without what speaks to whoever judges, and what is told of the words that it lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from turnwise.engine.judge.addressed import Addressed, find_addressed

NOTE = "[A sentence that speaks to whoever judges was left out]"
"""What stands in the place of a text of which every sentence was left out."""
LEFT_OUT = "left_out"
"""The key of a score's details under which the left out sentences stand."""
_LONGEST = 300


NoteParts = Callable[[str, Sequence[Addressed]], None]
"""Takes down of which text which parts are left out."""


@dataclass(frozen=True, slots=True)
class MaskedWords:
    """What the judge was not shown.

    turn: the number of the turn it stands in or came with; None for what has none. where: what it stood in,
    such as turn, passage, tool call or the answer. text: the words, shortened. why: by what it was
    known.
    """

    turn: int | None
    where: str
    text: str
    why: str

    @property
    def place(self) -> str:
        """Where it stood, in words."""
        if self.turn:
            return f"turn {self.turn}"
        return self.where if self.where.startswith("the ") else f"a {self.where}"

    @classmethod
    def of(cls, turn: int | None, where: str, text: str, parts: Sequence[Addressed]) -> list[MaskedWords]:
        """Return the parts of a text as what the judge was not shown."""
        return [cls(turn, where, _cut(text[part.start : part.end].strip()), part.why) for part in parts]


class FindParts(Protocol):
    """Finds the parts of a text that are left out: `find_addressed`, or `find_doubtful`."""

    def __call__(self, text: str, *, before: Sequence[str] = (), given: bool = False) -> list[Addressed]:
        """Return them in their order; they do not overlap."""


def noting_parts(left_out: list[MaskedWords], turn: int | None, where: str) -> NoteParts:
    """Return what takes parts down in a list, as what stood in this turn and there."""

    def note(text: str, parts: Sequence[Addressed]) -> None:
        left_out.extend(MaskedWords.of(turn, where, text, parts))

    return note


def masked_text(
    text: str, where: str, *, before: Sequence[str] = (), find: FindParts | None = None
) -> tuple[str, list[MaskedWords]]:
    """Return a text that belongs to no turn as a judge sees it, and what it is without.

    where, before: as in MaskedWords and `find_addressed`. find: what knows such words; that one if not given.
    """
    parts = (find or find_addressed)(text, before=before)
    return (mask_text(text, parts), MaskedWords.of(None, where, text, parts)) if parts else (text, [])


def mask_text(text: str, parts: Sequence[Addressed]) -> str:
    """Return a text without its parts; only where no word of it is left, the note stands for all of it.

    A note beside other words sways small judges as well, so they are shown exactly what stands around it.
    """
    kept, at = [], 0
    for start, end in [*((part.start, part.end) for part in parts), (len(text), len(text))]:
        kept.append(text[at:start])
        at = end
    return "".join(kept).rstrip() if any(re.search(r"\w", piece) for piece in kept) else NOTE


def mask_value(value: Any, note: NoteParts, find: FindParts | None = None) -> Any:
    """Return a value of any shape with its texts masked; objects of other libraries stay as they are."""
    if isinstance(value, str):
        inner = _object_or_list(value)
        if inner is not None:
            masked = mask_value(inner, note, find)
            return value if masked == inner else json.dumps(masked, ensure_ascii=False)
        parts = (find or find_addressed)(value, given=True)
        if not parts:
            return value
        note(value, parts)
        return mask_text(value, parts)
    if isinstance(value, list | tuple):
        items = [mask_value(item, note, find) for item in value]
        left = [seen for item, seen in zip(value, items, strict=True) if not _is_gone(item, seen)]
        return left or items
    if isinstance(value, Mapping):
        entries = {key: _mask_entry(str(key), item, note, find) for key, item in value.items()}
        kept = {key: seen for key, seen in entries.items() if not _is_gone(value[key], seen)}
        return kept or entries
    if hasattr(value, "model_copy") and hasattr(value, "model_dump"):
        changes = {name: mask_value(getattr(value, name), note, find) for name in type(value).model_fields}
        return value.model_copy(update=changes)
    return value


def left_out_details(left_out: Sequence[MaskedWords]) -> dict[str, Any]:
    """Return what was left out as a part of a score's details; nothing where nothing was."""
    return {LEFT_OUT: [asdict(one) for one in left_out]} if left_out else {}


def left_out_reason(left_out: Sequence[MaskedWords]) -> str:
    """Say what was kept from the judge, as a sentence behind a score's reason; empty without any."""
    if not left_out:
        return ""
    count = len(left_out)
    places = Counter(one.place for one in left_out)
    what = "1 passage that speaks" if count == 1 else f"{count} passages that speak"
    return f" Kept from the judge: {what} to whoever judges ({', '.join(places)})."


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _is_gone(item: Any, seen: Any) -> bool:
    """Whether nothing is left of an entry. Beside others it goes with its name: a note would sway a judge."""
    return isinstance(seen, str) and seen == NOTE and item != NOTE


def _mask_entry(key: str, item: Any, note: NoteParts, find: FindParts | None) -> Any:
    """Mask an entry of an object, of which the key may be what tells whom the text is for."""
    if not isinstance(item, str):
        return mask_value(item, note, find)
    masked = mask_value(item, note, find)
    words = key.replace("_", " ").replace("-", " ")
    if masked == item and (parts := (find or find_addressed)(f"{words}: {item}", given=True)):
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
