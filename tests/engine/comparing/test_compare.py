"""Two runs compared: exact means and flips, what is left out, and the order a reader wants."""

from __future__ import annotations

from math import isnan
from statistics import fmean

import pytest
from compared_runs import a_run, judged, kept, one_of_ten_lost, suite_case, two_targets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stored import failure, keep, skipped

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.engine.comparing.compare import compare
from turnwise.engine.comparing.sides import find_side


def compared(store, a="last-1", b="last", metric=""):
    return compare(store, find_side(store, a), find_side(store, b), metric)


def only(comparison):
    [change] = comparison.metrics
    return change


VALUES = [(0.9, 0.2), (0.4, 0.8), (0.6, 0.7), (0.3, 0.3)]


def test_two_targets_on_the_same_cases_are_paired_case_by_case(store):
    two_targets(store, VALUES)
    comparison = compared(store)
    change = only(comparison)
    assert (change.pairs, comparison.cases, comparison.only_a, comparison.only_b) == (4, 4, 0, 0)
    assert change.mean_a == pytest.approx(0.55)
    assert change.mean_b == pytest.approx(0.5)
    assert change.delta == pytest.approx(-0.05)
    assert change.low < change.delta < change.high
    assert (change.passed_a, change.passed_b) == (2, 2)
    assert (change.newly_failed, change.newly_passed) == (1, 1)
    assert (comparison.target_a, comparison.target_b) == ("one", "two")


def test_flips_come_first_those_to_fail_before_those_to_pass_then_the_biggest_change(store):
    two_targets(store, [(0.6, 0.7), (0.3, 0.3), (0.4, 0.8), (0.55, 0.4), (0.9, 0.2), (0.9, 0.6)])
    pairs = compared(store).pairs
    assert [pair.flip for pair in pairs] == ["failed", "failed", "passed", None, None, None]
    assert [pair.name for pair in pairs] == ["Case 4", "Case 3", "Case 2", "Case 5", "Case 0", "Case 1"]
    assert [pair.is_changed for pair in pairs] == [True] * 5 + [False]


def test_a_case_that_stands_elsewhere_in_the_suite_now_keeps_its_partner(store):
    before = kept(store, [suite_case(0), suite_case(1)])
    moved = [suite_case(1, target="two"), suite_case(0, target="two")]
    after = kept(
        store, [moved[0].model_copy(update={"metadata": {**moved[0].metadata, "case": 0}}), moved[1]]
    )
    a_run(store, [(before[0], judged(0.1)), (before[1], judged(0.9))])
    a_run(store, [(after[0], judged(0.9)), (after[1], judged(0.1))])
    assert only(compared(store)).delta == 0


def test_the_same_sessions_under_another_judge_are_compared_with_themselves(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(3)]
    a_run(store, [(session, judged(0.8)) for session in ids], judge="big")
    a_run(store, [(session, judged(0.6)) for session in reversed(ids)], judge="small")
    comparison = compared(store)
    assert only(comparison).delta == pytest.approx(-0.2)
    assert all(pair.a.session_id == pair.b.session_id for pair in comparison.pairs)


def test_another_threshold_flips_without_a_change_of_the_score(store):
    session = keep(store)
    a_run(store, [(session, judged(0.6))])
    a_run(store, [(session, judged(0.6, threshold=0.7))])
    [pair] = compared(store).pairs
    assert (pair.flip, pair.delta, pair.is_changed) == ("failed", 0.0, True)


def test_a_new_version_of_a_criterion_is_the_same_metric(store):
    session = keep(store)
    a_run(store, [(session, judged(0.6))], version=1)
    a_run(store, [(session, judged(0.9))], version=2)
    assert only(compared(store)).pairs == 1


def test_two_targets_of_one_run_are_two_sides(store):
    cases = [suite_case(place, target=target) for place in range(2) for target in ("one", "two")]
    ids = kept(store, cases)
    a_run(store, [(s, judged(v)) for s, v in zip(ids, (0.2, 0.9, 0.4, 0.5), strict=True)])
    change = only(compared(store, "last:one", "last:two"))
    assert (change.pairs, change.delta) == (2, pytest.approx(0.4))


def test_exchanges_are_paired_by_their_number(store):
    ids = kept(store, [suite_case(0, "a", "b", target=target) for target in ("one", "two")])
    for session, values in zip(ids, ((0.1, 0.9), (0.6, 0.9)), strict=True):
        a_run(store, [(session, judged(v, exchange=n)) for n, v in enumerate(values, start=1)])
    comparison = compared(store)
    assert [(pair.exchange, pair.flip) for pair in comparison.pairs] == [(1, "passed"), (2, None)]
    # Both exchanges are one conversation: one piece of evidence has no interval.
    assert only(comparison).cases == 1
    assert isnan(only(comparison).low)


def test_the_answers_of_several_targets_to_one_case_are_one_piece_of_evidence(store):
    for value in (0.9, 0.2):
        cases = [suite_case(place, target=target) for place in range(3) for target in ("one", "two")]
        a_run(store, [(session, judged(value)) for session in kept(store, cases)])
    assert (only(compared(store)).pairs, only(compared(store)).cases) == (6, 3)


