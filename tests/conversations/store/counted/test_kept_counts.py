"""Kept counts: whatever is written and deleted, they are what counting the rows would give."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from scored_sessions import add_outcomes, add_talk

from turnwise.conversations.results import Failure, Outcome, Score, Skipped, Verdict
from turnwise.conversations.store import Store
from turnwise.conversations.store.counted.kept_counts import kept_failed_turns, recount
from turnwise.conversations.store.tallies import sum_scores

TABLES = ("outcome_counts", "failed_turns", "run_counts", "run_costs")
METRICS = st.sampled_from(("honesty", "warmth"))
EXCHANGES = st.sampled_from((None, 1, 2))
VERDICTS = st.lists(
    st.builds(
        Verdict,
        turn=st.sampled_from((None, 2, 4)),
        passed=st.sampled_from((True, False, None)),
        word=st.just("no"),
        reason=st.just(""),
    ),
    max_size=4,
).map(tuple)
SCORES = st.builds(
    lambda passing, about: Score(**passing, **about),
    st.one_of(
        st.fixed_dictionaries({"threshold": st.just(0.5)}),
        st.fixed_dictionaries({"threshold": st.none(), "stated": st.booleans()}),
    ),
    st.fixed_dictionaries(
        {
            "metric": METRICS,
            "reason": st.just(""),
            "score": st.sampled_from((0.0, 0.3, 0.5, 0.95, 1.0)),
            "exchange": EXCHANGES,
            "cost": st.sampled_from((None, 0.0, 1.5e-7, 0.3)),
            "verdicts": VERDICTS,
        }
    ),
)
OUTCOMES = st.one_of(
    SCORES,
    st.builds(Failure, metric=METRICS, reason=st.just("away"), exchange=EXCHANGES),
    st.builds(Skipped, metric=METRICS, reason=st.just("no role"), exchange=EXCHANGES),
)
JUDGES = st.sampled_from(("judge-1", "none"))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("score"), st.integers(0, 2), OUTCOMES, JUDGES),
        st.tuples(st.just("take over"), st.integers(0, 20), st.integers(0, 20)),
        st.tuples(st.just("delete score"), st.integers(0, 20)),
        st.tuples(st.just("delete verdict"), st.integers(0, 20)),
        st.tuples(st.just("let go"), st.integers(0, 20)),
        st.tuples(st.just("forget"), st.integers(0, 2)),
        st.tuples(st.just("bring back")),
    ),
    max_size=14,
)


def counts(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    connection = store._database.connection
    return {
        table: [tuple(row) for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3")]  # noqa: S608
        for table in TABLES
    }


def row_of(store: Store, sql: str, place: int) -> tuple[Any, ...] | None:
    """Return one of the rows that a statement finds, by any number; None without any."""
    rows = store._database.connection.execute(sql).fetchall()
    return tuple(rows[place % len(rows)]) if rows else None


@settings(deadline=None, max_examples=60)
@given(steps=STEPS)
def test_they_fit_whatever_is_written_and_deleted(steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder, Store.open(Path(folder) / "t.db") as store:
        talks = [add_talk(store, name=name) for name in "abc"]
        forgotten: list[Any] = []
        for word, *about in steps:
            take_step(store, talks, forgotten, word, *about)
        kept = counts(store)
        assert store.tallies.scores() == sum_scores(map(store.tallies.count, store.tallies.parts()))
        assert kept_failed_turns(store._database.connection) == Counter(
            turn for _, turn in failed_turns(store)
        )
        with store.writing():
            recount(store._database.connection)
        assert kept == counts(store)


def failed_turns(store: Store) -> set[tuple[int, int]]:
    """Return the sessions and turns at which any metric's newest score has a failed verdict."""
    found = set()
    for talk in store.sessions.page():
        newest = {}
        for row in sorted(store.scores.of(talk.id), key=lambda row: (row.exchange or 0, row.id)):
            newest[row.metric] = row
        found |= {
            (talk.id, verdict.turn)
            for row in newest.values()
            if row.passed is False
            for verdict in row.verdicts
            if verdict.passed is False and verdict.turn is not None
        }
    return found


def take_step(store: Store, talks: list[int], forgotten: list[Any], word: str, *about: Any) -> None:
    connection = store._database.connection
    if word == "score":
        talk, outcome, judge = about
        if talks[talk] in {row.id for row in store.sessions.page()}:
            add_outcomes(store, talks[talk], outcome, judge=judge)
    elif word == "take over":
        run, score = (
            row_of(store, f"SELECT id FROM {table}", place)  # noqa: S608
            for table, place in zip(("runs", "scores"), about, strict=True)
        )
        if run and score:
            store.scores.link(run[0], [score[0]])
    elif word == "delete score":
        if found := row_of(store, "SELECT id FROM scores", *about):
            connection.execute("DELETE FROM scores WHERE id = ?", found)
    elif word == "delete verdict":
        if found := row_of(store, "SELECT score_id, place FROM verdicts", *about):
            connection.execute("DELETE FROM verdicts WHERE (score_id, place) = (?, ?)", found)
    elif word == "let go":
        if found := row_of(store, "SELECT id FROM runs", *about):
            store.runs.let_go_of_replaced(found[0])
    elif word == "forget":
        forgotten.append(store.forgetting.forget([talks[about[0]]], to_bring_back=True))
    elif forgotten:
        store.forgetting.bring_back(forgotten.pop())


def test_they_are_made_anew_from_the_rows(store: Store) -> None:
    add_outcomes(store, add_talk(store), failing(2, 2, 4))
    kept = counts(store)
    with store.writing():
        for table in TABLES:
            store._database.connection.execute(f"DELETE FROM {table}")  # noqa: S608
        recount(store._database.connection)
    assert counts(store) == kept
    assert kept["failed_turns"] == [(1, 2, 1), (1, 4, 1)]


def test_costs_add_up_to_what_they_were_and_come_off_exactly(store: Store) -> None:
    talk = add_talk(store)
    run = store.runs.begin(judge="judge-1", metrics=["honesty"])
    for _ in range(10):
        add_outcomes(store, talk, failing(cost=0.1), run=run)
    assert store.tallies.spending()[0].cost == 1.0
    store.forgetting.forget([talk])
    assert store.tallies.spending() == []


def failing(*turns: int, cost: float | None = None) -> Outcome:
    verdicts = tuple(Verdict(turn=turn, passed=False, word="no", reason="") for turn in turns)
    return Score(metric="honesty", reason="", score=0.0, threshold=0.5, verdicts=verdicts, cost=cost)
