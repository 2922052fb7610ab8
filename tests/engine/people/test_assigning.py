"""Assigning: everybody has as much to do, and pairs of people meet about as often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import SettingError
from turnwise.engine.people.assigning import assign, checked_people

PEOPLE = st.lists(st.text("abcdef", min_size=1, max_size=3), min_size=1, max_size=6, unique=True)


@given(st.data(), PEOPLE, st.integers(0, 60))
def test_everybody_gets_as_many_and_nobody_one_twice(
    data: st.DataObject, people: list[str], sessions: int
) -> None:
    each = data.draw(st.integers(1, len(people)))
    assigned = assign(range(sessions), people, each)
    assert list(assigned) == list(range(sessions))
    assert all(len(set(names)) == each for names in assigned.values())
    counts = Counter(name for names in assigned.values() for name in names)
    loads = [counts[name] for name in people]
    assert max(loads) - min(loads) <= 1


def test_pairs_meet_about_as_often() -> None:
    met = Counter(frozenset(names) for names in assign(range(60), ("ada", "ben", "cem", "dia"), 2).values())
    assert {frozenset(pair) for pair in combinations(("ada", "ben", "cem", "dia"), 2)} == set(met)
    assert max(met.values()) - min(met.values()) <= 2


def test_a_name_counts_once_and_without_its_spaces() -> None:
    assert checked_people([" ada  l ", "ben", "ada l"], 2) == ("ada l", "ben")


@pytest.mark.parametrize(("people", "each"), [((), 1), (("ada",), 2), (("ada", " "), 1), (("ada",), 0)])
def test_too_few_people_are_refused(people: tuple[str, ...], each: int) -> None:
    with pytest.raises(SettingError):
        checked_people(people, each)


def test_too_few_people_are_told_with_how_many_there_are() -> None:
    with pytest.raises(SettingError, match="Each session is to be labelled by 2 people, and 1 is named"):
        checked_people(["ada"], 2)
    with pytest.raises(SettingError, match="Each session is to be labelled by 3 people, and 2 are named"):
        checked_people(["ada", "ben"], 3)
