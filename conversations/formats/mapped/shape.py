"""What the parts of unknown data are likely to be, told by their names and by what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.conversations.formats.mapped.paths import EACH, found_at, parse_path, paths_in
from turnwise.conversations.formats.messages import is_pair
from turnwise.conversations.formats.speakers import role_of
from turnwise.conversations.formats.tables import USUAL, snake_case
from turnwise.conversations.formats.transcripts import case_of_text, joined_time

_MOST_MESSAGES = 200
_MOST_WORDS_FOR_ROLES = 8
_LONGEST_ROLE = 40
_IDS = ("id", "uuid", "uid", "guid", "_id", "key", "ref", "reference", "number", "no", "nr")
_NAMES = ("title", "name", "subject", "topic", "label", "heading")
_MORE = {
    "role": ("type", "kind", "event", "direction", "user_type", "role_name", "participant_type", "is_bot"),
    "content": ("payload", "words", "transcript", "line", "prompt", "input"),
    "time": ("when", "at", "created", "sent_time", "date_time", "createdtime", "sent", "creation_time"),
}
_ASKED = ("question", "questions", "prompt", "query", "ask", "asked", "input", "inquiry", "q")
_ANSWERED = ("answer", "answers", "response", "reply", "completion", "output", "a")
_WHOSE = ("bot", "chatbot", "assistant", "ai", "agent", "model", "llm")
"""A name with one of these is of what the chatbot answered, where several columns are called answers."""
_NOT_SAID = frozenset(
    (
        "expected",
        "reference",
        "ideal",
        "gold",
        "golden",
        "correct",
        "ground",
        "truth",
        "id",
        "type",
        "kind",
        "time",
        "date",
        "at",
        "by",
        "category",
        "score",
        "rating",
        "count",
        "length",
        "tokens",
        "language",
        "lang",
        "status",
        "url",
        "name",
        "number",
        "no",
    )
)
"""A name with one of these is of something about a question or answer, or of the answer there should be."""


def guessed_mapping(records: Sequence[Any]) -> dict[str, str]:
    """Return what the parts of records are likely to be, as --map says it, with the path to the messages.

    Where those are one text, a transcript, or pairs of who speaks and what is said, the path alone is
    returned: they say it themselves. Where each record is a question and its answer, it is what the user and
    the chatbot say. Empty where nothing in them looks like messages.
    """
    best: dict[str, str] = {}
    best_rank = 0
    asked = _as_questions(records)
    lists = dict.fromkeys(path for record in records[:5] for path in paths_in(record, lists=True))
    for path in (None, *lists):
        way = () if path is None else parse_path(path)
        steps = (*way, EACH) if path is not None else ()
        messages = [item for record in records for item in found_at(record, steps)][:_MOST_MESSAGES]
        parts = guessed_parts(messages)
        rank = _rank(parts, messages) + (path is not None)
        if path is None and asked and _sides_of(parts, messages) != {"user", "assistant"}:
            # Whatever comes again and again beside a question and its answer is not who speaks.
            continue
        if "content" in parts and "role" in parts and rank > best_rank:
            best_rank = rank
            best = {**({} if path is None else {"messages": path}), **parts}
            best |= _about(records, path)
    return best or asked or _as_pairs(records[:5]) or _as_transcripts(records[:5])


def _as_questions(records: Sequence[Any]) -> dict[str, str]:
    """Return the paths to what the user asks and the chatbot answers in records that are one of each."""
    known = dict.fromkeys(path for record in records[:5] for path in paths_in(record) if "[]" not in path)
    words = {path: snake_case(_last_key(path)).split("_") for path in known}
    said = [path for path in known if not _NOT_SAID & {*words[path]} and _are_texts(records, path)]
    asked = _likeliest(said, words, _ASKED)
    answered = _likeliest(said, words, _ANSWERED, first=_WHOSE)
    if asked is None or answered is None or asked == answered:
        return {}
    return {"user": asked, "assistant": answered, **_about(records, None)}


def _likeliest(
    paths: Sequence[str], words: dict[str, list[str]], usual: Sequence[str], first: Sequence[str] = ()
) -> str | None:
    """Return the path with a usual word; of several the likeliest: with a word of `first`, then by order."""
    # A single letter means something only where it is the whole name.
    found = [
        path
        for path in paths
        if any(word in usual and (len(word) > 1 or len(words[path]) == 1) for word in words[path])
    ]

    def place(path: str) -> tuple[bool, int]:
        return not {*first} & {*words[path]}, min(usual.index(word) for word in words[path] if word in usual)

    return min(found, key=place, default=None)


def _are_texts(records: Sequence[Any], path: str) -> bool:
    items = [_first(record, path) for record in records]
    return sum(isinstance(item, str) and bool(item) for item in items) * 2 > len(items)


def _as_pairs(records: Sequence[Any]) -> dict[str, str]:
    """Return the path to the list of records whose messages are a role and a text each."""
    texts = dict.fromkeys(path for record in records for path in paths_in(record))
    for path in [path.removesuffix("[][]") for path in texts if path.endswith("[][]") and path != "[][]"]:
        messages = [item for record in records for item in found_at(record, (*parse_path(path), EACH))]
        if messages and all(map(is_pair, messages)):
            return {"messages": path, **_about(records, path)}
    return {}


def _as_transcripts(records: Sequence[Any]) -> dict[str, str]:
    """Return the path to the text of records that is a transcript each, the longest of several."""
    turns: dict[str, int] = {}
    for path in dict.fromkeys(path for record in records for path in paths_in(record) if "[]" not in path):
        texts = [_first(record, path) for record in records]
        counts = [_turns_of(text) if isinstance(text, str) else 0 for text in texts]
        if counts and all(counts):
            turns[path] = sum(counts)
    if not turns:
        return {}
    path = max(turns, key=lambda path: turns[path])
    return {"messages": path, **_about(records, path)}


def _turns_of(text: str) -> int:
    """Return how many turns a transcript has; none where not both sides are known to speak in it."""
    try:
        turns = case_of_text(text, {}).turns
    except ValueError:
        return 0
    return len(turns) if {"user", "assistant"} <= {turn.role for turn in turns} else 0


def guessed_parts(messages: Sequence[Any]) -> dict[str, str]:
    """Return the paths that lead to who speaks, what is said and when in these messages, where it shows."""
    objects = [message for message in messages if isinstance(message, dict)][:_MOST_MESSAGES]
    known = dict.fromkeys(path for message in objects[:20] for path in paths_in(message))
    values = {path: [_first(message, path) for message in objects] for path in known}
    texts = {path: [item for item in values[path] if isinstance(item, str) and item] for path in known}
    found: dict[str, str] = {}
    # What stands in a list of a message is not the message's own.
    own = {path: items for path, items in values.items() if "[]" not in path}
    roles = [path for path, items in own.items() if _may_be_roles(items)]
    short = [path for path, items in own.items() if _are_short(items)]
    if role := _named("role", roles) or _by_words(values, roles) or _named("role", short, usual=True):
        found["role"] = role
    said = [path for path in known if path not in found.values() and texts[path]]
    if content := _named("content", said) or _longest(texts, said):
        found["content"] = content
    others = [path for path in own if path not in found.values()]
    if time := _named("time", others):
        found["time"] = time
        date = _named("date", [path for path in others if path != time])
        if date and any(joined_time(*both) != both[1] for both in zip(own[date], own[time], strict=True)):
            found["date"] = date
    return found


def _first(message: Any, path: str) -> Any:
    return next(iter(found_at(message, parse_path(path))), None)


def _named(part: str, known: Sequence[str], *, usual: bool = False) -> str | None:
    """Return the path whose last key is usual for a part, the shortest of those with the likeliest name.

    usual: only names that hardly mean anything else count.
    """
    words = (*USUAL[part].split(), *(() if usual else _MORE.get(part, ())))
    last = {path: snake_case(_last_key(path)) for path in known}
    best = next((word for word in words if word in last.values()), None)
    return min((path for path in known if last[path] == best), key=len) if best else None


def _last_key(path: str) -> str:
    steps = parse_path(path)
    return next((step for step in reversed(steps) if isinstance(step, str)), "")


def _may_be_roles(items: Sequence[Any]) -> bool:
    """Whether values may say who speaks: few words that come again, or truth values."""
    given = [item for item in items if item is not None]
    words = {item for item in given if isinstance(item, str | bool | int)}
    return (
        bool(given)
        and all(isinstance(item, str | bool | int) for item in given)
        and len(words) <= max(2, min(_MOST_WORDS_FOR_ROLES, len(given) - 1))
        and all(len(str(word)) <= _LONGEST_ROLE for word in words)
    )


def _are_short(items: Sequence[Any]) -> bool:
    """Whether values are names, as those of many people who speak."""
    given = [item for item in items if item is not None]
    return bool(given) and all(isinstance(item, str) and 0 < len(item) <= _LONGEST_ROLE for item in given)


def _by_words(values: dict[str, list[Any]], known: Sequence[str]) -> str | None:
    """Return the path whose values are common words for speakers."""
    for path in known:
        words = {item for item in values[path] if isinstance(item, str)}
        if words and any(role_of(word) for word in words):
            return path
    return None


def _longest(texts: dict[str, list[str]], known: Sequence[str]) -> str | None:
    """Return the path with the longest texts of several words."""
    worded = [path for path in known if any(" " in text for text in texts[path])]
    return max(worded, key=lambda path: sum(map(len, texts[path])) / len(texts[path]), default=None)


def _rank(parts: dict[str, str], messages: Sequence[Any]) -> int:
    """Return how surely these are the parts of messages: words that are known count more than names."""
    usual = [
        snake_case(_last_key(path)) in USUAL[part].split() for part, path in parts.items() if part in USUAL
    ]
    return 4 * bool(_sides_of(parts, messages)) + sum(usual) + (len(messages) > 1)


def _sides_of(parts: dict[str, str], messages: Sequence[Any]) -> set[str]:
    """Return which of user and assistant speak, by words that are known for speakers."""
    role = parts.get("role")
    words = {_first(message, role) for message in messages[:20]} if role else set()
    return {role_of(word) or "" for word in words if isinstance(word, str)} & {"user", "assistant"}


def _about(records: Sequence[Any], messages: str | None) -> dict[str, str]:
    """Return where a conversation's id and title stand: in what holds the messages, or in a message."""
    holder, mark, _ = (messages or "").rpartition("[].")
    way = holder + mark
    paths = paths_in(records[0]) if records else []
    own = [path for path in paths if path.startswith(way) and "[]" not in path.removeprefix(way)]
    last = {snake_case(_last_key(path)): path for path in reversed(own) if path != messages}
    is_list = messages is not None
    ids = (*USUAL["id"].split(), *(_IDS if is_list else ()))
    found: dict[str, str] = {}
    for part, words in (("id", ids), ("name", _NAMES if is_list else ())):
        if path := next((last[word] for word in words if word in last), None):
            found[part] = path
    return found


def as_mapping(guessed: dict[str, str]) -> str:
    """Write parts as --map takes them."""
    return ",".join(f"{part}={path}" for part, path in guessed.items())
