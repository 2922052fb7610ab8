"""Orders: each begins with what one looks for, and what has no value comes last."""

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store.orders import (
    BEST_MATCH,
    MOST_RANKED_TURNS,
    USUAL_ORDER,
    SessionOrder,
    order_of,
)


@pytest.fixture
def library(store):
    """Three sessions by name; only two of them have a label, a tag, a role and a score."""
    ids = {
        "beta": keep(store, "a refund", "yes", name="beta", chatbot_role="Zoo", tags=["x"], created_at=2.0),
        "Alpha": keep(
            store, *["refund refund"] * 4, name="Alpha", chatbot_role="bank", tags=["y"], created_at=3.0
        ),
        "none": keep(store, *["word"] * 6, name="none", created_at=1.0, source="a"),
    }
    land(store, ids["beta"], score(0.2))
    land(store, ids["Alpha"], score(0.9))
    land(store, ids["Alpha"], score(0.1))
    store.labels.add(ids["beta"], "pass", author="a", blind=True)
    store.labels.add(ids["Alpha"], "fail", author="a", blind=True)
    return store, ids


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("when", ["Alpha", "beta", "none"]),
        ("-when", ["none", "beta", "Alpha"]),
        ("name", ["Alpha", "beta", "none"]),
        ("-name", ["none", "beta", "Alpha"]),
        ("turns", ["none", "Alpha", "beta"]),
        ("-turns", ["beta", "Alpha", "none"]),
        ("role", ["Alpha", "beta", "none"]),
        ("-role", ["beta", "Alpha", "none"]),
        ("tags", ["beta", "Alpha", "none"]),
        ("-tags", ["Alpha", "beta", "none"]),
        ("label", ["Alpha", "beta", "none"]),
        ("-label", ["beta", "Alpha", "none"]),
        ("source", ["none", "Alpha", "beta"]),
        ("politeness", ["Alpha", "beta", "none"]),
        ("-politeness", ["beta", "Alpha", "none"]),
        ("match", ["Alpha", "beta", "none"]),
    ],
)
def test_each_order(library, text: str, names: list[str]) -> None:
    store, ids = library
    order = order_of(text, store.sessions.metrics())
    assert store.sessions.ids("", order) == [ids[name] for name in names]
    assert order.text == text
    assert [row.name for row in store.sessions.each("", order)] == names


def test_words_are_ranked_by_the_best_turn_and_a_name_goes_before(library) -> None:
    store, ids = library
    named = keep(store, "nothing of it", "no", name="About a refund")
    assert store.sessions.ids("refund", BEST_MATCH) == [named, ids["Alpha"], ids["beta"]]
    assert store.sessions.ids('"refund" role:zoo', BEST_MATCH) == [ids["beta"]]


def test_words_of_very_many_turns_are_not_ranked(library, monkeypatch: pytest.MonkeyPatch) -> None:
    store, ids = library
    keep(store, "refund refund", "refund", name="old", created_at=0.5)
    assert MOST_RANKED_TURNS > 1_000
    monkeypatch.setattr("turnwise.conversations.store.listing.listed_ids.MOST_RANKED_TURNS", 2)
    assert store.sessions.ids("refund", BEST_MATCH) == store.sessions.ids("refund", USUAL_ORDER)
    assert store.sessions.ids("refund", BEST_MATCH)[0] == ids["Alpha"]


@pytest.mark.parametrize(("text", "near"), [("nme", "name"), ("politenes", "politeness"), ("metric", "")])
def test_an_order_that_is_not_there_names_the_nearest(text: str, near: str) -> None:
    with pytest.raises(SettingError) as caught:
        order_of(text, ["politeness"])
    assert near in caught.value.next_step


def test_a_search_that_is_stopped_says_nothing(library) -> None:
    store, _ = library
    for number in range(200):
        keep(store, *["some words to go through"] * 20, name=f"session {number}")
    assert store.sessions.ids("words", BEST_MATCH, stop=lambda: True) == []
    # The connection is as good as before.
    assert len(store.sessions.ids("words")) == 200


def test_the_way_round_is_told() -> None:
    assert SessionOrder("turns").falling
    assert not SessionOrder("turns", reverse=True).falling
    assert not SessionOrder("metric", "m").falling
