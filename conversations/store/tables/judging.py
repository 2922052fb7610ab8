"""The tables of judging: what passes, answers, claims of runs, quotes, certificates, learned signals."""

STATED = """
ALTER TABLE scores ADD COLUMN stated INTEGER CHECK (stated IN (0, 1));
ALTER TABLE scores ADD COLUMN passed INTEGER
    GENERATED ALWAYS AS (coalesce(stated, score >= threshold)) VIRTUAL;
DROP INDEX scores_newest;
CREATE INDEX scores_newest ON scores (metric, session_id, exchange, id, outcome, score, threshold, passed);
"""

ANSWERS = """
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

CLAIMS = """
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

QUOTES = """
ALTER TABLE verdicts ADD COLUMN quote_turn INTEGER;
ALTER TABLE verdicts ADD COLUMN quote_start INTEGER;
ALTER TABLE verdicts ADD COLUMN quote_end INTEGER;
ALTER TABLE verdicts ADD COLUMN quote TEXT;
"""

LEARNED = """
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

CERTIFICATES = """
CREATE TABLE judge_certificates (
    id INTEGER PRIMARY KEY,
    judge TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    made_at REAL NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX calls_by_judge ON calls (judge, id);
"""
