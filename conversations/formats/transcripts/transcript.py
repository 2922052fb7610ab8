"""Transcripts as plain text and Markdown: a line begins with who speaks, and more lines may follow.

Several conversations in a file are parted by a rule (`---`) or by a heading after a blank line, and where it
was asked for by a silence, told by the times before what is said.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import NamedTuple

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import FormatError, SettingError
from turnwise.conversations.findings import Origin
from turnwise.conversations.formats.format import Contents, Format, Options, Place, Record, Shape, attempt
from turnwise.conversations.formats.messages import Fields
from turnwise.conversations.formats.silences import ends_of_silences, long_silences
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import (
    FIELDS,
    Names,
    nobody_named,
    role_of,
    roles_of,
    unknown_speakers,
    who_is_who,
)
from turnwise.conversations.formats.transcripts.lines import (
    Cast,
    SpeakerLabel,
    TranscriptLine,
    are_surely_speakers,
    both_sides,
    cast_of,
    lines_of,
    why_no_turn,
)
from turnwise.conversations.formats.transcripts.written_times import moments_of
from turnwise.conversations.texts import has_halves
from turnwise.conversations.turns import elapsed_since_first
from turnwise.conversations.words import counted

_MOST_BEFORE = 6
_LOOKS_LIKE_ONE = 0.4
_MOST_TOLD = 3
"""So many odd lines of a conversation are told, and how many more there are."""
_NO_TIMES = "--split-after: nothing to cut by, as no line begins with a time"


def _sniff(source: Source) -> float:
    return _sniff_mapped(source, Options())


def _sniff_mapped(source: Source, options: Options) -> float:
    mapping = options.speakers
    if source.kind != "text" or "\0" in source.head or set(FIELDS) & mapping.keys():
        return 0.0
    lines = list(lines_of(io.StringIO(source.head)))
    cast = cast_of(lines, mapping)
    if cast is None:
        return 0.0
    labels = [line.label is not None and line.label.style == cast.style for line in lines]
    first = labels.index(True) if True in labels else len(lines)
    if sum(not line.is_blank and not line.is_rule for line in lines[:first]) > _MOST_BEFORE:
        return 0.0
    if both_sides(cast.roles):
        return 0.7 if mapping or cast.style != "plain" or are_surely_speakers(lines, cast) else 0.0
    # Times before names, names that were told, and names that come again and again are signs of a chat,
    # whoever speaks; then the error says whom to name.
    if len(cast.names) > 1 and (cast.style == "stamped" or mapping):
        return _LOOKS_LIKE_ONE
    return 0.1 if _take_turns(lines, cast) else 0.0


def is_transcript(path: Path) -> bool:
    """Say whether a file looks like a transcript, by its beginning. Raises InputError where it is broken."""
    source = Source(path)
    try:
        return _sniff(source) >= _LOOKS_LIKE_ONE
    finally:
        source.close()


def _take_turns(lines: list[TranscriptLine], cast: Cast) -> bool:
    """Whether every name begins several lines, and names begin most of the lines."""
    names = [line.label.name for line in lines if line.label and line.label.style == cast.style]
    written = sum(not line.is_blank for line in lines)
    return (
        2 * len(names) > written and len(set(names)) > 1 and all(names.count(name) > 1 for name in set(names))
    )


def _read(source: Source, options: Options) -> Iterator[Record]:
    if fields := set(FIELDS) & options.mapping.keys():
        raise SettingError(
            f"A transcript has no column for {min(fields)}", next_step="Name its speakers: --map user=Anna"
        )
    cast = cast_of(lines_of(source.lines(escaped=True)), options.speakers)
    if cast is None or not cast.names:
        raise FormatError(
            f"{source.name} cannot be read",
            detail=f"{source.name}: expected lines that begin with who speaks, such as User: and Assistant:",
            next_step="Say who is who, for example: --map user=Anna,assistant=Bot",
        )
    given = [name for names in options.speakers.values() for name in names]
    absent = bool(given) and not any(_is_said(name, given) for name in cast.names)
    if options.assistant and not absent:
        # Whoever is the chatbot was said, so that the others talk to it.
        cast.roles.update(dict.fromkeys(cast.unknown, "user"))
        cast.unknown = []
    if absent:
        problem, next_step = nobody_named(cast.names)
        raise FormatError(
            f"Nobody knows who is who in {source.name}",
            detail=f"{source.name}: {problem}",
            next_step=next_step,
        )
    if cast.unknown:
        raise unknown_speakers(source.name, source.name, cast.unknown, cast.roles, cast.turns)
    parts = _parts(lines_of(source.lines(escaped=True)), cast)
    if options.split_after is not None:
        parts = _between_silences(parts, options.split_after)
    first = list(islice(parts, 2))
    if len(first) == 1 and first[0].unread_line:
        raise source.broken(_unread(first[0].unread_line))
    for number, part in enumerate(chain(first, parts), start=1):
        place = Place(source.name, part.line, number)
        yield attempt(lambda found: _contents_of(found, cast, options), part, place)


def _unread(line: int) -> str:
    return f"line {line}: expected text in UTF-8; got other bytes"


def _is_said(name: str, given: list[str]) -> bool:
    return not roles_of([name], {"user": given})[1]


def case_of_text(text: str, given: Names) -> ConversationalTestCase:
    """Return the conversation that one text is. Raises ValueError where nobody is known to speak in it."""
    lines = list(lines_of(text.splitlines()))
    cast = cast_of(lines, given)
    if cast is None or cast.unknown:
        problem, next_step = who_is_who(cast.unknown if cast else ["nobody"], {})
        raise ValueError(f"{problem} ({next_step[0].lower()}{next_step[1:]})")
    part = _Part(1)
    for line in lines:
        part.add(line, cast)
    return _case_of(part, cast)


class _Said(NamedTuple):
    """A turn. more: the lines after the one that it begins in. line: the number of that one.

    odd: of the lines after it those that begin like a turn of their own, each with what is odd about it.
    """

    label: SpeakerLabel
    more: list[str]
    line: int
    odd: list[tuple[int, str]]


@dataclass(slots=True)
class _Part:
    """The lines of one conversation. line: where it begins. before: what stands above the first turn.

    unread_lines: the numbers of the lines with bytes that are no text.
    """

    line: int
    title: str = ""
    before: list[str] = field(default_factory=list)
    turns: list[_Said] = field(default_factory=list)
    unread_lines: list[int] = field(default_factory=list)

    @property
    def unread_line(self) -> int:
        """The number of the first line with bytes that are no text; 0 where there is none."""
        return self.unread_lines[0] if self.unread_lines else 0

    @property
    def moments(self) -> list[float | None]:
        """When each turn was said, in seconds; None where nobody knows."""
        return moments_of([said.label.time for said in self.turns])

    def add(self, line: TranscriptLine, cast: Cast) -> None:
        if has_halves(line.text):
            self.unread_lines.append(line.number)
        if line.label and cast.speaks(line):
            self.turns.append(_Said(line.label, [], line.number, []))
        elif self.turns:
            said = self.turns[-1]
            said.more.append(line.text)
            if cast.style == "stamped" and (problem := why_no_turn(line, said.label)):
                said.odd.append((line.number, problem))
        else:
            self.before.append(line.text)


def _parts(lines: Iterable[TranscriptLine], cast: Cast) -> Iterator[_Part]:
    """Yield the lines of every conversation; each ends where the next begins."""
    part = _Part(1)
    waiting: list[TranscriptLine] = []
    for line in lines:
        # Whether a rule or a heading parts two conversations is known when the next words come.
        if line.is_blank or (line.is_rule and not cast.decorated) or (line.title and not cast.speaks(line)):
            waiting.append(line)
            continue
        cut = _cut(waiting, cast) if cast.speaks(line) else None
        if cut is not None and part.turns and _begins(line, cast):
            for held in waiting[:cut]:
                part.add(held, cast)
            yield part
            part, waiting = _Part(waiting[cut].number), waiting[cut:]
        if cut is not None and not part.turns:
            waiting = _titled(part, waiting, cast)
        for held in (*waiting, line):
            if held.is_rule and not part.turns:
                continue
            part.add(held, cast)
        waiting = []
    for held in waiting:
        if not (held.is_rule or held.is_blank):
            part.add(held, cast)
    if part.turns or any(text.strip() for text in part.before):
        yield part


def _between_silences(parts: Iterable[_Part], silence: float) -> Iterator[_Part]:
    """Yield the pieces of every conversation between silences of so many seconds."""
    for part in parts:
        cuts = [place for place, _ in ends_of_silences(part.moments, silence)]
        for number, (start, end) in enumerate(pairwise([0, *cuts, len(part.turns)]), start=1):
            turns = part.turns[start:end]
            first = part.line if number == 1 else turns[0].line
            last = part.turns[end].line if end < len(part.turns) else math.inf
            yield _Part(
                first,
                part.title if number == 1 or not part.title else f"{part.title} ({number})",
                part.before if number == 1 else [],
                turns,
                [line for line in part.unread_lines if first <= line < last],
            )


def _begins(line: TranscriptLine, cast: Cast) -> bool:
    """Whether a conversation may begin with this turn."""
    return line.label is not None and cast.roles[line.label.name] not in ("tool",)


def _cut(waiting: list[TranscriptLine], cast: Cast) -> int | None:
    """Return at which of the pending lines the next conversation begins; None where none begins."""
    after_blank = True
    for position, line in enumerate(waiting):
        is_title = line.title and after_blank and (cast.style != "heading" or line.level < cast.level)
        if line.is_rule or is_title:
            return position
        after_blank = line.is_blank
    return None


def _titled(part: _Part, waiting: list[TranscriptLine], cast: Cast) -> list[TranscriptLine]:
    """Take the last heading as the conversation's title; return the lines that are left."""
    titles = [line for line in waiting if line.title]
    if not titles:
        return waiting
    part.title = titles[-1].title
    return [line for line in waiting if line is not titles[-1]]


