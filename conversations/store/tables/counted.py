"""The tables of what is counted as it is written: an overview of all sessions need not read all scores.

Triggers keep them, in the transaction of what they count: whoever writes or deletes, they fit. `recount`
makes them anew from the rows themselves. Whoever changes what is counted writes a migration that makes
triggers and counts anew.
"""

from turnwise.conversations.store.counted.outcomes import IS_FAILED_TURN, costs, mark_of, price_of

_NEWEST_FIRST = "ORDER BY n.exchange DESC, n.id DESC LIMIT 1"
"""As NEWEST says, by an index."""


def _stands(row: str) -> str:
    """Return the condition that a row of `scores` is the newest of its session and metric."""
    return (
        f"{row}.id = (SELECT n.id FROM scores n INDEXED BY scores_newest WHERE n.metric = {row}.metric "  # noqa: S608
        f"AND n.session_id = {row}.session_id {_NEWEST_FIRST})"
    )


def _next(row: str) -> str:
    """Return the SQL for the number of the newest outcome of the same session and metric but this one."""
    return (
        f"(SELECT n.id FROM scores n INDEXED BY scores_newest WHERE n.metric = {row}.metric "  # noqa: S608
        f"AND n.session_id = {row}.session_id AND n.id <> {row}.id {_NEWEST_FIRST})"
    )


def _taken_off(row: str, which: str) -> str:
    """Return the statements that no longer count an outcome as the newest, where there is one.

    row: of the same session and metric. which: the SQL for the outcome's number.
    """
    return f"""
    UPDATE outcome_counts SET sessions = sessions - 1 WHERE (metric, mark, passed) =
        (SELECT c.metric, {mark_of("c")}, coalesce(c.passed, 0) FROM scores c WHERE c.id = {which});
    DELETE FROM outcome_counts WHERE metric = {row}.metric AND sessions = 0;
    DELETE FROM failed_turns WHERE session_id = {row}.session_id AND score_id = {which};"""  # noqa: S608


COUNTED = f"""
CREATE TABLE outcome_counts (
    metric TEXT NOT NULL,
    mark TEXT NOT NULL,
    passed INTEGER NOT NULL,
    sessions INTEGER NOT NULL,
    PRIMARY KEY (metric, mark, passed)
) WITHOUT ROWID;
CREATE TABLE failed_turns (
    session_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    score_id INTEGER NOT NULL,
    PRIMARY KEY (session_id, turn, score_id)
) WITHOUT ROWID;
CREATE TABLE run_counts (
    run_id INTEGER NOT NULL,
    metric TEXT NOT NULL,
    scores INTEGER NOT NULL,
    passed INTEGER NOT NULL,
    PRIMARY KEY (run_id, metric)
) WITHOUT ROWID;
CREATE TABLE run_costs (
    run_id INTEGER PRIMARY KEY,
    scores INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    cost INTEGER NOT NULL
);
CREATE TRIGGER outcomes_counted AFTER INSERT ON scores WHEN {_stands("NEW")}
BEGIN
    {_taken_off("NEW", _next("NEW"))}
    INSERT INTO outcome_counts VALUES (NEW.metric, {mark_of("NEW")}, coalesce(NEW.passed, 0), 1)
        ON CONFLICT (metric, mark, passed) DO UPDATE SET sessions = sessions + 1;
END;
CREATE TRIGGER outcomes_uncounted BEFORE DELETE ON scores WHEN {_stands("OLD")}
BEGIN
    {_taken_off("OLD", "OLD.id")}
    INSERT INTO outcome_counts SELECT c.metric, {mark_of("c")}, coalesce(c.passed, 0), 1 FROM scores c
        WHERE c.id = {_next("OLD")} ON CONFLICT (metric, mark, passed) DO UPDATE SET sessions = sessions + 1;
    INSERT OR IGNORE INTO failed_turns SELECT c.session_id, v.turn, c.id FROM scores c
        CROSS JOIN verdicts v ON v.score_id = c.id
        WHERE c.id = {_next("OLD")} AND c.passed = 0 AND {IS_FAILED_TURN};
END;
CREATE TRIGGER verdicts_counted AFTER INSERT ON verdicts WHEN NEW.passed = 0 AND NEW.turn IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO failed_turns SELECT c.session_id, NEW.turn, c.id FROM scores c
        WHERE c.id = NEW.score_id AND c.passed = 0 AND {_stands("c")};
END;
CREATE TRIGGER verdicts_uncounted AFTER DELETE ON verdicts WHEN OLD.passed = 0 AND OLD.turn IS NOT NULL
BEGIN
    DELETE FROM failed_turns WHERE score_id = OLD.score_id AND turn = OLD.turn
        AND session_id = (SELECT session_id FROM scores WHERE id = OLD.score_id)
        AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.score_id = OLD.score_id AND v.turn = OLD.turn
            AND v.passed = 0);
END;
CREATE TRIGGER run_scores_counted AFTER INSERT ON run_scores
BEGIN
    INSERT INTO run_counts SELECT NEW.run_id, c.metric, 1, coalesce(c.passed, 0) FROM scores c
        WHERE c.id = NEW.score_id AND c.score IS NOT NULL
        ON CONFLICT (run_id, metric) DO UPDATE SET scores = scores + 1, passed = passed + excluded.passed;
END;
CREATE TRIGGER run_scores_uncounted BEFORE DELETE ON run_scores
BEGIN
    UPDATE run_counts SET scores = run_counts.scores - 1, passed = run_counts.passed - coalesce(c.passed, 0)
        FROM scores c WHERE c.id = OLD.score_id AND c.score IS NOT NULL
        AND run_counts.run_id = OLD.run_id AND run_counts.metric = c.metric;
    DELETE FROM run_counts WHERE run_id = OLD.run_id AND scores = 0;
END;
CREATE TRIGGER scores_of_runs_uncounted BEFORE DELETE ON scores WHEN OLD.score IS NOT NULL
BEGIN
    UPDATE run_counts SET scores = scores - 1, passed = passed - coalesce(OLD.passed, 0)
        WHERE metric = OLD.metric AND run_id IN (SELECT run_id FROM run_scores WHERE score_id = OLD.id);
    DELETE FROM run_counts WHERE metric = OLD.metric AND scores = 0
        AND run_id IN (SELECT run_id FROM run_scores WHERE score_id = OLD.id);
END;
CREATE TRIGGER costs_counted AFTER INSERT ON scores WHEN {costs("NEW")}
BEGIN
    INSERT INTO run_costs VALUES (NEW.run_id, 1, NEW.cost IS NOT NULL, {price_of("NEW")})
        ON CONFLICT (run_id) DO UPDATE SET scores = scores + 1, priced = priced + excluded.priced,
        cost = cost + excluded.cost;
END;
CREATE TRIGGER costs_uncounted BEFORE DELETE ON scores WHEN {costs("OLD")}
BEGIN
    UPDATE run_costs SET scores = scores - 1, priced = priced - (OLD.cost IS NOT NULL),
        cost = cost - {price_of("OLD")} WHERE run_id = OLD.run_id;
    DELETE FROM run_costs WHERE run_id = OLD.run_id AND scores = 0;
END;
"""  # noqa: S608
