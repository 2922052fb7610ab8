"""A model of one's own as the judge: an object that generates, or a function, with and without a schema."""

from __future__ import annotations

import asyncio
import json

import pytest
from judged import found
from pydantic import BaseModel
from stored import said

from turnwise.conversations import Failure, LLMTestCase, Score
from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.engine import evaluate
from turnwise.engine.judge.judge import open_judge
from turnwise.engine.metrics import AnswerRelevancyMetric, ConversationalGEval, GEval
from turnwise.engine.models.own_model import DeepEvalBaseLLM
from turnwise.engine.models.schema_models import model_of

CASE = LLMTestCase(input="Where?", actual_output="There.")
SCORE = {"reason": "r", "turns": [], "score": 8}
STEPS = {"evaluation_steps": ["Be kind."]}


class Generating(DeepEvalBaseLLM):
    """As deepeval's documentation writes one."""

    def __init__(self, name="house-model"):
        self.name = name
        self.prompts = []

    def load_model(self):
        return self

    def generate(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return json.dumps(SCORE)

    async def a_generate(self, prompt: str) -> str:
        return self.generate(prompt)

    def get_model_name(self):
        return self.name


class WithSchema(Generating):
    def generate(self, prompt: str, schema: type[BaseModel]) -> BaseModel:
        # It answers each field that is asked for; those of places name none.
        return schema(**{**dict.fromkeys(schema.model_fields, 0), **SCORE})

    async def a_generate(self, prompt: str, schema: type[BaseModel]) -> BaseModel:
        return self.generate(prompt, schema)


class OnlyPlain:
    """No base, no name, nothing asynchronous."""

    at_once = most = 0

    def generate(self, prompt):
        type(self).at_once += 1
        type(self).most = max(self.most, self.at_once)
        type(self).at_once -= 1
        return SCORE


def plain_function(prompt):
    return json.dumps(SCORE)


async def coroutine_function(prompt):
    return json.dumps(SCORE), 0.001


MODELS = [Generating(), WithSchema(), OnlyPlain(), plain_function, coroutine_function]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: getattr(model, "__name__", type(model).__name__))
class TestWhereverAJudgeIsNamed:
    def test_in_a_metric(self, model):
        metric = GEval("n", model=model, **STEPS)
        assert metric.measure(CASE) == 0.8
        assert metric.evaluation_model == (
            "house-model" if isinstance(model, Generating) else getattr(model, "__name__", "OnlyPlain")
        )

    def test_in_an_evaluation(self, model):
        assert evaluate([CASE], [GEval("n", **STEPS)], judge=model).success

    async def test_in_a_running_loop(self, model):
        assert await ConversationalGEval("n", model=model, **STEPS).a_measure(said("a", "b")) == 0.8


def test_the_prompt_is_one_text_with_rules_transcript_and_question():
    model = Generating()
    GEval("n", model=model, **STEPS).measure(CASE)
    [prompt] = model.prompts
    assert prompt.startswith("You judge conversations")
    assert prompt.index("There.") < prompt.index("1. Be kind.")
    assert '"required"' in prompt


def test_two_models_are_two_judges():
    async def fingerprint(model):
        async with open_judge(model) as judge:
            return judge.fingerprint

    prints = {
        asyncio.run(fingerprint(model)) for model in (Generating("a"), Generating("b"), WithSchema("a"))
    }
    assert len(prints) == 3


def test_a_base_that_generates_nothing_asynchronously_is_asked_plainly():
    class Plain(DeepEvalBaseLLM):
        def generate(self, prompt):
            return json.dumps(SCORE)

    assert GEval("n", model=Plain("m"), **STEPS).measure(CASE) == 0.8


class TestTrouble:
    @pytest.mark.parametrize(
        ("given", "told"),
        [
            (lambda prompt: 5, "it returned 5 (a int); expected a text"),
            (lambda prompt: None, "it returned nothing"),
            (lambda prompt: 1 / 0, "ZeroDivisionError: division by zero\ntest_own_model.py, line"),
        ],
    )
    async def test_what_a_model_does_wrong_is_a_failure_of_the_case(self, given, told):
        async with open_judge(given) as judge:
            outcome = await found(AnswerRelevancyMetric(), CASE, judge)
        assert isinstance(outcome, Failure)
        assert told in outcome.reason

    def test_and_never_the_end_of_a_run(self):
        def away(prompt):
            raise ConnectionError("away")

        cases = [LLMTestCase(input="a", actual_output=f"b {number}") for number in range(5)]
        done = evaluate(cases, [GEval("n", **STEPS)], judge=away)
        assert all(isinstance(result.outcomes[0], Failure) for result in done.results)

    def test_a_reply_that_is_no_answer_is_malformed(self):
        with pytest.raises(JudgeError, match="not what was asked for"):
            GEval("n", model=lambda prompt: "I would say eight.", **STEPS).measure(CASE)

    @pytest.mark.parametrize("given", [Generating, 5, {"model": "m"}])
    def test_what_is_no_judge_is_told(self, given):
        with pytest.raises(SettingError, match="That is no judge") as caught:
            GEval("n", model=given, **STEPS).measure(CASE)
        assert "generate(prompt)" in caught.value.next_step

    def test_a_name_that_is_none_is_told(self):
        with pytest.raises(SettingError, match=r"get_model_name returns no name"):
            GEval("n", model=Generating(name=None), **STEPS).measure(CASE)


def test_plain_models_are_asked_one_at_a_time():
    cases = [LLMTestCase(input="a", actual_output=f"b {number}") for number in range(6)]
    evaluate(cases, [GEval("n", **STEPS)], judge=OnlyPlain())
    assert OnlyPlain.most == 1


def test_every_kind_of_schema_becomes_a_model():
    kind = model_of(
        {
            "type": "object",
            "properties": {
                "7": {
                    "type": "object",
                    "properties": {"word": {"enum": ["yes", "no"]}},
                    "required": ["word"],
                },
                "list": {"type": "array", "items": {"type": "integer"}},
                "any": {},
                "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "required": ["7"],
        },
        "reply",
    )
    made = kind(**{"7": {"word": "yes"}, "list": [1]})
    assert json.loads(made.model_dump_json(by_alias=True))["7"] == {"word": "yes"}
    with pytest.raises(ValueError, match="word"):
        kind(**{"7": {"word": "perhaps"}})


def test_it_gives_scores_without_token_probabilities():
    metric = GEval("n", model=plain_function, **STEPS)
    metric.measure(CASE)
    assert isinstance(metric.outcome, Score)
    assert "note" in metric.score_breakdown
