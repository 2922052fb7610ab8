"""Agreement: a metric's newest scores against people's labels, with every session they differ on."""

from __future__ import annotations

import json

import pytest
from stored import failure, keep, land, score, skipped

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import Store
from turnwise.engine.people.agreement import agreement
from turnwise.engine.people.opinions import Person
from turnwise.engine.people.statistics.rater_agreement import Confusion


def judged(
    store: Store, value: float, *labels: LabelWord, name: str = "talk", metric: str = "politeness"
) -> int:
    """Store a session with a score and with labels of ann, ben and cem; return its id."""
    number = store.sessions.count()
    session = keep(store, f"question {number}", name=f"{name} {number}", tags=[name])
    land(store, session, score(value, metric, reason=f"because {value}"))
    for author, label in zip(("ann", "ben", "cem"), labels, strict=False):
        store.labels.add(session, label, author=author, blind=author != "cem", note=f"{author} says {label}")
    return session


def test_the_four_counts_and_every_disagreement(store: Store) -> None:
    judged(store, 0.9, "pass")
    wrong = judged(store, 0.8, "fail", name="slip")
    surely_wrong = judged(store, 1.0, "fail")
    harsh = judged(store, 0.2, "pass")
    judged(store, 0.1, "fail")
    judged(store, 0.1)
    judged(store, 0.1, "defer")
    found = agreement(store, "politeness")
    assert found.matrix == Confusion(true_pass=1, false_pass=2, false_fail=1, true_fail=1)
    assert [one.session for one in found.false_passes] == [surely_wrong, wrong]
    slip = found.false_passes[1]
    assert (slip.name, slip.score, slip.threshold) == ("slip 1", 0.8, 0.5)
    assert (slip.reason, slip.note, slip.kind) == ("because 0.8", "ann says fail", "false pass")
    assert [one.session for one in found.false_fails] == [harsh]
    assert (found.measures.passed, found.measures.scored) == (3, 7)
    assert found.people == (Person("ann", 5),)
    assert found.alpha.why == "no session was labelled by two people"


def test_failures_and_skips_are_no_scores(store: Store) -> None:
    judged(store, 0.9, "pass")
    for outcome in (failure(), skipped()):
        land(store, judged(store, 0.1, "pass"), outcome)
    found = agreement(store, "politeness")
    assert found.matrix == Confusion(true_pass=1)
    assert (found.failures, found.skipped, found.unscored) == (1, 1, 2)


def test_several_people_decide_by_majority_or_one_is_chosen(store: Store) -> None:
    judged(store, 0.9, "pass", "fail", "fail")
    judged(store, 0.9, "pass", "fail")
    judged(store, 0.9, "pass", "pass")
    judged(store, 0.1, "fail", "fail")
    everybody = agreement(store, "politeness")
    assert everybody.matrix == Confusion(true_pass=1, false_pass=1, true_fail=1)
    assert everybody.undecided == 1
    assert everybody.false_passes[0].note == "ben says fail\ncem says fail"
    assert everybody.alpha.value is not None
    ann = agreement(store, "politeness", author="ann")
    assert ann.matrix == Confusion(true_pass=3, true_fail=1)
    assert (ann.author, ann.undecided) == ("ann", 0)
    blind = agreement(store, "politeness", blind_only=True)
    assert blind.people == (Person("ann", 4), Person("ben", 4))


def test_a_split_narrows_it(store: Store) -> None:
    first, second = judged(store, 0.9, "pass"), judged(store, 0.9, "fail")
    store.splits.add({first: "dev", second: "test"})
    found = agreement(store, "politeness", split="dev")
    assert (found.matrix, found.measures.scored) == (Confusion(true_pass=1), 1)
    assert agreement(store, "politeness", split="test", query="question").matrix == Confusion(false_pass=1)
    assert agreement(store, "politeness", split="train").matrix.total == 0


def test_a_query_and_a_run_narrow_it(store: Store) -> None:
    judged(store, 0.9, "pass", name="billing")
    other = judged(store, 0.9, "fail")
    assert agreement(store, "politeness", query="tag:billing").matrix == Confusion(true_pass=1)
    run = store.runs.begin(judge="scripted-2", metrics=["politeness"])
    land(store, other, score(0.3), run=run)
    land(store, other, score(0.9))
    found = agreement(store, "politeness", run=run)
    assert found.matrix == Confusion(true_fail=1)
    assert (found.measures.scored, found.unscored) == (1, 1)


def test_a_label_about_the_metric_goes_before_the_one_of_the_whole(store: Store) -> None:
    session = judged(store, 0.9, "fail")
    store.labels.add(session, "pass", author="ann", blind=True, metric="politeness")
    assert agreement(store, "politeness").matrix == Confusion(true_pass=1)


def test_passes_of_sessions_that_people_did_not_pass_as_a_whole_are_counted(store: Store) -> None:
    said: list[tuple[LabelWord, LabelWord | None]] = [
        ("fail", "pass"),
        ("fail", None),
        ("pass", None),
        ("pass", "pass"),
    ]
    for whole, own in said:
        session = judged(store, 0.9, whole)
        if own is not None:
            store.labels.add(session, "pass", author="ann", blind=True, metric="politeness")
        if own is not None and whole == "pass":
            store.labels.add(session, "fail", author="ben", blind=True)
            store.labels.add(session, "pass", author="ben", blind=True, metric="politeness")
    found = agreement(store, "politeness")
    assert (found.matrix.people_passed, found.failed_otherwise, found.disputed_otherwise) == (3, 1, 1)
    alone = agreement(store, "politeness", author="ann")
    assert (alone.matrix.people_passed, alone.failed_otherwise, alone.disputed_otherwise) == (3, 1, 0)


def test_a_part_of_a_name_is_enough_and_what_is_not_there_is_told(store: Store) -> None:
    judged(store, 0.9, "pass")
    judged(store, 0.9, "pass", metric="police_work")
    assert agreement(store, "Polite").metric == "politeness"
    with pytest.raises(NotFoundError, match="could be police_work or politeness"):
        agreement(store, "poli")
    with pytest.raises(NotFoundError, match="Did you mean politeness"):
        agreement(store, "politness")
    with pytest.raises(NotFoundError, match="turnwise score"):
        agreement(store, "zzz")
    with pytest.raises(NotFoundError, match="Labelled by: ann"):
        agreement(store, "politeness", author="zoe")
    with pytest.raises(NotFoundError, match="no run 99"):
        agreement(store, "politeness", run=99)
    with pytest.raises(SettingError):
        agreement(store, "politeness", query="label:maybe")


def test_without_labels_there_are_reasons_instead_of_figures(store: Store) -> None:
    judged(store, 0.9)
    found = agreement(store, "politeness")
    assert found.matrix.total == 0
    assert found.measures.kappa.value is None
    with pytest.raises(NotFoundError, match="Label some first"):
        agreement(store, "politeness", author="ann")


def test_all_of_it_is_json(store: Store) -> None:
    judged(store, 0.9, "fail")
    data = json.loads(json.dumps(agreement(store, "politeness").data(), allow_nan=False))
    assert data["n"] == 1
    assert data["matrix"] == {"true_pass": 0, "false_pass": 1, "false_fail": 0, "true_fail": 0}
    assert data["tpr"] == {"value": None, "low": None, "high": None, "why": "people passed none of them"}
    assert data["people"] == [{"author": "ann", "labels": 1}]
    assert data["false_passes"][0]["session"] == 1
