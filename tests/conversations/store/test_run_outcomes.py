"""What a run found, read for comparing: the newest of each unit, and which case each session is."""

from __future__ import annotations

from compared_runs import a_run, judged, kept, suite_case, two_targets
from scored_sessions import add_call
from stored import failure, keep, land, score, skipped

from turnwise.conversations.store import Store


def test_a_run_has_the_newest_outcome_of_each_session_metric_and_exchange(store):
    bag = keep(store)
    run = store.runs.begin(judge="j", metrics=["politeness"])
    land(store, bag, score(0.2), score(0.9, exchange=1), run=run)
    [newest] = land(store, bag, score(0.7), run=run)
    rows = {row.exchange: row for row in store.run_outcomes.of(run)}
    assert (rows[None].id, rows[None].score, rows[None].passed) == (newest, 0.7, True)
    assert (rows[1].score, len(rows)) == (0.9, 2)


def test_outcomes_that_are_no_scores_are_neither_passed_nor_failed(store):
    run = store.runs.begin(judge="j", metrics=["a", "b"])
    land(store, keep(store), failure("a"), skipped("b"), run=run)
    assert [(row.outcome, row.score, row.passed) for row in store.run_outcomes.of(run)] == [
        ("failure", None, None),
        ("skipped", None, None),
    ]


def test_the_outcomes_of_a_session_are_found_by_its_id(store):
    first, bare, last = keep(store, "one"), keep(store, "two"), keep(store, "three")
    run = store.runs.begin(judge="j", metrics=["a", "b"])
    land(store, last, score(0.1, "a"), run=run)
    land(store, first, score(0.2, "a"), failure("b"), run=run)
    rows = store.run_outcomes.of(run)
    assert [rows[place].metric for place in rows.of_session(first)] == ["a", "b"]
    assert [rows[place].session_id for place in rows.of_session(last)] == [last]
    assert not rows.of_session(bare)
    assert rows[1:] == list(rows)[1:]


def test_outcomes_that_were_taken_over_belong_to_the_run(store):
    [old] = land(store, keep(store), score(0.9))
    run = store.runs.begin(judge="j", metrics=["politeness"])
    store.scores.link(run, [old])
    assert [row.id for row in store.run_outcomes.of(run)] == [old]
    assert store.runs.get(run).sessions == 1


def test_a_suites_sessions_tell_their_case(store):
    ids = kept(store, [suite_case(3, target="gpt", repeat=2), suite_case(4, target="gpt")])
    run = a_run(store, [(session, judged(1.0)) for session in ids])
    first, second = store.run_outcomes.subjects(run)
    assert (first.suite, first.place, first.repeat, first.prompt) == ("Bookings", 3, 2, "p")
    assert (first.target, first.given, first.name) == ("gpt", "Case 3", "Case 3")
    assert first.vars != second.vars


def test_other_sessions_tell_their_name_and_first_words(store):
    ids = [keep(store, "Where is my bag?", "Here.", name="Bag"), keep(store, "Hello", "b")]
    run = a_run(store, [(session, judged(1.0)) for session in ids])
    first, second = store.run_outcomes.subjects(run)
    assert (first.suite, first.place, first.given) == ("", -1, "Bag")
    assert (second.name, second.given) == ("Hello", "")
    assert first.opening != second.opening


def test_metadata_of_another_kind_is_no_place(store):
    session = keep(store, metadata={"case": "the third", "suite": ["a"], "vars": 3})
    run = a_run(store, [(session, judged(1.0))])
    assert store.run_outcomes.subjects(run)[0].place == -1


def test_the_targets_of_a_run_stand_in_the_order_they_came(store):
    ids = kept(store, [suite_case(place, target=name) for place in (1, 2) for name in ("zeta", "alpha")])
    run = a_run(store, [(session, judged(1.0)) for session in ids])
    assert store.run_outcomes.targets(run) == ["zeta", "alpha"]
    assert store.run_outcomes.targets(a_run(store, [(keep(store), judged(1.0))])) == []


def test_a_run_counts_its_sessions_once(store):
    first, _ = two_targets(store, [(0.9, 0.1), (0.8, 0.2)])
    assert store.runs.get(first).sessions == 2
    assert [run.sessions for run in store.runs.all()] == [2, 2]


def test_a_run_is_counted_by_metric_and_tells_what_was_paid_in_it(store):
    bag, coat = keep(store, "one"), keep(store, "two")
    [old] = land(store, bag, score(0.9, "a", cost=5.0))
    run = store.runs.begin(judge="j", metrics=["a", "b"])
    store.scores.link(run, [old])
    land(store, coat, score(0.1, "a", cost=0.25), failure("b"), skipped("b"), run=run)
    figures = store.run_outcomes.figures(run)
    first, second = figures.metrics
    assert (first.metric, first.scores, first.passed, first.mean) == ("a", 2, 1, 0.5)
    assert (second.scores, second.mean, second.failures, second.skipped) == (0, None, 1, 1)
    assert (figures.sessions, figures.cost, figures.failures) == (2, 0.25, 1)


def test_the_tokens_of_a_run_are_those_of_its_own_calls(store):
    add_call(store, "call-1")
    add_call(store, "call-2")
    run = store.runs.begin(judge="j", metrics=["a"])
    land(store, keep(store), score(0.9, "a", calls=("call-1",)), run=run)
    land(store, keep(store, "two"), score(0.9, "a", calls=("call-1", "call-2")), run=run)
    assert store.run_outcomes.tokens(run) == (2_400, 68)


def test_a_run_knows_what_failed_and_what_is_done(store):
    bag, coat = keep(store, "one"), keep(store, "two")
    run = store.runs.begin(judge="j", metrics=["a", "b"])
    land(store, bag, score(0.9, "a"), skipped("b"), run=run)
    land(store, coat, score(0.9, "a"), failure("b"), run=run)
    assert store.run_outcomes.failed(run) == [(coat, "b")]
    assert store.run_outcomes.done(run, 2) == {bag}
    assert [used.name for used in store.run_outcomes.used_metrics(run)] == ["a", "b"]


def test_a_run_stands_otherwise_with_its_outcomes_words_and_sessions_and_with_nothing_else(
    store: Store,
) -> None:
    session, other = keep(store, "one"), keep(store, "two")
    land(store, session, score(0.5))
    run = store.runs.all()[0].id
    stood = store.run_outcomes.standing(run)
    store.labels.add(session, "pass", author="mia", blind=True)
    store.queues.add("friday", [session], sampler="random")
    land(store, other, score(0.5))
    assert store.run_outcomes.standing(run) == stood
    store.runs.rename(run, "Renamed")
    renamed = store.run_outcomes.standing(run)
    store.forgetting.forget([session])
    assert len({stood, renamed, store.run_outcomes.standing(run)}) == 3
