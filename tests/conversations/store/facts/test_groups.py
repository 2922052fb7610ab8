"""Groups of sessions: by what they are, and by what they say."""

import pytest
from stored import keep

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store


@pytest.fixture
def sessions(store: Store) -> list[int]:
    return [
        keep(
            store,
            "one",
            "a",
            chatbot_role="clerk",
            tags=["x", "y"],
            scenario="A refund",
            metadata={"language": "es", "model": "m1", "skills": ["a", "b"], "customer tier": "gold"},
        ),
        keep(store, "two", "b", source="s2", metadata={"language": "ES", "target": "m2", "order": 7}),
        keep(store, "three", "c", metadata={"language": "en", "order": 8}),
        keep(store, "four", "d"),
    ]


def groups(store: Store, by: str) -> list[tuple[int, str]]:
    return sorted(store.sessions.groups(by))


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("role", [(1, "clerk"), (2, ""), (3, ""), (4, "")]),
        ("tag", [(1, "x"), (1, "y")]),
        ("source", [(1, "test"), (2, "s2"), (3, "test"), (4, "test")]),
        ("model", [(1, "m1"), (2, "m2"), (3, ""), (4, "")]),
        ("scenario", [(1, "A refund"), (2, ""), (3, ""), (4, "")]),
        ("meta.language", [(1, "es"), (2, "es"), (3, "en"), (4, "")]),
        ("META.language", [(1, "es"), (2, "es"), (3, "en"), (4, "")]),
        ("meta.skills", [(1, "a"), (1, "b"), (2, ""), (3, ""), (4, "")]),
        ('meta."customer tier"', [(1, "gold"), (2, ""), (3, ""), (4, "")]),
    ],
)
@pytest.mark.usefixtures("sessions")
def test_every_session_is_in_its_groups(store: Store, by: str, expected: list[tuple[int, str]]) -> None:
    assert groups(store, by) == expected


@pytest.mark.parametrize("by", ["", "roel", "meta", "meta.", "turns"])
def test_what_groups_nothing_is_told(store: Store, by: str) -> None:
    with pytest.raises(SettingError) as error:
        store.sessions.groups(by)
    assert error.value.next_step


@pytest.mark.usefixtures("sessions")
def test_what_makes_sense_to_group_by_is_offered(store: Store) -> None:
    # Of scenarios and tiers there is one each, and language, skills and order have two.
    assert store.sessions.groupings() == [
        "role",
        "tag",
        "model",
        "meta.language",
        "meta.order",
        "meta.skills",
    ]


def test_what_all_sessions_have_alike_is_not_offered(store: Store) -> None:
    for number in range(2):
        keep(store, f"question {number}", "answer", chatbot_role="clerk", tags=["x"])
    assert store.sessions.groupings() == []


def test_what_each_session_has_of_its_own_is_not_offered_nor_are_numbers_that_few_share(store: Store) -> None:
    for number in range(6):
        metadata = {
            "ticket": f"T-{number}",
            "seconds": 1.5 + number,
            # Shared by two, and still no group.
            "cost": max(number, 1) / 100,
            "attempt": number % 3,
            "desk": ["north", "south", "east", "west", "harbour", "north"][number],
        }
        keep(store, f"question {number}", "answer", metadata=metadata)
    assert store.sessions.groupings() == ["meta.attempt", "meta.desk"]
    # By name it can still be asked for.
    assert len(dict(store.sessions.groups("meta.seconds"))) == 6


def test_numbers_that_were_measured_or_counted_are_not_offered_as_if_they_were_words(store: Store) -> None:
    for number in range(40):
        metadata = {
            "seconds": 0.8 + number % 9 / 10,
            "tokens": number % 14,
            "month": number % 12 + 1,
            "temperature": number % 4 / 4,
        }
        keep(store, f"question {number}", "answer", metadata=metadata)
    assert store.sessions.groupings() == ["meta.month", "meta.temperature"]


def test_rates_of_failure_modes_are_counted_within_them(store: Store, sessions: list[int]) -> None:
    asks = store.modes.add("Asks", "It asks again.", "ada")
    store.modes.assign([sessions[0], sessions[2], sessions[3]], asks, "ada")
    store.labels.add(sessions[1], "pass", author="ada", blind=True)
    rates = [(rate.group, rate.sessions, rate.reviewed) for rate in store.modes.rates("meta.language")]
    assert sorted(rates) == [("", 1, 1), ("en", 1, 1), ("es", 1, 2)]


def test_sessions_of_a_file_that_is_coming_in_are_in_no_group(store: Store) -> None:
    with store.imports.begin(came_from="f", at=0.0) as (staging, _):
        with staging.slice():
            keep(store, metadata={"language": "xx"})
        assert groups(store, "meta.language") == []
    assert groups(store, "meta.language") == [(1, "xx")]
