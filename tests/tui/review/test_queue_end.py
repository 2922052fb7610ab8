"""What the end of a queue says of the time that it took: that of whoever reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scored_sessions import add_talk
from tui_driver import shown, until, words_shown

from turnwise.conversations.findings import Label
from turnwise.conversations.store import FailureMode, Store
from turnwise.engine.people.queue_summary import sum_up
from turnwise.engine.people.statistics.unseen_kinds import UnseenKinds
from turnwise.tui.app.app import TurnwiseApp
from turnwise.tui.review.queue_end import QueueEndDialog, said_content


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


async def test_in_a_low_window_all_steps_and_keys_are_in_sight(store: Store) -> None:
    queue = store.queues.add("ours", [add_talk(store)], sampler="random")
    modes = tuple(FailureMode(number, f"Mode {number}", "", "mia", 0.0, sessions=1) for number in range(1, 9))
    unseen = UnseenKinds(60, 8, 3, 40, 5, 0.083, 0.251, 3.2)
    summary = replace(sum_up(store, queue, "mia"), modes=modes, unseen=unseen)
    app = TurnwiseApp(store)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(QueueEndDialog(summary))
        await until(pilot, lambda: "Leave" in shown(app))
        for words in ("What went wrong", "and 6 more", "of 100 more", "Undo", "enter go there"):
            assert words in words_shown(app)
