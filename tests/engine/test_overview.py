"""The overview: rates with their intervals, the worst first, and what people said, as plain data."""

from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.results import Score, Skipped, Verdict
from turnwise.conversations.store import Store
from turnwise.conversations.store.scores import Identity
from turnwise.engine.overview import overview, overview_steps


def fill(store: Store) -> list[int]:
    talks = [add_talk(store, name=str(number)) for number in range(4)]
    for place, talk in enumerate(talks):
        failed = (Verdict(turn=2, passed=False, word="no", reason=""),) if place else ()
        add_outcomes(
            store,
            talk,
            Score(metric="honesty", reason="", score=0.9, threshold=0.5),
            Score(metric="warmth", reason="", score=0.2 if place else 0.8, threshold=0.5, verdicts=failed),
        )
    store.labels.add(talks[0], "pass", author="ann", blind=True)
    store.labels.add(talks[1], "fail", author="ann", blind=True)
    return talks


def test_the_metric_that_fails_most_comes_first_with_its_interval(store: Store) -> None:
    fill(store)
    found = overview(store)
    assert [(one.tally.metric, one.rate) for one in found.rates] == [("warmth", 0.25), ("honesty", 1.0)]
    low, high = found.rates[0].interval or (0, 0)
    # Clopper and Pearson's interval for 1 of 4.
    assert 0.006 < low < 0.007
    assert 0.80 < high < 0.81
    assert set(found.rates[0].by_label) == {"pass", "fail"}


def test_a_metric_without_scores_has_no_rate_and_comes_last(store: Store) -> None:
    fill(store)
    add_outcomes(store, 1, Skipped(metric="clarity", reason=""))
    last = overview(store).rates[-1]
    assert (last.tally.metric, last.rate, last.interval, last.data()["low"]) == ("clarity", None, None, None)


def test_sessions_without_a_label_are_counted(store: Store) -> None:
    fill(store)
    found = overview(store)
    assert (found.sessions, dict(found.labels), found.unlabelled) == (4, {"pass": 1, "fail": 1}, 2)
    assert found.data()["labels"] == {"pass": 1, "fail": 1, "defer": 0, "none": 2}


def test_sessions_on_which_people_differ_are_counted_apart_from_those_that_pass_or_fail(
    store: Store,
) -> None:
    talks = fill(store)
    store.labels.add(talks[1], "pass", author="ben", blind=True)
    found = overview(store)
    assert (dict(found.labels), found.disputed, found.data()["disputed"]) == ({"pass": 1}, 1, 1)
    assert (found.labelled, found.unlabelled) == (2, 2)


def test_the_data_says_where_conversations_break(store: Store) -> None:
    fill(store)
    assert overview(store).data()["by_turn"] == [
        {"turn": 1, "sessions": 4, "failed": 0},
        {"turn": 2, "sessions": 4, "failed": 3},
    ]


def test_failure_modes_are_counted_among_the_sessions_of_the_query(store: Store) -> None:
    talks = fill(store)
    mode = store.modes.add("rude", "It is rude.", author="ann")
    store.modes.assign(talks[1:2], mode, author="ann")
    for query, expected in [("", (1, 2)), ("label:fail", (1, 1)), ("label:pass", (0, 1))]:
        [found] = overview(store, query).modes
        assert (found.name, found.sessions, found.reviewed) == ("rude", *expected)
    [found] = overview(store, "label:fail", by="role").modes
    assert (found.group, found.sessions, found.reviewed) == ("an agent", 1, 1)
    assert overview(store, "label:none").modes == []


def test_it_comes_in_steps_of_which_each_holds_more(store: Store) -> None:
    fill(store)
    steps = list(overview_steps(store))
    held = [
        (bool(one.labels), bool(one.rates), bool(one.turns), bool(one.judged), bool(one.runs))
        for one in steps
    ]
    assert held == sorted(held)
    assert [any(one) for one in zip(*held, strict=True)] == [True] * 5
    assert [bool(one.unread) for one in steps] == [True] * (len(steps) - 1) + [False]
    assert steps[-1] == overview(store)


