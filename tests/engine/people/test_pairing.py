"""Pairing: the same question, two groups, and sides that are drawn."""

from __future__ import annotations

from collections import Counter

import pytest
from stored import keep

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.people.pairing import PairingWay, PairPlan, choose_pairs, ways_to_pair


@pytest.fixture
def answered(store: Store) -> Store:
    """Twelve questions, each answered by three bots; one more that only one of them was asked."""
    for number in range(12):
        for bot in "xyz":
            keep(store, f"Question {number}?", f"{bot} says {number}", additional_metadata={"bot": bot})
    keep(store, "Of one alone?", "yes", additional_metadata={"bot": "x"})
    return store


def test_pairs_answer_the_same_and_each_two_groups_meet_as_often(answered: Store) -> None:
    pairs = choose_pairs(answered, PairPlan("meta.bot", size=30, seed=3))
    assert [pair.place for pair in pairs] == list(range(1, 31))
    for pair in pairs:
        asked = {answered.turns.of(session)[0].content for session in (pair.left, pair.right)}
        assert len(asked) == 1
        assert pair.left_group != pair.right_group
    met = Counter(frozenset((pair.left_group, pair.right_group)) for pair in pairs)
    assert sorted(met.values()) == [10, 10, 10]
    assert len({(frozenset((pair.left, pair.right))) for pair in pairs}) == 30


@pytest.mark.parametrize("seed", range(5))
def test_sides_are_drawn_and_each_group_stands_on_either_as_often(answered: Store, seed: int) -> None:
    pairs = choose_pairs(answered, PairPlan("meta.bot", size=36, seed=seed))
    sides = Counter((pair.left_group, pair.right_group) for pair in pairs)
    assert set(sides.values()) == {6}
    assert choose_pairs(answered, PairPlan("meta.bot", size=36, seed=seed)) == pairs
    assert choose_pairs(answered, PairPlan("meta.bot", size=36, seed=seed + 1)) != pairs


def test_the_same_scenario_answers_the_same_thing_whatever_the_first_words_are(store: Store) -> None:
    for bot in "xy":
        keep(store, f"Hello {bot}", "hello", scenario="Books a flight", additional_metadata={"bot": bot})
    [pair] = choose_pairs(store, PairPlan("meta.bot"))
    assert {pair.left, pair.right} == {1, 2}


def test_what_makes_no_pairs_is_refused_with_what_it_needs(answered: Store) -> None:
    with pytest.raises(SettingError, match="need 2 to 12 groups"):
        choose_pairs(answered, PairPlan("tag"))
    with pytest.raises(SettingError, match="Sessions are not grouped by"):
        choose_pairs(answered, PairPlan("colour"))


def test_other_questions_make_no_pairs(store: Store) -> None:
    for bot in "xy":
        keep(store, f"What of {bot}?", "nothing", additional_metadata={"bot": bot})
    with pytest.raises(SettingError, match="answer the same thing"):
        choose_pairs(store, PairPlan("meta.bot"))


def test_where_pairs_cannot_be_made_it_says_what_is_missing(store: Store) -> None:
    with pytest.raises(SettingError, match="There are no sessions to compare yet"):
        choose_pairs(store, PairPlan("model"))
    keep(store, "Where?", "here")
    with pytest.raises(SettingError, match="No session matches tag:x"):
        choose_pairs(store, PairPlan("model", "tag:x"))
    with pytest.raises(SettingError, match="by model there are none in 1 session"):
        choose_pairs(store, PairPlan("model"))
    keep(store, "Where?", "there", additional_metadata={"bot": "x"})
    with pytest.raises(SettingError, match=r"by meta\.bot there is 1 in 2 sessions"):
        choose_pairs(store, PairPlan("meta.bot"))
    for number in range(13):
        keep(store, "Where?", "there", additional_metadata={"bot": f"bot {number}"})
    with pytest.raises(SettingError, match=r"by meta\.bot there are 14 in 15 sessions"):
        choose_pairs(store, PairPlan("meta.bot"))


def test_only_what_makes_enough_groups_and_not_too_many_is_a_way_to_pair(answered: Store) -> None:
    assert ways_to_pair(answered) == {"meta.bot": PairingWay(["x", "y", "z"], 36)}
    assert ways_to_pair(answered, "bot:none") == {}


def test_groups_that_never_answer_the_same_thing_or_of_one_session_each_are_no_way_to_pair(
    store: Store,
) -> None:
    for number in range(8):
        bot, half = "xy"[number % 2], number // 4
        known = {"bot": bot, "subject": f"subject {half}", "serial": f"no. {number}"}
        keep(store, f"Question {number // 2}?", "yes", additional_metadata=known)
    store.tags.change(range(1, 9), give=["all of them"])
    store.tags.change([1, 3, 5], give=["first"])
    store.tags.change([2, 4, 6], give=["second"])
    assert ways_to_pair(store) == {
        "meta.bot": PairingWay(["x", "y"], 4),
        "tag": PairingWay(["first", "second"], 3),
    }


def test_of_ways_with_equally_many_pairs_one_whose_groups_share_no_session_is_first(
    store: Store,
) -> None:
    for number in range(4):
        keep(store, f"Question {number // 2}?", f"yes {number}", additional_metadata={"version": number % 2})
    store.tags.change([1, 2], give=["of both"])
    store.tags.change([1, 3], give=["first"])
    store.tags.change([2, 4], give=["second"])
    assert list(ways_to_pair(store)) == ["meta.version", "tag"]
    assert {told.pairs for told in ways_to_pair(store).values()} == {2}


@pytest.mark.parametrize("seed", range(3))
def test_a_way_to_pair_tells_how_many_pairs_it_makes_and_of_which_groups(store: Store, seed: int) -> None:
    for number in range(9):
        keep(
            store, f"Question {number // 3}?", f"yes {number}", additional_metadata={"bot": "xyx"[number % 3]}
        )
    store.tags.change([1, 4, 5, 7], give=["left", "odd"])
    store.tags.change([2, 8], give=["right"])
    # Nobody else was asked what it was asked, so that it stands in no pair.
    keep(store, "Another?", "yes")
    store.tags.change([10], give=["alone"])
    ways = ways_to_pair(store)
    assert list(ways) == ["tag", "meta.bot"]
    for way, told in ways.items():
        made = choose_pairs(store, PairPlan(way, size=100, seed=seed))
        assert len(made) == told.pairs
        assert {group for pair in made for group in (pair.left_group, pair.right_group)} == set(told.groups)
