"""The data model, and the migrations that make it.

    sessions       a stored conversation: its role, purpose and source, and a fingerprint of its content
      ├─ turns         its messages in order; spoken ones are numbered from 1; searched through turns_fts
      ├─ session_tags  its tags, one a row
      ├─ scores        every outcome of a metric on it: a score, a failure or a skip. Append-only
      │    ├─ verdicts     what the metric found, turn by turn, and the words of the turn that decide it
      │    └─ score_calls  the judge calls that the outcome rests on, in order
      ├─ labels        what people found about it, as a whole or by metric. Append-only: the newest stands
      └─ sights        who saw its scores before they labelled it
    runs           one evaluation of some sessions by some metrics with one judge
      └─ run_scores    the outcomes that belong to it, those taken over from earlier runs included
    answers        what chatbots said to the cases of test files, by who was asked what. Append-only
    claimants      runs under way, each with a lease that it renews while it lives
      └─ claims        what each is about to judge or ask, so that no other run does the same meanwhile
    calls          every call of a judge: request, reply, usage, cost, time. Cache, evidence and replay in one
    judge_certificates  what a trial found about a judge, dated. Append-only: the newest of a judge stands
    mode_changes   who did something to failure modes; it may take back an earlier change. Append-only
      ├─ mode_states       what a failure mode was after it: name, definition, merged into which, retired
      └─ mode_assignments  which session it gave a failure mode, or took it from; the newest stands
    criterion_versions  what a criterion said, each time it said something else. Append-only
    split_members  which labelled session is for learning, trying or the last test; split_uses: when that was
    learned_signals  what was learned from labels, each time it was learned; a forgotten one stays, unlisted
    saved_filters  queries that people named
    queues         sessions to be reviewed in an order, with how they were chosen
      ├─ queue_items     which sessions, at which place
      └─ queue_assignments  who is to label which of them; without any, whoever comes
    pair_queues    pairs of sessions to be compared, with how they were chosen
      └─ pair_items      which two sessions, at which place, on which side, of which groups
           └─ pair_preferences  which one somebody prefers. Append-only: the newest of a person stands
    spills         how much is in of each file in which a run's findings waited for a locked database
    imports        the file that is coming in; staged_sessions: its sessions, hidden until all of it is in;
                   staged_findings: what came with them
    followed_sessions  which sessions a source gave that is read again as it grows
    remembered     what the app takes up again: the columns and the order of lists
    facts          what sessions say of themselves beside their words, each key and value once, for filters
      └─ session_facts  which session says it; all of it can be made anew from `data` of sessions and turns
    secrets        one random key, from which the fences around transcripts are derived

A unit of judging is named by (session, exchange, metric_fingerprint, case_fingerprint, judge_fingerprint);
a unit that has a score or a skip under that name is not judged again. Counts are always taken from rows.
Whether a score passes is computed when it is read (`scores.passed`): as its check stated, else from the score
and its threshold. What was imported names its file in `came_from`. JSON columns hold what is only ever read
whole. Times are seconds since 1970 in UTC.

Migrations are append-only: a change is a new function at the end, with the reason in its docstring.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from turnwise.conversations.store.facts.index import TABLES as FACTS
from turnwise.conversations.store.facts.index import Told, index_all

if TYPE_CHECKING:
    from sqlite_utils import Database, Migrations

SCHEMA_VERSION = 21
"""How many migrations there are; kept in the file's user_version so that opening need not look further."""

