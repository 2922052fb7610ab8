"""What a person says of an unknown file while they say it: its records, paths to choose, first turns."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import InputError, SettingError, TurnwiseError, UnknownChatbotError
from turnwise.conversations.formats import Loaded, Names, Rejected, likeliest_chatbots, load, read_mapping
from turnwise.conversations.formats.mapped import (
    first_records,
    found_at,
    guessed_mapping,
    guessed_parts,
    parse_path,
    paths_in,
)
from turnwise.conversations.turns import Turn
from turnwise.conversations.words import counted, in_one_line

PARTS = ("messages", "role", "content", "time", "date", "tool_calls", "id", "name", "user", "assistant")
"""What may be said, in the order in which it is asked."""
OF_SPEAKERS = ("user", "assistant")
"""What is a speaker where it is said who speaks, else a path to what that one says."""
_OF_MESSAGES = ("role", "content", "time", "date", "tool_calls")
_MOST_TURNS = 40
_LONGEST_EXAMPLE = 60
_HINT = "Say where the messages stand, who speaks and what is said, or what is asked and answered."


class PathChoice(NamedTuple):
    """Something that a part may be: a path or a speaker, and what stands there in the first records."""

    text: str
    example: str


class FirstTurns(NamedTuple):
    """How the file reads as it is said now: turns of its first conversation, or what is wrong.

    remarks: what is to be known of what was read, such as times that cannot be.
    """

    turns: Sequence[Turn] = ()
    name: str = ""
    wrong: str = ""
    hint: str = ""
    asks_chatbot: bool = False
    remarks: Sequence[str] = ()


@dataclass(slots=True)
class MappingDraft:
    """The first records of a file, and what was said of them so far.

    parts: paths by part, and under `user` and `assistant` who is who; where nobody is said to speak, the
    paths to what each of them says. Empty where nothing was said.
    """

    file: str
    records: list[Any]
    parts: dict[str, str] = field(default_factory=dict)
    _found: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_file(cls, path: Path) -> MappingDraft | None:
        """Return the draft of a file with what its shape tells filled in; None where it is no data.

        Raises InputError where it cannot be read.
        """
        records = first_records(path)
        guessed = guessed_mapping(records)
        return cls(path.name, records, guessed, dict(guessed)) if records else None

    @property
    def text(self) -> str:
        """What was said, as --map takes it."""
        return ",".join(f"{part}={self.parts[part]}" for part in PARTS if self.parts.get(part))

    def can_say(self, text: str) -> bool:
        """Return whether all that a mapping says has a line here. Raises SettingError where it is none."""
        return all(part in PARTS and len(names) == 1 for part, names in read_mapping([text]).items())

    def take(self, text: str) -> None:
        """Take what a mapping says that was kept. Raises SettingError where it is none."""
        told = read_mapping([text])
        self.parts = {part: told[part][0] for part in PARTS if part in told}

    def fitting(self, kept: Mapping[str, str]) -> list[str]:
        """Return the names of those kept mappings by which the first records can be read."""
        return [name for name, text in kept.items() if self._fits(text)]

    def _fits(self, text: str) -> bool:
        try:
            first = _first_turns(self.records, read_mapping([text]))
        except SettingError:
            # It was written by hand, and is none.
            return False
        return bool(first.turns) or first.asks_chatbot

    def find_parts(self) -> None:
        """Fill in what the messages tell by their shape; what was found of other messages goes."""
        for part, path in self._found.items():
            if self.parts.get(part) == path:
                del self.parts[part]
        self._found = {
            part: path for part, path in guessed_parts(self._messages()).items() if not self.parts.get(part)
        }
        self.parts |= self._found

    def choices(self, part: str) -> list[PathChoice]:
        """Return what a part may be, the likeliest places first."""
        if part in OF_SPEAKERS and self.parts.get("role"):
            return self._speakers()
        if part == "messages":
            holders, lists = self.records, True
        else:
            is_inner = part in (*_OF_MESSAGES, *OF_SPEAKERS) and self.parts.get("messages")
            holders = self._messages() if is_inner else self.records
            lists = part == "tool_calls"
        paths = dict.fromkeys(path for holder in holders[:20] for path in paths_in(holder, lists=lists))
        return [PathChoice(path, self._example(holders, path)) for path in paths]

    def _messages(self) -> list[Any]:
        try:
            path = parse_path(self.parts.get("messages", ""))
        except InputError:
            return []
        lists = [item for record in self.records for item in found_at(record, path)]
        return [item for inner in lists for item in (inner if isinstance(inner, list) else [inner])]

    def _example(self, holders: Sequence[Any], path: str) -> str:
        for holder in holders:
            for found in found_at(holder, parse_path(path)):
                if isinstance(found, list):
                    return counted(len(found), "item")
                if found not in (None, ""):
                    return " ".join(str(found).split())[:_LONGEST_EXAMPLE]
        return ""

    def _speakers(self) -> list[PathChoice]:
        role = self.parts.get("role")
        if not role:
            return []
        try:
            path = parse_path(role)
        except InputError:
            return []
        holders = self._messages() if self.parts.get("messages") else self.records
        found = [item for holder in holders for item in found_at(holder, path)]
        words = Counter(
            item if isinstance(item, str) else json.dumps(item) for item in found if item is not None
        )
        # In the order in which an error names them, and the import asks for them.
        return [PathChoice(word, counted(words[word], "turn")) for word in likeliest_chatbots(words)[:20]]

    def relative(self, part: str, path: str) -> str:
        """Return a path from the record as a part takes it: parts of messages begin at the message."""
        way = f"{self.parts.get('messages', '')}[]."
        is_inner = part in (*_OF_MESSAGES, *OF_SPEAKERS) and self.parts.get("messages")
        return path.removeprefix(way) if is_inner else path

    def first_turns(self) -> FirstTurns:
        """Return how the first conversation reads now."""
        if not self.text:
            return FirstTurns(hint=_HINT)
        try:
            return _first_turns(self.records, read_mapping([self.text]))
        except SettingError as error:
            return FirstTurns(wrong=_words(error))


def _first_turns(records: Sequence[Any], mapping: Names) -> FirstTurns:
    """Return how the first conversation of records reads by a mapping."""
    try:
        stream = io.BytesIO(json.dumps(records).encode())
        record = next(iter(load(stream, format="mapped", mapping=mapping)), None)
    except UnknownChatbotError as error:
        names = ", ".join(name for name, _ in error.speakers[:6])
        return FirstTurns(hint=f"Who of them is the chatbot: {names}?", asks_chatbot=True)
    except (TurnwiseError, ValueError) as error:
        return FirstTurns(wrong=_words(error))
    if isinstance(record, Rejected):
        problem = record.error.detail.removeprefix(f"{record.place}, ")
        return FirstTurns(wrong=_in_words(problem.partition("\n")[0]))
    if not isinstance(record, Loaded) or not isinstance(record.case, ConversationalTestCase):
        return FirstTurns(wrong="There is no conversation in the first records.")
    return FirstTurns(record.case.turns[:_MOST_TURNS], record.case.name or "", remarks=record.remarks)


def _words(error: Exception) -> str:
    if not isinstance(error, TurnwiseError):
        return str(error)
    return _in_words(in_one_line(f"{error.title}\n{error.next_step}"))


def _in_words(told: str) -> str:
    """Return an error without the options of the command line, which are lines here."""
    for option, word in (("standard input", "the first records"), ("--messages ", ""), ("--map ", "")):
        told = told.replace(option, word)
    return told
