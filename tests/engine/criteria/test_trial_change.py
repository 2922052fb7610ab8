"""A trial beside the one before it: the same sessions, the same labels, and what came out the other way."""

from contextlib import aclosing

import pytest
from criterion_sessions import knows_manners, labelled
from judge_server import JudgeServer
from judged import judge_at

from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample, draw_sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow, try_criterion
from turnwise.engine.criteria.past_trials import last_trial, standing, trial_before, trial_of
from turnwise.engine.criteria.trial_change import TrialChange, chance_of_mending
from turnwise.engine.judge.evidence import StoredCallBook

POLITE = Criterion(name="Polite", criteria="Stays polite.", steps=["Be lenient."], threshold=0.7)
STRICT = POLITE.model_copy(update={"steps": ["Look for rudeness."]})


def trial(*verdicts: tuple[int, bool | None, bool | None]) -> CriterionTrial:
    """A trial of sessions, each with what the criterion and people say of it."""
    rows = tuple(
        TrialRow(session, "", "score" if passed is not None else "failure", None, passed, people, "")
        for session, passed, people in verdicts
    )
    return CriterionTrial(POLITE, Sample(tuple(row.session for row in rows)), rows)


BEFORE = trial((1, True, False), (2, True, False), (3, True, True), (4, False, True), (5, None, True))
NOW = trial((1, False, False), (2, True, False), (3, False, True), (4, False, True), (6, True, True))


def test_only_sessions_that_both_scored_are_set_side_by_side() -> None:
    was, now = TrialChange(BEFORE, NOW).matrices
    assert was.counts == (1, 2, 1, 0)
    assert now.counts == (0, 1, 2, 1)


def test_what_came_out_the_other_way_is_told_with_the_side_it_went_to() -> None:
    change = TrialChange(BEFORE, NOW)
    assert sorted(change.flips) == [1, 3]
    assert (change.mended, change.broken) == (1, 1)


def flipped(mended: int, broken: int) -> TrialChange:
    """A change of so many sessions to what people say and away from it, among others that stayed."""
    total = mended + broken + 10
    before = trial(*((one, one >= mended, True) for one in range(total)))
    return TrialChange(
        before, trial(*((one, not mended <= one < mended + broken, True) for one in range(total)))
    )


def test_how_sure_it_is_goes_by_what_came_out_the_other_way_as_mcnemars_exact_test() -> None:
    # 2 * (1/2)^6, and so on: of both sides.
    for mended, broken, chance in (
        (6, 0, 2 / 64),
        (0, 6, 2 / 64),
        (5, 0, 2 / 32),
        (8, 1, 20 / 512),
        (1, 1, 1.0),
    ):
        change = flipped(mended, broken)
        assert (change.mended, change.broken) == (mended, broken)
        assert change.p_value == pytest.approx(chance)
        assert change.is_sure is (chance <= 0.05)
        assert change.data()["p_value"] == change.p_value
    assert flipped(0, 0).p_value == 1


def test_chance_is_that_of_a_coin() -> None:
    assert chance_of_mending(0, 0) == 1
    assert chance_of_mending(5, 0) == 1 / 32
    assert chance_of_mending(1, 1) == 0.75


def test_a_change_has_a_paired_interval_and_none_without_labels() -> None:
    change = TrialChange(BEFORE, NOW).tnr_change()
    assert change.value == 0.5
    assert change.low is not None
    assert change.high is not None
    assert change.low < 0.5 < change.high
    assert TrialChange(trial((1, True, True)), trial((1, True, True))).tnr_change().value is None


async def tried(store: Store, server: JudgeServer, criterion: Criterion, sample: Sample) -> CriterionTrial:
    async with (
        judge_at(knows_manners(server), StoredCallBook(store)) as judge,
        aclosing(try_criterion(store, criterion, sample, judge, author="ann")) as outcomes,
    ):
        async for _ in outcomes:
            pass
    stored = last_trial(store, criterion)
    assert stored is not None
    return stored


async def test_the_trial_before_is_the_newest_by_other_words(store: Store, judge_server: JudgeServer) -> None:
    labelled(store)
    sample = draw_sample(store, "Polite")
    first = await tried(store, judge_server, POLITE, sample)
    assert trial_before(store, first) is None
    second = await tried(store, judge_server, STRICT, sample)
    again = await tried(store, judge_server, STRICT, sample)
    for now in (second, again):
        before = trial_before(store, now)
        assert before is not None
        assert before.run_id == first.run_id
        assert TrialChange(before, now).mended == 4


async def test_another_threshold_is_set_beside_the_trial_it_was_read_from(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    stored = await tried(store, judge_server, STRICT, draw_sample(store, "Polite"))
    high = STRICT.model_copy(update={"threshold": 0.95})
    now = trial_of(store, high, "Polite")
    assert now is not None
    before = trial_before(store, now)
    assert before is not None
    assert (before.run_id, before.criterion) == (stored.run_id, STRICT)
    assert TrialChange(before, now).broken == 4


async def test_a_criterion_stands_where_its_newest_trial_left_it(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    trial = await tried(store, judge_server, STRICT, draw_sample(store, "Polite"))
    assert standing(store, STRICT).matrix == trial.matrix
    await tried(store, judge_server, STRICT, draw_sample(store, "Polite", split="test"))
    # What was looked at once, at the end, is no figure to be seen every day.
    assert standing(store, STRICT).sessions == 8
