"""The database: sessions, runs, scores, judge calls and labels in one SQLite file.

    with Store.open(path) as store:
        added = store.sessions.add(case, source="cases.json", format="deepeval")
        store.turns.of(added.session_id)

The data model is explained in `schema`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names
from turnwise.conversations.store.calls import CallTable
from turnwise.conversations.store.database import Database, default_path
from turnwise.conversations.store.events import Event, pause_before, session_events
from turnwise.conversations.store.facts.about import (
    SHOWN_WITH_TURNS,
    AboutPart,
    SessionAbout,
    cost_words,
    pairs_text,
    seconds_words,
    value_text,
)
from turnwise.conversations.store.facts.index import Told
from turnwise.conversations.store.filter_fields import fields_help, written_key, written_term
from turnwise.conversations.store.keeping.asked import AskedOfRun
from turnwise.conversations.store.keeping.damage import (
    REPAIR_STEP,
    damage_error,
    file_problems,
    note_damage,
)
from turnwise.conversations.store.keeping.faults import FREE_SPACE, fault_of, missing_row
from turnwise.conversations.store.keeping.owners import spilled
from turnwise.conversations.store.keeping.patience import Patience
from turnwise.conversations.store.keeping.staged import is_any_import_unfinished
from turnwise.conversations.store.labels import LabelTable, default_author
from turnwise.conversations.store.modes.rows import (
    LONGEST_MODE_NAME,
    NO_MODE,
    AssignedMode,
    FailureMode,
    ModeChange,
    ModeEvent,
    ModeRate,
    NoteRow,
    checked_definition,
    checked_name,
)
from turnwise.conversations.store.orders import (
    BEST_MATCH,
    ORDERS,
    USUAL_ORDER,
    SessionOrder,
    order_of,
    orders_named,
)
from turnwise.conversations.store.queries import FilterTerm, terms_of, words_of
from turnwise.conversations.store.remembered import RememberedTable, SavedFilter, SavedFilterTable
from turnwise.conversations.store.rows import (
    REPLY,
    CallRow,
    LabelRow,
    Mark,
    MetricRow,
    RunRow,
    ScoreRow,
    SessionRow,
    ToolCallRow,
    TurnRow,
    VerdictRow,
    hyperparameters_of,
    quote_gone,
)
from turnwise.conversations.store.runs import RunTable
from turnwise.conversations.store.schema import SCHEMA_VERSION
from turnwise.conversations.store.scores import Identity, ScoreTable
from turnwise.conversations.store.session_tags import TagChange, TagTable
from turnwise.conversations.store.sessions import SessionTable
from turnwise.conversations.store.turns import DAMAGED, TurnTable, turn_row
from turnwise.conversations.store.vocabulary import Completion, Vocabulary, completions, filter_hints

# What most commands do without loads where it is asked for: commands are to answer at once.
if TYPE_CHECKING:
    from turnwise.conversations.store.answers import AnswerTable
    from turnwise.conversations.store.counting.frequencies import ValueTallies, ValueTally
    from turnwise.conversations.store.counting.spending import RunSpending
    from turnwise.conversations.store.counting.telling import (
        order_tells_outcome,
        query_tells_outcome,
        tells_outcome,
        text_tells_outcome,
    )
    from turnwise.conversations.store.criteria import CriterionOutcome, CriterionTable, CriterionVersion
    from turnwise.conversations.store.drawn.draws import DrawnSession, DrawTable
    from turnwise.conversations.store.judgements import JudgementTable, NewestOutcome, OpinionRow
    from turnwise.conversations.store.judges.certificates import CertificateTable, KeptCertificate
    from turnwise.conversations.store.learned.signals import LearnedSignalTable, SignalVersion
    from turnwise.conversations.store.mending.repair import (
        Repair,
        copy_database,
        damaged_sessions,
        repair_database,
    )
    from turnwise.conversations.store.modes.modes import FailureModeTable
    from turnwise.conversations.store.pairs.queues import (
        PREFERENCES,
        PairedSessions,
        PairQueueRow,
        PairQueueTable,
        Preference,
        PreferenceRow,
    )
    from turnwise.conversations.store.past_scores import PastScoreTable
    from turnwise.conversations.store.review_queues import (
        AssignedShare,
        QueueItem,
        QueueLabel,
        QueueProgress,
        QueueRow,
        QueueTable,
        StandingScore,
    )
    from turnwise.conversations.store.run_outcomes import (
        OutcomeRow,
        RunFigures,
        RunOutcomes,
        RunOutcomeTable,
        SubjectRow,
        UsedMetric,
    )
    from turnwise.conversations.store.splits import SPLITS, SplitName, SplitTable, SplitUse
    from turnwise.conversations.store.tallies import (
        BUCKETS,
        RunTally,
        ScoreTally,
        TallyTable,
        TurnTally,
        sum_scores,
        sum_turns,
    )
    from turnwise.conversations.store.unfinished.claims import ClaimTable, claim_of, new_owner
    from turnwise.conversations.store.unfinished.earlier import EarlierSessions
    from turnwise.conversations.store.unfinished.growing import GrowingTable
    from turnwise.conversations.store.unfinished.imports import ImportTable, Staging
    from turnwise.conversations.store.unfinished.said_turns import SaidTurns
    from turnwise.conversations.store.unfinished.spill import Batch, Spill, SpillTable
else:
    __getattr__ = lazy_names(
        __name__,
        **{
            "answers": ("AnswerTable",),
            "criteria": ("CriterionOutcome", "CriterionTable", "CriterionVersion"),
            "counting.frequencies": ("ValueTallies", "ValueTally"),
            "counting.spending": ("RunSpending",),
            "counting.telling": (
                "order_tells_outcome",
                "query_tells_outcome",
                "tells_outcome",
                "text_tells_outcome",
            ),
            "drawn.draws": ("DrawnSession", "DrawTable"),
            "judgements": ("JudgementTable", "NewestOutcome", "OpinionRow"),
            "learned.signals": ("LearnedSignalTable", "SignalVersion"),
            "mending.repair": ("Repair", "copy_database", "damaged_sessions", "repair_database"),
            "modes.modes": ("FailureModeTable",),
            "past_scores": ("PastScoreTable",),
            "pairs.queues": (
                "PREFERENCES",
                "PairQueueRow",
                "PairQueueTable",
                "PairedSessions",
                "Preference",
                "PreferenceRow",
            ),
            "review_queues": (
                "AssignedShare",
                "QueueItem",
                "QueueLabel",
                "QueueProgress",
                "QueueRow",
                "QueueTable",
                "StandingScore",
            ),
            "run_outcomes": (
                "OutcomeRow",
                "RunFigures",
                "RunOutcomes",
                "RunOutcomeTable",
                "SubjectRow",
                "UsedMetric",
            ),
            "splits": ("SPLITS", "SplitName", "SplitTable", "SplitUse"),
            "tallies": (
                "BUCKETS",
                "RunTally",
                "ScoreTally",
                "TallyTable",
                "TurnTally",
                "sum_scores",
                "sum_turns",
            ),
            "unfinished.claims": ("ClaimTable", "claim_of", "new_owner"),
            "unfinished.earlier": ("EarlierSessions",),
            "judges.certificates": ("CertificateTable", "KeptCertificate"),
            "unfinished.growing": ("GrowingTable",),
            "unfinished.imports": ("ImportTable", "Staging"),
            "unfinished.said_turns": ("SaidTurns",),
            "unfinished.spill": ("Batch", "Spill", "SpillTable"),
        },
    )

__all__ = [
    "BEST_MATCH",
    "BUCKETS",
    "DAMAGED",
    "FREE_SPACE",
    "LONGEST_MODE_NAME",
    "NO_MODE",
    "ORDERS",
    "PREFERENCES",
    "REPAIR_STEP",
    "REPLY",
    "SCHEMA_VERSION",
    "SHOWN_WITH_TURNS",
    "SPLITS",
    "USUAL_ORDER",
    "AboutPart",
    "AskedOfRun",
    "AssignedMode",
    "AssignedShare",
    "Batch",
    "CallRow",
    "CertificateTable",
    "Completion",
    "CriterionOutcome",
    "CriterionVersion",
    "DrawTable",
    "DrawnSession",
    "EarlierSessions",
    "Event",
    "FailureMode",
    "FilterTerm",
    "Identity",
    "KeptCertificate",
    "LabelRow",
    "Mark",
    "MetricRow",
    "ModeChange",
    "ModeEvent",
    "ModeRate",
    "NewestOutcome",
    "NoteRow",
    "OpinionRow",
    "OutcomeRow",
    "PairQueueRow",
    "PairQueueTable",
    "PairedSessions",
    "Patience",
    "Preference",
    "PreferenceRow",
    "QueueItem",
    "QueueLabel",
    "QueueProgress",
    "QueueRow",
    "Repair",
    "RunFigures",
    "RunOutcomes",
    "RunRow",
    "RunSpending",
    "RunTally",
    "SaidTurns",
    "SavedFilter",
    "ScoreRow",
    "ScoreTally",
    "SessionAbout",
    "SessionOrder",
    "SessionRow",
    "SignalVersion",
    "Spill",
    "SplitName",
    "SplitUse",
    "Staging",
    "StandingScore",
    "Store",
    "SubjectRow",
    "TagChange",
    "TagTable",
    "Told",
    "ToolCallRow",
    "TurnRow",
    "TurnTally",
    "UsedMetric",
    "ValueTallies",
    "ValueTally",
    "VerdictRow",
    "Vocabulary",
    "checked_definition",
    "checked_name",
    "claim_of",
    "completions",
    "copy_database",
    "cost_words",
    "damage_error",
    "damaged_sessions",
    "default_author",
    "default_path",
    "fault_of",
    "fields_help",
    "file_problems",
    "filter_hints",
    "hyperparameters_of",
    "new_owner",
    "note_damage",
    "order_of",
    "order_tells_outcome",
    "orders_named",
    "pairs_text",
    "pause_before",
    "query_tells_outcome",
    "quote_gone",
    "repair_database",
    "seconds_words",
    "spilled",
    "sum_scores",
    "sum_turns",
    "tells_outcome",
    "terms_of",
    "text_tells_outcome",
    "turn_row",
    "value_text",
    "words_of",
    "written_key",
    "written_term",
]


class Store:
    """One database, opened; usable from every thread, closed once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sessions = SessionTable(database)
        self.turns = TurnTable(database)
        self.tags = TagTable(database)
        self.filters = SavedFilterTable(database)
        self.remembered = RememberedTable(database)
        self.scores = ScoreTable(database)
        self.calls = CallTable(database)
        self.runs = RunTable(database)
        self.labels = LabelTable(database)

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
        return session_events(session_id, self.sessions, self.turns, self.scores, self.labels)

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
