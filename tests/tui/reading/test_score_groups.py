"""Outcomes are told by metric, in words that say nothing twice, with a letter each for the margin."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from turnwise.conversations.store.rows import ScoreRow, VerdictRow
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.reading.score_groups import (
    SessionScores,
    group_scores,
    metric_letters,
    newest_scores,
    turn_marks,
)
from turnwise.tui.reading.score_lines import score_lines
from turnwise.tui.session_lists.metric_keys import metric_keys

PASSED = ScoreRow(1, 1, "relevancy", "score", 1.0, 0.5, True, "All is well.", None, 0.0, "judge", 1, 1)
FAILED = replace(
    PASSED,
    score=0.0,
    passed=False,
    reason="2 of 3 replies break role (turns 2, 4): swears",
    verdicts=(
        VerdictRow(4, False, "no", "shouts"),
        VerdictRow(2, False, "no", "swears"),
        VerdictRow(6, True, "yes", ""),
    ),
)
SKIPPED = replace(PASSED, outcome="skipped", score=None, passed=None, reason="no topics")
BROKEN = replace(SKIPPED, outcome="failure", reason="The judge is away.\nsocket 12", next_step="Try again.")


def group(*rows: ScoreRow) -> Any:
    return group_scores(rows)[0]


def test_a_reason_leaves_out_what_the_list_of_turns_says() -> None:
    assert group(FAILED).summary == "2 of 3 replies break role."
    assert [verdict.turn for _, verdict in group(FAILED).failing] == [2, 4]
    assert group(PASSED).summary == "All is well."


def test_before_the_first_turn_the_first_that_fails_is_told_of_and_then_each_in_its_place() -> None:
    verdicts = tuple(VerdictRow(turn, turn != 6, "no", "swears") for turn in (2, 4, 6, 8))
    scores = SessionScores.of([replace(FAILED, verdicts=verdicts)])
    assert [scores.next_about(turn) for turn in (0, 1, 3, 7, 9)] == [6, 2, 4, 8, None]
    passing = SessionScores.of([replace(FAILED, verdicts=verdicts[:2])])
    assert passing.next_about(0) == 2


def test_the_head_says_that_another_model_answers_since() -> None:
    def head(*rows: ScoreRow) -> str:
        tones = Tones(**dict.fromkeys(Tones.__dataclass_fields__, Style()))
        lines = score_lines(group_scores(rows), [], 60, tones, now=0.0).lines
        return "\n".join("".join(segment.text for segment in line) for line in lines[:4])

    assert "since then" not in head(PASSED)
    assert "since then m-2 answers in its place" in head(PASSED, replace(FAILED, other_model="m-2"))


def test_a_failure_says_what_to_do_and_no_particulars() -> None:
    assert group(BROKEN).summary == "The judge is away. Try again."
    assert group(BROKEN).sign == "!"


def test_exchanges_are_counted_apart_and_only_scores_make_the_mean() -> None:
    rows = [replace(row, exchange=number) for number, row in enumerate((PASSED, FAILED, SKIPPED, BROKEN), 1)]
    whole = group(*rows)
    assert whole.sign == "✗"
    assert whole.score == 0.5
    assert whole.summary == "Of 4 exchanges 1 fails, 1 could not be judged, 1 was skipped."


def test_what_asks_most_to_be_looked_at_stands_first() -> None:
    rows = [replace(SKIPPED, metric="s"), replace(BROKEN, metric="b"), replace(FAILED, metric="f"), PASSED]
    assert [found.sign for found in group_scores(rows)] == ["✗", "!", "✓", "–"]


def test_the_newest_outcome_of_a_metric_and_exchange_counts() -> None:
    older, newer = replace(PASSED, id=1), replace(FAILED, id=2)
    other = replace(PASSED, id=3, exchange=2)
    assert newest_scores([older, other, newer]) == [newer, other]


def test_the_margin_has_a_letter_a_metric() -> None:
    groups = group_scores([FAILED, replace(FAILED, metric="role_adherence")])
    assert turn_marks(groups)[4] == [("r", False), ("a", False)]


def test_a_metric_has_the_same_letter_in_whatever_order_its_outcomes_came() -> None:
    silent, other = replace(PASSED, metric="rare"), replace(FAILED, metric="role_adherence")
    for rows in ([silent, FAILED, other], [other, FAILED, silent]):
        letters = {group.metric: group.letter for group in group_scores(rows)}
        assert letters == {"rare": "r", "relevancy": "e", "role_adherence": "a"}
    assert [group.letter for group in group_scores([other], {"role_adherence": "x"})] == ["x"]


def test_a_metric_has_the_same_letter_in_every_session_whatever_says_something_of_turns_there() -> None:
    criterion, metric = (
        replace(PASSED, metric="Keeps to rules"),
        replace(PASSED, metric="knowledge_retention"),
    )
    expected = {"Keeps to rules": "t", "knowledge_retention": "k"}
    for rows in ([criterion, metric], [replace(FAILED, metric="Keeps to rules"), metric]):
        assert {group.metric: group.letter for group in group_scores(rows)} == expected


def test_the_letter_of_a_metric_is_one_of_those_that_it_has_in_lists() -> None:
    metrics = ["answer_relevancy", "knowledge_retention", "role_adherence", "turn_relevancy", "tool_use"]
    keys, letters = metric_keys(metrics), metric_letters(metrics)
    assert (keys["tool_use"], letters["tool_use"]) == ("tu", "u")
    assert all(letters[metric] in keys[metric] for metric in metrics)


@given(st.lists(st.text(), unique=True, max_size=36))
def test_no_two_metrics_share_a_letter(metrics: list[str]) -> None:
    letters = metric_letters(metrics)
    assert len(set(letters.values())) == len(metrics)
    assert all(len(letter) == 1 for letter in letters.values())
