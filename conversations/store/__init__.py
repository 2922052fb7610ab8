"""The database: sessions, runs, scores, judge calls and labels in one SQLite file.

    with Store.open(path) as store:
        added = store.sessions.add(case, source="cases.json", format="deepeval")
        store.turns.of(added.session_id)

The data model is explained in `schema`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.lazy_names import lazy_names
from turnwise.conversations.store.database import default_path
from turnwise.conversations.store.facts.index import Told
from turnwise.conversations.store.filter_fields import fields_help, written_key, written_term
from turnwise.conversations.store.keeping.damage import REPAIR_STEP, damage_error, file_problems, note_damage
from turnwise.conversations.store.keeping.faults import FREE_SPACE, fault_of
from turnwise.conversations.store.keeping.owners import spilled
from turnwise.conversations.store.keeping.patience import Patience
from turnwise.conversations.store.mending.session_rows import Mark, SessionRow
from turnwise.conversations.store.modes.standing import NO_MODE
from turnwise.conversations.store.orders import (
    BEST_MATCH,
    ORDERS,
    USUAL_ORDER,
    SessionOrder,
    order_of,
    orders_named,
)
from turnwise.conversations.store.queries import FilterTerm, asks_for_run, metrics_of, terms_of, words_of
from turnwise.conversations.store.schema import SCHEMA_VERSION
from turnwise.conversations.store.store import Store

# What most commands do without loads where it is asked for: commands are to answer at once.
if TYPE_CHECKING:
    from turnwise.conversations.store.completing.vocabulary import (
        Completion,
        Vocabulary,
        completions,
        filter_hints,
    )
    from turnwise.conversations.store.counted.kept_counts import RunSpending, RunTally, ScoreTally
    from turnwise.conversations.store.counted.outcomes import BUCKETS
    from turnwise.conversations.store.counting.frequencies import ValueTallies, ValueTally
    from turnwise.conversations.store.counting.labelled import LabelledOutcomes, tallies_by_label
    from turnwise.conversations.store.counting.telling import (
        order_tells_outcome,
        query_tells_outcome,
        tells_outcome,
        text_tells_outcome,
    )
    from turnwise.conversations.store.criteria import CriterionOutcome, CriterionVersion
    from turnwise.conversations.store.drawn.draws import DrawnSession, DrawTable
    from turnwise.conversations.store.events import Event, pause_before
    from turnwise.conversations.store.facts.about import (
        SHOWN_WITH_TURNS,
        AboutPart,
        SessionAbout,
        cost_words,
        pairs_text,
        seconds_words,
        value_text,
    )
    from turnwise.conversations.store.forgetting.forgotten import Forgotten, Stakes
    from turnwise.conversations.store.forgetting.taking_back import ImportTakenBack
    from turnwise.conversations.store.judgements import NewestOutcome, OpinionRow
    from turnwise.conversations.store.judges.certificates import CertificateTable, KeptCertificate
    from turnwise.conversations.store.keeping.asked import AskedOfRun
    from turnwise.conversations.store.labels import default_author
    from turnwise.conversations.store.learned.signals import SignalVersion
    from turnwise.conversations.store.mending.repair import (
        Repair,
        copy_database,
        damaged_sessions,
        repair_database,
    )
    from turnwise.conversations.store.modes.rows import (
        LONGEST_MODE_NAME,
        AssignedMode,
        FailureMode,
        ModeChange,
        ModeDone,
        ModeEvent,
        ModeRate,
        NoteRow,
        SessionModeRow,
        checked_definition,
        checked_name,
    )
    from turnwise.conversations.store.pairs.queues import (
        PREFERENCES,
        PairedSessions,
        PairQueueRow,
        PairQueueTable,
        Preference,
        PreferenceRow,
    )
    from turnwise.conversations.store.remembered import SavedFilter
    from turnwise.conversations.store.review_queues import (
        AssignedShare,
        QueueItem,
        QueueLabel,
        QueueProgress,
        QueueRow,
        StandingScore,
    )
    from turnwise.conversations.store.rows import (
        REPLY,
        CallRow,
        LabelRow,
        MetricRow,
        RunRow,
        ScoreRow,
        ToolCallRow,
        TurnRow,
        VerdictRow,
        hyperparameters_of,
        quote_gone,
        standing_labels,
    )
    from turnwise.conversations.store.run_outcomes import (
        MetricIdentity,
        OutcomeRow,
        RunFigures,
        RunOutcomes,
        SubjectRow,
        UsedMetric,
    )
    from turnwise.conversations.store.scores import Identity
    from turnwise.conversations.store.session_tags import TagChange, TagTable
    from turnwise.conversations.store.splits import SPLITS, SplitName, SplitUse
    from turnwise.conversations.store.tallies import TurnTally
    from turnwise.conversations.store.turns import DAMAGED, turn_row
    from turnwise.conversations.store.unfinished.brought_in import BroughtIn
    from turnwise.conversations.store.unfinished.claims import claim_of, new_owner
    from turnwise.conversations.store.unfinished.earlier import EarlierSessions, Kinship, file_source
    from turnwise.conversations.store.unfinished.imports import Staging
    from turnwise.conversations.store.unfinished.said_turns import SaidTurns
    from turnwise.conversations.store.unfinished.spill import Batch, Spill
else:
    __getattr__ = lazy_names(
        __name__,
        **{
            "counting.frequencies": ("ValueTallies", "ValueTally"),
            "counted.kept_counts": ("RunSpending", "RunTally", "ScoreTally"),
            "counting.labelled": ("LabelledOutcomes", "tallies_by_label"),
            "counting.telling": (
                "order_tells_outcome",
                "query_tells_outcome",
                "tells_outcome",
                "text_tells_outcome",
            ),
            "criteria": ("CriterionOutcome", "CriterionVersion"),
            "drawn.draws": ("DrawnSession", "DrawTable"),
            "events": ("Event", "pause_before"),
            "forgetting.forgotten": ("Forgotten", "Stakes"),
            "forgetting.taking_back": ("ImportTakenBack",),
            "facts.about": (
                "SHOWN_WITH_TURNS",
                "AboutPart",
                "SessionAbout",
                "cost_words",
                "pairs_text",
                "seconds_words",
                "value_text",
            ),
            "judgements": ("NewestOutcome", "OpinionRow"),
            "judges.certificates": ("CertificateTable", "KeptCertificate"),
            "keeping.asked": ("AskedOfRun",),
            "labels": ("default_author",),
            "learned.signals": ("SignalVersion",),
            "mending.repair": ("Repair", "copy_database", "damaged_sessions", "repair_database"),
            "modes.rows": (
                "LONGEST_MODE_NAME",
                "AssignedMode",
                "FailureMode",
                "ModeChange",
                "ModeDone",
                "ModeEvent",
                "ModeRate",
                "NoteRow",
                "SessionModeRow",
                "checked_definition",
                "checked_name",
            ),
            "pairs.queues": (
                "PREFERENCES",
                "PairedSessions",
                "PairQueueRow",
                "PairQueueTable",
                "Preference",
                "PreferenceRow",
            ),
            "remembered": ("SavedFilter",),
            "review_queues": (
                "AssignedShare",
                "QueueItem",
                "QueueLabel",
                "QueueProgress",
                "QueueRow",
                "StandingScore",
            ),
            "rows": (
                "REPLY",
                "CallRow",
                "LabelRow",
                "MetricRow",
                "RunRow",
                "ScoreRow",
                "ToolCallRow",
                "TurnRow",
                "VerdictRow",
                "hyperparameters_of",
                "quote_gone",
                "standing_labels",
            ),
            "run_outcomes": (
                "MetricIdentity",
                "OutcomeRow",
                "RunFigures",
                "RunOutcomes",
                "SubjectRow",
                "UsedMetric",
            ),
            "scores": ("Identity",),
            "session_tags": ("TagChange", "TagTable"),
            "splits": ("SPLITS", "SplitName", "SplitUse"),
            "counted.outcomes": ("BUCKETS",),
            "tallies": ("TurnTally",),
            "turns": ("DAMAGED", "turn_row"),
            "unfinished.brought_in": ("BroughtIn",),
            "unfinished.claims": ("claim_of", "new_owner"),
            "unfinished.earlier": ("EarlierSessions", "Kinship", "file_source"),
            "unfinished.imports": ("Staging",),
            "unfinished.said_turns": ("SaidTurns",),
            "unfinished.spill": ("Batch", "Spill"),
            "completing.vocabulary": ("Completion", "Vocabulary", "completions", "filter_hints"),
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
    "BroughtIn",
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
    "Forgotten",
    "Identity",
    "ImportTakenBack",
    "KeptCertificate",
    "Kinship",
    "LabelRow",
    "LabelledOutcomes",
    "Mark",
    "MetricIdentity",
    "MetricRow",
    "ModeChange",
    "ModeDone",
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
    "SessionModeRow",
    "SessionOrder",
    "SessionRow",
    "SignalVersion",
    "Spill",
    "SplitName",
    "SplitUse",
    "Staging",
    "Stakes",
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
    "asks_for_run",
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
    "file_source",
    "filter_hints",
    "hyperparameters_of",
    "metrics_of",
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
    "standing_labels",
    "tallies_by_label",
    "tells_outcome",
    "terms_of",
    "text_tells_outcome",
    "turn_row",
    "value_text",
    "words_of",
    "written_key",
    "written_term",
]
