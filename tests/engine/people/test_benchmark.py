"""The benchmark: ratings found in a case, metrics compared with them, files of people's ratings measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shared_data import SHARED

from turnwise.conversations import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import FormatError
from turnwise.conversations.findings import Label
from turnwise.conversations.results import Failure, Score
from turnwise.engine.metrics import KnowledgePrecisionMetric
from turnwise.engine.people.benchmark import (
    Benchmark,
    Rated,
    load_rated,
    metrics_for,
    rated,
    score_rated,
    spread,
)

_FIXTURES = SHARED / "fixtures"


def case_with(**metadata) -> ConversationalTestCase:
    turns = [LLMTestCase(input="i", actual_output="o")]
    return ConversationalTestCase(turns=turns, metadata=metadata)


def score(value: float, metric: str = "knowledge_precision") -> Score:
    return Score(metric=metric, score=value, threshold=0.5, reason="r")


def test_people_are_averaged_and_programs_stand_beside_them():
    one = rated(case_with(ratings={"faithfulness": {"ann": 4, "ben": 3}}, scores={"RougeL": 0.5}, reward=1))
    assert one.ratings == {"faithfulness": 3.5, "reward": 1.0}
    assert one.scores == {"RougeL": 0.5}


def test_labels_are_ratings_too_and_the_newest_of_an_author_stands():
    labels = [
        Label(word="fail", author="ann"),
        Label(word="pass", author="ann"),
        Label(word="fail", author="ben"),
        Label(word="pass", author="ann", metric="tone", value=0.75),
        Label(word="defer", author="ben", metric="tone"),
    ]
    assert rated(case_with(), labels).ratings == {"label": 0.5, "tone": 0.75}
    finer = rated(case_with(ratings={"tone": {"ann": 4}}), labels)
    assert finer.ratings["tone"] == 4


def test_what_is_no_number_is_no_rating():
    assert rated(case_with(ratings={"a": {"ann": "good"}, "b": 3}, reward=True)).ratings == {}


def test_metrics_are_chosen_by_the_ratings_there_are():
    assert metrics_for([Rated(case_with(), {"faithfulness": 1})]) == {
        "knowledge_precision": ["faithfulness"],
        "faithfulness": ["faithfulness"],
    }
    assert metrics_for([Rated(case_with(), {"naturalness": 1})]) == {}


def test_a_sample_is_spread_over_the_file():
    cases = [Rated(case_with(), {"a": float(place)}) for place in range(10)]
    assert [one.ratings["a"] for one in spread(cases, 3)] == [0, 3, 6]
    assert len(spread(cases, 99)) == 10


def benchmark(ratings: list[float], **scores: list[float]) -> Benchmark:
    found = Benchmark([Rated(case_with(), {"r": value}, {"theirs": -value}) for value in ratings], {})
    for metric, values in scores.items():
        for place, value in enumerate(values):
            found.add(place, score(value, metric))
    return found


def test_a_rating_of_many_values_is_compared_by_rank():
    ours, theirs = benchmark([1, 2, 3, 4, 5, 6], m=[0.1, 0.2, 0.3, 0.5, 0.6, 0.9]).agreements({"m": "judge"})
    assert (ours.scorer, ours.judge, ours.statistic, ours.pairs) == ("m", "judge", "spearman", 6)
    assert ours.value == pytest.approx(1)
    assert (theirs.scorer, theirs.judge) == ("theirs", "file")
    assert theirs.value == pytest.approx(-1)


def test_a_rating_of_two_values_is_compared_by_the_area_under_the_curve():
    ours, _ = benchmark([0, 0, 0, 1, 1, 1], m=[0.1, 0.2, 0.6, 0.5, 0.7, 0.9]).agreements({})
    assert (ours.statistic, ours.value) == ("auc", pytest.approx(8 / 9))


def test_a_check_and_a_judged_metric_are_also_taken_together():
    found = benchmark([1, 2, 3, 4, 5], c=[0, 0, 0, 1, 1], j=[0, 0.5, 1, 0.5, 1]).agreements({"j": "m"})
    joined = next(one for one in found if one.scorer == "c + j")
    assert joined.value > max(one.value for one in found if one.scorer in ("c", "j"))


def test_what_could_not_be_judged_is_left_out_and_counted():
    found = benchmark([1, 2, 3, 4, 5, 6], m=[0.1, 0.2, 0.3, 0.5, 0.6])
    found.add(5, Failure(metric="m", reason="away", kind="unavailable"))
    assert found.failures() == 1
    assert found.agreements({})[0].pairs == 5


def test_too_few_cases_tell_nothing():
    ours, _ = benchmark([1, 2, 3], m=[0.1, 0.2, 0.3]).agreements({})
    assert ours.data()["value"] is None


def test_a_file_without_ratings_is_told_so(tmp_path: Path):
    path = tmp_path / "plain.jsonl"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "a"}]}) + "\n")
    with pytest.raises(FormatError, match="holds no ratings"):
        load_rated(path)


@pytest.mark.fixtures
@pytest.mark.skipif(not _FIXTURES.is_dir(), reason="needs the fixtures beside the repository")
async def test_the_check_of_faithfulness_agrees_with_people_as_well_as_asked():
    cases = load_rated(_FIXTURES / "mt-rag" / "human-evaluations.json")
    found = Benchmark(cases, metrics_for(cases))
    async for place, outcome in score_rated(cases, [KnowledgePrecisionMetric()], None, secret="s"):
        found.add(place, outcome)
    best = next(one for one in found.agreements({}) if one.rating == "faithfulness")
    assert (best.scorer, best.pairs) == ("knowledge_precision", 234)
    assert best.value >= 0.63
