"""turnwise score --compare: a session judged once more, beside what stood before."""

from __future__ import annotations

import pytest
from judged import gives
from stored import keep


@pytest.fixture
def session(store):
    return keep(store, "Who are you?", "A pirate.", "And now?", "A clerk.", chatbot_role="A clerk")


def test_another_judge_is_told_with_the_turns_that_it_sees_otherwise(turnwise, server, judge, session):
    server.script(gives("turn", {2: "no", 4: "no"}))
    turnwise("score", session, "--metric", "role_adherence", *judge)
    server.script(gives("turn", {2: "yes", 4: "yes"}))
    ran = turnwise(
        "score", session, "--metric", "role_adherence", "--compare", "--judge", f"{server.url}#other"
    )
    assert ran.out.splitlines() == [
        f"{session:>5}  ✗ → ✓ role_adherence  0.00 → 1.00  [judge m → other]",
        "       turn 2: no → yes  reason 2",
        "       turn 4: no → yes  reason 4",
    ]
    assert "Compared with what was found before: 1 newly passed." in ran.err
    # Back to the first judge nothing is asked: its score is kept, and set beside the newest.
    asked = len(server.requests)
    back = turnwise("score", session, "--metric", "role_adherence", "--compare", *judge, "--json").row
    assert (len(server.requests), back["kept"], back["score"]) == (asked, True, 0.0)
    assert (back["flip"], back["delta"], back["before"]["judge"]) == ("failed", -1.0, "other")
    assert back["changed"] == [{"name": "judge", "a": "other", "b": "m"}]
    assert [(one["turn"], one["a"], one["b"]) for one in back["turns"]] == [
        (2, "yes", "no"),
        (4, "yes", "no"),
    ]


def test_another_threshold_asks_nobody(turnwise, server, judge, session):
    server.script(gives("turn", {2: "no", 4: "yes"}))
    turnwise("score", session, "--metric", "role_adherence:threshold=0.5", *judge)
    ran = turnwise("score", session, "--metric", "role_adherence:threshold=0.8", "--compare", *judge)
    assert ran.out == f"{session:>5}  ✓ → ✗ role_adherence  0.50 → 0.50  [threshold 0.5 → 0.8]\n"
    assert len(server.requests) == 1
    assert "1 newly failed" in ran.err


def test_what_is_as_before_and_what_was_never_judged_is_told_too(turnwise, server, judge, session):
    line = ["score", session, "--metric", "role_adherence", *judge, "--compare"]
    assert "nothing before" in turnwise(*line).out
    again = turnwise(*line)
    assert again.out == f"{session:>5}  = role_adherence  1.00, as before\n"
    assert "Compared with what was found before: 1 as before." in again.err


def test_a_criterion_is_set_beside_another_metric(turnwise, server, judge, session):
    turnwise("score", session, "--metric", "contains:pirate", "--judge", "none")
    line = ["score", session, "--metric", "contains:clerk", "--judge", "none"]
    row = turnwise(*line, "--compare-with", "contains:pirate", "--json").row
    assert (row["metric"], row["before"]["metric"], row["flip"]) == (
        "contains:clerk",
        "contains:pirate",
        "passed",
    )
    assert row["changed"] == [{"name": "metric", "a": "contains:pirate", "b": "contains:clerk"}]
