"""Which model answers for a judge: the one that answers now, where scores rest on the answers of another.

A server may answer to the same name with another model tomorrow. Every kept call says which model answered.
Calls for vectors and the like go to models of their own, and tell nothing of the judge's.
"""

from __future__ import annotations

import sqlite3

IS_ANSWER = "iif(json_valid(c.request), json_type(c.request, '$.input'), NULL) IS NULL"
"""Whether a call c asked a judge a question."""
_NOW = (
    "(SELECT c.model FROM calls c WHERE c.judge = s.judge_fingerprint "  # noqa: S608
    f"AND {IS_ANSWER} ORDER BY c.id DESC LIMIT 1)"
)
_THEN = (
    "(SELECT c.model FROM score_calls m JOIN calls c ON c.key = m.call_key "  # noqa: S608
    f"WHERE m.score_id = s.id AND c.created_at <= s.created_at AND {IS_ANSWER} ORDER BY c.id DESC LIMIT 1)"
)


def models_since(connection: sqlite3.Connection, session_id: int) -> dict[int, str]:
    """Return the model that answers now for each score of a session that rests on another one's answers."""
    return {
        row[0]: row[2]
        for row in connection.execute(
            f"SELECT s.id, {_THEN}, {_NOW} FROM scores s "  # noqa: S608
            "WHERE s.session_id = ? AND s.judge_fingerprint != ''",
            [session_id],
        )
        if row[1] and row[2] and row[1] != row[2]
    }


def judged_by_others(connection: sqlite3.Connection, metric: str) -> dict[str, int]:
    """Return of how many sessions the newest score of a metric rests on a model's answers that was replaced.

    By the model that answers now. Where the first and the last call of every judge are one model's, no score
    is looked at: nothing changed.
    """
    replaced = _replaced_judges(connection)
    if not replaced:
        return {}
    judges = connection.execute("SELECT DISTINCT judge_fingerprint FROM scores WHERE metric = ?", [metric])
    now = {row[0]: replaced[row[0]] for row in judges if row[0] in replaced}
    if not now:
        return {}
    places = ", ".join("?" * len(now))
    found: dict[str, int] = {}
    for judge, then, count in connection.execute(
        f"SELECT s.judge_fingerprint, {_THEN} AS model, count(*) FROM scores s "  # noqa: S608
        f"WHERE s.outcome = 'score' AND s.judge_fingerprint IN ({places}) "
        "AND s.id IN (SELECT max(id) FROM scores WHERE metric = ? GROUP BY session_id) GROUP BY 1, 2",
        [*now, metric],
    ):
        if then and now[judge] and then != now[judge]:
            found[now[judge]] = found.get(now[judge], 0) + count
    return found


def _replaced_judges(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the judges, by fingerprint, whose last call another model answered than the first: by which.

    Each judge is looked up behind the one before it in the index of calls, however many calls there are.
    """
    rows = connection.execute(
        "WITH RECURSIVE asked(judge) AS (SELECT min(judge) FROM calls UNION ALL "  # noqa: S608
        "SELECT (SELECT min(judge) FROM calls WHERE judge > asked.judge) FROM asked "
        "WHERE asked.judge IS NOT NULL) "
        f"SELECT judge, (SELECT c.model FROM calls c WHERE c.judge = asked.judge AND {IS_ANSWER} "
        f"ORDER BY c.id LIMIT 1), (SELECT c.model FROM calls c WHERE c.judge = asked.judge AND {IS_ANSWER} "
        "ORDER BY c.id DESC LIMIT 1) FROM asked WHERE judge IS NOT NULL AND judge != ''"
    )
    return {row[0]: row[2] for row in rows if row[1] != row[2]}
