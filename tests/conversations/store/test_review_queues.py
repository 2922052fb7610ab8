"""Review queues: what is done follows from the labels that came after the queue was made."""

import pytest
from stored import identity, keep, land, score

from turnwise.conversations.errors import NotFoundError, SettingError


@pytest.fixture
def three(store) -> list[int]:
    return [keep(store, f"number {number}", "yes") for number in range(3)]


def test_a_queue_keeps_its_order_and_follows_the_labels(store, three: list[int]) -> None:
    store.labels.add(three[2], "pass", author="a", blind=True)
    queue = store.queues.add(
        "one", [three[2], three[0], three[2], three[1]], sampler="random", settings={"seed": 4}
    )
    row = store.queues.get(queue)
    assert (row.name, row.count, row.done, row.settings) == ("one", 3, 0, {"seed": 4})
    store.labels.add(three[2], "fail", author="b", blind=True)
    store.labels.add(three[0], "fail", author="b", blind=True, metric="politeness")
    assert [(item.place, item.session_id, item.done) for item in store.queues.items(queue)] == [
        (1, three[2], True),
        (2, three[0], False),
        (3, three[1], False),
    ]
    assert store.queues.next(queue).session_id == three[0]
    store.labels.add(three[2], None, author="b", blind=True)
    assert store.queues.next(queue).session_id == three[2]
    for session in three:
        store.labels.add(session, "defer", author="b", blind=True)
    row = store.queues.get(queue)
    assert (row.done, row.put_off) == (0, 3)
    store.labels.add(three[2], "pass", author="b", blind=True)
    assert store.queues.next(queue).session_id == three[0]
    store.labels.add(three[0], None, author="b", blind=True)
    store.labels.add(three[1], "fail", author="b", blind=True)
    assert [(item.done, item.put_off) for item in store.queues.items(queue)] == [
        (True, False),
        (False, False),
        (True, False),
    ]
    store.labels.add(three[0], "fail", author="b", blind=True)
    assert store.queues.next(queue) is None
    assert store.queues.get("one").done == 3


def test_what_was_put_off_comes_after_what_has_no_label_and_still_waits(store, three: list[int]) -> None:
    queue = store.queues.add("one", three, sampler="random")
    store.labels.add(three[0], "defer", author="b", blind=True)
    assert store.queues.next(queue).session_id == three[1]
    assert store.queues.waiting() == set(three)
    for session in three[1:]:
        store.labels.add(session, "pass", author="b", blind=True)
    assert store.queues.next(queue).session_id == three[0]
    assert store.queues.waiting() == {three[0]}


def test_each_person_puts_off_for_themselves(store, three: list[int]) -> None:
    queue = store.queues.add("both", three[:1], sampler="random", assigned={three[0]: ("ada", "ben")})
    store.labels.add(three[0], "defer", author="ada", blind=True)
    store.labels.add(three[0], "pass", author="ben", blind=True)
    assert [(one.author, one.done) for one in store.queues.shares(queue)] == [("ada", 0), ("ben", 1)]
    assert [item.put_off for item in store.queues.items(queue, "ada")] == [True]
    assert [item.put_off for item in store.queues.items(queue, "ben")] == [False]
    row = store.queues.get(queue)
    assert (row.done, row.put_off) == (0, 1)


def test_who_defers_opens_nothing_again_that_another_has_done(store, three: list[int]) -> None:
    queue = store.queues.add("all", three, sampler="random")
    store.labels.add(three[0], "pass", author="ada", blind=True)
    store.labels.add(three[0], "defer", author="ben", blind=True)
    store.labels.add(three[1], "defer", author="ada", blind=True)
    store.labels.add(three[1], "fail", author="ben", blind=True)
    row = store.queues.get(queue)
    assert (row.done, row.put_off) == (2, 0)
    assert store.queues.waiting() == {three[2]}
    assert store.queues.progress(queue).labels == {"pass": 1, "fail": 1}
    # Nor does who takes back what they said themselves.
    store.labels.add(three[0], None, author="ben", blind=True)
    assert store.queues.get(queue).done == 2
    # Of one's own label one may think again.
    store.labels.add(three[0], "defer", author="ada", blind=True)
    row = store.queues.get(queue)
    assert (row.done, row.put_off) == (1, 1)
    store.labels.add(three[0], None, author="ada", blind=True)
    row = store.queues.get(queue)
    assert (row.done, row.put_off) == (1, 0)
    assert [label.word for label in store.queues.counting_labels(queue).values()] == ["fail"]


