"""Export: one format that conversations go out in, and what it is given to write.

That is a SessionSelection, each a StoredSession with all that is known of it.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeVar, get_args

from turnwise.conversations.errors import DamageError, NotFoundError
from turnwise.conversations.findings import FoundMode, Origin, PastScore
from turnwise.conversations.store import (
    CallRow,
    Event,
    LabelRow,
    ScoreRow,
    SessionAbout,
    SessionRow,
    TurnRow,
    VerdictRow,
    hyperparameters_of,
    standing_labels,
)

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
    from turnwise.conversations.store import Store


T = TypeVar("T")
_AT_ONCE = 200
_TAG_MARK = chr(31)
RowsWord = Literal["turns", "sessions", "scores"]
ROWS: tuple[RowsWord, ...] = get_args(RowsWord)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as it is stored.

    scores and labels: all there ever were, oldest first. about: what is said beside its words. modes: the
    failure modes that people gave it and that stand.
    """

    row: SessionRow
    case: ConversationalTestCase | LLMTestCase
    turns: Sequence[TurnRow]
    scores: Sequence[ScoreRow]
    labels: Sequence[LabelRow]
    about: SessionAbout = field(default_factory=SessionAbout)
    modes: Sequence[FoundMode] = ()

    @property
    def is_exchange(self) -> bool:
        """Whether it is a single exchange and no conversation."""
        from turnwise.conversations.cases import LLMTestCase

        return isinstance(self.case, LLMTestCase)

    @property
    def conversation(self) -> ConversationalTestCase:
        """The case as a conversation; a single exchange becomes one of two turns."""
        from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase

        if isinstance(self.case, LLMTestCase):
            return ConversationalTestCase(turns=[self.case], name=self.case.name, tags=self.case.tags)
        return self.case

    @property
    def name(self) -> str:
        """The name in full; lists cut a long one."""
        return self.case.name or self.row.name

    @property
    def newest_scores(self) -> list[ScoreRow]:
        """The newest outcome per metric and exchange."""
        return list({(score.metric, score.exchange): score for score in self.scores}.values())

    @property
    def newest_labels(self) -> list[LabelRow]:
        """What each author says by now of the session, its turns and metrics; less what was taken back."""
        return standing_labels(self.labels)

    def verdicts_by_turn(self) -> dict[int, list[tuple[ScoreRow, VerdictRow]]]:
        """Return, per turn number, what the newest scores found about that turn."""
        found: dict[int, list[tuple[ScoreRow, VerdictRow]]] = {}
        for score in self.newest_scores:
            for verdict in score.verdicts:
                if verdict.turn is not None:
                    found.setdefault(verdict.turn, []).append((score, verdict))
        return found


