"""The sessions of a queue in lines: what each is called, and what was said of it since the queue was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment

from turnwise.conversations.findings import LabelWord
from turnwise.conversations.marks import LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit

MOST = 200
"""So many are told; more are counted."""
_BEFORE = 9


@dataclass(frozen=True, slots=True)
class QueuedSession:
    """A session of a queue. label: what was said of it last; None where it waits."""

    id: int
    name: str
    label: LabelWord | None


def queued_sessions(store: Store, queue_id: int) -> tuple[QueuedSession, ...]:
    """Return the first sessions of a queue, in its order."""
    ids = [item.session_id for item in store.queues.items(queue_id)[:MOST]]
    names = store.judgements.names(ids)
    labels = {one.session_id: one.word for one in store.queues.labels(queue_id)}
    return tuple(QueuedSession(one, names[one], labels.get(one)) for one in ids if one in names)


def session_lines(
    sessions: Sequence[QueuedSession] | None, count: int, width: int, tones: Tones
) -> list[Line]:
    """Return a line for each session, under a head. count: how many the queue has.

    sessions: None while they are read: so many lines stay free then, or all would be laid out once more.
    """
    lines: list[Line] = [[], [Segment("Its sessions", tones.section)]]
    if sessions is None:
        return lines + [[]] * (min(count, MOST) + (count > MOST))
    for one in sessions:
        sign = LABEL_SIGNS[one.label] if one.label else "·"
        name = fit(make_safe_line(one.name), max(1, width - _BEFORE)).rstrip()
        lines.append(
            [
                Segment(f"{sign} ", tones.of_sign(sign)),
                Segment(f"{one.id:>5}  ", tones.muted),
                Segment(name, tones.muted if one.label else tones.text),
            ]
        )
    if count > len(sessions):
        lines.append([Segment(f"and {count - len(sessions):,} more", tones.muted)])
    return lines