def test_sessions_of_one_scenario_are_one_piece_of_evidence(store):
    ids = [keep(store, f"talk {number}", "yes", scenario=f"s{number % 2}") for number in range(6)]
    for value in (0.9, 0.2):
        a_run(store, [(session, judged(value)) for session in ids])
    assert (only(compared(store)).pairs, only(compared(store)).cases) == (6, 2)


def test_among_many_metrics_what_stands_out_by_chance_is_not_called_certain(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(6)]
    one_of_ten_lost(store, ids)
    [alone] = compared(store, metric="m3").metrics
    among = {change.metric: change for change in compared(store).metrics}["m3"]
    assert (alone.is_sure, among.is_sure) == (True, False)
    assert alone.p_value == among.p_value == alone.adjusted
    assert among.adjusted == pytest.approx(10 * among.p_value)


def test_metrics_of_which_hardly_anything_moved_do_not_count_among_those_compared(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(6)]
    for lost in (set(), {"m3"}):
        scores = [(f"m{number}", float(f"m{number}" not in lost)) for number in range(10)]
        a_run(store, [(one, judged(value, metric)) for one in ids for metric, value in scores])
    changes = {change.metric: change for change in compared(store).metrics}
    assert (changes["m3"].adjusted, changes["m4"].adjusted) == (changes["m3"].p_value, 1.0)


def test_passes_may_be_certain_where_scores_are_not(store):
    two_targets(store, [(0.49, 0.51)] * 9)
    change = only(compared(store))
    assert change.low < 0 < change.high
    assert (change.is_sure, change.direction, change.more) == (True, 1, 0)
    assert change.p_value == pytest.approx(4 * 0.5**9, rel=0.05)


def test_few_cases_say_how_many_more_they_need(store):
    two_targets(store, [(0.9, 0.2), (0.9, 0.2), (0.4, 0.4)])
    change = only(compared(store))
    assert (change.is_told, change.is_sure) == (False, False)
    assert change.low < -0.8
    assert 3 < change.more < 30


def test_what_failed_was_skipped_or_stands_on_one_side_only_is_counted_apart(store):
    ids = [keep(store, f"talk {number}", "yes") for number in range(5)]
    a_run(store, [(ids[0], judged(0.8)), (ids[1], failure()), (ids[2], judged(0.4)), (ids[3], judged(1.0))])
    a_run(store, [(ids[0], judged(0.6)), (ids[1], judged(0.1)), (ids[2], skipped()), (ids[4], judged(0.0))])
    comparison = compared(store)
    change = only(comparison)
    assert (change.pairs, change.mean_a, change.mean_b) == (1, 0.8, 0.6)
    assert (change.failures_a, change.failures_b, change.skipped_a, change.skipped_b) == (1, 0, 0, 1)
    assert (change.only_a, change.only_b) == (1, 1)
    assert (comparison.cases, comparison.only_a, comparison.only_b) == (3, 1, 1)


def test_runs_that_share_no_case_have_nothing_to_compare(store):
    for words in ("one", "two"):
        a_run(store, [(keep(store, words, "yes"), judged(0.5))])
    comparison = compared(store)
    assert (len(comparison.pairs), comparison.cases) == (0, 0)
    assert isnan(only(comparison).delta)


def test_one_metric_is_found_by_a_part_of_its_name(store):
    session = keep(store)
    for value in (0.2, 0.9):
        a_run(store, [(session, judged(value, metric)) for metric in ("role_adherence", "topic_adherence")])
    assert [change.metric for change in compared(store).metrics] == ["role_adherence", "topic_adherence"]
    assert only(compared(store, metric="role")).metric == "role_adherence"
    assert only(compared(store, metric="Topic Adherence")).metric == "topic_adherence"
    for text, words in (
        ("adherence", "could be role_adherence or topic_adherence"),
        ("rol_adherenc", "Did you"),
    ):
        with pytest.raises(NotFoundError) as told:
            compared(store, metric=text)
        assert words in str(told.value)


def test_metrics_without_pairs_come_last(store):
    session = keep(store)
    a_run(store, [(session, judged(0.2, "gone")), (session, judged(0.2, "kept"))])
    a_run(store, [(session, judged(0.3, "kept"))])
    assert [change.metric for change in compared(store).metrics] == ["kept", "gone"]


values = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values)
def test_the_change_is_the_mean_of_the_differences_and_swaps_its_sign(tmp_path_factory, values):
    with Store.open(tmp_path_factory.mktemp("compared") / "t.db") as store:
        first, second = two_targets(store, values)
        there, back = compared(store, str(first), str(second)), compared(store, str(second), str(first))
    change, mirrored = only(there), only(back)
    assert change.delta == pytest.approx(fmean(b - a for a, b in values), abs=1e-12)
    assert mirrored.delta == pytest.approx(-change.delta, abs=1e-12)
    assert (change.newly_failed, change.newly_passed) == (mirrored.newly_passed, mirrored.newly_failed)
    assert change.passed_b - change.passed_a == change.newly_passed - change.newly_failed
