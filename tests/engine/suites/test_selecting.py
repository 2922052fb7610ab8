"""Selecting: filters in their order, places that count tests, samples drawn again, repetitions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations import patterns
from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Suite, SuiteCase, TargetSpec
from turnwise.engine.suites.selecting import (
    Filters,
    for_target,
    pattern_of,
    range_of,
    repeated,
    selected,
)


def suite_of(*cases: SuiteCase) -> Suite:
    return Suite(format="promptfoo", source=Path("suite.yaml"), cases=cases)


def numbered(index: int, description: str = "", **metadata: Any) -> SuiteCase:
    return SuiteCase(index=index, description=description, metadata=metadata, prompt=f"p{index}")


MANY = suite_of(
    *(numbered(index, f"case {index}", kind="even" if index % 2 == 0 else "odd") for index in range(10))
)


def left(suite: Suite, **filters: Any) -> list[int]:
    return [case.index for case in selected(suite, Filters(**filters)).cases]


@pytest.mark.parametrize(
    ("filters", "kept"),
    [
        ([("kind", "math")], [0, 1]),
        ([("kind", "Math")], []),
        ([("tags", "ai")], [0, 2]),
        ([("n", "1")], [0]),
        ([("kind", "math"), ("tags", "ai")], [0]),
        ([("absent", "")], []),
    ],
)
def test_cases_are_chosen_by_text_in_their_metadata(filters: Any, kept: list[int]) -> None:
    suite = suite_of(
        numbered(0, kind="math", tags=["ai", "x"], n=10),
        numbered(1, kind="mathematics", tags=["y"]),
        numbered(2, tags="ai"),
    )
    assert left(suite, metadata=filters) == kept


@pytest.mark.parametrize(
    ("text", "kept"), [("2:4", [2, 3]), (":2", [0, 1]), ("8:", [8, 9]), ("8:99", [8, 9]), ("3:3", [])]
)
def test_a_range_leaves_out_its_end(text: str, kept: list[int]) -> None:
    assert left(MANY, between=range_of(text)) == kept


@pytest.mark.parametrize("text", ["", "3", "a:b", "4:2", "-1:3", "1:2:3"])
def test_what_is_no_range_is_an_error(text: str) -> None:
    with pytest.raises(SettingError, match="START:END"):
        range_of(text)


def test_a_pattern_searches_descriptions_alone() -> None:
    assert left(MANY, pattern=pattern_of("e [23]$")) == [2, 3]
    assert left(MANY, pattern=pattern_of("even")) == []
    with pytest.raises(SettingError, match="no regular expression"):
        pattern_of("(")


def test_filters_apply_in_their_order() -> None:
    chosen = {2, 4, 5, 6, 8}
    assert left(
        MANY,
        metadata=[("kind", "even")],
        chosen=lambda case: case.index in chosen,
        between=(1, 4),
        first=2,
    ) == [4, 6]


def test_a_sample_is_drawn_again_with_its_seed_and_stays_in_order() -> None:
    drawn = left(MANY, sample=4, seed=7)
    assert drawn == left(MANY, sample=4, seed=7) == sorted(drawn)
    assert len(set(drawn)) == 4
    assert any(left(MANY, sample=4, seed=seed) != drawn for seed in range(20))
    assert left(MANY, sample=99) == list(range(10))


def test_a_place_holds_all_prompts_and_targets_of_a_test() -> None:
    suite = suite_of(numbered(0), numbered(0), numbered(1), numbered(1))
    assert left(suite, first=1) == [0, 0]


def test_a_repeated_case_follows_itself_under_a_number_of_its_own() -> None:
    suite = repeated(suite_of(numbered(0, "a"), numbered(1, "b")), 3)
    assert [(case.index, case.description, case.repeat) for case in suite.cases] == [
        (0, "a", 0),
        (1, "a", 1),
        (2, "a", 2),
        (3, "b", 0),
        (4, "b", 1),
        (5, "b", 2),
    ]
    assert repeated(MANY, 1) is MANY


def test_a_target_that_was_named_answers_each_prompt_once() -> None:
    suite = for_target(suite_of(numbered(0), numbered(0), numbered(1)), TargetSpec(id="mine"))
    assert [(case.index, case.target) for case in suite.cases] == [
        (0, TargetSpec(id="mine")),
        (1, TargetSpec(id="mine")),
    ]


def test_a_target_that_was_named_answers_equal_prompts_each() -> None:
    columns = [{"raw": "p", "label": "p", "number": number} for number in (0, 1, 0, 1)]
    cases = tuple(replace(numbered(0), prompt_index=index) for index in range(4))
    suite = replace(suite_of(*cases), settings={"prompts": columns})
    assert [case.prompt_index for case in for_target(suite, TargetSpec(id="mine")).cases] == [0, 1]


def test_a_target_of_the_file_keeps_its_settings_where_it_is_named() -> None:
    own = TargetSpec(id="echo", config={"transform": "output.trim()"})
    suite = replace(suite_of(numbered(0)), targets=(TargetSpec(id="other"), own))
    assert for_target(suite, TargetSpec(id="echo")).cases[0].target == own


def test_a_pattern_that_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    with pytest.raises(SettingError, match="The pattern takes longer"):
        left(suite_of(numbered(0, "a" * 60 + "b")), pattern=pattern_of("^(a|aa)+$"))
