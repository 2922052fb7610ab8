"""People side by side: each one's labels, agreement with the others, and drift."""

from __future__ import annotations

import pytest
from stored import keep, land, score

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.engine.people.side_by_side import NO_OTHERS, people_side_by_side, people_together


def label(store: Store, session: int, **words: str) -> None:
    for author, word in words.items():
        store.labels.add(session, word, author=author, blind=True)  # type: ignore[arg-type]


def test_each_is_measured_by_the_majority_of_the_others(store: Store) -> None:
    for ada, ben, cem in ["ppp", "pff", "ffp", "fff", "ppf"]:
        words = {"p": "pass", "f": "fail"}
        label(store, keep(store, f"{ada}{ben}{cem}"), ada=words[ada], ben=words[ben], cem=words[cem])
    label(store, keep(store, "of one alone"), dia="pass")
    found = people_side_by_side(store)
    by = {one.author: one for one in found.people}
    ada = by["ada"]
    assert (ada.labels, ada.passed) == (5, 3)
    # Ben and Cem agree on three sessions; on one of these Ada says otherwise.
    assert (ada.matrix.total, ada.agrees.value) == (3, pytest.approx(2 / 3))
    assert (by["dia"].agrees.value, by["dia"].agrees.why) == (None, NO_OTHERS)
    assert found.alpha.value is not None
    assert found.data()["people"][0]["drift"]["more"] == 15


def test_of_a_metric_its_own_labels_and_scores_count(store: Store) -> None:
    for number in range(20):
        session = keep(store, f"talk {number}")
        land(store, session, score(0.9 if number % 2 else 0.1), score(0.9, "brevity"))
        word = "pass" if number % 2 else "fail"
        store.labels.add(session, word, author="ada", blind=True, metric="politeness")
    [ada] = people_side_by_side(store, "polite").people
    assert (ada.drift.beside, ada.drift.sessions, ada.drift.is_sure) == ("politeness", 20, False)
    assert people_side_by_side(store).people == ()
    with pytest.raises(NotFoundError, match="Nobody judged or labelled by rudeness"):
        people_side_by_side(store, "rudeness")


def test_together_they_have_an_alpha_and_what_they_dispute_until_it_is_settled(store: Store) -> None:
    label(store, keep(store, "of one alone"), ada="pass")
    assert (people_together(store).people, people_together(store).disputed) == (1, 0)
    sessions = [keep(store, f"talk {number}") for number in range(4)]
    for session, words in zip(sessions, ("pp", "ff", "pf", "fp"), strict=True):
        ada, ben = ({"p": "pass", "f": "fail"}[one] for one in words)
        label(store, session, ada=ada, ben=ben)
    found = people_together(store)
    assert (found.people, found.disputed) == (2, 2)
    assert found.alpha == people_side_by_side(store).alpha
    store.labels.add(sessions[2], "pass", author="ada", blind=False, adjudicates=True)
    assert people_together(store).disputed == 1
