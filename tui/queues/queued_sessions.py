"""The sessions of a queue in lines: what each is called, and what was said of it since the queue was made."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import LABEL_SIGNS, LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import QueueLabel, Store
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.parts.words import ago

MOST = 200
"""So many are told; more are counted."""
_BEFORE, _MOST_NAME = 9, 60


@dataclass(frozen=True, slots=True)
class QueuedSession:
    """A session of a queue. label: what counts of what was said of it; None where it waits. by: by whom, and
    when.
    """

    id: int
    name: str
    label: LabelWord | None
    by: str = ""


def queued_sessions(store: Store, queue_id: int) -> tuple[QueuedSession, ...]:
    """Return the first sessions of a queue, in its order."""
    ids = [item.session_id for item in store.queues.items(queue_id)[:MOST]]
    names = store.judgements.names(ids)
    labels = store.queues.counting_labels(queue_id)
    return tuple(_queued(one, names[one], labels.get(one)) for one in ids if one in names)


def _queued(session_id: int, name: str, label: QueueLabel | None) -> QueuedSession:
    if label is None or label.word is None:
        return QueuedSession(session_id, name, None)
    blind = ", blind" if label.blind else ""
    by = f"{label.word} by {label.author}, {ago(label.created_at, time.time())}{blind}"
    return QueuedSession(session_id, name, label.word, by)


def session_lines(
    sessions: Sequence[QueuedSession] | None, count: int, width: int, tones: Tones
) -> list[Line]:
    """Return a line for each session, under a head. count: how many the queue has.

    sessions: None while they are read: so many lines stay free then, or all would be laid out once more.
    """
    lines: list[Line] = [[], [Segment("Its sessions", tones.section)]]
    if sessions is None:
        return lines + [[]] * (min(count, MOST) + (count > MOST))
    longest = max((cell_len(make_safe_line(one.name)) for one in sessions), default=0)
    cells = max(1, min(longest, _MOST_NAME, width - _BEFORE))
    for one in sessions:
        sign = LABEL_SIGNS[one.label] if one.label else "·"
        lines.append(
            [
                Segment(f"{sign} ", tones.of_sign(sign)),
                Segment(f"{one.id:>5}  ", tones.muted),
                Segment(
                    fit(make_safe_line(one.name), cells),
                    tones.muted if one.label in ("pass", "fail") else tones.text,
                ),
                Segment(fit(f"  {make_safe_line(one.by)}", max(0, width - _BEFORE - cells)), tones.muted),
            ]
        )
    if count > len(sessions):
        lines.append([Segment(f"and {count - len(sessions):,} more", tones.muted)])
    return lines
