"""Tallies: counts over many sessions, each session once by its newest outcome or label."""

import pytest
from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Failure, Score, Skipped, Verdict
from turnwise.conversations.store import (
    RunSpending,
    ScoreTally,
    Store,
    TurnTally,
    tallies,
)
from turnwise.conversations.store.tallies import RunTally


def score(value: float, metric: str = "honesty", *failed: int, exchange: int | None = None) -> Score:
    verdicts = tuple(Verdict(turn=turn, passed=False, word="no", reason="") for turn in failed)
    return Score(metric=metric, reason="", score=value, threshold=0.5, verdicts=verdicts, exchange=exchange)


def parts(*filled: int) -> tuple[int, ...]:
    return tuple(filled.count(place) for place in range(10))


def test_of_each_session_the_newest_outcome_of_a_metric_counts(store: Store) -> None:
    first, second, third = (add_talk(store, name=name) for name in "abc")
    add_outcomes(store, first, score(0.1), score(0.95))
    add_outcomes(store, second, score(1.0), Failure(metric="honesty", reason="away"))
    add_outcomes(store, third, Skipped(metric="honesty", reason="no role"), score(0.49, "warmth"))
    assert store.tallies.scores() == [
        ScoreTally("honesty", 1, 1, failures=1, skipped=1, histogram=parts(9)),
        ScoreTally("warmth", 1, 0, 0, 0, histogram=parts(4)),
    ]


def test_of_a_metric_of_exchanges_the_last_exchange_counts(store: Store) -> None:
    talk = add_talk(store)
    add_outcomes(store, talk, score(0.9, exchange=2), score(0.1, exchange=1))
    assert store.tallies.scores() == [ScoreTally("honesty", 1, 1, 0, 0, parts(9))]


def test_the_ends_of_the_scale_lie_in_the_first_and_last_part(store: Store) -> None:
    for number, value in enumerate((0.0, 0.0999, 0.1, 1.0)):
        add_outcomes(store, add_talk(store, name=str(number)), score(value))
    (tally,) = store.tallies.scores()
    assert tally.histogram == parts(0, 0, 1, 9)


def test_sessions_are_counted_by_the_newest_label_of_the_whole(store: Store) -> None:
    talks = [add_talk(store, name=str(number)) for number in range(4)]
    store.labels.add(talks[0], "fail", author="ann", blind=True)
    store.labels.add(talks[0], "pass", author="ann", blind=True)
    store.labels.add(talks[1], "fail", author="ann", blind=True)
    store.labels.add(talks[1], "pass", author="ann", blind=True, metric="honesty")
    store.labels.add(talks[2], "defer", author="ann", blind=True)
    assert store.tallies.labels() == {"pass": 1, "fail": 1, "defer": 1}


def test_a_label_that_was_taken_back_is_none(store: Store) -> None:
    talk = add_talk(store)
    store.labels.add(talk, "fail", author="ann", blind=True)
    store.labels.add(talk, None, author="ann", blind=True)
    assert store.tallies.labels() == {}
    assert [count for _, count in store.tallies.labels_by_day()] == [1]


def test_failed_verdicts_are_counted_by_turn_a_session_once(store: Store) -> None:
    long, short = add_talk(store, 6, name="long"), add_talk(store, 2, name="short")
    add_outcomes(store, long, score(0.2, "honesty", 4, 4), score(0.2, "warmth", 4, 2))
    add_outcomes(store, short, score(0.9, "honesty", 2), score(0.1, "warmth", 1))
    assert store.tallies.turns() == [
        TurnTally(1, sessions=2, failed=1),
        TurnTally(2, sessions=2, failed=1),
        TurnTally(3, sessions=1, failed=0),
        TurnTally(4, sessions=1, failed=1),
    ]


def test_a_session_that_nothing_scored_is_not_among_those_that_could_have_failed(store: Store) -> None:
    add_outcomes(store, add_talk(store, name="scored"), score(0.1, "honesty", 2))
    add_outcomes(store, add_talk(store, name="skipped"), Skipped(metric="honesty", reason="no role"))
    add_talk(store, name="unscored")
    assert store.tallies.turns() == [TurnTally(1, 1, 0), TurnTally(2, 1, 1)]


def test_without_failed_verdicts_there_are_no_turns(store: Store) -> None:
    add_outcomes(store, add_talk(store), score(0.2))
    assert store.tallies.turns() == []


def test_a_query_leaves_the_other_sessions_out_of_every_tally(store: Store) -> None:
    refund, flight = add_talk(store, words="refund"), add_talk(store, words="flight", name="Flight")
    for talk, value in ((refund, 0.9), (flight, 0.1)):
        add_outcomes(store, talk, score(value, "honesty", 2))
        store.labels.add(talk, "pass" if value > 0.5 else "fail", author="ann", blind=True)
    assert [tally.passed for tally in store.tallies.scores("refund")] == [1]
    assert store.tallies.labels("flight") == {"fail": 1}
    assert [tally.failed for tally in store.tallies.turns("flight")] == [0, 1]
    assert store.tallies.turns("refund") == []
    with pytest.raises(SettingError):
        store.tallies.scores("turns>many")


