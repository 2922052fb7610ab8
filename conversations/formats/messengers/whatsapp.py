"""WhatsApp's exports of a chat as text, by Android and by iOS, alone or in a zip with its files.

A message begins with a date and a time as the phone writes them: `1/31/24, 9:15 PM - Anna: hi` on Android,
`[31.01.24, 21:15:00] Anna: hi` on iOS, with marks of direction and narrow spaces between; its further lines
follow as they are. Lines with a time and nobody's name tell what happened. Whether the day or the month comes
first is told by all dates together. Times have no zone, as the file names none. Shapes: "How to export your
chat history" of WhatsApp's help, and the readers of such files that whatstk and whatsapp-chat-parser publish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from turnwise.conversations.formats.format import Options, Place, Record, Shape
from turnwise.conversations.formats.messengers.chat_records import records_of_chats
from turnwise.conversations.formats.messengers.chats import (
    Chat,
    Utterance,
    chat_format,
)
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import role_of
from turnwise.conversations.formats.spoken import Fields
from turnwise.conversations.formats.transcripts import DateOrder, WrittenTime, date_numbers, date_order

_MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
_SPACE = r"[ \u00a0\u202f]"
_DATE = r"(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\.?"
_HALF = rf"(?:{_SPACE}?(?P<half>[AaPp])\.?{_SPACE}?[Mm]\.?)?"
_CLOCK = rf"(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?{_HALF}"
_BETWEEN = rf"(?:,{_SPACE}*|{_SPACE}+(?:à|às|at|klo|kl\.|um|a las|alle){_SPACE}+)"
_IOS = re.compile(rf"[{_MARKS}]*\[{_DATE}{_BETWEEN}{_CLOCK}\]{_SPACE}?(?P<rest>.*)", re.S)
# Without a comma it may be any transcript's time, unless it is written as phones alone write it.
_OLDER_IOS = re.compile(
    rf"[{_MARKS}]*\[(?=\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}{_SPACE}+\d{{1,2}}:\d\d:\d\d)"
    rf"{_DATE}{_SPACE}+{_CLOCK}\]{_SPACE}?(?P<rest>.*)",
    re.S,
)
_ANDROID = re.compile(
    rf"[{_MARKS}]*{_DATE}(?:{_BETWEEN}|{_SPACE}+){_CLOCK}{_SPACE}[-–]{_SPACE}(?P<rest>.*)", re.S
)
_SPEAKER = re.compile(rf"[{_MARKS}~ \u202f]*(?P<name>[^:\n\"“”]{{1,80}}?):(?:{_SPACE}(?P<text>.*)|$)", re.S)
_OMITTED = re.compile(r"<Media omitted>|(?:image|video|audio|sticker|GIF|document|Contact card) omitted")
_ATTACHED = re.compile(
    r"<attached: (?P<ios>[^<>\n]+)>|^(?P<android>[^\n]{1,200}?\.\w{2,5}) \(file attached\)", re.M
)
_EDITED = re.compile(rf"[{_MARKS} ]*<This message was edited>[{_MARKS} ]*$")
_SECRET = re.compile(r"\u200e.*end-to-end encrypted|Messages\b.{0,80}\bend-to-end encrypt", re.S)
_BEGINNING = 120
"""Characters of a line in which a time and a name stand, so that no line takes long whatever it holds."""


@dataclass(slots=True)
class _Entry:
    """One message, or what happened (name is empty). line: where it begins, from 1."""

    line: int
    stamp: WrittenTime
    name: str
    lines: list[str] = field(default_factory=list)


def _sniff(source: Source) -> float:
    if source.archive is not None or source.kind != "text" or "\0" in source.head:
        return 0.0
    lines = [line for line in source.head.splitlines()[:200] if line.strip()]
    entries = [entry for line in lines if (entry := _entry(line, 1)) is not None]
    names = {entry.name for entry in entries if entry.name}
    if not names or not lines or _entry(lines[0], 1) is None:
        return 0.0
    if all(role_of(name) for name in names):
        return 0.5  # Speakers that are called by their roles stand in a transcript that somebody wrote.
    return 0.9 if len(entries) > 1 else 0.75


def _claims(names: Sequence[str]) -> bool:
    return _text_in(names) is not None


def _text_in(names: Sequence[str]) -> str | None:
    """Return the text of the chat among the files of a zip, where there is one and no other text."""
    texts = [name for name in names if name.lower().endswith(".txt") and not name.startswith("__MACOSX")]
    called = [name for name in texts if name.endswith("_chat.txt") or "WhatsApp" in name]
    return called[0] if len(called) == len(texts) == 1 else None


def _read(source: Source, options: Options) -> Iterator[Record]:
    archive = source.archive
    if archive is None:
        chat = _chat(_entries(source.lines(heard=False)), source)
    else:
        name = _text_in(archive.names) or next(iter(archive.names), "")
        with archive.open(name) as file:
            lines = (line.decode("utf-8", "replace").lstrip("\ufeff") for line in file)
            chat = _chat(_entries(lines), source)
    yield from records_of_chats([chat], source, options)


def _entries(lines: Iterable[str]) -> list[_Entry | str]:
    """Return the messages; a line before the first of them as it stands."""
    entries: list[_Entry | str] = []
    for number, given in enumerate(lines, start=1):
        line = given.rstrip("\r\n")
        entry = _entry(line, number)
        if entry is not None:
            entries.append(entry)
        elif entries and isinstance(last := entries[-1], _Entry):
            last.lines.append(line)
        elif line.strip():
            entries.append(line)
    return entries


def _entry(line: str, number: int) -> _Entry | None:
    beginning = line[:_BEGINNING]
    found = _IOS.match(beginning) or _ANDROID.match(beginning) or _OLDER_IOS.match(beginning)
    if found is None:
        return None
    clock = (int(found["hour"]), int(found["minute"]), int(found["second"] or 0))
    written = line[: found.start("rest")].strip(f"{_MARKS} -–[]")
    half = (found["half"] or "").lower()
    stamp = WrittenTime(date_numbers(found["date"]), clock, half, written=written)
    rest = line[found.start("rest") :]
    spoken = _SPEAKER.match(rest[:_BEGINNING])
    if spoken is None:
        return _Entry(number, stamp, "", [rest])
    name = spoken["name"].strip(f"{_MARKS} \u00a0\u202f")
    text = rest[spoken.start("text") if spoken["text"] is not None else spoken.end() :]
    is_notice = _SECRET.match(text) is not None
    return _Entry(
        number, stamp, "" if is_notice else name, [rest.replace("\u200e", "") if is_notice else text]
    )


def _chat(entries: list[_Entry | str], source: Source) -> Chat:
    stem = PurePath(source.name).stem
    chat = Chat(Place(source.name), name=stem if "WhatsApp" in stem else None)
    before = [entry for entry in entries if isinstance(entry, str)]
    told = [entry for entry in entries if isinstance(entry, _Entry)]
    order = date_order([entry.stamp for entry in told])
    if before:
        chat.rest["before"] = "\n".join(before)
        source.hear(before, None)
    for entry in told:
        moment = _moment(entry.stamp, order)
        text, rest = _read_text("\n".join(line.lstrip(_MARKS) for line in entry.lines).rstrip("\n"))
        source.hear({"name": entry.name, "words": text}, None)
        if not entry.name:
            chat.happened({"text": text, "time": moment or entry.stamp.written})
            continue
        chat.said.append(Utterance(entry.name, text, moment or entry.stamp.written, rest, line=entry.line))
    return chat


def _read_text(text: str) -> tuple[str, Fields]:
    """Return the words of a message, and what its text tells beside them: files, and that it was edited."""
    rest: Fields = {}
    if (edited := _EDITED.search(text[-80:])) is not None:
        text = text[: len(text) - len(edited[0])]
        rest["edited"] = True
    files = [{"name": (found["ios"] or found["android"]).strip(_MARKS)} for found in _ATTACHED.finditer(text)]
    if not files and _OMITTED.fullmatch(text.strip(f"{_MARKS} ")):
        files = [{"name": text.strip(f"{_MARKS} ")}]
    if files:
        rest["files"] = files
    return text, rest


def _moment(stamp: WrittenTime, order: DateOrder) -> str | None:
    moment = stamp.day_in(order)
    return moment.isoformat() if moment else None


FORMAT = chat_format(
    "whatsapp",
    "exports of a chat of WhatsApp (text, or a zip with its files)",
    _sniff,
    _read,
    Shape(
        "exports of a chat of WhatsApp, by Android and iOS, as text or zip",
        read="messages with all their lines, in any of the phones' forms of date and time",
        rest="what happened under `events`; names of files, and that a message was edited, in its turn",
    ),
    claims=_claims,
)
