"""The overview of agreement: every metric in short, for all people or one, from labels read once."""

from __future__ import annotations

from stored import failure, keep, land, score

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import Store
from turnwise.engine.people.labelled_scores import (
    LabelledScores,
    MeasuredInShort,
    MetricAgreement,
    measured_in_short,
)
from turnwise.engine.people.statistics.rater_agreement import Confusion


def judged(store: Store, value: float, *labels: LabelWord, metric: str = "politeness") -> int:
    """Store a session with a score and with labels of ann, ben and cem; return its id."""
    session = keep(store, f"question {store.sessions.count()}")
    land(store, session, score(value, metric))
    for author, label in zip(("ann", "ben", "cem"), labels, strict=False):
        store.labels.add(session, label, author=author, blind=author != "cem")
    return session


def overview(store: Store) -> list[MetricAgreement]:
    return LabelledScores.read(store).overview()


def test_an_overview_of_all_metrics_begins_with_the_most_labelled(store: Store) -> None:
    session = judged(store, 0.9, "pass")
    judged(store, 0.2, "fail")
    judged(store, 0.2, metric="warmth")
    land(store, session, score(0.1, "clarity"), failure("brevity"))
    store.labels.add(session, "fail", author="ann", blind=True, metric="clarity")
    first, second = overview(store)
    assert (first.metric, first.matrix, first.kappa) == ("politeness", Confusion(1, 0, 0, 1), 1.0)
    assert (second.metric, second.matrix) == ("clarity", Confusion(true_fail=1))


def test_what_is_said_of_one_metric_counts_for_no_other(store: Store) -> None:
    session = judged(store, 0.9, "pass")
    land(store, session, score(0.9, "clarity"), score(0.9, "warmth"))
    store.labels.add(session, "fail", author="ann", blind=True, metric="clarity")
    assert {one.metric: one.matrix for one in overview(store)} == {
        "politeness": Confusion(true_pass=1),
        "warmth": Confusion(true_pass=1),
        "clarity": Confusion(false_pass=1),
    }


def test_labels_read_once_give_the_overview_of_all_people_of_one_and_of_blind_ones(store: Store) -> None:
    judged(store, 0.9, "pass", "fail", "fail")
    judged(store, 0.9, "pass")
    read = LabelledScores.read(store)
    assert [one.matrix for one in read.overview()] == [Confusion(true_pass=1, false_pass=1)]
    assert [one.matrix for one in read.overview(author="ann")] == [Confusion(true_pass=2)]
    assert read.overview(author="cem", blind_only=True) == []


def test_of_what_a_metric_missed_it_is_told_how_much_was_said_of_the_whole_alone(store: Store) -> None:
    own = judged(store, 0.9, "fail")
    judged(store, 0.9, "fail")
    judged(store, 0.2, "fail")
    [found] = overview(store)
    assert (found.matrix.false_pass, found.whole_misses) == (2, 2)
    store.labels.add(own, "fail", author="ann", blind=True, metric="politeness")
    [found] = overview(store)
    assert (found.matrix.false_pass, found.whole_misses) == (2, 1)


def test_outcomes_are_counted_by_what_people_say_as_to_the_metric(store: Store) -> None:
    judged(store, 0.9, "pass", "fail")
    other = judged(store, 0.2, "fail")
    judged(store, 0.3, "defer")
    land(store, other, score(0.9, "warmth"))

    def counted() -> dict[tuple[str, str], tuple[int, int]]:
        found = LabelledScores.read(store).by_label()
        return {(one.metric, one.label): (one.scores, one.passed) for one in found}

    assert counted() == {
        ("politeness", "disputed"): (1, 1),
        ("politeness", "fail"): (1, 0),
        ("warmth", "fail"): (1, 1),
    }
    # What fails as a whole need not fail by what this metric looks at.
    store.labels.add(other, "pass", author="ann", blind=True, metric="warmth")
    assert counted()["warmth", "pass"] == (1, 1)
    assert ("warmth", "fail") not in counted()
    assert counted()["politeness", "fail"] == (1, 0)


def test_it_is_counted_what_people_fail_for_something_else(store: Store) -> None:
    for value, own in ((0.9, "pass"), (0.9, "defer"), (0.9, "fail"), (0.2, None)):
        session = judged(store, value, "fail")
        if own is not None:
            store.labels.add(session, own, author="ann", blind=True, metric="politeness")
    [found] = overview(store)
    assert (found.matrix.people_failed, found.failed_otherwise) == (2, 2)


def test_histograms_and_the_table_beside_count_the_same_sessions(store: Store) -> None:
    for value, label in ((0.9, "pass"), (0.9, "fail"), (0.2, "fail"), (0.1, "fail")):
        session = judged(store, value, label)
        land(store, session, score(0.8, "warmth"))
    store.labels.add(session, "pass", author="ann", blind=True, metric="warmth")
    read = LabelledScores.read(store)
    counts = {(one.metric, one.label): one.scores for one in read.by_label()}
    for one in read.overview():
        assert counts[one.metric, "fail"] == one.matrix.people_failed
        assert counts[one.metric, "pass"] == one.matrix.people_passed


def in_short(matrix: Confusion, whole_misses: int) -> MeasuredInShort:
    return measured_in_short(MetricAgreement("politeness", matrix, 0.0, whole_misses))


def test_fails_of_whole_sessions_alone_are_no_ground_to_doubt_a_metric() -> None:
    for fails in (1, 2, 12):
        assert not in_short(Confusion(true_pass=20, false_pass=fails), fails).is_doubted
    caught = Confusion(true_pass=20, false_pass=6, false_fail=1, true_fail=4)
    assert not in_short(caught, 6).is_doubted
    assert in_short(caught, 6).data()["doubted"] is False
    assert in_short(Confusion(true_pass=20, false_pass=6, false_fail=1, true_fail=1), 0).is_doubted


def test_what_people_say_of_the_metric_itself_and_passes_of_whole_sessions_are() -> None:
    assert in_short(Confusion(true_pass=10, false_pass=4, true_fail=1), 1).is_doubted
    assert in_short(Confusion(true_pass=10, false_pass=4, true_fail=1), 3).is_doubted is False
    fails_what_is_good = in_short(Confusion(true_pass=9, false_fail=5, false_pass=2), 2)
    assert fails_what_is_good.is_doubted
    assert fails_what_is_good.data()["doubted"] is True


def test_one_difference_among_passes_alone_or_a_handful_of_labels_casts_no_doubt() -> None:
    assert not in_short(Confusion(true_pass=15, false_fail=1), 0).is_doubted
    assert not in_short(Confusion(true_pass=2, false_fail=7), 0).is_doubted
