"""The tables of what comes in: files slice by slice, sources that grow, and what a search of turns reads."""

FOUND_ELSEWHERE = """
ALTER TABLE scores ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
ALTER TABLE labels ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN came_from TEXT NOT NULL DEFAULT '';
"""

IMPORTS = """
CREATE TABLE imports (
    id INTEGER PRIMARY KEY,
    came_from TEXT NOT NULL,
    at REAL NOT NULL,
    sealed INTEGER NOT NULL CHECK (sealed IN (0, 1))
);
CREATE TABLE staged_sessions (first INTEGER PRIMARY KEY, last INTEGER NOT NULL);
CREATE TABLE staged_findings (id INTEGER PRIMARY KEY, session_id INTEGER NOT NULL, found TEXT NOT NULL);
"""

FOLLOWED = """
CREATE TABLE followed_sessions (
    source TEXT NOT NULL,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    PRIMARY KEY (source, session_id)
) WITHOUT ROWID;
CREATE INDEX followed_sessions_by_session ON followed_sessions (session_id);
"""

ROLES_OF_TURNS = """
DROP INDEX turns_to_sessions;
CREATE INDEX turns_to_sessions ON turns (id, session_id, role);
"""
