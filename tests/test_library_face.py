"""The library's face: what the documentation of test cases and conversational G-Eval shows, done with ours.

Every example there has its counterpart here: the same calls and parameters, our own texts.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from judge_server import JudgeServer
from judged import answers_all

from turnwise.conversations import (
    ConversationalTestCase,
    LLMTestCase,
    LLMTestCaseParams,
    MLLMImage,
    MLLMTestCase,
    ToolCall,
    Turn,
)
from turnwise.conversations.errors import CaseError
from turnwise.engine import assert_test, evaluate, log_hyperparameters
from turnwise.engine.metrics import (
    AnswerRelevancyMetric,
    ConversationalGEval,
    HallucinationMetric,
    RoleAdherenceMetric,
)


@pytest.fixture
def judge(judge_server_apart: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    """Be the judge that the environment names, and be content with everything."""
    judge_server_apart.default = answers_all
    monkeypatch.setenv("OPENAI_BASE_URL", judge_server_apart.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-local")
    return judge_server_apart


class Chatbot:
    """The application under test."""

    def run(self, question: str) -> str:
        return f"About {question.lower().rstrip('?')}: ask the ferryman."


chatbot = Chatbot()
QUESTION = "When does the ferry leave?"


class TestSingleTurnCases:
    def test_two_parameters_are_enough(self):
        case = LLMTestCase(input=QUESTION, actual_output=chatbot.run(QUESTION))
        assert case.expected_output is None

    def test_seven_parameters_with_tools_by_name(self):
        case = LLMTestCase(
            input="What if the boots leak?",
            expected_output="You may return them within 30 days.",
            actual_output="Leaking boots can be returned for 30 days.",
            context=["Every boot can be returned within 30 days."],
            retrieval_context=["Only boots can be returned."],
            tools_called=["Search"],
            expected_tools=["Search", "Orders"],
        )
        assert [tool.name for tool in case.expected_tools] == ["Search", "Orders"]

    def test_nine_parameters_with_tools_in_full(self):
        case = LLMTestCase(
            input="What if the boots leak?",
            actual_output="They can be returned.",
            expected_output="You may return them.",
            context=["Boots can be returned."],
            retrieval_context=["Only boots."],
            tools_called=[
                ToolCall(
                    name="Calculator",
                    description="Adds and multiplies.",
                    input={"formula": "2+3"},
                    output=5,
                ),
                ToolCall(name="Search", reasoning="The shop's rules say nothing.", input={"query": "boots"}),
            ],
            expected_tools=[ToolCall(name="Search", input_parameters={"query": "boots"}, output="30 days")],
            token_cost=1.32,
            completion_time=7.53,
        )
        assert case.tools_called[0].input_parameters == {"formula": "2+3"}
        assert (case.token_cost, case.completion_time) == (1.32, 7.53)

    def test_names_and_tags_label_a_case(self):
        case = LLMTestCase(input="i", actual_output="o", name="ticket-17", tags=["boots", "returns"])
        assert (case.name, case.tags) == ("ticket-17", ["boots", "returns"])


class TestConversations:
    def test_turns_are_exchanges_and_the_last_is_judged_by_a_last_turn_metric(self, judge):
        turns = [
            LLMTestCase(input="Hello", actual_output="Welcome to the harbour."),
            LLMTestCase(input=QUESTION, actual_output="At nine."),
        ]
        case = ConversationalTestCase(chatbot_role="A harbour master", turns=turns)
        metric = AnswerRelevancyMetric()
        assert metric.measure(case) == 1
        assert metric.outcome.exchange == 2

    def test_turns_may_be_single_messages(self):
        case = ConversationalTestCase(
            turns=[Turn(role="user", content="Hello"), Turn(role="assistant", content="Ahoy.")]
        )
        assert case.exchanges[0].actual_output == "Ahoy."

    def test_a_role_is_judged(self, judge):
        case = ConversationalTestCase(
            chatbot_role="A harbour master",
            turns=[LLMTestCase(input=QUESTION, actual_output="At nine.")],
        )
        assert_test(case, [RoleAdherenceMetric()])

    def test_a_conversational_metric_takes_no_single_exchange(self):
        with pytest.raises(CaseError, match="judges whole conversations"):
            RoleAdherenceMetric().measure(LLMTestCase(input="i", actual_output="o"))


class TestConversationalGEval:
    def test_a_criterion_of_ones_own_with_steps(self, judge):
        metric = ConversationalGEval(
            name="Courtesy",
            evaluation_steps=[
                "See whether each 'actual output' is courteous towards the user.",
                "Courteous means a greeting, a please, a thank you.",
            ],
            evaluation_params=[LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT],
            threshold=0.5,
            strict_mode=False,
            async_mode=True,
            verbose_mode=False,
        )
        case = ConversationalTestCase(turns=[LLMTestCase(input="Hello", actual_output="Good day to you!")])
        metric.measure(case)
        assert 0 <= metric.score <= 1
        assert metric.reason
        assert metric.is_successful() is (metric.score >= 0.5)

    def test_a_criterion_of_ones_own_in_plain_words(self, judge):
        metric = ConversationalGEval(
            name="Courtesy",
            criteria="Decide whether the chatbot stayed courteous all through the conversation.",
            evaluation_params=[LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT],
        )
        metric.measure(ConversationalTestCase(turns=[LLMTestCase(input="Hello", actual_output="Good day!")]))
        assert metric.score is not None

    async def test_it_is_measured_where_a_loop_runs(self, judge):
        metric = ConversationalGEval(name="Courtesy", evaluation_steps=["Is it courteous?"])
        case = ConversationalTestCase(turns=[LLMTestCase(input="Hello", actual_output="Good day!")])
        assert await metric.a_measure(case) == metric.measure(case)


class TestImages:
    def test_a_case_holds_texts_and_images(self):
        case = MLLMTestCase(
            input=["Paint the boat blue.", MLLMImage(url="./boat.png", local=True)],
            actual_output=["Here it is.", MLLMImage(url="https://boats.example/blue", local=False)],
        )
        assert [item.local for item in (case.input[1], case.actual_output[1])] == [True, False]

    def test_an_image_knows_whether_it_is_local(self):
        assert MLLMImage(image_path="path/to/boat.jpg").local
        assert not MLLMImage(url="https://boats.example/boat.jpg").local


class TestAsserting:
    def test_a_case_is_asserted_by_metrics(self, judge):
        case = LLMTestCase(
            input=QUESTION, actual_output=chatbot.run(QUESTION), context=["The ferry leaves at nine."]
        )
        metric = HallucinationMetric(threshold=0.7)
        assert_test(case, metrics=[metric])
        assert_test(case, [metric], run_async=False)

    def test_hyperparameters_are_logged_by_a_decorator(self):
        @log_hyperparameters(model="gpt-4.1", prompt_template="Answer {question}")
        def hyperparameters():
            return {"temperature": 1, "chunk size": 500}

        assert hyperparameters() == {"temperature": 1, "chunk size": 500}


class TestEvaluating:
    def test_cases_are_evaluated_in_bulk(self, judge):
        case = LLMTestCase(
            input=QUESTION, actual_output=chatbot.run(QUESTION), context=["The ferry leaves at nine."]
        )
        assert evaluate([case], [HallucinationMetric(threshold=0.7)]).success

    def test_every_documented_keyword_is_taken(self, judge):
        done = evaluate(
            test_cases=[LLMTestCase(input=QUESTION, actual_output="At nine.")],
            metrics=[AnswerRelevancyMetric()],
            hyperparameters={"model": "m", "prompt template": "..."},
            identifier="first try",
            run_async=True,
            throttle_value=0,
            max_concurrent=100,
            skip_on_missing_params=False,
            ignore_errors=False,
            verbose_mode=None,
            write_cache=True,
            use_cache=False,
            show_indicator=True,
            print_results=True,
        )
        assert done.success
        assert (done.identifier, done.hyperparameters["model"]) == ("first try", "m")

    def test_kinds_of_cases_are_not_mixed(self):
        single = LLMTestCase(input="i", actual_output="o")
        with pytest.raises(CaseError, match="cannot be judged in one run"):
            evaluate([single, ConversationalTestCase(turns=[single])], [AnswerRelevancyMetric()])


def test_importing_a_turn_loads_neither_openai_nor_textual():
    code = (
        "import sys; from turnwise.conversations import Turn; print({'openai', 'textual'} & set(sys.modules))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
