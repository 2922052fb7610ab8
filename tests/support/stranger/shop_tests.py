"""The team's tests, as deepeval's documentation writes them."""

import deepeval
import pytest
from chatbot import TeamModel, answer
from deepeval import assert_test
from deepeval.dataset import EvaluationDataset, Golden
from deepeval.metrics import AnswerRelevancyMetric, ConversationalGEval, GEval
from deepeval.test_case import ConversationalTestCase, LLMTestCase, LLMTestCaseParams, Turn, TurnParams
from own_metrics import BalanceMetric, FaithfulRelevancyMetric, LengthMetric

dataset = EvaluationDataset(
    goldens=[Golden(input="Can I return these boots?"), Golden(input="Do you sell kites?")]
)
dataset.add_goldens_from_json_file(file_path="goldens.json")

for golden in dataset.goldens:
    dataset.add_test_case(
        LLMTestCase(
            input=golden.input,
            actual_output=answer(golden.input),
            expected_output=golden.expected_output,
            retrieval_context=["Boots can be returned within 30 days."],
        )
    )


@pytest.mark.parametrize("test_case", dataset.test_cases)
def test_replies(test_case: LLMTestCase):
    correctness = GEval(
        name="Correctness",
        criteria="Determine whether the actual output is correct for the input.",
        evaluation_params=[LLMTestCaseParams.INPUT, LLMTestCaseParams.ACTUAL_OUTPUT],
        model=TeamModel(),
        threshold=0.7,
    )
    relevancy = AnswerRelevancyMetric(0.7, TeamModel())
    assert_test(
        test_case, [correctness, relevancy, LengthMetric(), FaithfulRelevancyMetric(model=TeamModel())]
    )


@pytest.mark.parametrize("golden", dataset.goldens)
def test_every_golden_asks_something(golden: Golden):
    assert golden.input.endswith("?")


def test_conversation():
    conversation = ConversationalTestCase(
        turns=[
            Turn(role="user", content="Can I return these boots?"),
            Turn(role="assistant", content=answer("boots")),
        ],
    )
    professionalism = ConversationalGEval(
        name="Professionalism",
        evaluation_params=[TurnParams.ROLE, TurnParams.CONTENT],
        criteria="Determine whether the assistant has acted professionally based on the content.",
        model=TeamModel(),
    )
    assert_test(conversation, [professionalism, BalanceMetric()])


@deepeval.log_hyperparameters(model="team-7b", prompt_template="Answer {question}")
def hyperparameters():
    return {"temperature": 1, "chunk size": 500}