_TABLES = """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    chatbot_role TEXT NOT NULL DEFAULT '',
    name TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('conversation', 'exchange')),
    source TEXT NOT NULL,
    format TEXT NOT NULL,
    data TEXT NOT NULL DEFAULT '{}',
    created_at REAL NOT NULL,
    UNIQUE (fingerprint, chatbot_role)
);
CREATE INDEX sessions_by_time ON sessions (created_at DESC, id);
CREATE TABLE turns (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    number INTEGER,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    data TEXT NOT NULL DEFAULT '{}',
    at REAL,
    UNIQUE (session_id, position)
);
CREATE INDEX turns_by_number ON turns (session_id, number);
CREATE TABLE session_tags (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (session_id, tag)
) WITHOUT ROWID;
CREATE INDEX session_tags_by_tag ON session_tags (tag, session_id);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    created_at REAL NOT NULL,
    finished_at REAL,
    judge TEXT NOT NULL,
    judge_settings TEXT NOT NULL DEFAULT '{}',
    metrics TEXT NOT NULL
);
CREATE TABLE scores (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    metric TEXT NOT NULL,
    version INTEGER NOT NULL,
    metric_fingerprint TEXT NOT NULL,
    case_fingerprint TEXT NOT NULL,
    judge_fingerprint TEXT NOT NULL,
    judge TEXT NOT NULL,
    exchange INTEGER,
    outcome TEXT NOT NULL CHECK (outcome IN ('score', 'failure', 'skipped')),
    score REAL CHECK (score BETWEEN 0 AND 1),
    threshold REAL,
    reason TEXT NOT NULL,
    kind TEXT NOT NULL DEFAULT '',
    next_step TEXT NOT NULL DEFAULT '',
    details TEXT NOT NULL DEFAULT '{}',
    seconds REAL NOT NULL DEFAULT 0,
    cost REAL,
    created_at REAL NOT NULL,
    CHECK ((outcome = 'score') = (score IS NOT NULL))
);
CREATE INDEX scores_by_session ON scores (session_id, metric, id);
CREATE INDEX scores_by_metric ON scores (metric, metric_fingerprint, judge_fingerprint);
CREATE TABLE verdicts (
    score_id INTEGER NOT NULL REFERENCES scores (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    turn INTEGER,
    passed INTEGER,
    word TEXT NOT NULL,
    reason TEXT NOT NULL,
    about TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (score_id, place)
) WITHOUT ROWID;
CREATE TABLE run_scores (
    run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    score_id INTEGER NOT NULL REFERENCES scores (id) ON DELETE CASCADE,
    PRIMARY KEY (run_id, score_id)
) WITHOUT ROWID;
CREATE INDEX run_scores_by_score ON run_scores (score_id);
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    reusable INTEGER NOT NULL,
    judge TEXT NOT NULL,
    model TEXT NOT NULL,
    request TEXT NOT NULL,
    reply TEXT NOT NULL,
    finish_reason TEXT NOT NULL DEFAULT '',
    tokens TEXT,
    usage TEXT NOT NULL DEFAULT '{}',
    seconds REAL NOT NULL DEFAULT 0,
    cost REAL,
    created_at REAL NOT NULL
);
CREATE INDEX calls_by_key ON calls (key, id);
CREATE TABLE score_calls (
    score_id INTEGER NOT NULL REFERENCES scores (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    call_key TEXT NOT NULL,
    PRIMARY KEY (score_id, place)
) WITHOUT ROWID;
CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    label TEXT CHECK (label IN ('pass', 'fail', 'defer')),
    turn INTEGER,
    note TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    blind INTEGER NOT NULL,
    created_at REAL NOT NULL
);
CREATE INDEX labels_by_session ON labels (session_id, id);
CREATE TRIGGER scores_are_kept BEFORE UPDATE ON scores
    BEGIN SELECT RAISE(ABORT, 'scores are append-only: add a new one'); END;
CREATE TRIGGER labels_are_kept BEFORE UPDATE ON labels
    BEGIN SELECT RAISE(ABORT, 'labels are append-only: add a new one'); END;
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

_FAILURE_MODES = """
CREATE TABLE mode_changes (
    id INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    takes_back INTEGER REFERENCES mode_changes (id),
    author TEXT NOT NULL,
    proposed_by TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL
);
CREATE TABLE mode_states (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES mode_changes (id),
    mode_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    definition TEXT NOT NULL,
    merged_into INTEGER,
    retired INTEGER NOT NULL
);
CREATE INDEX mode_states_by_mode ON mode_states (mode_id, id);
CREATE INDEX mode_states_by_change ON mode_states (change_id);
CREATE TABLE mode_assignments (
    id INTEGER PRIMARY KEY,
    change_id INTEGER NOT NULL REFERENCES mode_changes (id),
    mode_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    assigned INTEGER NOT NULL,
    turn INTEGER
);
CREATE INDEX mode_assignments_by_session ON mode_assignments (session_id, mode_id, id);
CREATE INDEX mode_assignments_by_mode ON mode_assignments (mode_id, session_id, id);
CREATE INDEX mode_assignments_by_change ON mode_assignments (change_id);
CREATE TRIGGER mode_changes_are_kept BEFORE UPDATE ON mode_changes
    BEGIN SELECT RAISE(ABORT, 'changes are append-only: add a new one'); END;
CREATE TRIGGER mode_states_are_kept BEFORE UPDATE ON mode_states
    BEGIN SELECT RAISE(ABORT, 'states are append-only: add a new one'); END;
