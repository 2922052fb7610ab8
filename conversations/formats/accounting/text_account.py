"""TextAccount: what became of every text of a file, by comparing what was read with what was made of it.

It knows no format. Every text that a reader takes from its source waits until it is found in a session, in a
turn or in the metadata; what is found in none was left out. A text may have been joined with others or cut
into lines on its way, so its lines are looked for too. Texts wait no longer than until the next record where
every record is made of one value, so that a file of any size is accounted for in the same memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal

from turnwise.conversations.formats.accounting.texts_of_files import TAG, json_in, texts_in
from turnwise.conversations.formats.accounting.texts_of_records import kept_texts, lines_of, named
from turnwise.conversations.formats.format import Loaded, Record
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import role_of
from turnwise.conversations.formats.times import iso_time

Became = Literal["turn", "metadata", "left out"]
NOT_LOADED = "not loaded"
"""Begins the note of what was left out with its record; why that was stands behind it."""
_MOST_PLACES = 2_000
_OTHERS = "(other keys)"
_WHOLE = {"": "(the text itself)", "[]": "(the whole row)"}
"""What is said of texts that no key leads to: of a text alone, and of a list of them, as rows are."""
_MOST_LOOKED_AT = 4_000
"""Texts that are looked for line by line once a record is made; those of larger records wait for the end."""
_NUMBERED = re.compile(r"\[\d+\]")
_HEAD = re.compile(r"(?<=[:>\])*#|-])\s+")
"""What parts who speaks, or when, from what is said in a line."""
_MOST_HEADS = 6
_MARKS = (";", "|", ", ")
"""What parts the texts of a list that is written as one text."""
_SHORTEST_PART = 8
"""Characters; a shorter text may stand within another by chance."""


@dataclass(frozen=True, slots=True)
class TextFate:
    """What became of the texts under the same keys: in a turn, in metadata or left out; and where, or why."""

    became: Became
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Keys of a file, what became of texts there, and how many characters these have."""

    path: str
    fate: TextFate
    characters: int


@dataclass(slots=True)
class _Waiting:
    path: str
    text: str
    at: int | None


