"""turnwise why: what was asked of the judge and what it said, for every score of a session."""

from __future__ import annotations

import pytest
from scored_sessions import add_call, add_outcomes
from stored import keep, score

HOSTILE = "\x1b[31mred\x07\u202e"


@pytest.fixture
def session(store):
    number = keep(store, "Where is my bag?", "In Oslo.")
    add_call(store, "k", prompt=f"Is it polite? {HOSTILE}", reply='{"verdict": "yes"}')
    add_outcomes(store, number, score(0.9, calls=("k",)), score(0.2, "contains:Bergen"))
    return number


def test_prompt_reply_tokens_time_and_cost_are_printed(turnwise, session):
    told = turnwise("why", session).out
    assert "✓ politeness  0.90" in told
    assert "Is it polite?" in told
    assert '    ┃ {"verdict": "yes"}' in told
    assert "judge-1 · 1,200 tokens in, 34 out · 1.50 s · $0.0021 · asked " in told
    assert "✗ contains:Bergen" in told
    assert not set(told) & set(HOSTILE.replace("[31mred", ""))


def test_one_metric_is_named_as_elsewhere(turnwise, session):
    [row] = turnwise("why", session, "Politeness", "--json").rows
    assert (row["metric"], row["calls"][0]["reply"]) == ("politeness", '{"verdict": "yes"}')
    assert row["calls"][0]["request"]["messages"]
    ran = turnwise("why", session, "politness")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean politeness?" in ran.err


def test_without_scores_it_says_how_to_get_some(turnwise, store):
    ran = turnwise("why", keep(store, "a", "b"))
    assert (ran.code, ran.out) == (0, "")
    assert "turnwise score 1 --metric NAME" in ran.err
    assert turnwise("why", 99).code == 2


def test_a_call_that_is_not_there_is_no_error(turnwise, store):
    number = keep(store, "a", "b")
    add_outcomes(store, number, score(0.9, calls=("gone",)), judge="a judge")
    assert "Its calls are not in this database." in turnwise("why", number).out
    assert turnwise("why", number, "--json").row["calls"] == []


def test_of_a_judge_that_is_no_model_it_says_so(turnwise, store):
    number = keep(store, "a", "b")
    add_outcomes(store, number, score(0.9), judge="recorded (demo)")
    words = "the score is by “recorded (demo)”, which turnwise did not ask itself."
    assert words in turnwise("why", number).out


def test_what_failed_stands_first(turnwise, store):
    number = keep(store, "a", "b")
    add_outcomes(store, number, score(0.9, "tact"), score(0.1, "warmth"), judge="a judge")
    assert [row["metric"] for row in turnwise("why", number, "--json").rows] == ["warmth", "tact"]