def test_spending_is_counted_run_by_run_the_newest_first(store: Store) -> None:
    talk, other = add_talk(store), add_talk(store, name="Flight", words="flight")
    assert store.tallies.spending() == []
    add_outcomes(
        store,
        talk,
        Score(metric="a", reason="", score=1.0, threshold=0.5, cost=0.25),
        Score(metric="b", reason="", score=1.0, threshold=0.5, cost=0.5),
    )
    add_outcomes(store, other, Score(metric="a", reason="", score=1.0, threshold=0.5))
    newest, first = store.tallies.spending()
    assert newest == RunSpending(run=2, scores=1, unpriced=1, cost=None)
    assert first == RunSpending(run=1, scores=2, unpriced=0, cost=0.75)
    assert store.tallies.spending("flight") == [newest]
    assert store.tallies.spending("nothing like this") == []


def test_a_check_asks_no_judge_so_that_it_has_no_cost_unknown_or_not(store: Store) -> None:
    add_outcomes(store, add_talk(store), Score(metric="a", reason="", score=1.0, threshold=0.5), judge="")
    assert store.tallies.spending() == []


@pytest.mark.parametrize("few", [0, 5_000])
def test_sessions_that_a_metric_ever_scored_are_counted_however_many_are_asked_about(
    store: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(tallies, "LEAST_OF_A_PART", few)
    talks = [add_talk(store, name=str(number)) for number in range(4)]
    for talk in talks[:3]:
        add_outcomes(store, talk, score(0.9), score(0.2, "tact", exchange=1), score(0.2, "tact", exchange=2))
    add_outcomes(store, talks[0], Failure(metric="honesty", reason="", kind="", next_step=""))
    add_outcomes(store, talks[0], Skipped(metric="clarity", reason=""))
    assert store.tallies.scored(talks) == {"honesty": 3, "tact": 3}
    assert store.tallies.scored(talks[2:]) == {"honesty": 1, "tact": 1}
    assert store.tallies.scored(talks[3:]) == store.tallies.scored([]) == {}


@pytest.fixture
def scored(store: Store, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Ten talks of two metrics, which are shared out even though they are few."""
    monkeypatch.setattr(tallies, "LEAST_OF_A_PART", 1)
    for number in range(10):
        talk = add_talk(store, 2 + number % 3, name=f"talk {number}", words="odd" if number % 2 else "even")
        add_outcomes(store, talk, score(number / 10, "honesty", 1 + number % 3), score(0.9, "warmth"))
    return store


@pytest.mark.parametrize("query", ["", "odd"])
@pytest.mark.parametrize("most", [1, 2, 3, 20])
def test_what_is_counted_of_parts_adds_up_to_the_whole(scored: Store, query: str, most: int) -> None:
    table = scored.tallies
    shared_out = table.parts(query, most)
    assert len(shared_out) <= most
    counted = table.in_threads([lambda part=part: table.count(part) for part in shared_out])
    assert tallies.sum_scores(counted) == table.scores(query, threads=most)


def test_few_sessions_are_not_shared_out(store: Store) -> None:
    add_talk(store)
    assert len(store.tallies.parts("", 4)) == 1
    assert store.tallies.parts("nothing like this", 4) == []


def test_threads_leave_no_connection_open(scored: Store) -> None:
    before = len(scored._database._connections)
    scored.tallies.in_threads([scored.sessions.count, scored.sessions.count])
    assert len(scored._database._connections) == before


def test_a_query_may_name_a_failure_mode(store: Store) -> None:
    first, second = add_talk(store, name="a"), add_talk(store, name="b")
    for talk in (first, second):
        add_outcomes(store, talk, score(0.9))
    store.modes.assign([first], store.modes.add("rude", "It is rude.", author="ann"), author="ann")
    assert [tally.scores for tally in store.tallies.scores("mode:rude")] == [1]


def test_runs_are_counted_by_metric_the_newest_first(store: Store) -> None:
    talk = add_talk(store)
    add_outcomes(store, talk, score(0.9), score(0.1, "warmth"))
    add_outcomes(store, talk, score(0.2), Skipped(metric="warmth", reason="none"))
    add_outcomes(store, talk, Failure(metric="warmth", reason="away"))
    assert store.tallies.runs(5) == [
        RunTally(2, "honesty", scores=1, passed=0),
        RunTally(1, "honesty", 1, 1),
        RunTally(1, "warmth", 1, 0),
    ]
    assert [tally.run for tally in store.tallies.runs(2)] == [2]


def test_of_a_run_only_the_scores_of_the_query_are_counted(store: Store) -> None:
    polite, rude, other = (add_talk(store, name=name) for name in ("polite", "rude", "other"))
    add_outcomes(store, polite, score(0.9))
    add_outcomes(store, rude, score(0.1))
    add_outcomes(store, other, score(0.9))
    assert store.tallies.runs(5, "name:polite") == [RunTally(1, "honesty", 1, 1)]
    # The limit is of the runs that judged one of these sessions, however many came after them.
    assert [tally.run for tally in store.tallies.runs(1, f"id:{rude}")] == [2]


def test_a_turn_leads_to_the_sessions_that_were_counted_there(store: Store) -> None:
    judged_again, late, fine = (add_talk(store, 6, name=name) for name in "abc")
    add_outcomes(store, judged_again, score(0.2, "honesty", 2))
    add_outcomes(store, judged_again, score(0.9, "honesty", 2))
    add_outcomes(store, late, score(0.2, "honesty", 2, 4))
    add_outcomes(store, fine, score(0.9, "honesty", 2))
    assert store.sessions.ids("breaks:2") == store.sessions.ids("breaks:4") == [late]
    assert {tally.turn: tally.failed for tally in store.tallies.turns()} == {1: 0, 2: 1, 3: 0, 4: 1}
    with pytest.raises(SettingError):
        store.sessions.ids("breaks:late")
