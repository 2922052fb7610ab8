"""Handing out: a queue as a page that somebody labels in a browser, without turnwise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from turnwise.conversations.errors import DamageError
from turnwise.conversations.exports import LabelledQueue, export_queue
from turnwise.conversations.store import QueueRow, Store


def hand_out(
    store: Store, queue: QueueRow, output: Path, *, force: bool, on_damage: Callable[[DamageError], None]
) -> int:
    """Write a queue as a page, with the failure modes to choose, and return how many sessions are on it.

    force: also over a file that is there. on_damage: hears of sessions that cannot be read and are left out.
    For what is raised see `export_queue`.
    """
    sessions = [item.session_id for item in store.queues.items(queue.id)]
    modes = [(mode.name, mode.definition) for mode in store.modes.all(counted=False)]
    handed = LabelledQueue(queue.name, modes)
    return export_queue(store, sessions, handed, output=output, force=force, on_damage=on_damage)
