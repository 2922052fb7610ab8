"""Importing: the cases of a file become sessions, each once, all of a file or nothing of it."""

from __future__ import annotations

import re
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, overload

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.containers import Content, Limits
from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import (
    Case,
    Loaded,
    Names,
    Record,
    Rejected,
    SilencesFound,
    TextAccount,
    load,
)
from turnwise.conversations.store import EarlierSessions, Kinship, Staging, Stakes, Store, file_source

RECORDS_BETWEEN_REPORTS = 50
SECONDS_OF_READING = 0.1
MOST_REJECTIONS = 1000
MOST_REMARKS = 20
MOST_FOLLOWED = 5_000
"""A file of more sessions than this is a log, whose sessions are complete when they are written."""
MOST_COMPARED = 1_000
"""With so many sessions of a file at most it is found out whether what came of it now goes on from them."""
_EACH = re.compile(r"\[\d+\]")


class SessionIds(Sequence[int]):
    """Ids in the order that they were added, held as runs of ids that follow each other.

    A file of half a million new sessions is one run: numbers of Python would take twenty megabytes.
    """

    __slots__ = ("_firsts", "_lasts")

    def __init__(self, ids: Iterable[int] = ()) -> None:
        self._firsts, self._lasts = array("q"), array("q")
        self.extend(ids)

    def append(self, session_id: int) -> None:
        """Add one."""
        if self._lasts and self._lasts[-1] + 1 == session_id:
            self._lasts[-1] = session_id
        else:
            self._firsts.append(session_id)
            self._lasts.append(session_id)

    def extend(self, ids: Iterable[int]) -> None:
        """Add several."""
        for session_id in ids:
            self.append(session_id)

    def __iter__(self) -> Iterator[int]:
        runs = zip(self._firsts, self._lasts, strict=True)
        return chain.from_iterable(range(first, last + 1) for first, last in runs)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        left = place + len(self) if place < 0 else place
        for first, last in zip(self._firsts, self._lasts, strict=True):
            if 0 <= left <= last - first:
                return first + left
            left -= last - first + 1
        raise IndexError(f"There is no place {place} among {len(self):,} sessions")

    def __len__(self) -> int:
        return sum(self._lasts) - sum(self._firsts) + len(self._firsts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SessionIds):
            return NotImplemented
        return (self._firsts, self._lasts) == (other._firsts, other._lasts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"SessionIds({list(self)})"


class AkinSession(NamedTuple):
    """A new session beside an earlier one of the same file or id, and what it is to that."""

    session_id: int
    earlier: int
    kinship: Kinship


@dataclass(slots=True)
class ImportReport:
    """What an import did.

    sessions: the ids of all sessions of the file, in its order, those that were there before included.
    grown: how many were brought up to date, of a source that is followed. format: the name of the one that
    the last record was read in. by_lines: whether every record stood on a line of its own.
    labels, scores, modes: how many came with them and were new; modes are failure modes of sessions.
    silent_sessions: those of the sessions in which the chatbot neither says nor does anything.
    failed: how many records could not be read. rejected: why, for the first thousand of them. remarks: what
    a person should know of what came in, each once, with the first place that it is true of. silences: where
    nobody wrote for long within a session. beside: new sessions that hold the same as others which the file
    gave before, or go on from one that has their id. at_stake: what would go with those others if they were
    forgotten, by what the new ones are to them. account: what became of every text, where that was asked.
    """

    imported: int = 0
    unchanged: int = 0
    updated: int = 0
    grown: int = 0
    sessions: SessionIds = field(default_factory=SessionIds)
    labels: int = 0
    scores: int = 0
    modes: int = 0
    silent_sessions: SessionIds = field(default_factory=SessionIds)
    failed: int = 0
    rejected: list[FormatError] = field(default_factory=list)
    remarks: dict[str, str] = field(default_factory=dict)
    silences: SilencesFound = field(default_factory=SilencesFound)
    beside: list[AkinSession] = field(default_factory=list)
    at_stake: dict[Kinship, Stakes] = field(default_factory=dict)
    format: str = ""
    by_lines: bool = True
    account: TextAccount | None = None

    @property
    def silent(self) -> int:
        """In how many of the sessions the chatbot neither says nor does anything."""
        return len(self.silent_sessions)

    def take_later(self, later: ImportReport) -> None:
        """Count what a later reading of the same sources did in; each session counts once, as it is now."""
        again = set(later.sessions)
        silent = [one for one in self.silent_sessions if one not in again]
        sessions = dict.fromkeys([*self.sessions, *later.sessions])
        self.join(later)
        self.sessions = SessionIds(sessions)
        self.silent_sessions = SessionIds(dict.fromkeys([*silent, *later.silent_sessions]))

    def remark(self, record: Loaded) -> None:
        """Keep what is to be known of a record; a thousand records of a file mostly say the same."""
        for remark in record.remarks:
            if len(self.remarks) < MOST_REMARKS:
                # A remark on one line or column of a file needs no other place.
                place = record.place.file if remark.startswith(("line ", "column ")) else record.place
                self.remarks.setdefault(_EACH.sub("[]", remark), f"{place}, {remark}")

    def note_kind(self, record: Loaded) -> None:
        """Keep how a record was read."""
        self.format = record.format
        self.by_lines = self.by_lines and record.place.line is not None

    def reject(self, error: FormatError) -> None:
        """Count a record that could not be read; a file of a million of them must still fit in memory."""
        self.failed += 1
        if len(self.rejected) < MOST_REJECTIONS:
            self.rejected.append(error)

    def join(self, other: ImportReport) -> None:
        """Count another file's report in."""
        self.imported += other.imported
        self.unchanged += other.unchanged
        self.updated += other.updated
        self.grown += other.grown
        self.sessions.extend(other.sessions)
        self.labels += other.labels
        self.scores += other.scores
        self.modes += other.modes
        self.silent_sessions.extend(other.silent_sessions)
        self.failed += other.failed
        self.remarks = {**other.remarks, **self.remarks}
        self.silences.join(other.silences)
        self.beside += other.beside
        for kinship, stakes in other.at_stake.items():
            self.at_stake[kinship] = self.at_stake.get(kinship, Stakes()) + stakes
        self.rejected += other.rejected[: MOST_REJECTIONS - len(self.rejected)]
        if other.account is not None:
            self.account = self.account or TextAccount()
            self.account.join(other.account)


def import_file(
    store: Store,
    source: Path | str | BinaryIO | Content,
    *,
    format: str | None = None,  # noqa: A002
    messages_key: str | None = None,
    mapping: Names | None = None,
    assistant: Sequence[str] = (),
    split_after: float | None = None,
    role: str | None = None,
    role_from_system: bool = False,
    at: float | None = None,
    followed: str = "",
    account: TextAccount | None = None,
    limits: Limits | None = None,
    on_progress: Callable[[ImportReport], None] | None = None,
    on_read: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Import a file, or standard input where source is "-": all of it, or nothing.

    While it comes in nothing of it is seen, and others can write. A second import waits for this one.

    mapping, assistant, split_after: names of speakers or columns, those of the chatbot, and the silence that
    parts conversations, as `load` takes them. role: what the chatbot is in all conversations of the file.
    role_from_system: take it from the system prompt. at: seconds since 1970 to note for all of them, now if
    None; files that are imported together share it, and so keep their order in lists. followed: names a
    source that is read again and again; conversations of it that have gone on since the last time are brought
    up to date, and are not doubled. account: takes in what becomes of every text of the file, and is then the
    report's. limits: as `load` takes them. on_progress: called now and then with the report so far; what it
    raises ends the import, and nothing of the file is kept. on_read: called once all of the file is read and
    nothing of it is kept yet; what it raises ends the import too. Raises NotFoundError, SettingError and
    FormatError as `load` does.
    """
    records = load(
        source,
        format=format,
        messages_key=messages_key,
        mapping=mapping,
        assistant=assistant,
        split_after=split_after,
        account=account,
        limits=limits,
    )
    return import_records(
        store,
        records,
        source=_shown(source),
        role=role,
        role_from_system=role_from_system,
        at=at,
        followed=followed,
        known_as="" if followed else _known_as(source),
        account=account,
        on_progress=on_progress,
        on_read=on_read,
    )


def import_records(
    store: Store,
    records: Iterator[Record],
    *,
    source: str,
    role: str | None = None,
    role_from_system: bool = False,
    at: float | None = None,
    followed: str = "",
    known_as: str = "",
    account: TextAccount | None = None,
    on_progress: Callable[[ImportReport], None] | None = None,
    on_read: Callable[[ImportReport], None] | None = None,
) -> ImportReport:
    """Import records that were read from somewhere: all of them, or nothing.

    source: where they came from, for people. known_as: names a source that may be read again, as `followed`
    does; what has gone on since stands beside the earlier session, and the report says so. account: the one
    that they were read with. The rest is as `import_file` has it; raises what reading raises.
    """
    report = ImportReport(account=account)
    at = time.time() if at is None else at
    named = followed or known_as
    earlier = EarlierSessions(store.growing, named) if named else None
    with store.imports.begin(came_from=source, at=at, read_again=bool(followed)) as (staging, kept):
        incoming = _Incoming(store, staging, source, at, report)
        waiting: list[Loaded] = []
        # What is read is gathered first, so that nobody waits for the database while a file is slow.
        for part in _parts(records):
            with staging.slice():
                for record in part:
                    match record:
                        case Loaded():
                            record.case = with_role(record.case, role=role, role_from_system=role_from_system)
                            report.note_kind(record)
                            if earlier is None:
                                incoming.add(record)
                            elif followed and _may_have_grown(store, earlier, record.case):
                                waiting.append(record)
                            elif followed:
                                earlier.found_again(incoming.add(record))
                            else:
                                incoming.add_beside(record, earlier)
                        case Rejected():
                            report.format = report.format or record.format
                            report.reject(record.error)
                    staging.breathe()
            if on_progress is not None:
                on_progress(report)
        # Only now it is known which of the earlier ones are no longer there as they were.
        for record in waiting:
            with staging.slice():
                incoming.bring_up_to_date(record, earlier)
        if report.beside:
            # What still stands in the file as it was is nothing that another conversation goes on from.
            here = set(report.sessions)
            report.beside = [beside for beside in report.beside if beside.earlier not in here]
        if on_read is not None:
            on_read(report)
    for kinship in {beside.kinship for beside in report.beside}:
        ids = {beside.earlier for beside in report.beside if beside.kinship == kinship}
        report.at_stake[kinship] = store.forgetting.stakes(ids)
    report.labels, report.scores, report.modes = kept.labels, kept.scores, kept.modes
    if named and len(report.sessions) <= (MOST_FOLLOWED if followed else MOST_COMPARED):
        store.growing.note(named, report.sessions)
    return report


def _known_as(source: Path | str | BinaryIO | Content) -> str:
    """Return the name under which a file, or a file in a zip or tar, is known; empty for a stream."""
    path = Path(source) if isinstance(source, str) and source != "-" else source
    found = path if isinstance(path, Path) else getattr(path, "lies_at", None)
    return file_source(found) if isinstance(found, Path) else ""


def _shown(source: Path | str | BinaryIO | Content) -> str:
    """Return how lists of sessions call what they came from."""
    if isinstance(source, str | Path):
        return "standard input" if str(source) == "-" else Path(source).name
    return str(getattr(source, "short", None) or getattr(source, "name", None) or "stream")


def _may_have_grown(store: Store, earlier: EarlierSessions, case: Case) -> bool:
    if isinstance(case, LLMTestCase) or store.sessions.of_content(case) is not None:
        return False
    return earlier.might_be(case)


@dataclass(frozen=True, slots=True)
class _Incoming:
    """A file that is coming in, and what is told of it."""

    store: Store
    staging: Staging
    source: str
    at: float
    report: ImportReport

    def add(self, record: Loaded) -> int:
        """Keep a record, and return its session."""
        added = self.store.sessions.add(
            record.case, source=self.source, format=record.format, created_at=self.at, origin=record.origin
        )
        self.report.imported += added.what == "new"
        self.report.unchanged += added.what == "unchanged"
        self.report.updated += added.what == "updated"
        self.staging.there_before += added.what != "new"
        self._note(record, added.session_id)
        return added.session_id

    def add_beside(self, record: Loaded, earlier: EarlierSessions) -> None:
        """Keep a record, and note the earlier session that holds the same, if it is a new one."""
        new = self.report.imported
        session_id = self.add(record)
        if self.report.imported == new or isinstance(record.case, LLMTestCase):
            return
        akin = earlier.akin(record.case) or earlier.elsewhere(record.case, before=session_id)
        if akin is not None:
            before, kinship = akin
            self.report.beside += [AkinSession(session_id, one, kinship) for one in before]

    def bring_up_to_date(self, record: Loaded, earlier: EarlierSessions | None) -> None:
        """Let the session that a conversation continues be what it is now; where none is, add it."""
        case = record.case
        if earlier is None or isinstance(case, LLMTestCase) or (before := earlier.continued_by(case)) is None:
            self.add(record)
            return
        self.store.growing.grow(before, case, record.origin.turn_times if record.origin else ())
        earlier.found_again(before)
        self.report.grown += 1
        self._note(record, before)

    def _note(self, record: Loaded, session_id: int) -> None:
        self.report.sessions.append(session_id)
        if not has_reply(record.case):
            self.report.silent_sessions.append(session_id)
        self.report.silences.add(record.silences, record.place.file)
        self.report.remark(record)
        if record.labels or record.scores or record.modes:
            self.staging.note_findings(
                session_id, labels=record.labels, scores=record.scores, modes=record.modes
            )


def has_reply(case: Case) -> bool:
    """Return whether the chatbot says or does anything, so that there is something to judge."""
    if isinstance(case, LLMTestCase):
        return bool((case.actual_output or "").strip() or case.tools_called)
    replies = (turn for turn in case.turns if turn.role == "assistant")
    return any(
        turn.content.strip() or turn.tools_called or turn.mcp_tools_called or turn.audio for turn in replies
    )


def _parts(records: Iterator[Record]) -> Iterator[list[Record]]:
    """Yield records as they are read, those of a tenth of a second together, and fifty at most."""
    part: list[Record] = []
    began = time.monotonic()
    for record in records:
        part.append(record)
        if len(part) == RECORDS_BETWEEN_REPORTS or time.monotonic() - began > SECONDS_OF_READING:
            yield part
            part = []
            began = time.monotonic()
    if part:
        yield part


def with_role(case: Case, *, role: str | None = None, role_from_system: bool = False) -> Case:
    """Return the case with a chatbot role; unchanged where nothing gives it one.

    role: the role in plain words; it takes the place of the case's own. role_from_system: take the text of
    the first system or developer message, where the case has no role of its own.
    A single exchange has no place for a role, so with a role text it becomes a conversation of one exchange.
    """
    given = role.strip() if role else ""
    if isinstance(case, LLMTestCase):
        if not given:
            return case
        return ConversationalTestCase(turns=[case], name=case.name, tags=case.tags, chatbot_role=given)
    if not given and role_from_system and not (case.chatbot_role or "").strip():
        given = _system_text(case)
    return case.model_copy(update={"chatbot_role": given}) if given else case


def _system_text(case: ConversationalTestCase) -> str:
    spoken = (turn.content.strip() for turn in case.turns if turn.role in ("system", "developer"))
    return next((text for text in spoken if text), "")
