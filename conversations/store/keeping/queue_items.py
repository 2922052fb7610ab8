"""Items of review queues: when one is done, as SQL that queues and lists of sessions share."""

from __future__ import annotations

_ASSIGNED = "queue_assignments a WHERE a.queue_id = i.queue_id AND a.session_id = i.session_id"
_LABELLED = """(SELECT l.label IS NOT NULL AND l.id > q.newest_label FROM labels l
    WHERE l.session_id = i.session_id AND l.metric = '' {} ORDER BY l.id DESC LIMIT 1)"""
_BY_ANYBODY = _LABELLED.format("")
DONE_BY_THE_ASSIGNED = _LABELLED.format("AND l.author = a.author AND NOT l.adjudicates")
"""Whether a person who is named for an item (a) gave it a label since the queue was made, as SQL."""
DONE = f"""(CASE WHEN EXISTS (SELECT 1 FROM {_ASSIGNED})
    THEN NOT EXISTS (SELECT 1 FROM {_ASSIGNED} AND NOT coalesce({DONE_BY_THE_ASSIGNED}, 0))
    ELSE {_BY_ANYBODY} END)"""  # noqa: S608
"""Whether an item (i) of a queue (q) got its labels since the queue was made, as SQL.

Where people are named for it, each of them has to give one; else one of anybody will do.
"""
