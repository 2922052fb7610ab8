"""Labels that stand: what people say of a session as a whole by now, as SQL that lists and counts share.

Of each person the last that was said stands, of what they settled for others apart from their own view. A row
without a word takes back what the same person said before, or only notes; what others said stands as it did.
"""

from __future__ import annotations

LABEL_STANDS = """(l.metric = '' AND l.label IS NOT NULL AND NOT EXISTS (SELECT 1 FROM labels n
    WHERE n.session_id = l.session_id AND n.id > l.id AND n.metric = '' AND n.author = l.author
        AND n.adjudicates = l.adjudicates))"""
"""Whether a label (l) has a word about the whole session, and nothing newer of the same person."""
NEWEST_LABEL = (
    f"(SELECT l.label FROM labels l WHERE l.session_id = s.id AND {LABEL_STANDS} "  # noqa: S608
    "ORDER BY l.id DESC LIMIT 1)"
)
"""The newest label that stands of a session (s); NULL where none does."""
NEWEST_LABELS = (
    "(SELECT l.session_id, l.label, l.at_fault, max(l.id) FROM labels l "  # noqa: S608
    f"WHERE {LABEL_STANDS} GROUP BY l.session_id)"
)
"""The same of all sessions that have one. SQLite takes the other columns from the row of the max."""
DISPUTED = f"""(
    (SELECT count(DISTINCT l.label) FROM labels l WHERE l.session_id = s.id
        AND NOT l.adjudicates AND l.label IN ('pass', 'fail') AND {LABEL_STANDS}) > 1
    AND coalesce((SELECT l.label FROM labels l WHERE l.session_id = s.id
        AND l.adjudicates AND {LABEL_STANDS} ORDER BY l.id DESC LIMIT 1), 'defer') = 'defer')"""  # noqa: S608
"""Whether people see a session (s) differently, and nobody settled it: one says pass, another fail."""
_OF_SEVERAL = """s.id IN (SELECT session_id FROM labels WHERE metric = '' GROUP BY session_id
    HAVING count(DISTINCT author) > 1)"""
# Those of several people are few, and found in one pass.
IS_DISPUTED = f"({_OF_SEVERAL} AND {DISPUTED})"
"""The same, for conditions that are asked of many sessions."""
