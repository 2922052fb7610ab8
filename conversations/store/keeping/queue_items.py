"""Items of review queues: when one is done or put off, as SQL that queues and lists of sessions share."""

from __future__ import annotations

_ASSIGNED = "queue_assignments a WHERE a.queue_id = i.queue_id AND a.session_id = i.session_id"
_OF_THE_WHOLE = "l.session_id = i.session_id AND l.metric = ''"
_BY_THE_ASSIGNED = f"""(SELECT l.label {{}} AND l.id > q.newest_label FROM labels l
    WHERE {_OF_THE_WHOLE} AND l.author = a.author AND NOT l.adjudicates ORDER BY l.id DESC LIMIT 1)"""  # noqa: S608
# Of each person what was said last: who puts off, or takes back, what another has done does not undo it.
_BY_ANYBODY = f"""EXISTS (SELECT 1 FROM labels l WHERE {_OF_THE_WHOLE} AND l.id > q.newest_label
    AND l.label {{}} AND NOT EXISTS (SELECT 1 FROM labels m WHERE m.session_id = l.session_id
        AND m.metric = '' AND m.author = l.author AND m.id > l.id))"""  # noqa: S608
_DECIDES, _PUTS_OFF = "IN ('pass', 'fail')", "= 'defer'"
DONE_BY_THE_ASSIGNED = _BY_THE_ASSIGNED.format(_DECIDES)
"""Whether a person who is named for an item (a) passed or failed it since the queue was made, as SQL."""
PUT_OFF_BY_THE_ASSIGNED = _BY_THE_ASSIGNED.format(_PUTS_OFF)
"""Whether a person who is named for an item (a) put it off since the queue was made, as SQL."""
DONE = f"""(CASE WHEN EXISTS (SELECT 1 FROM {_ASSIGNED})
    THEN NOT EXISTS (SELECT 1 FROM {_ASSIGNED} AND NOT coalesce({DONE_BY_THE_ASSIGNED}, 0))
    ELSE {_BY_ANYBODY.format(_DECIDES)} END)"""  # noqa: S608
"""Whether an item (i) of a queue (q) was passed or failed since the queue was made, as SQL.

Where people are named for it, each of them has to say so; else anybody will do. Who defers says that it is
still to be decided: such an item is put off, and not done, unless another has done it.
"""
PUT_OFF = f"""(CASE WHEN EXISTS (SELECT 1 FROM {_ASSIGNED})
    THEN EXISTS (SELECT 1 FROM {_ASSIGNED} AND coalesce({PUT_OFF_BY_THE_ASSIGNED}, 0))
    ELSE {_BY_ANYBODY.format(_PUTS_OFF)} AND NOT {_BY_ANYBODY.format(_DECIDES)} END)"""  # noqa: S608
"""Whether an item (i) of a queue (q) was put off since the queue was made, by who decides it, as SQL."""
