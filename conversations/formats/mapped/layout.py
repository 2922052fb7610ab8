"""Where everything of a conversation stands in a file, by what a person said with --messages and --map."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.format import Options
from turnwise.conversations.formats.mapped.paths import EACH, DataPath, found_at, parse_path, written_path
from turnwise.conversations.formats.speakers import ROLES, Names

OF_MESSAGES = ("role", "content", "time", "date", "order", "tool_calls")
OF_RECORDS = ("id", "name")


@dataclass(frozen=True, slots=True)
class Layout:
    """The ways to the parts of a conversation.

    records: to the lists of records in a document; empty where the document's items are records.
    whole: the document is one record. messages: to the list of messages in a record; None where each
    record is a message. of_message: from a message to its parts. spoken: from a message to what each role
    says in it, in place of a role and content. of_record: from a record to the conversation's id and name.
    values: the words for roles. told: the parts that a person gave, with their paths as they were written.
    """

    records: DataPath = ()
    whole: bool = False
    messages: DataPath | None = None
    of_message: dict[str, DataPath] = field(default_factory=dict)
    spoken: tuple[tuple[str, DataPath], ...] = ()
    of_record: dict[str, DataPath] = field(default_factory=dict)
    values: Names = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)

    def text_in(self, record: Any) -> str:
        """Return the messages of a record that are one text, a transcript; empty where they are not."""
        found = found_at(record, self.messages or ())
        return found[0] if len(found) == 1 and isinstance(found[0], str) else ""

    def messages_in(self, record: Any) -> list[Any] | None:
        """Return the messages of a record; None where there is no list."""
        found = found_at(record, self.messages or ())
        return found[0] if found and isinstance(found[0], list) else None


def layout_of(options: Options) -> Layout:
    """Return what was told as a layout. Raises SettingError for what is no path."""
    mapping = options.mapping
    listed = messages_path(options)
    are_words = "role" in mapping or "content" in mapping
    told = {name: mapping[name][0] for name in (*OF_MESSAGES, *OF_RECORDS) if name in mapping}
    paths = {name: _from_item(parse_path(text)) for name, text in told.items()}
    spoken = (
        ()
        if are_words
        else tuple((role, _from_item(parse_path(text))) for role in ROLES for text in mapping.get(role, ()))
    )
    values = options.speakers if are_words else {"assistant": options.assistant}
    told |= {role: written_path(path) for role, path in spoken}
    if listed is not None:
        # First, as without its messages nothing else of a record can be there.
        told = {"messages": listed, **told}
    whole = listed is not None and all(step is EACH for step in parse_path(listed))
    way = _way_to_messages(listed, paths, spoken)
    if way is None:
        return Layout(
            of_message={name: paths[name] for name in OF_MESSAGES if name in paths},
            of_record={name: paths[name] for name in OF_RECORDS if name in paths},
            spoken=spoken,
            values=values,
            told=told,
        )
    within = (*way, EACH)
    if (own := paths.get("id")) and own[: len(within)] == within and len(own) > len(within):
        # Messages of several conversations stand in one list, each with the id of its conversation.
        records, messages = within, None
    else:
        cut = len(way) - way[::-1].index(EACH) if EACH in way else 0
        records, messages = way[:cut], way[cut:]
    return Layout(
        records=records,
        whole=whole,
        messages=messages,
        of_message={name: _below(paths[name], within) for name in OF_MESSAGES if name in paths},
        spoken=tuple((role, _below(path, within)) for role, path in spoken),
        of_record={name: _below(paths[name], records) for name in OF_RECORDS if name in paths},
        values=values,
        told=told,
    )


def messages_path(options: Options) -> str | None:
    """Return the path to the messages as it was told, with --messages or in the mapping."""
    said = options.mapping.get("messages", ())
    if options.messages_key and said and said[0] != options.messages_key:
        raise SettingError(
            "--messages and --map say two things of the messages", next_step="Leave out one of the two."
        )
    return options.messages_key or (said[0] if said else None)


def _way_to_messages(
    listed: str | None, paths: dict[str, DataPath], spoken: tuple[tuple[str, DataPath], ...]
) -> DataPath | None:
    """Return the way to the lists of messages: as told, or what the paths into them begin with together."""
    if listed is not None:
        way = parse_path(listed)
        while way and way[-1] is EACH:
            way = way[:-1]
        return _from_item(way)
    inner = [paths[name] for name in OF_MESSAGES if name in paths] + [path for _, path in spoken]
    shared = inner[0] if inner else ()
    for path in inner[1:]:
        same = next((n for n, (a, b) in enumerate(zip(shared, path, strict=False)) if a != b), None)
        shared = shared[: min(len(shared), len(path)) if same is None else same]
    if EACH not in shared:
        return None
    return shared[: len(shared) - 1 - shared[::-1].index(EACH)]


def _from_item(path: DataPath) -> DataPath:
    """Return a path without the step into the list that is the whole document: its items are the records."""
    return path[1:] if path[:1] == (EACH,) else path


def _below(path: DataPath, way: DataPath) -> DataPath:
    return path[len(way) :] if way and path[: len(way)] == way else path