class SessionSelection:
    """The sessions that are to go out, in order, read from the store one at a time."""

    def __init__(
        self,
        store: Store,
        ids: Sequence[int],
        on_progress: Callable[[int], None] | None = None,
        on_damage: Callable[[DamageError], None] | None = None,
        on_note: Callable[[str], None] | None = None,
    ) -> None:
        """on_progress: called with the number of sessions that were read so far. on_damage: takes a session
        that cannot be read and is left out; without it, it is raised. on_note: hears what else is to be told.
        """
        self._store = store
        self._ids = ids
        self._on_progress = on_progress
        self._on_damage = on_damage
        self._on_note = on_note
        self.done = 0
        self._parameters: dict[int, dict[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[StoredSession]:
        return self.each(lambda session: session)

    def each(self, read: Callable[[StoredSession], T]) -> Iterator[T]:
        """Yield what a function reads of each session; one that is damaged is told of, and left out."""
        for row in self.rows():
            try:
                with self._store.reading(row.id):
                    found = read(self._read(row))
            except DamageError as error:
                if self._on_damage is None:
                    raise
                self._on_damage(error)
                continue
            yield found
            self.done += 1
            if self._on_progress:
                self._on_progress(self.done)

    def rows(self) -> Iterator[SessionRow]:
        """Yield the sessions as lists show them."""
        for start in range(0, len(self._ids), _AT_ONCE):
            yield from self._store.sessions.rows(self._ids[start : start + _AT_ONCE])

    def holds_conversations(self) -> bool:
        """Say whether any session is more than a single exchange; reads up to the first that is."""
        from turnwise.conversations.cases import ConversationalTestCase

        for row in self.rows():
            with suppress(DamageError):
                if isinstance(self._store.sessions.case(row.id), ConversationalTestCase):
                    return True
        return False

    def origin(self, session: StoredSession) -> Origin:
        """Return where a session came from."""
        return self._store.sessions.origin(session.row.id)

    def events(self, session: StoredSession) -> list[Event]:
        """Return all that happened to a session, in order."""
        return self._store.events(session.row.id)

    def past_scores(self, session: StoredSession) -> list[PastScore]:
        """Return all scores of a session with their runs, oldest first."""
        return self._store.past_scores.of(session.row.id)

    def calls(self, keys: Sequence[str]) -> dict[str, CallRow]:
        """Return judges' calls by their keys; those that are not kept any more are left out."""
        found = {}
        for key in keys:
            with suppress(NotFoundError):
                found[key] = self._store.calls.get(key)
        return found

    def parameters(self, run_id: int) -> dict[str, Any]:
        """Return the hyperparameters of a run."""
        if run_id not in self._parameters:
            self._parameters |= {
                run_id: hyperparameters_of(self._store.runs.past([run_id])[run_id].parameters)
            }
        return self._parameters[run_id]

    def metrics(self) -> list[str]:
        """Return the names of all metrics of the store, sorted."""
        return self._store.sessions.metrics()

    def tell(self, words: str) -> None:
        """Tell who exports something about what is written."""
        if self._on_note:
            self._on_note(words)

    def _read(self, row: SessionRow) -> StoredSession:
        return StoredSession(
            row=row,
            case=_with_tags(self._store.sessions.case(row.id), row.tags),
            turns=self._store.turns.of(row.id),
            scores=self._store.scores.of(row.id),
            labels=self._store.labels.of(row.id),
            about=self._store.sessions.about(row.id),
            modes=self._store.modes.found_in(row.id),
        )


def _with_tags(
    case: ConversationalTestCase | LLMTestCase, tags: tuple[str, ...]
) -> ConversationalTestCase | LLMTestCase:
    """Return the case with the tags that its session has. A single exchange is stored without its tags."""
    from turnwise.conversations.cases import LLMTestCase

    if not isinstance(case, LLMTestCase) or tags == _listed(case.tags or ()):
        return case
    return case.model_copy(update={"tags": list(tags)})


def _listed(tags: Sequence[str]) -> tuple[str, ...]:
    """Return tags as a row of the database lists them: each once, sorted, and split at the separator of the
    database.
    """
    joined = _TAG_MARK.join(set(tags))
    return tuple(sorted(joined.split(_TAG_MARK))) if joined else ()


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a writer was told.

    rows: what a row of a table is. head: what a page of many sessions begins with, as HTML that may stand in
    it. style: what the head needs beside the usual looks of a page. prompts: whether a page holds what judges
    were asked and answered.
    """

    rows: RowsWord = "turns"
    head: str = ""
    style: str = ""
    prompts: bool = True


@dataclass(frozen=True, slots=True)
class Export:
    """One format that conversations go out in.

    name: as given on the command line. ending: how the names of its files end. about: what it is for, in a
    few words. writer: a module beside this one and its function that writes the sessions one at a time, as in
    `markdown:write`; it takes a SessionSelection, a stream and ExportOptions. is_text: whether the stream
    takes text, with line ends as they are, or else bytes. takes_rows: whether `ExportOptions.rows` means
    something to it. holds_prompts: whether it holds what judges were asked and answered, unless
    `ExportOptions.prompts` says otherwise. needs: a package, and the extra of this program that brings it.
    """

    name: str
    ending: str
    about: str
    writer: str
    is_text: bool = True
    takes_rows: bool = False
    holds_prompts: bool = False
    needs: tuple[str, str] | None = None

    @property
    def told(self) -> str:
        """What it is for, and what has to be installed first where that is not there."""
        if self.needs is None or find_spec(self.needs[0]):
            return self.about
        return f"{self.about}; needs turnwise[{self.needs[1]}]"

    def write_to(self, out: BinaryIO, sessions: SessionSelection, options: ExportOptions) -> None:
        """Write the sessions to a stream of bytes, text in UTF-8."""
        module, name = self.writer.split(":")
        write: Writer = getattr(import_module(f"turnwise.conversations.exports.{module}"), name)
        write(sessions, codecs.getwriter("utf-8")(out) if self.is_text else out, options)


Writer = Callable[[SessionSelection, Any, ExportOptions], None]
"""A function that writes sessions to a stream of text or of bytes."""
