"""What a metric found of a session each time that it judged, and what changed in between."""

from __future__ import annotations

from dataclasses import replace

from scored_sessions import add_outcomes, add_talk, failure, retention

from turnwise.conversations.store import Store
from turnwise.engine.comparing.judging_changes import JudgingChange
from turnwise.engine.comparing.rejudging import TurnChange
from turnwise.engine.comparing.score_history import ScoreHistory, score_histories


def histories(store: Store, session: int) -> list[ScoreHistory]:
    return score_histories(store.scores.of(session))


def test_what_was_judged_once_has_no_history(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4), failure())
    assert histories(store, session) == []


def test_another_judge_that_fails_a_turn_is_told_with_the_turn(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(), judge="one")
    add_outcomes(store, session, retention(4), judge="two")
    [history] = histories(store, session)
    now, before = history.times
    assert (now.row.judge, now.flip, before.row.judge, before.flip) == ("two", "failed", "one", None)
    assert now.changed == (JudgingChange("judge", "one", "two"),)
    assert now.turns == (TurnChange(4, "yes", "no", "forgot at 4"),)


def test_another_threshold_alone_may_flip_a_score(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(4))
    add_outcomes(store, session, replace(retention(4), threshold=0.5))
    now = histories(store, session)[0].times[0]
    assert now.flip == "passed"
    assert now.changed == (JudgingChange("threshold", "0.9", "0.5"),)
    assert now.turns == ()


def test_a_judge_that_was_away_flips_nothing(store: Store) -> None:
    session = add_talk(store)
    add_outcomes(store, session, retention(metric="m"))
    add_outcomes(store, session, failure("m"))
    now = histories(store, session)[0].times[0]
    assert (now.flip, now.changed, now.turns) == (None, (), ())


def test_what_flipped_last_stands_first_and_exchanges_are_apart(store: Store) -> None:
    session = add_talk(store)
    for failing in ((), ()):
        add_outcomes(store, session, retention(*failing, metric="a"))
    for failing in ((4,), ()):
        add_outcomes(store, session, retention(*failing, metric="b", exchange=1))
    add_outcomes(store, session, retention(metric="b", exchange=2))
    assert [(one.metric, one.exchange, len(one.times)) for one in histories(store, session)] == [
        ("b", 1, 2),
        ("a", None, 2),
    ]
