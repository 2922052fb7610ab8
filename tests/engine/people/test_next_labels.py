"""Next labels: a queue that draws as it goes, and the rate that may be watched."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import QueueRow, Store
from turnwise.engine.people.next_labels import (
    NO_LIMIT,
    draw_ahead,
    drawn_words,
    make_queue,
    rate_of,
    rate_words,
    strata_of,
)
from turnwise.engine.people.queues import QueuePlan

PLAN = QueuePlan("next", size=NO_LIMIT, metric="m", seed=7)


@pytest.fixture
def sessions(store: Store) -> list[int]:
    """Thirty sessions, all but the last five of which have scores."""
    ids = [keep(store, f"number {number}", "yes") for number in range(30)]
    for place, session in enumerate(ids[:25]):
        land(store, session, score(place % 5 / 4, "m"))
    return ids


def queue_of(store: Store, number: int) -> QueueRow:
    return store.queues.get(number)


def test_two_wait_at_a_time_and_a_label_draws_one_more(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "rate", PLAN)
    first, second = (item.session_id for item in store.queues.items(number))
    draw_ahead(store, queue_of(store, number))
    assert queue_of(store, number).count == 2
    store.labels.add(first, "pass", author="ann", blind=True)
    draw_ahead(store, queue_of(store, number))
    items = store.queues.items(number)
    assert [item.session_id for item in items[:2]] == [first, second]
    assert len({item.session_id for item in items}) == 3
    assert [one.session_id for one in store.draws.drawn(number)] == [item.session_id for item in items]


def test_two_still_wait_where_several_look_at_the_same_time(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "rate", PLAN)
    queue = queue_of(store, number)
    with ThreadPoolExecutor(4) as threads:
        for done in range(1, 13):
            item = store.queues.next(number)
            assert item is not None
            store.labels.add(item.session_id, "pass", author="ann", blind=True)
            together = Barrier(4)
            for one in [threads.submit(_draw_together, store, queue, together) for _ in range(4)]:
                one.result()
            assert len(store.queues.items(number)) == done + 2


def _draw_together(store: Store, queue: QueueRow, together: Barrier) -> None:
    together.wait(timeout=30)
    draw_ahead(store, queue)


def test_the_same_seed_and_labels_draw_the_same_sessions(store: Store, sessions: list[int]) -> None:
    orders = []
    for name in ("one", "two"):
        number = make_queue(store, name, PLAN)
        orders.append([item.session_id for item in store.queues.items(number)])
    assert orders[0] == orders[1]


def test_it_draws_until_the_rate_is_narrow_enough_and_says_so(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "rate", PLAN, within=0.2)
    while (item := store.queues.next(number)) is not None:
        store.labels.add(item.session_id, "pass", author="ann", blind=True)
        draw_ahead(store, queue_of(store, number))
    found = rate_of(store, queue_of(store, number))
    assert found is not None
    assert found.labels < 30
    assert found.more == 0
    assert found.high - found.low <= 0.4
    assert "to 100 % at any time you look; ±20 is reached" in rate_words(found)


def test_a_queue_has_no_more_than_its_size(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "rate", QueuePlan("next", size=3, metric="m"))
    for _ in range(3):
        item = store.queues.next(number)
        assert item is not None
        store.labels.add(item.session_id, "fail", author="ann", blind=True)
        draw_ahead(store, queue_of(store, number))
    assert store.queues.next(number) is None
    found = rate_of(store, queue_of(store, number))
    assert found is not None
    assert found.more > 1


def test_what_is_imported_or_judged_later_changes_no_chance(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "rate", PLAN)
    sizes = store.draws.sizes(number)
    land(store, keep(store, "later", "yes"), score(0.5, "m"))
    land(store, sessions[-1], score(0.5, "m"))
    assert store.draws.sizes(number) == sizes == (5, 5, 5, 5, 5, 5)


def test_of_several_people_the_majority_counts_and_a_tie_is_undecided(
    store: Store, sessions: list[int]
) -> None:
    number = make_queue(store, "rate", PLAN)
    first, second = (item.session_id for item in store.queues.items(number))
    for author, word in (("ann", "pass"), ("ben", "fail")):
        store.labels.add(first, word, author=author, blind=True)  # type: ignore[arg-type]
    store.labels.add(second, "pass", author="ann", blind=True)
    found = rate_of(store, queue_of(store, number))
    assert found is not None
    assert (found.labels, found.undecided) == (1, 1)
    assert "1 undecided count against both ends" in rate_words(found)
    store.labels.add(first, "fail", author="cem", blind=True)
    found = rate_of(store, queue_of(store, number))
    assert found is not None
    assert (found.labels, found.undecided) == (2, 0)


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("", "of 30 sessions, at random: no metric was named"),
        ("politeness", "of 30 sessions, at random: none has a score of politeness"),
        ("m", "of 30 sessions, by their scores of m; 5 have none"),
    ],
)
def test_without_scores_it_draws_at_random_and_says_so(
    store: Store, sessions: list[int], metric: str, words: str
) -> None:
    number = make_queue(store, "rate", QueuePlan("next", metric=metric))
    assert drawn_words(queue_of(store, number)) == words
    if metric != "m":
        assert store.draws.sizes(number) == (30,)


def test_scores_of_many_values_make_few_strata() -> None:
    scores = {session: session / 100 for session in range(100)}
    strata = strata_of(range(110), scores)
    assert set(strata.values()) == set(range(7))
    assert {strata[session] for session in range(100, 110)} == {6}
    assert strata[0] == 0
    assert strata[99] == 5


@pytest.mark.parametrize(
    ("plan", "within", "people", "title"),
    [
        (PLAN, 0.0, (), "at least a little wide"),
        (PLAN, 0.05, ("ann",), "whoever comes"),
        (QueuePlan("next", by="tag"), 0.05, (), "of no groups"),
    ],
)
def test_what_means_nothing_is_refused(
    store: Store, sessions: list[int], plan: QueuePlan, within: float, people: tuple[str, ...], title: str
) -> None:
    with pytest.raises(SettingError, match=title):
        make_queue(store, "rate", plan, within=within, people=people)
    assert store.queues.all() == []


def test_other_queues_have_no_rate_and_draw_nothing(store: Store, sessions: list[int]) -> None:
    number = make_queue(store, "some", QueuePlan("random", 4))
    draw_ahead(store, queue_of(store, number))
    assert queue_of(store, number).count == 4
    assert rate_of(store, queue_of(store, number)) is None