CREATE TRIGGER mode_assignments_are_kept BEFORE UPDATE ON mode_assignments
    BEGIN SELECT RAISE(ABORT, 'assignments are append-only: add a new one'); END;
"""

_CRITERIA = """
CREATE TABLE criterion_versions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    metric_fingerprint TEXT NOT NULL,
    text TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    author TEXT NOT NULL,
    created_at REAL NOT NULL,
    UNIQUE (name, fingerprint)
);
CREATE TABLE split_members (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    split TEXT NOT NULL CHECK (split IN ('train', 'dev', 'test')),
    created_at REAL NOT NULL
);
CREATE TABLE split_uses (
    id INTEGER PRIMARY KEY,
    split TEXT NOT NULL CHECK (split IN ('train', 'dev', 'test')),
    criterion TEXT NOT NULL,
    version TEXT NOT NULL,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    sessions INTEGER NOT NULL,
    author TEXT NOT NULL,
    created_at REAL NOT NULL
);
CREATE TRIGGER criterion_versions_are_kept BEFORE UPDATE ON criterion_versions
    BEGIN SELECT RAISE(ABORT, 'versions are append-only: add a new one'); END;
CREATE TRIGGER split_members_stay BEFORE UPDATE ON split_members
    BEGIN SELECT RAISE(ABORT, 'a session stays in its split'); END;
CREATE TRIGGER split_uses_are_kept BEFORE UPDATE ON split_uses
    BEGIN SELECT RAISE(ABORT, 'uses are append-only: add a new one'); END;
