"""field_accuracy: the fields of an answer that is data."""

from __future__ import annotations

import json
from datetime import date

import pytest
from agentv_found import check, expects, found
from hypothesis import given
from hypothesis import strategies as some

from turnwise.engine.checks.fields import read_date, read_date_as_javascript


def accuracy(answer, expected, *fields, compat=False, **config):
    text = answer if isinstance(answer, str) else json.dumps(answer)
    asked = check("field_accuracy", fields=list(fields), **config)
    return found(asked, text, expected=expects(expected), compat=compat)


def exact(path, **rest):
    return {"path": path, "match": "exact", **rest}


def near(path, **rest):
    return {"path": path, "match": "numeric_tolerance", **rest}


class TestExact:
    @pytest.mark.parametrize(
        ("path", "score"),
        [("name", 1.0), ("items[1].price", 1.0), ("items.length", 1.0), ("flag", 0.0), ("none", 1.0)],
    )
    def test_values_are_compared_as_data(self, path, score):
        expected = {"name": "A", "items": [{"price": 1}, {"price": 2}], "flag": 1, "none": None}
        answer = {"name": "A", "items": [{"price": 9}, {"price": 2.0}], "flag": True, "none": None}
        assert accuracy(answer, expected, exact(path)).score == score

    def test_weights_share_the_score(self):
        grade = accuracy({"a": 1, "b": 2}, {"a": 1, "b": 3}, exact("a", weight=3), exact("b"))
        assert (grade.score, grade.misses) == (0.75, ("b: another value",))

    def test_all_or_nothing(self):
        fields = (exact("a"), exact("b"))
        assert (
            accuracy({"a": 1, "b": 2}, {"a": 1, "b": 3}, *fields, aggregation="all_or_nothing").score == 0.0
        )


class TestMissing:
    def test_a_required_field_costs_and_an_optional_one_does_not_count(self):
        assert accuracy({}, {"a": 1}, exact("a")).score == 0.0
        assert accuracy({"b": 1}, {"a": 1, "b": 1}, exact("a", required=False), exact("b")).score == 1.0

    def test_what_is_not_expected_agrees(self):
        assert accuracy({"a": 1}, {"b": 1}, exact("a")).score == 1.0

    def test_an_answer_without_data_scores_0(self):
        assert accuracy("I do not know", {"a": 1}, exact("a")).score == 0.0

    def test_no_expected_data_is_a_failure_and_in_compat_a_score_of_0(self):
        assert accuracy({"a": 1}, "just words", exact("a")).word == "failure"
        grade = accuracy({"a": 1}, "just words", exact("a"), compat=True)
        assert (grade.word, grade.score) == ("score", 0.0)

    @pytest.mark.parametrize("written", ["null", "0", "", None])
    def test_nothing_is_no_data(self, written):
        assert accuracy({"a": 1}, written, exact("a")).word == "failure"

    def test_an_empty_object_is_data(self):
        assert accuracy({"a": 1}, {}, exact("a")).score == 1.0

    def test_data_among_words_are_found(self):
        assert accuracy('Here: ```json\n{"a": 1}\n```', '{"a": 1}', exact("a")).score == 1.0


class TestNumbers:
    @pytest.mark.parametrize(
        ("answer", "expected", "rest", "score"),
        [
            (101, 100, {"tolerance": 1}, 1.0),
            (102, 100, {"tolerance": 1}, 0.0),
            ("99.5 USD", 100, {"tolerance": 1}, 1.0),
            (109, 100, {"tolerance": 0.1, "relative": True}, 1.0),
            (111, 100, {"tolerance": 0.1, "relative": True}, 0.0),
            (0.05, 0, {"tolerance": 0.1, "relative": True}, 1.0),
            ("many", 100, {"tolerance": 1000}, 0.0),
            (True, 1, {"tolerance": 1}, 0.0),
        ],
    )
    def test_they_may_differ_by_the_tolerance(self, answer, expected, rest, score):
        assert accuracy({"n": answer}, {"n": expected}, near("n", **rest)).score == score


class TestDates:
    @pytest.mark.parametrize(
        "written",
        [
            *(
                "2025-01-15",
                "2025/1/15",
                "2025.01.15",
                "20250115",
                "2025-01-15T08:30:00Z",
                "2025-01-15 08:30",
            ),
            *("15-JAN-2025", "15 January 2025", "15. Jan 2025", "Jan 15, 2025", "Wed, 15 Jan 2025 10:00 GMT"),
            *("01/15/2025", "15/01/2025", "1/15/25", "1/15/2025, 10:00 PM", "15.01.2025"),
        ],
    )
    def test_they_are_read_in_the_usual_forms(self, written):
        assert accuracy({"d": written}, {"d": "2025-01-15"}, {"path": "d", "match": "date"}).score == 1.0

    def test_the_formats_say_whether_the_day_leads(self):
        assert read_date("01/02/2025", ["DD/MM/YYYY"]) == date(2025, 2, 1)
        assert read_date("01/02/2025", ["MM/DD/YYYY"]) == date(2025, 1, 2)
        assert read_date("01/02/2025") == date(2025, 1, 2)
        assert read_date("25/02/2025") == date(2025, 2, 25)

    def test_in_compat_the_month_leads_wherever_it_can(self):
        assert read_date_as_javascript("01/02/2025", ["DD/MM/YYYY"]) == date(2025, 1, 2)
        assert read_date_as_javascript("25/02/2025", ["DD/MM/YYYY"]) == date(2025, 2, 25)

    def test_a_day_that_is_none_is_no_date_and_in_compat_runs_on(self):
        assert read_date("31-FEB-2025") is None
        assert read_date_as_javascript("31-FEB-2025") == date(2025, 3, 3)

    def test_a_day_elsewhere_is_the_one_that_is_written_and_in_compat_the_one_in_utc(self):
        late = "2025-01-15T23:30:00-05:00"
        assert (read_date(late), read_date_as_javascript(late)) == (date(2025, 1, 15), date(2025, 1, 16))

    @pytest.mark.parametrize("text", ["", "soon", "invoice 5", "42", "2025-13-01", "15-FOO-2025"])
    def test_other_words_are_no_date(self, text):
        assert read_date(text) is None

    @given(some.text(max_size=30))
    def test_no_text_breaks_the_reading(self, text):
        read_date(text)
        read_date_as_javascript(text, ["DD/MM/YYYY"])


@pytest.mark.parametrize(
    "expected",
    [
        {"a": 1},
        '{"a": 1}',
        [{"role": "assistant", "content": {"a": 1}}],
        {"role": "assistant", "content": {"a": 1}},
    ],
)
def test_what_is_expected_may_stand_among_the_variables_alone(expected):
    asked = check("field-accuracy", fields=[exact("a")])
    assert found(asked, '{"a": 1}', vars={"expected_output": expected}).score == 1.0
    assert found(asked, '{"a": 2}', vars={"expected_output": expected}).score == 0.0
    assert found(asked, '{"a": 2}', vars={}).word == "failure"


def test_an_unknown_match_never_agrees():
    assert accuracy({"a": 1}, {"a": 1}, {"path": "a", "match": "fuzzy"}).score == 0.0


def test_without_fields_it_is_a_failure():
    assert found(check("field_accuracy"), "{}").word == "failure"
