"""What the end of a queue says of the time that it took: that of whoever reads it."""

from __future__ import annotations

import pytest
from scored_sessions import add_talk

from turnwise.conversations.findings import Label
from turnwise.conversations.store import Store
from turnwise.engine.people.queue_summary import sum_up
from turnwise.tui.review.queue_end import said_content


@pytest.mark.parametrize(
    ("reader", "blind", "says"),
    [
        ("mia", True, "2 of 2 done   2 ✓ pass\ntook you about 4 min · all labelled blind"),
        ("zoe", True, "2 of 2 done   2 ✓ pass\nall labelled blind"),
        ("mia", False, "2 of 2 done   2 ✓ pass\ntook you about 4 min\nAll 2 were seen with"),
        ("zoe", False, "2 of 2 done   2 ✓ pass\nAll 2 were seen with"),
    ],
)
def test_the_time_is_that_of_whoever_reads_it(store: Store, reader: str, blind: bool, says: str) -> None:
    talks = [add_talk(store, name=name) for name in ("One", "Two")]
    queue = store.queues.add("ours", talks, sampler="random")
    began = store.queues.get(queue).created_at
    for talk, author, after in zip(talks, ("mia", "ben"), (240.0, 600.0), strict=True):
        store.labels.add_new(talk, [Label(word="pass", author=author, blind=blind)], at=began + after)
    assert said_content(sum_up(store, queue, reader)).plain.startswith(says)
