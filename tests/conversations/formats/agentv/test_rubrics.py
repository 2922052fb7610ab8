"""Criteria of rubrics: every way to write them becomes one shape, and what cannot be judged by is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv import load_agentv


def criteria(folder: Path, *written: Any, **options: Any) -> list[dict[str, Any]]:
    path = folder / "e.json"
    case = {"id": "a", "expected_outcome": "o", "input": "x", "rubrics": list(written)}
    path.write_text(json.dumps({"evalcases": [case]}))
    (check,) = load_agentv(path, **options).cases[0].checks
    assert (check.type, check.metric) == ("llm_judge", "rubric")
    found: list[dict[str, Any]] = check.config["rubrics"]
    return found


def test_a_text_is_a_criterion_that_is_required(tmp_path: Path) -> None:
    assert criteria(tmp_path, "Is kind", "Is brief") == [
        {"id": "rubric-1", "outcome": "Is kind", "weight": 1.0, "required": True},
        {"id": "rubric-2", "outcome": "Is brief", "weight": 1.0, "required": True},
    ]


@pytest.mark.parametrize("name", ["expected_outcome", "outcome", "criteria", "description"])
def test_an_object_is_required_unless_it_says_otherwise(tmp_path: Path, name: str) -> None:
    first, second = criteria(
        tmp_path, {"id": "k", name: "Is kind", "weight": 2}, {name: "x", "required": False}
    )
    assert first == {"id": "k", "outcome": "Is kind", "weight": 2, "required": True}
    assert second["required"] is False


def test_the_start_of_each_range_is_enough(tmp_path: Path) -> None:
    (found,) = criteria(tmp_path, {"score_ranges": {"0": "poor", "6": "good", "10": "best"}})
    assert found["score_ranges"] == [
        {"score_range": [0, 5], "outcome": "poor"},
        {"score_range": [6, 9], "outcome": "good"},
        {"score_range": [10, 10], "outcome": "best"},
    ]
    assert "required" not in found


def test_the_least_score_counts_of_ten(tmp_path: Path) -> None:
    first, second = criteria(
        tmp_path, {"outcome": "o", "required_min_score": 7}, {"outcome": "o", "min_score": 0.65}
    )
    assert first["required_min_score"] == 7
    assert (second["min_score"], second["required_min_score"]) == (0.65, 7)


def whole(*ranges: tuple[int, int]) -> dict[str, Any]:
    return {"score_ranges": [{"score_range": list(one), "expected_outcome": "o"} for one in ranges]}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (whole((0, 5), (5, 10)), r"overlaps with \[0, 5\]"),
        (whole((0, 4), (6, 10)), "no range holds the score 5"),
        (whole((0, 11)), "whole numbers from 0 to 10"),
        (whole((10, 0)), "lower number first"),
        ({"score_ranges": [{"score_range": [0, 10]}]}, "stands for"),
        ({"score_ranges": {"1": "x"}}, "begin at 0"),
        ({"score_ranges": {"low": "x"}}, "what each score"),
        ({"score_ranges": 3}, "what each score"),
        ({"outcome": "o", "required_min_score": 11}, "required_min_score"),
        ({"outcome": "o", "min_score": 0}, "min_score"),
        ({"outcome": "o", "weight": -1}, "weight"),
        ({"outcome": "o", "weight": "1"}, "weight"),
        ({"id": "empty"}, "expected_outcome"),
        (7, "expected text or an object"),
    ],
)
def test_what_cannot_be_judged_by_is_an_error(tmp_path: Path, written: Any, said: str) -> None:
    with pytest.raises(FormatError, match=rf"case a, rubrics\[1\].*{said}"):
        criteria(tmp_path, "Is kind", written)


@given(cuts=st.sets(st.integers(1, 10)))
def test_ranges_that_cover_all_scores_once_are_kept(
    tmp_path_factory: pytest.TempPathFactory, cuts: set[int]
) -> None:
    starts = [0, *sorted(cuts)]
    ends = [start - 1 for start in starts[1:]] + [10]
    pairs = list(zip(starts, ends, strict=True))
    folder = tmp_path_factory.getbasetemp()
    by_list = criteria(folder, whole(*pairs))[0]["score_ranges"]
    by_start = criteria(folder, {"score_ranges": {str(start): "o" for start in starts}})[0]["score_ranges"]
    assert by_list == by_start == [{"score_range": list(pair), "outcome": "o"} for pair in pairs]


def test_agentv_drops_what_it_cannot_read(tmp_path: Path) -> None:
    found = criteria(tmp_path, "Is kind", 7, {"id": "empty"}, "Is brief", compat=True)
    assert [item["id"] for item in found] == ["rubric-1", "rubric-3"]
