"""The label that stands: the newest of what each person says by now, alike wherever it is read or counted."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stored import keep

from turnwise.conversations.store import Store
from turnwise.conversations.store.orders import SessionOrder

SESSIONS = 3
LABELS = st.fixed_dictionaries(
    {
        "session_id": st.integers(1, SESSIONS),
        "label": st.sampled_from(("pass", "fail", "defer", None)),
        "author": st.sampled_from(("ann", "ben", "cem")),
        "metric": st.sampled_from(("", "", "", "politeness")),
        "note": st.sampled_from(("", "as it says")),
        "adjudicates": st.booleans(),
    }
)


def word_of_each(store: Store) -> dict[int, str]:
    """Return the label that stands of each session, from what every person says of it by now."""
    words: dict[int, str] = {}
    for row in store.judgements.opinions(None):
        if not row.metric and row.word is not None:
            words[row.session_id] = row.word
    return words


def found(store: Store, query: str) -> set[int]:
    return set(store.sessions.ids(query))


@given(st.lists(LABELS, max_size=12))
@settings(deadline=None, max_examples=60)
def test_every_place_reads_the_same_label(labels: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "chats.db") as store:
        sessions = {keep(store, f"talk {number}") for number in range(SESSIONS)}
        store.modes.add("is rude", "", author="ann")
        for one in labels:
            at_fault = "tool" if one["label"] == "fail" else None
            store.labels.add(**one, blind=True, at_fault=at_fault)
        words = word_of_each(store)
        disputed = found(store, "label:disputed")
        assert {row.id: row.label for row in store.sessions.page() if row.label} == words
        assert {row.id for row in store.sessions.page() if row.disputed} == disputed
        assert found(store, "label:none") == sessions - set(words)
        for word, written in (("pass", "pass"), ("fail", "fail"), ("defer", "deferred")):
            of_word = {one for one, said in words.items() if said == word}
            assert found(store, f"label:{written}") == of_word - disputed
        assert found(store, "fault:tool") == {one for one, said in words.items() if said == "fail"}
        assert store.tallies.labels() == Counter(words.values())
        by_label = {row.value: row.sessions for row in store.tallies.values("label").rows}
        shown = {one: "disputed" if one in disputed else words.get(one, "none") for one in sessions}
        assert by_label == Counter("deferred" if one == "defer" else one for one in shown.values())
        [rate] = store.modes.rates()
        assert rate.reviewed == sum(word in ("pass", "fail") for word in words.values())
        in_order = store.sessions.ids(order=SessionOrder("label"))
        assert set(in_order[: len(words)]) == set(words)


@pytest.fixture
def labelled(store: Store) -> int:
    session = keep(store)
    store.labels.add(session, "pass", author="mia", blind=True)
    return session


def test_who_takes_a_label_back_leaves_that_of_another(store: Store, labelled: int) -> None:
    store.labels.add(labelled, "fail", author="ben", blind=True)
    store.labels.add(labelled, None, author="ben", blind=True)
    assert store.sessions.get(labelled).label == "pass"
    assert store.tallies.labels() == {"pass": 1}
    assert found(store, "label:none") == set()


def test_who_only_notes_leaves_the_label_of_another(store: Store, labelled: int) -> None:
    store.labels.add(labelled, None, author="ben", blind=True, note="Is the rule about refunds?")
    assert store.sessions.get(labelled).label == "pass"


def test_a_label_about_one_metric_leaves_that_of_the_whole(store: Store, labelled: int) -> None:
    store.labels.add(labelled, "fail", author="mia", blind=True, metric="politeness")
    assert store.sessions.get(labelled).label == "pass"


def test_a_view_of_ones_own_that_is_taken_back_leaves_what_one_settled(store: Store, labelled: int) -> None:
    store.labels.add(labelled, "fail", author="mia", blind=False, adjudicates=True)
    store.labels.add(labelled, None, author="mia", blind=True)
    assert store.sessions.get(labelled).label == "fail"
