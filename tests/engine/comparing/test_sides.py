"""A run is found by number, by how long ago it was, by name, and by target; and two that share cases."""

from __future__ import annotations

import pytest
from compared_runs import a_run, judged, kept, suite_case, two_targets
from stored import keep

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.comparing.sides import default_sides, find_side


@pytest.fixture
def three(store):
    """Runs 1 to 3: Bookings, Bookings, and Night: shift."""
    session = keep(store)
    for name in ("Bookings", "Bookings", "Night: shift"):
        a_run(store, [(session, judged(1.0))], name=name)
    return store


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("last", 3), ("last-1", 2), ("last-2", 1), ("bookings", 2), ("Night: shift", 3)],
)
def test_a_run_has_several_names(three, text, number):
    side = find_side(three, text)
    assert (side.run.id, side.target) == (number, "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("9", "`turnwise runs` lists them."),
        ("last-3", "There are 3, the newest is run 3"),
        ("Bokings", "Did you mean Bookings?"),
        ("2:gpt", "Its sessions name no target"),
        ("", "`turnwise runs` lists them."),
        ("9" * 30, "`turnwise runs` lists them."),
    ],
)
def test_what_is_no_run_is_told_with_the_next_step(three, text, words):
    with pytest.raises(NotFoundError) as told:
        find_side(three, text)
    assert words in str(told.value)


def test_without_runs_it_says_how_to_make_one(store):
    with pytest.raises(NotFoundError, match="There are no runs yet"):
        find_side(store, "last")
    assert default_sides(store) is None


def test_a_target_is_found_by_a_part_that_no_other_has(store):
    ids = kept(store, [suite_case(1, target=name) for name in ("openai:gpt-4o", "openai:gpt-4o-mini")])
    a_run(store, [(session, judged(1.0)) for session in ids])
    assert find_side(store, "last:mini").target == "openai:gpt-4o-mini"
    assert find_side(store, "1:openai:gpt-4o").target == "openai:gpt-4o"
    with pytest.raises(NotFoundError, match="could be"):
        find_side(store, "last:gpt")


def test_a_side_of_one_target_has_only_its_sessions(store):
    ids = kept(store, [suite_case(1, target=name) for name in ("one", "two")])
    a_run(store, [(session, judged(1.0)) for session in ids])
    assert [row.session_id for row in find_side(store, "last:two").judged(store)] == [ids[1]]


def test_the_last_two_runs_of_the_same_sessions_are_taken_the_older_first(three):
    a, b = default_sides(three)
    assert (a.run.id, b.run.id) == (2, 3)


def test_runs_that_share_nothing_are_passed_over(store):
    first, second = two_targets(store, [(0.9, 0.1)])
    other = keep(store, "another", "talk")
    a_run(store, [(other, judged(1.0))])
    a_run(store, [(other, judged(1.0, "another_metric"))])
    a, b = default_sides(store)
    assert (a.run.id, b.run.id) == (first, second)


def test_a_lone_run_of_several_targets_is_compared_within(store):
    ids = kept(store, [suite_case(1, target=name) for name in ("one", "two")])
    a_run(store, [(session, judged(1.0)) for session in ids])
    a, b = default_sides(store)
    assert (a.run.id, a.target, b.run.id, b.target) == (1, "one", 1, "two")


def test_a_lone_run_of_one_target_has_nothing_beside_it(store):
    a_run(store, [(keep(store), judged(1.0))])
    assert default_sides(store) is None
