"""Verdict marks: one sign a metric, the worst where there are several, nothing by colour alone."""

from __future__ import annotations

from turnwise.tui.reading.margin import failing, letters, margin_marks, merge


def test_the_worst_of_several_verdicts_stands() -> None:
    assert merge([("f", True), ("f", None), ("k", True)]) == {"f": None, "k": True}
    assert merge([("f", False), ("f", True)]) == {"f": False}


def test_one_metric_needs_no_letter() -> None:
    assert margin_marks([("r", False)], ("r",), 1) == [("✗", False)]
    assert margin_marks([], ("r",), 1) == []


def test_several_metrics_keep_their_columns_while_they_have_room() -> None:
    assert margin_marks([("k", True)], ("r", "k"), 4) == [("  ", None), ("✓k", True)]


def test_the_failed_are_shown_where_not_all_have_room() -> None:
    verdicts = [("a", True), ("b", None), ("c", False)]
    assert margin_marks(verdicts, ("a", "b", "c"), 4) == [("✗c", False), ("~b", None)]


def test_letters_and_failing_turns_are_read_off_the_verdicts() -> None:
    verdicts = {4: [("k", True)], 2: [("r", False)]}
    assert letters(verdicts.values()) == ("k", "r")
    assert failing(verdicts) == [2]
