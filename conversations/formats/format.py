"""A format, and what reading it gives: records, each a loaded case or a rejection, with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError, FormatError, UnknownChatbotError
from turnwise.conversations.findings import FoundMode, Label, Origin, PastScore
from turnwise.conversations.formats.silences import Silence
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import Names, names_told

Case = LLMTestCase | ConversationalTestCase


class Place(NamedTuple):
    """Where in a file a record stands.

    line: from 1, in files read by line. number: from 1, over the records of the file (the rows of a table).
    within: the name of the list that holds the record, where the file has several. unit: what the
    number counts.
    """

    file: str
    line: int | None = None
    number: int | None = None
    within: str = ""
    unit: str = "case"

    def __str__(self) -> str:
        return ", ".join(part for part in (self.file, self.within_file) if part)

    @property
    def within_file(self) -> str:
        """The place without the name of the file; empty where that is all."""
        parts = [self.within] if self.within else []
        if self.number is not None:
            parts.append(f"{self.unit} {self.number}")
        if self.line is not None:
            parts.append(f"line {self.line}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Contents:
    """A case with what the file says was found about it.

    origin: of a session that turnwise exported. remarks: what a person should know of it, with its field.
    silences: where nobody wrote for long in it, so that it may be several, unless it was told where to cut.
    """

    case: Case
    labels: tuple[Label, ...] = ()
    scores: tuple[PastScore, ...] = ()
    origin: Origin | None = None
    modes: tuple[FoundMode, ...] = ()
    remarks: tuple[str, ...] = ()
    silences: tuple[Silence, ...] = ()


@dataclass(slots=True)
class Loaded:
    """A case that was read, where it stands, and the name of the format it was read in.

    labels, scores, origin, modes, remarks, silences: as Contents has them. raw: the value of the file that it
    alone was made of, which is looked through for words that no turn has; None where several were made of one
    value, or one of several.
    """

    case: Case
    place: Place
    format: str = ""
    labels: tuple[Label, ...] = ()
    scores: tuple[PastScore, ...] = ()
    origin: Origin | None = None
    modes: tuple[FoundMode, ...] = ()
    remarks: tuple[str, ...] = ()
    silences: tuple[Silence, ...] = ()
    raw: Any = None


@dataclass(slots=True)
class Rejected:
    """A record that could not be read, where it stands and why; the rest of the file still loads.

    format: the name of the format it was read in.
    """

    error: FormatError
    place: Place
    format: str = ""


Record = Loaded | Rejected


def attempt(build: Callable[[Any], Case | Contents], value: Any, place: Place) -> Record:
    """Build a case out of a value; a ValueError or CaseError becomes a rejection that names the place."""
    try:
        made = build(value)
        if isinstance(made, Contents):
            return Loaded(
                made.case,
                place,
                labels=made.labels,
                scores=made.scores,
                origin=made.origin,
                modes=made.modes,
                remarks=made.remarks,
                silences=made.silences,
            )
        return Loaded(made, place)
    except UnknownChatbotError as error:
        # What is to be said stands in its next step, and in nothing that could be corrected in the file.
        error.detail = f"{place}, {error.detail}"
        return Rejected(error, place)
    except CaseError as error:
        return rejected(place, error.detail)
    except ValueError as error:
        return rejected(place, str(error))


def rejected(place: Place, problem: str) -> Rejected:
    """Reject the record at a place; each line of the problem says field, what was expected, and got."""
    error = FormatError(
        f"Not loaded: {place}",
        detail="\n".join(f"{place}, {line}" for line in problem.split("\n")),
        next_step="Correct it in the file and load the file again.",
    )
    error.file, error.where = place.file, place.within_file
    return Rejected(error, place)


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader of the file was told about it.

    messages_key: the name under which each record holds its messages; None to find it by shape.
    mapping: for a role or a field, the names that the file has for it: speakers or columns.
    assistant: the names of the speakers who are the chatbot. split_after: after so many seconds of silence a
    chat or transcript goes on as another conversation; None to keep it in one.
    """

    messages_key: str | None = None
    mapping: Names = field(default_factory=dict)
    assistant: tuple[str, ...] = ()
    split_after: float | None = None

    @property
    def speakers(self) -> Names:
        """The names of speakers by role, whichever way they were told."""
        return names_told(self.mapping, self.assistant)


class Shape(NamedTuple):
    """One shape that files of a format have, as the table of `docs/reference/formats.md` tells users.

    name: what people call it. read: what of it becomes sessions and turns. rest: what becomes of everything
    else in it. since: the version of turnwise that reads it first.
    """

    name: str
    read: str
    rest: str = "metadata of the session and of its turns"
    since: str = "0.1.0"


@dataclass(frozen=True, slots=True)
class Format:
    """One format: how to tell it, and how to read it.

    name: as given on the command line. title: what it is, with the kinds of file. sniff: how surely a source
    is in this format, from 0 (it is not) to 1, by its content; where two agree the first in the registry is
    taken. read: yields the records, streaming; raises FormatError where the whole source is broken.
    takes_messages_key: whether `Options.messages_key` means something to it. sniff_mapped: like sniff, for a
    source of which `Options.mapping` was told; None where a mapping means nothing to the format.
    takes_assistant: whether `Options.assistant` means something to it, as where people write to one another.
    takes_silence: whether `Options.split_after` means something to it.
    claims: whether a zip with files of these names (`a/b.json`) is one file of this format, whose reader
    finds them in `Source.archive`; any other zip is a container of files, each read by itself.
    shapes: what people have in this format, each with what is read of it; the reference is made from them.
    reads_feedback: whether it reads itself what people and programs found; else the feedback that the
    metadata of its cases and turns hold becomes labels and scores, see `feedback_entries.py`.
    lines_stand_alone: whether of JSON Lines every line is a conversation of its own, whatever stands before
    it, so that lines which are added to a file can be read by themselves.
    """

    name: str
    title: str
    sniff: Callable[[Source], float]
    read: Callable[[Source, Options], Iterator[Record]]
    takes_messages_key: bool = False
    sniff_mapped: Callable[[Source, Options], float] | None = None
    takes_assistant: bool = False
    takes_silence: bool = False
    claims: Callable[[Sequence[str]], bool] | None = None
    reads_feedback: bool = False
    lines_stand_alone: bool = False
    shapes: tuple[Shape, ...] = ()
