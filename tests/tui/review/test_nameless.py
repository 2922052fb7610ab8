"""What people differ on is settled by what they say, without their names."""

from __future__ import annotations

import pytest
from reviewing import drawn, press, reviewing, settled
from tui_driver import shown, words_shown

from turnwise.conversations.store import Store
from turnwise.tui.review.label_history import LabelHistoryDialog
from turnwise.tui.review.near_modes_line import NearModesLine
from turnwise.tui.review.queue_end import QueueEndDialog
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import QueueSessions

WIDE, NARROW = (140, 40), (80, 24)


def modes(screen: ReviewScreen) -> str:
    return drawn(screen.query_one(NearModesLine))


async def test_in_a_queue_of_disputed_sessions_a_label_settles_and_names_nobody(
    store: Store, ids: list[int]
) -> None:
    for author, word in (("adelheid", "pass"), ("benedikt", "fail")):
        store.labels.add(ids[0], word, author=author, blind=True, note=f"{word} it is")  # type: ignore[arg-type]
    queue = store.queues.get(store.queues.add("open", ids[:1], sampler="disputed"))
    async with reviewing(store, ids[0], WIDE, QueueSessions(store, queue)) as (screen, pilot):
        seen = words_shown(pilot.app)
        assert "People differ: your label settles it" in seen
        assert "Scores hidden; s shows them." in seen
        assert "person 1" in seen
        assert "person 2" in seen
        assert "adelheid" not in seen
        assert "benedikt" not in seen
        await press(pilot, "f", "enter")
        assert isinstance(pilot.app.screen, QueueEndDialog)
        assert not screen.labels.hides_scores
        # Nobody saw the scores, but the labels of both were in sight.
        assert "settled with all labels in sight" in words_shown(pilot.app)
        await press(pilot, "K")
        assert "not blind" in words_shown(pilot.app)
    assert [(row.label, row.adjudicates, row.blind) for row in store.labels.of(ids[0])] == [
        ("pass", False, True),
        ("fail", False, True),
        ("fail", True, False),
    ]


async def test_a_failure_mode_of_somebody_else_is_not_shown_as_ones_own(store: Store, ids: list[int]) -> None:
    for author, word in (("adelheid", "pass"), ("benedikt", "fail")):
        store.labels.add(ids[0], word, author=author, blind=True)  # type: ignore[arg-type]
    store.modes.assign([ids[0]], store.modes.add("is rude", "", "benedikt"), "benedikt", turn=2)
    store.modes.add("makes it up", "", "benedikt")
    queue = store.queues.get(store.queues.add("open", ids, sampler="disputed"))
    async with reviewing(store, ids[0], WIDE, QueueSessions(store, queue)) as (screen, pilot):
        await press(pilot, "s", "2")
        assert " ".join(modes(screen).split()) == "1 ○ is rude 2 ✗ makes it up"
        said = drawn(screen.pane.label_pane)
        assert "Modes  makes it up at turn 2\n" in said
        assert "✗ person 1 fail, just now\n    is rude at turn 2" in said
        await press(pilot, "f")
        assert "✗ benedikt fail, just now\n    is rude at turn 2" in drawn(screen.pane.label_pane)


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_who_settles_reads_the_reasons_of_those_who_differ_and_never_their_names(
    store: Store, ids: list[int], size: tuple[int, int]
) -> None:
    reasons = {"adelheid": "It is a voucher in the end.", "benedikt": "It promises the money back."}
    for author, word in (("adelheid", "pass"), ("benedikt", "fail")):
        store.labels.add(ids[0], word, author=author, blind=True, note=reasons[author])  # type: ignore[arg-type]
        store.labels.add(ids[0], word, author=author, metric="knowledge_retention", blind=False)  # type: ignore[arg-type]
    store.modes.assign([ids[0]], store.modes.add("promises too much", "", "benedikt"), "benedikt", turn=2)
    queue = store.queues.get(store.queues.add("open", ids[:1], sampler="disputed"))
    async with reviewing(store, ids[0], size, QueueSessions(store, queue)) as (screen, pilot):
        said = " ".join(drawn(screen.pane.label_pane).split())
        assert "promises too much" in said
        assert all(reason in said for reason in reasons.values())
        assert "✗ knowledge" not in shown(pilot.app)
        # The scores and what people say of them name nobody, and neither does the history.
        await press(pilot, "h")
        assert isinstance(pilot.app.screen, LabelHistoryDialog)
        told = shown(pilot.app)
        assert "person 1" in told
        assert "knowledge retention" not in told
        await press(pilot, "escape", "s", "h")
        told = shown(pilot.app)
        assert "knowledge retention" in told
        await press(pilot, "escape", "tab")
        await settled(pilot)
        assert "adelheid" not in told + shown(pilot.app)
        assert "benedikt" not in told + shown(pilot.app)
        await press(pilot, "escape", "f")
        # With their names they stand as they stood without: who failed it first.
        said = drawn(screen.pane.label_pane)
        assert 0 < said.index("benedikt") < said.index("adelheid")
