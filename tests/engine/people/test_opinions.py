"""Opinions: whose label counts, and what several people say together."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.conversations.store.judgements import OpinionRow
from turnwise.engine.people.opinions import (
    Person,
    opinions_of,
    pass_and_fail,
    people_of,
    people_verdicts,
    verdicts_of,
)


def row(
    author: str, word: str | None, *, session: int = 1, metric: str = "", blind: bool = True
) -> OpinionRow:
    return OpinionRow(session, author, metric, word, blind, "")  # type: ignore[arg-type]


def words(*rows: OpinionRow, blind_only: bool = False) -> dict[int, dict[str, str | None]]:
    found = opinions_of(rows, "politeness", blind_only=blind_only)
    return {session: {author: one.word for author, one in by.items()} for session, by in found.items()}


def test_the_label_about_the_metric_goes_before_the_one_of_the_whole() -> None:
    whole, own = row("ann", "pass"), row("ann", "fail", metric="politeness")
    assert words(whole, own) == words(own, whole) == {1: {"ann": "fail"}}
    assert words(whole, row("ann", "fail", metric="warmth")) == {1: {"ann": "pass"}}


def test_one_taken_back_says_nothing_and_one_deferred_not_to_count() -> None:
    assert words(row("ann", "pass"), row("ann", None, metric="politeness")) == {1: {"ann": "pass"}}
    assert words(row("ann", "pass"), row("ann", "defer", metric="politeness")) == {}
    assert words(row("ann", "defer"), row("ben", None)) == {}


def test_only_blind_labels_can_be_asked_for() -> None:
    rows = [row("ann", "pass", blind=False), row("ben", "fail")]
    assert words(*rows, blind_only=True) == {1: {"ben": "fail"}}


def test_the_majority_decides_and_a_tie_does_not() -> None:
    rows = [row("ann", "pass"), row("ben", "pass"), row("cem", "fail")]
    rows += [row("ann", "pass", session=2), row("ben", "fail", session=2), row("cem", "fail", session=3)]
    opinions = opinions_of(rows, "politeness")
    assert verdicts_of(opinions, None) == ({1: True, 3: False}, 1)
    assert verdicts_of(opinions, "ben") == ({1: True, 2: False}, 0)
    assert people_of(opinions) == (Person("ann", 2), Person("ben", 2), Person("cem", 2))
    assert pass_and_fail(opinions[1]) == (2, 1)


def test_verdicts_come_from_the_store(store: Store) -> None:
    first, second = keep(store, "one"), keep(store, "two")
    store.labels.add(first, "pass", author="ann", blind=True)
    store.labels.add(second, "fail", author="ann", blind=False)
    assert people_verdicts(store, "politeness") == {first: True, second: False}
    assert people_verdicts(store, "politeness", blind_only=True) == {first: True}
    assert people_verdicts(store, "politeness", author="ben", query="two") == {}
    queue = store.queues.add("second", [second], sampler="random")
    assert people_verdicts(store, "politeness", queue=queue) == {second: False}
    assert people_verdicts(store, "politeness", queue=queue, query="one") == {}