@dataclass(slots=True)
class TextAccount:
    """The texts of one import, or of one file of it, by what became of them."""

    places: dict[tuple[str, TextFate], int] = field(default_factory=dict)
    _waiting: dict[str, list[_Waiting]] = field(default_factory=dict)
    _fresh: list[_Waiting] = field(default_factory=list)
    _kept: dict[str, TextFate] = field(default_factory=dict)
    _why: dict[int | None, str] = field(default_factory=dict)
    _before: dict[tuple[str, TextFate], int] = field(default_factory=dict)
    _heard: int = 0
    _last: int = 0
    _made_since: bool = False

    # What a reader tells

    def hear(self, value: Any, at: int | None) -> None:
        """Take in a value that was read. at: its number in the file; what was read before is not taken."""
        if at is not None:
            if at <= self._last:
                return
            self._last = at
        self._heard += 1
        if self._made_since:
            self._fresh, self._made_since = [], False
        for path, text in texts_in(value):
            one = _Waiting(path, text, at)
            self._waiting.setdefault(named(text), []).append(one)
            self._fresh.append(one)

    def note(self, record: Record) -> None:
        """Take in what was made of what was read last."""
        self._made_since = True
        if not isinstance(record, Loaded):
            detail = record.error.detail.partition("\n")[0].removeprefix(f"{record.place}, ")
            self._reject(
                record.place.line or record.place.number, f"{NOT_LOADED}: {detail or record.error.title}"
            )
            return
        kept = _named_texts(record)
        for name, fate in kept.items():
            for one in self._waiting.pop(name, ()):
                self._count(one, fate)
        is_small = len(self._fresh) <= _MOST_LOOKED_AT
        left = [one for one in self._fresh if self._waits(one)] if is_small else []
        if left:
            self._look_closer(left, kept, "\n".join(kept))
        if not is_small or not self._heard:
            self._kept |= kept

    def close(self, source: Source, format_name: str) -> None:
        """End the account of a file: what waits for a session by now is left out."""
        source.listener = None
        if not self._heard:
            for at, value in enumerate(_values_of(source), start=1):
                self.hear(value, at)
            self._find_kept()
        elif self._kept:
            self._find_kept()
        left = [one for ones in self._waiting.values() for one in ones]
        words = {one.path for one in left if one.at in self._why or role_of(one.text) is None}
        # Where nothing but names of roles is left, such as "Bot", these were read as who speaks.
        for one in [one for one in left if one.path in words]:
            self._count(one, TextFate("left out", self._why.get(one.at, f"not read by {format_name}")))
        self._forget()

    def refuse(self, size: int, why: str) -> None:
        """Count a file as left out that brings nothing in. size: in bytes."""
        self._forget()
        self.places = dict(self._before)
        self.add("(the whole file)", TextFate("left out", why), max(1, size))

    def _forget(self) -> None:
        self._waiting, self._fresh, self._kept, self._why = {}, [], {}, {}
        self._heard = self._last = 0
        self._made_since = False

    def begin(self) -> None:
        """Begin with a file; what was accounted for before belongs to others."""
        self._forget()
        self._before = dict(self.places)

    # What is asked of it

    def join(self, other: TextAccount) -> None:
        """Add the account of another file."""
        for (path, fate), characters in other.places.items():
            self.add(path, fate, characters)

    @property
    def characters(self) -> int:
        """How many characters all texts have."""
        return sum(self.places.values())

    def shares(self) -> dict[Became, float]:
        """Return what part of all characters became what; the parts add up to 1."""
        sums: dict[Became, int] = {"turn": 0, "metadata": 0, "left out": 0}
        for (_, fate), characters in self.places.items():
            sums[fate.became] += characters
        whole = sum(sums.values())
        if not whole:
            return {"turn": 1.0, "metadata": 0.0, "left out": 0.0}
        return {became: characters / whole for became, characters in sums.items()}

    def largest(self, *became: Became) -> list[TextPlace]:
        """Return the places of texts that became what is given, or of all, those of most characters first."""
        found = [
            TextPlace(path, fate, characters)
            for (path, fate), characters in self.places.items()
            if not became or fate.became in became
        ]
        return sorted(found, key=lambda place: (-place.characters, place.path))

    # How texts are found

    def _waits(self, one: _Waiting) -> bool:
        return any(one is other for other in self._waiting.get(named(one.text), ()))

    def _look_closer(self, left: Iterable[_Waiting], kept: dict[str, TextFate], joined: str) -> None:
        """Look for texts that were joined, cut or written otherwise on their way into a record."""
        for one in left:
            name = named(one.text)
            fate = self._fate_of(one.text, kept)
            if fate is None and len(name) >= _SHORTEST_PART and name in joined:
                fate = next((fate for text, fate in kept.items() if name in text), None)
            if fate is not None:
                self._drop(one)
                self._count(one, fate)

    def _fate_of(self, text: str, kept: dict[str, TextFate]) -> TextFate | None:
        """Return where a text is whose lines are there, or which says a moment in other words."""
        if (moment := iso_time(text)) is not None and moment in kept:
            return kept[moment]
        if "<" in text:
            text = unescape(TAG.sub("\n", text))
        lines = list(lines_of(text)) if "\n" in text.strip() else [text.strip()]
        cuts = (lines, *(text.split(mark) for mark in _MARKS if mark in text))
        return next((fate for pieces in cuts if (fate := _fate_of_all(pieces, kept)) is not None), None)

    def _find_kept(self) -> None:
        kept = self._kept
        for name in [name for name in self._waiting if name in kept]:
            for one in self._waiting.pop(name):
                self._count(one, kept[name])
        self._look_closer([one for ones in self._waiting.values() for one in ones], kept, "")

    def _drop(self, one: _Waiting) -> None:
        name = named(one.text)
        left = [other for other in self._waiting.get(name, ()) if other is not one]
        if left:
            self._waiting[name] = left
        else:
            self._waiting.pop(name, None)

    def _reject(self, at: int | None, why: str) -> None:
        """Leave out the texts of a value that was not loaded: now, where it is the last, else in the end."""
        if at is None or at != self._last:
            if len(self._why) < _MOST_PLACES:
                self._why[at] = why
            return
        for one in [one for one in self._fresh if one.at == at and self._waits(one)]:
            self._count(one, TextFate("left out", why))
            self._drop(one)

    def _count(self, one: _Waiting, fate: TextFate) -> None:
        self.add(one.path, fate, len(one.text))

    def add(self, path: str, fate: TextFate, characters: int) -> None:
        """Count so many characters of texts under the same keys, of which the same became."""
        place = (_WHOLE.get(path, path), fate)
        if place not in self.places and len(self.places) >= _MOST_PLACES:
            place = (_OTHERS, TextFate(fate.became))
        self.places[place] = self.places.get(place, 0) + characters


def _fate_of_all(pieces: Iterable[str], kept: dict[str, TextFate]) -> TextFate | None:
    """Return where the pieces of a text are, if all of them are somewhere."""
    found: TextFate | None = None
    for piece in pieces:
        fate = _fate_of_line(piece, kept) if piece.strip() else found
        if fate is None and piece.strip():
            return None
        if found is None or (fate is not None and fate.became == "turn"):
            found = fate
    return found


def _fate_of_line(line: str, kept: dict[str, TextFate]) -> TextFate | None:
    if (fate := kept.get(named(line))) is not None:
        return fate
    for count, head in enumerate(_HEAD.finditer(line)):
        if (fate := kept.get(named(line[head.end() :]))) is not None:
            return fate
        if count > _MOST_HEADS:
            break
    return None


def _named_texts(record: Loaded) -> dict[str, TextFate]:
    """Return where each text of a record is, and each line of it; a turn goes before the metadata."""
    kept: dict[str, TextFate] = {}
    for became, where, text in kept_texts(record):
        fate = TextFate("turn" if became == "turn" else "metadata", _NUMBERED.sub("[]", where))
        kept.setdefault(named(text), fate)
        for line in lines_of(text):
            kept.setdefault(named(line), fate)
    return kept


def _values_of(source: Source) -> Iterator[Any]:
    """Yield the values of a source whose reader tells nothing of what it reads."""
    if source.kind == "json" and source.is_small:
        yield source.document
    elif source.kind in ("json", "jsonl"):
        from turnwise.conversations.formats.json_records import json_values

        for value in json_values(source, is_part=lambda _: False, envelopes=frozenset()):
            yield getattr(value, "value", "")
    elif source.kind == "text":
        yield from source.lines()
    elif (archive := source.archive) is not None:
        for name in archive.names:
            with archive.open(name) as file:
                content = file.read(_LARGEST_MEMBER).decode("utf-8", "replace")
            yield from [content] if json_in(content.strip()) is not None else content.splitlines()


_LARGEST_MEMBER = 64_000_000
