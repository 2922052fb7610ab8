"""Learning from labels: what is foretold, what is refused, and that the same comes out every time."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.results import Score
from turnwise.conversations.store import Store
from turnwise.engine.learning.examples import FEWEST, check_enough
from turnwise.engine.learning.learned_metric import LearnedMetric, learned_version, metric_of, signal_of
from turnwise.engine.learning.learned_signal import LearnedSignal
from turnwise.engine.learning.learning import keep_signal, learn
from turnwise.engine.metrics.subject import Subject


def add_session(store: Store, number: int, *, good: bool, case: int) -> int:
    """Keep a session of a case that ends well, or with a change that nobody asked for."""
    change = {"name": "cancel_order", "input_parameters": {"order": number}, "output": "ok"}
    words = random.Random(number).choices(["blue", "red", "box", "late", "night", "door"], k=4)
    turns = [
        {"role": "user", "content": f"Where is order {number}, the {' '.join(words)}?"},
        {"role": "assistant", "content": "It is on its way."},
        {"role": "user", "content": "Thanks." if good else "And then?"},
        {"role": "assistant", "content": "Gladly.", **({} if good else {"tools_called": [change]})},
    ]
    made = ConversationalTestCase(turns=turns, metadata={"task_id": f"task {case}"})
    return store.sessions.add(made, source="test", format="test").session_id


def fill(store: Store, count: int, *, labels: int, wrong: int = 0, by_chance: bool = False) -> list[int]:
    """Keep sessions, every other one good, and label the first of them; some labels are wrong."""
    chance = random.Random(3)
    sessions = []
    for number in range(count):
        good = number % 2 == 0
        sessions.append(add_session(store, number, good=good, case=number // 2))
        if number < labels:
            said = good if number >= wrong else not good
            said = chance.random() < 0.5 if by_chance else said
            store.labels.add(sessions[-1], "pass" if said else "fail", author="mia", blind=True)
    return sessions


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty database."""
    with Store.open(tmp_path / "turnwise.db") as opened:
        yield opened


async def test_what_labels_teach_foretells_the_sessions_without_one(store: Store) -> None:
    sessions = fill(store, 80, labels=60, wrong=4)
    signal = learn(store, "sound")
    assert signal.measured.auc > 0.85
    assert signal.measured.low > 0.5
    assert signal.grouped_by == "meta.task_id"
    assert signal.measured.groups == 30
    metric = LearnedMetric(signal=signal)
    right = 0
    for number in range(60, 80):
        outcome = await metric.judge(Subject.of(store.sessions.case(sessions[number])), None, secret="")
        assert isinstance(outcome, Score)
        right += outcome.passed is (number % 2 == 0)
    assert right >= 19
    told = [words for words, _ in signal.rests_on()[:6]]
    assert any("changes" in words or "call" in words for words in told)


def test_the_same_labels_teach_the_same(store: Store) -> None:
    fill(store, 40, labels=40, wrong=3)
    first, again = learn(store, "sound"), learn(store, "sound")
    assert first == again
    assert LearnedSignal.model_validate_json(first.model_dump_json()) == first
    assert first.fingerprint == again.fingerprint


def test_labels_by_chance_are_said_to_teach_nothing(store: Store) -> None:
    fill(store, 60, labels=60, by_chance=True)
    assert not learn(store, "nothing").measured.is_better_than_chance


def test_reliability_tells_of_every_session_once(store: Store) -> None:
    fill(store, 41, labels=41, wrong=3)
    measured = learn(store, "sound").measured
    assert sum(step.sessions for step in measured.reliability) == measured.sessions == 41
    assert sum(step.passed for step in measured.reliability) == measured.passed
    assert [step.foretold for step in measured.reliability] == sorted(
        step.foretold for step in measured.reliability
    )


@pytest.mark.parametrize(
    ("passed", "failed", "wanted"),
    [
        (0, 0, "10 more that pass and 10 more that fail, 30 more in all"),
        (40, 6, "4 more that fail"),
        (12, 12, "6 more in all"),
    ],
)
def test_too_few_labels_are_refused_with_how_many_more(passed: int, failed: int, wanted: str) -> None:
    verdicts = dict(enumerate([True] * passed + [False] * failed))
    with pytest.raises(SettingError) as error:
        check_enough(verdicts, "labels")
    assert wanted in error.value.detail


