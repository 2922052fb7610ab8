"""What two runs judged differently by: the judge, its settings, and the words of a criterion."""

from compared_runs import a_run, judged, taken_over
from stored import keep

from turnwise.conversations.store import Store
from turnwise.engine.comparing.judging_changes import (
    JudgingChange,
    changes_in_words,
    judging_changes,
    pair_changes,
)
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_versions import keep_version

FIRST = Criterion(name="Polite", criteria="Stays polite.", threshold=0.7)


def test_the_same_judge_and_words_have_not_changed(store: Store) -> None:
    one, other = (store.runs.get(a_run(store, [])) for _ in range(2))
    assert judging_changes(store, one, other) == []


def test_a_judge_is_told_with_its_settings(store: Store) -> None:
    runs = [
        store.runs.begin(judge=model, metrics=["m"], judge_settings={"model": model, "temperature": heat})
        for model, heat in (("one", 0.0), ("two", 0.5))
    ]
    one, other = map(store.runs.get, runs)
    assert judging_changes(store, one, other) == [
        JudgingChange("judge", "one", "two"),
        JudgingChange("temperature", "0.0", "0.5"),
    ]


def test_of_a_criterion_only_what_differs_is_told(store: Store) -> None:
    second = FIRST.model_copy(update={"threshold": 0.9, "steps": ["Find what it says.", "Judge its tone."]})
    runs = []
    for criterion in (FIRST, second):
        version = keep_version(store, criterion, author="ann")
        runs.append(a_run(store, [], criterion="Polite", criterion_version=version.fingerprint))
    one, other = map(store.runs.get, runs)
    changes = {change.name: (change.a, change.b) for change in judging_changes(store, one, other)}
    assert changes == {
        "criterion": ("Polite v1", "v2"),
        "steps": ("–", "Find what it says.\nJudge its tone."),
        "threshold": ("0.7", "0.9"),
    }


def two_versions(store: Store) -> tuple[int, int]:
    """Keep a run of each of two versions of a criterion over one session, and return both."""
    session = keep(store, "question", "answer")
    runs = []
    for criterion, value in ((FIRST, 0.9), (FIRST.model_copy(update={"criteria": "Never rude."}), 0.2)):
        version = keep_version(store, criterion, author="ann")
        told = {"criterion": "Polite", "criterion_version": version.fingerprint}
        scores = [(session, judged(value, "Polite"))]
        runs.append(a_run(store, scores, fingerprint=version.metric_fingerprint, **told))
    return runs[0], runs[1]


def test_scores_that_a_run_took_over_are_of_the_version_that_judged(store: Store) -> None:
    first, second = two_versions(store)
    a, b = (store.runs.get(run) for run in (first, taken_over(store, second)))
    expected = [
        JudgingChange("criterion", "Polite v1", "v2"),
        JudgingChange("criteria", "Stays polite.", "Never rude."),
    ]
    assert judging_changes(store, a, b) == expected
    rows = store.scores.of(1)
    assert pair_changes(store, rows[0], rows[1]) == expected
    assert pair_changes(store, rows[0], rows[0]) == []


def test_of_a_run_with_scores_of_two_versions_both_are_told(store: Store) -> None:
    first, second = two_versions(store)
    mixed = taken_over(store, second)
    store.scores.link(mixed, [row.id for row in store.run_outcomes.of(first)])
    changes = judging_changes(store, store.runs.get(first), store.runs.get(mixed))
    assert changes == [JudgingChange("criterion", "Polite v1", "v1 and v2")]


def test_a_version_is_known_by_its_fingerprint_where_no_run_says_which_it_was(store: Store) -> None:
    first, _ = two_versions(store)
    later = keep_version(store, FIRST.model_copy(update={"criteria": "Is kind."}), author="ann")
    other = a_run(store, [(1, judged(0.4, "Polite"))], fingerprint=later.metric_fingerprint)
    changes = judging_changes(store, store.runs.get(first), store.runs.get(other))
    assert changes[0] == JudgingChange("criterion", "Polite v1", "v3")


def test_a_metric_of_which_no_version_is_known_is_said_not_to_be_the_same(store: Store) -> None:
    session = keep(store, "question", "answer")
    runs = [a_run(store, [(session, judged(0.5, "warmth"))], fingerprint=one) for one in ("one", "two")]
    a, b = map(store.runs.get, runs)
    assert judging_changes(store, a, b) == [JudgingChange("metric", "warmth", "warmth, not the same")]
    assert changes_in_words(judging_changes(store, a, b)) == "metric warmth → warmth, not the same"
    assert pair_changes(store, *store.scores.of(session)) == judging_changes(store, a, b)


def test_of_a_criterion_that_was_changed_unkept_it_is_said_that_it_is_not_the_same(store: Store) -> None:
    first, _ = two_versions(store)
    other = a_run(store, [(1, judged(0.4, "Polite"))], fingerprint="unknown")
    changes = judging_changes(store, store.runs.get(first), store.runs.get(other))
    assert changes == [JudgingChange("criterion", "Polite", "Polite, not the same")]


def test_the_judge_of_a_score_that_was_taken_over_is_the_one_that_gave_it(store: Store) -> None:
    session = keep(store, "question", "answer")
    one, other = (a_run(store, [(session, judged(0.5))], judge=judge) for judge in ("judge-1", "judge-2"))
    taken_over(store, other)
    rows = store.scores.of(session)
    assert [row.run_id for row in rows] == [one, other]
    assert pair_changes(store, *rows) == [JudgingChange("judge", "judge-1", "judge-2")]
