"""Queues: which sessions each sampler takes, and in what order."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stored import identity, keep, land, score

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.store.review_queues import StandingScore
from turnwise.engine.people.queues import (
    QueuePlan,
    choose,
    doubtful_first,
    left_to_choose,
    round_robin,
    shuffled,
    worst_first,
)

IDS = st.lists(st.integers(1, 50), unique=True, min_size=1)


def said(
    session: int, value: float, *, bar: float | None = 0.5, check: bool = False, metric: str = "m"
) -> StandingScore:
    passed = value >= (0.5 if bar is None else bar)
    return StandingScore(session, metric, value, bar, passed=passed, by_check=check)


@given(IDS, st.integers())
def test_a_seed_decides_and_the_order_of_the_list_does_not(pool: list[int], seed: int) -> None:
    assert shuffled(pool, seed) == shuffled(pool[::-1], seed)
    assert sorted(shuffled(pool, seed)) == sorted(pool)


@given(IDS, st.lists(st.tuples(st.integers(1, 50), st.sampled_from("abc"))))
def test_each_tag_has_its_turn(pool: list[int], tags: list[tuple[int, str]]) -> None:
    order = round_robin(pool, tags)
    assert sorted(order) == sorted(pool)


def test_within_a_group_the_order_stays() -> None:
    groups = [(1, "a"), (2, "b"), (3, "a"), (4, "b"), (5, "b")]
    assert round_robin([5, 4, 3, 2, 1], groups) == [3, 5, 1, 4, 2]


def test_a_rare_tag_is_not_drowned() -> None:
    tags = [*((session, "common") for session in range(1, 90)), (99, "rare"), (5, "rare")]
    order = round_robin([*range(1, 90), 99, 100], tags)
    assert {99, 5} <= set(order[:6])
    assert 100 in order[:3]


def test_the_worst_score_of_a_session_counts_against_its_own_bar() -> None:
    scores = [
        said(1, 0.4),
        said(2, 0.9),
        said(2, 0.3, bar=0.9, metric="n"),
        said(3, 0.1, bar=None),
        said(9, 0.0),
    ]
    assert worst_first([1, 2, 3], scores) == [2, 3, 1]


def test_doubt_is_nearness_to_the_bar_or_disagreement_with_checks() -> None:
    scores = [
        said(1, 0.52),
        said(2, 0.95),
        said(2, 0.0, check=True, metric="check"),
        said(3, 0.6),
        said(4, 1.0),
        said(4, 1.0, check=True, metric="check"),
        said(5, 1.0, check=True, metric="check"),
    ]
    assert doubtful_first([5, 4, 3, 2, 1], scores) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("weigh", [worst_first, doubtful_first])
def test_those_without_a_score_come_last_and_are_no_queue_by_themselves(
    weigh: Callable[[list[int], list[StandingScore]], list[int]],
) -> None:
    assert weigh([7, 1, 4, 2], [said(2, 0.4), said(1, 0.9)]) == [2, 1, 7, 4]
    assert weigh([7, 4], [said(2, 0.4)]) == []


@pytest.fixture
def sessions(store: Store) -> list[int]:
    """Four sessions; the first is labelled, the first three have scores."""
    ids = [keep(store, f"number {number}", "yes", tags=["a" if number % 2 else "b"]) for number in range(4)]
    for session, value in zip(ids, (0.1, 0.9, 0.45), strict=False):
        land(store, session, score(value))
    store.labels.add(ids[0], "fail", author="ann", blind=True)
    return ids


def test_labelled_sessions_are_left_out_unless_labels_are_asked_for(
    store: Store, sessions: list[int]
) -> None:
    first, second, third, fourth = sessions
    assert choose(store, QueuePlan("unlabelled")) == store.sessions.ids("label:none")
    assert choose(store, QueuePlan("failures")) == [third, second, fourth]
    assert choose(store, QueuePlan("failures", query="label:fail")) == [first]
    assert choose(store, QueuePlan("uncertain", size=1)) == [third]
    assert set(choose(store, QueuePlan("random", seed=3))) == {second, third, fourth}
    assert choose(store, QueuePlan("tags", seed=3), among=[second, first]) == [second]


@pytest.mark.parametrize(
    ("plan", "title"),
    [
        (QueuePlan(query="nothing says this"), "No session matches"),
        (QueuePlan("failures", metric="other"), "There are no scores of other"),
        (QueuePlan(query="rolle:x"), "the filter does not know rolle"),
    ],
)
def test_what_cannot_be_chosen_is_told(
    store: Store, sessions: list[int], plan: QueuePlan, title: str
) -> None:
    with pytest.raises(SettingError) as caught:
        choose(store, plan)
    assert caught.value.title == title


def test_where_all_are_labelled_or_unscored_it_says_so(store: Store, sessions: list[int]) -> None:
    with pytest.raises(SettingError, match="have a label"):
        choose(store, QueuePlan(), among=sessions[:1])
    with pytest.raises(SettingError, match="score to choose by"):
        choose(store, QueuePlan("failures"), among=sessions[3:])


def test_checks_of_a_store_disagree_with_its_judge(store: Store, sessions: list[int]) -> None:
    run = store.runs.begin(judge="none", metrics=["length"])
    checked = identity(sessions[1], "length", judge="", judge_fingerprint="")
    store.scores.add_all(run, [(checked, score(0.0, "length"))])
    # 0.45 is as near its bar as a disagreement counts; the list decides, newest import first.
    assert set(choose(store, QueuePlan("uncertain", size=2))) == {sessions[1], sessions[2]}
    store.scores.add_all(run, [(identity(sessions[2], exchange=1), score(0.1, exchange=1))])
    assert choose(store, QueuePlan("uncertain"))[0] == sessions[1]


@pytest.mark.parametrize("bad", [{"sampler": "best"}, {"size": 0}])
def test_a_plan_that_means_nothing_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        QueuePlan(**bad)  # type: ignore[arg-type]


def test_a_plan_keeps_what_was_asked_for() -> None:
    assert QueuePlan("failures", 5, "tag:x", seed=4).settings() == {"size": 5, "query": "tag:x", "seed": 4}


def test_new_takes_all_without_a_label_and_says_how_far_it_is(store: Store, sessions: list[int]) -> None:
    told: list[tuple[int, int]] = []
    plan = QueuePlan("new", seed=3)
    chosen = choose(store, plan, told=lambda done, of: told.append((done, of)))
    assert sorted(chosen) == sorted(store.sessions.ids("label:none"))
    assert chosen == choose(store, plan, among=sessions[::-1])
    assert told == [(place, len(sessions)) for place in range(len(sessions))]
    assert len(choose(store, QueuePlan("new", size=1))) == 1


def test_looking_for_what_is_new_can_be_broken_off(store: Store, sessions: list[int]) -> None:
    def stop(done: int, of: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        choose(store, QueuePlan("new"), told=stop)


def test_unlabelled_ones_have_no_label_whatever_the_filter_asks_for(store):
    labelled, other = keep(store, "one", "yes"), keep(store, "two", "yes")
    store.labels.add(labelled, "pass", author="ann", blind=True)
    assert left_to_choose(store, "random", "label:pass") == [labelled]
    assert left_to_choose(store, "unlabelled", "label:pass") == []
    assert left_to_choose(store, "unlabelled", "") == [other]
    assert choose(store, QueuePlan("random", query="label:pass")) == [labelled]
    with pytest.raises(SettingError, match="of these sessions have a label"):
        choose(store, QueuePlan("unlabelled", query="label:pass"))
    assert choose(store, QueuePlan("unlabelled"), [labelled, other]) == [other]
