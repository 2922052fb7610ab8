"""Trying a criterion: what comes of it beside people's labels, and what is kept."""

from contextlib import aclosing

import pytest
from criterion_sessions import knows_manners, labelled
from judge_server import JudgeServer, refuses
from judged import judge_at

from turnwise.conversations.errors import JudgeRefusedError, SettingError
from turnwise.conversations.store import Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample, draw_sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, try_criterion
from turnwise.engine.criteria.past_trials import last_trial
from turnwise.engine.judge.evidence import StoredCallBook

POLITE = Criterion(name="Polite", criteria="Stays polite.", steps=["Look for rudeness."], threshold=0.7)
LENIENT = POLITE.model_copy(update={"steps": ["Be lenient."]})


async def tried(store: Store, server: JudgeServer, criterion: Criterion, sample: Sample) -> CriterionTrial:
    trial = CriterionTrial(criterion, sample)
    async with judge_at(server, StoredCallBook(store)) as judge:
        run = try_criterion(store, criterion, sample, judge, author="ann", source="polite.yaml")
        async with aclosing(run) as outcomes:
            async for scored in outcomes:
                trial = trial.with_outcome(scored)
    return trial


async def test_outcomes_stand_beside_labels_as_they_land(store: Store, judge_server: JudgeServer) -> None:
    labelled(store)
    sample = draw_sample(store, "Polite")
    trial = await tried(store, knows_manners(judge_server), POLITE, sample)
    assert trial.matrix.counts == (4, 0, 0, 4)
    assert trial.differing == []
    trial = await tried(store, judge_server, LENIENT, sample)
    assert trial.matrix.counts == (4, 4, 0, 0)
    assert {row.differing for row in trial.differing} == {"false pass"}
    assert trial.measures().tnr.value == 0


async def test_what_was_tried_is_a_run_named_after_the_version(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    sample = draw_sample(store, "Polite")
    await tried(store, knows_manners(judge_server), POLITE, sample)
    await tried(store, judge_server, LENIENT, sample)
    newest, oldest = store.runs.all()
    assert (oldest.name, newest.name) == ("Polite v1", "Polite v2")
    assert newest.finished_at is not None
    assert newest.parameters["split"] == "dev"
    first, second = store.criteria.versions("Polite")
    assert (first.fingerprint, second.fingerprint) == (POLITE.fingerprint, LENIENT.fingerprint)
    assert (first.author, first.source) == ("ann", "polite.yaml")


async def test_a_stored_trial_is_what_it_was_when_it_was_tried(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    assert last_trial(store, POLITE) is None
    live = await tried(store, knows_manners(judge_server), POLITE, draw_sample(store, "Polite"))
    stored = last_trial(store, POLITE)
    assert stored is not None
    assert sorted(stored.rows, key=lambda row: row.session) == sorted(live.rows, key=lambda row: row.session)
    assert (stored.matrix, stored.sample.split, stored.judge) == (live.matrix, "dev", "m")
    assert stored.data() | {"false_passes": []} == stored.data()


async def test_a_new_threshold_costs_no_question(store: Store, judge_server: JudgeServer) -> None:
    labelled(store)
    sample = draw_sample(store, "Polite")
    await tried(store, knows_manners(judge_server), POLITE, sample)
    asked = len(judge_server.requests)
    high = POLITE.model_copy(update={"threshold": 0.95})
    trial = await tried(store, judge_server, high, sample)
    assert len(judge_server.requests) == asked
    assert trial.matrix.counts == (0, 0, 4, 4)
    assert [row.differing for row in trial.differing] == ["false fail"] * 4


async def test_use_of_the_test_split_is_noted_even_where_the_trial_fails(
    store: Store, judge_server: JudgeServer
) -> None:
    labelled(store)
    sample = draw_sample(store, "Polite", split="test")
    judge_server.default = refuses(401, "bad key")
    with pytest.raises(JudgeRefusedError):
        await tried(store, judge_server, POLITE, sample)
    [use] = store.splits.uses("test")
    assert (use.criterion, use.version, use.sessions) == ("Polite", POLITE.fingerprint, 8)


async def test_an_empty_sample_is_refused(store: Store, judge_server: JudgeServer) -> None:
    with pytest.raises(SettingError, match="no session"):
        await tried(store, judge_server, POLITE, draw_sample(store, "Polite"))
    assert store.runs.all() == []


def test_other_words_beside_the_same_steps_judge_the_same_and_make_no_other_trial() -> None:
    reworded = POLITE.model_copy(update={"criteria": "Stays polite and kind."})
    trial = CriterionTrial(POLITE, Sample((), {}, {}))
    assert reworded.fingerprint != POLITE.fingerprint
    assert reworded.judges_as(POLITE)
    assert trial.by(reworded) is None
    for other in (
        POLITE.model_copy(update={"threshold": 0.9}),
        LENIENT,
        reworded.model_copy(update={"steps": None}),
    ):
        assert not other.judges_as(POLITE)
