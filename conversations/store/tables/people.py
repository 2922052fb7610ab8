"""The tables of what people do: failure modes, criteria, filters and queues, labels of several, pairs."""

FAILURE_MODES = """
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

CRITERIA = """
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

LISTS = """
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

SIGHTS = """
CREATE TABLE sights (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    author TEXT NOT NULL,
    seen_at REAL NOT NULL,
    PRIMARY KEY (session_id, author)
) WITHOUT ROWID;
"""

SEVERAL_PEOPLE = """
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

PAIRS = """
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

DRAWS = """
CREATE TABLE queue_draws (
    queue_id INTEGER NOT NULL REFERENCES queues (id) ON DELETE CASCADE,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    stratum INTEGER NOT NULL,
    place INTEGER,
    chances TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (queue_id, session_id)
) WITHOUT ROWID;
CREATE INDEX queue_draws_by_stratum ON queue_draws (queue_id, stratum, place);
CREATE INDEX queue_draws_by_session ON queue_draws (session_id);
"""