def test_metrics_are_measured_against_people_with_intervals(store: Store) -> None:
    fill(store)
    judged = {one.metric: one for one in overview(store).judged}
    assert (judged["warmth"].tpr.value, judged["warmth"].tnr.value, judged["warmth"].kappa.value) == (1, 1, 1)
    assert judged["honesty"].tnr.value == 0
    low, high = judged["honesty"].tnr.low, judged["honesty"].tnr.high
    assert low == 0 < (high or 0) < 1


def test_runs_stand_over_time_with_intervals(store: Store) -> None:
    fill(store)
    newest = overview(store).runs[0]
    assert (newest.run, newest.name, newest.metric, newest.rate) == (4, "judge-1", "honesty", 1.0)
    assert 0 < newest.interval[0] < newest.interval[1] == 1.0
    assert {one.run for one in overview(store, "label:fail").runs} == {2}


def test_of_a_newest_run_that_judged_only_some_sessions_the_same_is_told_as_of_all(store: Store) -> None:
    talks = fill(store)
    mode = store.modes.add("rude", "It is rude.", author="ann")
    store.modes.assign(talks, mode, author="ann")
    whole = overview(store)
    newest = whole.newest
    assert newest is not None
    assert newest.run == 4
    assert newest.sessions == store.sessions.count("run:4") < whole.sessions
    assert newest.turns == store.tallies.turns("run:4")
    assert [one.sessions for one in newest.modes] == [newest.sessions]
    # Where it judged all that is asked for, or no other did, there is nothing to tell apart.
    assert overview(store, "run:4").newest is None
    assert overview(store, "label:fail").newest is None


def test_a_check_of_all_sessions_after_it_hides_no_newest_run(store: Store) -> None:
    fill(store)
    run = store.runs.begin(judge="", metrics=["repetition"])
    for session in store.sessions.ids():
        identity = Identity(session, None, "repetition", 1, "repetition", "case", "", "")
        found = Score(metric="repetition", reason="", score=0.0, threshold=0.5)
        store.scores.add_all(run, [(identity, found)])
    store.runs.finish(run)
    whole = overview(store)
    assert whole.runs[0].run == run
    assert whole.newest is not None
    assert whole.newest.run == 4


def test_a_run_that_was_stopped_says_nothing_of_what_is_newest(store: Store) -> None:
    talks = fill(store)
    run = store.runs.begin(judge="judge-1", metrics=["honesty"])
    identity = Identity(talks[0], None, "honesty", 1, "honesty", "case", "judge-1", "judge-1")
    store.scores.add_all(run, [(identity, Score(metric="honesty", reason="", score=0.0, threshold=0.5))])
    newest = overview(store).newest
    assert newest is not None
    assert newest.run == run - 1
    store.runs.finish(run)
    newest = overview(store).newest
    assert newest is not None
    assert newest.run == run


def test_which_of_the_newest_runs_ended_is_known_of_those_without_a_score_too(store: Store) -> None:
    fill(store)
    run = store.runs.begin(judge="judge-1", metrics=["honesty"])
    assert overview(store).ended[run] is False
    store.runs.finish(run)
    assert overview(store).ended[run] is True
    # It judged none of the sessions that a query finds.
    assert set(overview(store, "label:fail").ended) == {2}


def test_failure_modes_can_be_counted_within_groups(store: Store) -> None:
    talks = fill(store)
    mode = store.modes.add("rude", "It is rude.", author="ann")
    store.modes.assign(talks[:2], mode, author="ann")
    found = overview(store, by="role")
    assert [(one.group, one.sessions) for one in found.modes] == [("an agent", 2)]
    assert found.data()["modes"] == [{"mode": "rude", "role": "an agent", "sessions": 2, "reviewed": 2}]