def test_queues_have_names_of_their_own(store, three: list[int]) -> None:
    first = store.queues.add("one", three, sampler="random")
    second = store.queues.add("two", three, sampler="random")
    assert [row.id for row in store.queues.all()] == [second, first]
    for name in ("one", " ", "12"):
        with pytest.raises(SettingError):
            store.queues.add(name, three, sampler="random")
    with pytest.raises(SettingError):
        store.queues.add("empty", [], sampler="random")
    store.queues.remove(first)
    with pytest.raises(NotFoundError):
        store.queues.get("one")
    assert store.queues.items(first) == []


def test_the_newest_scores_say_whether_a_judge_was_asked(store, three: list[int]) -> None:
    land(store, three[0], score(0.2))
    land(store, three[0], score(0.7))
    run = store.runs.begin(judge="none", metrics=["length"])
    checked = identity(three[1], "length", judge="", judge_fingerprint="")
    store.scores.add_all(run, [(checked, score(1.0, "length"))])
    found = {
        (one.session_id, one.metric, one.score, one.by_check)
        for one in store.queues.scores(["politeness", "length"])
    }
    assert found == {(three[0], "politeness", 0.7, False), (three[1], "length", 1.0, True)}


def test_a_session_waits_until_it_has_a_label_that_is_younger_than_its_queue(store, three: list[int]) -> None:
    first, second, third = three
    store.labels.add(first, "pass", author="me", blind=True)
    queue = store.queues.add("mine", [first, second], sampler="random")
    assert [row.id for row in store.sessions.rows(three) if row.queued] == [first, second]
    store.labels.add(first, "fail", author="me", blind=True)
    assert [row.id for row in store.sessions.rows(three) if row.queued] == [second]
    store.queues.remove(queue)
    assert not store.sessions.get(second).queued
    assert not store.sessions.get(third).queued


def test_a_queue_tells_who_labelled_since_it_was_made_and_how(store):
    before, passed, failed, waiting = (keep(store, f"question {number}", "answer") for number in range(4))
    store.labels.add(before, "pass", author="tom", blind=True)
    queue = store.queues.add("q", [before, passed, failed, waiting], sampler="random")
    assert store.queues.progress(queue).newest is None
    store.labels.add(passed, "pass", author="mia", blind=True)
    store.labels.add(failed, "defer", author="tom", blind=True)
    store.labels.add(failed, "fail", author="mia", blind=True)
    progress = store.queues.progress(queue)
    assert (progress.labels, progress.authors) == ({"pass": 1, "fail": 1}, ("mia",))
    assert progress.newest is not None
    assert progress.newest_by == "mia"
    store.labels.add(waiting, "pass", author="tom", blind=True)
    assert (store.queues.progress(queue).newest_by, store.queues.progress(queue).authors) == (
        "tom",
        ("mia", "tom"),
    )


def test_where_people_are_named_each_of_them_has_to_label(store, three: list[int]) -> None:
    first, second, third = three
    queue = store.queues.add(
        "both", three, sampler="random", assigned={first: ("ada", "ben"), second: ("ada",)}
    )
    store.labels.add(first, "pass", author="ada", blind=True)
    store.labels.add(first, "fail", author="cem", blind=True)
    assert [item.done for item in store.queues.items(queue)] == [False, False, False]
    assert [(item.session_id, item.done) for item in store.queues.items(queue, "ada")] == [
        (first, True),
        (second, False),
    ]
    assert store.queues.next(queue, "ben").session_id == first
    assert [(one.author, one.count, one.done) for one in store.queues.shares(queue)] == [
        ("ada", 2, 1),
        ("ben", 1, 0),
    ]
    store.labels.add(first, "pass", author="ben", blind=True)
    store.labels.add(third, "pass", author="cem", blind=True)
    assert [item.done for item in store.queues.items(queue)] == [True, False, True]
    assert store.queues.get(queue).done == 2
    assert store.queues.next(queue, "ben") is None
    # Whoever is named for nothing goes through all of it.
    assert store.queues.next(queue, "cem").session_id == second


def test_a_label_that_settles_is_not_the_one_that_was_asked_for(store, three: list[int]) -> None:
    queue = store.queues.add("one", three[:1], sampler="random", assigned={three[0]: ("ada",)})
    store.labels.add(three[0], "pass", author="ada", blind=True, adjudicates=True)
    assert store.queues.next(queue, "ada").session_id == three[0]


def test_a_queue_that_is_forgotten_takes_its_people_along(store, three: list[int]) -> None:
    store.queues.remove(store.queues.add("one", three, sampler="random", assigned={three[0]: ("ada",)}))
    again = store.queues.add("one", three, sampler="random")
    assert store.queues.shares(again) == []