"""

_LISTS = """
CREATE INDEX scores_newest ON scores (metric, session_id, exchange, id, outcome, score, threshold);
CREATE INDEX turns_to_sessions ON turns (id, session_id);
CREATE TABLE saved_filters (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL,
    created_at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE queues (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    sampler TEXT NOT NULL,
    settings TEXT NOT NULL DEFAULT '{}',
    newest_label INTEGER NOT NULL,
    created_at REAL NOT NULL
);
CREATE TABLE queue_items (
    queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    PRIMARY KEY (queue_id, place),
    UNIQUE (queue_id, session_id)
) WITHOUT ROWID;
CREATE INDEX queue_items_by_session ON queue_items (session_id);
CREATE TABLE remembered (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_STATED = """
ALTER TABLE scores ADD COLUMN stated INTEGER CHECK (stated IN (0, 1));
ALTER TABLE scores ADD COLUMN passed INTEGER
    GENERATED ALWAYS AS (coalesce(stated, score >= threshold)) VIRTUAL;
DROP INDEX scores_newest;
CREATE INDEX scores_newest ON scores (metric, session_id, exchange, id, outcome, score, threshold, passed);
"""

_ANSWERS = """
CREATE TABLE answers (
    id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL REFERENCES runs (id),
    key TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at REAL NOT NULL
);
CREATE INDEX answers_by_key ON answers (key, id);
CREATE TRIGGER answers_are_kept BEFORE UPDATE ON answers
    BEGIN SELECT RAISE(ABORT, 'answers are append-only: add a new one'); END;
"""

_FOUND_ELSEWHERE = """
ALTER TABLE scores ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
ALTER TABLE labels ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
"""

_CLAIMS = """
CREATE TABLE claimants (
    owner TEXT PRIMARY KEY,
    lease_ends REAL NOT NULL,
    met_late_at REAL
) WITHOUT ROWID;
CREATE TABLE claims (
    name TEXT PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES claimants (owner) ON DELETE CASCADE
) WITHOUT ROWID;
"""

_IMPORTS = """
CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    came_from TEXT NOT NULL,
    at REAL NOT NULL,
    sealed INTEGER NOT NULL CHECK (sealed IN (0, 1))
);
CREATE TABLE staged_sessions (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE staged_findings (id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL, found TEXT NOT NULL);
"""

_FOLLOWED = """
CREATE TABLE followed_sessions (
    source TEXT NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    PRIMARY KEY (source, session_id)
) WITHOUT ROWID;
CREATE INDEX followed_sessions_by_session ON followed_sessions (session_id);
"""

_ROLES_OF_TURNS = """
DROP INDEX turns_to_sessions;
CREATE INDEX turns_to_sessions ON turns (id, session_id, role);
"""

_SIGHTS = """
CREATE TABLE sights (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (session_id, author)
) WITHOUT ROWID;
"""

_CERTIFICATES = """
CREATE TABLE judge_certificates (
    id INTEGER PRIMARY KEY,
    judge TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    made_at REAL NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX calls_by_judge ON calls (judge, id);
"""

_LEARNED = """
CREATE TABLE learned_signals (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE,
    fingerprint TEXT NOT NULL,
    content TEXT NOT NULL,
    author TEXT NOT NULL,
    created_at REAL NOT NULL,
    forgotten_at REAL
);
CREATE INDEX learned_signals_by_name ON learned_signals (name, id);
CREATE TRIGGER learned_signals_are_kept BEFORE UPDATE OF name, fingerprint, content ON learned_signals
    BEGIN SELECT RAISE(ABORT, 'signals are append-only: learn a new one'); END;
"""


_SEVERAL_PEOPLE = """
ALTER TABLE labels ADD COLUMN at_fault TEXT CHECK (at_fault IN ('chatbot', 'user', 'tool', 'judge'));
ALTER TABLE labels ADD COLUMN adjudicates INTEGER NOT NULL DEFAULT 0 CHECK (adjudicates IN (0, 1));
CREATE TABLE queue_assignments (
    queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    PRIMARY KEY (queue_id, session_id, author)
) WITHOUT ROWID;
CREATE INDEX queue_assignments_by_session ON queue_assignments (session_id);
"""

_QUOTES = """
ALTER TABLE verdicts ADD COLUMN quote_turn INTEGER;
ALTER TABLE verdicts ADD COLUMN quote_start INTEGER;
ALTER TABLE verdicts ADD COLUMN quote_end INTEGER;
ALTER TABLE verdicts ADD COLUMN quote TEXT;
"""

_PAIRS = """
CREATE TABLE pair_queues (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL COLLATE NOCASE UNIQUE,
    settings TEXT NOT NULL DEFAULT '{}',
    created_at REAL NOT NULL
);
CREATE TABLE pair_items (
    queue_id INTEGER NOT NULL REFERENCES pair_queues (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    left_session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    right_session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    left_group TEXT NOT NULL,
    right_group TEXT NOT NULL,
    PRIMARY KEY (queue_id, place)
) WITHOUT ROWID;
CREATE INDEX pair_items_by_left ON pair_items (left_session);
CREATE INDEX pair_items_by_right ON pair_items (right_session);
CREATE TABLE pair_preferences (
    id INTEGER PRIMARY KEY,
    queue_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    author TEXT NOT NULL,
    preferred TEXT CHECK (preferred IN ('left', 'right', 'tie')),
    note TEXT NOT NULL DEFAULT '',
    created_at REAL NOT NULL,
    FOREIGN KEY (queue_id, place) REFERENCES pair_items (queue_id, place) ON DELETE CASCADE
);
CREATE INDEX pair_preferences_by_pair ON pair_preferences (queue_id, place, author, id);
CREATE TRIGGER pair_preferences_are_kept BEFORE UPDATE ON pair_preferences
    BEGIN SELECT RAISE(ABORT, 'preferences are append-only: say a new one'); END;
"""


def migrations(tell: Told = lambda share: None) -> Migrations:
    """Return all migrations, in order. sqlite-utils is imported here because it costs 60 ms.

    tell: is given how much is done of the one that reads all sessions, from 0 to 1.
    """
    from sqlite_utils import Migrations

    steps = Migrations("turnwise")

    @steps()
    def first_tables(db: Database) -> None:
        """The first shape: sessions with their turns, runs with their scores, and the calls they rest on."""
        for statement in _statements(_TABLES):
            db.execute(statement)
        db.table("turns").enable_fts(
            ["content"], create_triggers=True, tokenize="unicode61 remove_diacritics 2"
        )
        db.execute("INSERT INTO secrets VALUES ('fence', ?)", [secrets.token_hex(16)])

    @steps()
    def labels_of_metrics(db: Database) -> None:
        """A metric and a value from 0 to 1: people rate per metric, and finer than pass or fail."""
        db.execute("ALTER TABLE labels ADD COLUMN metric TEXT NOT NULL DEFAULT ''")
        db.execute("ALTER TABLE labels ADD COLUMN value REAL CHECK (value BETWEEN 0 AND 1)")

    @steps()
    def runs_with_names(db: Database) -> None:
        """What a run is called, and what is to be remembered of the chatbot that was judged."""
        db.execute("ALTER TABLE runs ADD COLUMN name TEXT NOT NULL DEFAULT ''")
        db.execute("ALTER TABLE runs ADD COLUMN parameters TEXT NOT NULL DEFAULT '{}'")

    @steps()
    def failure_modes(db: Database) -> None:
        """Failure modes, whose names and meanings grow while people read: every change is a row."""
        for statement in _statements(_FAILURE_MODES):
            db.execute(statement)

    @steps()
    def criteria(db: Database) -> None:
        """Versions of criteria to set side by side; splits, so that none is tested on what it learned."""
        for statement in _statements(_CRITERIA):
            db.execute(statement)

    @steps()
    def lists_of_sessions(db: Database) -> None:
        """Filters by name, queues to review, and what lists look like; indexes for filters of many sessions.

        The one on turns holds nothing that the table lacks, and is a hundredth of its size: a search finds
        turns, and wants their sessions.
        """
        for statement in _statements(_LISTS):
            db.execute(statement)

    @steps()
    def stated_passes(db: Database) -> None:
        """A check of a test file may pass or fail by a rule of its own, whatever its score.

        `stated` keeps what it said; `passed` is computed from that, the score and the threshold, so that
        every query means the same by it.
        """
        for statement in _statements(_STATED):
            db.execute(statement)

    @steps()
    def answers(db: Database) -> None:
        """What chatbots answered, so that a test file that is run again asks only for what is new."""
        for statement in _statements(_ANSWERS):
            db.execute(statement)

    @steps()
    def found_elsewhere(db: Database) -> None:
        """The file that a score, label or run came from: who judged or labelled is that file's word."""
        for statement in _statements(_FOUND_ELSEWHERE):
            db.execute(statement)

    @steps()
    def spills(db: Database) -> None:
        """What waits in files while the database is locked comes in once, also where that is broken off."""
        db.execute("CREATE TABLE spills (name TEXT PRIMARY KEY, lines INTEGER NOT NULL) WITHOUT ROWID")

    @steps()
    def claims(db: Database) -> None:
        """What runs are about to judge, so that several of them at once share the work and pay once."""
        for statement in _statements(_CLAIMS):
            db.execute(statement)

    @steps()
    def imports_in_slices(db: Database) -> None:
        """A large file comes in slice by slice, so that others can write, and is seen once it is whole."""
        for statement in _statements(_IMPORTS):
            db.execute(statement)

    @steps()
    def facts(db: Database) -> None:
        """Metadata and scenarios where filters find them: reading all sessions would take seconds."""
        for statement in _statements(FACTS):
            db.execute(statement)
        index_all(db.conn, tell)

    @steps()
    def followed_sessions(db: Database) -> None:
        """Which sessions a file gave that is followed, so that one which grows is brought up to date."""
        for statement in _statements(_FOLLOWED):
            db.execute(statement)

    @steps()
    def roles_of_found_turns(db: Database) -> None:
        """Who said what a search finds, without reading the turn: a search looks at what was said."""
        for statement in _statements(_ROLES_OF_TURNS):
            db.execute(statement)

    @steps()
    def sights(db: Database) -> None:
        """Who saw a session's scores before they labelled it: such a label does not count as blind."""
        for statement in _statements(_SIGHTS):
            db.execute(statement)

    @steps()
    def several_people(db: Database) -> None:
        """Who is to label what, who failed where a conversation did, and what settles where people differ."""
        for statement in _statements(_SEVERAL_PEOPLE):
            db.execute(statement)

    @steps()
    def quotes_of_verdicts(db: Database) -> None:
        """The words that decide a verdict and where they stand, so that screens can show them in the turn."""
        for statement in _statements(_QUOTES):
            db.execute(statement)

    @steps()
    def learned_signals(db: Database) -> None:
        """What was learned from labels, as plain numbers, in all its versions."""
        for statement in _statements(_LEARNED):
            db.execute(statement)

    @steps()
    def judge_certificates(db: Database) -> None:
        """What trials found about judges, so that lists can say of each whether it was tried, and as what."""
        for statement in _statements(_CERTIFICATES):
            db.execute(statement)

    @steps()
    def pair_queues(db: Database) -> None:
        """Pairs of sessions and which one people prefer: side by side is judged more surely than alone."""
        for statement in _statements(_PAIRS):
            db.execute(statement)

    return steps


def _statements(script: str) -> list[str]:
    """Split a script after each complete statement; a trigger holds semicolons of its own."""
    import sqlite3

    statements, current = [], ""
    for piece in script.split(";"):
        current += piece + ";"
        if sqlite3.complete_statement(current):
            statements.append(current.strip())
            current = ""
    return statements