def _contents_of(part: _Part, cast: Cast, options: Options) -> Contents:
    case = _case_of(part, cast)
    moments = part.moments
    remarks = _odd_lines(part, moments)
    origin = Origin(turn_times=tuple(elapsed_since_first(moments)))
    if options.split_after is None:
        silences = long_silences(moments, lambda place: f"line {part.turns[place].line:,}")
        return Contents(case, silences=silences, remarks=remarks, origin=origin)
    has_times = any(said.label.time for said in part.turns)
    return Contents(case, remarks=remarks if has_times else (*remarks, _NO_TIMES), origin=origin)


def _odd_lines(part: _Part, moments: Sequence[float | None]) -> tuple[str, ...]:
    """Return what a person should know of lines that were not read as they seem to be meant."""
    odd = [
        f"line {number:,} {problem}; it was read as more of line {said.line:,}"
        for said in part.turns
        for number, problem in said.odd
    ]
    wrong = [
        f"line {said.line:,} begins with {said.label.time}, which is no time; it was kept as it is written"
        for said, moment in zip(part.turns, moments, strict=True)
        if said.label.time and moment is None
    ]
    return tuple(told for found in (odd, wrong) for told in _first_ones(found))


def _first_ones(found: list[str]) -> list[str]:
    """Return the first of several remarks, the last of them with how many more there are."""
    shown = found[:_MOST_TOLD]
    if more := len(found) - len(shown):
        shown[-1] += f"; so it is with {counted(more, 'more line')}"
    return shown


