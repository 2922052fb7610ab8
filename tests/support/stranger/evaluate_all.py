"""The team's script for all of it, outside pytest."""

from chatbot import TeamModel, answer
from deepeval import evaluate
from deepeval.dataset import EvaluationDataset
from deepeval.evaluate import AsyncConfig, DisplayConfig
from deepeval.metrics import AnswerRelevancyMetric
from deepeval.test_case import LLMTestCase
from own_metrics import LengthMetric

dataset = EvaluationDataset()
dataset.add_goldens_from_csv_file(file_path="goldens.csv", input_col_name="question")
for golden in dataset.goldens:
    dataset.add_test_case(LLMTestCase(input=golden.input, actual_output=answer(golden.input)))

result = evaluate(
    test_cases=dataset.test_cases,
    metrics=[AnswerRelevancyMetric(threshold=0.5, model=TeamModel()), LengthMetric()],
    hyperparameters={"model": "team-7b", "temperature": 1},
    async_config=AsyncConfig(max_concurrent=2),
    display_config=DisplayConfig(show_indicator=False),
)
for test_result in result.test_results:
    for data in test_result.metrics_data:
        print("found", data.name, data.success, data.score)
dataset.save_as(file_type="json", directory="saved", file_name="goldens", include_test_cases=True)
