"""Why a file is in no format that is read, in words: what it looks like, and what its owner can do."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from turnwise.conversations.errors import FormatError, NoConversationsError, UnknownFormatError
from turnwise.conversations.formats.foreign import kind_of_foreign
from turnwise.conversations.formats.format import Format, Options
from turnwise.conversations.formats.mapped import as_mapping, guessed_mapping, is_data, sample_of
from turnwise.conversations.formats.sources import HEAD, Source
from turnwise.conversations.formats.suite_files import tool_of
from turnwise.conversations.formats.unread import refused_as, unread_file


def unknown_file(source: Source, formats: Sequence[Format], options: Options) -> FormatError:
    """Word that a file is in none of the formats: by its name where it is known and not read."""
    if (known := unread_file(source)) is not None:
        return refused_as(source, known)
    supported = ", ".join(known.name for known in formats)
    return UnknownFormatError.of(
        kind_of_foreign(source),
        f"{source.name} is in no format that turnwise can tell",
        detail=f"{source.name}: {_looks(source)}\nTried, and all that there are: {supported}.",
        next_step=_next_step(source, options),
    )


def _told_by_shape(source: Source) -> str:
    """Return the command that says where the messages are likely to stand; empty where nothing looks so."""
    if not is_data(source) or not (guessed := guessed_mapping(sample_of(source))):
        return ""
    messages = guessed.pop("messages", None)
    listed = ("--messages", messages) if messages else ()
    mapped = ("--map", as_mapping(guessed)) if guessed else ()
    return shlex.join(["turnwise", "import", source.name, *listed, *mapped])


def refuse_tests(source: Source) -> None:
    """Raise FormatError where a file holds tests, in which nobody has answered yet."""
    tool = tool_of(source.head, source.suffix, whole=source.size <= HEAD)
    if tool is not None:
        raise NoConversationsError.of(
            f"tests for {tool}",
            f"{source.name} holds tests, not conversations",
            detail=f"{source.name}: it is written for {tool}, and its questions have no answers yet.",
            next_step="Run it, which keeps every answer as a session: turnwise run FILE.",
        )


def _next_step(source: Source, options: Options) -> str:
    if not options.messages_key and not options.mapping and (command := _told_by_shape(source)):
        return f"If these are its messages, say where they stand: {_shown(command)}"
    if options.mapping:
        return "Check the names given with --map, or leave it out for a file that needs none."
    if source.kind == "text":
        return "Name its format, or say with --map who speaks in it or what its columns are, or convert it."
    if source.kind == "jsonl" and not source.sample:
        return "Check that the program that wrote it had finished, or convert it to one of these."
    return "Name its format, or the list that holds its messages, or convert it to one of these."


def _looks(source: Source) -> str:
    """Say what a file looks like, so that its owner sees what was not found."""
    if source.kind == "binary":
        return "the content is not text."
    if source.kind == "text":
        return "the content is text that is neither JSON nor a table with known columns."
    shape = "JSON Lines" if source.kind == "jsonl" else "JSON"
    if not source.sample:
        return f"it should be {shape}, and none of its first lines can be read as that."
    first = source.sample[0]
    if isinstance(first, list):
        shape += f", a list of {len(first)}" if source.is_small else ", a list"
        first = first[0] if first else None
    if not isinstance(first, dict):
        return f"the content is {shape}; its first record is {_kind_of(first)}."
    names = [f"{_shown(name)} ({_kind_of(item)})" for name, item in list(first.items())[:12]]
    return f"the content is {shape}; its first record holds {', '.join(names) or 'nothing'}."


def _shown(name: str) -> str:
    # A name comes from the file, and may hold what a terminal would obey.
    return name if name.isprintable() else ascii(name)


def _kind_of(value: Any) -> str:
    kinds = {str: "a text", bool: "true or false", int: "a number", float: "a number", list: "a list"}
    return "null" if value is None else kinds.get(type(value), "an object")
