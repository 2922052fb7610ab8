"""What the columns of a table of conversations are: told with --map, or guessed by the usual names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from turnwise.conversations.formats.speakers import ROLES, Names
from turnwise.conversations.models import shorten

USUAL = {
    "id": "conversation_id conv_id session_id chat_id thread_id dialog_id dialogue_id conversation session "
    "thread chat ticket_id conv ticket case_id",
    "role": "role speaker sender author from participant who message_role author_role sender_type",
    "content": "content message text utterance body value msg message_text message_content",
    "time": "timestamp time created_at sent_at datetime date ts",
    "date": "date day sent_date message_date",
    "order": "turn_index turn_number turn_id turn message_index sequence seq position order step index",
}
"""The usual names of what a message has, the likeliest first."""
_ROW_ID = "id"
_PAIRS = (
    ("user", "assistant"),
    ("question", "answer"),
    ("questions", "answers"),
    ("q", "a"),
    ("question", "response"),
    ("prompt", "response"),
    ("prompt", "completion"),
    ("query", "response"),
    ("query", "answer"),
    ("input", "output"),
    ("instruction", "response"),
    ("instruction", "output"),
    ("user_message", "assistant_message"),
    ("user_message", "bot_message"),
    ("user_message", "bot_response"),
    ("human", "ai"),
    ("human", "assistant"),
    ("human", "bot"),
    ("user", "bot"),
)
_SYSTEM = ("system", "system_prompt", "system_message")
_WHOLE = ("messages", "conversations", "conversation", "transcript", "dialogue", "dialog", "chat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The columns of a table by what they are. Of spoken, content and whole exactly one is set.

    id: rows with the same value are one conversation; is_row_id: only if some value occurs in several rows.
    role and content: a row is a turn. spoken: a row is (role, column) after (role, column).
    whole: a row is a conversation, and this column holds all of it. date: the day, where the time of a row
    is a clock without it.
    """

    id: str | None = None
    is_row_id: bool = False
    role: str = ""
    content: str = ""
    time: str | None = None
    date: str | None = None
    order: str | None = None
    spoken: tuple[tuple[str, str], ...] = ()
    whole: str = ""

    @property
    def used(self) -> frozenset[str]:
        """The columns that are read into something else than metadata."""
        return frozenset({self.role, self.content, self.whole, *(column for _, column in self.spoken)}) - {""}


def columns_of(names: Sequence[str], mapping: Names) -> Columns | None:
    """Return what the columns are; None where they are not those of conversations.

    Raises ValueError where the mapping names a column that is not there.
    """
    by_plain = {snake_case(name): name for name in reversed(names) if name}
    if any(plain.startswith("__") for plain in by_plain):
        # Such columns hold the checks of a test suite, whose rows are no conversations.
        return None
    found: dict[str, str | None] = {}
    for field, usual in USUAL.items():
        told = [_told(name, names, by_plain) for name in mapping.get(field, ())]
        guess = next((by_plain[word] for word in usual.split() if word in by_plain), None)
        found[field] = told[0] if told else guess
    is_row_id = found["id"] is None and _ROW_ID in by_plain
    rest = {
        "id": by_plain[_ROW_ID] if is_row_id else found["id"],
        "is_row_id": is_row_id,
        "time": found["time"],
        "date": found["date"] if found["date"] != found["time"] else None,
        "order": found["order"],
    }
    spoken = _spoken(names, by_plain, mapping)
    if spoken:
        return Columns(spoken=spoken, **rest)  # type: ignore[arg-type]
    role, content = found["role"], found["content"]
    if role and content and role != content:
        return Columns(role=role, content=content, **rest)  # type: ignore[arg-type]
    if "role" in mapping or "content" in mapping:
        lacking = "content" if role else "role"
        raise ValueError(f"expected a column for {lacking}; the table holds {shorten(list(names))}")
    pair = next((pair for pair in _PAIRS if all(name in by_plain for name in pair)), None)
    told_roles = [name for said in ROLES for name in mapping.get(said, ())]
    if told_roles and (pair or any(name in names for name in told_roles)):
        missing = next(name for name in told_roles if name not in names)
        raise ValueError(f"--map names a column {missing}; the table holds {shorten(list(names))}")
    if pair and not (pair[0] == "instruction" and "input" in by_plain):
        system = next((name for name in _SYSTEM if name in by_plain), None)
        first = (("system", by_plain[system]),) if system else ()
        asked, answered = (by_plain[name] for name in pair)
        return Columns(spoken=(*first, ("user", asked), ("assistant", answered)), **rest)  # type: ignore[arg-type]
    whole = next((by_plain[name] for name in _WHOLE if name in by_plain), None)
    if whole is None:
        return None
    return Columns(whole=whole, id=None if rest["id"] == whole else rest["id"], is_row_id=True)  # type: ignore[arg-type]


def _spoken(names: Sequence[str], by_plain: dict[str, str], mapping: Names) -> tuple[tuple[str, str], ...]:
    """Return the columns that --map gives to roles; none where it names speakers in a column of roles
    instead.
    """
    told = [(role, name) for role in ROLES for name in mapping.get(role, ())]
    if not told or "role" in mapping or "content" in mapping:
        return ()
    found = [(role, by_plain.get(snake_case(name)) or name) for role, name in told]
    if not all(name in names for _, name in found):
        return ()
    by_role = {role: [name for of, name in found if of == role] for role in ROLES}
    turns = zip_longest(
        *([(role, name) for name in by_role[role]] for role in ("user", "tool", "assistant")), fillvalue=None
    )
    before = [(role, name) for role in ("system", "developer") for name in by_role[role]]
    return (*before, *(turn for row in turns for turn in row if turn))


def _told(name: str, names: Sequence[str], by_plain: dict[str, str]) -> str:
    found = name if name in names else by_plain.get(snake_case(name))
    if found is None:
        raise ValueError(f"--map names a column {name}; the table holds {shorten(list(names))}")
    return found


def snake_case(name: str) -> str:
    """Return a name in snake_case, whatever it was written in."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip())
    return re.sub(r"[\s.-]+", "_", parted).lower()
