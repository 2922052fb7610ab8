"""How checks make the score of a case, and what a case is when a check cannot be carried out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.suites import Check
from turnwise.engine import packages
from turnwise.engine.checks.registry import STRICT
from turnwise.engine.suites import Answer, CaseOutcome, grade_case, grade_check
from turnwise.engine.suites.rules import AS_PROMPTFOO

ANSWER = Answer(output="yes")


def has(text: str, **rest: Any) -> Check:
    return Check(type="contains", value=text, **rest)


def group(*checks: Check, **rest: Any) -> Check:
    return Check(type="assert-set", children=checks, **rest)


def graded(*checks: Check, threshold: float | None = None) -> CaseOutcome:
    return grade_case(checks, threshold, ANSWER)


def test_a_case_without_checks_passes() -> None:
    assert graded().word == "pass"
    assert graded().score == 1


def test_without_a_threshold_every_check_must_pass_and_the_last_that_failed_says_why() -> None:
    result = graded(has("yes"), has("aaa"), has("bbb"))
    assert result.word == "fail"
    assert result.score == pytest.approx(1 / 3)
    assert "bbb" in result.reason


def test_a_threshold_overrules_single_checks_even_at_zero() -> None:
    assert graded(has("yes"), has("no"), threshold=0.5).word == "pass"
    assert graded(has("yes"), has("no"), threshold=0.51).word == "fail"
    assert graded(has("no"), threshold=0).word == "pass"
    assert graded(has("yes"), has("no"), threshold=float("nan")).word == "fail"


def test_weights_count_and_no_weight_never_fails() -> None:
    assert graded(has("yes", weight=3), has("no"), threshold=0.75).word == "pass"
    assert graded(has("yes"), has("no", weight=0)).word == "pass"
    alone = graded(has("no", weight=0))
    assert (alone.word, alone.score) == ("pass", 0)
    assert graded(has("yes"), has("no", weight=-1)).score == 0


def test_a_set_joins_as_one_and_its_members_are_listed_after_it() -> None:
    result = graded(group(has("yes"), has("no"), threshold=0.5, weight=2), has("yes"))
    assert result.word == "pass"
    assert result.score == pytest.approx(2 / 3)
    assert [check.type for check in result.checks] == ["assert-set", "contains", "contains", "contains"]


def test_a_set_of_no_weight_may_still_fail() -> None:
    assert graded(has("yes"), group(has("no"), weight=0)).word == "fail"


def test_metrics_are_weighted_means_by_name() -> None:
    result = graded(
        has("yes", metric="m", weight=3), has("no", metric="m"), group(has("yes", metric="n"), metric="g")
    )
    assert result.named_scores == {"m": 0.75, "g": 1, "n": 1}
    assert result.named_weights == {"m": 4, "g": 1, "n": 1}


def test_an_unknown_check_is_a_failure_that_names_the_nearest() -> None:
    result = graded(has("yes"), Check(type="contians", value="x"))
    assert result.word == "failure"
    assert result.score == 0
    assert "contains" in result.checks[1].next_step


def test_a_failure_outweighs_a_fail_and_hides_in_no_set() -> None:
    assert graded(has("no"), group(Check(type="contains"))).word == "failure"
    assert graded(Check(type="contains", weight=0)).word == "failure"


def test_what_needs_a_judge_or_trust_is_skipped_and_says_so() -> None:
    judged = graded(has("yes"), Check(type="llm-rubric", value="polite"))
    assert judged.word == "skipped"
    assert "judge" in judged.reason
    python = graded(Check(type="python", value="__import__('os').abort()"), threshold=0)
    assert python.word == "skipped"
    assert "javascript" in python.checks[0].next_step


def test_a_check_that_failed_decides_whatever_was_skipped() -> None:
    assert graded(has("no"), Check(type="llm-rubric")).word == "fail"
    assert graded(has("no"), Check(type="llm-rubric"), threshold=0.2).word == "skipped"


def test_a_package_that_is_missing_skips_the_check_and_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def absent(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(packages, "import_module", absent)
    result = grade_check(Check(type="levenshtein", value="x"), ANSWER)
    assert result.word == "skipped"
    assert "turnwise[checks]" in result.next_step


def test_every_type_has_a_function_or_a_reason() -> None:
    for kind in STRICT.names():
        has_function = bool(STRICT.types[kind].function)
        assert kind == "assert-set" or has_function or STRICT.lacks(kind)
        assert not has_function or callable(STRICT.function(kind))


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=4)
            | st.sampled_from(
                ["min", "max", "allowedTables", "allowedColumns", "requiredElements", "tool_calls", "type"]
            )
            | st.sampled_from(
                ["function", "name", "pattern", "$ref", "properties", "required", "format", "items"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


_OUTPUTS = st.sampled_from(
    [
        "SELECT a FROM t",
        '{"name": "a", "x": [1]}',
        "<a><b>1</b></a>",
        "<p>x</p>",
        {"name": "a", "arguments": '{"x": 1}'},
        {"tool_calls": [{"function": {"name": "a", "arguments": {"x": "y"}}}]},
    ]
)


@pytest.mark.parametrize("kind", [kind for kind in STRICT.names() if kind != "javascript"])
@given(value=_VALUES, output=_VALUES | _OUTPUTS, threshold=st.none() | st.floats())
def test_whatever_a_file_or_a_target_says_nothing_is_raised(
    kind: str, value: Any, output: Any, threshold: float | None
) -> None:
    tools = ({"function": {"name": "a", "parameters": value}},)
    answer = Answer(output=output, tools=tools, latency=1.0, cost=0.0, log_probabilities=(-0.5,))
    result = grade_check(Check(type=kind, value=value, threshold=threshold), answer)
    assert not (result.passed and (result.word == "failure" or result.word == "skipped"))


_CHECKS = st.builds(
    lambda text, weight: has(text, weight=weight), st.sampled_from(["yes", "no"]), st.floats(0, 10)
)


@given(st.lists(_CHECKS), st.none() | st.floats(0, 1))
def test_a_score_lies_between_0_and_1(checks: list[Check], threshold: float | None) -> None:
    result = graded(*checks, threshold=threshold)
    assert 0 <= result.score <= 1
    assert result.word in ("pass", "fail")


def test_an_empty_set_scores_nothing_and_fails_nothing() -> None:
    alone = graded(group())
    assert (alone.word, alone.score) == ("pass", 0)
    assert graded(group(), has("yes")).score == 0.5
    assert graded(group(threshold=0.5)).word == "fail"


def test_there_is_no_negated_set() -> None:
    assert graded(group(has("yes"), negate=True)).word == "failure"


def test_only_promptfoo_takes_a_fail_without_a_reason_for_a_pass() -> None:
    silent = Check(type="javascript", value="({pass: false, score: 0, reason: ''})")
    for checks in ([silent], [silent, has("aaa")], [has("aaa"), silent]):
        assert grade_case(checks, None, ANSWER).word == "fail"
        assert grade_case(checks, None, ANSWER, rules=AS_PROMPTFOO).word == "pass"
    assert grade_case([has("aaa")], None, ANSWER, rules=AS_PROMPTFOO).word == "fail"


def test_what_a_script_says_of_parts_is_listed_and_counts_for_nothing() -> None:
    part = "{pass: false, score: 0.2, reason: 'in', assertion: {type: 'equals'}}"
    script = f"({{pass: true, score: 1, reason: 'r', componentResults: [{part}]}})"
    result = graded(Check(type="javascript", value=script))
    assert result.word == "pass"
    assert [(one.type, one.passed, one.score) for one in result.checks] == [
        ("javascript", True, 1),
        ("equals", False, 0.2),
    ]
