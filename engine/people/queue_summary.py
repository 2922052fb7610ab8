"""What a review queue came to: how much of it is done, what was said, what went wrong, how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import FailureMode, QueueRow, Store
from turnwise.engine.people.next_labels import rate_of
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds
from turnwise.engine.people.statistics.watched_rates import WatchedRate
from turnwise.engine.people.unseen_modes import unseen_modes


@dataclass(frozen=True, slots=True)
class QueueSummary:
    """A queue, and what was said of its sessions since it was made.

    said: how many sessions got each word. modes: the failure modes that sessions of it have; their `sessions`
    are those of the queue. seconds: how long the one who asks was at it; 0 where that is not known. blind:
    how many labels were given before the scores were seen. put_off: the sessions that are put off, in the
    queue's order. following: another queue that is not done, the newest; None without one. rate: of a queue
    that draws for a pass rate.
    unseen: what all reviews so far say of failure modes that nobody saw yet; None without any mode.
    """

    queue: QueueRow
    said: Mapping[LabelWord, int]
    modes: tuple[FailureMode, ...] = ()
    seconds: float = 0.0
    blind: int = 0
    put_off: tuple[int, ...] = ()
    following: QueueRow | None = None
    rate: WatchedRate | None = None
    unseen: UnseenKinds | None = None

    @property
    def is_done(self) -> bool:
        """Whether each session of it was passed or failed."""
        return self.queue.done >= self.queue.count


def sum_up(store: Store, queue_id: int, author: str) -> QueueSummary:
    """Return what a queue came to, and how long one person was at it. Raises NotFoundError."""
    queues = store.queues.all()
    counting = store.queues.counting_labels(queue_id).values()
    queue = store.queues.get(queue_id)
    return QueueSummary(
        queue,
        Counter(label.word for label in counting if label.word is not None),
        tuple(store.modes.of_queue(queue_id)),
        time_at_work(store, queue, author),
        sum(label.blind for label in counting),
        tuple(item.session_id for item in store.queues.items(queue_id) if item.put_off),
        next((one for one in queues if one.id != queue_id and one.done < one.count), None),
        rate_of(store, queue),
        unseen_modes(store),
    )


def add_time(store: Store, queue: QueueRow, author: str, seconds: float) -> None:
    """Add to the time that somebody was at a queue.

    It is kept, as the times of labels do not tell it: between two one may have read another screen, or have
    been away.
    """
    with store.writing():
        before = time_at_work(store, queue, author)
        store.remembered.keep(_name(queue, author), round(before + seconds, 3))


def time_at_work(store: Store, queue: QueueRow, author: str) -> float:
    """Return how many seconds somebody was at a queue in the app; 0 where that is not known."""
    seconds = store.remembered.get(_name(queue, author))
    return float(seconds) if isinstance(seconds, int | float) else 0.0


def _name(queue: QueueRow, author: str) -> str:
    return f"{queue.times_kept_as}{author}"