def test_where_some_are_kept_for_the_test_more_have_to_be_labelled_than_lack() -> None:
    with pytest.raises(SettingError) as error:
        check_enough(dict(enumerate([True] * 16 + [False] * 10)), "labels", held_back=17)
    assert "label about 7 more in all, as 40 % of them will be kept for the test." in error.value.detail


def test_enough_labels_are_taken() -> None:
    check_enough(dict(enumerate([True, False] * (FEWEST // 2))), "labels")


def test_sessions_of_one_case_teach_nothing_of_others(store: Store) -> None:
    for number in range(40):
        session = add_session(store, number, good=number % 2 == 0, case=number % 3)
        store.labels.add(session, "pass" if number % 2 == 0 else "fail", author="mia", blind=True)
    with pytest.raises(SettingError, match="3 cases"):
        learn(store, "sound")


def test_fails_of_a_single_case_teach_nothing_of_others(store: Store) -> None:
    for number in range(60):
        good = number >= 12
        session = add_session(store, number, good=good, case=number if good else 0)
        store.labels.add(session, "pass" if good else "fail", author="mia", blind=True)
    with pytest.raises(SettingError, match="All sessions that fail are of one case"):
        learn(store, "sound")


def test_the_test_split_is_left_out(store: Store) -> None:
    sessions = fill(store, 50, labels=50)
    store.splits.add(dict.fromkeys(sessions[:10], "test"))
    assert learn(store, "sound").measured.sessions == 40


def test_a_kept_score_is_looked_at_where_it_tells_something(store: Store) -> None:
    from stored import land, score

    sessions = [add_session(store, number, good=True, case=number) for number in range(60)]
    for place, session in enumerate(sessions):
        store.labels.add(session, "pass" if place % 2 else "fail", author="mia", blind=True)
        land(store, session, score(0.9 if place % 2 else 0.2))
    signal = learn(store, "sound")
    assert "scores" in signal.families
    assert signal.scores_read == ["politeness"]
    assert LearnedMetric(signal=signal).reads_scores == ("politeness",)
    assert signal.measured.auc > 0.95


def test_versions_are_kept_and_forgotten_ones_stay(store: Store) -> None:
    fill(store, 40, labels=40, wrong=2)
    signal = learn(store, "sound", threshold=0.6)
    first, second = (keep_signal(store, signal, author="mia") for _ in range(2))
    assert (first.number, second.number) == (1, 2)
    version = learned_version(store, "learned:Sound")
    assert (version.id, metric_of(version).name, metric_of(version).threshold) == (
        second.id,
        "learned:sound",
        0.6,
    )
    assert signal_of(version) == signal
    assert store.learned.forget("sound") == 2
    with pytest.raises(NotFoundError, match="Nothing was learned"):
        learned_version(store, "sound")
    assert len(store.learned.versions("sound")) == 2


def test_a_signal_of_another_program_says_so(store: Store) -> None:
    store.learned.keep(name="odd", fingerprint="f", content="{}", author="mia")
    with pytest.raises(SettingError, match="another turnwise"):
        signal_of(learned_version(store, "odd"))


@pytest.mark.parametrize("name", ["", "a b", "learned:x", "-x"])
def test_a_name_is_one_word(store: Store, name: str) -> None:
    with pytest.raises(SettingError, match="not called"):
        learn(store, name)


def test_foretelling_needs_no_scikit_learn() -> None:
    code = "import turnwise.engine.learning.learned_metric, sys; print(*{'sklearn'} & {*sys.modules})"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []


def test_without_scikit_learn_it_says_what_to_install(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 40, labels=40)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(SettingError, match="scikit-learn") as error:
        learn(store, "sound")
    assert "turnwise[learn]" in error.value.next_step


def test_a_run_that_was_broken_off_finds_the_signal_that_it_used(store: Store, tmp_path: Path) -> None:
    from turnwise.engine.resuming import _made_again

    fill(store, 40, labels=40, wrong=2)
    used = keep_signal(store, learn(store, "sound"), author="mia")
    store.learned.forget("sound")
    made = _made_again(store, "learned:sound", None, tmp_path)
    assert isinstance(made, LearnedMetric)
    assert made.signal.fingerprint == used.fingerprint
