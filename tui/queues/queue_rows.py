"""Rows of the queues screen: how far a queue is, as a bar and in words, and what is told of it below."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from turnwise.conversations.marks import LABEL_SIGNS
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import QueueProgress, QueueRow
from turnwise.engine.people.next_labels import drawn_words, rate_words
from turnwise.engine.people.queues import ABOUT, TITLES
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds
from turnwise.engine.people.statistics.watched_rates import WatchedRate
from turnwise.engine.people.unseen_modes import NO_MODES, unseen_words
from turnwise.tui.drawing.bars import progress
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones, paragraph
from turnwise.tui.drawing.record_table import Cell, TableColumn
from turnwise.tui.parts.words import ago

WITH_AGE_FROM, WITH_QUERY_FROM = 96, 132
"""From so many cells on the table says when a queue was made, and of which sessions."""
_BAR, _BAR_WIDE = 10, 20


@dataclass(frozen=True, slots=True)
class ListedQueue:
    """A queue as the screen lists it, and what came of it. rate: of a queue that draws for one.

    unseen: what all reviews say of failure modes that nobody saw yet; None where none was seen.
    """

    queue: QueueRow
    progress: QueueProgress
    rate: WatchedRate | None = None
    unseen: UnseenKinds | None = None

    @property
    def left(self) -> int:
        """How many of its sessions are still to be passed or failed."""
        return self.queue.count - self.queue.done


def queue_columns(width: int) -> list[TableColumn]:
    """Return the columns of the table in so many cells."""
    wide = width >= WITH_QUERY_FROM
    return [
        TableColumn("queue"),
        TableColumn("labelled", 14 if wide else 10, right=True),
        TableColumn("", _BAR_WIDE if wide else _BAR),
        *([TableColumn("chosen", 30)] if wide else []),
        *([TableColumn("made", 10)] if width >= WITH_AGE_FROM else []),
        TableColumn("last label", 20),
    ]


def queue_cells(listed: ListedQueue, width: int) -> list[Cell]:
    """Return the cells of a queue for those columns."""
    queue = listed.queue
    wide = width >= WITH_QUERY_FROM
    share = queue.done / queue.count if queue.count else 1.0
    tone = "text" if listed.left else "passed"
    return [
        Cell(queue.name),
        Cell(f"{queue.done:,} of {queue.count:,}", tone),
        Cell(progress(share, _BAR_WIDE if wide else _BAR), tone),
        *([Cell(chosen_words(queue), "muted")] if wide else []),
        *([Cell(ago(queue.created_at, time.time()), "muted")] if width >= WITH_AGE_FROM else []),
        Cell(_newest_words(listed.progress), "muted"),
    ]


def chosen_words(queue: QueueRow) -> str:
    """Say how its sessions were chosen, and of which."""
    query = str(queue.settings.get("query", ""))
    sampler = TITLES.get(queue.sampler, queue.sampler)  # type: ignore[call-overload]
    return f"{sampler}{f' of {query}' if query else ''}"


def queue_lines(listed: ListedQueue, width: int, tones: Tones, key: str) -> list[Line]:
    """Return what is told of a queue, so many cells wide. key: the one that goes on with it."""
    queue = listed.queue
    lines = paragraph(make_safe_line(queue.name), width, tones.section)
    off = f", {queue.put_off:,} of them put off" if queue.put_off else ""
    left = f"{listed.left:,} of {queue.count:,} left{off}: {key} goes on" if listed.left else "all done"
    if not queue.count:
        left = "its sessions were forgotten"
    lines += paragraph(left, width, tones.text if listed.left or not queue.count else tones.passed)
    if listed.rate is not None:
        lines += paragraph(rate_words(listed.rate), width, tones.text)
    for text in _about(listed):
        lines += paragraph(make_safe_line(text), width, tones.muted)
    return lines


def _about(listed: ListedQueue) -> Iterator[str]:
    queue, progress = listed.queue, listed.progress
    about = ABOUT.get(queue.sampler, "")  # type: ignore[call-overload]
    made = f"; made {ago(queue.created_at, time.time())}"
    yield f"chosen: {chosen_words(queue)}{f', {about}' if about else ''}{made}"
    if listed.rate is not None:
        yield make_safe_line(drawn_words(queue))
    elif metric := queue.settings.get("metric"):
        yield f"by {str(metric).replace('_', ' ')}"
    if by := queue.settings.get("by"):
        yield f"the same number of each {by}"
    if progress.labels:
        # In one order, whichever label was given first.
        order = list(LABEL_SIGNS)
        counts = sorted(progress.labels.items(), key=lambda one: order.index(one[0]))
        told = (f"{LABEL_SIGNS[word]} {count:,} {word}" for word, count in counts)
        yield f"{' · '.join(told)}, by {', '.join(progress.authors)}"
    if queue.sampler == "new":
        yield NO_MODES if listed.unseen is None else " ".join(unseen_words(listed.unseen))


def _newest_words(progress: QueueProgress) -> str:
    if progress.newest is None:
        return "none yet"
    return f"{ago(progress.newest, time.time())}, {progress.newest_by}"
