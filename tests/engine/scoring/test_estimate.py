"""An estimate before a run: from lengths alone, with a price where one is known."""

from stored import keep

from turnwise.engine.metrics import (
    ContainsMetric,
    ConversationalGEval,
    KnowledgeRetentionMetric,
    RoleAdherenceMetric,
)
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.scoring.estimate import estimate_run

METRICS = [RoleAdherenceMetric(), KnowledgeRetentionMetric(), ContainsMetric(text="x")]


def judge(**settings):
    return ModelSettings(base_url="http://127.0.0.1:1/v1", model="m", **settings)


def test_every_judged_metric_asks_once_a_conversation_and_checks_ask_nothing(store):
    sessions = [keep(store, "a" * 400, "b" * 400), keep(store, "c" * 400, "d" * 400)]
    estimate = estimate_run(store, sessions, METRICS, judge())
    assert estimate.questions == 4
    # Twice the 1,600 characters at 4 a token, and what stands around them.
    assert 800 < estimate.tokens < 4000
    assert estimate.cost is None
    assert estimate.words().startswith("at most 4 questions, about ")


def test_steps_that_are_to_be_drafted_are_a_question_more_for_all_cases(store):
    sessions = [keep(store, "a", "b"), keep(store, "c", "d")]
    plain = ConversationalGEval(name="Polite", criteria="Is it polite?")
    stepped = ConversationalGEval(name="Polite", evaluation_steps=["Look for a please."])
    counts = [estimate_run(store, sessions, [metric], judge()).questions for metric in (plain, stepped)]
    assert counts == [3, 2]


def test_a_known_price_gives_a_cost(store):
    sessions = [keep(store, "a" * 4000, "b" * 4000)]
    estimate = estimate_run(store, sessions, METRICS[:1], judge(price=(1.0, 10.0)))
    assert estimate.cost is not None
    assert 0.002 < estimate.cost < 0.004


def test_a_small_judge_is_asked_about_every_reply(store):
    sessions = [keep(store, *["q", "a"] * 5)]
    assert estimate_run(store, sessions, METRICS[:1], judge(items_per_question=1)).questions == 5
