"""Scores: every outcome kept, nothing overwritten, and units that need no second judging."""

import sqlite3

from stored import failure, identity, keep, land, score, skipped

from turnwise.conversations import Score, Skipped, Verdict
from turnwise.conversations.exports import export_sessions
from turnwise.conversations.importing import import_file
from turnwise.conversations.results import Quote
from turnwise.conversations.store import Store, quote_gone
from turnwise.conversations.store.scores import _JUDGED


def test_an_outcome_is_stored_with_verdicts_calls_and_details(store):
    session = keep(store)
    verdicts = (
        Verdict(turn=2, passed=False, word="no", reason="it is rude", about="Go away."),
        Verdict(turn=None, passed=None, word="none", reason=""),
    )
    outcome = Score(
        metric="politeness",
        score=0.25,
        threshold=0.5,
        reason="One of four.",
        verdicts=verdicts,
        details={"raw": 3, "steps": ["é"]},
        exchange=1,
        calls=("k2", "k1"),
        seconds=1.5,
        cost=0.01,
    )
    [score_id] = land(store, session, outcome)
    [row] = store.scores.of(session)
    assert (row.id, row.session_id, row.metric, row.outcome) == (score_id, session, "politeness", "score")
    assert (row.score, row.threshold, row.passed, row.reason) == (0.25, 0.5, False, "One of four.")
    assert (row.exchange, row.calls, row.seconds, row.cost) == (1, ("k2", "k1"), 1.5, 0.01)
    assert (row.judge, row.version, row.run_id) == ("scripted-1", 1, 1)
    assert row.details == {"raw": 3, "steps": ["é"]}
    assert [(one.turn, one.passed, one.word, one.reason, one.about) for one in row.verdicts] == [
        (2, False, "no", "it is rude", "Go away."),
        (None, None, "none", "", ""),
    ]


def test_a_failure_and_a_skip_have_no_score_and_do_not_pass(store):
    session = keep(store)
    land(store, session, failure(next_step="Start it."), skipped())
    away, left_out = store.scores.of(session)
    assert (away.outcome, away.score, away.passed, away.kind, away.next_step) == (
        "failure",
        None,
        None,
        "unavailable",
        "Start it.",
    )
    assert (left_out.outcome, left_out.score, left_out.passed, left_out.reason) == (
        "skipped",
        None,
        None,
        "no judge",
    )


def test_a_new_outcome_stands_beside_the_old_one(store):
    session = keep(store)
    land(store, session, score(0.2))
    land(store, session, score(0.9))
    assert [row.score for row in store.scores.of(session)] == [0.2, 0.9]
    assert [row.score for row in store.scores.newest(session)] == [0.9]


def test_the_newest_is_told_by_metric_and_exchange(store):
    session = keep(store, "a", "b", "c", "d")
    land(store, session, score(0.1, exchange=1), score(0.2, exchange=2), score(0.3, "other"))
    land(store, session, score(0.9, exchange=1))
    assert [(row.metric, row.exchange, row.score) for row in store.scores.newest(session)] == [
        ("politeness", 1, 0.9),
        ("politeness", 2, 0.2),
        ("other", None, 0.3),
    ]


class TestDone:
    def test_a_score_and_a_skip_are_done_and_a_failure_is_not(self, store):
        session = keep(store)
        found = score(0.25, calls=("k1", "k2"), cost=0.5, seconds=2.0, details={"a": 1})
        kept, _, left_out = land(store, session, found, failure("away"), skipped("left_out"))
        done = store.scores.done([session])
        assert done == {
            identity(session, "politeness").key: (kept, found),
            identity(session, "left_out").key: (left_out, Skipped(metric="left_out", reason="no judge")),
        }

    def test_the_newest_of_a_unit_counts(self, store):
        session = keep(store)
        land(store, session, score(0.2))
        [newest] = land(store, session, score(0.9))
        land(store, session, failure())
        [(score_id, outcome)] = store.scores.done([session]).values()
        assert (score_id, outcome.score) == (newest, 0.9)

    def test_any_part_of_the_identity_makes_another_unit(self, store):
        session = keep(store)
        keys = {
            identity(session).key,
            identity(session + 1).key,
            identity(session, exchange=1).key,
            identity(session, metric_fingerprint="other").key,
            identity(session, case_fingerprint="other").key,
            identity(session, judge_fingerprint="other").key,
        }
        assert len(keys) == 6
        assert identity(session, version=2).key == identity(session, judge="renamed").key

    def test_only_the_sessions_asked_for_are_looked_at(self, store):
        one, other = keep(store, "a"), keep(store, "b")
        land(store, one, score(1.0))
        land(store, other, score(1.0))
        assert {key[0] for key in store.scores.done([other])} == {other}
        assert store.scores.done([]) == {}