def _case_of(part: _Part, cast: Cast) -> ConversationalTestCase:
    if part.unread_line:
        raise ValueError(_unread(part.unread_line))
    if not part.turns:
        raise ValueError("expected turns; got text in which nobody speaks")
    turns = [_turn(said, cast) for said in part.turns]
    if not any(turn["role"] in ("user", "assistant") for turn in turns):
        raise ValueError("expected a turn of a user or an assistant; got none")
    before = "\n".join(part.before).strip()
    return ConversationalTestCase(
        turns=turns, name=part.title or None, metadata={"before": before} if before else None
    )


def _turn(said: _Said, cast: Cast) -> Fields:
    label = said.label
    content = "\n".join([label.rest, *said.more]).strip("\n")
    turn: Fields = {"role": cast.roles[label.name], "content": content}
    if role_of(label.name) is None:
        turn["name"] = label.name
    if label.time:
        turn["metadata"] = {"time": label.time}
    return turn


FORMAT = Format(
    name="transcript",
    title="transcripts in which lines begin with who speaks (text, Markdown)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "transcripts",
            read="lines that begin with who speaks, and the lines after them; headings name conversations, "
            "and `--split-after` parts them by their times",
            rest="what stands above the first turn is kept under `before`; times are metadata of their turn",
        ),
    ),
    sniff_mapped=_sniff_mapped,
    takes_assistant=True,
    takes_silence=True,
)
