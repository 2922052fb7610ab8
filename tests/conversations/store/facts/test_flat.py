"""Flat facts: what metadata say, key by key."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store.facts.flat import LONGEST_VALUE, exchange_facts, facts_of, number_of


def pairs(metadata: object) -> list[tuple[str, str]]:
    return [(fact.key, fact.value) for fact in facts_of({"metadata": metadata})]


def test_keys_within_keys_are_joined_by_full_stops_and_items_of_a_list_stand_alone() -> None:
    told = pairs({"language": "es", "customer": {"tier": "gold", "ids": [7, "8"]}, "skills": ["a", "b", "a"]})
    assert told == [
        ("meta.language", "es"),
        ("meta.customer.tier", "gold"),
        ("meta.customer.ids", "7"),
        ("meta.customer.ids", "8"),
        ("meta.skills", "a"),
        ("meta.skills", "b"),
    ]


def test_what_says_nothing_is_no_fact() -> None:
    assert pairs({"a": None, "b": "", "c": "  ", "d": [], "e": {}, "f": [None]}) == []
    assert pairs(None) == pairs("text") == pairs([1]) == []


def test_numbers_and_dates_are_known_as_such() -> None:
    metadata = {"n": 1.5, "text": " 42 ", "yes": True, "day": "2026-03-01", "big": 10**30, "word": "1e5x"}
    facts = {fact.key: fact for fact in facts_of({"metadata": metadata})}
    assert facts["meta.n"].number == 1.5
    assert facts["meta.text"].number == 42
    assert (facts["meta.yes"].value, facts["meta.yes"].number) == ("true", None)
    assert facts["meta.day"].at == datetime(2026, 3, 1, tzinfo=UTC).timestamp()
    assert facts["meta.big"].number == 1e30
    assert facts["meta.word"].number is None


def test_a_scenario_is_kept_whole_and_a_value_of_metadata_cut() -> None:
    scenario, value = facts_of({"scenario": "s" * 5_000, "metadata": {"page": "v" * 5_000}})
    assert (scenario.key, len(scenario.value)) == ("scenario", 5_000)
    assert (value.key, len(value.value)) == ("meta.page", LONGEST_VALUE)


def test_an_exchange_tells_of_itself() -> None:
    turn = {"exchange": {"metadata": {"topic": "bags"}, "token_cost": 1.0}}
    assert [(fact.key, fact.value) for fact in exchange_facts(turn)] == [("meta.topic", "bags")]
    assert exchange_facts({}) == exchange_facts({"exchange": None}) == exchange_facts({"exchange": {}}) == []


def test_however_deep_metadata_go_they_are_read() -> None:
    deep: object = "end"
    for _ in range(5_000):
        deep = {"k": deep}
    [fact] = facts_of({"metadata": deep})
    assert fact.value == "end"


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e999", "1_000", "٣", "9" * 50])
def test_what_is_no_number_is_none(text: str) -> None:
    assert number_of(text) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(max_size=4), _JSON, max_size=3))
def test_whatever_metadata_hold_each_fact_is_told_once(metadata: dict[str, object]) -> None:
    facts = facts_of({"metadata": metadata})
    assert len(facts) == len(set(facts))
    assert all(fact.value.strip() for fact in facts)
