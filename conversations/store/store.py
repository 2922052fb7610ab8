"""Store: one database as its tables, each made when it is first asked for, since most commands use few."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from turnwise.conversations.store.database import Database, default_path
from turnwise.conversations.store.facts.index import Told
from turnwise.conversations.store.keeping.faults import fault_of, missing_row
from turnwise.conversations.store.keeping.owners import spilled
from turnwise.conversations.store.keeping.patience import Patience
from turnwise.conversations.store.keeping.staged import is_any_import_unfinished
from turnwise.conversations.store.sessions import SessionTable

if TYPE_CHECKING:
    from turnwise.conversations.store.answers import AnswerTable
    from turnwise.conversations.store.calls import CallTable
    from turnwise.conversations.store.criteria import CriterionTable
    from turnwise.conversations.store.drawn.draws import DrawTable
    from turnwise.conversations.store.events import Event
    from turnwise.conversations.store.forgetting.forgotten import ForgettingTable
    from turnwise.conversations.store.forgetting.taking_back import TakingBackTable
    from turnwise.conversations.store.judgements import JudgementTable
    from turnwise.conversations.store.judges.certificates import CertificateTable
    from turnwise.conversations.store.labels import LabelTable
    from turnwise.conversations.store.learned.signals import LearnedSignalTable
    from turnwise.conversations.store.modes.modes import FailureModeTable
    from turnwise.conversations.store.pairs.queues import PairQueueTable
    from turnwise.conversations.store.past_scores import PastScoreTable
    from turnwise.conversations.store.remembered import RememberedTable, SavedFilterTable
    from turnwise.conversations.store.review_queues import QueueTable
    from turnwise.conversations.store.run_outcomes import RunOutcomeTable
    from turnwise.conversations.store.runs import RunTable
    from turnwise.conversations.store.scores import ScoreTable
    from turnwise.conversations.store.session_tags import TagTable
    from turnwise.conversations.store.splits import SplitTable
    from turnwise.conversations.store.tallies import TallyTable
    from turnwise.conversations.store.turns import TurnTable
    from turnwise.conversations.store.unfinished.claims import ClaimTable
    from turnwise.conversations.store.unfinished.growing import GrowingTable
    from turnwise.conversations.store.unfinished.imports import ImportTable
    from turnwise.conversations.store.unfinished.spill import SpillTable


class Store:
    """One database, opened; usable from every thread, closed once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sessions = SessionTable(database)

    @cached_property
    def turns(self) -> TurnTable:
        """What was said in sessions."""
        from turnwise.conversations.store.turns import TurnTable

        return TurnTable(self._database)

    @cached_property
    def tags(self) -> TagTable:
        """The tags of sessions."""
        from turnwise.conversations.store.session_tags import TagTable

        return TagTable(self._database)

    @cached_property
    def filters(self) -> SavedFilterTable:
        """Queries that people named."""
        from turnwise.conversations.store.remembered import SavedFilterTable

        return SavedFilterTable(self._database)

    @cached_property
    def remembered(self) -> RememberedTable:
        """What the app takes up again."""
        from turnwise.conversations.store.remembered import RememberedTable

        return RememberedTable(self._database)

    @cached_property
    def scores(self) -> ScoreTable:
        """What metrics found."""
        from turnwise.conversations.store.scores import ScoreTable

        return ScoreTable(self._database)

    @cached_property
    def calls(self) -> CallTable:
        """What judges were asked, and what they answered."""
        from turnwise.conversations.store.calls import CallTable

        return CallTable(self._database)

    @cached_property
    def runs(self) -> RunTable:
        """Which evaluations there were."""
        from turnwise.conversations.store.runs import RunTable

        return RunTable(self._database)

    @cached_property
    def labels(self) -> LabelTable:
        """What people found."""
        from turnwise.conversations.store.labels import LabelTable

        return LabelTable(self._database)

    @cached_property
    def certificates(self) -> CertificateTable:
        """What trials found about judges."""
        from turnwise.conversations.store.judges.certificates import CertificateTable

        return CertificateTable(self._database)

    @cached_property
    def growing(self) -> GrowingTable:
        """Sessions that grow with the file that they come from."""
        from turnwise.conversations.store.unfinished.growing import GrowingTable

        return GrowingTable(self._database)

    @cached_property
    def forgetting(self) -> ForgettingTable:
        """What takes sessions out, and brings them back."""
        from turnwise.conversations.store.forgetting.forgotten import ForgettingTable

        return ForgettingTable(self._database)

    @cached_property
    def taking_back(self) -> TakingBackTable:
        """What takes imports back."""
        from turnwise.conversations.store.forgetting.taking_back import TakingBackTable

        return TakingBackTable(self._database, self.forgetting)

    @cached_property
    def pairs(self) -> PairQueueTable:
        """Queues of pairs of sessions, and what people prefer."""
        from turnwise.conversations.store.pairs.queues import PairQueueTable

        return PairQueueTable(self._database)

    @cached_property
    def draws(self) -> DrawTable:
        """What queues draw their sessions from, one after the other, with known chances."""
        from turnwise.conversations.store.drawn.draws import DrawTable

        return DrawTable(self._database)

    @cached_property
    def queues(self) -> QueueTable:
        """Queues of sessions to review."""
        from turnwise.conversations.store.review_queues import QueueTable

        return QueueTable(self._database)

    @cached_property
    def answers(self) -> AnswerTable:
        """What chatbots answered to the cases of suites."""
        from turnwise.conversations.store.answers import AnswerTable

        return AnswerTable(self._database)

    @cached_property
    def claims(self) -> ClaimTable:
        """What runs are about to judge."""
        from turnwise.conversations.store.unfinished.claims import ClaimTable

        return ClaimTable(self._database)

    @cached_property
    def run_outcomes(self) -> RunOutcomeTable:
        """What whole runs found, to be compared."""
        from turnwise.conversations.store.run_outcomes import RunOutcomeTable

        return RunOutcomeTable(self._database)

    @cached_property
    def judgements(self) -> JudgementTable:
        """What judges and people think of the same sessions."""
        from turnwise.conversations.store.judgements import JudgementTable

        return JudgementTable(self._database, self.sessions)

    @cached_property
    def tallies(self) -> TallyTable:
        """How often what was found, over many sessions."""
        from turnwise.conversations.store.tallies import TallyTable

        return TallyTable(self._database, self.sessions)

    @cached_property
    def modes(self) -> FailureModeTable:
        """Failure modes, and the sessions that have them."""
        from turnwise.conversations.store.modes.modes import FailureModeTable

        return FailureModeTable(self._database)

    @cached_property
    def criteria(self) -> CriterionTable:
        """Criteria in all their versions."""
        from turnwise.conversations.store.criteria import CriterionTable

        return CriterionTable(self._database)

    @cached_property
    def learned(self) -> LearnedSignalTable:
        """Signals that were learned from labels."""
        from turnwise.conversations.store.learned.signals import LearnedSignalTable

        return LearnedSignalTable(self._database)

    @cached_property
    def splits(self) -> SplitTable:
        """Which sessions a criterion learns from, and which it is tested on."""
        from turnwise.conversations.store.splits import SplitTable

        return SplitTable(self._database)

    @cached_property
    def past_scores(self) -> PastScoreTable:
        """Scores that came with a file."""
        from turnwise.conversations.store.past_scores import PastScoreTable

        return PastScoreTable(self._database, self.scores, self.runs)

    @cached_property
    def spills(self) -> SpillTable:
        """What waits in files beside the database while another program holds it."""
        from turnwise.conversations.store.unfinished.spill import SpillTable

        return SpillTable(
            self._database, self.scores, self.calls, self.answers, self.claims, self.sessions, self.turns
        )

    @cached_property
    def imports(self) -> ImportTable:
        """Files that are coming in."""
        from turnwise.conversations.store.unfinished.imports import ImportTable

        return ImportTable(self._database, self.labels, self.past_scores, self.modes)

    @classmethod
    def open(
        cls,
        path: Path | None = None,
        *,
        patience: Patience | None = None,
        tell: Told = lambda share: None,
    ) -> Store:
        """Open a database, making and migrating it where needed. Raises StoreError.

        patience: how long it is waited for other programs that write; None for half a minute, silently.
        tell: is given, now and then, how much of the work is done that an old database needs, from 0 to 1.
        """
        store = cls(Database.open(path or default_path(), patience, tell))
        try:
            if spilled(store.path):
                store.spills.keep_what_was_left()
            if is_any_import_unfinished(store._database.connection):
                store.imports.tidy()
        except sqlite3.Error as error:
            store.close()
            raise fault_of(error, store.path) or error from error
        return store

    @property
    def path(self) -> Path:
        """The file that this store keeps everything in."""
        return self._database.path

    @property
    def is_writable(self) -> bool:
        """Whether anything can be kept: the file and its folder can be written."""
        return self._database.is_writable

    @cached_property
    def secret(self) -> str:
        """A random key of this database, from which the fences around transcripts are derived."""
        row = self._database.connection.execute("SELECT value FROM secrets WHERE name = 'fence'").fetchone()
        if row is None:
            raise missing_row(self.path, "the row of its secret")
        return str(row[0])

    @property
    def patience(self) -> Patience | None:
        """How long it is waited for other programs that write."""
        return self._database.patience

    @contextmanager
    def waiting(self, patience: Patience) -> Iterator[None]:
        """Let this thread wait otherwise for other programs, in the block."""
        with self._database.waiting(patience):
            yield

    @contextmanager
    def writing(self, *, durable: bool = False) -> Iterator[None]:
        """Keep everything that is written in this block, or nothing of it. durable: even in a power cut."""
        with self._database.writing(durable=durable):
            yield

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """Let this thread wait for a second at most, in the block, while another program writes.

        Without it that is half a minute, too long for a person who waits for an answer.
        """
        with self._database.impatient():
            yield

    @contextmanager
    def reading(self, session_id: int) -> Iterator[None]:
        """Tell of what cannot be read in this block as damage to a session. Raises DamageError."""
        with self._database.reading(session_id):
            yield

    def events(self, session_id: int) -> list[Event]:
        """Return all that happened to a session, in order. Raises NotFoundError."""
        from turnwise.conversations.store.events import session_events

        return session_events(session_id, self.sessions, self.turns, self.scores, self.labels, self.modes)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
