"""What two runs judged differently by: the judge, its settings, and the words of a criterion."""

from compared_runs import a_run

from turnwise.conversations.store import Store
from turnwise.engine.comparing.judging_changes import JudgingChange, judging_changes
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
        "criterion": ("Polite v1", "Polite v2"),
        "steps": ("–", "Find what it says.\nJudge its tone."),
        "threshold": ("0.7", "0.9"),
    }
