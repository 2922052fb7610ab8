"""tool_trajectory: which tools were called, how often, in which order and with what."""

from __future__ import annotations

import pytest
from agentv_found import check, found, used


def trajectory(mode: str, *uses, kind: str = "tool_trajectory", **config):
    return found(check(kind, mode=mode, **config), tools_used=tuple(uses))


def wants(*tools: str, **rest):
    return [{"tool": tool, **rest} for tool in tools]


class TestAnyOrder:
    def test_each_tool_is_called_as_often_as_is_asked(self):
        grade = trajectory("any_order", used("a"), used("b"), used("a"), minimums={"a": 2, "b": 2, "c": 0})
        assert grade.score == pytest.approx(2 / 3)
        assert grade.verdict == "borderline"

    def test_nothing_asked_is_met(self):
        assert trajectory("any_order", used("a"), minimums={}).score == 1.0


class TestInOrder:
    def test_others_may_stand_between(self):
        grade = trajectory("in_order", used("a"), used("x"), used("b"), expected=wants("a", "b"))
        assert grade.score == 1.0

    def test_a_call_with_other_arguments_is_used_up(self):
        expected = [*wants("a", args={"q": 1}), *wants("a", args={"q": 1})]
        assert trajectory("in_order", used("a", q=2), used("a", q=1), expected=expected).score == 0.5


class TestExact:
    def test_every_place_counts(self):
        assert trajectory("exact", used("a"), used("x"), used("c"), expected=wants("a", "b", "c")).score == (
            pytest.approx(2 / 3)
        )

    def test_a_call_too_many_is_told_and_costs_nothing(self):
        grade = trajectory("exact", used("a"), used("b"), expected=wants("a"))
        assert (grade.score, grade.misses) == (1.0, ("2 calls, 1 wanted",))

    def test_a_call_too_few_costs_its_share(self):
        assert trajectory("exact", used("a"), expected=wants("a", "b")).score == 0.5


class TestSets:
    def test_superset_wants_each_call_once(self):
        assert trajectory("superset", used("b"), used("a"), used("x"), expected=wants("a", "b")).score == 1.0
        assert trajectory("superset", used("a"), expected=wants("a", "a")).score == 0.5

    def test_subset_allows_nothing_else(self):
        assert trajectory("subset", used("a"), used("a"), used("x"), expected=wants("a")).score == (
            pytest.approx(2 / 3)
        )
        assert trajectory("subset", expected=wants("a")).score == 1.0


class TestArguments:
    @pytest.mark.parametrize(
        ("match", "score"),
        [("superset", 1.0), ("exact", 0.0), ("ignore", 1.0), ("subset", 0.0), (["place.city"], 1.0)],
    )
    def test_they_match_as_is_asked(self, match, score):
        use = used("a", place={"city": "Oslo"}, unit="C")
        expected = wants("a", args={"place": {"city": "Oslo"}})
        assert trajectory("in_order", use, expected=expected, args_match=match).score == score

    def test_the_older_form_looks_only_at_those_that_are_named(self):
        use, expected = used("a", q=1, page=2), wants("a", args={"q": 1})
        assert trajectory("exact", use, expected=expected).score == 1.0
        assert trajectory("exact", use, expected=expected, kind="tool-trajectory").score == 0.0

    def test_any_and_none_take_whatever_comes(self):
        expected = [{"tool": "a", "args": "any"}, {"tool": "b"}]
        assert trajectory("exact", used("a", q=1), used("b", q=2), expected=expected).score == 1.0


class TestTime:
    def test_a_limit_is_one_thing_more_to_meet(self):
        expected = wants("a", max_duration_ms=100)
        assert trajectory("in_order", used("a", 50.0), expected=expected).score == 1.0
        assert trajectory("in_order", used("a", 150.0), expected=expected).score == 0.5

    def test_a_time_that_nobody_measured_counts_nothing(self):
        assert trajectory("exact", used("a"), expected=wants("a", max_duration_ms=1)).score == 1.0


def test_a_target_that_tells_nothing_of_tools_is_skipped_and_in_compat_a_score_of_0():
    asked = check("tool_trajectory", mode="exact", expected=wants("a"))
    assert found(asked).word == "skipped"
    loose = found(asked, compat=True)
    assert (loose.word, loose.score) == ("score", 0.0)


def test_an_unknown_mode_is_a_failure_that_names_the_modes():
    grade = trajectory("sideways", used("a"), expected=wants("a"))
    assert grade.word == "failure"
    assert "in_order" in grade.next_step
