"""A judge's trial names what sways a judge, and accuses no honest one."""

import pytest
from judge_server import drops
from stand_in_judges import CROOKED, HONEST
from stored import keep

from turnwise.conversations.errors import JudgeUnavailableError, SettingError
from turnwise.engine.certifying.certificate import BIASES, JudgeCertificate
from turnwise.engine.certifying.trial import MOST_CALLS, hold_trial, plan_trial
from turnwise.engine.models.settings import ModelSettings


async def certificate(server, store, judging) -> JudgeCertificate:
    server.default = judging
    plan = plan_trial(store, store.sessions.ids())
    return await hold_trial(plan, ModelSettings(base_url=server.url, model="m"))


@pytest.mark.parametrize("name", CROOKED)
async def test_a_crooked_judge_is_named_by_what_it_does(judge_server, store, name):
    key, judging = CROOKED[name]
    found = await certificate(judge_server, store, judging())
    assert key in [one.key for one in found.biases]
    assert found.calls <= MOST_CALLS
    assert len(judge_server.requests) <= MOST_CALLS


@pytest.mark.parametrize("name", HONEST)
async def test_an_honest_judge_is_accused_of_nothing(judge_server, store, name):
    found = await certificate(judge_server, store, HONEST[name]())
    assert [one.key for one in found.biases] == []
    assert found.answered_as == ("scripted-1",)


async def test_the_same_question_is_really_asked_again(judge_server, store):
    await certificate(judge_server, store, HONEST["civil less 0, noise 0.0"]())
    asked = [request.text for request in judge_server.requests]
    assert len(asked) - len(set(asked)) > 20


async def test_replies_come_from_the_sessions_and_from_samples_where_too_few_fit(store):
    ids = [
        keep(store, f"Where is bag {number}?", f"Your bag {number} is in Oslo. It comes on Monday.")
        for number in range(30)
    ]
    plan = plan_trial(store, ids)
    assert len({item.session for item in plan.items}) == len(plan.items) == 20
    assert (plan.own_samples, plan.probes <= MOST_CALLS) == (False, True)
    few = plan_trial(store, ids[:3])
    assert few.own_samples
    assert [item.session for item in few.items][:3] == ids[:3]


async def test_what_is_kept_can_be_read_again(judge_server, store):
    key, judging = CROOKED["likes length"]
    found = await certificate(judge_server, store, judging())
    store.certificates.add(
        judge=found.judge, fingerprint=found.fingerprint, made_at=found.made_at, data=found.data()
    )
    (kept,) = store.certificates.standing()
    assert JudgeCertificate.from_data(kept.data) == found
    assert BIASES[key] in kept.data["named"]
    assert kept.other_model == ""


async def test_a_judge_that_is_away_is_no_judge_without_a_bias(judge_server, store):
    judge_server.default = drops()
    plan = plan_trial(store, [])
    settings = ModelSettings(base_url=judge_server.url, model="m", tries=1)
    with pytest.raises(JudgeUnavailableError):
        await hold_trial(plan, settings)


async def test_kept_replies_cannot_be_tried(judge_server, store):
    settings = ModelSettings(base_url=judge_server.url, model="m", provider="offline:openai")
    with pytest.raises(SettingError, match="by asking it"):
        await hold_trial(plan_trial(store, []), settings)