def test_at_a_glance_each_metric_has_its_newest_outcome(store):
    session = keep(store)
    land(store, session, score(0.1, "a", exchange=1), score(0.2, "a", exchange=2), score(0.3, "b"))
    land(store, session, score(0.4, "a", exchange=1))
    found = store.scores.newest_by_metric(session)
    assert [(row.metric, row.score) for row in found] == [("b", 0.3), ("a", 0.4)]
    assert found[0].verdicts


class TestQuotes:
    QUOTE = Quote(turn=2, start=3, end=8, text="Oslo.")

    def test_a_verdict_keeps_the_words_it_rests_on(self, store):
        session = keep(store, "Where is my bag?", "In Oslo.")
        verdict = Verdict(turn=2, passed=False, word="no", quote=self.QUOTE)
        [kept] = land(store, session, score(0.2, verdicts=(verdict,)))
        assert store.scores.outcome(kept).verdicts == (verdict,)
        [row] = store.scores.newest(session)
        assert row.verdicts[0].quote == self.QUOTE
        assert not row.verdicts[0].gone
        assert quote_gone(row.verdicts[0]) == ""

    def test_it_says_so_where_the_turn_was_changed_since(self, store):
        session = keep(store, "Where is my bag?", "In Oslo.")
        land(
            store,
            session,
            score(0.2, verdicts=(Verdict(turn=2, passed=False, word="no", quote=self.QUOTE),)),
        )
        with sqlite3.connect(store.path) as connection:
            connection.execute("UPDATE turns SET content = 'In Bergen.' WHERE number = 2")
        connection.close()
        [row] = store.scores.newest(session)
        assert row.verdicts[0].gone
        assert quote_gone(row.verdicts[0]) == "Turn 2 was changed since and no longer says “Oslo.”"


class TestWhetherAMetricIsACheck:
    """No judge was asked for any of its scores, and none came with a file."""

    def test_one_judged_score_among_others_is_enough(self, store):
        session = keep(store, "Where is my bag?", "In Oslo.")
        run = store.runs.begin(judge="", metrics=["exact"])
        unit = {"judge": "", "judge_fingerprint": ""}
        for settings in ("a", "b", "c"):
            one = identity(session, "exact", metric_fingerprint=settings, **unit)
            store.scores.add_all(run, [(one, score(1.0, "exact"))])
        assert store.scores.is_check("exact")
        assert store.scores.is_check("never scored")
        land(store, session, score(1.0, "politeness"))
        assert store.scores.is_check("exact")
        assert not store.scores.is_check("politeness")
        judged = identity(session, "exact", metric_fingerprint="b")
        store.scores.add_all(run, [(judged, score(1.0, "exact"))])
        assert not store.scores.is_check("exact")

    def test_what_a_file_says_was_scored_is_none(self, store, tmp_path):
        session = keep(store, "Where is my bag?", "In Oslo.")
        run = store.runs.begin(judge="", metrics=["exact"])
        one = identity(session, "exact", judge="", judge_fingerprint="")
        store.scores.add_all(run, [(one, score(1.0, "exact"))])
        export_sessions(store, [session], to="jsonl", output=tmp_path / "kept.jsonl")
        with Store.open(tmp_path / "other.db") as other:
            import_file(other, tmp_path / "kept.jsonl")
            assert other.scores.of(1)[0].metric == "exact"
            assert not other.scores.is_check("exact")

    def test_the_scores_of_a_check_are_not_gone_through(self, store):
        plan = " ".join(
            row["detail"]
            for row in store._database.connection.execute(
                f"EXPLAIN QUERY PLAN {_JUDGED}", {"metric": "exact"}
            )
        )
        assert "SEARCH scores USING COVERING INDEX scores_by_metric" in plan
        assert "SCAN scores" not in plan
