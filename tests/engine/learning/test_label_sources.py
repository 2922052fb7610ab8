"""What there is to learn from is counted, and what is too little says how much more it takes."""

from __future__ import annotations

from stored import keep, land, score

from turnwise.conversations.store import Store
from turnwise.engine.learning.label_sources import label_sources


def test_labels_of_sessions_of_metrics_and_scores_of_files_are_counted_apart(store: Store) -> None:
    for number in range(32):
        session = keep(store, f"Question {number}?", "Yes.")
        store.labels.add(session, "pass" if number % 2 else "fail", author="ann", blind=True)
        if number < 4:
            store.labels.add(session, "pass", author="ann", blind=True, metric="politeness")
        land(store, session, score(0.9, "relevancy"))
    whole, polite = label_sources(store)
    assert (whole.told, whole.passed, whole.failed, whole.trouble) == ("labels", 16, 16, None)
    assert (polite.metric, polite.told) == ("politeness", "labels of politeness")
    assert store.learned.imported_metrics() == []


def test_too_few_say_how_many_more(store: Store) -> None:
    [only] = label_sources(store)
    assert only.trouble is not None
    assert "10 more that pass and 10 more that fail" in only.trouble.detail


def test_labels_of_the_test_split_are_counted_as_held_back(store: Store) -> None:
    for number in range(10):
        session = keep(store, f"Question {number}?", "Yes.")
        store.labels.add(session, "pass" if number % 2 else "fail", author="ann", blind=True)
    store.splits.add(dict.fromkeys(store.sessions.ids()[:4], "test"))
    [only] = label_sources(store)
    assert (only.held_back, only.passed + only.failed) == (4, 6)
