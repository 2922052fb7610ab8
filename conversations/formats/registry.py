"""The formats that turnwise reads, and the one way in: `load`.

A format is one module with a `FORMAT`, and one line here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, overload

from turnwise.conversations.containers import Content, Limits
from turnwise.conversations.errors import FormatError, NoConversationsError, SettingError
from turnwise.conversations.formats import mt_rag, own, preferences
from turnwise.conversations.formats.accounting import TextAccount, checked
from turnwise.conversations.formats.bots import BOTS
from turnwise.conversations.formats.deepeval import RESULTS, TEST_CASES
from turnwise.conversations.formats.evaluations import EVALUATIONS
from turnwise.conversations.formats.feedback_entries import read_feedback
from turnwise.conversations.formats.format import Format, Loaded, Options, Record
from turnwise.conversations.formats.mapped import MAPPED
from turnwise.conversations.formats.messages import (
    ANTHROPIC_MESSAGES,
    BATCHES,
    OPENAI_CHAT,
    ROWS,
    SHAREGPT,
)
from turnwise.conversations.formats.messengers import MESSENGERS
from turnwise.conversations.formats.refusals import refuse_tests, unknown_file
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.spans import TRACES
from turnwise.conversations.formats.speakers import Names
from turnwise.conversations.formats.tables import TABLE
from turnwise.conversations.formats.transcripts import TRANSCRIPT
from turnwise.conversations.formats.trees import TREES
from turnwise.conversations.formats.unread import is_document, refused_as, unread_file
from turnwise.conversations.words import did_you_mean

FORMATS: tuple[Format, ...] = (
    own.FORMAT,
    RESULTS,
    TEST_CASES,
    mt_rag.FORMAT,
    preferences.FORMAT,
    *TREES,
    *BOTS,
    *MESSENGERS,
    *EVALUATIONS,
    *TRACES,
    BATCHES,
    ANTHROPIC_MESSAGES,
    OPENAI_CHAT,
    ROWS,
    SHAREGPT,
    TRANSCRIPT,
    TABLE,
    MAPPED,
)


_LIKELY = 0.5
_HARDLY = 0.3
"""Below this a format is told by so little that the file may as well be of a kind that is not read."""
_UNASKED = "--assistant: not needed, as the file says itself who the chatbot is"
_UNCUT = "--split-after: cuts chats of messengers and transcripts with times alone, and this is neither"


def load(
    source: Path | str | BinaryIO | Content,
    *,
    format: str | None = None,  # noqa: A002
    messages_key: str | None = None,
    mapping: Names | None = None,
    assistant: Sequence[str] = (),
    split_after: float | None = None,
    limits: Limits | None = None,
    account: TextAccount | None = None,
) -> Iterator[Record]:
    """Read a file, or a stream of bytes, record by record in constant memory.

    source: a path, a binary stream, "-" for standard input, or contents such as a part of a file or a file in
    a container; what gzip, zstd, bzip2 or xz packed is unpacked. format: a format's name; by default it is
    told from the content. messages_key: the name under which each record holds its messages. mapping: names
    of speakers by role, or of columns by field, as `read_mapping` gives them. assistant: the names of the
    chatbot, where people write to one another and it is one of them. split_after: after so many seconds of
    silence a chat or transcript goes on as another conversation. limits: what may come out of what is packed
    at most. account: takes in what becomes of every text of the file.

    Each item is a Loaded case or a Rejected record. Raises, at once or while iterating, NotFoundError for a
    missing file, SettingError for a format or option that means nothing, and FormatError where the file as a
    whole cannot be read: then what came before it is only a part.
    """
    options = Options(
        messages_key=messages_key,
        mapping=mapping or {},
        assistant=tuple(assistant),
        split_after=split_after,
    )
    opened = Source(stream_or_path(source), limits)
    if account is not None:
        account.begin()
    try:
        chosen = _named(format, options) if format else _sniffed(opened, options)
    except BaseException as error:
        if account is not None and isinstance(error, FormatError):
            account.refuse(opened.size, error.title)
        opened.close()
        raise
    return _records(opened, chosen, options, account)


def _records(
    source: Source, chosen: Format, options: Options, account: TextAccount | None
) -> Iterator[Record]:
    empty = True
    if account is not None:
        source.listener = account.hear
    try:
        for made in chosen.read(source, options):
            record = _completed(made, chosen, options) if isinstance(made, Loaded) else made
            record.format = chosen.name
            if empty and source.encoding is not None and isinstance(record, Loaded):
                told = f"the text of the file is in {source.encoding.said}, and was read as that"
                record.remarks = (*record.remarks, told)
            if empty and isinstance(record, Loaded):
                record.remarks = (*record.remarks, *source.remarks)
            empty = False
            if account is not None:
                account.note(record)
            yield record
        if account is not None:
            account.close(source, chosen.name)
    except OSError as error:
        raise source.unreadable(error) from None
    except FormatError as error:
        if account is not None:
            account.refuse(source.size, error.title)
        raise
    finally:
        source.close()
    if empty:
        raise NoConversationsError.of(
            "a file without records",
            f"{source.name} holds no records",
            detail=f"{source.name}: expected at least one record of {chosen.title}; got none.",
            next_step="Check that it is the right file.",
        )


def _completed(record: Loaded, chosen: Format, options: Options) -> Record:
    """Return a record with what is the same for all formats: the check for words in no turn, and feedback."""
    record.format = chosen.name
    found = checked(record)
    if isinstance(found, Loaded):
        if not chosen.reads_feedback:
            read_feedback(found)
        if options.assistant and not chosen.takes_assistant:
            found.remarks = (*found.remarks, _UNASKED)
        if options.split_after and not chosen.takes_silence:
            found.remarks = (*found.remarks, _UNCUT)
    return found


@overload
def stream_or_path(source: Path | str | BinaryIO) -> Path | BinaryIO: ...
@overload
def stream_or_path(source: Path | str | BinaryIO | Content) -> Path | BinaryIO | Content: ...
def stream_or_path(source: Path | str | BinaryIO | Content) -> Path | BinaryIO | Content:
    """Return what is read where somebody names it; "-" is standard input."""
    if str(source) == "-":
        return sys.stdin.buffer
    return Path(source) if isinstance(source, str) else source


def _named(name: str, options: Options) -> Format:
    names = [known.name for known in FORMATS]
    if name not in names:
        raise SettingError(
            f"There is no format {name}",
            detail=f"Formats: {', '.join(names)}.",
            next_step=did_you_mean(name, names) or "Give one of these names.",
        )
    chosen = FORMATS[names.index(name)]
    if options.messages_key and not chosen.takes_messages_key:
        raise SettingError(
            f"The format {name} takes no name for its messages",
            next_step="Leave out the name of the messages, or give a format of chat messages.",
        )
    if options.mapping and chosen.sniff_mapped is None:
        raise SettingError(
            f"The format {name} has names of its own, and takes no others",
            next_step="Leave out --map, or give the format of a transcript or a table.",
        )
    return chosen


def _sniffed(source: Source, options: Options) -> Format:
    able = [
        known
        for known in FORMATS
        if (known.takes_messages_key or not options.messages_key)
        and (known.sniff_mapped or not options.mapping)
    ]
    if (claiming := _claimed(source)) is not None:
        return claiming
    if not options.messages_key and not options.mapping:
        refuse_tests(source)
    found = [(_sniff(known, source, options), known) for known in able]
    best, chosen = max(found, key=lambda item: item[0])
    if 0 < best < _HARDLY and (known := unread_file(source)) is not None:
        raise refused_as(source, known)
    if best > 0:
        return chosen
    raise unknown_file(source, FORMATS, options)


def _claimed(source: Source) -> Format | None:
    """Return the format whose one file a zip is. Raises NoConversationsError for any other zip."""
    if source.archive is None:
        return None
    names = source.archive.names
    if (found := _claiming(names)) is not None:
        return found
    if (known := unread_file(source)) is not None:
        raise refused_as(source, known)
    raise NoConversationsError.of(
        "a zip",
        f"{source.name} is a zip with {len(names):,} files, which are read one by one",
        next_step="Bring in what it holds: turnwise import FILE.",
    )


def claims(names: Sequence[str]) -> bool:
    """Return whether an archive with files of these names is one file: of a format, or of another program."""
    return _claiming(names) is not None or is_document(names)


def _claiming(names: Sequence[str]) -> Format | None:
    return next((known for known in FORMATS if known.claims is not None and known.claims(names)), None)


def _sniff(known: Format, source: Source, options: Options) -> float:
    is_told = options.mapping or options.messages_key or (options.assistant and known.takes_assistant)
    if known.sniff_mapped and is_told:
        return known.sniff_mapped(source, options)
    # Whoever names the list of messages need not be told whether there are any.
    return _LIKELY if options.messages_key else known.sniff(source)
