"""The tables of the first version: sessions with their turns, runs with their scores, calls, labels."""

TABLES = """
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
