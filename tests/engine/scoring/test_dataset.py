"""Data sets: goldens and test cases, read, saved, gone through and judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from stored import said

from turnwise.conversations import ConversationalTestCase, LLMTestCase, RetrievedContext, ToolCall, Turn
from turnwise.conversations.errors import CaseError, FormatError, NotFoundError, SettingError
from turnwise.conversations.goldens import ConversationalGolden, Golden
from turnwise.engine import evaluate
from turnwise.engine.metrics import ContainsMetric
from turnwise.engine.scoring.dataset import EvaluationDataset

FULL = Golden(
    input="Where is my bag?",
    actual_output="In Oslo | or Bergen.",
    expected_output="In Oslo.",
    context=["Bags go to Oslo.", "One | two"],
    retrieval_context=["Oslo", RetrievedContext(context="Bergen", source="list")],
    tools_called=[ToolCall(name="find", input_parameters={"bag": 1})],
    expected_tools=[ToolCall(name="find")],
    name="bag",
    tags=["bags"],
    comments="first",
    metadata={"level": 2},
    source_file="bags.md",
)
TALK = ConversationalGolden(
    scenario="A lost bag",
    expected_outcome="It is found.",
    user_description="In a hurry",
    turns=[Turn(role="user", content="Where?"), Turn(role="assistant", content="In Oslo.")],
    context=["Bags go to Oslo."],
)
BARE = ConversationalGolden(scenario="A late ferry")


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv"])
@pytest.mark.parametrize(
    "goldens", [[FULL, Golden(input="And mine?")], [TALK, BARE]], ids=["single", "talks"]
)
def test_what_is_saved_is_read_again_as_it_was(tmp_path: Path, kind, goldens):
    path = EvaluationDataset(goldens).save_as(kind, tmp_path / "new", "kept")
    assert Path(path).name == f"kept.{kind}"
    again = EvaluationDataset()
    getattr(again, f"add_goldens_from_{kind}_file")(path)
    assert again.goldens == goldens


def test_test_cases_may_be_saved_as_goldens(tmp_path: Path):
    dataset = EvaluationDataset(test_cases=[LLMTestCase(input="a", actual_output="b")])
    path = dataset.save_as("json", tmp_path, include_test_cases=True)
    assert json.loads(Path(path).read_text())[0]["actual_output"] == "b"
    with pytest.raises(CaseError, match="no golden to save"):
        dataset.save_as("json", tmp_path)
    with pytest.raises(SettingError, match="file_type is json, csv, jsonl"):
        dataset.save_as("yaml", tmp_path)


class TestReading:
    def test_columns_and_marks_may_be_named(self, tmp_path: Path):
        path = tmp_path / "asked.csv"
        path.write_text("question,facts\nWhere?,one;two\n")
        dataset = EvaluationDataset()
        dataset.add_goldens_from_csv_file(
            file_path=str(path),
            input_col_name="question",
            context_col_name="facts",
            context_col_delimiter=";",
        )
        assert dataset.goldens == [Golden(input="Where?", context=["one", "two"])]

    def test_test_cases_are_read_as_well(self, tmp_path: Path):
        path = tmp_path / "cases.json"
        path.write_text(json.dumps([{"query": "a", "response": "b"}]))
        dataset = EvaluationDataset()
        dataset.add_test_cases_from_json_file(path, input_key_name="query", actual_output_key_name="response")
        assert dataset.test_cases == [LLMTestCase(input="a", actual_output="b")]

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('[{"input": 5}]', "goldens.json, record 1: input: expected a string; got 5"),
            ("[5]", "goldens.json, record 1: expected an object; got 5"),
            ("[{", "goldens.json, the whole file: expected JSON"),
            ('{"goldens": 5}', "expected a list of objects"),
        ],
    )
    def test_a_record_that_cannot_be_read_is_told_and_nothing_is_added(self, tmp_path: Path, text, told):
        path = tmp_path / "goldens.json"
        path.write_text(text)
        dataset = EvaluationDataset()
        with pytest.raises(FormatError) as caught:
            dataset.add_goldens_from_json_file(path)
        assert told in caught.value.detail
        assert len(dataset) == 0

    def test_a_file_that_is_not_there_and_an_argument_of_no_meaning_are_told(self, tmp_path: Path):
        with pytest.raises(NotFoundError):
            EvaluationDataset().add_goldens_from_json_file(tmp_path / "away.json")
        with pytest.raises(SettingError, match="There is no argument colour"):
            EvaluationDataset().add_goldens_from_json_file(tmp_path / "away.json", colour="red")


class TestKinds:
    def test_both_kinds_do_not_go_together(self):
        dataset = EvaluationDataset([FULL])
        with pytest.raises(CaseError, match="single exchanges or conversations"):
            dataset.add_golden(TALK)
        with pytest.raises(CaseError, match="single exchanges or conversations"):
            dataset.add_test_case(said("a", "b"))

    def test_what_is_neither_is_told(self):
        with pytest.raises(CaseError, match="A golden is a Golden"):
            EvaluationDataset(["a"])
        with pytest.raises(CaseError, match="A test case is an LLMTestCase"):
            EvaluationDataset().add_test_case(FULL)


class TestJudging:
    METRICS = (ContainsMetric(text="Oslo"),)

    def test_it_is_gone_through_by_its_goldens_then_by_its_cases(self):
        dataset = EvaluationDataset([FULL])
        assert list(dataset) == [FULL]
        dataset.add_test_case(FULL.case("In Oslo."))
        assert [case.actual_output for case in dataset] == ["In Oslo."]

    def test_its_cases_are_judged(self):
        dataset = EvaluationDataset(test_cases=[LLMTestCase(input="a", actual_output="Oslo")])
        assert evaluate(dataset, list(self.METRICS)).success
        assert dataset.evaluate(list(self.METRICS), print_results=False).success
        assert dataset.result is not None

    def test_goldens_with_answers_are_cases_too(self):
        assert evaluate(EvaluationDataset([FULL]), list(self.METRICS)).results[0].name == "bag"

    def test_goldens_without_are_told_what_to_do(self):
        with pytest.raises(CaseError, match="holds no test case") as caught:
            evaluate(EvaluationDataset([Golden(input="a")]), list(self.METRICS))
        assert "add_test_case" in caught.value.next_step

    def test_what_is_added_while_it_is_gone_through_is_judged_at_its_end(self):
        dataset = EvaluationDataset([Golden(input="a"), Golden(input="b")])
        for golden in dataset.evals_iterator(metrics=list(self.METRICS), identifier="loop"):
            assert dataset.result is None
            dataset.add_test_case(golden.case(f"{golden.input} is in Oslo"))
        assert dataset.result.success
        assert (len(dataset.result.results), dataset.result.identifier) == (2, "loop")

    def test_conversations_are_judged_too(self):
        case = ConversationalTestCase(turns=TALK.turns)
        assert evaluate(EvaluationDataset(test_cases=[case]), list(self.METRICS)).success
        assert TALK.case().scenario == "A lost bag"
